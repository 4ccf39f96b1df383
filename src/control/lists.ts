// Owns the lists of the control API: newest first, filtered by fields, cut by a limit, continued after a cursor.
import { z } from 'zod'
import { Misuse } from '../world/misuse.ts'

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

/**
 * One answer of a list.
 * @param entries in order of creation
 * @param cursor what names an entry in `after`
 * @throws {Misuse} when `after` names no entry that the filters leave
 */
export function listOf<T>(
  entries: readonly T[],
  { limit, after, ...filters }: { limit: number; after?: string | undefined },
  cursor: (entry: T) => string,
): { items: T[]; total: number; next: string | null } {
  const wanted = Object.entries(filters).filter(([, value]) => value !== undefined)
  const left = entries.filter((entry) =>
    wanted.every(([name, value]) => fieldOf(entry, name) === String(value)),
  )
  const found = left.toReversed()
  const start = after === undefined ? 0 : found.findIndex((entry) => cursor(entry) === after) + 1
  if (after !== undefined && start === 0) {
    throw new Misuse(
      'sandbox_bad_request',
      `after=${after} names no entry of this list; use the 'next' of an answer.`,
    )
  }
  const items = found.slice(start, start + limit)
  const last = items.at(-1)
  return { items, total: found.length, next: last && start + limit < found.length ? cursor(last) : null }
}

function fieldOf(entry: unknown, name: string): string {
  const value = (entry as Record<string, unknown>)[name]
  return typeof value === 'string' ? value : JSON.stringify(value)
}
