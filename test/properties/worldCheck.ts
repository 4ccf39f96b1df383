// Owns what must hold in a world after any call: money, history, jobs, deliveries and look-ups fit together.
import { expect } from 'vitest'
import { foldBooks } from '../../src/domain/books.ts'
import { buildIndexes, customerTexts } from '../../src/domain/indexes.ts'
import { createReckoning, leftIn } from './reckoning.ts'
import { CALLERS } from './calls.ts'
import type { Cashout, Dispute, Scope, Transaction } from '../../src/domain/records.ts'
import type { WorldState } from '../../src/domain/state.ts'
import type { JournalEntry } from '../../src/domain/trail.ts'
import type { RunningWorld } from '../../src/world/runningWorld.ts'
import type { TestSandbox } from '../support/sandbox.ts'
import type { Caller } from './calls.ts'
import type { Knobs, Reckoning } from './reckoning.ts'

/** Statuses that nothing leaves. */
const FINAL: Record<string, readonly string[]> = {
  transaction: ['Expired', 'Failed', 'Cancelled', 'Refunded'],
  cashout: ['Completed', 'Failed', 'Rejected', 'Cancelled'],
  dispute: ['Won', 'Lost', 'Expired', 'Cancelled'],
}

/** Triggers that tell nobody. */
const SILENT: ReadonlySet<string> = new Set(['create', 'rejectRefund', 'process'])

/** The event of a status that was reached. */
const EVENT_OF: Record<string, Record<string, string>> = {
  transaction: {
    Completed: 'payment.completed',
    Expired: 'payment.expired',
    Failed: 'payment.failed',
    Cancelled: 'payment.cancelled',
    Refunded: 'payment.refunded',
    PartiallyRefunded: 'payment.partially_refunded',
    Processing: 'payment.refund_requested',
  },
  cashout: {
    Completed: 'cashout.completed',
    Failed: 'cashout.failed',
    Rejected: 'cashout.rejected',
    Cancelled: 'cashout.cancelled',
  },
  dispute: {},
}

/** Checks a world after each request. */
export interface WorldCheck {
  (knobs: Knobs, tokenOf: (by: Caller) => Promise<string>): Promise<void>
  /** What a caller could withdraw at the last check. */
  balanceOf(by: Caller): number
}

/** A check that remembers what it saw of a sandbox. */
export function createWorldCheck(sandbox: TestSandbox): WorldCheck {
  const { world } = sandbox
  const reckoning = createReckoning()
  const scopes = scopesOf(world)

  async function check(knobs: Knobs, tokenOf: (by: Caller) => Promise<string>): Promise<void> {
    const { state } = world
    reckoning.follow(state, knobs)
    expect(world.books).toEqual(foldBooks(state.postings))
    for (const record of Object.values(state.transactions)) checkTransaction(world, record, reckoning)
    for (const cashout of Object.values(state.cashouts)) checkCashout(cashout)
    for (const dispute of Object.values(state.disputes)) checkDispute(world, dispute)
    checkHistories(state)
    checkDeliveries(world)
    const rebuilt = buildIndexes(state)
    if (world.indexes.customerTexts) customerTexts(rebuilt)
    expect(world.indexes).toEqual(rebuilt)
    for (const by of CALLERS) {
      const { body } = await sandbox.send('GET', '/v1/balance', { token: await tokenOf(by) })
      checkBalance(state, scopes[by], body.data, reckoning)
    }
    await checkAllBalances(sandbox, reckoning)
    expect(sandbox.defects).toEqual([])
  }

  return Object.assign(check, {
    balanceOf: (by: Caller) => Math.max(0, accountsOf(reckoning, scopes[by]).available),
  })
}

function scopesOf(world: RunningWorld): Record<Caller, Scope> {
  const scopeOf = (by: Caller): Scope => {
    const credential = world.state.credentials[world.origin.keys[by].publicKey]
    if (!credential) throw new Error(`no key of ${by}`)
    return { organizationId: credential.organizationId, environment: credential.environment }
  }
  return {
    sandbox: scopeOf('sandbox'),
    production: scopeOf('production'),
    receiver: scopeOf('receiver'),
  }
}

function accountsOf({ balances }: Reckoning, { organizationId, environment }: Scope) {
  const of = (name: string): number => balances.get(`${name}:${organizationId}:${environment}`) ?? 0
  const [available, pending, reserved] = [of('available'), of('pending'), of('reserved')]
  return { available, pending, reserved, total: available + pending + reserved }
}

function sum(values: readonly number[]): number {
  return values.reduce((all, each) => all + each, 0)
}

/** The answer of the balance endpoint against the reckoning and the records. */
function checkBalance(
  state: WorldState,
  scope: Scope,
  { balance, totals }: { balance: Record<string, unknown>; totals: unknown },
  reckoning: Reckoning,
): void {
  const accounts = accountsOf(reckoning, scope)
  expect(balance).toMatchObject({ ...accounts, withdrawNowAvailable: Math.max(0, accounts.available) })
  const isMine = ({ organizationId, environment }: Scope): boolean =>
    organizationId === scope.organizationId && environment === scope.environment
  const transactions = Object.values(state.transactions).filter(isMine)
  const cashouts = Object.values(state.cashouts).filter(isMine)
  const disputes = Object.values(state.disputes).filter(isMine)
  expect(accounts.pending).toBe(sum(transactions.map(({ unsettledAmount }) => unsettledAmount)))
  const open = cashouts.filter(({ status }) => status === 'Pending' || status === 'Processing')
  expect(accounts.reserved).toBe(
    sum([...open.map(({ amount }) => amount), ...disputes.map(({ heldAmount }) => heldAmount)]),
  )
  const given = transactions.flatMap(({ id }) => {
    const sale = reckoning.sales.get(id)
    return sale ? [sale.refunded + sale.chargedBack + sale.stayed] : []
  })
  expect(totals).toEqual({
    lifetimeVolume: sum(
      transactions.filter(({ completedAt }) => completedAt !== null).map(({ amount }) => amount),
    ),
    lifetimePayouts: sum(cashouts.filter(({ status }) => status === 'Completed').map(({ amount }) => amount)),
    lifetimeRefunds: sum(given),
  })
}

/** Every organisation in both environments, through the control API. */
async function checkAllBalances(sandbox: TestSandbox, reckoning: Reckoning): Promise<void> {
  const { body } = await sandbox.control('GET', '/balances')
  expect(body.items).toHaveLength(4)
  for (const { organizationId, environment, ...accounts } of body.items) {
    expect(accounts).toEqual(accountsOf(reckoning, { organizationId, environment }))
  }
}

function checkTransaction(world: RunningWorld, record: Transaction, { sales }: Reckoning): void {
  const { id, amount, fee, netAmount, status, splits, refundedAmount } = record
  expect(netAmount).toBe(amount - fee)
  const sale = sales.get(id)
  if (!sale) throw new Error(`nobody made ${id}`)
  expect(refundedAmount, 'refunded').toBe(sale.refunded + sale.chargedBack)
  expect(record.unsettledAmount, 'unsettled').toBe(sale.unsettled)
  const left = leftIn(record)
  expect(left).toBeGreaterThanOrEqual(0)
  expect(left === 0, 'Refunded exactly when nothing is left').toBe(status === 'Refunded')
  if (status === 'Completed' || status === 'PartiallyRefunded') {
    expect(status === 'PartiallyRefunded', 'PartiallyRefunded once something came back').toBe(
      refundedAmount > 0,
    )
  }
  const isSold = ['Completed', 'Processing', 'PartiallyRefunded', 'Refunded'].includes(status)
  expect(record.completedAt !== null).toBe(isSold)
  expect(record.refundedAt !== null).toBe(refundedAmount > 0)
  expect(record.pendingRefund !== null).toBe(status === 'Processing')
  expect(record.failureReason !== null).toBe(['Expired', 'Failed', 'Cancelled'].includes(status))
  expect(sale.feeBack).toBeLessThanOrEqual(fee)
  const shares = splits.map(({ shareAmount }) => shareAmount)
  for (const [index, back] of sale.sharesBack.entries()) {
    expect(back).toBeGreaterThanOrEqual(0)
    expect(back).toBeLessThanOrEqual(shares[index] ?? 0)
  }
  if (status === 'Refunded' && sale.chargedBack === 0) {
    expect(sale.sharesBack).toEqual(shares)
    expect(sale.feeReturned ? sale.feeBack : fee).toBe(fee)
    expect(sale.unsettled + sale.refunded).toBe(amount)
  }
  const { scheduler } = world
  const dueAt = scheduler.find('expireTransaction', id)?.dueAt ?? null
  expect(dueAt, 'job to expire').toBe(status === 'Pending' ? Date.parse(record.expiresAt) : null)
  expect(scheduler.find('confirmTransaction', id)).toBeNull()
  const settlesAt = sale.settlesAt === null ? null : Date.parse(sale.settlesAt)
  const settles = scheduler.find('settleSale', id)?.dueAt ?? null
  // A job outlives the money that it waited for when all of that was refunded, held or taken as fee; it then moves nothing.
  expect(sale.unsettled > 0 ? [settlesAt] : [null], 'job to settle').toContain(settles)
}

function checkCashout({ amount, fee, netAmount, status, ...cashout }: Cashout): void {
  expect(netAmount).toBe(amount - fee)
  expect(netAmount).toBeGreaterThan(0)
  expect(cashout.completedAt !== null).toBe(status === 'Completed')
  expect(cashout.endToEndId !== null).toBe(status === 'Completed')
  expect(cashout.failureReason !== null).toBe(['Failed', 'Rejected', 'Cancelled'].includes(status))
}

function checkDispute(world: RunningWorld, dispute: Dispute): void {
  const { id, status, holdAmount, heldAmount, holdState, responseDeadline, responseText } = dispute
  const isOpen = ['Open', 'MerchantResponded', 'UnderReview'].includes(status)
  expect(dispute.closedAt === null).toBe(isOpen)
  expect(heldAmount).toBe(isOpen ? holdAmount : 0)
  expect(holdState === 'Held').toBe(isOpen && holdAmount > 0)
  expect(dispute.holdReleasedAt !== null).toBe(holdState === 'Released')
  expect(dispute.holdDebitedAt !== null).toBe(holdState === 'Debited')
  if (status === 'Won' || status === 'Cancelled') {
    expect(holdState).toBe(holdAmount > 0 ? 'Released' : 'None')
  }
  expect((responseText === null) === (dispute.respondedAt === null)).toBe(true)
  const waits = status === 'Open' && responseDeadline !== null && responseText === null
  const dueAt = world.scheduler.find('lapseDispute', id)?.dueAt ?? null
  expect(dueAt, 'job to lapse').toBe(waits ? Date.parse(responseDeadline) : null)
}

/** The journal of every record is one unbroken chain that ends where the record stands; nothing leaves a final status. */
function checkHistories({ journal, transactions, cashouts, disputes, deliveries }: WorldState): void {
  const bySubject = bySubjectOf(journal)
  const sent = bySubjectOf(Object.values(deliveries))
  const records = [
    ...Object.values(transactions),
    ...Object.values(cashouts),
    ...Object.values(disputes).map((dispute) => ({ ...dispute, callbackUrl: null })),
  ]
  expect(bySubject.size).toBe(records.length)
  for (const { id, status, callbackUrl } of records) {
    const entries = bySubject.get(id) ?? []
    expect(entries.at(-1)?.to, id).toBe(status)
    expect(entries.map(({ from }) => from)).toEqual([null, ...entries.slice(0, -1).map(({ to }) => to)])
    for (const { machine, from } of entries) expect(FINAL[machine]).not.toContain(from)
    const emitted = callbackUrl === null ? [] : entries.flatMap(eventOf)
    const made = sent.get(id) ?? []
    expect(made.map(({ type }) => type)).toEqual(emitted)
    expect(made.every(({ url }) => url === callbackUrl)).toBe(true)
  }
}

function bySubjectOf<T extends { subject: string }>(entries: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const entry of entries) {
    const group = groups.get(entry.subject)
    if (group) group.push(entry)
    else groups.set(entry.subject, [entry])
  }
  return groups
}

function eventOf({ machine, on, to }: JournalEntry): string[] {
  const event = SILENT.has(on) ? undefined : EVENT_OF[machine]?.[to]
  return event === undefined ? [] : [event]
}

/** Settled: what was delivered or given up waits for nothing, the rest for its next attempt. */
function checkDeliveries({ state, scheduler, clock }: RunningWorld): void {
  for (const { id, status, nextAttemptAt } of Object.values(state.deliveries)) {
    expect(['scheduled', 'delivered', 'exhausted']).toContain(status)
    const dueAt = scheduler.find('attemptDelivery', id)?.dueAt ?? null
    expect(dueAt).toBe(status === 'scheduled' ? Date.parse(nextAttemptAt ?? '') : null)
    if (dueAt !== null) expect(dueAt).toBeGreaterThan(clock.now())
  }
}
