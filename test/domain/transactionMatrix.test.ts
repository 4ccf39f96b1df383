// Checks the machines: their tables row by row, every row of transactions fired, every other pair refused.
import { describe, expect, test } from 'vitest'
import { SIMULATE_ACTIONS, TRANSACTION_STATUSES } from '../../src/contract/enums.ts'
import { CASHOUT_MACHINE } from '../../src/domain/cashoutMachine.ts'
import { DISPUTE_MACHINE } from '../../src/domain/disputeMachine.ts'
import { foldBooks } from '../../src/domain/books.ts'
import { TRANSACTION_MACHINE, TRANSACTION_TRIGGERS } from '../../src/domain/transactionMachine.ts'
import { TRANSACTION_RULES } from '../../src/domain/transactionRules.ts'
import { fire } from '../../src/domain/transition.ts'
import { present } from '../../src/kernel/assert.ts'
import { DAY, later, MINUTE } from '../../src/kernel/time.ts'
import { finalStatuses } from '../../src/kernel/machine.ts'
import {
  AMOUNT,
  begin,
  CONFIRM,
  deliveriesOf,
  jobsOf,
  moneyOf,
  PART,
  reach,
  stored,
  trigger,
  WAYS,
} from '../control/transactionSteps.ts'
import { createPix, START } from '../support/sandbox.ts'
import type { TransactionStatus } from '../../src/contract/enums.ts'
import type { TriggerParameters } from '../../src/domain/effects.ts'
import type { Transaction } from '../../src/domain/records.ts'
import type { TransactionTrigger } from '../../src/domain/transactionMachine.ts'
import type { Fired, NotFired } from '../../src/domain/transition.ts'
import type { TestSandbox } from '../support/sandbox.ts'
import type { Step } from '../control/transactionSteps.ts'

/** One line of a table: where from, on what, where to, with which event, and what money moves. */
interface TableRow {
  from: string
  on: string
  to: string
  event: string
  money: string
}

/** Reads a table whose columns are set apart by bars. */
function readTable(text: string): TableRow[] {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [from = '', on = '', to = '', event = '', money = ''] = line.split('|').map((cell) => cell.trim())
      return { from, on, to, event, money }
    })
}

// Copied by hand from the behaviour page, one line for each outcome; the late payer is TX-30.
const TRANSACTIONS = readTable(`
  (create)          | create        | Pending           | -                          | -
  Pending           | confirm       | Completed         | payment.completed          | sale
  Pending           | expire        | Expired           | payment.expired            | -
  Pending           | fail          | Failed            | payment.failed             | -
  Pending           | cancel        | Cancelled         | payment.cancelled          | -
  Expired           | confirm       | Completed         | payment.completed          | sale
  Completed         | refund        | Refunded          | payment.refunded           | refund
  Completed         | refund        | PartiallyRefunded | payment.partially_refunded | refund
  PartiallyRefunded | refund        | Refunded          | payment.refunded           | refund
  PartiallyRefunded | refund        | PartiallyRefunded | payment.partially_refunded | refund
  Completed         | requestRefund | Processing        | payment.refund_requested   | -
  PartiallyRefunded | requestRefund | Processing        | payment.refund_requested   | -
  Processing        | settleRefund  | Refunded          | payment.refunded           | refund
  Processing        | settleRefund  | PartiallyRefunded | payment.partially_refunded | refund
  Processing        | rejectRefund  | Completed         | -                          | -
  Processing        | rejectRefund  | PartiallyRefunded | -                          | -
  Completed         | chargeBack    | Refunded          | payment.refunded           | -
  Completed         | chargeBack    | PartiallyRefunded | payment.partially_refunded | -
  PartiallyRefunded | chargeBack    | Refunded          | payment.refunded           | -
  PartiallyRefunded | chargeBack    | PartiallyRefunded | payment.partially_refunded | -
`)

const CASHOUTS = readTable(`
  (create)   | create   | Pending    | -                 | reserve
  Pending    | process  | Processing | -                 | -
  Pending    | complete | Completed  | cashout.completed | payOut
  Processing | complete | Completed  | cashout.completed | payOut
  Pending    | fail     | Failed     | cashout.failed    | giveBack
  Processing | fail     | Failed     | cashout.failed    | giveBack
  Pending    | reject   | Rejected   | cashout.rejected  | giveBack
  Pending    | cancel   | Cancelled  | cashout.cancelled | giveBack
`)

// A response that leaves the dispute Open is the other choice of DI-02. A debit comes with a charge-back. The events are
// sent only in a world that chose an address for them (DI-09).
const DISPUTES = readTable(`
  (create)          | open        | Open              | dispute.opened       | hold
  Open              | respond     | MerchantResponded | dispute.responded    | -
  Open              | respond     | Open              | dispute.responded    | -
  MerchantResponded | respond     | MerchantResponded | dispute.responded    | -
  Open              | addEvidence | Open              | -                    | -
  MerchantResponded | addEvidence | MerchantResponded | -                    | -
  Open              | lapse       | Expired           | dispute.expired      | debit
  Open              | review      | UnderReview       | dispute.under_review | -
  MerchantResponded | review      | UnderReview       | dispute.under_review | -
  MerchantResponded | win         | Won               | dispute.won          | release
  UnderReview       | win         | Won               | dispute.won          | release
  MerchantResponded | lose        | Lost              | dispute.lost         | debit
  UnderReview       | lose        | Lost              | dispute.lost         | debit
  Open              | cancel      | Cancelled         | dispute.cancelled    | release
  MerchantResponded | cancel      | Cancelled         | dispute.cancelled    | release
  UnderReview       | cancel      | Cancelled         | dispute.cancelled    | release
`)

const MACHINES = [
  { machine: TRANSACTION_MACHINE, table: TRANSACTIONS, finals: ['Failed', 'Cancelled', 'Refunded'] },
  { machine: CASHOUT_MACHINE, table: CASHOUTS, finals: ['Completed', 'Failed', 'Rejected', 'Cancelled'] },
  { machine: DISPUTE_MACHINE, table: DISPUTES, finals: ['Won', 'Lost', 'Expired', 'Cancelled'] },
]

interface AnyRow {
  from: string | null
  on: string
  to: string
  effects: readonly object[]
}

/** The values of one field over the effects of a row; `-` when none has it. */
function effectsOf(row: AnyRow, field: 'event' | 'movement' | 'job' | 'note'): string {
  const found = row.effects.map((effect) => (effect as Partial<Record<string, string>>)[field] ?? '')
  return found.filter(Boolean).join('+') || '-'
}

const lineOf = ({ from, on, to, event, money }: TableRow): string => [from, on, to, event, money].join(' | ')
const lineOfRow = (row: AnyRow): string =>
  [row.from ?? '(create)', row.on, row.to, effectsOf(row, 'event'), effectsOf(row, 'movement')].join(' | ')

describe('the tables of the machines', () => {
  test.each(MACHINES)(
    '$machine.name has the rows of the behaviour page and no others',
    ({ machine, table }) => {
      expect(machine.rows.map(lineOfRow).toSorted()).toEqual(table.map(lineOf).toSorted())
    },
  )

  test.each(MACHINES)('$machine.name never leaves $finals', ({ machine, finals }) => {
    expect(finalStatuses(machine).toSorted()).toEqual(finals.toSorted())
  })

  test('a charge-back comes with every debit of a dispute and with nothing else', () => {
    const charged = DISPUTE_MACHINE.rows.filter(({ effects }) =>
      effects.some((each) => each.do === 'chargeBack'),
    )
    expect(charged.map((row) => effectsOf(row, 'movement'))).toEqual(['debit', 'debit', 'debit'])
  })

  test('only TX-30 leads out of Expired', () => {
    const leaving = TRANSACTION_MACHINE.rows.filter(({ from }) => from === 'Expired')
    expect(leaving.map(({ when, source }) => [when, source])).toEqual([['latePayerMayPay', 'TX-30']])
  })
})

/** What one row must do. The money of a sale waits a day, so that pending money and its job are seen. */
interface RowCase {
  from: string
  on: TransactionTrigger
  to: TransactionStatus
  /** Fired before, on a new transaction. */
  steps: readonly Step[]
  carries?: TriggerParameters
  /** Merchant's pending money and the gateway's fee afterwards, in cents. */
  pending: number
  gateway: number
  /** Jobs of the transaction that wait afterwards. */
  jobs: readonly string[]
  /** Fields afterwards; `NOW` is the instant of firing. */
  fields: Partial<Record<keyof Transaction, unknown>>
}

const NOW = 'the instant of firing'
const SETTLES = ['settleSale']
const unpaid = { pending: 0, gateway: 0, jobs: [] }
const sold = { pending: 9_850, gateway: 150, jobs: SETTLES }
/** After 4000 of 10000 went back: 60 of the fee, 3940 of the merchant. */
const partly = { pending: 5_910, gateway: 90, jobs: SETTLES }
/** Nothing of the sale is left, so nothing waits to become available. */
const gone = { pending: 0, gateway: 0, jobs: [] }
const untouched = { completedAt: null, refundedAt: null, failureReason: null, refundedAmount: 0 }
const paid = { completedAt: START, failureReason: null }
const refunded = { ...paid, refundedAt: NOW, pendingRefund: null }

const CASES: readonly RowCase[] = [
  {
    from: '(create)',
    on: 'create',
    to: 'Pending',
    steps: [],
    ...unpaid,
    jobs: ['expireTransaction'],
    fields: { ...untouched, createdAt: NOW },
  },
  {
    from: 'Pending',
    on: 'confirm',
    to: 'Completed',
    steps: [],
    carries: { payer: { name: 'Ana Souza', document: '12345678909', bank: 'Banco Exemplo' } },
    ...sold,
    fields: {
      ...untouched,
      completedAt: NOW,
      unsettledAmount: 9_850,
      pix: expect.objectContaining({
        payerName: 'Ana Souza',
        payerDocument: '***456789**',
        payerBank: 'Banco Exemplo',
        endToEndId: expect.stringMatching(/^E99999999203001011201[0-9A-Za-z]{11}$/),
      }),
    },
  },
  {
    from: 'Pending',
    on: 'expire',
    to: 'Expired',
    steps: [],
    ...unpaid,
    fields: { ...untouched, failureReason: 'O prazo para pagamento terminou.' },
  },
  {
    from: 'Pending',
    on: 'fail',
    to: 'Failed',
    steps: [],
    carries: { reason: 'Conta encerrada.' },
    ...unpaid,
    fields: { ...untouched, failureReason: 'Conta encerrada.' },
  },
  {
    from: 'Pending',
    on: 'cancel',
    to: 'Cancelled',
    steps: [],
    carries: { reason: 'Pedido desfeito.' },
    ...unpaid,
    fields: { ...untouched, failureReason: 'Pedido desfeito.' },
  },
  {
    from: 'Expired',
    on: 'confirm',
    to: 'Completed',
    steps: [['expire']],
    ...sold,
    fields: { completedAt: NOW, failureReason: null, unsettledAmount: 9_850 },
  },
  {
    from: 'Completed',
    on: 'refund',
    to: 'Refunded',
    steps: [CONFIRM],
    ...gone,
    fields: { ...refunded, refundedAmount: 10_000, unsettledAmount: 0 },
  },
  {
    from: 'Completed',
    on: 'refund',
    to: 'PartiallyRefunded',
    steps: [CONFIRM],
    carries: { amount: 4_000 },
    ...partly,
    fields: { ...refunded, refundedAmount: 4_000, unsettledAmount: 5_910 },
  },
  {
    from: 'PartiallyRefunded',
    on: 'refund',
    to: 'Refunded',
    steps: [CONFIRM, PART],
    ...gone,
    fields: { ...refunded, refundedAmount: 10_000, unsettledAmount: 0 },
  },
  {
    // One cent more brings no further cent of the fee: floor(150 * 4001 / 10000) is still 60.
    from: 'PartiallyRefunded',
    on: 'refund',
    to: 'PartiallyRefunded',
    steps: [CONFIRM, PART],
    carries: { amount: 1 },
    ...partly,
    pending: 5_909,
    fields: { ...refunded, refundedAmount: 4_001, unsettledAmount: 5_909 },
  },
  {
    from: 'Completed',
    on: 'requestRefund',
    to: 'Processing',
    steps: [CONFIRM],
    carries: { amount: 2_500 },
    ...sold,
    fields: {
      ...paid,
      refundedAt: null,
      refundedAmount: 0,
      pendingRefund: { amount: 2_500, formerStatus: 'Completed' },
    },
  },
  {
    from: 'PartiallyRefunded',
    on: 'requestRefund',
    to: 'Processing',
    steps: [CONFIRM, PART],
    ...partly,
    fields: {
      ...paid,
      refundedAt: START,
      refundedAmount: 4_000,
      pendingRefund: { amount: 6_000, formerStatus: 'PartiallyRefunded' },
    },
  },
  {
    from: 'Processing',
    on: 'settleRefund',
    to: 'Refunded',
    steps: [CONFIRM, ['requestRefund']],
    ...gone,
    fields: { ...refunded, refundedAmount: 10_000 },
  },
  {
    // floor(150 * 2500 / 10000) = 37 of the fee come back; the merchant bears 2463.
    from: 'Processing',
    on: 'settleRefund',
    to: 'PartiallyRefunded',
    steps: [CONFIRM, ['requestRefund', { amount: 2_500 }]],
    pending: 7_387,
    gateway: 113,
    jobs: SETTLES,
    fields: { ...refunded, refundedAmount: 2_500 },
  },
  {
    from: 'Processing',
    on: 'rejectRefund',
    to: 'Completed',
    steps: [CONFIRM, ['requestRefund', { amount: 2_500 }]],
    carries: { reason: 'Conta do pagador encerrada.' },
    ...sold,
    fields: { ...paid, refundedAt: null, refundedAmount: 0, pendingRefund: null },
  },
  {
    from: 'Processing',
    on: 'rejectRefund',
    to: 'PartiallyRefunded',
    steps: [CONFIRM, PART, ['requestRefund']],
    ...partly,
    fields: { ...paid, refundedAt: START, refundedAmount: 4_000, pendingRefund: null },
  },
  {
    from: 'Completed',
    on: 'chargeBack',
    to: 'Refunded',
    steps: [CONFIRM],
    ...sold,
    fields: { ...refunded, refundedAmount: 10_000 },
  },
  {
    from: 'Completed',
    on: 'chargeBack',
    to: 'PartiallyRefunded',
    steps: [CONFIRM],
    carries: { amount: 3_000 },
    ...sold,
    fields: { ...refunded, refundedAmount: 3_000 },
  },
  {
    from: 'PartiallyRefunded',
    on: 'chargeBack',
    to: 'Refunded',
    steps: [CONFIRM, PART],
    ...partly,
    fields: { ...refunded, refundedAmount: 10_000 },
  },
  {
    from: 'PartiallyRefunded',
    on: 'chargeBack',
    to: 'PartiallyRefunded',
    steps: [CONFIRM, PART],
    carries: { amount: 5_999 },
    ...partly,
    fields: { ...refunded, refundedAmount: 9_999 },
  },
]

/** What nobody fires by hand. */
const BY_ITSELF: ReadonlySet<string> = new Set(['create', 'chargeBack'])

/** What a person may fire in a status, unless a knob or a dispute says otherwise. */
function allowedIn(status: string): string[] {
  const rows = TRANSACTIONS.filter(({ from, on }) => from === status && !BY_ITSELF.has(on))
  return status === 'Expired' ? [] : [...new Set(rows.map(({ on }) => on))]
}

/** Fires a row: as a person where one may, else as the gateway itself does. */
async function fireRow(
  sandbox: TestSandbox,
  { id }: Transaction,
  { on, carries }: RowCase,
): Promise<Fired | NotFired> {
  if (BY_ITSELF.has(on)) {
    return fire(sandbox.world, TRANSACTION_RULES, stored(sandbox, id), on, carries)
  }
  const { body } = await trigger(sandbox, id, on, carries)
  return body as Fired
}

/** The status that the payload of an event names. */
function statusIn(body: string): string {
  return (JSON.parse(body) as { data: { status: string } }).data.status
}

describe('firing every row of the transaction machine', () => {
  const keyOf = ({ from, on, to }: { from: string | null; on: string; to: string }): string =>
    `${from ?? '(create)'} ${on} ${to}`

  test('every row of the table has a case here, and every case its row', () => {
    expect(CASES.map(keyOf).toSorted()).toEqual(TRANSACTION_MACHINE.rows.map(keyOf).toSorted())
  })

  // proves: every row of transaction, every status of transaction, every event of payment
  test.each(CASES)('$on leads from $from to $to, after $steps', async (row) => {
    const sandbox = begin({ 'TX-23': { Pix: 1 }, 'TX-30': 'latePayer' })
    const { world } = sandbox
    const record = await reach(sandbox, row.steps)
    // Only a card would confirm by itself; what leads out of Pending must take that job along.
    if (row.from === 'Pending') {
      world.scheduler.schedule('confirmTransaction', record.id, later(world.clock.now(), DAY))
    }
    const creating = row.on === 'create'
    if (!creating) world.clock.moveTo(later(world.clock.now(), MINUTE))
    const at = creating ? START : '2030-01-01T12:01:00.000Z'
    const known = deliveriesOf(sandbox, record.id)
    const postings = world.state.postings.length
    const fired = creating ? null : await fireRow(sandbox, record, row)

    const line = present(
      TRANSACTIONS.find((each) => keyOf(each) === keyOf(row)),
      'a line of the table',
    )
    const after = stored(sandbox, record.id)
    const fields = Object.entries(row.fields).map(([name, value]) => [name, value === NOW ? at : value])
    expect(after).toMatchObject({ status: row.to, updatedAt: at, ...Object.fromEntries(fields) })
    expect(world.state.journal.at(-1)).toEqual({
      n: row.steps.length + (creating ? 1 : 2),
      at,
      machine: 'transaction',
      subject: record.id,
      from: creating ? null : row.from,
      on: row.on,
      to: row.to,
      reason: row.carries?.reason ?? null,
    })

    const made = deliveriesOf(sandbox, record.id).filter((id) => !known.includes(id))
    expect({ ...fired }).toMatchObject(creating ? {} : { from: row.from, to: row.to, deliveries: made })
    const sent = made.map((id) => present(world.state.deliveries[id], 'a delivery'))
    expect(sent.map(({ type, createdAt }) => [type, createdAt])).toEqual(
      line.event === '-' ? [] : [[line.event, at]],
    )
    expect(sent.map(({ body }) => statusIn(body))).toEqual(made.map(() => row.to))

    expect(jobsOf(sandbox, record.id).toSorted()).toEqual([...row.jobs].toSorted())
    const reasons = world.state.postings.slice(postings).map(({ subject, reason }) => [subject, reason])
    expect(reasons).toEqual(line.money === '-' ? [] : [[record.id, line.money]])
    expect(moneyOf(sandbox, record)).toEqual({
      available: 0,
      pending: row.pending,
      reserved: 0,
      payers: -row.pending - row.gateway || 0,
      gateway: row.gateway,
    })
    expect(world.books).toEqual(foldBooks(world.state.postings))
  })

  test('a new transaction expires by itself at its expiresAt, and only then', async () => {
    const sandbox = begin()
    const record = await reach(sandbox, [])
    await sandbox.control('POST', '/clock/advance', { by: '1799999ms' })
    expect(stored(sandbox, record.id).status).toBe('Pending')
    const { body } = await sandbox.control('POST', '/clock/advance', { by: '1ms' })
    expect(body.ran).toEqual([{ at: record.expiresAt, job: 'expireTransaction', subject: record.id }])
    expect(stored(sandbox, record.id)).toMatchObject({ status: 'Expired', updatedAt: record.expiresAt })
  })

  test('a confirmed transaction does not expire any more', async () => {
    const sandbox = begin()
    const record = await reach(sandbox, [CONFIRM])
    await sandbox.control('POST', '/clock/advance', { by: '31m' })
    expect(stored(sandbox, record.id).status).toBe('Completed')
  })

  test('money of a sale that waits becomes available without a status change, entry or event', async () => {
    const sandbox = begin({ 'TX-23': { Pix: 1 } })
    const record = await reach(sandbox, [CONFIRM, PART])
    const before = {
      journal: sandbox.world.state.journal.length,
      deliveries: deliveriesOf(sandbox, record.id),
    }
    const { body } = await sandbox.control('POST', '/clock/advance', { by: '1d' })
    expect(body.ran).toEqual([{ at: '2030-01-02T12:00:00.000Z', job: 'settleSale', subject: record.id }])
    expect(moneyOf(sandbox, record)).toMatchObject({ available: 5_910, pending: 0, gateway: 90 })
    expect(stored(sandbox, record.id)).toMatchObject({ status: 'PartiallyRefunded', unsettledAmount: 0 })
    expect(sandbox.world.state.journal).toHaveLength(before.journal)
    expect(deliveriesOf(sandbox, record.id)).toEqual(before.deliveries)
  })

  test('nobody hears of a transaction without a callbackUrl', async () => {
    const sandbox = begin()
    const { id } = await createPix(sandbox, { amount: AMOUNT })
    const { body } = await trigger(sandbox, id, 'confirm')
    expect(body.deliveries).toEqual([])
    expect(sandbox.world.state.deliveries).toEqual({})
  })

  test('triggers work on Production records too', async () => {
    const sandbox = begin()
    const token = await sandbox.token('pk_production_default')
    const { id } = await createPix({
      call: (method, path, body) => sandbox.send(method, path, { token, body }),
    })
    const { status, body } = await trigger(sandbox, id, 'confirm')
    expect([status, body.to, body.record.environment]).toEqual([200, 'Completed', 'Production'])
  })
})

const PAIRS = TRANSACTION_STATUSES.flatMap((status) =>
  TRANSACTION_TRIGGERS.filter((verb) => !allowedIn(status).includes(verb)).map((verb) => ({ status, verb })),
)

/** The one status that each action of simulate starts from, and where it leads. Source: TX-09. */
const SIMULATED = {
  complete: ['Pending', 'Completed'],
  expire: ['Pending', 'Expired'],
  fail: ['Pending', 'Failed'],
  refund: ['Completed', 'Refunded'],
} as const

const SIMULATIONS = TRANSACTION_STATUSES.flatMap((status) =>
  SIMULATE_ACTIONS.map((action) => ({ status, action })),
)

describe('refusing every other pair of status and trigger', () => {
  test('the pairs and the rows that a person may fire make up the whole matrix', () => {
    const fired = new Set(TRANSACTIONS.map(({ from, on }) => `${from} ${on}`))
    const byHand = [...fired].filter((pair) => !/create|chargeBack|^Expired/.test(pair))
    expect(PAIRS.length + byHand.length).toBe(TRANSACTION_STATUSES.length * TRANSACTION_TRIGGERS.length)
  })

  test.each(PAIRS)('$verb is refused in $status, naming what would fire', async ({ status, verb }) => {
    const sandbox = begin()
    const record = await reach(sandbox, WAYS[status])
    expect(record.status).toBe(status)
    const before = structuredClone(sandbox.world.state)
    const { status: code, body, headers } = await trigger(sandbox, record.id, verb)
    const allowed = allowedIn(status)
    expect([code, body.error.code]).toEqual([409, 'sandbox_trigger_refused'])
    expect(headers.get('x-sandbox-allowed')?.split(', ').filter(Boolean).toSorted()).toEqual(
      allowed.toSorted(),
    )
    for (const part of [verb, status, record.id, ...allowed]) expect(body.error.message).toContain(part)
    const { journal, transactions, postings, deliveries } = sandbox.world.state
    expect(journal).toEqual(before.journal)
    expect(transactions).toEqual(before.transactions)
    expect(postings).toEqual(before.postings)
    expect(Object.keys(deliveries)).toEqual(Object.keys(before.deliveries))
  })

  test.each(SIMULATIONS)('simulate answers $action in $status as TX-09 says', async ({ status, action }) => {
    const sandbox = begin()
    const record = await reach(sandbox, WAYS[status])
    const path = `/v1/transactions/${record.id}/simulate`
    const answered = await sandbox.call('POST', path, { action })
    const [from, to] = SIMULATED[action]
    const expected =
      status === from
        ? { status: 200, body: { data: { id: record.id, status: to, simulatedAction: action }, error: null } }
        : { status: 400, body: { data: null, error: { code: 'invalid_status' } } }
    expect(answered).toMatchObject(expected)
    expect(stored(sandbox, record.id).status).toBe(status === from ? to : status)
  })
})
