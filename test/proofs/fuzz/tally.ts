// Owns counting what a run sent and got: by class of status, by operation and by kind of damage.
import type { Operation } from './documents.ts'

/** Counts of answers. */
export interface Counts {
  ok: number
  refused: number
  other: number
}

/** What a run counted. */
export interface Tally {
  requests: number
  /** By class such as `2xx`. */
  classes: Map<string, number>
  /** By id of operation; every operation has an entry. */
  operations: Map<string, Counts>
  /** By kind of damage; requests with several kinds count once for each. */
  kinds: Map<string, number>
}

/** A tally of nothing. */
export function emptyTally(operations: readonly Operation[]): Tally {
  return {
    requests: 0,
    classes: new Map(),
    operations: new Map(operations.map(({ id }) => [id, { ok: 0, refused: 0, other: 0 }])),
    kinds: new Map(),
  }
}

/** Counts one answer. */
export function count(
  tally: Tally,
  kinds: readonly string[],
  operation: string | null,
  status: number,
): void {
  tally.requests += 1
  add(tally.classes, `${Math.floor(status / 100)}xx`)
  for (const kind of kinds.length === 0 ? ['none'] : new Set(kinds)) add(tally.kinds, kind)
  const counts = operation === null ? undefined : tally.operations.get(operation)
  if (!counts) return
  if (status < 300) counts.ok += 1
  else if (status >= 400) counts.refused += 1
  else counts.other += 1
}

function add(to: Map<string, number>, name: string): void {
  to.set(name, (to.get(name) ?? 0) + 1)
}

/** Operations that were not reached with a success, or not with a refusal although they declare some. */
export function unreached(tally: Tally, operations: readonly Operation[]): string[] {
  return operations.flatMap(({ id, answers }) => {
    const { ok = 0, refused = 0 } = tally.operations.get(id) ?? {}
    const refuses = [...answers.keys()].some((status) => status >= 400 && status < 500)
    return [...(ok === 0 ? [`${id}: no 2xx`] : []), ...(refuses && refused === 0 ? [`${id}: no 4xx`] : [])]
  })
}

/** The counts as lines of text. */
export function tallyToText({ requests, classes, operations, kinds }: Tally): string {
  const line = ([name, amount]: [string, number]): string =>
    `  ${name.padEnd(28)} ${String(amount).padStart(8)}`
  const sorted = (map: Map<string, number>): string[] =>
    [...map].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(line)
  return [
    `${requests} requests`,
    'by status:',
    ...sorted(classes),
    'by kind of damage:',
    ...sorted(kinds),
    'by operation (2xx, 4xx, other):',
    ...[...operations].map(
      ([id, { ok, refused, other }]) =>
        `  ${id.padEnd(34)} ${String(ok).padStart(7)} ${String(refused).padStart(7)} ${String(other).padStart(6)}`,
    ),
  ].join('\n')
}
