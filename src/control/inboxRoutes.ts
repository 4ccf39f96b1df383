// Owns the control routes of inboxes: taking webhooks, scripts, and the messages that came.
import { z } from 'zod'
import { MAX_BODY_BYTES } from '../contract/limits.ts'
import { readBody } from '../http/body.ts'
import { inboxAnswer, inboxDelay } from '../world/inboxAnswers.ts'
import { Misuse } from '../world/misuse.ts'
import { durationOf } from './clockRoutes.ts'
import { inboxMessage, receiveInto, waitForMessages } from './inbox.ts'
import { listAnswer, listOf, listQuery } from './lists.ts'
import { route } from './route.ts'
import type { Inbox } from '../world/inboxes.ts'
import type { RunningWorld } from '../world/runningWorld.ts'

const tag = 'Webhooks'
const name = z.object({
  name: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,64}$/, 'is 1 to 64 letters, digits, dots, underscores or hyphens'),
})

const inboxOut = z
  .strictObject({
    name: z.string(),
    url: z.url(),
    answers: z.array(inboxAnswer),
    delayMs: z.int(),
    received: z.int(),
  })
  .meta({ id: 'Inbox' })

function inboxView({ id: world, host }: RunningWorld, inbox: Inbox): z.input<typeof inboxOut> {
  const { name: key, answers, delayMs, received } = inbox
  const url = `${host.publicUrl}/_sandbox/worlds/${world}/inbox/${key}`
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
    const body = await readBody(c.req.raw, MAX_BODY_BYTES)
    if (body === 'tooLarge') {
      throw new Misuse('sandbox_payload_too_large', `An inbox takes at most ${MAX_BODY_BYTES} bytes.`)
    }
    if (body === 'brokenOff') {
      throw new Misuse('sandbox_bad_request', 'The body ended before its announced end.')
    }
    return receiveInto(world, inboxOf(world, params.name), c, body)
  },
})

const scriptInbox = route({
  id: 'scriptInbox',
  method: 'PUT',
  path: '/inboxes/{name}',
  tag,
  summary:
    'Tells an inbox what to do with the next messages, in order: answer, redirect, dribble, hang, reset; 204 when nothing is left',
  params: name,
  body: z.strictObject({
    answers: z.array(inboxAnswer).max(1_000).default([]),
    delayMs: inboxDelay.default(0).meta({ description: 'for answers without a delay of their own' }),
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
    life: z.coerce.number<number | string>().pipe(z.int().min(0)).optional().meta({
      description: 'the life of the world that `after` is from; in any other one `after` counts as 0',
    }),
    wait: z
      .string()
      .optional()
      .meta({ description: 'host time to wait for a message, such as 5s; at most 60s' }),
  }),
  answer: z.strictObject({
    items: z.array(inboxMessage),
    life: z.int().meta({ description: 'grows with every reset and restore, after which `n` begins again' }),
  }),
  async handle({ world, params, query, c }) {
    const { type, wait } = query
    const { life } = world
    const after = query.life === undefined || query.life === life ? query.after : 0
    const inbox = inboxOf(world, params.name)
    const length = wait === undefined ? null : durationOf(wait, 'wait')
    const wanted = (): Inbox['messages'] =>
      inbox.messages.filter((message) => message.n > after && (type === undefined || message.type === type))
    return { items: await waitForMessages(inbox, wanted, length, c.req.raw.signal), life }
  },
})

/** Control routes of inboxes. */
export const INBOX_ROUTES = [receiveWebhook, scriptInbox, listInboxes, listMessages]
