// Owns what an inbox does with a webhook: answer as scripted, check the signature, keep the message, wake who waits.
import { z } from 'zod'
import { after } from '../kernel/timers.ts'
import { timestamp } from '../domain/records.ts'
import { stamp } from '../domain/world.ts'
import { signBody } from '../webhooks/signature.ts'
import { receive } from '../world/inboxes.ts'
import type { Millis } from '../kernel/brands.ts'
import type { Inbox, InboxMessage, SignatureCheck } from '../world/inboxes.ts'
import type { RunningWorld } from '../world/runningWorld.ts'

/** Status of an inbox whose script is used up. */
const DEFAULT_ANSWER = 204
/** Longest wait for a message, in host milliseconds. */
const MAX_WAIT = 60_000

/** One received webhook, as answered. */
export const inboxMessage = z
  .strictObject({
    n: z.int(),
    receivedAt: timestamp,
    type: z.string().nullable(),
    delivery: z.string().nullable(),
    attempt: z.int().nullable(),
    headers: z.record(z.string(), z.string()),
    body: z.string(),
    json: z.unknown(),
    signature: z.enum(['valid', 'invalid', 'absent']),
    answered: z.int(),
  })
  .meta({ id: 'InboxMessage' })

/** Takes a webhook and answers the status that the script says. */
export async function receiveInto(
  world: RunningWorld,
  inbox: Inbox,
  headers: Record<string, string>,
  bytes: Uint8Array,
): Promise<number> {
  const prefix = world.choices.get('WH-02').toLowerCase()
  const body = new TextDecoder().decode(bytes)
  const json = parse(body)
  const answered = inbox.answers.shift() ?? DEFAULT_ANSWER
  const attempt = Number(headers[`${prefix}attempt`])
  receive(inbox, {
    receivedAt: stamp(world),
    type: headers[`${prefix}event`] ?? textAt(json, 'type'),
    delivery: headers[`${prefix}delivery`] ?? null,
    attempt: Number.isSafeInteger(attempt) ? attempt : null,
    headers,
    body,
    json,
    signature: checkSignature(world, headers[`${prefix}signature`], bytes, json),
    answered,
  })
  if (inbox.delayMs > 0) await untilGone(inbox, inbox.delayMs as Millis)
  return answered
}

/** Whether the signature holds for the bytes, keyed with the id that the body names. Source: WH-01. */
function checkSignature(
  world: RunningWorld,
  signature: string | undefined,
  bytes: Uint8Array,
  json: unknown,
): SignatureCheck {
  if (signature === undefined) return 'absent'
  const data = typeof json === 'object' && json !== null && 'data' in json ? json.data : null
  const secret = textAt(data, 'id')
  if (secret === null) return 'invalid'
  return signature === signBody(bytes, secret, world.choices.get('WH-01')) ? 'valid' : 'invalid'
}

function textAt(value: unknown, key: string): string | null {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return null
  const found = (value as Record<string, unknown>)[key]
  return typeof found === 'string' ? found : null
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}

/** Waits some host time, or until the inbox is cleared away. */
function untilGone(inbox: Inbox, wait: Millis): Promise<void> {
  return watchInbox(inbox, () => inbox.gone, wait)
}

/** The wanted messages, as soon as there is one or the wait is over. */
export async function waitForMessages(
  inbox: Inbox,
  wanted: () => InboxMessage[],
  wait: Millis | null,
): Promise<InboxMessage[]> {
  if (wait !== null) {
    await watchInbox(inbox, () => inbox.gone || wanted().length > 0, Math.min(wait, MAX_WAIT) as Millis)
  }
  return wanted()
}

/** Resolves as soon as something holds of an inbox, or when the host time is over. */
function watchInbox(inbox: Inbox, holds: () => boolean, wait: Millis): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      inbox.watchers.delete(look)
      callOff()
      resolve()
    }
    const look = (): void => {
      if (holds()) done()
    }
    const callOff = after(wait, done)
    inbox.watchers.add(look)
    look()
  })
}
