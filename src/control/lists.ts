// Owns the lists of the control API: newest first, filtered by fields, cut by a limit, continued after a cursor.
import { z } from 'zod'
import { findRecords } from '../domain/recordQuery.ts'
import { nameOf, placeNamed } from '../domain/recordIndex.ts'
import { Misuse } from '../world/misuse.ts'
import type { RecordIndex } from '../domain/recordIndex.ts'
import type { Query } from '../domain/recordQuery.ts'

/** Entries of one answer. */
const MAX_LIMIT = 1_000
const DEFAULT_LIMIT = 100

/** What any list takes. */
export const listQuery = {
  limit: z.coerce.number<number | string>().pipe(z.int().min(1).max(MAX_LIMIT)).default(DEFAULT_LIMIT),
  after: z.string().optional().meta({ description: 'the `next` of the answer before' }),
}

/** What any list answers. `total` counts what the filters leave; `next` continues the list, null at its end. */
export function listAnswer<Item extends z.ZodType>(item: Item) {
  return z.strictObject({ items: z.array(item), total: z.int(), next: z.string().nullable() })
}

/** What a list is asked: how much of it, and values of fields. */
type Asked = { limit: number; after?: string | undefined }

/** What a list answers. */
interface Listed<T> {
  items: T[]
  total: number
  next: string | null
}

/**
 * One answer of a list that has a limit of its own.
 * @param entries in order of creation
 * @param cursor what names an entry in `after`
 * @throws {Misuse} when `after` names no entry that the filters leave
 */
export function listOf<T>(
  entries: readonly T[],
  { limit, after, ...filters }: Asked,
  cursor: (entry: T) => string,
): Listed<T> {
  const found = entries.filter(fitterOf(filters)).toReversed()
  const start = after === undefined ? 0 : found.findIndex((entry) => cursor(entry) === after) + 1
  if (after !== undefined && start === 0) throw strangeEntry(after)
  const items = found.slice(start, start + limit)
  const last = items.at(-1)
  return { items, total: found.length, next: last && start + limit < found.length ? cursor(last) : null }
}

/**
 * One answer of a list of records, found by their index. Entries are named by their ids, or by their numbers.
 * @throws {Misuse} when `after` names no entry that the filters leave
 */
export function listIndexed<R>(index: RecordIndex<R>, { limit, after, ...filters }: Asked): Listed<R> {
  const { organizationId, environment, ...values } = filters as Record<string, string | undefined>
  const fits = fitterOf(filters)
  // Records without a value are not looked up, and `null` asks for them.
  const known = Object.entries(values).filter(([, value]) => value !== 'null')
  const query: Query<R> = {
    scopes: scopesOf(index, organizationId, environment),
    filters: Object.fromEntries(known),
    fits,
    narrower: known.length < Object.keys(values).length,
  }
  const found = findRecords(index, query)
  const before = after === undefined ? undefined : placeNamed(index, after)
  const last = before === undefined ? undefined : index.records[before]
  if (after !== undefined && (last === undefined || !fits(last))) throw strangeEntry(after)
  const rest = before === undefined ? found : findRecords(index, { ...query, to: before })
  const items = rest.page(0, limit)
  const end = items.at(-1)
  return { items, total: found.total, next: end && rest.total > limit ? nameOf(index, end) : null }
}

/** The scopes of an index that have an organisation and an environment; any where they are left out. */
function scopesOf<R>(
  { groups }: RecordIndex<R>,
  organizationId: string | undefined,
  environment: string | undefined,
): string[] {
  return [...groups].flatMap(([scope]) => {
    const [organization, its] = scope.split('|')
    const fits =
      (organizationId === undefined || organization === organizationId) &&
      (environment === undefined || its === environment)
    return fits ? [scope] : []
  })
}

/** The refusal of an `after` that names nothing. */
export function strangeEntry(after: string | undefined): Misuse {
  return new Misuse(
    'sandbox_bad_request',
    `after=${after ?? ''} names no entry of this list; use the 'next' of an answer.`,
  )
}

/** Whether an entry has all that is asked for. */
function fitterOf(filters: Readonly<Record<string, unknown>>): (entry: unknown) => boolean {
  const wanted = Object.entries(filters).filter(([, value]) => value !== undefined)
  return (entry) => wanted.every(([name, value]) => fieldOf(entry, name) === String(value))
}

function fieldOf(entry: unknown, name: string): string {
  const value = (entry as Record<string, unknown>)[name]
  return typeof value === 'string' ? value : JSON.stringify(value)
}
