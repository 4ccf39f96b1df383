// Owns the calls whose answers a fault holds back: waiting some host time or until released, and letting go.
import { after } from '../kernel/timers.ts'
import type { Millis } from '../kernel/brands.ts'
import type { Random } from '../kernel/random.ts'
import type { FaultActionOf } from './faultKinds.ts'

/** One answer that waits. */
export interface HeldCall {
  /** Id of the fault that holds it. */
  fault: string
  letGo(): void
}

/** What holding needs of a world. */
interface Holding {
  heldCalls: Set<HeldCall>
  random: Random
}

/** How long an answer waits, in host milliseconds; null until it is released. */
export function latencyOf(random: Random, { latencyMs }: FaultActionOf<'latency'>): Millis | null {
  if (latencyMs === 'untilReleased') return null
  if (typeof latencyMs === 'number') return latencyMs as Millis
  if ('median' in latencyMs) {
    const { median, sigma } = latencyMs
    return Math.round(median * Math.exp(sigma * normal(random))) as Millis
  }
  const { from, to } = latencyMs
  return (from + random.below(Math.max(0, to - from) + 1)) as Millis
}

/** A draw of the standard normal distribution (Box and Muller). */
function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.fraction())) * Math.cos(2 * Math.PI * random.fraction())
}

/** Waits until the host time is over, the call is released, or its world begins anew or ends. */
export function holdCall(world: Holding, fault: string, wait: Millis | null): Promise<void> {
  return new Promise((resolve) => {
    const held: HeldCall = {
      fault,
      letGo() {
        callOff()
        world.heldCalls.delete(held)
        resolve()
      },
    }
    const callOff = wait === null ? (): void => undefined : after(wait, () => held.letGo())
    world.heldCalls.add(held)
  })
}

/** Lets go of the calls that a fault holds, or of all; answers how many. */
export function releaseCalls({ heldCalls }: Pick<Holding, 'heldCalls'>, fault?: string): number {
  const released = [...heldCalls].filter((held) => fault === undefined || held.fault === fault)
  for (const held of released) held.letGo()
  return released.length
}
