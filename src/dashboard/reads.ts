// Owns what pages read of a world: counts, lists and jobs, each from an index or a running count where there is one.
import { hasValues } from '../domain/recordIndex.ts'
import { findRecords } from '../domain/recordQuery.ts'
import { recordOf } from '../domain/state.ts'
import { jobView } from '../world/advance.ts'
import { createTally } from './tally.ts'
import type { Cashout, Customer, Dispute, Scope, Transaction } from '../domain/records.ts'
import type { RecordIndex } from '../domain/recordIndex.ts'
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

function deliveryStatuses({ indexes: { deliveries } }: RunningWorld): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  const facet = Object.keys(deliveries.keys.facets).indexOf('status')
  for (const group of deliveries.groups.values()) {
    for (const { values, places } of group.values()) {
      const status = values[facet] ?? ''
      counts.set(status, (counts.get(status) ?? 0) + places.size)
    }
  }
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
  const index = world.indexes[kind] as unknown as RecordIndex<RecordOf[K]>
  return listed(index, page, { status }, text === '' ? null : textFilter(kind, text))
}

/**
 * One page of an index, newest first. By facets alone it follows from the lengths of lists; with a further condition, records
 * are looked at from the newest on until the page is full.
 * @param facets wanted values by the names of facets; empty ones ask for nothing
 */
export function listed<R>(
  index: RecordIndex<R>,
  page: number,
  facets: Readonly<Record<string, string>>,
  fits: ((record: R) => boolean) | null,
): Listed<R> {
  const filters = Object.fromEntries(Object.entries(facets).filter(([, value]) => value !== ''))
  const skip = (page - 1) * PAGE_SIZE
  if (fits === null) {
    const found = findRecords(index, { scopes: null, filters, fits: () => true })
    const items = found.page(skip, PAGE_SIZE + 1)
    return { items: items.slice(0, PAGE_SIZE), hasOlder: items.length > PAGE_SIZE }
  }
  const items: R[] = []
  let skipped = 0
  for (let place = index.records.length - 1; place >= 0 && items.length <= PAGE_SIZE; place -= 1) {
    const record = index.records[place]
    if (record === undefined || !hasValues(index.keys, record, filters) || !fits(record)) continue
    if (skipped < skip) skipped += 1
    else items.push(record)
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
