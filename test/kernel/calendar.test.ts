// Checks the civil calendar of America/Sao_Paulo, also on the days on which its clocks were changed.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, dayOf, parseDay, startOfDay, weekdayOf } from '../../src/kernel/calendar.ts'
import { HOUR, instant, parseInstant, toTimestamp } from '../../src/kernel/time.ts'
import type { CalendarDay } from '../../src/kernel/calendar.ts'
import type { Instant } from '../../src/kernel/brands.ts'

const day = (text: string): CalendarDay => text as CalendarDay
const at = (text: string): Instant => parseInstant(text) as Instant

/** Every day from the first to the last, both included. */
function* days(first: string, last: string): Generator<CalendarDay> {
  for (let next = day(first); next <= last; next = addDays(next, 1)) yield next
}

const anyDay = fc
  .integer({ min: Date.UTC(1970, 0, 2) / 86_400_000, max: Date.UTC(9999, 11, 31) / 86_400_000 })
  .map((number) => day(new Date(number * 86_400_000).toISOString().slice(0, 10)))

describe('the day of an instant', () => {
  test.each([
    ['2024-01-01T02:59:59.999Z', '2023-12-31', 'the last millisecond at UTC-3'],
    ['2024-01-01T03:00:00.000Z', '2024-01-01', 'midnight at UTC-3, without summer time since 2019'],
    ['2018-07-01T02:59:59.999Z', '2018-06-30', 'the last millisecond at UTC-3, in winter'],
    ['2018-07-01T03:00:00.000Z', '2018-07-01', 'midnight at UTC-3, in winter'],
    ['2018-01-01T01:59:59.999Z', '2017-12-31', 'the last millisecond at UTC-2, in summer time'],
    ['2018-01-01T02:00:00.000Z', '2018-01-01', 'midnight at UTC-2, in summer time'],
    ['2018-11-04T02:59:59.999Z', '2018-11-03', '23:59:59.999, after which the clocks skip to 01:00'],
    ['2018-11-04T03:00:00.000Z', '2018-11-04', '01:00, after the skipped midnight'],
    ['2018-02-18T01:59:59.999Z', '2018-02-17', '23:59:59.999, after which the clocks go back to 23:00'],
    ['2018-02-18T02:00:00.000Z', '2018-02-17', '23:00 for the second time'],
    ['2018-02-18T02:59:59.999Z', '2018-02-17', '23:59:59.999 for the second time'],
    ['2018-02-18T03:00:00.000Z', '2018-02-18', 'midnight, one hour late'],
    ['1970-01-01T00:00:00.000Z', '1969-12-31', 'the first instant'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31', 'the last instant'],
  ])('%s is %s: %s', (text, expected) => {
    expect(dayOf(at(text))).toBe(expected)
  })
})

describe('the start of a day', () => {
  test.each([
    ['2024-01-01', '2024-01-01T03:00:00.000Z', 'at UTC-3'],
    ['2018-07-01', '2018-07-01T03:00:00.000Z', 'at UTC-3, in winter'],
    ['1970-01-01', '1970-01-01T03:00:00.000Z', 'of the first day that begins after the first instant'],
    ['2018-01-01', '2018-01-01T02:00:00.000Z', 'at UTC-2, in summer time'],
    ['2018-02-17', '2018-02-17T02:00:00.000Z', 'of a day of 25 hours'],
    ['2018-02-18', '2018-02-18T03:00:00.000Z', 'after a repeated hour'],
    ['2019-02-17', '2019-02-17T03:00:00.000Z', 'after the last repeated hour'],
    ['2018-11-05', '2018-11-05T02:00:00.000Z', 'after a day of 23 hours'],
  ])('%s is %s, %s', (text, expected) => {
    expect(toTimestamp(startOfDay(day(text)))).toBe(expected)
  })

  test.each([
    ['1985-11-02', '1985-11-02T03:00:00.000Z'],
    ['2017-10-15', '2017-10-15T03:00:00.000Z'],
    ['2018-11-04', '2018-11-04T03:00:00.000Z'],
  ])('%s, whose midnight was skipped, is %s, which showed 01:00', (text, expected) => {
    expect(toTimestamp(startOfDay(day(text)))).toBe(expected)
  })

  test('is the first instant of that day, on every single day from 1970 to 2040', () => {
    const wrong = [...days('1970-01-02', '2040-12-31')].filter((each) => {
      const start = startOfDay(each)
      return dayOf(start) !== each || dayOf(instant(start - 1)) !== addDays(each, -1)
    })
    expect(wrong).toEqual([])
  })

  test('is the first instant of that day, on any day until the year 9999', () => {
    fc.assert(
      fc.property(
        anyDay.filter((each) => each > '2040-12-31'),
        (each) => {
          const start = startOfDay(each)
          expect(dayOf(start)).toBe(each)
          expect(dayOf(instant(start - 1))).toBe(addDays(each, -1))
        },
      ),
    )
  })

  test('lies 23 hours before the next on the day summer time began, 25 hours on the day it ended, else 24', () => {
    const hours = (text: string): number => (startOfDay(addDays(day(text), 1)) - startOfDay(day(text))) / HOUR
    expect(['2018-02-16', '2018-02-17', '2018-02-18'].map(hours)).toEqual([24, 25, 24])
    expect(['2018-11-03', '2018-11-04', '2018-11-05'].map(hours)).toEqual([24, 23, 24])
  })
})

describe('counting days', () => {
  test.each([
    ['2030-01-01', 2, '2030-01-03'],
    ['2030-01-31', 1, '2030-02-01'],
    ['2028-02-28', 1, '2028-02-29'],
    ['2030-02-28', 1, '2030-03-01'],
    ['2030-12-31', 1, '2031-01-01'],
    ['2030-01-01', -1, '2029-12-31'],
    ['2030-01-01', 0, '2030-01-01'],
    ['2018-11-03', 1, '2018-11-04'],
    ['2018-02-17', 1, '2018-02-18'],
    ['2024-01-01', 366, '2025-01-01'],
    ['9999-12-30', 1, '9999-12-31'],
    ['9999-12-31', 1, '9999-12-31'],
    ['9999-01-01', 400, '9999-12-31'],
  ])('%s and %d days is %s', (text, count, expected) => {
    expect(addDays(day(text), count)).toBe(expected)
  })

  test.each([
    ['2018-11-04', 0, 'Sunday'],
    ['2024-01-01', 1, 'Monday'],
    ['2024-02-29', 4, 'Thursday'],
    ['2030-01-05', 6, 'Saturday'],
    ['1970-01-01', 4, 'Thursday'],
  ])('%s has the weekday %d, a %s', (text, weekday) => {
    expect(weekdayOf(day(text))).toBe(weekday)
  })

  test('there and back is where it began, and a week later is the same weekday', () => {
    fc.assert(
      fc.property(
        anyDay.filter((each) => each < '9900'),
        fc.nat(30_000),
        (each, count) => {
          const moved = addDays(each, count)
          expect(addDays(moved, -count)).toBe(each)
          expect(moved > each).toBe(count > 0)
          expect(weekdayOf(moved)).toBe((weekdayOf(each) + count) % 7)
        },
      ),
    )
  })
})

describe('a day typed by a person', () => {
  test.each(['2030-01-01', '2028-02-29', '2000-02-29', '1970-01-01', '9998-12-31'])('%s is read', (text) => {
    expect(parseDay(text)).toBe(text)
  })

  test.each([
    ['nothing', ''],
    ['a 30th of February', '2030-02-30'],
    ['a 29th of February without a leap year', '2030-02-29'],
    ['a 29th of February in 2100', '2100-02-29'],
    ['a 31st of April', '2030-04-31'],
    ['a day 0', '2030-01-00'],
    ['a month 0', '2030-00-01'],
    ['a month 13', '2030-13-01'],
    ['written in short', '2030-1-1'],
    ['written as in Brazil', '31/12/2030'],
    ['with a time', '2030-01-01T00:00:00Z'],
    ['with a blank', '2030-01-01 '],
    ['a year alone', '2030'],
    ['a month alone', '2030-01'],
    ['before 1970', '1969-12-31'],
    ['in the last year of all', '9999-01-01'],
    ['of five digits', '10000-01-01'],
    ['of five digits with a zero first', '02030-01-01'],
    ['of six digits and a sign', '+002030-01-01'],
    ['with a line break', '2030-01-01\n'],
  ])('is refused when it is %s', (_what, text) => {
    expect(parseDay(text)).toBeNull()
  })
})
