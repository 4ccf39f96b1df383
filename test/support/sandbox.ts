// Starts sandboxes for tests and calls them; every answer is parsed by the schema that its row declares.
import { z } from 'zod'
import { expect } from 'vitest'
import { createApp } from '../../src/app.ts'
import { CONTROL_ROUTES } from '../../src/control/routes.ts'
import { envelopeOf, failureEnvelope } from '../../src/contract/endpoint.ts'
import { ENDPOINTS } from '../../src/contract/endpoints.ts'
import { GATEWAY_ERRORS, SANDBOX_ERRORS } from '../../src/contract/errors.ts'
import { hostTime } from '../../src/kernel/hostTime.ts'
import { createSender } from '../../src/webhooks/send.ts'
import { parseClockStart } from '../../src/world/clockStart.ts'
import { createWorlds } from '../../src/world/worlds.ts'
import type { EndpointRow } from '../../src/contract/endpoint.ts'
import type { RunningWorld } from '../../src/world/runningWorld.ts'
import type { Worlds } from '../../src/world/worlds.ts'

/** The instant that tests begin at unless they say otherwise. */
export const START = '2030-01-01T12:00:00.000Z'

/** An answer with its body parsed. */
export interface Answered {
  status: number
  headers: Headers
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers whose shape was just checked
  body: any
}

/** How one call is made. */
export interface CallOptions {
  token?: string | undefined
  headers?: Record<string, string>
  /** Sent as JSON; a string or bytes are sent as they are. */
  body?: unknown
}

/** A sandbox that tests call. */
export interface TestSandbox {
  worlds: Worlds
  world: RunningWorld
  /** Sends any request. */
  send(method: string, path: string, options?: CallOptions): Promise<Answered>
  /** A token for a key pair; the default world's when none is named. */
  token(publicKey?: string, secretKey?: string): Promise<string>
  /** Calls the gateway with the token of the default credential. */
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answered>
  /** Calls the control API. */
  control(method: string, path: string, body?: unknown): Promise<Answered>
  defects: unknown[]
  close(): void
}

/** A sandbox without a socket, frozen at `START`, with a fixed seed. */
export function openSandbox(
  options: { seed?: string; clock?: string; silences?: Record<string, unknown> } = {},
): TestSandbox {
  const defects: unknown[] = []
  const sender = createSender(() => ({ rewriteLocalhost: null, self: null, allow: null }))
  const worlds = createWorlds(
    {
      time: hostTime,
      sender,
      publicUrl: 'http://sandbox.test',
      secretStyle: 'byName',
      container: false,
      rewriteLocalhost: null,
      callbackAllow: null,
      autoConfirm: null,
      variation: null,
      keeper: null,
      report: (defect) => defects.push(defect),
    },
    {
      seed: options.seed ?? 'test',
      clock: parseClockStart(options.clock ?? START),
      silences: options.silences,
    },
  )
  const app = createApp(worlds, { controlToken: null })
  const fetch = (request: Request): Promise<Response> => Promise.resolve(app.fetch(request))
  return {
    ...clientOf('http://sandbox.test', fetch),
    worlds,
    world: worlds.default,
    defects,
    close: () => worlds.close(),
  }
}

/** Calls of a sandbox that answers through a fetch function. */
export function clientOf(
  url: string,
  fetch: (request: Request) => Promise<Response>,
): Pick<TestSandbox, 'send' | 'token' | 'call' | 'control'> {
  const tokens = new Map<string, string>()

  async function send(
    method: string,
    path: string,
    { token: bearer, headers = {}, body }: CallOptions = {},
  ): Promise<Answered> {
    const sent = bearer === undefined ? headers : { Authorization: `Bearer ${bearer}`, ...headers }
    const raw = typeof body === 'string' || body instanceof Uint8Array || body === undefined
    const init = {
      method,
      headers: sent,
      ...(body === undefined ? {} : { body: raw ? (body as string) : JSON.stringify(body) }),
    }
    const response = await fetch(new Request(url + path, init))
    const text = await response.text()
    const answered = {
      status: response.status,
      headers: response.headers,
      body: text === '' ? null : JSON.parse(text),
    }
    checkAnswer(method, new URL(url + path).pathname, answered)
    return answered
  }

  async function token(
    publicKey = 'pk_sandbox_default',
    secretKey = publicKey.replace('pk_', 'sk_'),
  ): Promise<string> {
    const { status, body } = await send('POST', '/v1/auth/token', { body: { publicKey, secretKey } })
    expect(status, JSON.stringify(body)).toBe(200)
    return String(body.data.accessToken)
  }

  return {
    send,
    token,
    async call(method, path, body, options = {}) {
      const known = tokens.get('default') ?? (await token())
      tokens.set('default', known)
      return send(method, path, { token: known, body, ...options })
    },
    control: (method, path, body) => send(method, `/_sandbox${path}`, { body }),
  }
}

/** Fails the test when an answer is not what its row declares. */
function checkAnswer(method: string, path: string, { status, body, headers }: Answered): void {
  const endpoint = (ENDPOINTS as readonly EndpointRow[]).find(
    (row) => row.method === method && pathPattern(row.path).test(path),
  )
  if (endpoint) {
    checkGatewayAnswer(endpoint, status, body, headers)
  } else if (path.startsWith('/_sandbox/')) {
    checkControlAnswer(method, path.slice('/_sandbox'.length), status, body)
  }
}

function checkGatewayAnswer(row: EndpointRow, status: number, body: unknown, headers: Headers): void {
  expect(headers.get('x-sandbox-world'), row.id).toBeTruthy()
  expect(headers.get('x-sandbox-now'), row.id).toMatch(/^\d{4}-.*Z$/)
  if (status < 300) {
    parse(envelopeOf(row.data), body, row.id)
    return
  }
  const { error } = parse(failureEnvelope, body, row.id) as { error: { code: string } }
  expect(headers.get('x-sandbox-hint'), row.id).toBeTruthy()
  const common =
    row.permission === null ? [] : ['unauthorized', 'ip_not_allowed', 'forbidden', 'rate_limit_exceeded']
  expect([...row.errors, ...common, 'internal_error'], `${row.id} answered an undeclared code`).toContain(
    error.code,
  )
  expect(Object.keys(GATEWAY_ERRORS)).toContain(error.code)
}

function checkControlAnswer(method: string, path: string, status: number, body: unknown): void {
  const inner = path.replace(/^\/worlds\/[^/]+(?=\/)/, '')
  const row = CONTROL_ROUTES.find(
    (each) => each.method === method && [path, inner].some((one) => pathPattern(each.path).test(one)),
  )
  if (row?.failure && row.failure.status === status) {
    parse(row.failure.schema, body, row.id)
  } else if (status >= 400) {
    const { error } = parse(failureEnvelope, body, path) as { error: { code: string } }
    expect(Object.keys(SANDBOX_ERRORS), path).toContain(error.code)
  } else if (row && row.id !== 'receiveIntoInbox') parse(row.answer, body, row.id)
}

function parse(schema: z.ZodType, value: unknown, what: string): unknown {
  const parsed = schema.safeParse(value)
  expect(
    parsed.success,
    `${what} answered ${JSON.stringify(value)}: ${parsed.success ? '' : z.prettifyError(parsed.error)}`,
  ).toBe(true)
  return parsed.data
}

function pathPattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`)
}

/** A fresh PIX transaction in Pending. */
export async function createPix(
  sandbox: Pick<TestSandbox, 'call'>,
  fields: Record<string, unknown> = {},
): Promise<Answered['body']> {
  const { status, body } = await sandbox.call('POST', '/v1/transactions', {
    method: 'Pix',
    amount: 12_990,
    ...fields,
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.data
}
