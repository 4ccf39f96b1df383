// Owns comparing what is expected with what is there: fields as a subset, lists by position, values exactly, and the diff.
import { parseInstant } from '../kernel/time.ts'

/** One compared value. `missing` on a side means that it has nothing there. */
export interface Compared {
  path: (string | number)[]
  expected: unknown
  actual: unknown
  equal: boolean
}

/** Stands for a value that is not there. */
const MISSING = Symbol('missing')

/** Every value that is expected, beside what is there in its place. */
export function compare(expected: unknown, actual: unknown, path: (string | number)[] = []): Compared[] {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const length = Math.max(expected.length, actual.length)
    if (length === 0) return [{ path, expected, actual, equal: true }]
    return Array.from({ length }, (_, index) =>
      compare(
        index < expected.length ? (expected[index] as unknown) : MISSING,
        index < actual.length ? (actual[index] as unknown) : MISSING,
        [...path, index],
      ),
    ).flat()
  }
  if (isFields(expected) && isFields(actual)) {
    return Object.entries(expected).flatMap(([key, value]) =>
      compare(value, Object.hasOwn(actual, key) ? actual[key] : MISSING, [...path, key]),
    )
  }
  return [{ path, expected, actual, equal: isSame(expected, actual) }]
}

/** Whether everything that was compared is equal. */
export function fits(compared: readonly Compared[]): boolean {
  return compared.every(({ equal }) => equal)
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Numbers and texts are equal when they are the same, and instants also when they are only written otherwise. */
function isSame(expected: unknown, actual: unknown): boolean {
  if (expected === actual) return true
  if (typeof expected !== 'string' || typeof actual !== 'string') return isSameTree(expected, actual)
  const [one, other] = [instantOf(expected), instantOf(actual)]
  return one !== null && one === other
}

function isSameTree(expected: unknown, actual: unknown): boolean {
  return typeof expected === 'object' && JSON.stringify(expected) === JSON.stringify(actual)
}

function instantOf(text: string): number | null {
  return text.includes('T') ? parseInstant(text) : null
}

/** Longest value that a diff shows, in characters. */
const MAX_SHOWN = 400

/** What was compared as lines: equal values once, and different ones as `-` expected and `+` actual. */
export function diffOf(compared: readonly Compared[]): string {
  return compared
    .flatMap(({ path, expected, actual, equal }) => {
      const name = path.length === 0 ? '' : `${path.join('.')}: `
      const [wanted, found] = [shown(expected), shown(actual)]
      if (equal) return [`  ${name}${wanted}`]
      // A text and a number of the same digits would read alike.
      return wanted === found
        ? [`- ${name}${quoted(expected)}`, `+ ${name}${quoted(actual)}`]
        : [`- ${name}${wanted}`, `+ ${name}${found}`]
    })
    .join('\n')
}

function shown(value: unknown): string {
  if (value === MISSING || value === undefined) return '(nothing)'
  return shortened(typeof value === 'string' ? value : JSON.stringify(value))
}

function quoted(value: unknown): string {
  return typeof value === 'string' ? shortened(JSON.stringify(value)) : shown(value)
}

function shortened(text: string): string {
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}...`
}
