// Owns the proof that worlds on one port never meet, and that forks and resets do what they say.
import { beforeEach, describe, expect, test } from 'vitest'
import { createPix, START } from '../support/sandbox.ts'
import {
  advance,
  choose,
  deliveries,
  openHandReceiver,
  plus,
  roundTrips,
  serve,
  settle,
  trigger,
  untilEnd,
} from '../webhooks/byHand.ts'
import { addEvidence, makeSide, readEvidence, sideOf } from './sides.ts'
import type { Answered } from '../support/sandbox.ts'
import type { TestServer } from '../support/server.ts'
import type { Side } from './sides.ts'

const idsOf = ({ body }: Answered): string[] => body.items.map(({ id }: { id: string }) => id)

describe('two worlds on one port', () => {
  let [server, a, b]: [TestServer, Side, Side] = [] as never
  beforeEach(async () => {
    server = await serve()
    a = await makeSide(server, { id: 'a' })
    b = await makeSide(server, { id: 'b' })
  })

  test('never see the records of each other', async () => {
    const sale = await createPix(a, {
      externalId: 'same',
      customerName: 'Ana',
      customerDocument: '12345678909',
    })
    expect((await b.call('GET', `/v1/transactions/${sale.id}`)).body.error.code).toBe('not_found')
    for (const [method, path] of [
      ['GET', `/v1/customers/${sale.customerId}`],
      ['PATCH', `/v1/customers/${sale.customerId}`],
      ['POST', `/v1/transactions/${sale.id}/simulate`],
    ] as const) {
      const body = method === 'GET' ? undefined : { action: 'complete', name: 'Eva' }
      expect((await b.call(method, path, body)).status, path).toBe(404)
    }
    expect((await b.control('POST', '/trigger', { on: sale.id, do: 'confirm' })).status).toBe(404)
    for (const path of ['/v1/transactions', '/v1/customers', '/v1/transactions?externalId=same']) {
      expect((await b.call('GET', path)).body.data.totalItems, path).toBe(0)
      expect((await a.call('GET', path)).body.data.totalItems, path).toBe(1)
    }
    for (const path of ['/transactions', '/customers', '/journal', '/jobs']) {
      expect((await b.control('GET', path)).body.total, path).toBe(0)
    }
    expect((await b.control('GET', `/transactions/${sale.id}`)).status).toBe(404)
    expect((await a.call('GET', `/v1/transactions/${sale.id}`)).body.data.status).toBe('Pending')
  })

  test('have keys that open only their own', async () => {
    const { publicKey, secretKey } = a.made
    for (const [publicOne, secretOne] of [
      [publicKey, b.made.secretKey],
      [b.made.publicKey, secretKey],
      [publicKey, a.made.production.secretKey],
      [publicKey, 'sk_sandbox_default'],
    ]) {
      const body = { publicKey: publicOne, secretKey: secretOne }
      expect((await server.send('POST', '/v1/auth/token', { body })).body.error.code).toBe(
        'invalid_credentials',
      )
    }
    const names = (await b.control('GET', '/credentials')).body.items.map(
      ({ publicKey: name }: { publicKey: string }) => name,
    )
    expect(names.every((name: string) => name.includes('_b'))).toBe(true)
    expect((await b.control('PATCH', `/credentials/${publicKey}`, { active: false })).status).toBe(404)
    expect((await a.call('GET', '/v1/transactions')).status).toBe(200)
  })

  test('have tokens that lead to their own, whatever else they say', async () => {
    for (const side of [a, b]) {
      const { headers } = await side.call('GET', '/v1/transactions')
      expect(headers.get('x-sandbox-world')).toBe(side.made.id)
    }
    const [head, payload = '', signature] = a.token.split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const changed = Buffer.from(JSON.stringify({ ...claims, world: 'b' })).toString('base64url')
    const forged = [head, changed, signature].join('.')
    expect((await server.send('GET', '/v1/transactions', { token: forged })).status).toBe(401)
  })

  test('have inboxes of their own under equal names, and deliveries of their own', async () => {
    for (const side of [a, b]) {
      const { body: inbox } = await side.control('PUT', '/inboxes/shop', {})
      expect(inbox.url).toBe(`${server.url}/_sandbox/worlds/${side.made.id}/inbox/shop`)
      const { id } = await createPix(side, { callbackUrl: inbox.url })
      await side.control('POST', '/trigger', { on: id, do: 'confirm' })
      await side.control('POST', '/settle', {})
    }
    const messages = await Promise.all(
      [a, b].map(async (side) => (await side.control('GET', '/inboxes/shop/messages')).body.items),
    )
    expect(messages.map((items) => items.length)).toEqual([1, 1])
    expect(messages[0][0].delivery).not.toBe(messages[1][0].delivery)
    expect((await server.control('GET', '/inboxes')).body.total).toBe(0)
    const [ofA = ''] = idsOf(await a.control('GET', '/deliveries'))
    expect((await b.control('GET', '/deliveries')).body.total).toBe(1)
    expect((await b.control('GET', `/deliveries/${ofA}`)).status).toBe(404)
    expect((await b.control('POST', `/deliveries/${ofA}/resend`, {})).status).toBe(404)
  })

  test('have knobs, clocks, snapshots and rate limits of their own', async () => {
    await a.control('PATCH', '/silences', { 'TX-02': 200, 'TX-08': { Pix: { bps: 0 } } })
    await a.control('POST', '/clock/advance', { by: '5m' })
    await a.control('PUT', '/snapshots/mine', {})
    const sale = { method: 'Pix', amount: 10_000 }
    const [inA, inB] = [
      await a.call('POST', '/v1/transactions', sale),
      await b.call('POST', '/v1/transactions', sale),
    ]
    expect([inA.status, inA.body.data.fee, inA.body.data.createdAt]).toEqual([200, 0, plus(START, 300_000)])
    expect([inB.status, inB.body.data.fee, inB.body.data.createdAt]).toEqual([201, 150, START])
    expect((await b.control('GET', '/snapshots/mine')).status).toBe(404)
    const body = { publicKey: a.made.publicKey, secretKey: a.made.secretKey }
    const asked: number[] = []
    for (let times = 0; times < 10; times++) {
      asked.push((await server.send('POST', '/v1/auth/token', { body })).status)
    }
    expect(asked).toEqual([...Array.from({ length: 9 }, () => 200), 429])
    await server.token(b.made.publicKey, b.made.secretKey)
  })

  test('are busy, settled and reset each for itself', async () => {
    const receiver = untilEnd(await openHandReceiver())
    await createPix(a, { callbackUrl: receiver.url })
    const kept = await createPix(b)
    const busy = a.control('POST', '/clock/advance', { by: '31m' })
    const held = await receiver.next()
    expect((await b.control('POST', '/clock/advance', { by: '1s' })).status).toBe(200)
    expect((await b.control('POST', '/settle', { timeoutMs: 0 })).status).toBe(200)
    await a.control('POST', '/reset', {})
    await held.closed
    expect((await busy).status).toBe(409)
    expect((await b.call('GET', `/v1/transactions/${kept.id}`)).status).toBe(200)
  })
})

describe('a fork', () => {
  test('has the records of its original, and then goes its own way', async () => {
    const server = await serve()
    const { id } = await createPix(server, { description: 'old' })
    await choose(server, { 'TX-02': 200 })
    await advance(server, '5m')
    const { status, body } = await server.control('POST', '/fork', { id: 'copy' })
    expect([status, body.id, body.publicKey, body.clock.now]).toEqual([
      201,
      'copy',
      'pk_sandbox_copy',
      plus(START, 300_000),
    ])
    const copy = await sideOf(server, body)
    expect((await copy.call('GET', `/v1/transactions/${id}`)).body.data.description).toBe('old')
    await copy.control('POST', '/trigger', { on: id, do: 'cancel' })
    await advance(server, '1h')
    expect((await copy.call('POST', '/v1/transactions', { method: 'Pix', amount: 100 })).status).toBe(200)
    await copy.control('PATCH', '/silences', { 'TX-02': 201 })
    const [original] = (await server.control('GET', '/transactions')).body.items
    expect([original.status, original.id]).toEqual(['Expired', id])
    expect((await copy.call('GET', `/v1/transactions/${id}`)).body.data.status).toBe('Cancelled')
    expect((await copy.control('GET', '/transactions')).body.total).toBe(2)
    expect((await copy.control('GET', '/clock')).body.now).toBe(plus(START, 300_000))
    const again = await server.token()
    const made = await server.send('POST', '/v1/transactions', {
      token: again,
      body: { method: 'Pix', amount: 100 },
    })
    expect(made.status).toBe(200)
  })

  test('has keys of its own, also for credentials that were added by hand', async () => {
    const server = await serve()
    const { body: added } = await server.control('POST', '/credentials', {
      environment: 'Production',
      permissions: ['transactions.read'],
      allowedIps: ['127.0.0.1'],
    })
    const { body } = await server.control('POST', '/fork', { id: 'copy' })
    expect(body.credentials).toHaveLength(1)
    const [pair] = body.credentials
    expect(pair.publicKey).not.toBe(added.publicKey)
    const token = await server.token(pair.publicKey, pair.secretKey)
    const found = await server.send('GET', '/v1/transactions', { token })
    expect([found.status, found.headers.get('x-sandbox-world')]).toEqual([200, 'copy'])
    const refused = await server.send('POST', '/v1/transactions', {
      token,
      body: { method: 'Pix', amount: 100 },
    })
    expect(refused.body.error.code).toBe('forbidden')
    const { items } = (await server.control('GET', '/worlds/copy/credentials')).body
    expect(items).toHaveLength(4)
    expect(items.find(({ publicKey }: { publicKey: string }) => publicKey === pair.publicKey)).toMatchObject({
      environment: 'Production',
      permissions: ['transactions.read'],
      allowedIps: ['127.0.0.1'],
      active: true,
    })
    const old = await server.token(added.publicKey, added.secretKey)
    const there = await server.send('GET', '/v1/transactions', { token: old })
    expect(there.headers.get('x-sandbox-world')).toBe('default')
  })

  test('of a fork, and credentials added to it, work like those of any world', async () => {
    const server = await serve()
    await server.control('POST', '/credentials', {})
    await server.control('POST', '/fork', { id: 'one' })
    const { body: added } = await server.control('POST', '/worlds/one/credentials', {})
    const { body: two } = await server.control('POST', '/worlds/one/fork', { id: 'two' })
    expect(two.credentials).toHaveLength(2)
    for (const { publicKey, secretKey } of [two, two.production, two.receiver, ...two.credentials, added]) {
      await server.token(publicKey, secretKey)
    }
    const { body: more } = await server.control('POST', '/worlds/two/credentials', {})
    await server.token(more.publicKey, more.secretKey)
    expect((await server.control('GET', '/worlds/two/credentials')).body.total).toBe(6)
  })

  test('does not share rate windows, and tokens of the original lead to the original', async () => {
    const server = await serve()
    const token = await server.token()
    for (let times = 1; times < 10; times++) await server.token()
    const { body } = await server.control('POST', '/fork', {})
    await server.token(body.publicKey, body.secretKey)
    const { headers } = await server.send('GET', '/v1/transactions', { token })
    expect(headers.get('x-sandbox-world')).toBe('default')
  })

  test('sends on its own what waited or was in flight in the original', async () => {
    const receiver = untilEnd(await openHandReceiver())
    const server = await serve()
    const sale = await createPix(server, { callbackUrl: receiver.url })
    await createPix(server, { callbackUrl: receiver.url })
    await trigger(server, sale.id, 'confirm')
    const first = await receiver.next()
    await server.control('POST', '/fork', { id: 'copy' })
    const second = await receiver.next()
    expect([second.attempt, String(second.body)]).toEqual([1, String(first.body)])
    second.answer(500)
    first.answer(204)
    await settle(server)
    await settle(server, '/worlds/copy')
    expect((await deliveries(server))[0]).toMatchObject({ status: 'delivered', attempts: [{ status: 204 }] })
    const [copied] = await deliveries(server, '/worlds/copy')
    expect(copied).toMatchObject({ status: 'scheduled', attempts: [{ number: 1, status: 500 }] })
    const done = advance(server, '31m', '/worlds/copy')
    for (let times = 0; times < 2; times++) (await receiver.next()).answer(204)
    expect((await done).attempts.map(({ type, number }: Answered['body']) => `${type} ${number}`)).toEqual([
      'payment.completed 2',
      'payment.expired 1',
    ])
    expect((await server.control('GET', '/deliveries')).body.total).toBe(1)
  })

  test('has the evidence of disputes too', async () => {
    const server = await serve()
    const path = await addEvidence(server)
    expect(await readEvidence(server.call, path)).toBe('%PDF-1.4 proof')
    const { body } = await server.control('POST', '/fork', { id: 'copy' })
    const copy = await sideOf(server, body)
    expect(await readEvidence(copy.call, path)).toBe('%PDF-1.4 proof')
  })

  test('is refused under an id that is taken, and makes nothing', async () => {
    const server = await serve()
    await server.control('POST', '/worlds', { id: 'taken' })
    expect((await server.control('POST', '/fork', { id: 'taken' })).body.error.code).toBe(
      'sandbox_world_exists',
    )
    expect((await server.control('GET', '/worlds')).body.total).toBe(2)
  })
})

describe('a reset', () => {
  test('keeps id, keys, knobs and the signing key, so that a token made before still works', async () => {
    const server = await serve()
    const side = await makeSide(server, { id: 'shop', silences: { 'TX-02': 200 } })
    const { body: added } = await side.control('POST', '/credentials', {})
    const { status, body } = await side.control('POST', '/reset', {})
    expect([status, body]).toEqual([200, { ...side.made, unusedFaults: [] }])
    const { headers } = await side.call('GET', '/v1/transactions')
    expect(headers.get('x-sandbox-world')).toBe('shop')
    expect((await side.call('POST', '/v1/transactions', { method: 'Pix', amount: 100 })).status).toBe(200)
    await server.token(added.publicKey, added.secretKey)
    await server.token(side.made.production.publicKey, side.made.production.secretKey)
  })

  test('clears records, work that waits, inboxes and rate windows, and sets the clock back', async () => {
    const server = await serve()
    const side = await makeSide(server)
    const { body: inbox } = await side.control('PUT', '/inboxes/shop', { answers: [500] })
    const { id } = await createPix(side, { callbackUrl: inbox.url, customerName: 'Ana' })
    await createPix(side)
    await side.control('POST', '/trigger', { on: id, do: 'confirm' })
    await side.control('POST', '/settle', {})
    await side.control('POST', '/clock/advance', { by: '1s' })
    for (let times = 1; times < 10; times++) await server.token(side.made.publicKey, side.made.secretKey)
    await side.control('POST', '/reset', {})
    for (const path of ['/transactions', '/customers', '/deliveries', '/journal', '/jobs', '/inboxes']) {
      expect((await side.control('GET', path)).body, path).toEqual({ items: [], total: 0, next: null })
    }
    expect((await side.control('GET', '/clock')).body.now).toBe(START)
    expect((await side.control('GET', '/organizations')).body.total).toBe(2)
    await server.token(side.made.publicKey, side.made.secretKey)
    expect((await side.call('GET', `/v1/transactions/${id}`)).status).toBe(404)
  })

  test('aborts attempts in flight: the receiver sees the end, the result is recorded nowhere', async () => {
    const receiver = untilEnd(await openHandReceiver())
    const server = await serve()
    const old = await createPix(server, { callbackUrl: receiver.url })
    await trigger(server, old.id, 'confirm')
    const held = await receiver.next()
    await server.control('POST', '/reset', {})
    await held.closed
    expect((await server.control('POST', '/settle', { timeoutMs: 0 })).status).toBe(200)
    expect((await server.control('GET', '/deliveries')).body.total).toBe(0)
    // The same calls make the same delivery again; nothing of the former one is in it.
    const again = await createPix(server, { callbackUrl: receiver.url })
    await trigger(server, again.id, 'confirm')
    ;(await receiver.next()).answer(204)
    await settle(server)
    expect(await deliveries(server)).toMatchObject([
      { status: 'delivered', attempts: [{ number: 1, error: null }] },
    ])
  })

  test('drops attempts that waited for a place', async () => {
    const receiver = untilEnd(await openHandReceiver())
    const server = await serve()
    for (let index = 0; index < 35; index++) {
      const { id } = await createPix(server, { callbackUrl: receiver.url })
      await trigger(server, id, 'confirm')
    }
    const held = []
    for (let index = 0; index < 32; index++) held.push((await receiver.next()).closed)
    await server.control('POST', '/reset', {})
    await Promise.all(held)
    await roundTrips(server)
    expect(receiver.arrived).toBe(32)
    expect((await advance(server, '1d')).totals).toEqual({ ran: 0, waiting: 0 })
  })
})
