// Owns the machine of disputes, as a table.
import { checkMachine } from '../kernel/machine.ts'
import { DISPUTE_STATUSES } from '../contract/enums.ts'
import type { Machine } from '../kernel/machine.ts'
import type { DisputeStatus } from '../contract/enums.ts'
import type { Effect } from './effects.ts'

/** Everything that can make a row of the machine fire. */
export const DISPUTE_TRIGGERS = [
  'open',
  'respond',
  'addEvidence',
  'lapse',
  'review',
  'win',
  'lose',
  'cancel',
] as const
/** What makes a row fire. */
export type DisputeTrigger = (typeof DISPUTE_TRIGGERS)[number]

/** Names of the conditions; what they mean is in `disputeRules.ts`. */
export type DisputeGuard = 'beforeDeadline' | 'beforeDeadlineAndStaysOpen' | 'beforeDeadlineAndMoves'

/** Effects of the machine. */
export type DisputeEffect = Effect<
  'openedAt' | 'respondedAt' | 'closedAt',
  'hold' | 'release' | 'debit',
  'response' | 'evidence' | 'history'
>

type Rows = Machine<DisputeStatus, DisputeTrigger, DisputeGuard, DisputeEffect>['rows']

const SOURCE = 'DI-04'

const responded = [
  { do: 'note', note: 'response' },
  { do: 'stamp', field: 'respondedAt' },
  { do: 'emit', event: 'dispute.responded' },
] as const satisfies DisputeEffect[]

const attached = [{ do: 'note', note: 'evidence' }] as const satisfies DisputeEffect[]

const closed = [
  { do: 'cancel', job: 'lapseDispute' },
  { do: 'stamp', field: 'closedAt' },
  { do: 'note', note: 'history' },
] as const satisfies DisputeEffect[]

const released = [...closed, { do: 'post', movement: 'release' }] as const satisfies DisputeEffect[]

const debited = [
  ...closed,
  { do: 'post', movement: 'debit' },
  { do: 'chargeBack' },
] as const satisfies DisputeEffect[]

const answering: Rows = [
  {
    from: null,
    on: 'open',
    to: 'Open',
    effects: [
      { do: 'stamp', field: 'openedAt' },
      { do: 'note', note: 'history' },
      { do: 'post', movement: 'hold' },
      { do: 'schedule', job: 'lapseDispute' },
      { do: 'emit', event: 'dispute.opened' },
    ],
    source: 'DI-05',
  },
  {
    from: 'Open',
    on: 'respond',
    when: 'beforeDeadlineAndMoves',
    to: 'MerchantResponded',
    effects: [{ do: 'cancel', job: 'lapseDispute' }, ...responded],
    source: 'DI-02',
  },
  {
    from: 'Open',
    on: 'respond',
    when: 'beforeDeadlineAndStaysOpen',
    to: 'Open',
    effects: [{ do: 'cancel', job: 'lapseDispute' }, ...responded],
    source: 'DI-02',
  },
  {
    from: 'MerchantResponded',
    on: 'respond',
    when: 'beforeDeadline',
    to: 'MerchantResponded',
    effects: responded,
    source: 'contract: PUT /v1/disputes/{id}/response',
  },
  {
    from: 'Open',
    on: 'addEvidence',
    when: 'beforeDeadline',
    to: 'Open',
    effects: attached,
    source: 'DI-06',
  },
  {
    from: 'MerchantResponded',
    on: 'addEvidence',
    when: 'beforeDeadline',
    to: 'MerchantResponded',
    effects: attached,
    source: 'DI-06',
  },
  {
    from: 'Open',
    on: 'lapse',
    to: 'Expired',
    effects: [...debited, { do: 'emit', event: 'dispute.expired' }],
    source: 'DI-03',
  },
]

const deciding: Rows = [
  ...(['Open', 'MerchantResponded'] as const).map((from): Rows[number] => ({
    from,
    on: 'review',
    to: 'UnderReview',
    effects: [
      { do: 'cancel', job: 'lapseDispute' },
      { do: 'note', note: 'history' },
      { do: 'emit', event: 'dispute.under_review' },
    ],
    source: SOURCE,
  })),
  ...(['MerchantResponded', 'UnderReview'] as const).flatMap((from): Rows => [
    {
      from,
      on: 'win',
      to: 'Won',
      effects: [...released, { do: 'emit', event: 'dispute.won' }],
      source: SOURCE,
    },
    {
      from,
      on: 'lose',
      to: 'Lost',
      effects: [...debited, { do: 'emit', event: 'dispute.lost' }],
      source: SOURCE,
    },
  ]),
  ...(['Open', 'MerchantResponded', 'UnderReview'] as const).map((from): Rows[number] => ({
    from,
    on: 'cancel',
    to: 'Cancelled',
    effects: [...released, { do: 'emit', event: 'dispute.cancelled' }],
    source: SOURCE,
  })),
]

/** The machine of disputes. */
export const DISPUTE_MACHINE: Machine<DisputeStatus, DisputeTrigger, DisputeGuard, DisputeEffect> =
  checkMachine({
    name: 'dispute',
    statuses: DISPUTE_STATUSES,
    triggers: DISPUTE_TRIGGERS,
    rows: [...answering, ...deciding],
  })
