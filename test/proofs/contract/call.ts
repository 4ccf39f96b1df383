// Owns the HTTP client of the suite: one call with fetch, what was answered, and waiting where the target asks for it.
import { LeftOut } from './check.ts'

/** Milliseconds within which the target has to answer. */
const PATIENCE_MS = 30_000
/** How often one call is made again after a 429. */
const MAX_AGAIN = 3

/** Time as the suite knows it, in milliseconds; a test puts the clock of its target behind it. */
export interface Host {
  now(): number
  pass(milliseconds: number): Promise<void>
}

/** One answer. */
export interface Answer {
  /** Method and path of the call. */
  call: string
  status: number
  headers: Headers
  /** The body as JSON; undefined when it is none. */
  body: unknown
}

/** What a call carries. */
export interface Sent {
  /** Sent as JSON; text and forms as they are. */
  body?: unknown
  /** Null sends no token; the one of the suite when left out. */
  token?: string | null
  headers?: Record<string, string>
}

/** The target, called. */
export interface Gateway {
  call(method: string, path: string, sent?: Sent): Promise<Answer>
  /** The token that calls carry from now on. */
  useToken(token: string): void
  /** Every answer so far. */
  readonly answers: readonly Answer[]
}

/** How calls are spaced. */
export interface Pace {
  host: Host
  /** Milliseconds between two calls. */
  paceMs: number
  /** Longest wait that a 429 may ask for, in seconds. */
  patienceS: number
}

/** A client of the target at this base URL. */
export function openGateway(base: string, { host, paceMs, patienceS }: Pace): Gateway {
  const answers: Answer[] = []
  let token: string | null = null

  async function callOnce(method: string, path: string, sent: Sent): Promise<Answer> {
    const carried = sent.token === undefined ? token : sent.token
    const raw = typeof sent.body === 'string' || sent.body instanceof FormData
    const response = await fetch(base.replace(/\/+$/, '') + path, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
      headers: {
        ...(carried === null ? {} : { Authorization: `Bearer ${carried}` }),
        ...(sent.body === undefined || sent.body instanceof FormData
          ? {}
          : { 'Content-Type': 'application/json' }),
        ...sent.headers,
      },
      ...(sent.body === undefined ? {} : { body: raw ? (sent.body as string) : JSON.stringify(sent.body) }),
    })
    const text = await response.text()
    const call = `${method} ${path.split('?')[0] ?? path}`
    const answer = { call, status: response.status, headers: response.headers, body: parsed(text) }
    answers.push(answer)
    return answer
  }

  return {
    answers,
    useToken(next) {
      token = next
    },
    async call(method, path, sent = {}) {
      for (let again = 0; ; again += 1) {
        if (paceMs > 0 && answers.length > 0) await host.pass(paceMs)
        const answer = await callOnce(method, path, sent)
        // The limit of tokens is a statement of its own, and its wait can be an hour.
        if (answer.status !== 429 || path === '/v1/auth/token') return answer
        await waitAsAsked(host, answer, again, patienceS)
      }
    },
  }
}

/** The seconds that a 429 asks to wait; null when it names none. */
export function retryAfterOf(answer: Answer): number | null {
  const asked = Number(answer.headers.get('Retry-After') ?? Number.NaN)
  return Number.isFinite(asked) && asked >= 0 ? asked : null
}

async function waitAsAsked(host: Host, answer: Answer, again: number, patienceS: number): Promise<void> {
  const asked = retryAfterOf(answer) ?? 1
  if (again >= MAX_AGAIN || asked > patienceS) {
    throw new LeftOut(`${answer.call} answered 429 and asks to wait ${asked} s (see --patience and --pace)`)
  }
  await host.pass(asked * 1_000)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** What stands at a path such as `data.pix.txId` of a value; undefined when nothing does. */
export function at(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (inner, name) =>
        typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[name] : undefined,
      value,
    )
}

/** The text at a path of the body; empty when there is none. */
export function textAt(answer: Answer, path: string): string {
  const found = at(answer.body, path)
  return typeof found === 'string' ? found : ''
}

/** The array at a path of the body; empty when there is none. */
export function listAt(answer: Answer, path: string): unknown[] {
  const found = at(answer.body, path)
  return Array.isArray(found) ? (found as unknown[]) : []
}

/** Whether the status is one of success. */
export function isSuccess({ status }: Answer): boolean {
  return status >= 200 && status < 300
}

/** Status and code of an answer in a few words, such as `400 invalid_amount`. */
export function inShort(answer: Answer): string {
  const code = textAt(answer, 'error.code')
  return code === '' ? String(answer.status) : `${answer.status} ${code}`
}
