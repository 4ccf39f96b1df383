// Owns what a state machine is: rows as data, the pure decision which row fires, and the checks of a declaration.
import { invariant } from './assert.ts'

/** One transition. `from: null` is creation. Rows with the same `from` and `on` differ by their guard. */
export interface Row<Status extends string, Trigger extends string, Guard extends string, Effect> {
  from: Status | null
  on: Trigger
  /** The guard that must hold; without one the row always fires. */
  when?: Guard
  to: Status
  effects: readonly Effect[]
  /** Who says so: `contract: section` or the id of a silence. */
  source: string
}

/** A state machine as a table. */
export interface Machine<Status extends string, Trigger extends string, Guard extends string, Effect> {
  name: string
  statuses: readonly Status[]
  triggers: readonly Trigger[]
  rows: readonly Row<Status, Trigger, Guard, Effect>[]
}

/** Any machine, for code that only looks at the shape. */
export type AnyMachine = Machine<string, string, string, unknown>

/** Why no row fires: the status has no row for the trigger, or no guard of its rows holds. */
export interface Refused {
  refused: 'status' | 'guard'
}

/**
 * Which row fires for a trigger in a status, given which guards hold. Pure.
 * `status: null` asks for the creation row.
 */
export function decide<S extends string, T extends string, G extends string, E>(
  machine: Machine<S, T, G, E>,
  status: S | null,
  trigger: T,
  holds: (guard: G) => boolean,
): Row<S, T, G, E> | Refused {
  const candidates = machine.rows.filter((row) => row.from === status && row.on === trigger)
  const row = candidates.find(({ when }) => when === undefined || holds(when))
  return row ?? { refused: candidates.length > 0 ? 'guard' : 'status' }
}

/** The triggers that fire a row in a status, in the order of the table. `holds` is asked for the guard of a trigger. */
export function allowedTriggers<S extends string, T extends string, G extends string, E>(
  machine: Machine<S, T, G, E>,
  status: S,
  holds: (guard: G, trigger: T) => boolean,
): T[] {
  const rows = machine.rows.filter(
    ({ from, on, when }) => from === status && (when === undefined || holds(when, on)),
  )
  return [...new Set(rows.map(({ on }) => on))]
}

/** The statuses that no row leaves. */
export function finalStatuses(machine: AnyMachine): string[] {
  return machine.statuses.filter((status) => !machine.rows.some(({ from }) => from === status))
}

/**
 * Refuses a declaration that makes no sense, and answers it otherwise.
 * @throws {InvariantError} for a row that another one hides, a status that nothing reaches, a trigger without a row,
 *   a machine without exactly one creation trigger, or a row without a source.
 */
export function checkMachine<M extends AnyMachine>(machine: M): M {
  const seen = new Set<string>()
  for (const row of machine.rows) {
    const where = `${machine.name}: ${row.from ?? '(creation)'} on ${row.on}`
    for (const guard of [undefined, row.when]) {
      invariant(!seen.has(`${row.from}|${row.on}|${guard}`), `${where} is hidden by an earlier row`)
    }
    seen.add(`${row.from}|${row.on}|${row.when}`)
    invariant(row.source.trim() !== '', `${where} has no source`)
    invariant(machine.triggers.includes(row.on), `${where}: the trigger is not declared`)
    for (const status of [row.from, row.to]) {
      invariant(status === null || machine.statuses.includes(status), `${where}: ${status} is not declared`)
    }
  }
  for (const trigger of machine.triggers) {
    invariant(
      machine.rows.some(({ on }) => on === trigger),
      `${machine.name}: no row for ${trigger}`,
    )
  }
  const reached = new Set<string | null>([null])
  for (let size = 0; size !== reached.size;) {
    size = reached.size
    for (const { from, to } of machine.rows) if (reached.has(from)) reached.add(to)
  }
  for (const status of machine.statuses) {
    invariant(reached.has(status), `${machine.name}: nothing leads to ${status}`)
  }
  const creations = new Set(machine.rows.filter(({ from }) => from === null).map(({ on }) => on))
  invariant(creations.size === 1, `${machine.name}: exactly one trigger creates, found ${creations.size}`)
  return machine
}
