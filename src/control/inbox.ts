// Owns what an inbox does with a webhook: keep the message, wake who waits, and answer as scripted or not at all.
import { z } from 'zod'
import { MAX_JSON_LEVELS } from '../contract/limits.ts'
import { isDeeperThan } from '../kernel/nesting.ts'
import { after } from '../kernel/timers.ts'
import { timestamp } from '../domain/records.ts'
import { stamp } from '../domain/world.ts'
import { INBOX_BEHAVIOURS, planOf } from '../world/inboxAnswers.ts'
import { receive } from '../world/inboxes.ts'
import { Misuse } from '../world/misuse.ts'
import { checkSignature } from '../world/signatureCheck.ts'
import type { Context } from 'hono'
import type { Millis } from '../kernel/brands.ts'
import type { InboxPlan } from '../world/inboxAnswers.ts'
import type { Inbox, InboxMessage } from '../world/inboxes.ts'
import type { RunningWorld } from '../world/runningWorld.ts'

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
    why: z.string().nullable().meta({ description: 'what is wrong with a signature that is invalid' }),
    answered: z
      .int()
      .nullable()
      .meta({ description: 'HTTP status that the script says; null when it answers nothing' }),
    behaviour: z
      .enum(INBOX_BEHAVIOURS)
      .meta({ description: 'what the inbox does with it; of several things the first of this list' }),
  })
  .meta({ id: 'InboxMessage' })

/** Takes a webhook and does with it what the script says. Ends early when the caller or the inbox goes. */
export async function receiveInto(
  world: RunningWorld,
  inbox: Inbox,
  c: Context,
  bytes: Uint8Array,
): Promise<Response> {
  const plan = planOf(inbox.answers.shift(), inbox.delayMs)
  receive(inbox, messageOf(world, c.req.header(), bytes, plan))
  const { signal } = c.req.raw
  if (plan.behaviour === 'hung') {
    await untilGone(inbox, null, signal)
    return endConnection(c, 'hangs')
  }
  if (plan.delayMs > 0) await untilGone(inbox, plan.delayMs as Millis, signal)
  return plan.answer ? answerWith(c, inbox, plan.answer) : endConnection(c, 'resets')
}

function messageOf(
  world: RunningWorld,
  headers: Record<string, string>,
  bytes: Uint8Array,
  { behaviour, answer }: InboxPlan,
): Omit<InboxMessage, 'n'> {
  const prefix = world.choices.get('WH-02').toLowerCase()
  const body = new TextDecoder().decode(bytes)
  const json = parse(body)
  const attempt = Number(headers[`${prefix}attempt`])
  const delivery = headers[`${prefix}delivery`] ?? null
  const data = typeof json === 'object' && json !== null && 'data' in json ? json.data : null
  const signed = { signature: headers[`${prefix}signature`], bytes, named: textAt(data, 'id'), delivery }
  return {
    receivedAt: stamp(world),
    type: headers[`${prefix}event`] ?? textAt(json, 'type'),
    delivery,
    attempt: Number.isSafeInteger(attempt) ? attempt : null,
    headers,
    body,
    json,
    ...checkSignature(world, signed),
    answered: answer?.status ?? null,
    behaviour,
  }
}

function textAt(value: unknown, key: string): string | null {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return null
  const found = (value as Record<string, unknown>)[key]
  return typeof found === 'string' ? found : null
}

/** A body as JSON; null when it is none, or too deep to be answered. */
function parse(body: string): unknown {
  try {
    const value: unknown = JSON.parse(body)
    return isDeeperThan(MAX_JSON_LEVELS, value) ? null : value
  } catch {
    return null
  }
}

/** The caller's connection; null for a call without a socket. */
function socketOf(c: Context): { destroy(): void; resetAndDestroy(): void } | null {
  const env = c.env as { incoming?: { socket?: { destroy(): void; resetAndDestroy(): void } } } | undefined
  return env?.incoming?.socket ?? null
}

/**
 * Ends a connection without an answer: closed after a hang, reset (RST) otherwise.
 * @throws {Misuse} for a call without a socket, which has nothing that could end
 */
function endConnection(c: Context, how: 'hangs' | 'resets'): Response {
  const socket = socketOf(c)
  if (!socket) {
    throw new Misuse(
      'sandbox_bad_request',
      `This inbox ${how === 'hangs' ? 'hung until it or its caller went away' : 'resets the connection'}, and a call without a socket has none that could end; send it over the network.`,
    )
  }
  if (how === 'hangs') socket.destroy()
  else socket.resetAndDestroy()
  return c.body(null, 204)
}

function answerWith(
  c: Context,
  inbox: Inbox,
  { status, body, location, slow }: NonNullable<InboxPlan['answer']>,
): Response {
  const headers = {
    ...(location === null ? {} : { Location: location }),
    ...(body === null ? {} : { 'Content-Type': 'text/plain; charset=UTF-8' }),
  }
  const content = slow && body !== null ? dribble(c, inbox, Buffer.from(body), slow) : body
  return c.body(content as string, status as 200, headers)
}

/** A body that comes in small pieces, the first one after the first wait. Breaks off when the inbox goes. */
function dribble(
  c: Context,
  inbox: Inbox,
  bytes: Uint8Array,
  { bytes: size, everyMs }: { bytes: number; everyMs: number },
): ReadableStream<Uint8Array> {
  const left = new AbortController()
  let at = 0
  return new ReadableStream(
    {
      async pull(controller) {
        await untilGone(inbox, everyMs as Millis, left.signal)
        if (left.signal.aborted) return
        if (inbox.gone) {
          const socket = socketOf(c)
          socket?.destroy()
          if (socket) controller.close()
          else controller.error(new TypeError('the inbox was cleared away'))
          return
        }
        controller.enqueue(bytes.subarray(at, at + size))
        at += size
        if (at >= bytes.length) controller.close()
      },
      cancel: () => left.abort(),
    },
    { highWaterMark: 0 },
  )
}

/** Waits some host time (null: without end), or until the inbox is cleared away or the signal is aborted. */
function untilGone(inbox: Inbox, wait: Millis | null, signal: AbortSignal): Promise<void> {
  return watchInbox(inbox, () => inbox.gone, wait, signal)
}

/** The wanted messages, as soon as there is one or the wait is over. */
export async function waitForMessages(
  inbox: Inbox,
  wanted: () => InboxMessage[],
  wait: Millis | null,
  signal: AbortSignal,
): Promise<InboxMessage[]> {
  if (wait !== null) {
    const longest = Math.min(wait, MAX_WAIT) as Millis
    await watchInbox(inbox, () => inbox.gone || wanted().length > 0, longest, signal)
  }
  return wanted()
}

/** Resolves as soon as something holds of an inbox, when the host time is over, or when the signal is aborted. */
function watchInbox(
  inbox: Inbox,
  holds: () => boolean,
  wait: Millis | null,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      inbox.watchers.delete(look)
      signal.removeEventListener('abort', done)
      callOff?.()
      resolve()
    }
    const look = (): void => {
      if (holds()) done()
    }
    const callOff = wait === null ? null : after(wait, done)
    inbox.watchers.add(look)
    signal.addEventListener('abort', done)
    if (signal.aborted) done()
    else look()
  })
}
