// Owns the demands that checks make on an answer; each ends the check with what was expected and what came.
import { at, inShort, isSuccess } from './call.ts'
import { Differs, LeftOut } from './check.ts'
import type { z } from 'zod'
import type { Answer } from './call.ts'

/** How many faults of one shape are told. */
const MAX_FAULTS = 3

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value)
}

/** Demands that a value is this one. */
export function same(what: string, got: unknown, expected: unknown): void {
  if (JSON.stringify(got) !== JSON.stringify(expected)) {
    throw new Differs(`${what}: ${shown(expected)}`, shown(got))
  }
}

/** Demands that something is true, in words. */
export function demand(expected: string, holds: boolean, got: unknown): void {
  if (!holds) throw new Differs(expected, typeof got === 'string' ? got : shown(got))
}

/** Demands that the value at a path of the body is this one. */
export function sameAt(answer: Answer, path: string, expected: unknown): void {
  same(path, at(answer.body, path), expected)
}

/** Demands a status of success. */
export function succeeded(answer: Answer): void {
  demand(`${answer.call} succeeds`, isSuccess(answer), inShort(answer))
}

/** Demands a refusal: a status of the 4xx, and this status and code when they are stated. */
export function refused(answer: Answer, stated: { status?: number; code?: string } = {}): void {
  const status = stated.status ?? 'a status from 400 to 499'
  const expected = [status, stated.code ?? 'a code'].join(' and ')
  const isStatus =
    stated.status === undefined
      ? answer.status >= 400 && answer.status < 500
      : answer.status === stated.status
  const code = at(answer.body, 'error.code')
  const isCode = stated.code === undefined ? typeof code === 'string' : code === stated.code
  demand(expected, isStatus && isCode, inShort(answer))
}

/** Demands that a value has exactly this shape. */
export function shaped(what: string, value: unknown, shape: z.ZodType): void {
  const { error } = shape.safeParse(value)
  if (!error) return
  const faults = error.issues.slice(0, MAX_FAULTS).map(({ path, message }) => {
    const place = path.length === 0 ? what : path.join('.')
    return `${place}: ${message}`
  })
  throw new Differs(`${what} as the contract shows it`, faults.join('; '))
}

/** An answer that a check builds upon; when it failed, the check is left out, for its own check has told of it. */
export function usable(what: string, answer: Answer): Answer {
  if (!isSuccess(answer)) throw new LeftOut(`there is no ${what}: ${answer.call} answered ${inShort(answer)}`)
  return answer
}
