// Owns the host's time: the only file that reads it. Everything else is on a world's clock.
import type { Instant, Millis } from './brands.ts'

/** Two readings of the host: the calendar, which may jump, and a stopwatch, which only runs forward. */
export interface HostTime {
  /** The host's calendar time. */
  wall(): Instant
  /** Milliseconds on the host's stopwatch, from an arbitrary start. */
  stopwatch(): Millis
}

// Taken once: a test process may replace the global ones by fake timers while a sandbox runs in it.
const { now: wall } = Date
const { performance: stopwatch } = globalThis

/** The machine we run on. */
export const hostTime: HostTime = {
  wall: () => wall() as Instant,
  stopwatch: () => Math.floor(stopwatch.now()) as Millis,
}
