// Owns the control routes of watching: the log of exchanges, waiting for one, and the live feed.
import { streamSSE } from 'hono/streaming'
import { z } from 'zod'
import { OPERATION_IDS } from '../contract/endpoints.ts'
import { timestamp } from '../domain/records.ts'
import { after as afterWait } from '../kernel/timers.ts'
import { FEED_KINDS } from '../world/feed.ts'
import { Misuse } from '../world/misuse.ts'
import { durationOf } from './clockRoutes.ts'
import { listAnswer, listOf, listQuery } from './lists.ts'
import { route } from './route.ts'
import type { OperationId } from '../contract/endpoints.ts'
import type { Millis } from '../kernel/brands.ts'
import type { Exchange } from '../world/exchanges.ts'
import type { FeedItem } from '../world/feed.ts'
import type { RunningWorld } from '../world/runningWorld.ts'

const tag = 'Watching'
const text = z.string().optional()
const operation = z.enum(OPERATION_IDS as OperationId[])
/** Longest wait for an exchange, in host milliseconds. */
const MAX_WAIT = 60_000
/** Things that a slow listener may be behind before it is cut off. */
const MAX_BACKLOG = 10_000
const names = z.record(z.string(), z.string())

const exchangeOut = z
  .strictObject({
    n: z.int(),
    id: z.string(),
    at: timestamp,
    operation: z.string().nullable(),
    method: z.string(),
    path: z.string(),
    query: names,
    publicKey: z.string().nullable(),
    subject: z.string().nullable(),
    request: z.strictObject({ headers: names, body: z.unknown() }),
    status: z.int(),
    code: z.string().nullable(),
    hint: z.string().nullable(),
    silences: z.array(z.string()),
    response: z.strictObject({ body: z.unknown() }),
  })
  .meta({ id: 'Exchange', description: 'Secrets and card data are hidden before anything is kept.' })

const filters = {
  operation: operation.optional(),
  method: text,
  path: text,
  status: z.coerce.number<number | string>().pipe(z.int()).optional(),
  code: text,
  subject: text,
  publicKey: text,
}

const listExchanges = route({
  id: 'listExchanges',
  method: 'GET',
  path: '/exchanges',
  tag,
  summary: 'Lists the latest calls to the gateway with their answers, newest first',
  query: z.object({ ...listQuery, ...filters }),
  answer: listAnswer(exchangeOut),
  handle: ({ world, query }) => listOf(world.exchanges.list(), query, ({ id }) => id),
})

const getExchange = route({
  id: 'getExchange',
  method: 'GET',
  path: '/exchanges/{id}',
  tag,
  summary: 'Reads one call with its answer',
  params: z.object({ id: z.string() }),
  answer: exchangeOut,
  handle({ world, params: { id } }) {
    const found = world.exchanges.get(id)
    if (found) return found
    throw new Misuse('sandbox_not_found', `No exchange ${id} is kept; GET /_sandbox/exchanges lists them.`)
  },
})

const waitForExchange = route({
  id: 'waitForExchange',
  method: 'POST',
  path: '/exchanges/wait',
  tag,
  summary:
    'Answers the next call that fits, also one already made after `after`; 412 when none comes in time',
  body: z.strictObject({
    operation: operation.optional(),
    method: text,
    path: text,
    status: z.int().optional(),
    code: text,
    subject: text,
    publicKey: text,
    after: z
      .int()
      .min(0)
      .optional()
      .meta({ description: 'only exchanges with a greater `n`; from now on unless named' }),
    wait: z.string().default('5s').meta({ description: 'host time to wait, at most 60s' }),
  }),
  answer: exchangeOut,
  failure: {
    status: 412,
    description: 'No call came in time.',
    schema: z.strictObject({ found: z.literal(false) }).meta({ id: 'NoExchange' }),
  },
  async handle({ world, body: { after, wait, ...wanted }, c }) {
    const from = after ?? world.exchanges.list().at(-1)?.n ?? 0
    const length = Math.min(durationOf(wait, 'wait'), MAX_WAIT) as Millis
    const found = await nextExchange(
      world,
      (exchange) => exchange.n > from && fitsAll(exchange, wanted),
      length,
    )
    return found ?? c.json({ found: false }, 412)
  },
})

function fitsAll(exchange: Exchange, wanted: Partial<Record<keyof Exchange, unknown>>): boolean {
  return Object.entries(wanted).every(
    ([name, value]) => value === undefined || exchange[name as keyof Exchange] === value,
  )
}

function nextExchange(
  world: RunningWorld,
  wanted: (exchange: Exchange) => boolean,
  wait: Millis,
): Promise<Exchange | null> {
  return new Promise((resolve) => {
    let stopListening = (): void => undefined
    const look = (): void => {
      const found = world.exchanges.list().find(wanted)
      if (found || world.exchanges.closed) {
        callOff()
        resolve(found ?? null)
      } else stopListening = world.exchanges.next(look)
    }
    const callOff = afterWait(wait, () => {
      stopListening()
      resolve(null)
    })
    look()
  })
}

const streamEvents = route({
  id: 'streamEvents',
  method: 'GET',
  path: '/events',
  tag,
  summary: `Streams what happens as server-sent events: ${FEED_KINDS.join(', ')}`,
  answer: z.string(),
  handle: ({ world, c }) =>
    streamSSE(c, async (stream) => {
      const backlog: FeedItem[] = []
      const listening = new AbortController()
      let wake = (): void => undefined
      const arrival = (): Promise<void> =>
        new Promise((resolve) => {
          wake = resolve
        })
      const end = (): void => {
        listening.abort()
        wake()
      }
      const stop = world.feed.listen((item) => {
        if (backlog.push(item) > MAX_BACKLOG) end()
        wake()
      }, end)
      listening.signal.addEventListener('abort', stop)
      stream.onAbort(end)
      await stream.writeSSE({ event: 'open', data: JSON.stringify({ world: world.id }) })
      while (!listening.signal.aborted) {
        const item = backlog.shift()
        if (!item) await arrival()
        else await stream.writeSSE({ event: item.kind, data: JSON.stringify({ at: item.at, ...item.facts }) })
      }
    }),
})

/** Control routes of watching. */
export const EXCHANGE_ROUTES = [listExchanges, getExchange, waitForExchange, streamEvents]
