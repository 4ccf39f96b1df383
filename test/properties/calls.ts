// Owns random calls over a whole world: everything that a merchant and a tester may do, right or wrong.
import fc from 'fast-check'
import { METHODS, SIMULATE_ACTIONS } from '../../src/contract/enums.ts'
import { CASHOUT_TRIGGERS } from '../../src/domain/cashoutMachine.ts'
import { DISPUTE_TRIGGERS } from '../../src/domain/disputeMachine.ts'
import { TRANSACTION_TRIGGERS } from '../../src/domain/transactionMachine.ts'
import type { Method } from '../../src/contract/enums.ts'

/** Whose keys a call is made with: the merchant in either environment, or the organisation that splits go to. */
export const CALLERS = ['sandbox', 'production', 'receiver'] as const
/** Whose keys a call is made with. */
export type Caller = (typeof CALLERS)[number]

/** An amount: a part in percent of what there is, cents above what there is, or cents as they are. */
export type Amount = { percent: number } | { above: number } | { cents: number } | null

/** Who receives a part of a sale. */
export interface SplitOf {
  to: 'sandbox' | 'receiver'
  type: 'PERCENTAGE' | 'FIXED'
  value: number
}

/** One call. `nth` names a record of its kind, the last one made being 0, counted round. */
export type Call =
  | {
      do: 'sell'
      by: Caller
      method: Method
      amount: number
      hook: boolean
      customer: number | null
      splits: SplitOf[]
      paid: boolean
    }
  | { do: 'simulate'; nth: number; action: string }
  | { do: 'trigger'; kind: 'transactions' | 'cashouts' | 'disputes'; nth: number; on: string; amount: Amount }
  | { do: 'withdraw'; by: Caller; amount: Amount; hook: boolean }
  | { do: 'cashout'; nth: number; action: string }
  | { do: 'fund'; by: Caller; amount: number }
  | { do: 'requireAll'; by: Caller; required: boolean | null }
  | { do: 'dispute'; nth: number; amount: Amount; deadline: string | null }
  | { do: 'answer'; nth: number; file: boolean }
  | { do: 'customer'; nth: number; email: number; document: number }
  | { do: 'advance'; minutes: number }
  | { do: 'choose'; silences: Record<string, unknown> }

/** The record that was made last, most of the time. */
const nth = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(6) })
const by = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Caller>('sandbox') },
  { weight: 2, arbitrary: fc.constant<Caller>('production') },
  { weight: 1, arbitrary: fc.constant<Caller>('receiver') },
)
const price = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 90, max: 700 }) },
  { weight: 2, arbitrary: fc.integer({ min: 100, max: 100_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 9_000_000_000, max: 9_999_999_999 }) },
)
const amount: fc.Arbitrary<Amount> = fc.oneof(
  { weight: 2, arbitrary: fc.constant(null) },
  { weight: 5, arbitrary: fc.record({ percent: fc.integer({ min: 1, max: 100 }) }) },
  { weight: 1, arbitrary: fc.record({ above: fc.integer({ min: 1, max: 90 }) }) },
  { weight: 2, arbitrary: fc.record({ cents: fc.integer({ min: -1, max: 900 }) }) },
)
/** An amount of a cashout: often a little too large. */
const withdrawn = fc.oneof(amount, fc.record({ above: fc.integer({ min: 1, max: 90 }) }))
const splits: fc.Arbitrary<SplitOf[]> = fc.uniqueArray(
  fc.oneof<fc.Arbitrary<SplitOf>[]>(
    fc.record({
      to: fc.constantFrom('sandbox' as const, 'receiver' as const),
      type: fc.constant('PERCENTAGE' as const),
      value: fc.integer({ min: 100, max: 9_900 }).map((hundredths) => hundredths / 100),
    }),
    fc.record({
      to: fc.constantFrom('sandbox' as const, 'receiver' as const),
      type: fc.constant('FIXED' as const),
      value: fc.integer({ min: 1, max: 400 }),
    }),
  ),
  { selector: ({ to }) => to, maxLength: 2 },
)

const sale: fc.Arbitrary<Call> = fc.record({
  do: fc.constant('sell'),
  by,
  method: fc.constantFrom(...METHODS, 'Pix' as const, 'Pix' as const),
  amount: price,
  hook: fc.boolean(),
  customer: fc.option<number>(fc.nat(3)),
  splits: fc.oneof(fc.constant<SplitOf[]>([]), splits),
  paid: fc.oneof(fc.constant(true), fc.boolean()),
})

/** Triggers with those that move money taken more often. */
const trigger: fc.Arbitrary<Call> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('trigger' as const),
      kind: fc.constant('transactions' as const),
      nth,
      on: fc.oneof(
        fc.constantFrom(...TRANSACTION_TRIGGERS),
        fc.constantFrom('refund', 'requestRefund', 'settleRefund', 'rejectRefund'),
      ),
      amount,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('trigger' as const),
      kind: fc.constant('cashouts' as const),
      nth,
      on: fc.constantFrom(...CASHOUT_TRIGGERS),
      amount: fc.constant(null),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('trigger' as const),
      kind: fc.constant('disputes' as const),
      nth,
      on: fc.constantFrom(...DISPUTE_TRIGGERS),
      amount: fc.constant(null),
    }),
  },
)

/** Any command on what was sold, withdrawn or disputed before. */
const followUp: fc.Arbitrary<Call> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('simulate'),
      nth,
      action: fc.constantFrom(...SIMULATE_ACTIONS, 'dance'),
    }),
  },
  { weight: 10, arbitrary: trigger },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('cashout'),
      nth,
      action: fc.constantFrom('cancel', 'complete', 'fail', 'reject'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('dispute'),
      nth,
      amount,
      deadline: fc.option(fc.constantFrom('1h', '3d', '30d')),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('answer'), nth, file: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('customer'), nth, email: fc.nat(3), document: fc.nat(3) }),
  },
)

const fee = fc.record({
  bps: fc.constantFrom(0, 1, 150, 333, 5_000, 10_000),
  fixed: fc.constantFrom(0, 1, 39, 350, 1_000_000),
})
const days = fc.constantFrom(0, 1, 2, 30)

/** The knobs that decide about money. */
const knobs = fc.oneof(
  fc.record({ 'TX-08': fc.record({ Pix: fee, Boleto: fee, CreditCard: fee }) }),
  fc.record({ 'TX-23': fc.record({ Pix: days, Boleto: days, CreditCard: days }) }),
  fc.record({ 'TX-29': fc.constantFrom('feeReturned', 'feeKept') }),
  fc.record({
    'DI-05': fc.record({
      hold: fc.constantFrom('available', 'none', 'availableAndPending'),
      debit: fc.constantFrom('whole', 'heldPart'),
    }),
  }),
  fc.record({ 'DI-10': fc.constantFrom('refunded', 'stays') }),
  fc.record({
    'CO-05': fc.record({
      feeCents: fc.constantFrom(0, 1, 200, 500),
      minimumCents: fc.constantFrom(100, 300),
    }),
  }),
)

/** Any one call. */
export const anyCall: fc.Arbitrary<Call> = fc.oneof(
  { weight: 6, arbitrary: sale },
  { weight: 13, arbitrary: followUp },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('withdraw'), by, amount: withdrawn, hook: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('fund'), by, amount: fc.integer({ min: 1, max: 5_000 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('requireAll'),
      by,
      required: fc.option(fc.boolean()),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('advance'),
      minutes: fc.oneof(fc.integer({ min: 1, max: 40 * 1_440 }), fc.constantFrom(31, 1_440, 8 * 1_440)),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('choose'), silences: knobs }) },
)

/** A sale of the merchant in Sandbox that is paid, split more often than not. */
const paidSale = fc
  .tuple(sale, splits)
  .map(([one, parts]): Call => ({ ...one, method: 'Pix', by: 'sandbox', splits: parts, paid: true }) as Call)

const fired = (kind: 'transactions' | 'cashouts' | 'disputes', on: string): fc.Arbitrary<Call> =>
  fc.record({
    do: fc.constant('trigger' as const),
    kind: fc.constant(kind),
    nth: fc.constant(0),
    on: fc.constant(on),
    amount,
  })
const refund = fired('transactions', 'refund')
const contested: fc.Arbitrary<Call> = fc.record({
  do: fc.constant('dispute'),
  nth: fc.constant(0),
  amount,
  deadline: fc.constant(null),
})
const takeAll: fc.Arbitrary<Call> = fc.constant({ do: 'withdraw', by: 'sandbox', amount: null, hook: true })

const takeTooMuch: fc.Arbitrary<Call> = fc.record({
  do: fc.constant('withdraw'),
  by: fc.constant('sandbox'),
  amount: fc.record({ above: fc.integer({ min: 1, max: 90 }) }),
  hook: fc.boolean(),
})

/** Calls that lead where money gets difficult, one after the other on one sale. */
export const hardCalls: fc.Arbitrary<Call[]> = fc.oneof(
  fc.tuple(
    paidSale,
    refund,
    refund,
    fired('transactions', 'requestRefund'),
    fired('transactions', 'settleRefund'),
  ),
  fc.tuple(
    paidSale,
    refund,
    fired('transactions', 'requestRefund'),
    fired('transactions', 'rejectRefund'),
    refund,
  ),
  fc.tuple(paidSale, takeTooMuch, takeAll, refund, contested, fired('cashouts', 'fail')),
  fc.tuple(paidSale, contested, refund, fired('disputes', 'respond'), fired('disputes', 'lose'), refund),
  fc.tuple(paidSale, contested, fired('disputes', 'review'), fired('disputes', 'win'), contested),
)

/** Some calls, after a choice of knobs and a sale, so that there is something to act on. */
export const calls: fc.Arbitrary<Call[]> = fc
  .tuple(
    fc.array(knobs, { maxLength: 3 }),
    sale,
    fc.array(
      fc.oneof({ weight: 3, arbitrary: anyCall.map((one) => [one]) }, { weight: 1, arbitrary: hardCalls }),
      {
        minLength: 3,
        maxLength: 14,
      },
    ),
  )
  .map(([chosen, first, others]) => [
    ...chosen.map((silences): Call => ({ do: 'choose', silences })),
    first,
    ...others.flat(),
  ])
