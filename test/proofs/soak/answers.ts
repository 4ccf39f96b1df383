// Owns what every answer of a soak must be, and the tally of all of them.
import type { Answer, Call } from './client.ts'

/** Bad answers that are kept; one is enough to fail. */
const MAX_KEPT = 20

/** What came of the calls. */
export interface Tally {
  calls: number
  /** Those that were answered with a status of refusal. */
  refused: number
  /** Answers that break a promise, in a line each; the first ones. */
  bad: string[]
  /** How often each kind of work was done. */
  done: Record<string, number>
}

/** A tally of nothing. */
export function emptyTally(): Tally {
  return { calls: 0, refused: 0, bad: [], done: {} }
}

/** Counts an answer. */
export function count(tally: Tally, call: Call, answer: Answer): void {
  tally.calls += 1
  if (answer.status >= 400) tally.refused += 1
  const wrong = problemOf(call, answer)
  if (wrong !== null) keepBad(tally, call, wrong)
}

/** Keeps what is wrong with a call. */
export function keepBad(
  { bad }: Tally,
  { method, path }: Pick<Call, 'method' | 'path'>,
  wrong: string,
): void {
  if (bad.length < MAX_KEPT) bad.push(`${method} ${path}: ${wrong}`)
}

/** What is wrong with an answer; null when it is as promised. */
export function problemOf({ path }: Pick<Call, 'path'>, { status, type, text }: Answer): string | null {
  if (status >= 500) return `answered ${status}: ${text.slice(0, 200)}`
  if (!type.startsWith('application/json')) {
    const isPage = path.includes('/ui') || !(path.startsWith('/v1/') || path.startsWith('/_sandbox/'))
    return isPage ? null : `answered ${status} as '${type}'`
  }
  const body = parsed(text)
  if (body === null) return `answered ${status} with no JSON object: ${text.slice(0, 200)}`
  const isPlain = path.startsWith('/_sandbox/') && (status < 400 || status === 412)
  return isPlain || isEnvelope(status, body)
    ? null
    : `answered ${status} outside the envelope: ${text.slice(0, 200)}`
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

function isEnvelope(status: number, { data, message, error, ...rest }: Record<string, unknown>): boolean {
  const hasMessage = message === null || typeof message === 'string'
  if (!hasMessage || Object.keys(rest).length > 0) return false
  if (status < 300) return error === null && typeof data === 'object' && data !== null
  const { code, message: why } = (error ?? {}) as Record<string, unknown>
  return data === null && typeof code === 'string' && typeof why === 'string'
}
