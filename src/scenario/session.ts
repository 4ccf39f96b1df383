// Owns one play at work: its world, the names that stand for something by now, and calling the gateway as a merchant.
import { ENDPOINTS } from '../contract/endpoints.ts'
import { SandboxError } from '../client/errors.ts'
import { after } from '../kernel/timers.ts'
import { StepFailure } from './failure.ts'
import { resolved, WORLD_NAME } from './references.ts'
import type { SandboxWorld } from '../client/world.ts'
import type { EndpointRow } from '../contract/endpoint.ts'
import type { OperationId } from '../contract/endpoints.ts'
import type { Millis } from '../kernel/brands.ts'
import type { StepOf } from './stepFormat.ts'

/** What the gateway answered to a call. */
export interface GatewayAnswer {
  status: number | null
  data: unknown
  error: { code: string; message: string } | null
  message: unknown
  /** By lower-case name. */
  headers: Record<string, string>
  /** Whether there was none at all. */
  none: boolean
}

/** A play at work. */
export interface Session {
  readonly world: SandboxWorld
  readonly names: Record<string, unknown>
  /** Tokens by public key, with the world time at which they end. */
  readonly tokens: Map<string, { token: string; endsAt: number }>
  /** What the world's clock showed last. */
  now: number
  lastAnswer: GatewayAnswer | null
  /** Longest wait for an answer of the gateway, in host time. */
  readonly answerLimitMs: Millis
}

/** Longest wait for an answer of the gateway, in host milliseconds, where nothing else is said. */
const ANSWER_LIMIT_MS = 60_000 as Millis

/** Part of a token's life that is not used up, in milliseconds: nobody calls with a token in its last second. */
const TOKEN_MARGIN_MS = 1_000
/** Seconds that a token lives when an answer does not say it. */
const USUAL_TOKEN_SECONDS = 60

/** Begins a play in a fresh world. */
export async function openSession(
  world: SandboxWorld,
  given: Readonly<Record<string, unknown>>,
  answerLimitMs: Millis = ANSWER_LIMIT_MS,
): Promise<Session> {
  const { id, url, publicKey, secretKey, production, organization, receiver } = world
  const { now } = await world.clock.read()
  return {
    world,
    names: {
      ...given,
      [WORLD_NAME]: { id, url, publicKey, secretKey, production, organization, receiver, startedAt: now },
    },
    tokens: new Map(),
    now: Date.parse(now),
    lastAnswer: null,
    answerLimitMs,
  }
}

/**
 * A part of a step with all references replaced.
 * @throws {StepFailure} for one that stands for nothing
 */
export function resolveIn<T>({ names }: Session, part: T, path: PropertyKey[] = []): T {
  const { value, dangling } = resolved(part, names)
  const [first] = dangling
  if (first) throw new StepFailure(first.message, { path: [...path, ...first.path] })
  return value as T
}

/**
 * Calls an operation of the gateway.
 * @throws {StepFailure} when it cannot be called so, and when no answer comes in time
 */
export async function callGateway(
  session: Session,
  step: Omit<StepOf<'call'>, 'expect' | 'as'>,
): Promise<GatewayAnswer> {
  const row: EndpointRow = rowOf(step.call)
  const token = row.permission === null ? null : await tokenFor(session, step.by)
  const path = pathOf(row, step.id)
  const sent = row.body === null ? queryOf(step.with) : ''
  const form = row.bodyType === 'multipart' ? formOf(step.with ?? {}) : null
  const headers = {
    ...(form || row.body === null ? {} : { 'Content-Type': 'application/json' }),
    ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
    ...Object.fromEntries(
      Object.entries(step.headers ?? {}).map(([name, value]): [string, string] => [name, String(value)]),
    ),
  }
  const body = form ?? (row.body === null ? null : JSON.stringify(step.with ?? {}))
  return answerOf(session, path + sent, { method: row.method, headers, body })
}

function rowOf(operation: OperationId): EndpointRow {
  const row = (ENDPOINTS as readonly EndpointRow[]).find(({ id }) => id === operation)
  if (!row) throw new StepFailure(`there is no operation ${operation}`, { path: ['call'] })
  return row
}

function pathOf({ id: operation, path }: EndpointRow, id: string | undefined): string {
  const needsId = path.includes('{')
  if (needsId && id === undefined) {
    throw new StepFailure(`${operation} needs the id of a record; add a line such as id: $sale.id`, {
      path: ['call'],
    })
  }
  return path.replace(/\{\w+\}/, () => encodeURIComponent(id ?? ''))
}

function queryOf(fields: Record<string, unknown> = {}): string {
  const pairs = Object.entries(fields).map(([name, value]): [string, string] => [name, textOf(value)])
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`
}

/** A form; a field with a `fileName` is a file of its `text` or `base64`. */
function formOf(fields: Record<string, unknown>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    const file = value as { fileName?: string; contentType?: string; text?: string; base64?: string } | null
    if (file?.fileName !== undefined) {
      const bytes =
        file.base64 === undefined ? Buffer.from(file.text ?? '') : Buffer.from(file.base64, 'base64')
      form.append(name, new Blob([bytes], { type: file.contentType ?? 'application/pdf' }), file.fileName)
    } else {
      form.append(name, textOf(value))
    }
  }
  return form
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The answer to a request. A call that hangs would hang the whole play, so the wait for it has an end. */
function answerOf(session: Session, path: string, init: RequestInit): Promise<GatewayAnswer> {
  return new Promise((resolve, reject) => {
    const stop = new AbortController()
    const callOff = after(session.answerLimitMs, () => {
      const waited = `no answer came within ${session.answerLimitMs / 1_000} s`
      reject(
        new StepFailure(`${waited} of host time to ${init.method ?? 'GET'} ${path}; is it held by a fault?`),
      )
      stop.abort()
    })
    void askedFor(session, path, { ...init, signal: stop.signal })
      .then(resolve, reject)
      .finally(callOff)
  })
}

async function askedFor(session: Session, path: string, init: RequestInit): Promise<GatewayAnswer> {
  let response: Response | null = null
  let text = ''
  try {
    response = await session.world.fetch(path, init)
    text = await response.text()
  } catch (error) {
    if (response === null && !(error instanceof SandboxError)) throw error
    return { status: null, data: null, error: null, message: null, headers: {}, none: true }
  }
  const now = response.headers.get('X-Sandbox-Now')
  if (now !== null) session.now = Date.parse(now)
  const body = envelopeIn(text)
  const headers = Object.fromEntries(response.headers.entries())
  return { status: response.status, ...body, headers, none: false }
}

function envelopeIn(text: string): Pick<GatewayAnswer, 'data' | 'error' | 'message'> {
  try {
    const { data = null, error = null, message = null } = JSON.parse(text) as Partial<GatewayAnswer>
    return { data, error, message }
  } catch {
    return { data: null, error: null, message: null }
  }
}

/** A token of who calls; null for nobody. Kept until the world's clock ends it. */
async function tokenFor(session: Session, by: StepOf<'call'>['by']): Promise<string | null> {
  if (by === 'nobody') return null
  if (typeof by === 'object' && 'token' in by) return by.token
  const { publicKey, secretKey } = keysOf(session, by, ['by'])
  const known = session.tokens.get(publicKey)
  if (known && known.endsAt - TOKEN_MARGIN_MS > session.now) return known.token
  const answer = await answerOf(session, '/v1/auth/token', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ publicKey, secretKey }),
  })
  const made = answer.data as { accessToken?: string; expiresIn?: number } | null
  if (made?.accessToken === undefined) {
    const why = answer.error === null ? 'without one' : `${answer.error.code}: ${answer.error.message}`
    throw new StepFailure(`no token for ${publicKey}: the gateway answered ${answer.status ?? ''} ${why}`, {
      path: ['by'],
    })
  }
  const endsAt = session.now + (made.expiresIn ?? USUAL_TOKEN_SECONDS) * 1_000
  session.tokens.set(publicKey, { token: made.accessToken, endsAt })
  return made.accessToken
}

/**
 * A key pair: by its name, itself, or the merchant's own.
 * @throws {StepFailure} when a name is that of none
 */
export function keysOf(
  { world, names }: Session,
  by: string | { publicKey: string; secretKey: string } | undefined,
  path: PropertyKey[],
): { publicKey: string; secretKey: string } {
  if (by === undefined || by === 'merchant') return world
  if (typeof by === 'object') return by
  if (by === 'production') return world.production
  if (by === 'receiver') return world.receiver
  const named = Object.hasOwn(names, by) ? (names[by] as { publicKey?: string; secretKey?: string }) : null
  if (named?.publicKey !== undefined && named.secretKey !== undefined) {
    return { publicKey: named.publicKey, secretKey: named.secretKey }
  }
  throw new StepFailure(
    `'${by}' names no key pair; use merchant, production, receiver, or the name of given credentials`,
    { path },
  )
}
