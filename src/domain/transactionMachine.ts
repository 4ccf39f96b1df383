// Owns the machine of transactions, as a table.
import { checkMachine } from '../kernel/machine.ts'
import { TRANSACTION_STATUSES } from '../contract/enums.ts'
import type { Machine } from '../kernel/machine.ts'
import type { TransactionStatus } from '../contract/enums.ts'
import type { Effect } from './effects.ts'

/** Everything that can make a row of the machine fire. */
export const TRANSACTION_TRIGGERS = [
  'create',
  'confirm',
  'expire',
  'fail',
  'cancel',
  'refund',
  'requestRefund',
  'settleRefund',
  'rejectRefund',
  'chargeBack',
] as const
/** What makes a row fire. */
export type TransactionTrigger = (typeof TRANSACTION_TRIGGERS)[number]

/** Names of the conditions; what they mean is in `transactionRules.ts`. */
export type TransactionGuard =
  | 'latePayerMayPay'
  | 'nothingLeft'
  | 'somethingLeft'
  | 'nothingLeftUndisputed'
  | 'somethingLeftUndisputed'
  | 'undisputed'
  | 'wasCompleted'
  | 'wasPartiallyRefunded'

/** Effects of the machine. */
export type TransactionEffect = Effect<
  'completedAt' | 'refundedAt',
  'sale' | 'refund',
  | 'confirmation'
  | 'failureReason'
  | 'noFailureReason'
  | 'refundedAmount'
  | 'pendingRefund'
  | 'noPendingRefund'
>

type Rows = Machine<TransactionStatus, TransactionTrigger, TransactionGuard, TransactionEffect>['rows']

const TABLE = 'contract: States and transitions'

const stopWaiting = [
  { do: 'cancel', job: 'expireTransaction' },
  { do: 'cancel', job: 'confirmTransaction' },
] as const satisfies TransactionEffect[]

const confirmed = [
  ...stopWaiting,
  { do: 'stamp', field: 'completedAt' },
  { do: 'note', note: 'confirmation' },
  { do: 'post', movement: 'sale' },
  { do: 'schedule', job: 'settleSale' },
  { do: 'emit', event: 'payment.completed' },
] as const satisfies TransactionEffect[]

const refunded = [
  { do: 'post', movement: 'refund' },
  { do: 'stamp', field: 'refundedAt' },
  { do: 'emit', event: 'payment.refunded' },
] as const satisfies TransactionEffect[]

const partiallyRefunded = [
  { do: 'post', movement: 'refund' },
  { do: 'stamp', field: 'refundedAt' },
  { do: 'emit', event: 'payment.partially_refunded' },
] as const satisfies TransactionEffect[]

const refundRequested = [
  { do: 'note', note: 'pendingRefund' },
  { do: 'emit', event: 'payment.refund_requested' },
] as const satisfies TransactionEffect[]

const settled = { do: 'note', note: 'noPendingRefund' } as const satisfies TransactionEffect

const chargedBack = [
  { do: 'note', note: 'refundedAmount' },
  { do: 'stamp', field: 'refundedAt' },
] as const satisfies TransactionEffect[]

const failing = [...stopWaiting, { do: 'note', note: 'failureReason' }] as const satisfies TransactionEffect[]

const waiting: Rows = [
  {
    from: null,
    on: 'create',
    to: 'Pending',
    effects: [
      { do: 'schedule', job: 'expireTransaction' },
      { do: 'schedule', job: 'confirmTransaction' },
    ],
    source: TABLE,
  },
  { from: 'Pending', on: 'confirm', to: 'Completed', effects: confirmed, source: TABLE },
  {
    from: 'Pending',
    on: 'expire',
    to: 'Expired',
    effects: [...failing, { do: 'emit', event: 'payment.expired' }],
    source: TABLE,
  },
  {
    from: 'Pending',
    on: 'fail',
    to: 'Failed',
    effects: [...failing, { do: 'emit', event: 'payment.failed' }],
    source: TABLE,
  },
  {
    from: 'Pending',
    on: 'cancel',
    to: 'Cancelled',
    effects: [...failing, { do: 'emit', event: 'payment.cancelled' }],
    source: TABLE,
  },
  {
    from: 'Expired',
    on: 'confirm',
    when: 'latePayerMayPay',
    to: 'Completed',
    effects: [{ do: 'note', note: 'noFailureReason' }, ...confirmed],
    source: 'TX-30',
  },
]

const refundable = ['Completed', 'PartiallyRefunded'] as const

const refunding: Rows = refundable.flatMap((from): Rows => {
  const source = from === 'Completed' ? TABLE : 'TX-11'
  return [
    { from, on: 'refund', when: 'nothingLeftUndisputed', to: 'Refunded', effects: refunded, source },
    {
      from,
      on: 'refund',
      when: 'somethingLeftUndisputed',
      to: 'PartiallyRefunded',
      effects: partiallyRefunded,
      source,
    },
    { from, on: 'requestRefund', when: 'undisputed', to: 'Processing', effects: refundRequested, source },
    {
      from,
      on: 'chargeBack',
      when: 'nothingLeft',
      to: 'Refunded',
      effects: [...chargedBack, { do: 'emit', event: 'payment.refunded' }],
      source: 'DI-10',
    },
    {
      from,
      on: 'chargeBack',
      when: 'somethingLeft',
      to: 'PartiallyRefunded',
      effects: [...chargedBack, { do: 'emit', event: 'payment.partially_refunded' }],
      source: 'DI-10',
    },
  ]
})

const processing: Rows = [
  {
    from: 'Processing',
    on: 'settleRefund',
    when: 'nothingLeft',
    to: 'Refunded',
    effects: [settled, ...refunded],
    source: 'TX-10',
  },
  {
    from: 'Processing',
    on: 'settleRefund',
    when: 'somethingLeft',
    to: 'PartiallyRefunded',
    effects: [settled, ...partiallyRefunded],
    source: 'TX-10',
  },
  {
    from: 'Processing',
    on: 'rejectRefund',
    when: 'wasCompleted',
    to: 'Completed',
    effects: [settled],
    source: 'TX-10',
  },
  {
    from: 'Processing',
    on: 'rejectRefund',
    when: 'wasPartiallyRefunded',
    to: 'PartiallyRefunded',
    effects: [settled],
    source: 'TX-10',
  },
]

/** The machine of transactions. */
export const TRANSACTION_MACHINE: Machine<
  TransactionStatus,
  TransactionTrigger,
  TransactionGuard,
  TransactionEffect
> = checkMachine({
  name: 'transaction',
  statuses: TRANSACTION_STATUSES,
  triggers: TRANSACTION_TRIGGERS,
  rows: [...waiting, ...refunding, ...processing],
})
