// Owns random faults: of calls, of disputes, of webhooks, and those that befall the other kind of thing; many only for a while, or of one record.
import fc from 'fast-check'
import { GUARDED, is, kind, nth } from './drawn.ts'
import { ALL_FAULTS, ALL_WHENS, CALL_FAULTS, DISPUTE_CHANGED, WEBHOOK_FAULTS } from './faults.ts'
import type { Order } from './program.ts'

type Fault = Order & { order: 'fault' }

const when = fc.option(fc.constantFrom(...ALL_WHENS), { freq: 1 })
/** From when and until when, and of which record: mostly always, and of any. */
const limits: fc.Arbitrary<Pick<Fault, 'after' | 'until' | 'only'>> = fc.record({
  after: fc.oneof({ weight: 3, arbitrary: is(null) }, { weight: 1, arbitrary: when }),
  until: fc.oneof({ weight: 3, arbitrary: is(null) }, { weight: 1, arbitrary: when }),
  only: fc.oneof({ weight: 5, arbitrary: is(null) }, { weight: 1, arbitrary: fc.record({ kind, nth }) }),
})

const of = (facts: fc.Arbitrary<Omit<Fault, 'order' | 'after' | 'until' | 'only'>>): fc.Arbitrary<Fault> =>
  fc.tuple(facts, limits).map(([one, limit]) => ({ order: 'fault', ...one, ...limit }))

const ofCalls = of(
  fc.record({
    fault: fc.constantFrom(...CALL_FAULTS),
    operation: fc.constantFrom(...GUARDED, 'createToken', 'createTransaction', 'createCashout'),
    type: is(null),
    nth: fc.integer({ min: 1, max: 2 }),
    times: fc.integer({ min: 1, max: 2 }),
  }),
)
const ofDisputes = of(
  fc.record({
    fault: is(DISPUTE_CHANGED),
    operation: fc.constantFrom('respondToDispute', 'addDisputeEvidence', 'getDispute'),
    type: is(null),
    nth: is(1),
    times: is(1),
  }),
)
/** A fault of webhooks. */
export const webhookFault = of(
  fc.record({
    fault: fc.constantFrom(...WEBHOOK_FAULTS),
    operation: is(null),
    type: fc.constantFrom('', '', 'payment.completed', 'cashout.completed'),
    nth: fc.integer({ min: 1, max: 2 }),
    times: fc.integer({ min: 1, max: 3 }),
  }),
)
/** A fault that befalls the other kind of thing: refused. */
const odd = of(
  fc.record({
    fault: fc.constantFrom(...ALL_FAULTS),
    operation: is(null),
    type: is('payment.failed'),
    nth: is(1),
    times: is(1),
  }),
)

/** A fault. */
export const fault: fc.Arbitrary<Order> = fc.oneof(
  { weight: 5, arbitrary: ofCalls },
  { weight: 1, arbitrary: ofDisputes },
  { weight: 5, arbitrary: webhookFault },
  { weight: 1, arbitrary: odd },
)
