// Owns the recording of calls: what goes into the log of exchanges and onto the live feed.
import { stamp } from '../domain/world.ts'
import { redactBody, redactFields, redactText } from '../world/redaction.ts'
import { acceptableCode, misspeltFields } from './nearest.ts'
import type { Context } from 'hono'
import type { Credential } from '../domain/records.ts'
import type { Moment } from '../world/history.ts'
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
  /** The only fields of them that may be kept; null for all. */
  known: readonly string[] | null
}

const MOMENT = 'sandboxMoment'

/** Marks when a call begins to do its work: in the history it comes before all that it causes. */
export function markCall(world: RunningWorld, c: Context): void {
  c.set(MOMENT, world.history.moment(world))
}

/** Records a call and its answer in a world. */
export function recordCall(
  world: RunningWorld,
  c: Context,
  { operation, credential, subject, sent, known }: CallFacts,
  { status, envelope, headers, befallen = [] }: Reply,
): void {
  const { method } = c.req
  const path = redactText(c.req.path)
  const code = envelope.error?.code ?? null
  const hint = headers['X-Sandbox-Hint']
  const moment = (c.get(MOMENT) as Moment | undefined) ?? world.history.moment(world)
  const exchange = world.exchanges.add({
    order: moment.n,
    at: stamp(world),
    operation,
    method,
    path,
    query: redactFields(c.req.query()),
    publicKey: credential?.publicKey ?? null,
    subject: subject === null ? idOf(envelope.data) : redactText(subject),
    request: { headers: redactFields(c.req.header()), body: redactBody(sent, known) },
    status,
    code,
    hint: hint === undefined ? null : redactText(hint),
    silences: (headers['X-Sandbox-Silences'] ?? '').split(', ').filter((id) => id !== ''),
    faults: [...befallen],
    response: { headers: redactFields(headers), body: redactBody(envelope) },
    misspelt: known && acceptableCode(code) ? misspeltFields(sent, known) : {},
  })
  world.changes?.look()
  world.tell('call', { id: exchange.id, operation, method, path, status, code }, moment)
}

/** The id that something answered or stored has; null for none. */
export function idOf(data: unknown): string | null {
  const id = typeof data === 'object' && data !== null && 'id' in data ? data.id : null
  return typeof id === 'string' ? id : null
}
