// Owns a world's clock: it only moves forward, frozen until told or flowing with the host at a rate.
import { invariant } from './assert.ts'
import { instant, LAST_INSTANT, toTimestamp } from './time.ts'
import type { Instant, Millis, Timestamp } from './brands.ts'
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
  /** Grows whenever it is set otherwise than by flowing. */
  readonly moves: number
  now(): Instant
  /** The current instant as text. */
  stamp(): Timestamp
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

/** Writes instants out, and remembers the last one: many things happen at one instant. */
function createWriter(first: Instant): (at: Instant) => Timestamp {
  let written = { at: first, text: toTimestamp(first) }
  return (at) => {
    if (written.at !== at) written = { at, text: toTimestamp(at) }
    return written.text
  }
}

/** A clock that goes on from a saved state. */
export function createClock(host: HostTime, saved: ClockState): Clock {
  let anchor = saved.at
  let anchorHost = host.stopwatch()
  let held = false
  let pinned: Millis | null = null
  const read = (): Millis => pinned ?? host.stopwatch()

  const running = (): boolean => clock.mode === 'flowing' && !held
  function shownAt(stopwatch: Millis): Instant {
    if (!running()) return anchor
    const passed = Math.max(0, stopwatch - anchorHost)
    return instant(Math.min(LAST_INSTANT, anchor + Math.floor(passed * clock.rate)))
  }

  const now = (): Instant => shownAt(read())

  const write = createWriter(saved.at)

  /** Reads the stopwatch once: between two readings a flowing clock moves on, and its own instant is in the past. */
  function settleAt(at?: Instant): void {
    const stopwatch = read()
    const shown = shownAt(stopwatch)
    invariant(at === undefined || at >= shown, 'a clock only moves forward')
    anchor = at ?? shown
    clock.moves += 1
    anchorHost = stopwatch
  }

  // Plain fields, not getters: an object with getters of its own takes a kilobyte of each world.
  const clock: { -readonly [Field in keyof Clock]: Clock[Field] } = {
    mode: saved.mode,
    rate: saved.rate,
    moves: 0,
    now,
    stamp: () => write(now()),
    freeze(at) {
      settleAt(at)
      clock.mode = 'frozen'
    },
    flow(next) {
      invariant(next > 0 && next <= MAX_CLOCK_RATE, `not a rate: ${next}`)
      settleAt()
      clock.mode = 'flowing'
      clock.rate = next
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
    hostWait: (until) =>
      running() ? (Math.max(0, Math.ceil((until - now()) / clock.rate)) as Millis) : null,
    save: () => ({ mode: clock.mode, at: now(), rate: clock.rate }),
  }
  return clock
}
