// Owns the calls whose answers a fault holds back: waiting some host time or until released, and letting go.
import { after } from '../kernel/timers.ts'
import type { Millis } from '../kernel/brands.ts'
import type { Random } from '../kernel/random.ts'
import { MAX_HOST_WAIT_MS } from './faultKinds.ts'
import type { FaultActionOf } from './faultKinds.ts'

/** One answer that waits. */
export interface HeldCall {
  /** Id of the fault that holds it. */
  fault: string
  /** Kept once it is let go. */
  released: Promise<void>
  /** Lets it go; can be called again. */
  letGo(): void
}

/** What holding needs of a world. */
interface Holding {
  heldCalls: Set<HeldCall>
}

/** How long an answer waits, in host milliseconds; null until it is released. */
export function latencyOf(random: Random, { latencyMs }: FaultActionOf<'latency'>): Millis | null {
  if (latencyMs === 'untilReleased') return null
  if (typeof latencyMs === 'number') return latencyMs as Millis
  if ('median' in latencyMs) {
    const { median, sigma } = latencyMs
    const drawn = Math.round(median * Math.exp(sigma * normal(random)))
    return Math.min(drawn, MAX_HOST_WAIT_MS) as Millis
  }
  const { from, to } = latencyMs
  return (from + random.below(Math.max(0, to - from) + 1)) as Millis
}

/** A draw of the standard normal distribution (Box and Muller). */
function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.fraction())) * Math.cos(2 * Math.PI * random.fraction())
}

/** Holds an answer until the host time is over, it is released, its caller is gone, or its world begins anew or ends. */
export function holdCall(world: Holding, fault: string, wait: Millis | null, gone: AbortSignal): HeldCall {
  let resolve = (): void => undefined
  const released = new Promise<void>((done) => {
    resolve = done
  })
  const letGo = (): void => {
    callOff()
    gone.removeEventListener('abort', letGo)
    world.heldCalls.delete(held)
    resolve()
  }
  const held: HeldCall = { fault, released, letGo }
  const callOff = wait === null ? (): void => undefined : after(wait, letGo)
  gone.addEventListener('abort', letGo)
  world.heldCalls.add(held)
  return held
}

/** Lets go of the calls that a fault holds, or of all; answers how many. */
export function releaseCalls({ heldCalls }: Pick<Holding, 'heldCalls'>, fault?: string): number {
  const released = [...heldCalls].filter((held) => fault === undefined || held.fault === fault)
  for (const held of released) held.letGo()
  return released.length
}
