// Owns the books: accounts, and everything that is folded from postings. Kept up to date with each, never stored.
import { cents, sumCents } from '../kernel/brands.ts'
import { dayOf } from '../kernel/calendar.ts'
import { fromTimestamp } from '../kernel/time.ts'
import { scopeKey } from './indexes.ts'
import type { Environment } from '../contract/enums.ts'
import type { Cents, Timestamp } from '../kernel/brands.ts'
import type { CalendarDay } from '../kernel/calendar.ts'
import type { Scope } from './records.ts'
import type { Posting, PostingLine } from './trail.ts'

/** The parts of a merchant's account. Only `available` may be below zero. */
export const BUCKETS = ['available', 'pending', 'reserved'] as const
/** A part of a merchant's account. */
export type Bucket = (typeof BUCKETS)[number]

/** What a merchant has sold, withdrawn and given back so far, in cents. */
export interface Totals {
  volume: Cents
  payouts: Cents
  refunds: Cents
  /** Volume by the calendar day of completion. */
  volumeByDay: Map<CalendarDay, Cents>
}

/** Everything that follows from the postings; kept up to date with each, never stored. */
export interface Books {
  /** Balance of every account. */
  balances: Map<string, Cents>
  /** When each account moved last. */
  movedAt: Map<string, Timestamp>
  /** Totals by the key of a scope. */
  totals: Map<string, Totals>
}

/** The account of a merchant, by scope and bucket. */
export function merchantAccount({ organizationId, environment }: Scope, bucket: Bucket): string {
  return `${bucket}:${organizationId}:${environment}`
}

/** An account outside of the merchants: who pays, who is paid, what the gateway earns, and where test money comes from. */
export function outsideAccount(
  name: 'payers' | 'bank' | 'gateway' | 'funding',
  environment: Environment,
): string {
  return `${name}:${environment}`
}

/** A line of a posting. */
export function line(account: string, amount: number): PostingLine {
  return { account, amount: cents(amount) }
}

/** The books that postings lead to. */
export function foldBooks(postings: readonly Posting[]): Books {
  const books: Books = { balances: new Map(), movedAt: new Map(), totals: new Map() }
  for (const posting of postings) enter(books, posting)
  return books
}

/** Totals of a merchant to whom nothing happened. */
export function emptyTotals(): Totals {
  return { volume: cents(0), payouts: cents(0), refunds: cents(0), volumeByDay: new Map() }
}

/** Enters one posting into the books. */
export function enter({ balances, movedAt, totals }: Books, posting: Posting): void {
  for (const { account, amount } of posting.lines) {
    balances.set(account, cents((balances.get(account) ?? 0) + amount))
    movedAt.set(account, posting.at)
  }
  const key = scopeKey(posting)
  const total = totals.get(key) ?? emptyTotals()
  totals.set(key, total)
  count(total, posting)
}

/** What a posting adds to the totals of its merchant. */
function count(total: Totals, posting: Posting): void {
  const toPayers = amountOn(posting, outsideAccount('payers', posting.environment))
  switch (posting.reason) {
    case 'sale': {
      const day = dayOf(fromTimestamp(posting.at))
      total.volume = cents(total.volume - toPayers)
      total.volumeByDay.set(day, cents((total.volumeByDay.get(day) ?? 0) - toPayers))
      return
    }
    case 'refund':
    case 'debit':
      total.refunds = cents(total.refunds + toPayers)
      return
    case 'payOut':
      total.payouts = cents(total.payouts - amountOn(posting, merchantAccount(posting, 'reserved')))
      return
    case 'funding':
    case 'settlement':
    case 'reserve':
    case 'giveBack':
    case 'hold':
    case 'release':
      return
    default:
      posting.reason satisfies never
  }
}

function amountOn({ lines }: Posting, account: string): number {
  return sumCents(lines.filter((each) => each.account === account).map(({ amount }) => amount))
}
