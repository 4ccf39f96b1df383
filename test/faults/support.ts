// What tests of faults share: a world of one server, calls over a socket of their own, and receivers.
import { request } from 'node:http'
import { onTestFinished } from 'vitest'
import { startSandbox } from '../../src/index.ts'
import { openReceiver } from '../support/server.ts'
import { tokenOf } from '../client/shop.ts'
import type { IncomingHttpHeaders } from 'node:http'
import type { Sandbox, SandboxWorld, StartOptions } from '../../src/index.ts'
import type { Receiver, ReceiverAnswer } from '../support/server.ts'

/** A sandbox that closes with the test. */
export async function open(options: StartOptions = {}): Promise<Sandbox> {
  const sandbox = await startSandbox({ clock: '2030-01-01T12:00:00Z', seed: 'faults', ...options })
  onTestFinished(() => sandbox.close())
  return sandbox
}

/** A receiver that closes with the test. */
export async function receive(...answers: ReceiverAnswer[]): Promise<Receiver> {
  const receiver = await openReceiver(...answers)
  onTestFinished(() => receiver.close())
  return receiver
}

/** How one call over a connection of its own ended. */
export interface Seen {
  status: number | null
  headers: IncomingHttpHeaders
  /** Everything that came of the body. */
  text: string
  /** Pieces that it came in. */
  pieces: number
  /** Code of the error that ended it early; null when it ended as it should. */
  broken: string | null
}

/** Sends one call over a connection of its own and tells what a client sees of it. */
export function see(
  url: string,
  { method = 'POST', token, body }: { method?: string; token?: string; body?: unknown } = {},
): Promise<Seen> {
  return new Promise((resolve) => {
    const seen: Seen = { status: null, headers: {}, text: '', pieces: 0, broken: null }
    const end = (broken: string | null): void => resolve({ ...seen, broken })
    const sent = request(url, {
      method,
      agent: false,
      headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
    })
    sent.on('response', (response) => {
      seen.status = response.statusCode ?? null
      seen.headers = response.headers
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        seen.text += chunk
        seen.pieces += 1
      })
      response.on('end', () => end(null))
      response.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message))
    })
    sent.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message))
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

/** A merchant of a world: its token, and calls that are seen as a client sees them. */
export async function merchant(world: SandboxWorld) {
  const token = await tokenOf(world)
  return {
    token,
    /** Creates a PIX transaction. */
    create: (fields: Record<string, unknown> = {}): Promise<Seen> =>
      see(`${world.url}/v1/transactions`, { token, body: { method: 'Pix', amount: 12_990, ...fields } }),
    read: (id: string): Promise<Seen> => see(`${world.url}/v1/transactions/${id}`, { method: 'GET', token }),
    simulate: (id: string, action = 'complete'): Promise<Seen> =>
      see(`${world.url}/v1/transactions/${id}/simulate`, { token, body: { action } }),
  }
}

/** The data of an answer that came whole. */
export function dataOf({ text }: Seen): Record<string, unknown> {
  return (JSON.parse(text) as { data: Record<string, unknown> }).data
}

/** The code of a refusal. */
export function codeOf({ text }: Seen): string {
  return (JSON.parse(text) as { error: { code: string } }).error.code
}
