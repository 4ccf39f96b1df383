// Owns what must hold of every answer, whatever was asked: no defect, the envelope, the declared schema and headers, nothing stored.
import { failureEnvelope } from '../../../src/contract/endpoint.ts'
import { ENDPOINTS } from '../../../src/contract/endpoints.ts'
import { GATEWAY_ERRORS, SANDBOX_ERRORS } from '../../../src/contract/errors.ts'
import { SILENT_KINDS } from './wireDamage.ts'
import type { Operation } from './documents.ts'
import type { WireKind } from './wireDamage.ts'

/** An answer as it came. */
export interface Seen {
  status: number
  /** Headers by lower-case name. */
  header(name: string): string | null
  /** Null for a stream that was not read. */
  text: string | null
}

/** What a request meant, as far as its line says. */
export interface Asked {
  method: string
  /** Without the query. */
  path: string
  /** The operation that path and method mean; null for none. */
  operation: Operation | null
  /** Whether it goes to an inbox that answers as it was told, whatever that was. */
  isScripted: boolean
  /** The status of a creation, as the default world chose it (TX-02); the document declares 201. */
  creation: number
}

/** Why a request over a socket has no answer. */
export type Unanswered = 'timed out' | 'closed'

/** Operations whose success has the status that the world chose. */
const CREATIONS: ReadonlySet<string> = new Set(
  ENDPOINTS.filter(({ success }) => typeof success === 'object').map(({ id }) => id),
)
/** Stops halfway and says so. */
const HALFWAY = 'sandbox_too_many_jobs'
/** Pages and files for people: refusals of theirs need no envelope. */
const PAGES = /^\/(?:$|(?:docs|_sandbox\/ui|pay|files|openapi\.json|\.well-known)(?:\/|$))/

/** What is wrong with an answer, in sentences; nothing when it is as declared. */
export function problemsOf(asked: Asked, seen: Seen, defects: readonly unknown[]): string[] {
  const told = defects.map(
    (defect) => `a defect was reported: ${defect instanceof Error ? (defect.stack ?? '') : String(defect)}`,
  )
  const { operation, method, isScripted } = asked
  if (isScripted) return told
  const wrong: string[] = seen.status >= 500 ? [`the status is ${seen.status}`] : []
  if (method === 'HEAD') return [...told, ...wrong]
  return [...told, ...wrong, ...(operation ? declared(operation, seen, asked) : undeclared(asked, seen))]
}

/** Whether an answer is a refusal that must leave everything as it was. */
export function isRefused({ isScripted }: Asked, { status, text }: Seen): boolean {
  if (status < 400 || isScripted) return false
  return !(text ?? '').includes(HALFWAY) && !(text ?? '').startsWith('{"settled"')
}

function declared(operation: Operation, seen: Seen, { creation }: Asked): string[] {
  const { status, text } = seen
  const isCreation = CREATIONS.has(operation.id) && (status === 200 || status === 201)
  const answer =
    isCreation && status !== creation ? undefined : operation.answers.get(isCreation ? 201 : status)
  if (!answer) return [`${operation.id} declares no status ${status}: ${(text ?? '').slice(0, 200)}`]
  const missing = answer.headers.filter((name) => seen.header(name) === null)
  const wrong = missing.map((name) => `${operation.id} ${status}: the header ${name} is missing`)
  if (answer.types.length === 0) {
    return text === '' ? wrong : [...wrong, `${operation.id} ${status} declares no body`]
  }
  const type = mediaTypeOf(seen)
  if (!answer.types.includes(type)) {
    wrong.push(
      `${operation.id} ${status}: the type is '${type}', and ${answer.types.join(' or ')} is declared`,
    )
  } else if (type.startsWith('text/')) return wrong
  const body = parsed(text ?? '')
  const misfit = body === undefined ? 'the body is no JSON' : answer.wrong(body)
  const odd = misfit === null ? [] : [`${operation.id} ${status}: ${misfit} in ${(text ?? '').slice(0, 300)}`]
  return [
    ...wrong,
    ...odd,
    ...(status >= 400 && !answerIsFailure(text) ? refusalProblems(operation.api, seen, body) : []),
  ]
}

/** The media type of an answer without its parameters, in lower case. */
function mediaTypeOf(seen: Seen): string {
  return (seen.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
}

/** A request that was damaged where only a socket sees it. */
export interface DamagedBytes {
  kind: WireKind | null
  path: string
  isScripted: boolean
  /** Its caller ended its own side while the call waited for something; such a call is dropped. */
  isAbandoned: boolean
}

/** What is wrong with the answer to bytes that were damaged where only a socket sees it; what they meant is not known. */
export function wireProblems(
  { kind, path, isScripted, isAbandoned }: DamagedBytes,
  seen: Seen | Unanswered,
  defects: readonly unknown[],
): string[] {
  const told = defects.map((defect) => `a defect was reported: ${String(defect)}`)
  if (seen === 'timed out') return [...told, 'there is no answer in time, and the connection stays open']
  if (seen === 'closed') {
    return isAbandoned || (kind !== null && SILENT_KINDS.has(kind))
      ? told
      : [...told, 'there is no answer: the connection was closed']
  }
  const { status, text } = seen
  if (isScripted) return told
  if (status >= 500) return [...told, `the status is ${status}`]
  if (text === null || PAGES.test(path) || answerIsFailure(text)) return told
  if (status < 400) return [...told, ...successProblems(seen)]
  const { error } = (parsed(text) ?? {}) as { error?: { code?: unknown } | null }
  const isControl = Object.hasOwn(SANDBOX_ERRORS, String(error?.code))
  return [...told, ...refusalProblems(isControl ? 'control' : 'gateway', seen, parsed(text))]
}

/** What every success of both interfaces is, whichever it is. */
function successProblems(seen: Seen): string[] {
  const { status, text } = seen
  if (text === '') return status === 204 ? [] : [`the answer ${status} is empty`]
  const type = mediaTypeOf(seen)
  const isJson = parsed(text ?? '') !== undefined
  return [
    ...(type === 'application/json' ? [] : [`the answer ${status} is of the type '${type}'`]),
    ...(isJson ? [] : [`the answer ${status} is no JSON: ${(text ?? '').slice(0, 200)}`]),
  ]
}

/** The code of a refusal; null for another answer. */
export function codeOf({ status, text }: Seen): string | null {
  const { error } = ((status < 400 ? null : parsed(text ?? '')) ?? {}) as {
    error?: { code?: unknown } | null
  }
  return typeof error?.code === 'string' ? error.code : null
}

/** Some control routes have a way to answer that is no success and no refusal. */
function answerIsFailure(text: string | null): boolean {
  return /^\{"(?:settled|found)":false/.test(text ?? '')
}

/** A path that no operation has, or that has it under other methods. */
function undeclared({ path }: Asked, seen: Seen): string[] {
  if (PAGES.test(path)) return []
  const body = parsed(seen.text ?? '')
  if (seen.status < 400) return [`no operation has this method and path, and the answer is ${seen.status}`]
  return refusalProblems(/^\/_sandbox(?:\/|$)/.test(path) ? 'control' : 'gateway', seen, body)
}

function refusalProblems(api: 'gateway' | 'control', seen: Seen, body: unknown): string[] {
  const where = `the refusal ${seen.status} `
  const type = seen.header('content-type') ?? ''
  const wrong = type.startsWith('application/json') ? [] : [`${where}is of the type '${type}'`]
  const fitting = failureEnvelope.safeParse(withoutProblems(body))
  if (!fitting.success) return [...wrong, `${where}is no envelope: ${(seen.text ?? '').slice(0, 200)}`]
  const { code } = fitting.data.error
  const codes = api === 'gateway' ? GATEWAY_ERRORS : SANDBOX_ERRORS
  if (!Object.hasOwn(codes, code)) wrong.push(`${where}has the unknown code '${code}'`)
  if (!seen.header('x-sandbox-hint')) wrong.push(`${where}has no hint`)
  return wrong
}

/** A refused scenario lists its problems beside the code, as its route declares. */
function withoutProblems(body: unknown): unknown {
  const { error } = (body ?? {}) as { error?: { problems?: unknown } | null }
  if (!error || !Array.isArray(error.problems)) return body
  const { problems: _, ...rest } = error
  return { ...(body as object), error: rest }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
