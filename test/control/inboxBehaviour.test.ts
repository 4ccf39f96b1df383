// Checks what an inbox can be told besides a status, seen by a sender on a bare socket: delays, bodies, redirects, dribbles, hangs, resets.
import { describe, expect, test } from 'vitest'
import { present } from '../../src/kernel/assert.ts'
import { callRaw, postText } from '../support/rawClient.ts'
import { createPix } from '../support/sandbox.ts'
import { onlyDelivery, roundTrips, serve, settle, trigger } from '../webhooks/byHand.ts'
import type { RunningWorld } from '../../src/world/runningWorld.ts'
import type { RawCall } from '../support/rawClient.ts'
import type { Answered } from '../support/sandbox.ts'
import type { TestServer } from '../support/server.ts'

/** Tells the inbox `shop` what to do. */
async function tell(server: TestServer, answers: unknown[], delayMs = 0): Promise<string> {
  const { status, body } = await server.control('PUT', '/inboxes/shop', { answers, delayMs })
  expect(status, JSON.stringify(body)).toBe(200)
  return String(body.url)
}

/** Posts into the inbox `shop` on a connection of its own. */
const post = (server: TestServer, inbox = '/_sandbox/inbox/shop'): RawCall =>
  callRaw(server.url, postText(inbox, '{}'))

async function messages(server: TestServer, wait = '60s'): Promise<Answered['body'][]> {
  return (await server.control('GET', `/inboxes/shop/messages?wait=${wait}`)).body.items
}

/** Kept once nobody watches the inbox `shop` any more. */
function nobodyWatches(world: RunningWorld): Promise<void> {
  const { watchers } = present(world.inboxes.get('shop'), 'an inbox')
  return new Promise((resolve) => {
    const remove = watchers.delete.bind(watchers)
    watchers.delete = (watcher) => {
      const removed = remove(watcher)
      if (watchers.size === 0) resolve()
      return removed
    }
  })
}

describe('an answer', () => {
  test.each([
    [{}, 204, '', 'answered'],
    [{ status: 503 }, 503, '', 'answered'],
    [{ status: 302 }, 302, '', 'answered'],
    [{ body: 'olá' }, 200, 'olá', 'answered'],
    [{ status: 500, body: 'no' }, 500, 'no', 'answered'],
    [{ delayMs: 1 }, 204, '', 'delayed'],
    [{ delayMs: 1, status: 500, body: 'no' }, 500, 'no', 'delayed'],
    [{ delayMs: 1, location: '/other' }, 302, '', 'redirected'],
    [{ delayMs: 1, slow: { everyMs: 1, bytes: 64 } }, 200, '.'.repeat(64), 'dribbled'],
  ])('told %j is %i with body %j, and its message says %4$s', async (told, status, body, behaviour) => {
    const server = await serve()
    const url = await tell(server, [told])
    const answered = await fetch(url, { method: 'POST', body: '{}', redirect: 'manual' })
    expect([answered.status, await answered.text()]).toEqual([status, body])
    expect(await messages(server)).toMatchObject([{ answered: status, behaviour }])
  })

  test('of its own delay does not wait for that of the inbox', async () => {
    const server = await serve()
    const url = await tell(server, [{ delayMs: 0, status: 500 }], 600_000)
    expect((await fetch(url, { method: 'POST' })).status).toBe(500)
  })

  test('that is a redirect names its location and is not followed by a delivery', async () => {
    const server = await serve()
    const callbackUrl = await tell(server, [{ location: '/elsewhere' }, { status: 307, location: '/other' }])
    const { id } = await createPix(server, { callbackUrl })
    await trigger(server, id, 'confirm')
    await settle(server)
    expect(await onlyDelivery(server)).toMatchObject({
      status: 'scheduled',
      attempts: [{ number: 1, status: 302 }],
    })
    const text = await post(server).until(/\r\n\r\n/)
    expect(text).toMatch(/^HTTP\/1\.1 307 /)
    expect(text).toMatch(/^location: \/other\r$/im)
  })

  test('in pieces has its headers at once and its body piece by piece', async () => {
    const server = await serve()
    await tell(server, [{ body: 'abcde', slow: { bytes: 2, everyMs: 1 } }, { slow: { everyMs: 60_000 } }])
    const text = await post(server).until(/\r\n0\r\n\r\n$/)
    expect(text.slice(text.indexOf('\r\n\r\n') + 4)).toBe('2\r\nab\r\n2\r\ncd\r\n1\r\ne\r\n0\r\n\r\n')
    const slow = post(server)
    expect(await slow.until(/\r\n\r\n/)).toMatch(/^HTTP\/1\.1 200 [^]*\r\n\r\n$/)
    const gone = nobodyWatches(server.world)
    slow.leave()
    await gone
  })

  test('in pieces that come too late counts by its status, as in any HTTP client that reads it first', async () => {
    const server = await serve({ silences: { 'WH-03': 2 } })
    const callbackUrl = await tell(server, [{ status: 201, slow: { everyMs: 60_000 } }])
    const { id } = await createPix(server, { callbackUrl })
    await trigger(server, id, 'confirm')
    await settle(server)
    expect(await onlyDelivery(server)).toMatchObject({ attempts: [{ status: 201, answer: '' }] })
  })

  test('in pieces breaks off when the inbox goes', async () => {
    const server = await serve()
    await tell(server, [{ slow: { everyMs: 60_000 } }])
    const call = post(server)
    await call.until(/\r\n\r\n/)
    await server.control('POST', '/reset')
    await call.ended
    expect(call.text).not.toContain('0\r\n\r\n')
  })
})

describe('a reset', () => {
  test.each([{ reset: true }, { reset: true, delayMs: 1 }])(
    'told as %j resets the connection without a byte, and the message is kept',
    async (told) => {
      const server = await serve()
      await tell(server, [told])
      const call = post(server)
      expect([await call.ended, call.text]).toEqual(['ECONNRESET', ''])
      expect(await messages(server)).toMatchObject([{ n: 1, body: '{}', answered: null, behaviour: 'reset' }])
    },
  )

  test('makes an attempt fail, and the retries go on as they would', async () => {
    const server = await serve()
    const callbackUrl = await tell(server, [{ reset: true }, 500, { reset: true }])
    const { id } = await createPix(server, { callbackUrl })
    await trigger(server, id, 'confirm')
    await server.control('POST', '/clock/advance', { by: '10s' })
    const error = expect.stringContaining('ECONNRESET')
    expect(await onlyDelivery(server)).toMatchObject({
      status: 'exhausted',
      attempts: [
        { number: 1, status: null, error },
        { number: 2, status: 500, error: null },
        { number: 3, status: null, error },
      ],
    })
    expect((await messages(server)).map(({ attempt, answered }) => [attempt, answered])).toEqual([
      [1, null],
      [2, 500],
      [3, null],
    ])
  })
})

describe('a hang', () => {
  async function hanging(world = ''): Promise<{ server: TestServer; call: RawCall }> {
    const server = await serve()
    if (world !== '') await server.control('POST', '/worlds', { id: world })
    const base = world === '' ? '' : `/worlds/${world}`
    await server.control('PUT', `${base}/inboxes/shop`, { answers: [{ hang: true }] })
    const call = post(server, `/_sandbox${base}/inbox/shop`)
    const { body } = await server.control('GET', `${base}/inboxes/shop/messages?wait=60s`)
    expect(body.items).toMatchObject([{ n: 1, answered: null, behaviour: 'hung' }])
    return { server, call }
  }

  test('answers nothing while other calls are answered', async () => {
    const { server, call } = await hanging()
    expect((await fetch(`${server.url}/_sandbox/inbox/shop`, { method: 'POST' })).status).toBe(204)
    await roundTrips(server)
    expect(call.text).toBe('')
  })

  test('ends when its world is reset', async () => {
    const { server, call } = await hanging()
    await server.control('POST', '/reset')
    expect([await call.ended, call.text]).toEqual(['closed', ''])
  })

  test('ends when its world is deleted', async () => {
    const { server, call } = await hanging('other')
    await server.control('DELETE', '/worlds/other')
    expect([await call.ended, call.text]).toEqual(['closed', ''])
  })

  test('does not keep a server from closing', async () => {
    const { server, call } = await hanging()
    await server.close()
    await call.ended
    expect(call.text).toBe('')
  })

  test('ends when the sender goes, and leaves nobody waiting', async () => {
    const { server, call } = await hanging()
    const gone = nobodyWatches(server.world)
    call.leave()
    await gone
    expect(call.text).toBe('')
  })

  test('lasts until the sender of a delivery gives up', async () => {
    const server = await serve({ silences: { 'WH-03': 0.05 } })
    const callbackUrl = await tell(server, [{ hang: true }])
    const { id } = await createPix(server, { callbackUrl })
    await trigger(server, id, 'confirm')
    await settle(server)
    expect(await onlyDelivery(server)).toMatchObject({
      status: 'scheduled',
      attempts: [{ status: null, error: expect.stringContaining('timed out') }],
    })
  })
})

test('two inboxes of two worlds do opposite things at the same time', async () => {
  const server = await serve()
  await server.control('POST', '/worlds', { id: 'other' })
  await tell(server, [{ reset: true }])
  await server.control('PUT', '/worlds/other/inboxes/shop', { answers: [{ body: 'fine' }] })
  const calls = [post(server), post(server, '/_sandbox/worlds/other/inbox/shop')] as const
  expect(await calls[0].ended).toBe('ECONNRESET')
  expect(await calls[1].until(/fine$/)).toMatch(/^HTTP\/1\.1 200 /)
})
