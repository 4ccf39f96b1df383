// Owns which record a step is about, and saying in a scenario what no step of it can.
import { tell } from './story.ts'
import { ownerOf } from './world.ts'
import type { Caller } from '../../properties/calls.ts'
import type { GatewayCall } from './gateway.ts'
import type { Kind, Known, Life, ModelWorld } from './world.ts'

/** The id that no record has. */
export const NO_ID = '00000000-0000-4000-8000-000000000000'

/** A record that is meant: its place, or none. */
export interface Picked {
  place: number
  id: string
  said: string
  found: boolean
  by: Caller
}

/** The record that was made last but `nth`, counted round. */
export function pick(life: Life, kind: Kind | 'customers', nth: number): Picked {
  const all: readonly Known[] = life[kind]
  const place = all.length - 1 - (nth % Math.max(all.length, 1))
  const one = all[place]
  if (!one) return { place: -1, id: NO_ID, said: NO_ID, found: false, by: 'sandbox' }
  return { place, id: one.id, said: one.said, found: true, by: ownerOf(one) }
}

/** The part of a call that names a record. */
export function pathOf({ id, said, found }: Picked): Pick<GatewayCall, 'id' | 'said' | 'found'> {
  return { id, said, found }
}

/** Says what no step of a scenario can. */
export function sayOnly(world: ModelWorld, comment: string): void {
  tell(world.life, { comment })
}
