// Owns the model's machines: what each trigger does to a record, or why it does nothing.
import { addJob, cancelJob, emit } from './jobs.ts'
import * as money from './money.ts'
import type { Contest, Kind, Life, Payout, Sale } from './world.ts'

/** Why a trigger did nothing: no way leads from the status, something forbids it, or the amount is none. */
export type Why = 'status' | 'guard' | 'amount'

/** Triggers that nobody fires by hand. */
export const BY_THEMSELVES: ReadonlySet<string> = new Set(['create', 'chargeBack', 'open', 'addEvidence'])

const OPEN = ['Open', 'MerchantResponded', 'UnderReview']
const REFUNDABLE: ReadonlySet<string> = new Set(['Completed', 'PartiallyRefunded'])

/** The record at a place, and the word for it in jobs and movements. */
function subjectOf(kind: Kind | 'deliveries', place: number): string {
  return `${kind}/${place}`
}

/** Whether a dispute on a transaction is open. */
export function isDisputed({ disputes }: Life, sale: number): boolean {
  return disputes.some((each) => each.sale === sale && OPEN.includes(each.status))
}

/** Fires a trigger of any machine on a record. */
export function fire(
  life: Life,
  kind: Kind,
  place: number,
  on: string,
  sent: { amount?: number | undefined } = {},
): Why | null {
  switch (kind) {
    case 'transactions':
      return fireSale(life, place, on, sent.amount)
    case 'cashouts':
      return firePayout(life, place, on)
    case 'disputes':
      return fireContest(life, place, on)
    default:
      return kind satisfies never
  }
}

function go(life: Life, kind: Kind, place: number, on: string, to: string): void {
  const record = life[kind][place]
  if (!record) throw new Error(`the model has no ${kind} ${place}`)
  life.journal.push({ kind, place, from: on === 'create' || on === 'open' ? null : record.status, on, to })
  record.status = to
}

/** A new transaction waits to be paid. */
export function createSale(life: Life, place: number): void {
  const sale = life.transactions[place] as Sale
  go(life, 'transactions', place, 'create', 'Pending')
  addJob(life, 'expireTransaction', subjectOf('transactions', place), sale.expiresAt)
}

function fireSale(life: Life, place: number, on: string, sent: number | undefined): Why | null {
  const sale = life.transactions[place] as Sale
  const left = sale.amount - sale.refunded
  const amount = (on === 'settleRefund' ? sale.asked?.amount : undefined) ?? sent ?? left
  const isAmount = Number.isSafeInteger(amount) && amount >= 1 && amount <= left
  const end: Record<string, [to: string, event: string]> = {
    expire: ['Expired', 'payment.expired'],
    fail: ['Failed', 'payment.failed'],
    cancel: ['Cancelled', 'payment.cancelled'],
  }
  const ending = end[on]
  if (ending) {
    if (sale.status !== 'Pending') return 'status'
    cancelJob(life, 'expireTransaction', subjectOf('transactions', place))
    go(life, 'transactions', place, on, ending[0])
    emit(life, ending[1], 'transactions', place)
    return null
  }
  switch (on) {
    case 'confirm':
      return confirm(life, place)
    case 'refund':
    case 'requestRefund':
      if (!REFUNDABLE.has(sale.status)) return 'status'
      if (!isAmount) return 'amount'
      if (isDisputed(life, place)) return 'guard'
      if (on === 'refund') refund(life, place, on, amount)
      else {
        sale.asked = { amount, former: sale.status }
        go(life, 'transactions', place, on, 'Processing')
        emit(life, 'payment.refund_requested', 'transactions', place)
      }
      return null
    case 'settleRefund':
      if (sale.status !== 'Processing') return 'status'
      sale.asked = null
      refund(life, place, on, amount)
      return null
    case 'rejectRefund':
      if (sale.status !== 'Processing' || !sale.asked) return 'status'
      go(life, 'transactions', place, on, sale.asked.former)
      sale.asked = null
      return null
    default:
      throw new Error(`the model has no trigger ${on}`)
  }
}

function confirm(life: Life, place: number): Why | null {
  const sale = life.transactions[place] as Sale
  const isLate = sale.status === 'Expired' && sale.method === 'Pix'
  if (isLate && life.knobs['TX-30'] === 'never') return 'guard'
  if (sale.status === 'Expired' && !isLate) return 'guard'
  if (sale.status !== 'Pending' && !isLate) return 'status'
  const subject = subjectOf('transactions', place)
  cancelJob(life, 'expireTransaction', subject)
  go(life, 'transactions', place, 'confirm', 'Completed')
  sale.completedAt = life.now
  const settlesAt = money.sell(life, sale, subject)
  if (settlesAt !== null) addJob(life, 'settleSale', subject, settlesAt)
  emit(life, 'payment.completed', 'transactions', place)
  return null
}

/** What is left decides whether a transaction is refunded in whole or in part. */
function refund(life: Life, place: number, on: string, amount: number): void {
  const sale = life.transactions[place] as Sale
  const subject = subjectOf('transactions', place)
  const isWhole = amount === sale.amount - sale.refunded
  go(life, 'transactions', place, on, isWhole ? 'Refunded' : 'PartiallyRefunded')
  if (on === 'chargeBack') sale.refunded += amount
  else {
    money.giveBack(life, sale, subject, amount)
    if (sale.unsettled === 0) cancelJob(life, 'settleSale', subject)
  }
  sale.refundedAt = life.now
  emit(life, isWhole ? 'payment.refunded' : 'payment.partially_refunded', 'transactions', place)
}

/** A new cashout reserves its amount. */
export function createPayout(life: Life, place: number): void {
  go(life, 'cashouts', place, 'create', 'Pending')
  money.withdraw(life, life.cashouts[place] as Payout, subjectOf('cashouts', place), 'reserve')
}

function firePayout(life: Life, place: number, on: string): Why | null {
  const payout = life.cashouts[place] as Payout
  const ways: Record<string, [from: readonly string[], to: string]> = {
    process: [['Pending'], 'Processing'],
    complete: [['Pending', 'Processing'], 'Completed'],
    fail: [['Pending', 'Processing'], 'Failed'],
    reject: [['Pending'], 'Rejected'],
    cancel: [['Pending'], 'Cancelled'],
  }
  const [from, to] = ways[on] ?? [[], '']
  if (!from.includes(payout.status)) return 'status'
  go(life, 'cashouts', place, on, to)
  if (on === 'process') return null
  if (on === 'complete') payout.completedAt = life.now
  money.withdraw(life, payout, subjectOf('cashouts', place), on === 'complete' ? 'payOut' : 'giveBack')
  emit(life, `cashout.${to.toLowerCase()}`, 'cashouts', place)
  return null
}

/** A new dispute holds what it can, and waits for a response. */
export function createContest(life: Life, place: number): void {
  const contest = life.disputes[place] as Contest
  const subject = subjectOf('disputes', place)
  const sale = life.transactions[contest.sale] as Sale
  go(life, 'disputes', place, 'open', 'Open')
  contest.version += 1
  money.hold(life, contest, sale, subject)
  if (sale.unsettled === 0) cancelJob(life, 'settleSale', subjectOf('transactions', contest.sale))
  if (contest.deadline !== null) addJob(life, 'lapseDispute', subject, contest.deadline)
  emit(life, 'dispute.opened', 'disputes', place)
}

/** Whether a dispute takes an answer: yes, too late, or no more. */
export function takesAnswer({ now }: Life, { status, deadline }: Contest): Why | null {
  if (status !== 'Open' && status !== 'MerchantResponded') return 'status'
  return deadline === null || now < deadline ? null : 'guard'
}

/** A file is attached to a dispute that takes answers. */
export function attach(life: Life, place: number): void {
  const contest = life.disputes[place] as Contest
  contest.files += 1
  contest.version += 1
  go(life, 'disputes', place, 'addEvidence', contest.status)
}

function fireContest(life: Life, place: number, on: string): Why | null {
  const contest = life.disputes[place] as Contest
  const subject = subjectOf('disputes', place)
  const { status } = contest
  const ends: Record<string, [from: readonly string[], to: string]> = {
    lapse: [['Open'], 'Expired'],
    win: [['MerchantResponded', 'UnderReview'], 'Won'],
    lose: [['MerchantResponded', 'UnderReview'], 'Lost'],
    cancel: [OPEN, 'Cancelled'],
  }
  if (on === 'respond') {
    const why = takesAnswer(life, contest)
    if (why) return why
    contest.responded = true
    contest.version += 1
    if (status === 'Open') cancelJob(life, 'lapseDispute', subject)
    const moves = status === 'MerchantResponded' || life.knobs['DI-02'] === 'MerchantResponded'
    go(life, 'disputes', place, on, moves ? 'MerchantResponded' : 'Open')
    emit(life, 'dispute.responded', 'disputes', place)
    return null
  }
  if (on === 'review') {
    if (status !== 'Open' && status !== 'MerchantResponded') return 'status'
    cancelJob(life, 'lapseDispute', subject)
    contest.version += 1
    go(life, 'disputes', place, on, 'UnderReview')
    emit(life, 'dispute.under_review', 'disputes', place)
    return null
  }
  const [from, to] = ends[on] ?? [[], '']
  if (!from.includes(status)) return 'status'
  cancelJob(life, 'lapseDispute', subject)
  contest.version += 1
  go(life, 'disputes', place, on, to)
  if (on === 'win' || on === 'cancel') money.release(life, contest, subject)
  else lose(life, contest, subject)
  emit(life, `dispute.${to.toLowerCase()}`, 'disputes', place)
  return null
}

function lose(life: Life, contest: Contest, subject: string): void {
  const paid = money.debit(life, contest, subject)
  if (paid > 0 && life.knobs['DI-10'] === 'refunded') refund(life, contest.sale, 'chargeBack', paid)
}
