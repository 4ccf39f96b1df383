// Owns the machine of cashouts, as a table.
import { checkMachine } from '../kernel/machine.ts'
import { CASHOUT_STATUSES } from '../contract/enums.ts'
import type { Machine } from '../kernel/machine.ts'
import type { CashoutStatus } from '../contract/enums.ts'
import type { Effect } from './effects.ts'

/** Everything that can make a row of the machine fire. */
export const CASHOUT_TRIGGERS = ['create', 'process', 'complete', 'fail', 'reject', 'cancel'] as const
/** What makes a row fire. */
export type CashoutTrigger = (typeof CASHOUT_TRIGGERS)[number]

/** Effects of the machine. */
export type CashoutEffect = Effect<
  'requestedAt' | 'processedAt' | 'completedAt',
  'reserve' | 'payOut' | 'giveBack',
  'endToEndId' | 'processedAtIfNull' | 'failureReason'
>

type Rows = Machine<CashoutStatus, CashoutTrigger, never, CashoutEffect>['rows']

const SOURCE = 'CO-03'

const completed = [
  { do: 'note', note: 'processedAtIfNull' },
  { do: 'stamp', field: 'completedAt' },
  { do: 'note', note: 'endToEndId' },
  { do: 'post', movement: 'payOut' },
  { do: 'emit', event: 'cashout.completed' },
] as const satisfies CashoutEffect[]

const returned = [
  { do: 'note', note: 'failureReason' },
  { do: 'post', movement: 'giveBack' },
] as const satisfies CashoutEffect[]

const failed = [...returned, { do: 'emit', event: 'cashout.failed' }] as const satisfies CashoutEffect[]

const rows: Rows = [
  {
    from: null,
    on: 'create',
    to: 'Pending',
    effects: [
      { do: 'stamp', field: 'requestedAt' },
      { do: 'post', movement: 'reserve' },
    ],
    source: 'CO-07',
  },
  {
    from: 'Pending',
    on: 'process',
    to: 'Processing',
    effects: [{ do: 'stamp', field: 'processedAt' }],
    source: SOURCE,
  },
  { from: 'Pending', on: 'complete', to: 'Completed', effects: completed, source: SOURCE },
  { from: 'Processing', on: 'complete', to: 'Completed', effects: completed, source: SOURCE },
  { from: 'Pending', on: 'fail', to: 'Failed', effects: failed, source: SOURCE },
  { from: 'Processing', on: 'fail', to: 'Failed', effects: failed, source: SOURCE },
  {
    from: 'Pending',
    on: 'reject',
    to: 'Rejected',
    effects: [...returned, { do: 'emit', event: 'cashout.rejected' }],
    source: SOURCE,
  },
  {
    from: 'Pending',
    on: 'cancel',
    to: 'Cancelled',
    effects: [...returned, { do: 'emit', event: 'cashout.cancelled' }],
    source: SOURCE,
  },
]

/** The machine of cashouts. Nothing leaves Pending by itself. */
export const CASHOUT_MACHINE: Machine<CashoutStatus, CashoutTrigger, never, CashoutEffect> = checkMachine({
  name: 'cashout',
  statuses: CASHOUT_STATUSES,
  triggers: CASHOUT_TRIGGERS,
  rows,
})
