// Owns the proof that attempts run together without waiting for each other, for requests, or beyond their bounds.
import { describe, expect, test } from 'vitest'
import { MAX_FLIGHTS } from '../../src/world/run.ts'
import { parseClockStart } from '../../src/world/clockStart.ts'
import { fakeHost } from '../support/fakeHost.ts'
import { createPix, START } from '../support/sandbox.ts'
import { openReceiver } from '../support/server.ts'
import {
  advance,
  choose,
  deliveries,
  onlyDelivery,
  openHandReceiver,
  plus,
  promised,
  roundTrips,
  serve,
  settle,
  trigger,
  untilEnd,
} from './byHand.ts'
import type { ServerResponse } from 'node:http'
import type { Held } from './byHand.ts'
import type { Answered } from '../support/sandbox.ts'
import type { TestServer } from '../support/server.ts'

/** Some paid transactions, and the delivery of each. */
async function pay(server: TestServer, callbackUrl: string, count: number): Promise<string[]> {
  const made: string[] = []
  for (let index = 0; index < count; index++) {
    const { id } = await createPix(server, { callbackUrl })
    const fired = await trigger(server, id, 'confirm')
    made.push(fired.deliveries[0])
  }
  return made
}

describe('a request that causes an event', () => {
  test('is answered while the receiver of the event still keeps its answer back', async () => {
    const receiver = untilEnd(await openHandReceiver())
    const server = await serve()
    const { id } = await createPix(server, { callbackUrl: receiver.url })
    const { status, body } = await server.call('POST', `/v1/transactions/${id}/simulate`, {
      action: 'complete',
    })
    expect([status, body.data.status]).toEqual([200, 'Completed'])
    const held = await receiver.next()
    expect(await onlyDelivery(server)).toMatchObject({ status: 'sending', attempts: [{ endedAt: null }] })
    expect((await server.call('GET', `/v1/transactions/${id}`)).status).toBe(200)
    held.answer(204)
    await settle(server)
    expect(await onlyDelivery(server)).toMatchObject({ status: 'delivered' })
  })

  test('is answered before anything is sent', async () => {
    const log: string[] = []
    const receiver = untilEnd(
      await openReceiver((_, response) => {
        log.push('webhook')
        response.end()
      }),
    )
    const server = await serve()
    const { id } = await createPix(server, { callbackUrl: receiver.url })
    await trigger(server, id, 'confirm')
    log.push('answer')
    await settle(server)
    expect(log).toEqual(['answer', 'webhook'])
  })
})

describe('a receiver', () => {
  test('that calls back during its delivery is answered, and the webhook of what it did arrives', async () => {
    const server = await serve()
    const seen: string[] = []
    const receiver = untilEnd(
      await openReceiver(async (_, response) => {
        const found = await server.call('GET', `/v1/transactions/${id}`)
        const refund = await server.call('POST', `/v1/transactions/${id}/simulate`, { action: 'refund' })
        seen.push(found.body.data.status, refund.body.data.status)
        response.writeHead(204).end()
      }),
    )
    const { id } = await createPix(server, { callbackUrl: receiver.url })
    await trigger(server, id, 'confirm')
    await settle(server)
    expect(seen).toEqual(['Completed', 'Refunded'])
    expect(receiver.received.map(({ headers }) => headers['x-service-event'])).toEqual([
      'payment.completed',
      'payment.refunded',
    ])
  })

  test('that makes work during an advance has it done within that advance, at the same instant', async () => {
    const server = await serve()
    const receiver = untilEnd(
      await openReceiver(async (_, response) => {
        const next = await createPix(server, { callbackUrl: receiver.url })
        await server.call('POST', `/v1/transactions/${next.id}/simulate`, { action: 'complete' })
        response.writeHead(204).end()
      }),
    )
    await createPix(server, { callbackUrl: receiver.url })
    const { attempts, waiting } = await advance(server, '31m')
    const shown = attempts.map(({ type, at }: { type: string; at: string }) => `${type} ${at}`)
    expect(shown).toEqual([
      `payment.expired ${plus(START, 1_800_000)}`,
      `payment.completed ${plus(START, 1_800_000)}`,
    ])
    expect(waiting).toEqual([])
  })

  test('that advances the clock during an advance is told that it is busy, and disturbs nothing', async () => {
    const server = await serve()
    const refused: Answered[] = []
    const receiver = untilEnd(
      await openReceiver(async (_, response) => {
        for (const [path, body] of [
          ['/clock/advance', { by: '1h' }],
          ['/clock/freeze', {}],
          ['/clock/freeze', { at: plus(START, 86_400_000) }],
          ['/clock/flow', { rate: 2 }],
        ] as const) {
          refused.push(await server.control('POST', path, body))
        }
        response.writeHead(204).end()
      }),
    )
    await createPix(server, { callbackUrl: receiver.url })
    const { to, attempts } = await advance(server, '31m')
    expect(refused.map(({ status, body }) => `${status} ${body.error.code}`)).toEqual(
      Array.from({ length: 4 }, () => '409 sandbox_clock_busy'),
    )
    expect(to).toBe(plus(START, 1_860_000))
    expect(attempts).toHaveLength(1)
    expect((await server.control('GET', '/clock')).body).toEqual({ mode: 'frozen', now: to, rate: 1 })
    await advance(server, '1s')
  })

  test('that hangs keeps no other waiting', async () => {
    const hanging = untilEnd(await openHandReceiver())
    const good = untilEnd(await openHandReceiver())
    const server = await serve()
    const [slow] = await pay(server, hanging.url, 1)
    const held = await hanging.next()
    const [quick] = await pay(server, good.url, 1)
    ;(await good.next()).answer(204)
    await pay(server, good.url, 1)
    ;(await good.next()).answer(204)
    await roundTrips(server)
    const statusOf = async (id = ''): Promise<string> =>
      (await server.control('GET', `/deliveries/${id}`)).body.status
    expect([await statusOf(slow), await statusOf(quick)]).toEqual(['sending', 'delivered'])
    held.answer(204)
    await settle(server)
    expect(await statusOf(slow)).toBe('delivered')
  })

  test('that hangs keeps no retry of another waiting while time flows', async () => {
    const time = fakeHost()
    const hanging = untilEnd(await openHandReceiver())
    const good = untilEnd(await openHandReceiver())
    const server = await serve({ time, clock: parseClockStart(`flowing@${START}`) })
    await pay(server, hanging.url, 1)
    await hanging.next()
    const [made] = await pay(server, good.url, 1)
    ;(await good.next()).answer(500)
    for (const wait of [2_000, 4_000]) {
      await roundTrips(server)
      time.stopwatchAt += wait
      await server.control('GET', '/clock')
      ;(await good.next()).answer(wait === 2_000 ? 500 : 204)
    }
    await roundTrips(server)
    const { body } = await server.control('GET', `/deliveries/${made}`)
    expect(body.status).toBe('delivered')
    expect(body.attempts.map(({ at }: { at: string }) => at)).toEqual(
      [0, 2_000, 6_000].map((wait) => plus(START, wait)),
    )
  })
})

describe('attempts that are due together', () => {
  test(`are at most ${MAX_FLIGHTS} at once, start in order, and the others follow as places get free`, async () => {
    const receiver = untilEnd(await openHandReceiver())
    const server = await serve()
    const made: string[] = []
    for (let index = 0; index < MAX_FLIGHTS + 8; index++) {
      made.push((await createPix(server, { callbackUrl: receiver.url, externalId: `n${index}` })).id)
    }
    const done = advance(server, '31m')
    const first: Held[] = []
    for (let index = 0; index < MAX_FLIGHTS; index++) first.push(await receiver.next())
    await roundTrips(server)
    expect(receiver.arrived).toBe(MAX_FLIGHTS)
    for (const [index, held] of first.entries()) {
      held.answer(204)
      if (index < 8) (await receiver.next()).answer(204)
    }
    const { attempts } = await done
    expect(attempts.map(({ subject }: { subject: string }) => subject)).toEqual(made)
    expect(receiver.most).toBe(MAX_FLIGHTS)
    expect(receiver.arrived).toBe(MAX_FLIGHTS + 8)
  })

  test('all end before the next instant', async () => {
    const slow = untilEnd(await openHandReceiver())
    const answered = promised()
    const failing = untilEnd(
      await openReceiver((_, response) => {
        response.writeHead(500).end()
        answered.keep()
      }),
    )
    const server = await serve()
    await createPix(server, { callbackUrl: slow.url })
    await createPix(server, { callbackUrl: failing.url })
    const done = advance(server, '31m')
    const held = await slow.next()
    await answered.promise
    await roundTrips(server)
    expect((await server.control('GET', '/clock')).body.now).toBe(plus(START, 1_800_000))
    expect(failing.received).toHaveLength(1)
    held.answer(204)
    await done
    expect(failing.received).toHaveLength(2)
  })

  test('that wait for a place are refused a resend, and each is sent once', async () => {
    const receiver = untilEnd(await openHandReceiver())
    const server = await serve()
    const made = await pay(server, receiver.url, MAX_FLIGHTS + 1)
    const held: Held[] = []
    while (held.length < MAX_FLIGHTS) held.push(await receiver.next())
    await server.control('POST', `/deliveries/${made.at(-1)}/resend`, {})
    for (const each of held) each.answer(204)
    const last = await receiver.next()
    await roundTrips(server)
    expect(receiver.arrived).toBe(MAX_FLIGHTS + 1)
    last.answer(204)
    await settle(server)
    expect((await deliveries(server)).at(-1)).toMatchObject({
      status: 'delivered',
      attempts: [{ number: 1 }],
    })
  })

  test('that wait for a place survive a snapshot', async () => {
    const [full, gate] = [promised(), promised()]
    const receiver = untilEnd(
      await openReceiver(
        ...Array.from({ length: 2 * MAX_FLIGHTS + 2 }, () => async (_: unknown, response: ServerResponse) => {
          if (receiver.received.length === MAX_FLIGHTS) full.keep()
          await gate.promise
          response.writeHead(204).end()
        }),
      ),
    )
    const server = await serve()
    await pay(server, receiver.url, MAX_FLIGHTS + 2)
    await full.promise
    await server.control('PUT', '/snapshots/full', {})
    await server.control('POST', '/snapshots/full/restore', {})
    gate.keep()
    await settle(server)
    const found = (await deliveries(server)).map(({ status }) => status)
    expect(found).toEqual(Array.from({ length: MAX_FLIGHTS + 2 }, () => 'delivered'))
  })

  test('are bounded for each world alone', async () => {
    const [hanging, good] = [untilEnd(await openHandReceiver()), untilEnd(await openReceiver())]
    const server = await serve()
    await pay(server, hanging.url, MAX_FLIGHTS)
    for (let index = 0; index < MAX_FLIGHTS; index++) await hanging.next()
    const { body: other } = await server.control('POST', '/worlds', { id: 'other' })
    const token = await server.token(other.publicKey, other.secretKey)
    const { body } = await server.send('POST', '/v1/transactions', {
      token,
      body: { method: 'Pix', amount: 100, callbackUrl: good.url },
    })
    await server.control('POST', '/worlds/other/trigger', { on: body.data.id, do: 'confirm' })
    await settle(server, '/worlds/other')
    expect(good.received).toHaveLength(1)
  })
})

describe('an inbox', () => {
  test('of the sandbox itself answers as scripted and checks the signature', async () => {
    const server = await serve()
    const { body: inbox } = await server.control('PUT', '/inboxes/shop', { answers: [500, 500, 204] })
    await createPix(server, { callbackUrl: inbox.url, description: 'çã' })
    const { attempts } = await advance(server, '31m')
    expect(attempts.map(({ status }: { status: number }) => status)).toEqual([500, 500, 204])
    const { body } = await server.control('GET', '/inboxes/shop/messages')
    const shown = body.items.map(({ n, attempt, answered, signature, receivedAt }: Answered['body']) => [
      n,
      attempt,
      answered,
      signature,
      receivedAt,
    ])
    expect(shown).toEqual([
      [1, 1, 500, 'valid', plus(START, 1_800_000)],
      [2, 2, 500, 'valid', plus(START, 1_802_000)],
      [3, 3, 204, 'valid', plus(START, 1_806_000)],
    ])
  })

  test.each(['hex', 'base64'])('finds a signature written as %s valid', async (form) => {
    const server = await serve()
    await choose(server, { 'WH-01': form, 'WH-02': 'X-Loja-' })
    const { body: inbox } = await server.control('PUT', '/inboxes/shop', {})
    await pay(server, inbox.url, 1)
    const { body } = await server.control('GET', '/inboxes/shop/messages?wait=5s')
    expect(body.items).toMatchObject([{ signature: 'valid', type: 'payment.completed', attempt: 1 }])
  })

  test('gives a message to those who wait for it as soon as it comes', async () => {
    const server = await serve()
    const { id } = await createPix(server, {
      callbackUrl: `${server.url}/_sandbox/worlds/default/inbox/shop`,
    })
    const all = server.control('GET', '/inboxes/shop/messages?wait=60s')
    const refunds = server.control('GET', '/inboxes/shop/messages?type=payment.refunded&wait=60s')
    await trigger(server, id, 'confirm')
    expect((await all).body.items).toMatchObject([{ n: 1, type: 'payment.completed' }])
    await trigger(server, id, 'refund')
    expect((await refunds).body.items).toMatchObject([{ n: 2, type: 'payment.refunded' }])
  })

  test('that a reset empties lets go of those who wait for it', async () => {
    const server = await serve()
    const waiting = server.control('GET', '/inboxes/shop/messages?wait=60s')
    await roundTrips(server)
    await server.control('POST', '/reset', {})
    expect((await waiting).body.items).toEqual([])
  })
})

describe('the end of a server', () => {
  test('drops attempts in flight: receivers see the connection close', async () => {
    const receiver = untilEnd(await openHandReceiver())
    const server = await serve()
    await pay(server, receiver.url, 3)
    const held = [await receiver.next(), await receiver.next(), await receiver.next()]
    await server.close()
    await Promise.all(held.map(({ closed }) => closed))
    expect(server.world.flights.size).toBe(0)
    server.close = () => Promise.resolve()
  })

  test('closes connections that it keeps to receivers', async () => {
    const gone: Promise<void>[] = []
    const receiver = untilEnd(
      await openReceiver((request, response: ServerResponse) => {
        gone.push(new Promise((resolve) => request.socket.once('close', () => resolve())))
        response.writeHead(204).end()
      }),
    )
    const server = await serve()
    await pay(server, receiver.url, 1)
    await settle(server)
    await server.close()
    await Promise.all(gone)
    expect(gone).toHaveLength(1)
    server.close = () => Promise.resolve()
  })
})
