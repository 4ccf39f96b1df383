// Checks the arithmetic of time: what is read as an instant or a length of time, and how both are written.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { InvariantError } from '../../src/kernel/assert.ts'
import {
  DAY,
  FIRST_INSTANT,
  formatDuration,
  fromTimestamp,
  HOUR,
  instant,
  isInstant,
  LAST_INSTANT,
  later,
  MINUTE,
  parseDuration,
  parseInstant,
  SECOND,
  toTimestamp,
} from '../../src/kernel/time.ts'
import type { Instant, Millis, Timestamp } from '../../src/kernel/brands.ts'

const anyInstant = fc.integer({ min: FIRST_INSTANT, max: LAST_INSTANT }).map(instant)
const anyLength = fc.oneof(
  fc.integer({ min: 0, max: LAST_INSTANT }),
  fc.tuple(fc.nat(1_000), fc.constantFrom(1, SECOND, MINUTE, HOUR, DAY)).map(([count, unit]) => count * unit),
) as fc.Arbitrary<Millis>

describe('an instant', () => {
  test.each([
    ['1970-01-01T00:00:00.000Z', 0],
    ['2030-01-01T12:00:00.000Z', 1_893_499_200_000],
    ['9999-12-31T23:59:59.999Z', LAST_INSTANT],
  ])('%s is written from %d milliseconds and read back', (text, millis) => {
    expect(toTimestamp(instant(millis))).toBe(text)
    expect(fromTimestamp(text as Timestamp)).toBe(millis)
  })

  test('survives being written and read, by us and as if typed by a person', () => {
    fc.assert(
      fc.property(anyInstant, (at) => {
        expect(fromTimestamp(toTimestamp(at))).toBe(at)
        expect(parseInstant(toTimestamp(at))).toBe(at)
      }),
    )
  })

  test('sorts as text like it sorts as a number', () => {
    fc.assert(
      fc.property(anyInstant, anyInstant, (a, b) => {
        expect(toTimestamp(a) < toTimestamp(b)).toBe(a < b)
      }),
    )
  })

  test.each([-1, 0.5, LAST_INSTANT + 1, Number.NaN, Number.POSITIVE_INFINITY])('is never %d', (value) => {
    expect(isInstant(value)).toBe(false)
    expect(() => instant(value)).toThrow(InvariantError)
  })

  test('of a text that is no timestamp is a defect, not a number', () => {
    expect(() => fromTimestamp('yesterday' as Timestamp)).toThrow('not an instant: NaN')
  })

  test('that lies later stays within the last instant', () => {
    expect(later(instant(5), DAY)).toBe(86_400_005)
    expect(later(LAST_INSTANT, 1 as Millis)).toBe(LAST_INSTANT)
    expect(later(instant(LAST_INSTANT - 10), 9 as Millis)).toBe(LAST_INSTANT - 1)
  })
})

describe('an instant typed by a person', () => {
  test.each([
    ['2030-01-01', '2030-01-01T00:00:00.000Z'],
    ['2030-01-01T12:30Z', '2030-01-01T12:30:00.000Z'],
    ['2030-01-01T12:30:15Z', '2030-01-01T12:30:15.000Z'],
    ['2030-01-01T12:30:15.5Z', '2030-01-01T12:30:15.500Z'],
    ['2030-01-01T12:30:15.123456789Z', '2030-01-01T12:30:15.123Z'],
    ['2030-01-01t12:30:15z', '2030-01-01T12:30:15.000Z'],
    ['2030-01-01T00:00:00-03:00', '2030-01-01T03:00:00.000Z'],
    ['2030-01-01T00:00:00+05:30', '2029-12-31T18:30:00.000Z'],
    ['1969-12-31T21:00:00-03:00', '1970-01-01T00:00:00.000Z'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
    ['2000-02-29', '2000-02-29T00:00:00.000Z'],
    ['2030-01-01T24:00:00Z', '2030-01-02T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('%s is read as %s', (text, expected) => {
    expect(toTimestamp(parseInstant(text) as Instant)).toBe(expected)
  })

  test.each([
    ['nothing', ''],
    ['a word', 'now'],
    ['a number', '1893499200000'],
    ['a time without a zone', '2030-01-01T12:00:00'],
    ['an hour without minutes', '2030-01-01T12Z'],
    ['blanks around it', ' 2030-01-01 '],
    ['a blank instead of T', '2030-01-01 12:00:00Z'],
    ['a day in short', '2030-1-1'],
    ['a month 13', '2030-13-01'],
    ['a month 0', '2030-00-10'],
    ['a day 0', '2030-01-00'],
    ['a 30th of February', '2030-02-30'],
    ['a 29th of February without a leap year', '2030-02-29'],
    ['a 29th of February in 2100', '2100-02-29T00:00:00Z'],
    ['a 31st of April', '2030-04-31T10:00:00-03:00'],
    ['an hour 25', '2030-01-01T25:00:00Z'],
    ['a minute 60', '2030-01-01T10:60:00Z'],
    ['a second 60', '2030-01-01T10:00:60Z'],
    ['an offset of a day', '2030-01-01T10:00:00+24:00'],
    ['a date before 1970', '1969-12-31'],
    ['a date before 1970 by its offset', '1970-01-01T00:00:00+01:00'],
    ['a date after 9999 by its offset', '9999-12-31T23:59:00-00:01'],
    ['a year of five digits', '02030-01-01'],
    ['a year of six digits', '+012030-01-01T00:00:00Z'],
  ])('is refused when it is %s', (_what, text) => {
    expect(parseInstant(text)).toBeNull()
  })
})

describe('a length of time typed by a person', () => {
  test.each([
    ['0s', 0],
    ['1500ms', 1_500],
    ['5s', 5_000],
    ['1.5s', 1_500],
    ['1.005s', 1_005],
    ['31m', 1_860_000],
    ['25h', 90_000_000],
    ['7d', 604_800_000],
    ['PT31M', 1_860_000],
    ['PT5S', 5_000],
    ['PT0.25S', 250],
    ['P1DT2H', 93_600_000],
    ['P1W', 604_800_000],
    ['P1W2DT3H4M5.678S', 788_645_678],
    ['pt1h', 3_600_000],
    [`${LAST_INSTANT}ms`, LAST_INSTANT],
  ])('%s is %d milliseconds', (text, millis) => {
    expect(parseDuration(text)).toBe(millis)
  })

  test.each([
    ['nothing', ''],
    ['a bare number', '5'],
    ['a bare unit', 's'],
    ['a negative', '-5s'],
    ['a sign', '+5s'],
    ['a blank before the unit', '5 s'],
    ['blanks around it', ' 5s '],
    ['an unknown unit', '5w'],
    ['a unit in upper case', '5S'],
    ['two units', '5m30s'],
    ['an exponent', '1e3s'],
    ['more than three decimals', '1.2345s'],
    ['longer than the calendar', `${LAST_INSTANT + 1}ms`],
    ['far longer than the calendar', '999999999999999d'],
    ['an ISO duration with a sign', '-P1D'],
    ['an ISO duration without parts', 'P'],
    ['an ISO time without parts', 'P1DT'],
    ['ISO months', 'P1M'],
    ['ISO years', 'P1Y'],
    ['ISO parts in disorder', 'PT5S1H'],
    ['ISO fractions of hours', 'PT1.5H'],
    ['an ISO number beyond all numbers', `PT${'9'.repeat(400)}S`],
  ])('is refused when it is %s', (_what, text) => {
    expect(parseDuration(text)).toBeNull()
  })

  test('means the same in ISO as the sum of its parts', () => {
    fc.assert(
      fc.property(fc.nat(50), fc.nat(50), fc.nat(100), fc.nat(100), fc.nat(100_000), (w, d, h, m, ms) => {
        const text = `P${w}W${d}DT${h}H${m}M${(ms / 1_000).toFixed(3)}S`
        expect(parseDuration(text)).toBe(((w * 7 + d) * 24 + h) * HOUR + m * MINUTE + ms)
      }),
    )
  })
})

describe('a length of time for people', () => {
  test.each([
    [0, '0ms'],
    [1, '1ms'],
    [1_500, '1500ms'],
    [5_000, '5s'],
    [90_000, '90s'],
    [1_860_000, '31m'],
    [3_600_000, '1h'],
    [90_000_000, '25h'],
    [604_800_000, '7d'],
  ])('of %d milliseconds is written %s', (millis, text) => {
    expect(formatDuration(millis as Millis)).toBe(text)
  })

  test('is read back as what it was', () => {
    fc.assert(
      fc.property(anyLength, (length) => {
        expect(parseDuration(formatDuration(length))).toBe(length)
      }),
    )
  })

  test('never uses a unit when a larger one stays whole', () => {
    fc.assert(
      fc.property(anyLength, (length) => {
        const [, count = '', unit = ''] = /^(\d+)(ms|s|m|h|d)$/.exec(formatDuration(length)) ?? []
        const next = { ms: 1_000, s: 60, m: 60, h: 24 }[unit]
        expect(length === 0 || next === undefined || Number(count) % next > 0).toBe(true)
      }),
    )
  })
})
