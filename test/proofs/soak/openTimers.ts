// Owns counting the timers of a process that have not fired and were not called off: also those that keep nobody awake,
// which Node does not tell of. It has to be loaded before what it counts.
import { syncBuiltinESMExports } from 'node:module'

const timers = process.getBuiltinModule('node:timers')
const real = { set: timers.setTimeout, clear: timers.clearTimeout }
const open: Set<unknown> = new Set()

function counted(
  callback: (...words: unknown[]) => void,
  wait?: number,
  ...words: unknown[]
): NodeJS.Timeout {
  const fire = (): void => {
    open.delete(timer)
    callback(...words)
  }
  const timer = real.set(fire, wait)
  open.add(timer)
  return timer
}

function calledOff(timer: Parameters<typeof clearTimeout>[0]): void {
  open.delete(timer)
  real.clear(timer)
}

Object.assign(timers, { setTimeout: Object.assign(counted, real.set), clearTimeout: calledOff })
Object.assign(globalThis, { setTimeout: timers.setTimeout, clearTimeout: calledOff })
syncBuiltinESMExports()

/** How many timers are open now. */
export function openTimers(): number {
  return open.size
}
