// Owns the only place where a status changes: a trigger finds its row, the row's effects are applied in order.
import { allowedTriggers, decide } from '../kernel/machine.ts'
import { present } from '../kernel/assert.ts'
import { appendDelivery } from './deliveries.ts'
import { addRecord, changeFacets } from './recordIndex.ts'
import { stamp } from './world.ts'
import type { Instant, Timestamp } from '../kernel/brands.ts'
import type { Machine } from '../kernel/machine.ts'
import type { Effect, TriggerParameters } from './effects.ts'
import type { JobKind } from './jobs.ts'
import type { RecordIndex } from './recordIndex.ts'
import type { MachineName } from './trail.ts'
import type { World } from './world.ts'

/** The names and types of one machine. */
export interface MachineTypes {
  record: { id: string; status: string; updatedAt: Timestamp }
  /** A trigger's parameters once they are filled in. */
  parameters: TriggerParameters
  status: string
  trigger: string
  guard: string
  field: string
  movement: string
  note: string
}

type Act<X extends MachineTypes, Answer = void> = (
  world: World,
  record: X['record'],
  parameters: X['parameters'],
) => Answer

type EffectOf<X extends MachineTypes> = Effect<X['field'], X['movement'], X['note']>

/** A machine with the meaning of its names: what guards, movements, notes and jobs do to a record. */
export interface Rules<X extends MachineTypes> {
  name: MachineName
  machine: Machine<X['status'], X['trigger'], X['guard'], EffectOf<X>>
  /** Fills in what a trigger leaves open; null when its amount is outside of what is left. */
  prepare(record: X['record'], parameters: TriggerParameters): X['parameters'] | null
  guards: Record<X['guard'], Act<X, boolean>>
  stamps: Record<X['field'], (record: X['record'], at: Timestamp) => void>
  movements: Record<X['movement'], Act<X>>
  notes: Record<X['note'], Act<X>>
  /** When a job that the machine schedules is due; null when this record needs none. */
  due: Partial<Record<JobKind, (world: World, record: X['record']) => Instant | null>>
  /** Where events of the record go; null when nobody listens. */
  receiver(world: World, record: X['record']): string | null
  /** What events of the record say. */
  eventData(world: World, record: X['record']): Record<string, unknown>
  /** Fires `chargeBack` on the transaction of a record, and answers the deliveries of that. */
  chargeBack?: Act<X, string[]>
}

/** A fired row. */
export interface Fired {
  from: string | null
  to: string
  /** Ids of the deliveries that it appended. */
  deliveries: string[]
}

/** Why nothing fired. */
export interface NotFired {
  refused: 'status' | 'guard' | 'amount'
}

/**
 * Fires a trigger on a record: changes its status, applies the row's effects, writes the journal. When no row fires it
 * answers why, and nothing has changed. `creating` asks for the creation row.
 */
export function fire<X extends MachineTypes>(
  world: World,
  rules: Rules<X>,
  record: X['record'],
  trigger: X['trigger'],
  parameters: TriggerParameters = {},
  creating = false,
): Fired | NotFired {
  const from = creating ? null : record.status
  const prepared = rules.prepare(record, parameters)
  if (prepared === null) {
    // A status that has no row is named before an amount that does not fit.
    const row = decide(rules.machine, from, trigger, () => true)
    return 'refused' in row ? row : { refused: 'amount' }
  }
  const row = decide(rules.machine, from, trigger, (guard) => rules.guards[guard](world, record, prepared))
  if ('refused' in row) return row

  const at = stamp(world)
  changeFacets(indexOf(world, rules), record, () => {
    record.status = row.to
  })
  record.updatedAt = at
  world.changes?.record(RECORDS_OF[rules.name], record.id)
  const { journal } = world.state
  const n = journal.length + 1
  const { reason = null } = parameters
  const entry = { n, at, machine: rules.name, subject: record.id, from, on: trigger, to: row.to, reason }
  journal.push(entry)
  addRecord(world.indexes.journal, entry)
  world.tell('transition', entry)
  const deliveries = row.effects.flatMap((effect) => apply(world, rules, record, prepared, effect))
  return { from, to: row.to, deliveries }
}

/** What the records of each machine are kept as. */
const RECORDS_OF = { transaction: 'transactions', cashout: 'cashouts', dispute: 'disputes' } as const

/** The index of the records of a machine. */
function indexOf<X extends MachineTypes>({ indexes }: World, { name }: Rules<X>): RecordIndex<X['record']> {
  return indexes[RECORDS_OF[name]] as RecordIndex<unknown> as RecordIndex<X['record']>
}

/** The triggers that have a row on a record now whose guard holds, an amount being all that is left. */
export function allowedNow<X extends MachineTypes>(
  world: World,
  rules: Rules<X>,
  record: X['record'],
): X['trigger'][] {
  return allowedTriggers(rules.machine, record.status, (guard) => {
    // A record that was imported may have nothing left.
    const prepared = rules.prepare(record, {})
    return prepared !== null && rules.guards[guard](world, record, prepared)
  })
}

/** Applies one effect and answers the deliveries that it appended. */
function apply<X extends MachineTypes>(
  world: World,
  rules: Rules<X>,
  record: X['record'],
  prepared: X['parameters'],
  effect: EffectOf<X>,
): string[] {
  switch (effect.do) {
    case 'stamp':
      rules.stamps[effect.field](record, stamp(world))
      return []
    case 'post':
      rules.movements[effect.movement](world, record, prepared)
      return []
    case 'note':
      rules.notes[effect.note](world, record, prepared)
      return []
    case 'schedule': {
      const due = present(rules.due[effect.job], `${rules.name} cannot schedule ${effect.job}`)(world, record)
      if (due !== null) world.scheduler.schedule(effect.job, record.id, due)
      return []
    }
    case 'cancel':
      world.scheduler.cancel(effect.job, record.id)
      return []
    case 'emit': {
      const url = rules.receiver(world, record)
      const say = (): Record<string, unknown> => rules.eventData(world, record)
      const goesOut = world.emitted(effect.event, record, say)
      if (url === null || !goesOut) return []
      return [appendDelivery(world, { type: effect.event, subject: record.id, url, data: say() })]
    }
    case 'chargeBack':
      return present(rules.chargeBack, `${rules.name} has no transaction`)(world, record, prepared)
    default:
      return effect satisfies never
  }
}
