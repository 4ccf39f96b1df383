// Owns the proof that webhooks arrive as the contract says: bytes, headers, signature, retries and payloads, on real sockets.
import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { deliveryBody, minimumEvent, transactionEvent } from '../../src/contract/webhookPayloads.ts'
import { EVENT_TYPES } from '../../src/contract/events.ts'
import { parseClockStart } from '../../src/world/clockStart.ts'
import { fakeHost } from '../support/fakeHost.ts'
import { createPix, START } from '../support/sandbox.ts'
import { openReceiver } from '../support/server.ts'
import { hasTools } from '../support/tools.ts'
import {
  advance,
  choose,
  deliveries,
  onlyDelivery,
  openHandReceiver,
  openRawReceiver,
  plus,
  serve,
  settle,
  trigger,
  untilEnd,
} from './byHand.ts'
import type { EventType } from '../../src/contract/events.ts'
import type { Received } from '../support/server.ts'

/** A second implementation of the HMAC, on the machine that runs the tests. */
const ORACLE = 'openssl'
const hasOracle = hasTools('the opinion of openssl on signatures', ORACLE)

/** The HMAC that openssl makes of some bytes; Node's own where a machine has no openssl. */
async function opensslHmac(body: Buffer, key: string): Promise<string> {
  if (!hasOracle) return createHmac('sha256', key).update(body).digest('hex')
  const child = spawn(ORACLE, ['dgst', '-sha256', '-hmac', key])
  child.stdin.end(body)
  let said = ''
  for await (const chunk of child.stdout) said += String(chunk)
  const [hex = ''] = /[0-9a-f]{64}/.exec(said) ?? []
  return hex
}

const numberOf = ({ headers }: Received): unknown => headers['x-service-attempt']

describe('a PIX with a window of 30 minutes, whose receiver answers 500, 500 and 204', () => {
  // proves: limit RETRY_WAITS_SECONDS
  test.each([
    ['frozen', START],
    ['flowing', `flowing@${START}`],
  ])(
    'is attempted at +30:00, +30:02 and +30:06 when a %s clock advances 31 minutes',
    async (_mode, clock) => {
      const receiver = untilEnd(await openReceiver(500, 500, 204))
      const server = await serve({ clock: parseClockStart(clock) })
      const { id, createdAt } = await createPix(server, {
        callbackUrl: `${receiver.url}?shop=1`,
        pixExpirationMinutes: 30,
        description: 'Café da manhã ☕',
      })
      const { from, to, ran, attempts, waiting, totals } = await advance(server, '31m')

      const at = [1_800_000, 1_802_000, 1_806_000].map((wait) => plus(createdAt, wait))
      expect(to).toBe(plus(from, 1_860_000))
      expect(ran).toEqual([{ at: at[0], job: 'expireTransaction', subject: id }])
      const [{ delivery }] = attempts
      expect(attempts).toEqual(
        [500, 500, 204].map((status, index) => ({
          delivery,
          type: 'payment.expired',
          subject: id,
          number: index + 1,
          at: at[index],
          status,
        })),
      )
      expect(waiting).toEqual([])
      expect(totals).toEqual({ ran: 4, waiting: 0 })

      const { received } = receiver
      expect(received.map(({ method, path }) => `${method} ${path}`)).toEqual(
        Array.from({ length: 3 }, () => 'POST /hook?shop=1'),
      )
      expect(received.map(numberOf)).toEqual(['1', '2', '3'])
      for (const { headers, body } of received) {
        expect(headers).toMatchObject({
          'content-type': 'application/json',
          'content-length': String(body.length),
          'x-service-event': 'payment.expired',
          'x-service-delivery': delivery,
          'x-service-signature': `sha256=${await opensslHmac(body, id)}`,
        })
        expect(headers).not.toHaveProperty('transfer-encoding')
        expect(body.equals(received[0]?.body ?? Buffer.alloc(0))).toBe(true)
      }
      const { id: bodyId, createdAt: madeAt, data } = JSON.parse(String(received[0]?.body))
      expect([bodyId, madeAt]).toEqual([delivery, at[0]])
      expect(data).toMatchObject({ id, status: 'Expired', description: 'Café da manhã ☕' })
    },
  )

  test('shows the same in its record: instants, numbers, bytes, headers and answers', async () => {
    const receiver = untilEnd(
      await openReceiver(500, (_, response) => response.writeHead(503).end('later'), 204),
    )
    const server = await serve()
    await createPix(server, { callbackUrl: receiver.url })
    await advance(server, '31m')
    const delivery = await onlyDelivery(server)
    const at = [1_800_000, 1_802_000, 1_806_000].map((wait) => plus(START, wait))
    expect(delivery).toMatchObject({
      status: 'delivered',
      createdAt: at[0],
      nextAttemptAt: null,
      url: receiver.url,
    })
    expect(delivery.body).toBe(String(receiver.received[0]?.body))
    expect(delivery.headers).toMatchObject({ 'X-Service-Attempt': '3', 'X-Service-Delivery': delivery.id })
    expect(delivery.attempts).toEqual(
      [
        { status: 500, answer: '' },
        { status: 503, answer: 'later' },
        { status: 204, answer: '' },
      ].map((found, index) => ({
        ...found,
        number: index + 1,
        at: at[index],
        endedAt: at[index],
        error: null,
        latencyMs: expect.any(Number),
      })),
    )
  })

  // proves: limit DELIVERY_ATTEMPTS
  test('is exhausted after a third failure, and nothing more is ever sent', async () => {
    const receiver = untilEnd(await openReceiver(500, 404, 301))
    const server = await serve()
    await createPix(server, { callbackUrl: receiver.url })
    await advance(server, '31m')
    expect(await onlyDelivery(server)).toMatchObject({ status: 'exhausted', nextAttemptAt: null })
    const { ran, attempts } = await advance(server, '30d')
    expect([ran, attempts]).toEqual([[], []])
    expect(receiver.received).toHaveLength(3)
  })

  test('is delivered by any 2xx, and by nothing else', async () => {
    const server = await serve()
    for (const status of [200, 201, 202, 204, 299]) {
      const receiver = untilEnd(await openReceiver(status))
      const { id } = await createPix(server, { callbackUrl: receiver.url })
      await trigger(server, id, 'confirm')
      await settle(server)
    }
    for (const status of [300, 304, 400, 410, 429, 500, 599]) {
      const receiver = untilEnd(await openReceiver(status))
      const { id } = await createPix(server, { callbackUrl: receiver.url })
      await trigger(server, id, 'cancel')
      await settle(server)
    }
    const found = (await deliveries(server)).map(({ status, attempts }) => `${attempts[0].status} ${status}`)
    expect(found).toEqual(
      [200, 201, 202, 204, 299]
        .map((status) => `${status} delivered`)
        .concat([300, 304, 400, 410, 429, 500, 599].map((status) => `${status} scheduled`)),
    )
  })
})

describe('what a world chooses', () => {
  test.each([
    ['prefixedHex', (hex: string) => `sha256=${hex}`],
    ['hex', (hex: string) => hex],
    ['base64', (hex: string) => Buffer.from(hex, 'hex').toString('base64')],
  ])('WH-01 %s is how the signature is written', async (form, written) => {
    const receiver = untilEnd(await openReceiver())
    const server = await serve()
    await choose(server, { 'WH-01': form })
    const { id } = await createPix(server, { callbackUrl: receiver.url })
    await trigger(server, id, 'confirm')
    await settle(server)
    const { headers, body } = receiver.received[0] ?? {}
    expect(headers?.['x-service-signature']).toBe(written(await opensslHmac(body ?? Buffer.alloc(0), id)))
  })

  test('WH-02 is the prefix of all four headers', async () => {
    const receiver = untilEnd(await openReceiver())
    const server = await serve()
    await choose(server, { 'WH-02': 'X-Loja-' })
    const { id } = await createPix(server, { callbackUrl: receiver.url })
    await trigger(server, id, 'confirm')
    await settle(server)
    const names = Object.keys(receiver.received[0]?.headers ?? {})
    expect(names.filter((name) => name.startsWith('x-')).toSorted()).toEqual([
      'x-loja-attempt',
      'x-loja-delivery',
      'x-loja-event',
      'x-loja-signature',
      'x-sandbox-now',
    ])
  })

  test('the headers of a delivery are those that its latest attempt was sent with, whatever is chosen later', async () => {
    const receiver = untilEnd(await openReceiver())
    const server = await serve()
    const { id } = await createPix(server, { callbackUrl: receiver.url })
    await trigger(server, id, 'confirm')
    await settle(server)
    const { headers: before } = await onlyDelivery(server)
    await choose(server, { 'WH-01': 'base64', 'WH-02': 'X-Loja-' })
    expect((await onlyDelivery(server)).headers).toEqual(before)
  })

  test('WH-03 is how long a receiver may take; a hanging one fails three times and sees its connection close', async () => {
    const receiver = untilEnd(await openHandReceiver())
    const server = await serve()
    await choose(server, { 'WH-03': 0.05 })
    await createPix(server, { callbackUrl: receiver.url })
    const done = advance(server, '31m')
    for (const number of [1, 2, 3]) {
      const held = await receiver.next()
      expect(held.attempt).toBe(number)
      await held.closed
    }
    const { attempts } = await done
    expect(attempts.map(({ status }: { status: unknown }) => status)).toEqual([null, null, null])
    const delivery = await onlyDelivery(server)
    expect(delivery.status).toBe('exhausted')
    for (const { error, status, answer, latencyMs } of delivery.attempts) {
      expect({ error, status, answer }).toEqual({
        error: 'timed out after 50 ms',
        status: null,
        answer: null,
      })
      expect(latencyMs).toBeGreaterThanOrEqual(49)
    }
  })

  test.each([
    ['endOfAttempt', [3_000, 3_000 + 1_500 + 4_000]],
    ['firstAttempt', [2_000, 4_000]],
  ])('WH-04 %s is what the waits count from', async (choice, expected) => {
    const time = fakeHost()
    const receiver = untilEnd(await openHandReceiver())
    const server = await serve({ time, clock: parseClockStart(`flowing@${START}`) })
    await choose(server, { 'WH-04': choice })
    const { id } = await createPix(server, { callbackUrl: receiver.url })
    await trigger(server, id, 'confirm')
    const found: string[] = []
    for (const taken of [1_000, 1_500]) {
      const held = await receiver.next()
      time.stopwatchAt += taken
      held.answer(500)
      await settle(server)
      const { nextAttemptAt } = await onlyDelivery(server)
      found.push(nextAttemptAt)
      time.stopwatchAt = Math.max(time.stopwatchAt, Date.parse(nextAttemptAt) - Date.parse(START))
      await server.control('GET', '/clock')
    }
    const last = await receiver.next()
    expect(last.attempt).toBe(3)
    last.answer(204)
    await settle(server)
    expect(found).toEqual(expected.map((wait) => plus(START, wait)))
    expect(await onlyDelivery(server)).toMatchObject({ status: 'delivered' })
  })

  test('WH-07: without a callbackUrl no change of status makes a delivery', async () => {
    const server = await serve()
    const paid = await createPix(server)
    const dropped = await createPix(server)
    await createPix(server)
    for (const [id, what] of [
      [paid.id, 'confirm'],
      [paid.id, 'requestRefund'],
      [paid.id, 'settleRefund'],
      [dropped.id, 'fail'],
    ] as const) {
      expect((await trigger(server, id, what)).deliveries).toEqual([])
    }
    await advance(server, '1d')
    expect((await server.control('GET', '/deliveries')).body).toEqual({ items: [], total: 0, next: null })
  })
})

/** What leads to each event of a transaction. */
const WAYS: Partial<Record<EventType, [what: string, parameters?: Record<string, unknown>][]>> = {
  'payment.completed': [['confirm']],
  'payment.expired': [['expire']],
  'payment.failed': [['fail', { reason: 'Saldo insuficiente.' }]],
  'payment.cancelled': [['cancel']],
  'payment.refunded': [['confirm'], ['refund']],
  'payment.partially_refunded': [['confirm'], ['refund', { amount: 1 }]],
  'payment.refund_requested': [['confirm'], ['requestRefund', { amount: 5 }]],
}

describe('the payload', () => {
  const events = Object.entries(WAYS) as [EventType, NonNullable<(typeof WAYS)[EventType]>][]

  test('is looked at for every event of a transaction', () => {
    expect(Object.keys(WAYS).toSorted()).toEqual(
      EVENT_TYPES.filter((type) => type.startsWith('payment.')).toSorted(),
    )
  })

  // proves: every event of payment
  test.each(events)(
    'of %s has exactly the fields of WH-05, with the values of the transaction',
    async (type, way) => {
      const receiver = untilEnd(await openReceiver())
      const server = await serve()
      const { id } = await createPix(server, {
        callbackUrl: receiver.url,
        externalId: 'pedido-1',
        description: 'uma cadeira',
        customerName: 'Ana Souza',
        customerDocument: '12345678909',
      })
      for (const [what, parameters] of way) await trigger(server, id, what, parameters)
      await settle(server)
      const sent = receiver.received.find(({ headers }) => headers['x-service-event'] === type)
      const { data } = deliveryBody(type, transactionEvent).parse(JSON.parse(String(sent?.body)))
      const { body } = await server.call('GET', `/v1/transactions/${id}`)
      const { pix, ...fields } = body.data
      expect(data).toEqual({
        ...Object.fromEntries(Object.keys(data).map((name) => [name, fields[name]])),
        pix: {
          txId: pix.txId,
          endToEndId: pix.endToEndId,
          payerName: pix.payerName,
          payerDocument: pix.payerDocument,
          payerBank: pix.payerBank,
        },
      })
    },
  )

  test.each(events)('of %s is the minimum in a world that chose so', async (type, way) => {
    const receiver = untilEnd(await openReceiver())
    const server = await serve()
    await choose(server, { 'WH-05': 'minimum' })
    const { id } = await createPix(server, { callbackUrl: receiver.url })
    for (const [what, parameters] of way) await trigger(server, id, what, parameters)
    await settle(server)
    const sent = receiver.received.find(({ headers }) => headers['x-service-event'] === type)
    const { data } = deliveryBody(type, minimumEvent).parse(JSON.parse(String(sent?.body)))
    expect(data).toMatchObject({ id, amount: 12_990, netAmount: 12_795 })
  })

  test('of a simulated change is that of a real one', async () => {
    const receiver = untilEnd(await openReceiver())
    const server = await serve()
    const { id } = await createPix(server, { callbackUrl: receiver.url })
    for (const action of ['complete', 'refund']) {
      await server.call('POST', `/v1/transactions/${id}/simulate`, { action })
      await settle(server)
    }
    const [completed, refunded] = receiver.received.map(({ body }) => JSON.parse(String(body)))
    expect(deliveryBody('payment.completed', transactionEvent).parse(completed).data.status).toBe('Completed')
    expect(deliveryBody('payment.refunded', transactionEvent).parse(refunded).data.status).toBe('Refunded')
  })
})

describe('a delivery that is sent again', () => {
  test('has the same id and bytes and a new round of attempts from 1', async () => {
    const receiver = untilEnd(await openReceiver(500, 500, 500, 500, 500, 204))
    const server = await serve()
    await createPix(server, { callbackUrl: receiver.url })
    await advance(server, '31m')
    const { id, status } = await onlyDelivery(server)
    expect(status).toBe('exhausted')
    const again = await server.control('POST', `/deliveries/${id}/resend`, {})
    expect(again.body).toMatchObject({ id, status: 'scheduled', nextAttemptAt: plus(START, 1_860_000) })
    const { attempts } = await advance(server, '1m')
    expect(attempts.at(-1)).toMatchObject({ number: 3, at: plus(START, 1_866_000), status: 204 })
    expect(receiver.received.map(numberOf)).toEqual(['1', '2', '3', '1', '2', '3'])
    expect(new Set(receiver.received.map(({ body }) => String(body))).size).toBe(1)
    expect(new Set(receiver.received.map(({ headers }) => headers['x-service-delivery']))).toEqual(
      new Set([id]),
    )
    const delivery = await onlyDelivery(server)
    expect(delivery.status).toBe('delivered')
    expect(delivery.attempts.map(({ number }: { number: number }) => number)).toEqual([1, 2, 3, 1, 2, 3])
  })

  test('counts WH-04 firstAttempt from the first attempt of its new round', async () => {
    const receiver = untilEnd(await openReceiver(204, 500, 500, 204))
    const server = await serve()
    await choose(server, { 'WH-04': 'firstAttempt' })
    const { id } = await createPix(server, { callbackUrl: receiver.url })
    const { deliveries: made } = await trigger(server, id, 'confirm')
    await advance(server, '10m')
    await server.control('POST', `/deliveries/${made[0]}/resend`, {})
    await advance(server, '1m')
    const { attempts } = await onlyDelivery(server)
    expect(attempts.map(({ at }: { at: string }) => at)).toEqual(
      [0, 600_000, 602_000, 604_000].map((wait) => plus(START, wait)),
    )
  })

  test('while it waits for a retry begins its round anew, and the old retry is gone', async () => {
    const receiver = untilEnd(await openReceiver(500, 500, 204))
    const server = await serve()
    const { id } = await createPix(server, { callbackUrl: receiver.url })
    const { deliveries: made } = await trigger(server, id, 'confirm')
    await settle(server)
    await server.control('POST', `/deliveries/${made[0]}/resend`, {})
    await advance(server, '1m')
    expect(receiver.received.map(numberOf)).toEqual(['1', '1', '2'])
    expect(await onlyDelivery(server)).toMatchObject({ status: 'delivered' })
  })

  test('is refused while an attempt of it is in flight, and changes nothing', async () => {
    const receiver = untilEnd(await openHandReceiver())
    const server = await serve()
    const { id } = await createPix(server, { callbackUrl: receiver.url })
    const { deliveries: made } = await trigger(server, id, 'confirm')
    const held = await receiver.next()
    const refused = await server.control('POST', `/deliveries/${made[0]}/resend`, {})
    expect([refused.status, refused.body.error.code]).toEqual([409, 'sandbox_delivery_busy'])
    held.answer(204)
    await settle(server)
    expect(receiver.arrived).toBe(1)
    expect(await onlyDelivery(server)).toMatchObject({ status: 'delivered', attempts: [{ number: 1 }] })
  })
})

describe('a connection that is kept between attempts', () => {
  const empty = (status: string): string => `HTTP/1.1 ${status}\r\nContent-Length: 0\r\n\r\n`

  test('and closed by the receiver meanwhile makes no attempt fail', async () => {
    const closing: (() => void)[] = []
    const receiver = untilEnd(
      await openRawReceiver((socket) => {
        socket.write(empty('500 No'))
        closing.push(() => socket.destroy())
      }),
    )
    const server = await serve()
    const { id } = await createPix(server, { callbackUrl: receiver.url })
    await trigger(server, id, 'confirm')
    await settle(server)
    for (const wait of ['2s', '4s']) {
      closing.at(-1)?.()
      await advance(server, wait)
    }
    const delivery = await onlyDelivery(server)
    expect(delivery.attempts.map(({ status }: { status: number }) => status)).toEqual([500, 500, 500])
    expect(receiver.requests).toHaveLength(3)
  })

  test('does not hide that a receiver took an attempt and broke off before it answered', async () => {
    const receiver = untilEnd(
      await openRawReceiver((socket) => {
        if (receiver.requests.length === 2) socket.resetAndDestroy()
        else socket.write(empty(receiver.requests.length === 1 ? '500 No' : '204 Ok'))
      }),
    )
    const server = await serve()
    const { id } = await createPix(server, { callbackUrl: receiver.url })
    await trigger(server, id, 'confirm')
    await advance(server, '10s')
    const { attempts } = await onlyDelivery(server)
    const sent = receiver.requests.map(({ head }) => /x-service-attempt: (\d)/i.exec(head)?.[1])
    expect(sent).toEqual(['1', '2', '3'])
    expect(attempts.map(({ status }: { status: number | null }) => status)).toEqual([500, null, 204])
  })
})
