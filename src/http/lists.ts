// Owns lists: filters by date, newest first, one page.
import { MAX_PAGE_SIZE } from '../contract/limits.ts'
import { findRecords } from '../domain/recordQuery.ts'
import { hasValues } from '../domain/recordIndex.ts'
import { refuse } from '../domain/refusal.ts'
import { fromTimestamp, parseInstant, DAY } from '../kernel/time.ts'
import type { Timestamp } from '../kernel/brands.ts'
import type { Refusal } from '../domain/refusal.ts'
import type { RecordIndex } from '../domain/recordIndex.ts'
import type { Query } from '../domain/recordQuery.ts'
import type { World } from '../domain/world.ts'

/** One page of records. Source: contract: Paginated list. */
export interface Page<Item> {
  items: Item[]
  page: number
  pageSize: number
  totalItems: number
  totalPages: number
  hasNextPage: boolean
  hasPreviousPage: boolean
}

/** What every list is asked. */
export interface ListQuery {
  page: number
  pageSize: number
  startDate?: string | undefined
  endDate?: string | undefined
}

/** Which records a list is of: those of one scope with some values, and perhaps more that no index knows. */
export type Wanted<R> = Pick<Query<R>, 'filters' | 'within'> & {
  scope: string
  /** Whether a record has what the filters leave open; left out when they leave nothing open. */
  also?: ((record: R) => boolean) | undefined
}

/**
 * The page that is asked for, newest first.
 * Source: LI-02, LI-03, LI-04.
 */
export function pageOf<R extends { id: string; createdAt: Timestamp }, Item>(
  world: World,
  index: RecordIndex<R>,
  query: ListQuery,
  { scope, also, ...wanted }: Wanted<R>,
  view: (record: R) => Item,
): Page<Item> | Refusal<'validation_error' | 'not_found'> {
  const period = readPeriod(query)
  if ('refused' in period) return period
  const { records, keys } = index
  const search: Search<R> = {
    ...wanted,
    scopes: [scope],
    from: placeAt(records, period.start),
    to: placeAt(records, period.end + 1),
    narrower: also !== undefined,
    fits: (record) => hasValues(keys, record, wanted.filters) && (also?.(record) ?? true),
  }
  const found = findRecords(index, search)
  const { page, pageSize } = query
  const totalPages = Math.ceil(found.total / pageSize)
  if (page > Math.max(1, totalPages) && world.choices.get('LI-04') === 'notFound') {
    return refuse('not_found', `Page ${page} is past the end: there are ${totalPages} pages.`)
  }
  const shown = found.page((page - 1) * pageSize, pageSize)
  return {
    items: varyTies(world, index, search, shown, (page - 1) * pageSize).map(view),
    page,
    pageSize,
    totalItems: found.total,
    totalPages,
    hasNextPage: page < totalPages,
    hasPreviousPage: page > 1 && totalPages > 0,
  }
}

type Search<R> = Query<R> & { from: number; to: number }

/** The place of the first record that was created at an instant or after it. */
function placeAt(records: readonly { createdAt: Timestamp }[], at: number): number {
  if (at === -Infinity) return 0
  if (at === Infinity) return records.length
  let [low, high] = [0, records.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const record = records[middle]
    if (record && fromTimestamp(record.createdAt) < at) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * Orders records of one instant anew, in a world that varies that: the same way for every page.
 * @param shown the page as it would be otherwise
 * @param skip how many records come before it
 */
function varyTies<R extends { id: string; createdAt: Timestamp }>(
  world: World,
  index: RecordIndex<R>,
  search: Search<R>,
  shown: R[],
  skip: number,
): R[] {
  const [newest, oldest] = [shown[0], shown.at(-1)]
  if (!newest || !oldest || !world.vary('tieOrder', '')) return shown
  const { records } = index
  const from = Math.max(search.from, placeAt(records, fromTimestamp(oldest.createdAt)))
  const to = Math.min(search.to, placeAt(records, fromTimestamp(newest.createdAt) + 1))
  const newer = findRecords(index, { ...search, from: to }).total
  const tied = findRecords(index, { ...search, from, to }).page(0, Infinity)
  const places = new Map(tied.map(({ id }) => [id, world.vary('tieOrder', id)?.fraction() ?? 0]))
  const placeOf = ({ id }: { id: string }): number => places.get(id) ?? 0
  tied.sort((one, two) => {
    if (one.createdAt === two.createdAt) return placeOf(one) - placeOf(two)
    return one.createdAt < two.createdAt ? 1 : -1
  })
  return tied.slice(skip - newer, skip - newer + shown.length)
}

/** First and last instant of a list, both included. */
interface Period {
  start: number
  end: number
}

function readPeriod({ startDate, endDate }: ListQuery): Period | Refusal<'validation_error'> {
  const start = startDate === undefined ? -Infinity : parseInstant(startDate)
  const end = endDate === undefined ? Infinity : endOf(endDate)
  if (start !== null && end !== null) return { start, end }
  const [name, text] = start === null ? ['startDate', startDate] : ['endDate', endDate]
  return refuse(
    'validation_error',
    `${name} must be an ISO 8601 date or date-time with an offset, such as 2030-01-31 or 2030-01-31T12:00:00Z; it is '${text}'.`,
    `Campo '${name}': deve ser uma data ISO 8601.`,
  )
}

/** The last instant that an end date includes: a bare date means its whole day. */
function endOf(text: string): number | null {
  const at = parseInstant(text)
  return at !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) ? at + DAY - 1 : at
}

/** The query of a list, with page and page size clamped to the nearest that exist, in a world that does so. Source: LI-01. */
export function readPaging(world: World, sent: Record<string, string>): Record<string, string> {
  if (world.choices.get('LI-01') === 'refused') return sent
  const { page, pageSize } = sent
  return {
    ...sent,
    ...(page === undefined ? {} : { page: clamped(page, Number.MAX_SAFE_INTEGER) }),
    ...(pageSize === undefined ? {} : { pageSize: clamped(pageSize, MAX_PAGE_SIZE) }),
  }
}

/** A number within 1 and a greatest one; what is no number stays, and is refused later. */
function clamped(text: string, greatest: number): string {
  const number = Number(text)
  return Number.isNaN(number) ? text : String(Math.trunc(Math.min(Math.max(number, 1), greatest)))
}
