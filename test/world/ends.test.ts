// Owns the proof that worlds and servers end cleanly: nothing of them goes on, nothing is left open.
import { Agent, get } from 'node:http'
import { describe, expect, test } from 'vitest'
import { clientOf, createPix } from '../support/sandbox.ts'
import { openReceiver, openServer } from '../support/server.ts'
import { openHandReceiver, promised, serve, settle, trigger, untilEnd } from '../webhooks/byHand.ts'
import { makeSide } from './sides.ts'

describe('the end', () => {
  test('of the default world is refused', async () => {
    const server = await serve()
    const { status, body } = await server.control('DELETE', '/worlds/default')
    expect([status, body.error.code]).toEqual([409, 'sandbox_world_fixed'])
    expect((await server.control('GET', '/worlds/default')).status).toBe(200)
  })

  test('of a world drops its attempts, keys, tokens and inboxes', async () => {
    const receiver = untilEnd(await openHandReceiver())
    const server = await serve()
    const side = await makeSide(server, { id: 'short' })
    const { id } = await createPix(side, { callbackUrl: receiver.url })
    await side.control('POST', '/trigger', { on: id, do: 'confirm' })
    const held = await receiver.next()
    await server.control('DELETE', '/worlds/short')
    await held.closed
    expect((await side.call('GET', '/v1/transactions')).status).toBe(401)
    expect((await side.control('POST', '/inbox/shop', {})).status).toBe(404)
    const body = { publicKey: side.made.publicKey, secretKey: side.made.secretKey }
    expect((await server.send('POST', '/v1/auth/token', { body })).body.error.code).toBe(
      'invalid_credentials',
    )
  })

  test('of a world frees its keys, also one that a restored snapshot took out of its state', async () => {
    const { control, server } = await serve()
    await control('POST', '/worlds', { id: 'short' })
    await control('PUT', '/worlds/short/snapshots/before')
    const { publicKey } = (await control('POST', '/worlds/short/credentials', {})).body
    await control('POST', '/worlds/short/snapshots/before/restore')
    expect(server.worlds.ofPublicKey(publicKey)?.id).toBe('short')
    await control('DELETE', '/worlds/short')
    expect(server.worlds.ofPublicKey(publicKey)).toBeNull()
  })

  test('of a server with a thousand worlds comes, although clients keep their connections open', async () => {
    const server = await openServer({ clock: { mode: 'flowing', at: null, rate: 1 } })
    const direct = clientOf(server.url, (request) => Promise.resolve(server.server.fetch(request)))
    const made = new Set<string>()
    for (let index = 0; index < 1_000; index++) {
      made.add((await direct.control('POST', '/worlds', {})).body.id)
    }
    expect(made.size).toBe(1_000)
    const agent = new Agent({ keepAlive: true })
    const gone = promised()
    const answered = promised()
    get(`${server.url}/health`, { agent }, (response) => {
      response.socket.once('close', () => gone.keep())
      response.resume().on('end', () => answered.keep())
    })
    await answered.promise
    await server.close()
    await gone.promise
    agent.destroy()
    await expect(globalThis.fetch(`${server.url}/health`)).rejects.toThrow('fetch failed')
  })

  test('of a server comes while an advance, a settling and a wait for a message are still going on', async () => {
    const receiver = untilEnd(await openHandReceiver())
    const server = await openServer()
    await createPix(server, { callbackUrl: receiver.url })
    const going = ['/clock/advance', '/settle'].map((path) => {
      const body = path === '/settle' ? { timeoutMs: 600_000, quietMs: 60_000 } : { by: '1h' }
      return server.control('POST', path, body).catch((error: unknown) => error)
    })
    going.push(server.control('GET', '/inboxes/shop/messages?wait=60s').catch((error: unknown) => error))
    const held = await receiver.next()
    await server.close()
    await held.closed
    for (const each of await Promise.all(going)) expect(String(each)).toContain('fetch failed')
  })

  test('of a server leaves no timer that keeps the process alive', async () => {
    const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
    const server = await openServer()
    const direct = clientOf(server.url, (request) => Promise.resolve(server.server.fetch(request)))
    const before = timers()
    await direct.control('PUT', '/inboxes/slow', { delayMs: 600_000 })
    const callbackUrl = `${server.url}/_sandbox/worlds/default/inbox/slow`
    const { id } = await createPix(direct, { callbackUrl })
    await trigger(direct, id, 'confirm')
    expect((await direct.control('GET', '/inboxes/slow/messages?wait=60s')).body.items).toHaveLength(1)
    await server.close()
    expect(timers()).toBeLessThanOrEqual(before)
  })

  test('of a server lets nothing of it go on', async () => {
    const receiver = untilEnd(await openReceiver(500))
    const server = await openServer()
    await server.control('POST', '/clock/flow', { rate: 1 })
    const { id } = await createPix(server, { callbackUrl: receiver.url })
    await trigger(server, id, 'confirm')
    await settle(server)
    await server.close()
    const { world } = server
    expect([world.flights.size, world.queue.length, world.watchers.size]).toEqual([0, 0, 0])
    expect(receiver.received).toHaveLength(1)
  })
})
