// Shared by the tests of the gateway: sandboxes that close themselves, knobs, clock moves, callers from elsewhere, refusals.
import { afterAll, expect, onTestFinished } from 'vitest'
import { createApp } from '../../src/app.ts'
import { ENDPOINTS } from '../../src/contract/endpoints.ts'
import { clientOf, openSandbox } from '../support/sandbox.ts'
import type { EndpointRow } from '../../src/contract/endpoint.ts'
import type { Answered, CallOptions, TestSandbox } from '../support/sandbox.ts'

type Options = Parameters<typeof openSandbox>[0]

/** The table of endpoints with the type of its rows. */
export const ROWS: readonly EndpointRow[] = ENDPOINTS

/** An id that no record has. */
export const NO_ID = '00000000-0000-4000-8000-000000000000'

/** A sandbox that closes when the test that asks for it ends. */
export function fresh(options: Options = {}): TestSandbox {
  const sandbox = openSandbox(options)
  onTestFinished(() => sandbox.close())
  return sandbox
}

/** A sandbox for all tests of a `describe`. */
export function shared(options: Options = {}): TestSandbox {
  const sandbox = openSandbox(options)
  afterAll(() => sandbox.close())
  return sandbox
}

/** The code of a refusal; null for a success. */
export function codeOf({ body }: Answered): string | null {
  return body?.error?.code ?? null
}

/** Status and code of an answer in one word, such as `404 not_found`; only the status of a success. */
export function outcome(answered: Answered): string {
  const code = codeOf(answered)
  return code === null ? String(answered.status) : `${answered.status} ${code}`
}

/** Calls the control API and insists on a success. */
export async function control(
  sandbox: Pick<TestSandbox, 'control'>,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answered['body']> {
  const answered = await sandbox.control(method, path, body)
  expect(answered.status, JSON.stringify(answered.body)).toBeLessThan(300)
  return answered.body
}

/** Chooses what the default world answers where the contract is silent. */
export async function choose(sandbox: TestSandbox, silences: Record<string, unknown>): Promise<void> {
  await control(sandbox, 'PATCH', '/silences', silences)
}

/** Moves the clock of the default world forward. */
export async function advance(sandbox: TestSandbox, by: string): Promise<void> {
  await control(sandbox, 'POST', '/clock/advance', { by })
}

/** A key pair with settings of its own. */
export async function makePair(
  sandbox: TestSandbox,
  settings: Record<string, unknown> = {},
): Promise<{ publicKey: string; secretKey: string }> {
  const { publicKey, secretKey } = await control(sandbox, 'POST', '/credentials', settings)
  return { publicKey, secretKey }
}

/** The token of a fresh key pair with settings of its own. */
export async function makeToken(
  sandbox: TestSandbox,
  settings: Record<string, unknown> = {},
): Promise<string> {
  const { publicKey, secretKey } = await makePair(sandbox, settings)
  return sandbox.token(publicKey, secretKey)
}

/** Asks for a token; the answer may be a refusal. */
export function askToken(
  sandbox: Pick<TestSandbox, 'send'>,
  fields: Record<string, unknown> = {},
): Promise<Answered> {
  const body = { publicKey: 'pk_sandbox_default', secretKey: 'sk_sandbox_default', ...fields }
  return sandbox.send('POST', '/v1/auth/token', { body })
}

/** The same sandbox, called from a socket whose other end has an address. */
export function callingFrom(
  sandbox: TestSandbox,
  remoteAddress: string,
): Pick<TestSandbox, 'send' | 'token' | 'call'> {
  const app = createApp(sandbox.worlds, { controlToken: null })
  const env = { incoming: { socket: { remoteAddress } } }
  return clientOf('http://sandbox.test', (request) => Promise.resolve(app.fetch(request, env)))
}

/** Everything of the default world that a refused call must leave alone, as text. */
export function savedCopy({ world }: Pick<TestSandbox, 'world'>): string {
  const { rateWindows: _counted, ...records } = world.state
  return JSON.stringify({ records, chance: world.random.save(), jobs: world.scheduler.save() })
}

/** What a refused call did. */
export interface Refused {
  outcome: string
  /** Whether the world differs from what it was before the call. */
  changed: boolean
  defects: unknown[]
}

/** What a call that is refused without a trace comes to. */
export function refusedAs(expected: string): Refused {
  return { outcome: expected, changed: false, defects: [] }
}

/** Makes a call with the default token that should be refused; answers what it did, and its message. */
export async function refusedCall(
  sandbox: TestSandbox,
  method: string,
  path: string,
  body?: unknown,
  options: CallOptions = {},
): Promise<{ refused: Refused; message: string }> {
  await sandbox.call('GET', '/v1/customers')
  const before = savedCopy(sandbox)
  const answered = await sandbox.call(method, path, body, options)
  const changed = savedCopy(sandbox) !== before
  return {
    refused: { outcome: outcome(answered), changed, defects: [...sandbox.defects] },
    message: answered.body?.error?.message ?? '',
  }
}
