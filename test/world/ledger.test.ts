// Owns the proof that money, journal, jobs and deliveries fit together after any triggers, fees and knobs.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldBooks, merchantAccount } from '../../src/domain/books.ts'
import { TRANSACTION_MACHINE } from '../../src/domain/transactionMachine.ts'
import { createPix, openSandbox } from '../support/sandbox.ts'
import { advance, choose, untilEnd } from '../webhooks/byHand.ts'
import { openSteadyReceiver } from './commands.ts'
import type { JournalEntry, Posting } from '../../src/domain/trail.ts'
import type { Transaction } from '../../src/domain/records.ts'
import type { TransactionTrigger } from '../../src/domain/transactionMachine.ts'
import type { RunningWorld } from '../../src/world/runningWorld.ts'
import type { TestSandbox } from '../support/sandbox.ts'

type Step =
  | { do: 'create'; amount: number; hook: boolean }
  | { do: 'fire'; nth: number; trigger: TransactionTrigger; amount: number | null }
  | { do: 'advance'; by: string }
  | { do: 'choose'; silences: Record<string, unknown> }

/** Triggers that may be fired by hand, with the way to a sale and its refunds taken often. */
const TRIGGERS = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom<TransactionTrigger>('confirm', 'refund') },
  {
    weight: 2,
    arbitrary: fc.constantFrom<TransactionTrigger>('requestRefund', 'settleRefund', 'rejectRefund'),
  },
  { weight: 1, arbitrary: fc.constantFrom<TransactionTrigger>('expire', 'fail', 'cancel') },
)

const amount = fc.oneof(fc.integer({ min: 100, max: 300 }), fc.integer({ min: 100, max: 9_999_999_999 }))
const fee = fc.record({
  bps: fc.constantFrom(0, 1, 150, 333, 9_999, 10_000),
  fixed: fc.constantFrom(0, 1, 7, 99, 1_000_000),
})

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('create'), amount, hook: fc.boolean() }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('fire'),
      nth: fc.nat(6),
      trigger: TRIGGERS,
      amount: fc.option(fc.oneof(fc.integer({ min: 0, max: 300 }), amount)),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('advance'), by: fc.constantFrom('1s', '31m', '1d', '40d') }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('choose'),
      silences: fc.oneof(
        fc.record({ 'TX-08': fc.record({ Pix: fee }) }),
        fc.record({ 'TX-23': fc.record({ Pix: fc.nat(2) }) }),
        fc.record({ 'TX-29': fc.constantFrom('feeReturned', 'feeKept') }),
        fc.record({ 'TX-30': fc.constantFrom('never', 'latePayer') }),
      ),
    }),
  },
)

async function take(sandbox: TestSandbox, ids: string[], one: Step, callbackUrl: string): Promise<void> {
  switch (one.do) {
    case 'create':
      ids.push((await createPix(sandbox, { amount: one.amount, ...(one.hook ? { callbackUrl } : {}) })).id)
      break
    case 'fire': {
      const on = ids[one.nth % Math.max(ids.length, 1)] ?? 'none'
      const part = one.amount !== null && /refund$/i.test(one.trigger) ? { amount: one.amount } : {}
      await fired(sandbox, on, one.trigger, part)
      break
    }
    case 'advance':
      await advance(sandbox, one.by)
      break
    case 'choose':
      await choose(sandbox, one.silences)
      break
    default:
      one satisfies never
  }
}

/** Fires a trigger; a refusal must leave everything as it was. */
async function fired(sandbox: TestSandbox, on: string, trigger: string, part: object): Promise<void> {
  const { journal, postings, deliveries } = sandbox.world.state
  const counts = (): number[] => [journal.length, postings.length, Object.keys(deliveries).length]
  const before = counts()
  const record = JSON.stringify(sandbox.world.state.transactions[on])
  const { status, body } = await sandbox.control('POST', '/trigger', { on, do: trigger, ...part })
  if (status === 200) return
  expect([400, 404, 409]).toContain(status)
  expect(counts(), body.error.message).toEqual(before)
  expect(JSON.stringify(sandbox.world.state.transactions[on])).toBe(record)
}

/** What a transaction's postings moved in and out of an account. */
function movedBy({ state }: RunningWorld, id: string, prefix: string): number {
  let sum = 0
  for (const { subject, lines } of state.postings) {
    if (subject !== id) continue
    for (const { account, amount: cents } of lines) if (account.startsWith(prefix)) sum += cents
  }
  return sum
}

function checkMoney({ state, books, clock }: RunningWorld): void {
  const { balances } = books
  for (const [index, posting] of state.postings.entries()) {
    const { n, lines, at }: Posting = posting
    const sum = lines.reduce((total, line) => total + line.amount, 0)
    expect([n, sum], JSON.stringify(posting)).toEqual([index + 1, 0])
    expect(lines.every((line) => line.amount !== 0)).toBe(true)
    expect(Date.parse(at)).toBeLessThanOrEqual(clock.now())
  }
  expect(books).toEqual(foldBooks(state.postings))
  for (const [account, cents] of balances) {
    if (cents < 0) expect(account).toMatch(/^(?:available|payers):/)
  }
  expect([...balances.values()].reduce((total: number, cents) => total + cents, 0)).toBe(0)
}

function checkTransaction(world: RunningWorld, record: Transaction): void {
  const { id, amount: whole, fee: taken, netAmount, status, refundedAmount, unsettledAmount } = record
  expect(netAmount).toBe(whole - taken)
  expect(taken).toBeGreaterThanOrEqual(0)
  expect(taken).toBeLessThanOrEqual(whole)
  const left = whole - refundedAmount
  const refunds = { Refunded: left === 0, PartiallyRefunded: left > 0 && refundedAmount > 0 }
  if (status === 'Refunded' || status === 'PartiallyRefunded') expect(refunds[status]).toBe(true)
  const sold = record.completedAt !== null
  expect(sold).toBe(['Completed', 'Processing', 'PartiallyRefunded', 'Refunded'].includes(status))
  expect(record.pendingRefund === null).toBe(status !== 'Processing')
  expect(record.refundedAt === null).toBe(refundedAmount === 0)
  expect(record.failureReason === null).toBe(!['Expired', 'Failed', 'Cancelled'].includes(status))
  expect(movedBy(world, id, 'payers:') + (sold ? left : 0)).toBe(0)
  expect(movedBy(world, id, 'pending:')).toBe(unsettledAmount)
  expect(movedBy(world, id, 'gateway:')).toBeGreaterThanOrEqual(0)
  expect(movedBy(world, id, 'gateway:')).toBeLessThanOrEqual(taken)
  if (unsettledAmount > 0) expect(world.scheduler.find('settleSale', id)).not.toBeNull()
  expect(world.scheduler.find('expireTransaction', id) !== null).toBe(status === 'Pending')
}

function checkHistory({ state }: RunningWorld, { id, status, callbackUrl }: Transaction): void {
  const entries = state.journal.filter(({ subject }) => subject === id)
  expect(entries.at(-1)?.to).toBe(status)
  expect(entries.map(({ from }) => from)).toEqual([null, ...entries.slice(0, -1).map(({ to }) => to)])
  const emitted = callbackUrl === null ? [] : entries.flatMap(eventsOf)
  const made = Object.values(state.deliveries).filter(({ subject }) => subject === id)
  expect(made.map(({ type }) => type)).toEqual(emitted)
  expect(made.every(({ url }) => url === callbackUrl)).toBe(true)
}

/** The events of the row that a journal entry is the record of. */
function eventsOf({ from, on, to }: JournalEntry): string[] {
  const rows = TRANSACTION_MACHINE.rows.filter((row) => row.from === from && row.on === on && row.to === to)
  expect(rows).toHaveLength(1)
  return rows.flatMap(({ effects }) =>
    effects.flatMap((effect) => (effect.do === 'emit' ? [effect.event] : [])),
  )
}

function check(world: RunningWorld): void {
  checkMoney(world)
  const all = Object.values(world.state.transactions)
  for (const record of all) {
    checkTransaction(world, record)
    checkHistory(world, record)
  }
  for (const organizationId of Object.keys(world.state.organizations)) {
    const scope = { organizationId, environment: 'Sandbox' as const }
    const waiting = all
      .filter((record) => record.organizationId === organizationId)
      .reduce((sum, { unsettledAmount }) => sum + unsettledAmount, 0)
    expect(world.books.balances.get(merchantAccount(scope, 'pending')) ?? 0).toBe(waiting)
  }
}

test('after any calls every posting balances, and status, journal, jobs and deliveries agree', async () => {
  const receiver = untilEnd(await openSteadyReceiver())
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      const sandbox = openSandbox({ silences: { 'AU-13': 'off' } })
      try {
        const ids: string[] = []
        const call: TestSandbox['call'] = async (method, path, body) =>
          sandbox.send(method, path, { token: await sandbox.token(), body })
        for (const one of steps) {
          await take({ ...sandbox, call }, ids, one, receiver.url)
          check(sandbox.world)
        }
        await sandbox.control('POST', '/clock/advance', { by: '60d' })
        check(sandbox.world)
        for (const { unsettledAmount } of Object.values(sandbox.world.state.transactions)) {
          expect(unsettledAmount).toBe(0)
        }
        expect(sandbox.defects).toEqual([])
      } finally {
        sandbox.close()
      }
    }),
    { numRuns: 60 },
  )
}, 60_000)

test('a sale that is refunded in any parts leaves no cent anywhere', async () => {
  await fc.assert(
    fc.asyncProperty(
      amount,
      fee,
      fc.array(fc.integer({ min: 1, max: 9_999 }), { maxLength: 8 }),
      fc.nat(2),
      async (whole, chosen, parts, days) => {
        const silences = { 'TX-08': { Pix: chosen }, 'TX-23': { Pix: days } }
        const sandbox = openSandbox()
        try {
          await choose(sandbox, silences)
          const { id } = await createPix(sandbox, { amount: whole })
          await sandbox.control('POST', '/trigger', { on: id, do: 'confirm' })
          for (const part of parts) {
            const what = part % 2 === 0 ? ['refund'] : ['requestRefund', 'settleRefund']
            for (const [index, trigger] of what.entries()) {
              await fired(sandbox, id, trigger, index === 0 ? { amount: part } : {})
            }
            if (part % 3 === 0) await sandbox.control('POST', '/clock/advance', { by: '1d' })
            check(sandbox.world)
          }
          await fired(sandbox, id, 'refund', {})
          expect(sandbox.world.state.transactions[id]?.status).toBe('Refunded')
          expect([...sandbox.world.books.balances.values()].every((cents) => cents === 0)).toBe(true)
        } finally {
          sandbox.close()
        }
      },
    ),
    { numRuns: 60 },
  )
}, 60_000)

test('a gateway that keeps its fee keeps exactly that, and available goes below zero by it', async () => {
  const sandbox = untilEnd(openSandbox({ silences: { 'TX-29': 'feeKept' } }))
  const { id } = await createPix(sandbox, { amount: 10_000 })
  for (const [trigger, part] of [
    ['confirm', {}],
    ['refund', { amount: 3_333 }],
    ['refund', {}],
  ] as const) {
    await fired(sandbox, id, trigger, part)
    check(sandbox.world)
  }
  const shown = Object.fromEntries(
    [...sandbox.world.books.balances].map(([account, cents]) => [account.split(':')[0], cents]),
  )
  expect(shown).toMatchObject({ payers: 0, gateway: 150, available: -150 })
})
