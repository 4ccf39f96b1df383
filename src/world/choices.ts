// Owns the choices of a world: what it answers at each silence, which were read, and how they are changed.
import { z } from 'zod'
import { isSilenceId, silence, SILENCE_IDS, SILENCES } from '../contract/silences.ts'
import { createTransactionBody } from '../contract/transactions.ts'
import { closest } from '../kernel/closest.ts'
import { Misuse } from './misuse.ts'
import type { ChoiceOf, SilenceId } from '../contract/silences.ts'
import type { Choices, World } from '../domain/world.ts'

/** Choices that differ from the table, by id. Plain JSON. */
export type Overrides = Partial<Record<SilenceId, unknown>>

/** The choices of one world. */
export interface WorldChoices extends Choices {
  /** Choices that differ from the table. */
  overrides(): Overrides
  /** How often each silence was read since the world began, or was named by the endpoint that answered. */
  timesUsed(id: SilenceId): number
  /** Counts a silence as used without reading it. */
  use(id: SilenceId): void
  /** Replaces the overrides by ones that `checkOverrides` let through. */
  replace(overrides: Overrides): void
  /** Runs something and answers which silences it used. */
  watch<T>(used: Set<SilenceId>, run: () => T): T
}

/** Choices that begin with some overrides. */
export function createChoices(overrides: Overrides): WorldChoices {
  let current = overrides
  let watched: Set<SilenceId> | null = null
  const counts = new Map<SilenceId, number>()

  function use(id: SilenceId): void {
    counts.set(id, (counts.get(id) ?? 0) + 1)
    watched?.add(id)
  }

  return {
    get<Id extends SilenceId>(id: Id): ChoiceOf<Id> {
      use(id)
      return (current[id] ?? SILENCES[id].choice) as ChoiceOf<Id>
    },
    overrides: () => current,
    timesUsed: (id) => counts.get(id) ?? 0,
    use,
    replace(next) {
      current = next
    },
    watch(used, run) {
      const outer = watched
      watched = used
      try {
        return run()
      } finally {
        watched = outer
      }
    },
  }
}

/** A world whose choices are read without being counted: looking at what happened is no use of a silence. */
export function withoutCounting<W extends World & { choices: WorldChoices }>(
  world: W,
): Omit<W, 'choices'> & World {
  const get = <Id extends SilenceId>(id: Id): ChoiceOf<Id> =>
    (world.choices.overrides()[id] ?? SILENCES[id].choice) as ChoiceOf<Id>
  return { ...world, choices: { get } }
}

/**
 * Checks what a caller wants to override and merges it with what is overridden already. An object may name only some of
 * its fields; `null` goes back to the table.
 * @throws {Misuse} for an unknown id, a fixed row, or a value that cannot be chosen.
 */
export function checkOverrides(current: Overrides, wanted: Record<string, unknown>): Overrides {
  const merged: Overrides = { ...current }
  for (const [id, value] of Object.entries(wanted)) {
    if (!isSilenceId(id)) {
      const near = closest(id, SILENCE_IDS)
      throw new Misuse('sandbox_bad_request', `No silence '${id}'.${near ? ` Did you mean '${near}'?` : ''}`)
    }
    const row = silence(id)
    if (row.value === null) {
      throw new Misuse(
        'sandbox_bad_request',
        `Silence ${id} is the same in every world: ${String(row.choice)}`,
      )
    }
    if (value === null) delete merged[id]
    else merged[id] = checkValue(id, row.value, completed(value, merged[id] ?? row.choice))
  }
  checkNames(merged['TX-01'])
  return merged
}

function checkValue(id: SilenceId, schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const { alternatives } = silence(id)
  throw new Misuse(
    'sandbox_bad_request',
    `Silence ${id} cannot be ${JSON.stringify(value)}: ${z.prettifyError(parsed.error)}. It can be: ${alternatives}.`,
  )
}

/** An object that names only some fields takes the others, at every depth, from what is chosen now. */
function completed(value: unknown, base: unknown): unknown {
  if (!isPlainObject(value) || !isPlainObject(base)) return value
  const filled: [string, unknown][] = Object.entries(value).map(([key, part]) => [
    key,
    completed(part, base[key]),
  ])
  return { ...base, ...Object.fromEntries(filled) }
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Two fields of a request cannot have one name. */
function checkNames(names: unknown): void {
  if (!isPlainObject(names)) return
  const taken = new Map(Object.keys(createTransactionBody.shape).map((field) => [field, field]))
  for (const field of Object.keys(names)) taken.delete(field)
  for (const [field, name] of Object.entries(names)) {
    const other = taken.get(String(name))
    if (other !== undefined) {
      throw new Misuse(
        'sandbox_bad_request',
        `Silence TX-01 names '${field}' like '${other}': ${String(name)}.`,
      )
    }
    taken.set(String(name), field)
  }
}
