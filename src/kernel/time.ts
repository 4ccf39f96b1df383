// Owns the arithmetic of time: instants, timestamps and durations. Reads no clock.
import { invariant } from './assert.ts'
import type { Instant, Millis, Timestamp } from './brands.ts'

/** One second in milliseconds. */
export const SECOND = 1_000 as Millis
/** One minute in milliseconds. */
export const MINUTE = 60_000 as Millis
/** One hour in milliseconds. */
export const HOUR = 3_600_000 as Millis
/** One day of 24 hours in milliseconds. */
export const DAY = 86_400_000 as Millis

/** The first instant a world's clock can show: 1970-01-01T00:00:00.000Z. */
export const FIRST_INSTANT = 0 as Instant
/** The last instant a world's clock can show: the end of the year 9999, where ISO timestamps keep four digits. */
export const LAST_INSTANT = 253_402_300_799_999 as Instant

/** Whether a number of milliseconds is an instant that a clock can show. */
export function isInstant(value: number): value is Instant {
  return Number.isSafeInteger(value) && value >= FIRST_INSTANT && value <= LAST_INSTANT
}

/**
 * A number of milliseconds since 1970 as an instant.
 * @throws {InvariantError} outside the years 1970 to 9999.
 */
export function instant(value: number): Instant {
  invariant(isInstant(value), `not an instant: ${value}`)
  return value
}

/** The instant that lies a length of time after another; stays within the last instant. */
export function later(from: Instant, by: Millis): Instant {
  return instant(Math.min(from + by, LAST_INSTANT))
}

/** An instant as text, like `2030-01-01T12:00:00.000Z`. */
export function toTimestamp(at: Instant): Timestamp {
  return new Date(at).toISOString() as Timestamp
}

/** The instant of a timestamp that we wrote ourselves. */
export function fromTimestamp(text: Timestamp): Instant {
  return instant(Date.parse(text))
}

const ISO_INSTANT = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/i

/**
 * Reads an ISO 8601 instant typed by a person: a date (its first instant in UTC) or a date-time with `Z` or an
 * offset. Answers null for anything else, for dates that do not exist, and outside the years 1970 to 9999.
 */
export function parseInstant(text: string): Instant | null {
  if (!ISO_INSTANT.test(text)) return null
  const parsed = Date.parse(text.toUpperCase())
  if (Number.isNaN(parsed) || !isInstant(parsed)) return null
  const day = Number(text.slice(8, 10))
  const lastDay = new Date(Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)), 0)).getUTCDate()
  return day <= lastDay ? parsed : null
}

const UNITS: Record<string, number> = { ms: 1, s: SECOND, m: MINUTE, h: HOUR, d: DAY }
const ISO_DURATION = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d{1,3})?)S)?)?$/i

/**
 * Reads a length of time typed by a person: `1500ms`, `5s`, `31m`, `25h`, `7d`, or ISO 8601 such as `PT31M` and
 * `P1DT2H` (weeks, days, hours, minutes, seconds; no months or years, whose length varies). Null for anything else.
 */
export function parseDuration(text: string): Millis | null {
  const short = /^(\d{1,15}(?:\.\d{1,3})?)(ms|s|m|h|d)$/.exec(text)
  if (short) return wholeMillis(Number(short[1]) * (UNITS[short[2] ?? ''] ?? Number.NaN))
  const iso = ISO_DURATION.exec(text)
  if (!iso || /[PT]$/i.test(text)) return null
  const part = (index: number): number => Number(iso[index] ?? 0)
  return wholeMillis(part(1) * 7 * DAY + part(2) * DAY + part(3) * HOUR + part(4) * MINUTE + part(5) * SECOND)
}

function wholeMillis(value: number): Millis | null {
  const whole = Math.round(value)
  return whole <= LAST_INSTANT ? (whole as Millis) : null
}

/** A length of time for people: the largest unit that stays whole, such as `31m` or `1500ms`. */
export function formatDuration(length: Millis): string {
  for (const [unit, size] of [
    ['d', DAY],
    ['h', HOUR],
    ['m', MINUTE],
    ['s', SECOND],
  ] as const) {
    if (length !== 0 && length % size === 0) return `${length / size}${unit}`
  }
  return `${length}ms`
}
