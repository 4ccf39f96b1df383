// Owns the recording of calls: what goes into the log of exchanges and onto the live feed.
import { stamp } from '../domain/world.ts'
import { redactBody, redactHeaders } from '../world/exchanges.ts'
import type { Context } from 'hono'
import type { Credential } from '../domain/records.ts'
import type { RunningWorld } from '../world/runningWorld.ts'
import type { Reply } from './replies.ts'

/** What is known of a call besides its request. */
export interface CallFacts {
  operation: string | null
  credential: Credential | null
  /** The record that the path names. */
  subject: string | null
  /** The fields that were sent; null when they could not be read. */
  sent: unknown
}

/** Records a call and its answer in a world. */
export function recordCall(
  world: RunningWorld,
  c: Context,
  { operation, credential, subject, sent }: CallFacts,
  { status, envelope, headers }: Reply,
): void {
  const { method, path } = c.req
  const code = envelope.error?.code ?? null
  const exchange = world.exchanges.add({
    at: stamp(world),
    operation,
    method,
    path,
    query: redactHeaders(c.req.query()),
    publicKey: credential?.publicKey ?? null,
    subject: subject ?? idOf(envelope.data),
    request: { headers: redactHeaders(c.req.header()), body: redactBody(sent) },
    status,
    code,
    hint: headers['X-Sandbox-Hint'] ?? null,
    silences: (headers['X-Sandbox-Silences'] ?? '').split(', ').filter((id) => id !== ''),
    response: { body: redactBody(envelope) },
  })
  world.tell('call', { id: exchange.id, operation, method, path, status, code })
}

function idOf(data: unknown): string | null {
  const id = typeof data === 'object' && data !== null && 'id' in data ? data.id : null
  return typeof id === 'string' ? id : null
}
