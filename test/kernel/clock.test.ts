// Checks a world's clock on a fake host: frozen, flowing at a rate, held, saved, and always forward.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { InvariantError } from '../../src/kernel/assert.ts'
import { createClock, MAX_CLOCK_RATE } from '../../src/kernel/clock.ts'
import { instant, LAST_INSTANT } from '../../src/kernel/time.ts'
import { fakeHost } from '../support/fakeHost.ts'
import type { Clock, ClockMode } from '../../src/kernel/clock.ts'
import type { FakeHost } from '../support/fakeHost.ts'

const START = instant(1_893_456_000_000)

function start(mode: ClockMode, rate = 1): { host: FakeHost; clock: Clock } {
  const host = fakeHost()
  host.stopwatchAt = 12_345
  return { host, clock: createClock(host, { mode, at: START, rate }) }
}

/** Milliseconds of world time since the start. */
const shown = (clock: Clock): number => clock.now() - START

const ahead = (millis: number): ReturnType<typeof instant> => instant(START + millis)

describe('a frozen clock', () => {
  test('shows the instant it was given, however long the host runs', () => {
    const { host, clock } = start('frozen')
    host.stopwatchAt += 86_400_000
    expect(clock.mode).toBe('frozen')
    expect(shown(clock)).toBe(0)
  })

  test('moves when told and stays frozen there', () => {
    const { host, clock } = start('frozen')
    clock.moveTo(ahead(1_860_000))
    host.stopwatchAt += 5_000
    expect(shown(clock)).toBe(1_860_000)
    expect(clock.mode).toBe('frozen')
  })

  test('may be moved to the instant it already shows', () => {
    const { clock } = start('frozen')
    clock.moveTo(START)
    expect(shown(clock)).toBe(0)
  })

  test('refuses to move back by a single millisecond, and stays where it was', () => {
    const { clock } = start('frozen')
    expect(() => clock.moveTo(ahead(-1))).toThrow(InvariantError)
    expect(() => clock.freeze(ahead(-1))).toThrow('a clock only moves forward')
    expect(shown(clock)).toBe(0)
  })

  test('never gets anywhere by itself', () => {
    const { clock } = start('frozen')
    expect(clock.hostWait(ahead(1))).toBeNull()
    expect(clock.hostWait(START)).toBeNull()
  })
})

describe('a flowing clock', () => {
  test.each([
    [1, 0, 0],
    [1, 999, 999],
    [60, 1_000, 60_000],
    [0.5, 1_000, 500],
    [0.5, 999, 499],
    [MAX_CLOCK_RATE, 1, 1_000_000],
  ])('at rate %d shows, after %d ms of the host, %d ms more', (rate, passed, expected) => {
    const { host, clock } = start('flowing', rate)
    host.stopwatchAt += passed
    expect(shown(clock)).toBe(expected)
  })

  test('follows the stopwatch and not the calendar of the host, which may jump', () => {
    const { host, clock } = start('flowing')
    host.wallAt = 4_000_000_000_000
    expect(shown(clock)).toBe(0)
    host.wallAt = 0
    host.stopwatchAt += 7
    expect(shown(clock)).toBe(7)
  })

  test('flows on from where it was moved to', () => {
    const { host, clock } = start('flowing', 2)
    host.stopwatchAt += 10
    clock.moveTo(ahead(1_000))
    host.stopwatchAt += 10
    expect(shown(clock)).toBe(1_020)
    expect(clock.mode).toBe('flowing')
  })

  test('refuses to be moved behind what it has flowed to', () => {
    const { host, clock } = start('flowing')
    host.stopwatchAt += 10
    expect(() => clock.moveTo(ahead(9))).toThrow(InvariantError)
    expect(shown(clock)).toBe(10)
  })

  test('takes a new rate from the current instant on, without counting the past again', () => {
    const { host, clock } = start('flowing', 10)
    host.stopwatchAt += 100
    clock.flow(3)
    expect(clock.rate).toBe(3)
    expect(shown(clock)).toBe(1_000)
    host.stopwatchAt += 100
    expect(shown(clock)).toBe(1_300)
  })

  test('stops where it is when frozen, and starts there when it flows again', () => {
    const { host, clock } = start('flowing')
    host.stopwatchAt += 40
    clock.freeze()
    host.stopwatchAt += 1_000
    expect([clock.mode, shown(clock)]).toEqual(['frozen', 40])
    clock.flow(1)
    host.stopwatchAt += 2
    expect([clock.mode, shown(clock)]).toEqual(['flowing', 42])
  })

  test('can be frozen at a later instant', () => {
    const { host, clock } = start('flowing')
    host.stopwatchAt += 40
    clock.freeze(ahead(500))
    expect([clock.mode, shown(clock)]).toEqual(['frozen', 500])
  })

  test('stops at the last instant instead of leaving the calendar', () => {
    const host = fakeHost()
    const clock = createClock(host, { mode: 'flowing', at: instant(LAST_INSTANT - 5), rate: MAX_CLOCK_RATE })
    host.stopwatchAt += 1_000
    expect(clock.now()).toBe(LAST_INSTANT)
  })

  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, MAX_CLOCK_RATE + 1])(
    'refuses the rate %d',
    (rate) => {
      const { clock } = start('frozen')
      expect(() => clock.flow(rate)).toThrow('not a rate')
      expect(clock.mode).toBe('frozen')
    },
  )

  test('takes the highest rate', () => {
    const { clock } = start('frozen')
    clock.flow(MAX_CLOCK_RATE)
    expect(clock.rate).toBe(MAX_CLOCK_RATE)
  })

  test.each(['hold', 'freeze', 'flow'] as const)(
    'can be told to %s although the stopwatch runs on while it is read',
    (order) => {
      const { host, clock } = start('flowing', 1_000)
      host.perReading = 1
      const tell = { hold: () => clock.hold(), freeze: () => clock.freeze(), flow: () => clock.flow(2) }
      expect(tell[order]).not.toThrow()
    },
  )
})

describe('a held clock', () => {
  test('stands still although it flows, and does not count the host time of the hold', () => {
    const { host, clock } = start('flowing')
    host.stopwatchAt += 5
    clock.hold()
    host.stopwatchAt += 1_000
    expect(shown(clock)).toBe(5)
    expect(clock.mode).toBe('flowing')
    clock.release()
    expect(shown(clock)).toBe(5)
    host.stopwatchAt += 3
    expect(shown(clock)).toBe(8)
  })

  test('moves when told, and flows on from there once released', () => {
    const { host, clock } = start('flowing', 2)
    clock.hold()
    clock.moveTo(ahead(60_000))
    host.stopwatchAt += 77
    expect(shown(clock)).toBe(60_000)
    clock.release()
    host.stopwatchAt += 1
    expect(shown(clock)).toBe(60_002)
  })

  test('gets nowhere by itself', () => {
    const { clock } = start('flowing')
    clock.hold()
    expect(clock.hostWait(ahead(10))).toBeNull()
    clock.release()
    expect(clock.hostWait(ahead(10))).toBe(10)
  })

  test('that is frozen stays frozen after the release', () => {
    const { host, clock } = start('frozen')
    clock.hold()
    clock.release()
    host.stopwatchAt += 100
    expect(shown(clock)).toBe(0)
  })

  test('can be frozen and set flowing meanwhile, and obeys after the release', () => {
    const { host, clock } = start('frozen')
    clock.hold()
    clock.flow(4)
    host.stopwatchAt += 100
    expect(shown(clock)).toBe(0)
    clock.release()
    host.stopwatchAt += 1
    expect(shown(clock)).toBe(4)
  })

  test('that was not held goes on undisturbed when released', () => {
    const { host, clock } = start('flowing')
    host.stopwatchAt += 100
    clock.release()
    expect(shown(clock)).toBe(100)
  })
})

describe('a pinned clock', () => {
  test('shows one instant however long that takes, also in what runs within, and flows on after', () => {
    const { host, clock } = start('flowing')
    const seen = clock.pin(() => {
      host.stopwatchAt += 5
      const within = clock.pin(() => shown(clock))
      host.stopwatchAt += 5
      return [within, shown(clock)]
    })
    expect(seen).toEqual([0, 0])
    expect(shown(clock)).toBe(10)
  })

  test('flows on after something failed', () => {
    const { host, clock } = start('flowing')
    const fail = (): never => {
      throw new RangeError('failed')
    }
    expect(() => clock.pin(fail)).toThrow('failed')
    host.stopwatchAt += 5
    expect(shown(clock)).toBe(5)
  })
})

test('a clock counts how often it is set, and not how far it flows', () => {
  const { host, clock } = start('flowing')
  const orders = [
    () => clock.moveTo(ahead(50)),
    () => clock.freeze(),
    () => clock.flow(2),
    () => clock.hold(),
  ]
  const counted = orders.map((order) => {
    const before = clock.moves
    order()
    host.stopwatchAt += 1
    return clock.moves - before
  })
  expect(counted).toEqual([1, 1, 1, 1])
})

describe('the host time until a flowing clock shows an instant', () => {
  test.each([
    [1, 0, 0],
    [1, 250, 250],
    [1, -250, 0],
    [60, 60_000, 1_000],
    [60, 60_001, 1_001],
    [0.5, 10, 20],
    [MAX_CLOCK_RATE, 1, 1],
  ])('at rate %d for an instant %d ms ahead is %d ms', (rate, by, wait) => {
    expect(start('flowing', rate).clock.hostWait(ahead(by))).toBe(wait)
  })

  test('is enough and not a millisecond too long, at any whole rate', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: MAX_CLOCK_RATE }),
        fc.nat(10_000),
        fc.integer({ min: 1, max: 1_000_000_000 }),
        (rate, passed, by) => {
          const { host, clock } = start('flowing', rate)
          host.stopwatchAt += passed
          const until = instant(clock.now() + by)
          const wait = clock.hostWait(until) ?? Number.NaN
          host.stopwatchAt += wait - 1
          expect(clock.now()).toBeLessThan(until)
          host.stopwatchAt += 1
          expect(clock.now()).toBeGreaterThanOrEqual(until)
        },
      ),
    )
  })
})

describe('a saved clock', () => {
  test.each(['frozen', 'flowing'] as const)('goes on %s, on another host', (mode) => {
    const { host, clock } = start(mode, 5)
    clock.moveTo(ahead(100))
    host.stopwatchAt += 10
    const saved = clock.save()
    const at = mode === 'frozen' ? ahead(100) : ahead(150)
    expect(saved).toEqual({ mode, at, rate: 5 })
    expect(JSON.parse(JSON.stringify(saved))).toEqual(saved)

    const other = fakeHost()
    other.stopwatchAt = 99
    const restored = createClock(other, saved)
    expect(restored.now()).toBe(at)
    other.stopwatchAt += 10
    expect(restored.now()).toBe(mode === 'frozen' ? at : at + 50)
  })

  test('keeps the mode behind a hold, which is not saved', () => {
    const { clock } = start('flowing', 5)
    clock.hold()
    const host = fakeHost()
    const restored = createClock(host, clock.save())
    host.stopwatchAt += 1
    expect(restored.now()).toBe(ahead(5))
  })
})

type Step =
  | { do: 'hostRuns' | 'moveBy' | 'freezeIn' | 'flow'; by: number }
  | { do: 'holdAndRelease'; by: number; moveBy: number }
  | { do: 'saveAndRestore' }

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constantFrom('hostRuns', 'moveBy', 'freezeIn', 'flow'),
    by: fc.integer({ min: 1, max: 100_000 }),
  }),
  fc.record({ do: fc.constant('holdAndRelease' as const), by: fc.nat(10_000), moveBy: fc.nat(10_000) }),
  fc.record({ do: fc.constant('saveAndRestore' as const) }),
)

test('no sequence of orders, waits and restores ever moves a clock back, or by more than it was told', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 40 }), (steps) => {
      let { host, clock } = start('frozen')
      let expected = 0
      for (const step of steps) {
        switch (step.do) {
          case 'hostRuns':
            host.stopwatchAt += step.by
            if (clock.mode === 'flowing') expected += step.by * clock.rate
            break
          case 'moveBy':
            clock.moveTo(instant(clock.now() + step.by))
            expected += step.by
            break
          case 'freezeIn':
            clock.freeze(instant(clock.now() + step.by))
            expected += step.by
            break
          case 'flow':
            clock.flow(step.by)
            break
          case 'holdAndRelease':
            clock.hold()
            host.stopwatchAt += step.by
            clock.moveTo(instant(clock.now() + step.moveBy))
            clock.release()
            expected += step.moveBy
            break
          case 'saveAndRestore': {
            const saved = clock.save()
            host = fakeHost()
            clock = createClock(host, saved)
            break
          }
          default:
            step satisfies never
        }
        expect(shown(clock)).toBe(expected)
      }
    }),
  )
})
