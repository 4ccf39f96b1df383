// Owns a host whose time tests set by hand.
import type { Instant, Millis } from '../../src/kernel/brands.ts'
import type { HostTime } from '../../src/kernel/hostTime.ts'

/** A host that shows what it was told. */
export interface FakeHost extends HostTime {
  /** What the calendar shows, in milliseconds since 1970. */
  wallAt: number
  /** What the stopwatch shows, in milliseconds. */
  stopwatchAt: number
  /** Milliseconds by which the stopwatch runs on with every reading, as a real one may. */
  perReading: number
}

/** A host that stands still at 0. */
export function fakeHost(): FakeHost {
  return {
    wallAt: 0,
    stopwatchAt: 0,
    perReading: 0,
    wall() {
      return this.wallAt as Instant
    },
    stopwatch() {
      const shown = this.stopwatchAt
      this.stopwatchAt += this.perReading
      return shown as Millis
    },
  }
}
