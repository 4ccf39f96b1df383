// Owns the armed faults of a world: arming them, finding the one that befalls something, and clearing them.
import { fromTimestamp } from '../kernel/time.ts'
import { FAULTS } from './faultKinds.ts'
import { Misuse } from './misuse.ts'
import type { OperationId } from '../contract/endpoints.ts'
import type { EventType } from '../contract/events.ts'
import type { Changes } from '../domain/changes.ts'
import type { Delivery } from '../domain/trail.ts'
import type { World } from '../domain/world.ts'
import type { Timestamp } from '../kernel/brands.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Random } from '../kernel/random.ts'
import type { FaultActionOf, FaultAction, FaultMoment, FaultName } from './faultKinds.ts'

/** Faults that a world holds. */
const MAX_FAULTS = 1_000

/** What a fault befalls: calls, of one operation or of any; or deliveries, of one event type, of one record or of any. */
export interface FaultTarget {
  operation?: OperationId | undefined
  delivery?: { type?: EventType | undefined; subject?: string | undefined } | undefined
}

/** An armed fault. Plain JSON. */
export interface Fault {
  id: string
  name: FaultName
  on: FaultTarget
  /** The one record that it befalls, by the id in the path of a call or of a delivery; null for any. */
  subject: string | null
  /** It befalls the nth fitting thing, counted from 1, and those after it; null for the first. */
  nth: number | null
  /** Chance of each fitting thing, from 0 to 1, drawn from the world's seed; null for certainty. */
  probability: number | null
  do: FaultAction
  /** How often it fires before it is used up. */
  times: number
  /** Fires only from this instant on; null for at once. */
  after: Timestamp | null
  /** Fires only before this instant; null for ever. */
  until: Timestamp | null
  /** Fitting things that came by while it was armed and in time. */
  seen: number
  fired: number
}

/** What faults need of a world. */
interface Faulty {
  faults: Fault[]
  random: Random
  clock: Clock
  changes: Changes | null
  tell: World['tell']
  /** Chance by a key, apart from the chance that makes records: the order of answers of a network does not move it. */
  chance(key: string): Random
}

/** A call that a fault may befall. */
export interface CallHappening {
  call: OperationId
  subject: string | null
  /** Id of its token; null when it carries none. */
  tokenId: string | null
}

/** Something that a fault may befall. */
export type Happening = CallHappening | { delivery: Pick<Delivery, 'id' | 'type' | 'subject' | 'attempts'> }

/** Arms a fault. */
export function armFault(world: Faulty, fault: Omit<Fault, 'id' | 'seen' | 'fired'>): Fault {
  const armed = world.faults.filter(({ fired, times }) => fired < times)
  if (armed.length >= MAX_FAULTS) {
    throw new Misuse(
      'sandbox_bad_request',
      `A world holds ${MAX_FAULTS} faults; DELETE /_sandbox/faults clears them.`,
    )
  }
  if (world.faults.length >= MAX_FAULTS) {
    const spent = world.faults.find(({ fired, times }) => fired >= times)
    dropFaults(world, (each) => each === spent)
  }
  const added = { id: world.random.uuid(), ...fault, seen: 0, fired: 0 }
  world.faults.push(added)
  world.changes?.record('faults', added.id)
  world.tell('setup', { changed: 'faults' })
  return added
}

/**
 * The armed fault that befalls something at a moment, now counted as fired; null when there is none. Every fitting fault
 * counts what came by; the one that was armed first fires.
 */
export function takeFault(world: Faulty, moment: FaultMoment, happening: Happening): Fault | null {
  let taken: Fault | null = null
  for (const fault of world.faults) {
    if (FAULTS[fault.name].moment !== moment || !fits(fault, happening) || !isArmed(world, fault)) continue
    fault.seen += 1
    world.changes?.record('faults', fault.id)
    if (taken || (fault.nth !== null && fault.seen < fault.nth)) continue
    if (fault.probability !== null && drawFor(world, fault, happening) >= fault.probability) continue
    fault.fired += 1
    taken = fault
  }
  return taken
}

/** Takes faults away, and answers them. */
export function dropFaults(
  world: Pick<Faulty, 'faults' | 'changes' | 'tell'>,
  isMeant: (fault: Fault) => boolean,
): Fault[] {
  const dropped = world.faults.filter(isMeant)
  world.faults = world.faults.filter((fault) => !isMeant(fault))
  for (const { id } of dropped) world.changes?.record('faults', id)
  if (dropped.length > 0) world.tell('setup', { changed: 'faults' })
  return dropped
}

/** A draw from 0 to 1 for one fitting thing: of a call by its place, of a delivery by its id and attempt. */
function drawFor(world: Faulty, { id, seen }: Fault, happening: Happening): number {
  const key =
    'call' in happening ? String(seen) : `${happening.delivery.id}/${happening.delivery.attempts.length}`
  return world.chance(`fault/${id}/${key}`).fraction()
}

/** What a fault orders, when it is the one of a name; null otherwise. */
export function actionOf<Name extends FaultName>(
  fault: Fault | null,
  name: Name,
): FaultActionOf<Name> | null {
  return fault?.name === name ? (fault.do as FaultActionOf<Name>) : null
}

function isArmed({ clock }: Faulty, { fired, times, after, until }: Fault): boolean {
  if (fired >= times) return false
  const now = clock.now()
  return (after === null || now >= fromTimestamp(after)) && (until === null || now < fromTimestamp(until))
}

function fits({ name, on, subject }: Fault, happening: Happening): boolean {
  if ('call' in happening) {
    if (on.delivery || (name === 'revokeToken' && happening.tokenId === null)) return false
    const operation = on.operation ?? happening.call
    return operation === happening.call && (subject === null || sameId(subject, happening.subject))
  }
  if (!on.delivery) return false
  const { delivery } = happening
  const wanted = on.delivery.subject ?? subject ?? delivery.subject
  return (on.delivery.type ?? delivery.type) === delivery.type && sameId(wanted, delivery.subject)
}

/** Whether two ids are one, in any letter case. */
function sameId(one: string, other: string | null): boolean {
  return one.toLowerCase() === other?.toLowerCase()
}

/** Ids of the faults that never fired. */
export function unusedFaults({ faults }: Pick<Faulty, 'faults'>): string[] {
  return faults.filter(({ fired }) => fired === 0).map(({ id }) => id)
}
