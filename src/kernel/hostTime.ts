// Owns the host's time: the only file that reads it. Everything else is on a world's clock.
import type { Instant, Millis } from './brands.ts'

/** Two readings of the host: the calendar, which may jump, and a stopwatch, which only runs forward. */
export interface HostTime {
  /** The host's calendar time. */
  wall(): Instant
  /** Milliseconds on the host's stopwatch, from an arbitrary start. */
  stopwatch(): Millis
}

/** The machine we run on. */
export const hostTime: HostTime = {
  wall: () => Date.now() as Instant,
  stopwatch: () => Math.floor(performance.now()) as Millis,
}
