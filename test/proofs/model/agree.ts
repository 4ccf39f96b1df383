// Owns failing where the sandbox and the model differ, and saying how.
import { isDeepStrictEqual } from 'node:util'
import { differenceOf } from '../difference.ts'

/** Characters from which on a text is not printed whole: only where it differs is told. */
const LONG_TEXT = 300

/** The sandbox and the model do not agree. */
class Disagreement extends Error {
  override readonly name = 'Disagreement'
  readonly what: string
  readonly expected: unknown
  readonly actual: unknown

  constructor(what: string, expected: unknown, actual: unknown) {
    super(`${what}\n  ${differenceToText(expected, actual)}`)
    this.what = what
    this.expected = expected
    this.actual = actual
  }
}

function differenceToText(expected: unknown, actual: unknown): string {
  const isLong = (value: unknown): value is string => typeof value === 'string' && value.length > LONG_TEXT
  if (isLong(expected) && isLong(actual)) return differenceOf(expected, actual)
  return `the model says ${JSON.stringify(expected)}\n  the sandbox says ${JSON.stringify(actual)}`
}

/** Fails when two values differ. */
export function agree(what: string, expected: unknown, actual: unknown): void {
  if (!isDeepStrictEqual(expected, actual)) throw new Disagreement(what, expected, actual)
}

/** Fails at the first entry in which two lists differ. */
export function agreeOnEach(what: string, expected: readonly unknown[], actual: readonly unknown[]): void {
  const most = Math.max(expected.length, actual.length)
  for (let place = 0; place < most; place += 1) {
    agree(`${what} ${place}`, expected[place] ?? null, actual[place] ?? null)
  }
}
