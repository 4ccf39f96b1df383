// Owns random faults: of calls, of disputes, of webhooks, and those that befall the other kind of thing.
import fc from 'fast-check'
import { GUARDED, is, kind, nth } from './drawn.ts'
import { ALL_FAULTS, CALL_FAULTS, DISPUTE_CHANGED, WEBHOOK_FAULTS, WHENS } from './faults.ts'
import type { Order } from './program.ts'

const callFault = fc.record({
  order: is('fault' as const),
  fault: fc.constantFrom(...CALL_FAULTS),
  operation: fc.constantFrom(...GUARDED, 'createToken', 'createTransaction', 'createCashout'),
  type: is(null),
  nth: fc.integer({ min: 1, max: 2 }),
  times: fc.integer({ min: 1, max: 2 }),
})
const disputeFault = fc.record({
  order: is('fault' as const),
  fault: is(DISPUTE_CHANGED),
  operation: fc.constantFrom('respondToDispute', 'addDisputeEvidence', 'getDispute'),
  type: is(null),
  nth: is(1),
  times: is(1),
})
const webhookFault = fc.record({
  order: is('fault' as const),
  fault: fc.constantFrom(...WEBHOOK_FAULTS),
  operation: is(null),
  type: fc.constantFrom('', '', 'payment.completed', 'cashout.completed'),
  nth: fc.integer({ min: 1, max: 2 }),
  times: fc.integer({ min: 1, max: 3 }),
})
/** A fault that befalls the other kind of thing: refused. */
const oddFault = fc.record({
  order: is('fault' as const),
  fault: fc.constantFrom(...ALL_FAULTS),
  operation: is(null),
  type: is('payment.failed'),
  nth: is(1),
  times: is(1),
})

