// Owns the control routes of webhooks: deliveries and inboxes.
import { z } from 'zod'
import { EVENT_TYPES } from '../contract/events.ts'
import { MAX_BODY_BYTES } from '../contract/limits.ts'
import { resendDelivery } from '../domain/deliveries.ts'
import { attemptRecord, DELIVERY_STATUSES, deliveryRecord } from '../domain/trail.ts'
import { recordOf } from '../domain/state.ts'
import { readBody } from '../http/body.ts'
import { attemptHeaders } from '../webhooks/attempt.ts'
import { Misuse } from '../world/misuse.ts'
import { planWake } from '../world/run.ts'
import { durationOf } from './clockRoutes.ts'
import { inboxMessage, receiveInto, waitForMessages } from './inbox.ts'
import { listAnswer, listOf, listQuery } from './lists.ts'
import { route } from './route.ts'
import type { Attempt, Delivery } from '../domain/trail.ts'
import type { Inbox } from '../world/inboxes.ts'
import type { RunningWorld } from '../world/runningWorld.ts'

const tag = 'Webhooks'
const id = z.object({ id: z.string() })
const name = z.object({
  name: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,64}$/, 'is 1 to 64 letters, digits, dots, underscores or hyphens'),
})

const attemptOut = attemptRecord
  .omit({ answer: true })
  .extend({ latencyMs: z.int().nullable().meta({ description: 'host milliseconds; null after a restore' }) })
const deliveryOut = deliveryRecord
  .omit({
    body: true,
    order: true,
    sentHeaders: true,
    nextNumber: true,
    roundStartedAt: true,
    attempts: true,
  })
  .extend({ attempts: z.array(attemptOut) })
  .meta({ id: 'Delivery' })
const deliveryDetail = deliveryOut
  .extend({
    body: z.string(),
    headers: z
      .record(z.string(), z.string())
      .meta({ description: 'of the latest attempt, or of the first one to come' }),
    attempts: z.array(attemptOut.extend({ answer: z.string().nullable() })),
  })
  .meta({ id: 'DeliveryDetail' })

function attemptView(world: RunningWorld, attempt: Attempt): z.input<typeof attemptOut> {
  const { number, at, endedAt, status, error } = attempt
  return { number, at, endedAt, status, error, latencyMs: world.latencies.get(attempt) ?? null }
}

function deliveryView(world: RunningWorld, delivery: Delivery): z.input<typeof deliveryOut> {
  const { id: key, type, subject, url, status, createdAt, nextAttemptAt, attempts } = delivery
  const views = attempts.map((attempt) => attemptView(world, attempt))
  return { id: key, type, subject, url, status, createdAt, nextAttemptAt, attempts: views }
}

function deliveryOf(world: RunningWorld, key: string): Delivery {
  const found = recordOf(world.state.deliveries, key)
  if (found) return found
  throw new Misuse(
    'sandbox_not_found',
    `No delivery ${key} in this world; GET /_sandbox/deliveries lists them.`,
  )
}

const listDeliveries = route({
  id: 'listDeliveries',
  method: 'GET',
  path: '/deliveries',
  tag,
  summary: 'Lists deliveries, newest first',
  query: z.object({
    ...listQuery,
    subject: z.string().optional(),
    type: z.enum(EVENT_TYPES).optional(),
    status: z.enum(DELIVERY_STATUSES).optional(),
    url: z.string().optional(),
  }),
  answer: listAnswer(deliveryOut),
  handle({ world, query }) {
    const { items, ...rest } = listOf(Object.values(world.state.deliveries), query, (delivery) => delivery.id)
    return { items: items.map((delivery) => deliveryView(world, delivery)), ...rest }
  },
})

const getDelivery = route({
  id: 'getDelivery',
  method: 'GET',
  path: '/deliveries/{id}',
  tag,
  summary: 'Reads one delivery with its bytes, headers, attempts and answers',
  params: id,
  answer: deliveryDetail,
  handle({ world, params }) {
    const delivery = deliveryOf(world, params.id)
    return {
      ...deliveryView(world, delivery),
      body: delivery.body,
      headers: delivery.sentHeaders ?? attemptHeaders(world, delivery, 1),
      attempts: delivery.attempts.map((attempt) => ({
        ...attemptView(world, attempt),
        answer: attempt.answer,
      })),
    }
  },
})

const resend = route({
  id: 'resendDelivery',
  method: 'POST',
  path: '/deliveries/{id}/resend',
  tag,
  summary: 'Sends a delivery again: same id and bytes, a new round of attempts from 1',
  params: id,
  answer: deliveryOut,
  errors: ['sandbox_delivery_busy'],
  handle({ world, params }) {
    const delivery = deliveryOf(world, params.id)
    if (delivery.status === 'sending' || world.queue.includes(delivery.id)) {
      throw new Misuse(
        'sandbox_delivery_busy',
        `An attempt of ${params.id} is in flight or about to be; settle first.`,
      )
    }
    resendDelivery(world, delivery)
    planWake(world)
    return deliveryView(world, delivery)
  },
})

const inboxOut = z
  .strictObject({
    name: z.string(),
    url: z.url(),
    answers: z.array(z.int()),
    delayMs: z.int(),
    received: z.int(),
  })
  .meta({ id: 'Inbox' })

function inboxView({ id: world, publicUrl }: RunningWorld, inbox: Inbox): z.input<typeof inboxOut> {
  const { name: key, answers, delayMs, received } = inbox
  const url = `${publicUrl}/_sandbox/worlds/${world}/inbox/${key}`
  return { name: key, url, answers, delayMs, received }
}

function inboxOf(world: RunningWorld, key: string): Inbox {
  const inbox = world.inboxes.ensure(key)
  if (inbox) return inbox
  throw new Misuse('sandbox_bad_request', 'This world has as many inboxes as it may; reset it.')
}

const receiveWebhook = route({
  id: 'receiveIntoInbox',
  method: 'POST',
  path: '/inbox/{name}',
  tag,
  summary: 'Takes a webhook; use its address as callbackUrl',
  params: name,
  answer: z.null(),
  status: 204,
  open: true,
  async handle({ world, params, c }) {
    const inbox = inboxOf(world, params.name)
    const body = await readBody(c.req.raw, MAX_BODY_BYTES)
    if (body === 'tooLarge') {
      throw new Misuse('sandbox_payload_too_large', `An inbox takes at most ${MAX_BODY_BYTES} bytes.`)
    }
    if (body === 'brokenOff') {
      throw new Misuse('sandbox_bad_request', 'The body ended before its announced end.')
    }
    const answered = await receiveInto(world, inbox, c.req.header(), body)
    return c.body(null, answered as 204)
  },
})

const scriptInbox = route({
  id: 'scriptInbox',
  method: 'PUT',
  path: '/inboxes/{name}',
  tag,
  summary: 'Tells an inbox what to answer, in order; 204 when nothing is left',
  params: name,
  body: z.strictObject({
    answers: z.array(z.int().min(200).max(599)).max(1_000).default([]),
    delayMs: z.int().min(0).max(600_000).default(0),
  }),
  answer: inboxOut,
  handle({ world, params, body }) {
    const inbox = inboxOf(world, params.name)
    inbox.answers = body.answers
    inbox.delayMs = body.delayMs
    return inboxView(world, inbox)
  },
})

const listInboxes = route({
  id: 'listInboxes',
  method: 'GET',
  path: '/inboxes',
  tag,
  summary: 'Lists the inboxes that were used or scripted',
  query: z.object(listQuery),
  answer: listAnswer(inboxOut),
  handle({ world, query }) {
    const { items, ...rest } = listOf(world.inboxes.list(), query, (inbox) => inbox.name)
    return { items: items.map((inbox) => inboxView(world, inbox)), ...rest }
  },
})

const listMessages = route({
  id: 'listInboxMessages',
  method: 'GET',
  path: '/inboxes/{name}/messages',
  tag,
  summary: 'Lists what an inbox received, oldest first; waits for a message when asked to',
  params: name,
  query: z.object({
    type: z.string().optional(),
    after: z.coerce
      .number<number | string>()
      .pipe(z.int().min(0))
      .default(0)
      .meta({ description: 'only messages with a greater `n`' }),
    wait: z
      .string()
      .optional()
      .meta({ description: 'host time to wait for a message, such as 5s; at most 60s' }),
  }),
  answer: z.strictObject({ items: z.array(inboxMessage) }),
  async handle({ world, params, query: { type, after, wait } }) {
    const inbox = inboxOf(world, params.name)
    const length = wait === undefined ? null : durationOf(wait, 'wait')
    const wanted = (): Inbox['messages'] =>
      inbox.messages.filter((message) => message.n > after && (type === undefined || message.type === type))
    return { items: await waitForMessages(inbox, wanted, length) }
  },
})

/** Control routes of webhooks. */
export const WEBHOOK_ROUTES = [
  listDeliveries,
  getDelivery,
  resend,
  receiveWebhook,
  scriptInbox,
  listInboxes,
  listMessages,
]
