// Owns the checks of deliveries: their headers, body and signature, and the attempts after a failed one.
import { at, inShort, textAt } from '../call.ts'
import { LeftOut, once } from '../check.ts'
import { demand, same, shaped, usable } from '../demands.ts'
import { writingOf } from '../receiver.ts'
import * as shapes from '../shapes.ts'
import { create, onlyInSandbox, pixOf, simulate } from '../suite.ts'
import { namesIn } from './methods.ts'
import { cashoutMaker } from './money.ts'
import type { Arrival, Hook, Receiver } from '../receiver.ts'
import type { Suite } from '../suite.ts'

/** The event of each status that a simulation can lead to. */
const EVENTS: Readonly<Record<string, string>> = {
  Completed: 'payment.completed',
  Expired: 'payment.expired',
  Failed: 'payment.failed',
  Cancelled: 'payment.cancelled',
  Refunded: 'payment.refunded',
  PartiallyRefunded: 'payment.partially_refunded',
  Processing: 'payment.refund_requested',
}
/** How long "about two" and "about four" seconds may be, in milliseconds. */
const WAITS_MS = [
  { attempt: 2, least: 1_000, most: 3_900 },
  { attempt: 3, least: 2_500, most: 8_000 },
] as const

function receiverOf(suite: Suite): Receiver {
  if (!suite.receiver) throw new LeftOut('no receiver that the target can reach; see --receiver-host')
  onlyInSandbox(suite)
  return suite.receiver
}

function hookOf(suite: Suite, hook: Hook | null): Hook {
  receiverOf(suite)
  if (!hook) throw new LeftOut('no receiver that the target can reach; see --receiver-host')
  return hook
}

function jsonOf({ body }: Arrival): unknown {
  try {
    return JSON.parse(body.toString()) as unknown
  } catch {
    return undefined
  }
}

/** Checks deliveries. */
export async function webhooks(suite: Suite): Promise<void> {
  suite.book.chapter('Webhooks')
  await paymentEvent(suite)
  await everyEvent(suite)
  await unreachedEvents(suite)
  await retries(suite)
  for (const event of CASHOUT_EVENTS) await cashoutEvent(suite, event)
  await cashoutChoices(suite)
}

async function paymentEvent(suite: Suite): Promise<void> {
  const { book, given, records } = suite
  const prefix = given.webhookPrefix
  const header = ({ headers }: Arrival, name: string): string =>
    String(headers[`${prefix}${name}`.toLowerCase()] ?? '')
  const delivered = once(async () => {
    receiverOf(suite)
    const { id, hook } = await records.paid()
    return { id, arrival: await hookOf(suite, hook).arrival(1) }
  })
  await book.holds('a simulated payment is told to its callbackUrl by POST', async () =>
    same('method', (await delivered()).arrival.method, 'POST'),
  )
  await book.holds('a delivery carries id, type, createdAt and data, and nothing else', async () =>
    shaped('body', jsonOf((await delivered()).arrival), shapes.webhook),
  )
  await book.holds('the delivery of a payment is payment.completed and holds its id', async () => {
    const { id, arrival } = await delivered()
    same('type', at(jsonOf(arrival), 'type'), 'payment.completed')
    same('data.id', at(jsonOf(arrival), 'data.id'), id)
  })
  for (const name of ['Signature', 'Event', 'Delivery', 'Attempt']) {
    await book.holds(`a delivery has the header ${name}`, async () =>
      demand(`${prefix}${name}`, header((await delivered()).arrival, name) !== '', 'no such header'),
    )
  }
  await book.holds('the headers name event, delivery and the first attempt', async () => {
    const { arrival } = await delivered()
    const body = jsonOf(arrival)
    same('Event', header(arrival, 'Event'), at(body, 'type'))
    same('Delivery', header(arrival, 'Delivery'), at(body, 'id'))
    same('Attempt', header(arrival, 'Attempt'), '1')
  })
  const written = async (): Promise<string | null> => {
    const { id, arrival } = await delivered()
    return writingOf(header(arrival, 'Signature'), arrival.body, id)
  }
  await book.holds('the signature of a payment event is HMAC-SHA256 with the payment id as key', async () =>
    demand('a signature made of the body with that key', (await written()) !== null, 'another one'),
  )
  await book.observe(
    'WH-01',
    'how the signature is written',
    'sha256=hex',
    async () => (await written()) ?? 'in no known way',
  )
  await book.observe(
    'WH-05',
    'data of payment events',
    'amount, completedAt, currency, customerId, description, environment, expiresAt, externalId, failureReason, fee, id, method, netAmount, pix, refundedAt, status',
    async () => namesIn(at(jsonOf((await delivered()).arrival), 'data')),
  )
}

async function everyEvent(suite: Suite): Promise<void> {
  const { book, gateway } = suite
  for (const { action, first } of [
    { action: 'expire', first: null },
    { action: 'fail', first: null },
    { action: 'refund', first: 'complete' },
  ] as const) {
    await book.holds(`${action} is told as the event of the status it leads to`, async () => {
      const hook = receiverOf(suite).hook()
      const created = usable('PIX', await create(gateway, pixOf({ callbackUrl: hook.url })))
      const id = textAt(created, 'data.id')
      if (first !== null) usable('paid PIX', await simulate(gateway, id, first))
      if (first !== null) await hook.arrival(1)
      const acted = usable('simulation', await simulate(gateway, id, action))
      const arrival = await hook.arrival(first === null ? 1 : 2)
      const ids = hook.arrivals.map((each) => at(jsonOf(each), 'id'))
      same('different delivery ids', new Set(ids).size, ids.length)
      same('type', at(jsonOf(arrival), 'type'), EVENTS[textAt(acted, 'data.status')])
    })
  }
}

/** Events of statuses that no call of the contract leads to. */
const UNREACHED = ['payment.cancelled', 'payment.partially_refunded', 'payment.refund_requested'] as const

async function unreachedEvents({ book }: Suite): Promise<void> {
  for (const event of UNREACHED) {
    await book.holds(`${event} is told when it happens`, () => {
      throw new LeftOut('no call of the contract leads to it')
    })
  }
}

async function retries(suite: Suite): Promise<void> {
  const { book, gateway, given } = suite
  const failed = once(async () => {
    const hook = receiverOf(suite).hook(500, 503)
    const created = usable('PIX', await create(gateway, pixOf({ callbackUrl: hook.url })))
    usable('paid PIX', await simulate(gateway, textAt(created, 'data.id'), 'complete'))
    const first = await hook.arrival(1)
    const second = await hook.arrival(2)
    return { hook, attempts: [first, second, await hook.arrival(3)] }
  })
  const header = `${given.webhookPrefix}Attempt`.toLowerCase()
  await book.holds('a delivery that is not answered with 2xx is tried three times, numbered', async () => {
    const { attempts } = await failed()
    same(
      'Attempt',
      attempts.map(({ headers }) => headers[header]),
      ['1', '2', '3'],
    )
  })
  await book.holds('every attempt is the same delivery', async () => {
    const ids = (await failed()).attempts.map((arrival) => at(jsonOf(arrival), 'id'))
    same('different ids', new Set(ids).size, 1)
  })
  for (const { attempt, least, most } of WAITS_MS) {
    await book.holds(`attempt ${attempt} comes after about ${attempt === 2 ? 2 : 4} seconds`, async () => {
      const [before, after] = (await failed()).attempts.slice(attempt - 2)
      const waited = (after?.at ?? 0) - (before?.at ?? 0)
      demand(`${least} to ${most} ms`, waited >= least && waited <= most, `${waited} ms`)
    })
  }
  await book.holds('a delivery that was answered with 2xx is not tried again', async () => {
    const { hook } = await suite.records.paid()
    await failed()
    same('attempts', hookOf(suite, hook).arrivals.length, 1)
  })
}

interface CashoutEvent {
  status: string
  /** The call that leads to the status; the contract hides it. */
  path: string
  body?: { action: string }
}

const CASHOUT_EVENTS: readonly CashoutEvent[] = [
  { status: 'Cancelled', path: 'cancel' },
  { status: 'Completed', path: 'simulate', body: { action: 'complete' } },
  { status: 'Failed', path: 'simulate', body: { action: 'fail' } },
  { status: 'Rejected', path: 'simulate', body: { action: 'reject' } },
]

/** Makes a cashout, brings about an event of it, and waits for its delivery. */
async function toldCashout(
  suite: Suite,
  { path, body }: CashoutEvent,
): Promise<{ id: string; arrival: Arrival }> {
  receiverOf(suite)
  const { created, hook } = await cashoutMaker(suite)()
  const id = textAt(usable('cashout', created), 'data.id')
  const call = { body }
  usable('cashout in that status', await suite.gateway.call('POST', `/v1/cashouts/${id}/${path}`, call))
  return { id, arrival: await hookOf(suite, hook).arrival(1) }
}

async function cashoutEvent(suite: Suite, event: CashoutEvent): Promise<void> {
  const { book, given } = suite
  const name = `cashout.${event.status.toLowerCase()}`
  const delivered = once(() => toldCashout(suite, event))
  await book.holds(`${name} is told with id, status, amount and netAmount`, async () => {
    const { id, arrival } = await delivered()
    const body = jsonOf(arrival)
    shaped('body', body, shapes.webhook)
    same('type', at(body, 'type'), name)
    same('data.id', at(body, 'data.id'), id)
    shaped('data', at(body, 'data'), shapes.cashoutEvent)
    same('data.status', at(body, 'data.status'), event.status)
  })
  await book.holds(`the signature of ${name} is HMAC-SHA256 with the cashout id as key`, async () => {
    const { id, arrival } = await delivered()
    const signature = String(arrival.headers[`${given.webhookPrefix}Signature`.toLowerCase()] ?? '')
    const isSigned = writingOf(signature, arrival.body, id) !== null
    demand('a signature made of the body with that key', isSigned, 'another one')
  })
}

async function cashoutChoices(suite: Suite): Promise<void> {
  const { book, gateway } = suite
  await book.observe(
    'CO-04',
    'cancelling a cashout, and once more',
    '200, then 400 invalid_status',
    async () => {
      onlyInSandbox(suite)
      const { created } = await cashoutMaker(suite)()
      const path = `/v1/cashouts/${textAt(usable('cashout', created), 'data.id')}/cancel`
      const answers = [await gateway.call('POST', path), await gateway.call('POST', path)]
      return answers.map(inShort).join(', then ')
    },
  )
  await book.observe(
    'WH-06',
    'data of cashout events',
    'amount, completedAt, currency, environment, externalId, failureReason, fee, id, netAmount, pix, processedAt, requestedAt, status',
    async () => {
      const { arrival } = await toldCashout(suite, { status: 'Cancelled', path: 'cancel' })
      return namesIn(at(jsonOf(arrival), 'data'))
    },
  )
}
