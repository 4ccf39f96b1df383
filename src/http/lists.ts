// Owns lists: filters by date, newest first, one page.
import { MAX_PAGE_SIZE } from '../contract/limits.ts'
import { refuse } from '../domain/refusal.ts'
import { fromTimestamp, parseInstant, DAY } from '../kernel/time.ts'
import type { Timestamp } from '../kernel/brands.ts'
import type { Refusal } from '../domain/refusal.ts'
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

/**
 * The page that is asked for. `records` are in order of creation; the page is newest first.
 * Source: LI-02, LI-03, LI-04.
 */
export function pageOf<R extends { id: string; createdAt: Timestamp }, Item>(
  world: World,
  records: readonly R[],
  query: ListQuery,
  matches: (record: R) => boolean,
  view: (record: R) => Item,
): Page<Item> | Refusal<'validation_error' | 'not_found'> {
  const period = readPeriod(query)
  if ('refused' in period) return period
  const found: R[] = []
  for (let index = records.length - 1; index >= 0; index--) {
    const record = records[index]
    if (record && period.includes(record.createdAt) && matches(record)) found.push(record)
  }
  varyTies(world, found)
  const { page, pageSize } = query
  const totalPages = Math.ceil(found.length / pageSize)
  if (page > Math.max(1, totalPages) && world.choices.get('LI-04') === 'notFound') {
    return refuse('not_found', `Page ${page} is past the end: there are ${totalPages} pages.`)
  }
  return {
    items: found.slice((page - 1) * pageSize, page * pageSize).map(view),
    page,
    pageSize,
    totalItems: found.length,
    totalPages,
    hasNextPage: page < totalPages,
    hasPreviousPage: page > 1 && totalPages > 0,
  }
}

/** Orders records of one instant anew, in a world that varies that: the same way for every page. */
function varyTies(world: World, found: { id: string; createdAt: Timestamp }[]): void {
  if (!world.vary('tieOrder', '')) return
  const places = new Map(found.map(({ id }) => [id, world.vary('tieOrder', id)?.fraction() ?? 0]))
  const placeOf = ({ id }: { id: string }): number => places.get(id) ?? 0
  found.sort((one, two) => {
    if (one.createdAt === two.createdAt) return placeOf(one) - placeOf(two)
    return one.createdAt < two.createdAt ? 1 : -1
  })
}

interface Period {
  includes(createdAt: Timestamp): boolean
}

function readPeriod({ startDate, endDate }: ListQuery): Period | Refusal<'validation_error'> {
  const start = startDate === undefined ? -Infinity : parseInstant(startDate)
  const end = endDate === undefined ? Infinity : endOf(endDate)
  if (start === null || end === null) {
    const [name, text] = start === null ? ['startDate', startDate] : ['endDate', endDate]
    return refuse(
      'validation_error',
      `${name} must be an ISO 8601 date or date-time with an offset, such as 2030-01-31 or 2030-01-31T12:00:00Z; it is '${text}'.`,
      `Campo '${name}': deve ser uma data ISO 8601.`,
    )
  }
  return {
    includes(createdAt) {
      if (start === -Infinity && end === Infinity) return true
      const at = fromTimestamp(createdAt)
      return at >= start && at <= end
    },
  }
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
