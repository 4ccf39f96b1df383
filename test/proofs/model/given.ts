// Owns what the model makes of given records: they come to be as if by calls, one kind after the other, but nobody hears of it; all or none.
import { customerFields } from '../../properties/bodies.ts'
import { openDispute } from './disputes.ts'
import { fire } from './machines.ts'
import { bucket, fund, inAccount } from './money.ts'
import * as operations from './operations.ts'
import { SCOPES } from './world.ts'
import type { Caller } from '../../properties/calls.ts'
import type { Hook, Kind, Known, Life, Method } from './world.ts'

/** A record that is given, or money. */
export type Entry =
  | { give: 'money'; by: Caller; fund: number; all: boolean | null }
  | { give: 'customer'; by: Caller; number: number; externalId: string | null; inactive: boolean }
  | {
      give: 'transaction'
      by: Caller
      method: Method
      amount: number
      hook: boolean
      customer: number | null
      status: string
      /** Cents that go back or are asked back. */
      refund: number | null
    }
  | {
      give: 'dispute'
      nth: number
      amount: number | null
      days: number | null
      status: string
      text: boolean
    }
  | { give: 'cashout'; by: Caller; amount: number; hook: boolean; status: string }

/** Days until a given boleto is due. */
export const DUE_DAYS = 5

/** What leads to each status, one after the other. */
const WAYS: Record<Kind, Record<string, readonly string[]>> = {
  transactions: {
    Pending: [],
    Completed: ['confirm'],
    Expired: ['expire'],
    Failed: ['fail'],
    Cancelled: ['cancel'],
    Refunded: ['confirm', 'refund'],
    PartiallyRefunded: ['confirm', 'refund'],
    Processing: ['confirm', 'requestRefund'],
  },
  cashouts: {
    Pending: [],
    Processing: ['process'],
    Completed: ['complete'],
    Failed: ['fail'],
    Rejected: ['reject'],
    Cancelled: ['cancel'],
  },
  disputes: {
    Open: [],
    MerchantResponded: ['respond'],
    UnderReview: ['review'],
    Won: ['review', 'win'],
    Lost: ['review', 'lose'],
    Expired: ['lapse'],
    Cancelled: ['cancel'],
  },
}

/** Statuses of given records of a kind. */
export function givenStatuses(kind: Kind): string[] {
  return Object.keys(WAYS[kind])
}

/** The order in which kinds are given, so that money and payers are there before they are needed. */
const KINDS = ['money', 'customer', 'transaction', 'dispute', 'cashout'] as const

/** Entries in the order in which they are given. */
export function inGivenOrder(entries: readonly Entry[]): Entry[] {
  return KINDS.flatMap((kind) => entries.filter((one) => one.give === kind))
}

/** Gives records; answers whether all could be. Where one cannot be, nothing is given. */
export function give(life: Life, entries: readonly Entry[]): boolean {
  const tried = structuredClone(life)
  tried.quiet = true
  const isGood = inGivenOrder(entries).every((entry) => giveOne(tried, entry))
  if (!isGood) return false
  for (const entry of entries) {
    if (entry.give !== 'money' || entry.all === null) continue
    const { org, env } = SCOPES[entry.by]
    tried.takeAll[`${org}:${env}`] = entry.all
  }
  Object.assign(life, tried, { quiet: false })
  return true
}

function giveOne(life: Life, entry: Entry): boolean {
  switch (entry.give) {
    case 'money':
      fund(life, SCOPES[entry.by], entry.fund)
      return true
    case 'customer': {
      const { code } = operations.createCustomer(life, entry.by, entry.number, entry.externalId, true)
      const made = life.customers.at(-1)
      if (code === null && made && entry.inactive) made.status = 'Inactive'
      return code === null
    }
    case 'transaction':
      return giveSale(life, entry)
    case 'dispute':
      return giveDispute(life, entry)
    case 'cashout':
      return giveCashout(life, entry)
    default:
      return entry satisfies never
  }
}

const hookOf = (hook: boolean): Hook | null => (hook ? 'good' : null)

function giveSale(life: Life, entry: Entry & { give: 'transaction' }): boolean {
  const { by, method, amount, status, refund } = entry
  const isPart = status === 'PartiallyRefunded'
  if (refund !== null && !isPart && status !== 'Processing') return false
  const { code } = operations.createTransaction(life, by, {
    ...{ method, amount, splits: [], dueDays: DUE_DAYS, card: null, externalId: null },
    hook: hookOf(entry.hook),
    payer: customerFields(entry.customer),
  })
  const back = refund ?? (isPart ? Math.floor(amount / 2) : undefined)
  return code === null && reach(life, 'transactions', status, WAYS.transactions[status] ?? [], back)
}

function giveDispute(life: Life, entry: Entry & { give: 'dispute' }): boolean {
  const { nth, amount, days, status, text } = entry
  if (text && (status === 'Open' || status === 'Expired')) return false
  const place = life.transactions.length - 1 - (nth % Math.max(life.transactions.length, 1))
  if (place < 0) return false
  const length = days === null ? null : days * 86_400_000
  if (openDispute(life, place, amount ?? undefined, length) !== null) return false
  const way = WAYS.disputes[status] ?? []
  const isAnswered = !text || way.includes('respond')
  return reach(life, 'disputes', status, isAnswered ? way : ['respond', ...way])
}

/** What a given cashout lacks is given first; and nobody needs a permission for it. */
function giveCashout(life: Life, { by, amount, hook, status }: Entry & { give: 'cashout' }): boolean {
  const scope = SCOPES[by]
  const lacking = amount - inAccount(life, bucket(scope, 'available'))
  if (lacking > 0) fund(life, scope, lacking)
  const { [by]: keys } = life.keys
  life.keys[by] = { ...keys, permissions: null }
  const { code } = operations.createCashout(life, by, amount, hookOf(hook), 'good')
  life.keys[by] = keys
  return code === null && reach(life, 'cashouts', status, WAYS.cashouts[status] ?? [])
}

/** Fires triggers on the newest record of a kind; whether all fire and lead to a status. */
function reach(life: Life, kind: Kind, status: string, way: readonly string[], amount?: number): boolean {
  const place = life[kind].length - 1
  const isThere = way.every((on) => fire(life, kind, place, on, { amount }) === null)
  return isThere && (life[kind][place] as Known).status === status
}
