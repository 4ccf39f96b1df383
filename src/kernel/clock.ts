// Owns a world's clock: it only moves forward, frozen until told or flowing with the host at a rate.
import { invariant } from './assert.ts'
import { instant, LAST_INSTANT } from './time.ts'
import type { Instant, Millis } from './brands.ts'
import type { HostTime } from './hostTime.ts'

/** What a clock is saved as. `at` is the instant it showed when saved; `rate` is world seconds for one host second. */
export interface ClockState {
  mode: ClockMode
  at: Instant
  rate: number
}

/** `frozen` moves only when told; `flowing` moves with the host. */
export type ClockMode = 'frozen' | 'flowing'

/** The highest rate of a flowing clock: about eleven and a half days of world time in a host second. */
export const MAX_CLOCK_RATE = 1_000_000

/** A clock that only moves forward. */
export interface Clock {
  readonly mode: ClockMode
  /** World seconds for each host second while flowing. */
  readonly rate: number
  now(): Instant
  /** Stops at the current instant, or at a later one. */
  freeze(at?: Instant): void
  /** Goes on with the host from the current instant. */
  flow(rate: number): void
  /** Moves forward to an instant; stays in its mode. */
  moveTo(at: Instant): void
  /** Runs something during which the clock shows one instant, however long it takes, unless it is moved. */
  pin<T>(run: () => T): T
  /** Stops at the current instant, whatever the mode, until `release`. Used while time is stepped from due to due. */
  hold(): void
  /** Ends `hold`: a flowing clock flows on from where it stands. */
  release(): void
  /** Host time until a flowing clock shows an instant; null when it does not get there by itself. */
  hostWait(until: Instant): Millis | null
  save(): ClockState
}

/** A clock that goes on from a saved state. */
export function createClock(host: HostTime, saved: ClockState): Clock {
  let { mode, rate } = saved
  let anchor = saved.at
  let anchorHost = host.stopwatch()
  let held = false
  let pinned: Millis | null = null

  const read = (): Millis => pinned ?? host.stopwatch()

  const running = (): boolean => mode === 'flowing' && !held

  function shownAt(stopwatch: Millis): Instant {
    if (!running()) return anchor
    const passed = Math.max(0, stopwatch - anchorHost)
    return instant(Math.min(LAST_INSTANT, anchor + Math.floor(passed * rate)))
  }

  const now = (): Instant => shownAt(read())

  /** Reads the stopwatch once: between two readings a flowing clock moves on, and its own instant is in the past. */
  function settleAt(at?: Instant): void {
    const stopwatch = read()
    const shown = shownAt(stopwatch)
    invariant(at === undefined || at >= shown, 'a clock only moves forward')
    anchor = at ?? shown
    anchorHost = stopwatch
  }

  return {
    get mode() {
      return mode
    },
    get rate() {
      return rate
    },
    now,
    freeze(at) {
      settleAt(at)
      mode = 'frozen'
    },
    flow(next) {
      invariant(next > 0 && next <= MAX_CLOCK_RATE, `not a rate: ${next}`)
      settleAt()
      mode = 'flowing'
      rate = next
    },
    moveTo: settleAt,
    pin(run) {
      if (pinned !== null) return run()
      pinned = host.stopwatch()
      try {
        return run()
      } finally {
        pinned = null
      }
    },
    hold() {
      settleAt()
      held = true
    },
    release() {
      if (!held) return
      held = false
      anchorHost = read()
    },
    hostWait: (until) => (running() ? (Math.max(0, Math.ceil((until - now()) / rate)) as Millis) : null),
    save: () => ({ mode, at: now(), rate }),
  }
}
