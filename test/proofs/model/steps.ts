// Owns random programs over the whole public surface: several worlds, every operation, rightly and wrongly asked, and restarts.
import fc from 'fast-check'
import { anyCall, CALLERS, hardCalls } from '../../properties/calls.ts'
import { ALL_FAULTS, CALL_FAULTS, DISPUTE_CHANGED, WEBHOOK_FAULTS } from './faults.ts'
import { LISTS } from './reading.ts'
import { scenes } from './scenes.ts'
import { WRONG_SALES } from './wrong.ts'
import type { Caller } from '../../properties/calls.ts'
import type { Ask, Order, Step } from './program.ts'

/** Operations that anybody may be refused. */
const GUARDED = [
  'createTransaction',
  'listTransactions',
  'getTransaction',
  'simulateTransaction',
  'tokenizeCard',
  'createCustomer',
  'listCustomers',
  'getCustomer',
  'updateCustomer',
  'getBalance',
  'createCashout',
  'listCashouts',
  'getCashout',
  'cancelCashout',
  'simulateCashout',
  'listDisputes',
  'getDispute',
  'respondToDispute',
  'addDisputeEvidence',
] as const

const by = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Caller>('sandbox') },
  { weight: 1, arbitrary: fc.constantFrom(...CALLERS) },
)
const nth = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(4) })
const kind = fc.constantFrom(...LISTS)
const price = fc.integer({ min: 100, max: 20_000 })
const is = <const T>(value: T): fc.Arbitrary<T> => fc.constant(value)

const ask: fc.Arbitrary<Ask> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ ask: is('read' as const), by, kind, nth }) },
  {
    weight: 4,
    arbitrary: fc.record({
      ask: is('list' as const),
      by,
      kind,
      page: fc.integer({ min: 0, max: 3 }),
      pageSize: fc.constantFrom(1, 2, 20, 101),
      status: fc.option(fc.constantFrom('Pending', 'Completed', 'Active', 'Open', 'bogus'), { freq: 2 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ ask: is('balance' as const), by }) },
  { weight: 1, arbitrary: fc.record({ ask: is('health' as const), wrong: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      ask: is('token' as const),
      by,
      wrong: fc.constantFrom('secret' as const, 'field' as const, null),
    }),
  },
  { weight: 2, arbitrary: fc.record({ ask: is('tokenize' as const), by, good: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ ask: is('payByToken' as const), by, nth }) },
  {
    weight: 3,
    arbitrary: fc.record({ ask: is('wrongSale' as const), by, wrong: fc.constantFrom(...WRONG_SALES) }),
  },
  { weight: 1, arbitrary: fc.record({ ask: is('wrongKey' as const), by, amount: price }) },
  {
    weight: 3,
    arbitrary: fc.record({ ask: is('brokenHook' as const), by, amount: price, cashout: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      ask: is('customer' as const),
      by,
      number: fc.nat(3),
      externalId: fc.option(fc.constantFrom('C-1', 'C-2')),
      good: fc.oneof(is(true), is(true), is(false)),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ ask: is('namedSale' as const), by, externalId: fc.constantFrom('T-1', 'T-2') }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      ask: is('answer' as const),
      nth,
      file: fc.boolean(),
      form: fc.constantFrom('good' as const, 'stale' as const, 'bad' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      ask: is('stranger' as const),
      who: fc.constantFrom('nobody' as const, 'nonsense' as const, ...CALLERS),
      operation: fc.constantFrom(...GUARDED),
    }),
  },
)

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

/** Rules that end: none sets itself off again. */
const RULES: readonly { when: { call?: string; event?: string }; trigger: string }[] = [
  { when: { call: 'createTransaction' }, trigger: 'confirm' },
  { when: { call: 'createTransaction' }, trigger: 'cancel' },
  { when: { call: 'createCashout' }, trigger: 'process' },
  { when: { call: 'createCashout' }, trigger: 'complete' },
  { when: { call: 'respondToDispute' }, trigger: 'win' },
  { when: { event: 'payment.completed' }, trigger: 'requestRefund' },
  { when: { event: 'payment.refund_requested' }, trigger: 'settleRefund' },
  { when: { event: 'payment.refund_requested' }, trigger: 'rejectRefund' },
  { when: { event: 'payment.expired' }, trigger: 'confirm' },
  { when: { event: 'dispute.opened' }, trigger: 'review' },
  { when: { event: 'dispute.under_review' }, trigger: 'lose' },
]
const rule: fc.Arbitrary<Order> = fc
  .tuple(
    fc.constantFrom(...RULES),
    fc.constantFrom(0, 0, 60_000, 86_400_000),
    fc.option(fc.integer({ min: 1, max: 2 })),
  )
  .map(([one, after, times]) => ({ order: 'rule' as const, ...one, after, times }))

const knobs = fc.oneof(
  fc.record({ 'TX-30': fc.constantFrom('never', 'latePayer') }),
  fc.record({ 'DI-02': fc.constantFrom('MerchantResponded', 'staysOpen') }),
  fc.record({ 'DI-03': fc.constantFrom('none', 1, 7) }),
  fc.record({ 'CO-13': fc.constantFrom('ceiling', 'exact') }),
  fc.record({ 'BA-02': fc.boolean() }),
  fc.record({ 'TX-02': fc.constantFrom(200, 201) }),
  fc.record({ 'TX-04': fc.constantFrom('allowed', 'rejected', 'returnsFirst') }),
)

const name = fc.constantFrom('one', 'two')
const order: fc.Arbitrary<Order> = fc.oneof(
  { weight: 5, arbitrary: callFault },
  { weight: 1, arbitrary: disputeFault },
  { weight: 5, arbitrary: webhookFault },
  { weight: 1, arbitrary: oddFault },
  { weight: 3, arbitrary: rule },
  {
    weight: 5,
    arbitrary: fc.constantFrom<Order[]>(
      { order: 'clearFaults' },
      { order: 'clearRules' },
      { order: 'release' },
      { order: 'release' },
      { order: 'toNext' },
      { order: 'toNext' },
      { order: 'reset' },
      { order: 'backwards' },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.record({ order: is('hold' as const), type: fc.constantFrom(null, 'payment.completed') }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ order: fc.constantFrom('resend' as const, 'duplicate' as const), nth }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      order: is('permit' as const),
      by,
      active: fc.oneof(is(true), is(true), is(false)),
      permissions: fc.constantFrom(
        null,
        null,
        [],
        ['balance.read', 'cashouts.write', 'transactions.write'],
        ['disputes.write', 'transactions.write', 'customers.edit'],
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      order: is('maySplit' as const),
      of: fc.constantFrom('merchant' as const, 'receiver' as const),
      may: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ order: is('save' as const), name }) },
  { weight: 3, arbitrary: fc.record({ order: is('restore' as const), name }) },
  { weight: 1, arbitrary: fc.record({ order: is('forget' as const), name }) },
  { weight: 3, arbitrary: fc.record({ order: is('choose' as const), silences: knobs }) },
)

/** Which world: mostly the first one. */
const place = fc.oneof({ weight: 3, arbitrary: is(0) }, { weight: 1, arbitrary: fc.nat(2) })

const inOne = fc.tuple(
  place,
  fc.oneof(
    { weight: 10, arbitrary: anyCall.map((call) => [{ do: 'call' as const, call }]) },
    { weight: 2, arbitrary: hardCalls.map((calls) => calls.map((call) => ({ do: 'call' as const, call }))) },
    { weight: 10, arbitrary: scenes(ask, order, GUARDED) },
    { weight: 6, arbitrary: ask.map((one) => [{ do: 'ask' as const, ask: one }]) },
    { weight: 6, arbitrary: order.map((one) => [{ do: 'order' as const, order: one }]) },
  ),
)
const steps: fc.Arbitrary<Step[]> = fc.oneof(
  { weight: 30, arbitrary: inOne.map(([at, some]) => some.map((one): Step => ({ in: at, ...one }))) },
  { weight: 1, arbitrary: is<Step[]>([{ do: 'make' }]) },
  { weight: 1, arbitrary: place.map((at): Step[] => [{ do: 'fork', in: at }]) },
  { weight: 1, arbitrary: place.map((at): Step[] => [{ do: 'end', in: at }]) },
)

const restart = fc.record({
  do: is('restart' as const),
  how: fc.constantFrom(
    'ended' as const,
    'killed' as const,
    'ended' as const,
    'killed' as const,
    'lost' as const,
  ),
})

/** Steps, or chains of steps, that a program is made of at most. */
const MOST_PARTS = 8
/** Of so many programs one is restarted in between. */
const RESTARTED = 14

/** Random programs. */
export const programs: fc.Arbitrary<Step[]> = fc
  .tuple(
    fc.array(steps, { minLength: 2, maxLength: MOST_PARTS }),
    fc.oneof(
      { weight: RESTARTED, arbitrary: is<Step[]>([]) },
      { weight: 1, arbitrary: fc.tuple(restart).map(([one]): Step[] => [one]) },
    ),
    fc.nat(MOST_PARTS),
  )
  .map(([some, pause, at]) => {
    const all = some.flat()
    all.splice(Math.min(at, all.length), 0, ...pause)
    return all
  })
