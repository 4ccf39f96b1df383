// Owns the proof that an attempt records what happened, whatever a receiver does, and always ends.
import { describe, expect, test, vi } from 'vitest'
import { MAX_ANSWER_BYTES } from '../../src/webhooks/send.ts'
import { createPix } from '../support/sandbox.ts'
import { openReceiver } from '../support/server.ts'
import {
  advance,
  choose,
  deliveries,
  onlyDelivery,
  openHandReceiver,
  openRawReceiver,
  promised,
  roundTrips,
  serve,
  settle,
  trigger,
  untilEnd,
} from './byHand.ts'
import type { Socket } from 'node:net'
import type { Answered } from '../support/sandbox.ts'
import type { TestServer } from '../support/server.ts'

/** The first attempt of a delivery to an address. */
async function attemptTo(server: TestServer, callbackUrl: string): Promise<Answered['body']> {
  const { id } = await createPix(server, { callbackUrl })
  await trigger(server, id, 'confirm')
  await settle(server)
  const { attempts } = await onlyDelivery(server)
  expect(attempts).toHaveLength(1)
  const [{ status, error, answer }] = attempts
  return { status, error, answer }
}

/** The first attempt to a receiver that does something with the bare socket. */
async function attemptOn(answer: (socket: Socket) => unknown): Promise<Answered['body']> {
  const receiver = untilEnd(await openRawReceiver(answer))
  const server = await serve()
  await choose(server, { 'WH-03': 0.5 })
  return attemptTo(server, receiver.url)
}

test('an answer in chunks of one byte is put together once, and not anew for each chunk that came with it', async () => {
  const joined = vi.spyOn(Buffer, 'concat')
  const answer = await attemptOn((socket) => {
    const chunks = '1\r\nx\r\n'.repeat(10_000)
    socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`)
  })
  const parts = joined.mock.calls.filter(([list]) => list.length > MAX_ANSWER_BYTES)
  joined.mockRestore()
  expect(answer).toEqual({ status: 200, error: null, answer: 'x'.repeat(MAX_ANSWER_BYTES) })
  expect(parts.length).toBeGreaterThan(0)
  expect(parts.length).toBeLessThan(10)
})

describe('an attempt that nobody answers', () => {
  test('says that nothing listens there', async () => {
    const gone = await openReceiver()
    await gone.close()
    const server = await serve()
    expect(await attemptTo(server, gone.url)).toEqual({
      status: null,
      error: 'connection refused: nothing listens there (ECONNREFUSED)',
      answer: null,
    })
  })

  test('says that there is no such host', async () => {
    const server = await serve()
    const { status, error } = await attemptTo(server, 'http://nowhere.invalid/hook')
    expect(status).toBe(null)
    expect(error).toMatch(/^no such host/)
  })

  test.each([
    ['resets the connection', (socket: Socket) => socket.resetAndDestroy()],
    ['closes the connection', (socket: Socket) => socket.end()],
    [
      'resets in the middle of its head',
      (socket: Socket) => socket.write('HTTP/1.1 20', () => socket.resetAndDestroy()),
    ],
    ['closes in the middle of its head', (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\nContent-')],
  ])('says that the connection was reset when a receiver %s', async (_what, answer) => {
    const found = await attemptOn(answer)
    expect(found).toMatchObject({ status: null, answer: null })
    expect(found.error).toMatch(/^connection reset before an answer|ECONNRESET|HPE_INVALID_EOF_STATE/)
  })

  test.each([
    ['speaks no HTTP', (socket: Socket) => socket.write('SSH-2.0-OpenSSH_9.2\r\n\r\n')],
    [
      'sends a head that never ends',
      (socket: Socket) => {
        socket.write('HTTP/1.1 200 OK\r\n')
        for (let n = 0; n < 400; n++) socket.write(`X-Filler-${n}: ${'a'.repeat(200)}\r\n`)
      },
    ],
    [
      'speaks of going on for ever',
      (socket: Socket) => socket.write('HTTP/1.1 100 Continue\r\n\r\n'.repeat(100)),
    ],
    ['says nothing at all', () => {}],
  ])('says why when a receiver %s', async (_what, answer) => {
    const { status, error, answer: text } = await attemptOn(answer)
    expect([status, text]).toEqual([null, null])
    expect(error).toMatch(/.{10}/)
  })

  test.each([
    ['101 Switching Protocols', 'Connection: Upgrade\r\nUpgrade: chat\r\n'],
    ['101 Switching Protocols', 'Connection: Upgrade\r\n'],
    ['101 Switching Protocols', ''],
    ['200 OK', 'Connection: Upgrade\r\nUpgrade: chat\r\n'],
    ['426 Upgrade Required', 'Connection: Upgrade\r\nUpgrade: chat\r\n'],
    ['103 Early Hints', 'Link: </style.css>\r\n'],
  ])('ends when a receiver answers %s with %j', async (status, fields) => {
    const found = await attemptOn((socket) => socket.write(`HTTP/1.1 ${status}\r\n${fields}\r\n`))
    expect(found.status === Number(status.slice(0, 3)) || found.error !== null).toBe(true)
  })

  test('says so when a receiver speaks plain HTTP under https', async () => {
    const receiver = untilEnd(await openReceiver())
    const server = await serve()
    const { status, error } = await attemptTo(server, receiver.url.replace('http:', 'https:'))
    expect(status).toBe(null)
    expect(error).toMatch(/.{10}/)
    expect(receiver.received).toEqual([])
  })
})

describe('an address that the API takes', () => {
  test.each([
    ['a scheme in capitals', (url: string) => url.replace('http:', 'HTTP:')],
    ['spaces around it', (url: string) => `  ${url} `],
    ['a query and a fragment', (url: string) => `${url}?a=1&b=%20#top`],
    ['letters that are no ASCII', (url: string) => `${url}/çã o`],
    ['a name and a password', (url: string) => url.replace('http://', 'http://ana:segredo@')],
    ['a name that is not well encoded', (url: string) => url.replace('http://', 'http://%zz@')],
  ])('with %s is refused when the transaction is created, or attempted', async (_what, written) => {
    const receiver = untilEnd(await openReceiver())
    const server = await serve()
    const { status, body } = await server.call('POST', '/v1/transactions', {
      method: 'Pix',
      amount: 100,
      callbackUrl: written(receiver.url),
    })
    if (status === 201) await trigger(server, body.data.id, 'confirm')
    await settle(server)
    const attempts = (await deliveries(server)).flatMap((delivery) => delivery.attempts)
    expect(attempts).toHaveLength(status === 201 ? 1 : 0)
    const answered = attempts.filter(({ error }: { error: string | null }) => error === null)
    expect(receiver.received).toHaveLength(answered.length)
  })

  test('over https in capitals makes an attempt that ends', async () => {
    const gone = await openReceiver()
    await gone.close()
    const server = await serve()
    const { status, error } = await attemptTo(server, gone.url.replace('http:', 'HTTPS:'))
    expect(status).toBe(null)
    expect(error).toMatch(/ECONNREFUSED/)
  })
})

describe('an answer', () => {
  test('that redirects fails the attempt, and nobody goes there', async () => {
    const other = untilEnd(await openReceiver())
    const statuses = [301, 302, 307, 308]
    const receiver = untilEnd(
      await openReceiver(
        ...statuses.map(
          (status) => (_: unknown, response: { writeHead: CallableFunction }) =>
            response.writeHead(status, { Location: other.url }).end(),
        ),
      ),
    )
    const server = await serve()
    for (const status of statuses) {
      const { id } = await createPix(server, { callbackUrl: receiver.url })
      const { deliveries: made } = await trigger(server, id, 'confirm')
      await settle(server)
      const { body } = await server.control('GET', `/deliveries/${made[0]}`)
      expect(body).toMatchObject({ status: 'scheduled', attempts: [{ status, error: null }] })
    }
    expect(other.received).toEqual([])
  })

  test('that never ends counts by its status, and only its start is kept', async () => {
    const found = await attemptOn((socket) => {
      const more = (): void => {
        while (!socket.destroyed && socket.write('a'.repeat(1_000)));
        socket.once('drain', more)
      }
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n')
      more()
    })
    expect(found).toEqual({ status: 200, error: null, answer: 'a'.repeat(MAX_ANSWER_BYTES) })
  })

  test('of many megabytes counts by its status, and only its start is kept', async () => {
    const receiver = untilEnd(await openReceiver((_, response) => response.end('é'.repeat(10_000_000))))
    const server = await serve()
    const { status, error, answer } = await attemptTo(server, receiver.url)
    expect([status, error]).toEqual([200, null])
    expect(answer).toBe('é'.repeat(MAX_ANSWER_BYTES / 2))
  })

  test.each([
    ['hangs', (_socket: Socket) => {}],
    ['is reset', (socket: Socket) => socket.resetAndDestroy()],
    ['is cut off', (socket: Socket) => socket.end()],
    ['goes on with garbage', (socket: Socket) => socket.write('garbage garbage\r\n')],
  ])('that %s after its head counts by its status, because it came in time', async (_what, then) => {
    const begun = promised<Socket>()
    const receiver = untilEnd(
      await openRawReceiver((socket) => {
        socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n')
        begun.keep(socket)
      }),
    )
    const server = await serve()
    await choose(server, { 'WH-03': 0.5 })
    const { id } = await createPix(server, { callbackUrl: receiver.url })
    await trigger(server, id, 'confirm')
    const socket = await begun.promise
    await roundTrips(server)
    then(socket)
    await settle(server)
    const { status, attempts } = await onlyDelivery(server)
    expect(status).toBe('delivered')
    expect(attempts).toMatchObject([{ status: 200, error: null, answer: 'abc' }])
  })

  test('on a kept connection that breaks after its head is not asked for again', async () => {
    const begun = promised<Socket>()
    const receiver = untilEnd(
      await openRawReceiver((socket) => {
        const first = receiver.requests.length === 1
        if (first) socket.write('HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n')
        else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc')
        if (!first) begun.keep(socket)
      }),
    )
    const server = await serve()
    const { id } = await createPix(server, { callbackUrl: receiver.url })
    await trigger(server, id, 'confirm')
    const advanced = advance(server, '10s')
    const socket = await begun.promise
    await roundTrips(server)
    socket.resetAndDestroy()
    await advanced
    const delivery = await onlyDelivery(server)
    expect(delivery).toMatchObject({ status: 'delivered', attempts: [{ status: 500 }, { status: 200 }] })
    expect(receiver.requests).toHaveLength(2)
  })

  test('that comes after the time-out is too late', async () => {
    const receiver = untilEnd(await openHandReceiver())
    const server = await serve()
    await choose(server, { 'WH-03': 0.05 })
    const { id } = await createPix(server, { callbackUrl: receiver.url })
    await trigger(server, id, 'confirm')
    const held = await receiver.next()
    await settle(server)
    held.answer(204)
    await held.closed
    const delivery = await onlyDelivery(server)
    expect(delivery).toMatchObject({
      status: 'scheduled',
      attempts: [{ status: null, error: 'timed out after 50 ms' }],
    })
  })
})
