// Owns how a step fails: what was wrong, in which part of it, and what was expected and found.
import { compare, diffOf } from './match.ts'
import type { Compared } from './match.ts'

/** A step that did not do, or did not find, what the scenario says. */
export class StepFailure extends Error {
  override readonly name = 'StepFailure'
  /** The part of the step that is meant. */
  readonly path: readonly PropertyKey[]
  readonly expected: unknown
  readonly actual: unknown
  /** Empty when nothing was compared. */
  readonly diff: string

  constructor(
    message: string,
    {
      path = [],
      expected = null,
      actual = null,
      diff = '',
    }: { path?: readonly PropertyKey[]; expected?: unknown; actual?: unknown; diff?: string } = {},
  ) {
    super(message)
    this.path = path
    this.expected = expected
    this.actual = actual
    this.diff = diff
  }
}

/**
 * Fails unless something is as expected.
 * @param where part of the step in which the expectation stands
 * @param why further words on what is there
 * @throws {StepFailure} with the diff, at the first value that differs
 */
export function expectFit(
  what: string,
  expected: unknown,
  actual: unknown,
  where: PropertyKey[],
  why = '',
): void {
  const compared = compare(expected, actual)
  const first = compared.find(({ equal }) => !equal)
  if (first) throw mismatch(`${what} is not as expected${why}`, compared, first, { expected, actual, where })
}

function mismatch(
  message: string,
  compared: readonly Compared[],
  first: Compared,
  { expected, actual, where }: { expected: unknown; actual: unknown; where: PropertyKey[] },
): StepFailure {
  return new StepFailure(message, {
    path: [...where, ...first.path],
    expected,
    actual,
    diff: diffOf(compared),
  })
}
