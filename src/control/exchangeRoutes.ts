// Owns the control routes of watching: the log of exchanges, waiting for one, and the live feed.
import { z } from 'zod'
import { OPERATION_IDS } from '../contract/endpoints.ts'
import { GATEWAY_ERRORS } from '../contract/errors.ts'
import { timestamp } from '../domain/records.ts'
import { acceptedForm } from '../http/acceptedForm.ts'
import { streamFeed } from '../http/eventStream.ts'
import { after as afterWait } from '../kernel/timers.ts'
import { FEED_KINDS } from '../world/feed.ts'
import { Misuse } from '../world/misuse.ts'
import { durationOf } from './clockRoutes.ts'
import { listAnswer, listOf, listQuery } from './lists.ts'
import { route } from './route.ts'
import type { OperationId } from '../contract/endpoints.ts'
import type { ErrorRow } from '../contract/errors.ts'
import type { Millis } from '../kernel/brands.ts'
import type { Exchange } from '../world/exchanges.ts'
import type { RunningWorld } from '../world/runningWorld.ts'

const tag = 'Watching'
const text = z.string().optional()
const operation = z.enum(OPERATION_IDS as OperationId[])
/** Longest wait for an exchange, in host milliseconds. */
const MAX_WAIT = 60_000
const names = z.record(z.string(), z.string())

const exchangeOut = z
  .strictObject({
    n: z.int(),
    id: z.string(),
    order: z.int().meta({ description: 'its place in one order with the commands' }),
    at: timestamp,
    operation: z.string().nullable(),
    method: z.string(),
    path: z.string(),
    query: names,
    publicKey: z.string().nullable(),
    subject: z.string().nullable(),
    request: z.strictObject({ headers: names, body: z.unknown() }),
    status: z.int().meta({ description: '0 when a fault reset the connection before the work' }),
    code: z.string().nullable(),
    hint: z.string().nullable(),
    silences: z.array(z.string()),
    faults: z.array(z.string()).meta({ description: 'names of the faults that befell the call' }),
    response: z.strictObject({ headers: names, body: z.unknown() }),
    rule: z
      .strictObject({ code: z.string(), when: z.string(), authority: z.string() })
      .nullable()
      .meta({ description: 'what the code of a refusal means, and on whose authority' }),
    accepted: z
      .strictObject({ body: z.record(z.string(), z.unknown()).optional(), query: names.optional() })
      .nullable()
      .meta({
        description:
          'the nearest form that would pass now, when the form was refused; null otherwise. Secrets and card data are placeholders.',
      }),
  })
  .meta({ id: 'Exchange', description: 'Secrets and card data are hidden before anything is kept.' })

/** An exchange as answered. Why it was refused is worked out here, when somebody asks. */
function exchangeView(world: RunningWorld, exchange: Exchange): z.input<typeof exchangeOut> {
  const { misspelt: _, ...kept } = exchange
  return { ...kept, rule: ruleOf(exchange.code), accepted: acceptedForm(world, exchange) }
}

function ruleOf(code: string | null): z.input<typeof exchangeOut>['rule'] {
  const rows: Readonly<Record<string, ErrorRow>> = GATEWAY_ERRORS
  const row = code !== null && Object.hasOwn(rows, code) ? rows[code] : undefined
  return code === null || !row ? null : { code, when: row.when, authority: row.authority }
}

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
  handle({ world, query }) {
    const { items, ...rest } = listOf(world.exchanges.list(), query, ({ id }) => id)
    return { items: items.map((exchange) => exchangeView(world, exchange)), ...rest }
  },
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
    if (found) return exchangeView(world, found)
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
    return found ? exchangeView(world, found) : c.json({ found: false }, 412)
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
  answerType: 'text/event-stream',
  handle: ({ world, c }) => streamFeed(c, world),
})

/** Control routes of watching. */
export const EXCHANGE_ROUTES = [listExchanges, getExchange, waitForExchange, streamEvents]
