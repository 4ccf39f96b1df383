// Owns the civil calendar of America/Sao_Paulo: which day an instant belongs to and when a day begins.
import { present } from './assert.ts'
import { createLatest } from './latest.ts'
import { lazy } from './lazy.ts'
import { HOUR, instant } from './time.ts'
import type { Brand, Instant } from './brands.ts'

/** A calendar day without a time of day: `YYYY-MM-DD`. Sorts like the day. */
export type CalendarDay = Brand<string, 'CalendarDay'>

const ZONE = 'America/Sao_Paulo'
/** Hours whose offset is remembered. */
const MAX_OFFSETS = 1_000

const parts = lazy(
  () =>
    new Intl.DateTimeFormat('en-CA', {
      timeZone: ZONE,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    }),
)

/** By how much the wall clock of São Paulo is ahead of UTC, by the hour: it has only ever been changed on the hour. */
const offsets = createLatest<number, number>(MAX_OFFSETS)

/** The wall clock of São Paulo at an instant, as if it were UTC, in milliseconds. */
function wallMillis(at: Instant): number {
  const hour = at - (at % HOUR)
  const known = offsets.get(hour)
  if (known !== undefined) return at + known
  const part = Object.fromEntries(
    parts()
      .formatToParts(hour)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const wall = Date.UTC(
    part['year'] ?? 0,
    (part['month'] ?? 1) - 1,
    part['day'] ?? 1,
    part['hour'] ?? 0,
    part['minute'] ?? 0,
    part['second'] ?? 0,
  )
  offsets.set(hour, wall - hour)
  return at + wall - hour
}

/** The calendar day in São Paulo at an instant. */
export function dayOf(at: Instant): CalendarDay {
  return new Date(wallMillis(at)).toISOString().slice(0, 10) as CalendarDay
}

/** Hours by which São Paulo has been behind UTC since 1970: in summer time and out of it. */
const HOURS_BEHIND_UTC = [2, 3]

/** The instant at which a calendar day begins in São Paulo (a skipped midnight begins at the first instant after it). */
export function startOfDay(day: CalendarDay): Instant {
  const wanted = Date.parse(`${day}T00:00:00Z`)
  const starts = HOURS_BEHIND_UTC.map((hours) => instant(wanted + hours * HOUR))
  return present(
    starts.find((start) => wallMillis(start) >= wanted),
    `no start of ${day}`,
  )
}

/** The last day that is written with four digits of the year. */
const LAST_DAY = '9999-12-31' as CalendarDay

/** The calendar day a number of days after another; stays within the year 9999. */
export function addDays(day: CalendarDay, days: number): CalendarDay {
  const at = new Date(`${day}T00:00:00Z`)
  at.setUTCDate(at.getUTCDate() + days)
  return at.getUTCFullYear() > 9_999 ? LAST_DAY : (at.toISOString().slice(0, 10) as CalendarDay)
}

/** The day of the week of a calendar day: 0 is Sunday, 6 is Saturday. */
export function weekdayOf(day: CalendarDay): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay()
}

/** Reads `YYYY-MM-DD`; null when it is not a day that exists, or not in the years 1970 to 9998 that clocks can pass. */
export function parseDay(text: string): CalendarDay | null {
  if (text < '1970-01-01' || text > '9998-12-31') return null
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === text ? (text as CalendarDay) : null
}
