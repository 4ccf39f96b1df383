// Owns what pages read of a world: counts, lists and jobs, each from an index or a running count where there is one.
import { recordOf } from '../domain/state.ts'
import { jobView } from '../world/advance.ts'
import { createTally } from './tally.ts'
import type { Cashout, Customer, Dispute, Scope, Transaction } from '../domain/records.ts'
import type { WorldState } from '../domain/state.ts'
import type { MachineName } from '../domain/trail.ts'
import type { WaitingJob } from '../world/advance.ts'
import type { PastItem } from '../world/history.ts'
import type { RunningWorld } from '../world/runningWorld.ts'
import type { BalancePoint } from './balanceSeries.ts'
import type { Tally } from './tally.ts'

/** Kinds of records that have a list and pages of their own. */
export const RECORD_KINDS = ['transactions', 'cashouts', 'disputes', 'customers'] as const
/** A kind of records. */
export type RecordKind = (typeof RECORD_KINDS)[number]

/** Records that a page of a list shows. */
const PAGE_SIZE = 20

/** The record of a kind. */
export interface RecordOf {
  transactions: Transaction
  cashouts: Cashout
  disputes: Dispute
  customers: Customer
}

/** What a list is narrowed to; empty for everything. */
export interface Filter {
  status: string
  /** Part of an id, a reference or any other text that people know a record by, in any letter case. */
  text: string
}

/** One page of a list, newest first. */
export interface Listed<R> {
  items: R[]
  hasOlder: boolean
}

/** What pages read. */
export interface Reads {
  /** How many records of a machine are in each status, only those that there are. */
  statuses(world: RunningWorld, machine: MachineName): ReadonlyMap<string, number>
  /** How many deliveries are in each status. */
  deliveryStatuses(world: RunningWorld): ReadonlyMap<string, number>
  balance(world: RunningWorld, scope: Scope): BalancePoint[]
  list<K extends RecordKind>(world: RunningWorld, kind: K, filter: Filter, page: number): Listed<RecordOf[K]>
  /** The next jobs, and how many wait. */
  jobs(world: RunningWorld, limit: number): { jobs: WaitingJob[]; total: number }
  /** The latest things that happened, the newest first. */
  latest(world: RunningWorld, limit: number): PastItem[]
}

/** Reads of any world. Counts are kept for as long as a world has its state. */
export function createReads(): Reads {
  const tallies = new WeakMap<WorldState, Tally>()
  function tallyOf({ state }: RunningWorld): Tally {
    const tally = tallies.get(state) ?? createTally(state)
    tallies.set(state, tally)
    return tally
  }
  return {
    statuses: (world, machine) => tallyOf(world).statuses(machine),
    deliveryStatuses,
    balance: (world, scope) => tallyOf(world).balance(scope).until(world.clock.now()),
    list,
    jobs: ({ scheduler }, limit) => ({ jobs: scheduler.list(limit).map(jobView), total: scheduler.size }),
    latest: (world, limit) => world.history.read(world).items.slice(-limit).toReversed(),
  }
}

function deliveryStatuses({ indexes }: RunningWorld): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { status } of indexes.deliveries) counts.set(status, (counts.get(status) ?? 0) + 1)
  return counts
}

function list<K extends RecordKind>(
  world: RunningWorld,
  kind: K,
  { status, text }: Filter,
  page: number,
): Listed<RecordOf[K]> {
  const records = world.state[kind] as unknown as Record<string, RecordOf[K]>
  const exact = recordOf(records, text.toLowerCase())
  if (exact) return { items: [exact], hasOlder: false }
  const fitsText = text === '' ? null : textFilter(kind, text)
  const skipped = (page - 1) * PAGE_SIZE
  const items: RecordOf[K][] = []
  let found = 0
  const scopes = [...world.indexes[kind].values()] as unknown as RecordOf[K][][]
  for (const next = newestFirst(scopes); items.length <= PAGE_SIZE;) {
    const record = next()
    if (!record) break
    if ((status !== '' && record.status !== status) || fitsText?.(record) === false) continue
    found += 1
    if (found > skipped) items.push(record)
  }
  return { items: items.slice(0, PAGE_SIZE), hasOlder: items.length > PAGE_SIZE }
}

/** Whether a record is known by a text: names and descriptions by any part of it, ids by how they begin. */
function textFilter<K extends RecordKind>(kind: K, text: string): (record: RecordOf[K]) => boolean {
  const pattern = new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`), 'i')
  const id = text.toLowerCase()
  const searched = SEARCHED[kind] as (record: RecordOf[K]) => (string | null)[]
  return (record) => {
    if (record.id.startsWith(id)) return true
    for (const value of searched(record)) if (value !== null && pattern.test(value)) return true
    return false
  }
}

/** What people know a record by, besides its id. */
const SEARCHED: { readonly [K in RecordKind]: (record: RecordOf[K]) => (string | null)[] } = {
  transactions: ({ externalId, description, payer, pix }) => [
    externalId,
    description,
    payer.name,
    pix?.payerName ?? null,
    pix?.endToEndId ?? null,
  ],
  cashouts: ({ externalId, pixKey, endToEndId }) => [externalId, pixKey, endToEndId],
  disputes: ({ transactionId, reason, reasonDescription, responseText }) => [
    transactionId,
    reason,
    reasonDescription,
    responseText,
  ],
  customers: ({ externalId, name, email, document, phone }) => [externalId, name, email, document, phone],
}

/** Answers the records of several scopes one by one, the newest first; each list holds its own in order of creation. */
function newestFirst<R extends { createdAt: string }>(lists: readonly (readonly R[])[]): () => R | null {
  const left = lists.map((records) => ({ records, end: records.length }))
  return () => {
    let best: R | null = null
    let from: (typeof left)[number] | null = null
    for (const each of left) {
      const record = each.records[each.end - 1]
      if (!record || (best && record.createdAt <= best.createdAt)) continue
      best = record
      from = each
    }
    if (from) from.end -= 1
    return best
  }
}
