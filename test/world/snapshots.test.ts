// Owns the proof that snapshots hold a whole world, and put it back as it was.
import { describe, expect, test } from 'vitest'
import { createPix, START } from '../support/sandbox.ts'
import { openServer } from '../support/server.ts'
import {
  advance,
  deliveries,
  openHandReceiver,
  plus,
  serve,
  settle,
  trigger,
  untilEnd,
} from '../webhooks/byHand.ts'
import { addEvidence, readEvidence } from './sides.ts'

describe('a snapshot', () => {
  test('is saved, listed, read, replaced and forgotten under its name', async () => {
    const server = await serve()
    await createPix(server)
    const { body: saved } = await server.control('PUT', '/snapshots/one.1', {})
    expect(saved).toEqual({ name: 'one.1', world: 'default', bytes: expect.any(Number), now: START })
    await createPix(server)
    await server.control('PUT', '/snapshots/two', {})
    const whole = async (name: string): Promise<number> =>
      Object.keys((await server.control('GET', `/snapshots/${name}`)).body.state.transactions).length
    expect([await whole('one.1'), await whole('two')]).toEqual([1, 2])
    await server.control('PUT', '/snapshots/one.1', {})
    expect(await whole('one.1')).toBe(2)
    const { body } = await server.control('DELETE', '/snapshots/one.1')
    expect(body).toEqual({ name: 'one.1', deleted: true })
    expect((await server.control('GET', '/snapshots')).body.items).toMatchObject([{ name: 'two' }])
    for (const [method, path] of [
      ['GET', '/snapshots/one.1'],
      ['DELETE', '/snapshots/one.1'],
      ['POST', '/snapshots/one.1/restore'],
    ] as const) {
      const { status, body: refused } = await server.control(method, path)
      expect([status, refused.error.message]).toEqual([404, expect.stringContaining('it has: two')])
    }
    expect((await server.control('PUT', '/snapshots/a%20b', {})).status).toBe(400)
  })

  test('tells the instant that it holds, also when the clock has moved on', async () => {
    const server = await serve()
    await server.control('PUT', '/snapshots/early', {})
    await advance(server, '1h')
    expect((await server.control('GET', '/snapshots')).body.items).toMatchObject([
      { name: 'early', now: START },
    ])
  })

  test('holds no secret key', async () => {
    const controlled = untilEnd(await openServer({ controlToken: 'control' }))
    const open = await serve()
    const { body: added } = await open.control('POST', '/credentials', {})
    await open.control('PUT', '/snapshots/s', {})
    const text = JSON.stringify((await open.control('GET', '/snapshots/s')).body)
    expect(text).not.toContain('sk_')
    expect(text).not.toContain(added.secretKey)
    const headers = { Authorization: 'Bearer control' }
    await controlled.send('PUT', '/_sandbox/snapshots/s', { headers, body: {} })
    const { body } = await controlled.send('GET', '/_sandbox/snapshots/s', { headers })
    const { sandbox, production, receiver } = controlled.world.origin.keys
    for (const { secretKey } of [sandbox, production, receiver]) {
      expect(JSON.stringify(body)).not.toContain(secretKey)
    }
  })

  test('that is restored brings back records, clock, chance and work that waits', async () => {
    const server = await serve()
    const { id } = await createPix(server)
    await server.control('PUT', '/snapshots/s', {})
    const next = await createPix(server)
    await advance(server, '1h')
    const { status, body } = await server.control('POST', '/snapshots/s/restore', {})
    expect([status, body.id, body.clock.now]).toEqual([200, 'default', START])
    expect((await server.call('GET', `/v1/transactions/${id}`)).body.data.status).toBe('Pending')
    expect((await server.call('GET', `/v1/transactions/${next.id}`)).status).toBe(404)
    expect((await createPix(server)).id).toBe(next.id)
    expect((await advance(server, '31m')).ran.map(({ subject }: { subject: string }) => subject)).toEqual([
      id,
      next.id,
    ])
    await server.control('POST', '/snapshots/s/restore', {})
    expect((await server.control('GET', '/transactions')).body.total).toBe(1)
  })

  test('is a copy: what happens later does not reach it', async () => {
    const server = await serve()
    const { id } = await createPix(server)
    await server.control('PUT', '/snapshots/s', {})
    await server.control('POST', '/snapshots/s/restore', {})
    await trigger(server, id, 'confirm')
    const { body } = await server.control('GET', '/snapshots/s')
    expect(body.state.transactions[id].status).toBe('Pending')
  })

  test('made while an attempt is in flight sends that attempt again under its number', async () => {
    const receiver = untilEnd(await openHandReceiver())
    const server = await serve()
    await createPix(server, { callbackUrl: receiver.url })
    const advanced = advance(server, '30m')
    ;(await receiver.next()).answer(500)
    await advanced
    const retried = advance(server, '1m')
    const second = await receiver.next()
    await server.control('PUT', '/snapshots/flying', {})
    second.answer(204)
    await retried
    expect((await deliveries(server))[0].status).toBe('delivered')
    await server.control('POST', '/snapshots/flying/restore', {})
    const again = await receiver.next()
    expect([again.attempt, String(again.body)]).toEqual([2, String(second.body)])
    again.answer(500)
    await settle(server)
    const [delivery] = await deliveries(server)
    const at = plus(START, 1_802_000)
    expect(delivery).toMatchObject({ status: 'scheduled', nextAttemptAt: plus(START, 1_806_000) })
    expect(delivery.attempts).toMatchObject([
      { number: 1, status: 500 },
      { number: 2, status: 500, at, endedAt: at },
    ])
  })

  test('that is restored drops attempts that are in flight then', async () => {
    const receiver = untilEnd(await openHandReceiver())
    const server = await serve()
    await server.control('PUT', '/snapshots/empty', {})
    const { id } = await createPix(server, { callbackUrl: receiver.url })
    await trigger(server, id, 'confirm')
    const held = await receiver.next()
    await server.control('POST', '/snapshots/empty/restore', {})
    await held.closed
    expect((await server.control('POST', '/settle', { timeoutMs: 0 })).status).toBe(200)
    expect((await server.control('GET', '/deliveries')).body.total).toBe(0)
  })

  test('of a flowing world flows on from its instant', async () => {
    const server = await serve()
    await server.control('POST', '/clock/flow', { rate: 1_000 })
    await server.control('PUT', '/snapshots/s', {})
    const { body: saved } = await server.control('GET', '/snapshots/s')
    await server.control('POST', '/clock/freeze', {})
    const { body } = await server.control('POST', '/snapshots/s/restore', {})
    expect([body.clock.mode, body.clock.rate]).toEqual(['flowing', 1_000])
    expect(Date.parse(body.clock.now)).toBeGreaterThanOrEqual(saved.clock.at)
  })

  test('that is restored after a reset brings back the evidence of disputes too', async () => {
    const server = await serve()
    const path = await addEvidence(server)
    await server.control('PUT', '/snapshots/s', {})
    await server.control('POST', '/reset', {})
    await server.control('POST', '/snapshots/s/restore', {})
    expect(await readEvidence(server.call, path)).toBe('%PDF-1.4 proof')
  })

  test('survives a reset of its world, and can be restored after it', async () => {
    const server = await serve()
    const { id } = await createPix(server)
    await server.control('PUT', '/snapshots/s', {})
    await server.control('POST', '/reset', {})
    await server.control('POST', '/snapshots/s/restore', {})
    expect((await server.call('GET', `/v1/transactions/${id}`)).status).toBe(200)
  })
})
