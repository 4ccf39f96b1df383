// Owns what the tests of deliveries and worlds share: servers that end with their test, and receivers answered by hand.
import { createServer } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { expect, onTestFinished, vi } from 'vitest'
import { openServer } from '../support/server.ts'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { AddressInfo, Server, Socket } from 'node:net'
import type { ServerOptions } from '../../src/server.ts'
import type { Answered } from '../support/sandbox.ts'
import type { TestServer } from '../support/server.ts'

// These tests wait for sockets, which take long on a machine that is busy with other things.
vi.setConfig({ testTimeout: 30_000 })

/** Closes something when the test that opened it has ended. */
export function untilEnd<T extends { close(): unknown }>(opened: T): T {
  onTestFinished(async () => {
    await opened.close()
  })
  return opened
}

/** A server that ends with its test, which fails when the server reported a defect. */
export async function serve(options: ServerOptions = {}): Promise<TestServer> {
  const server = untilEnd(await openServer(options))
  onTestFinished(() => {
    expect(server.defects, 'the server reported defects').toEqual([])
  })
  return server
}

/** A promise that is kept by calling `keep`. */
export function promised<T = void>(): { promise: Promise<T>; keep: (value: T) => void } {
  let keep: (value: T) => void = () => {}
  const promise = new Promise<T>((resolve) => {
    keep = resolve
  })
  return { promise, keep }
}

/** A request that waits to be answered. */
export interface Held {
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
  /** The event type that its header names. */
  type: string
  /** The number that its header names. */
  attempt: number
  answer(status: number, headers?: Record<string, string>): void
  /** Kept when the connection or the answer has ended. */
  closed: Promise<void>
}

/** A receiver whose requests wait for the test. */
export interface HandReceiver {
  url: string
  /** The next request, in order of arrival; waits for it. */
  next(): Promise<Held>
  /** Requests that arrived so far. */
  readonly arrived: number
  /** The greatest number of requests that waited at one time. */
  readonly most: number
  close(): Promise<void>
}

/** A receiver that answers nothing until the test does. */
export async function openHandReceiver(): Promise<HandReceiver> {
  const arrived: Held[] = []
  const wanting: ((held: Held) => void)[] = []
  let [count, waiting, most] = [0, 0, 0]
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      count += 1
      waiting += 1
      most = Math.max(most, waiting)
      const { url = '', headers } = request
      const closed = new Promise<void>((resolve) => response.once('close', resolve))
      void closed.then(() => {
        waiting -= 1
      })
      const held = heldRequest(url, headers, Buffer.concat(chunks), response, closed)
      const wanter = wanting.shift()
      if (wanter) wanter(held)
      else arrived.push(held)
    })
  })
  return {
    url: `http://127.0.0.1:${await listening(server)}/hook`,
    next() {
      const held = arrived.shift()
      return held ? Promise.resolve(held) : new Promise((resolve) => wanting.push(resolve))
    },
    get arrived() {
      return count
    },
    get most() {
      return most
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function heldRequest(
  path: string,
  headers: IncomingHttpHeaders,
  body: Buffer,
  response: ServerResponse,
  closed: Promise<void>,
): Held {
  return {
    path,
    headers,
    body,
    type: String(headers['x-service-event']),
    attempt: Number(headers['x-service-attempt']),
    answer: (status, sent = {}) => void response.writeHead(status, sent).end(),
    closed,
  }
}

/** One whole request on a raw connection. */
export interface RawRequest {
  head: string
  body: string
  /** Its connection counts from 1, and so do the requests of that connection. */
  connection: number
  nth: number
}

/** A receiver on a bare socket, for answers that no HTTP server would give. */
export interface RawReceiver {
  url: string
  requests: RawRequest[]
  /** The next whole request that comes from now on. */
  next(): Promise<RawRequest>
  close(): Promise<void>
}

/** A receiver that calls back with the socket for every whole request that it got. */
export async function openRawReceiver(
  answer: (socket: Socket, request: RawRequest) => unknown,
): Promise<RawReceiver> {
  const requests: RawRequest[] = []
  const sockets = new Set<Socket>()
  const wanting: ((request: RawRequest) => void)[] = []
  let connections = 0
  const server = createTcpServer((socket) => {
    connections += 1
    const connection = connections
    let [text, nth] = ['', 0]
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
      const [head = '', body] = text.split('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
      if (body === undefined || body.length < length) return
      text = ''
      nth += 1
      const request = { head, body, connection, nth }
      requests.push(request)
      wanting.shift()?.(request)
      answer(socket, request)
    })
  })
  return {
    url: `http://127.0.0.1:${await listening(server)}/hook`,
    requests,
    next: () => new Promise((resolve) => wanting.push(resolve)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** The control calls that the tests here share. */
export type Controlled = Pick<TestServer, 'control'>

/** Moves the clock and answers what the advance did. */
export async function advance(server: Controlled, by: string, world = ''): Promise<Answered['body']> {
  const { status, body } = await server.control('POST', `${world}/clock/advance`, { by })
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

/** Settles a world, which must succeed, and answers what waits. */
export async function settle(server: Controlled, world = ''): Promise<Answered['body']> {
  const { status, body } = await server.control('POST', `${world}/settle`, {})
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

/** Fires a trigger, which must succeed. */
export async function trigger(
  server: Controlled,
  on: string,
  what: string,
  parameters: Record<string, unknown> = {},
): Promise<Answered['body']> {
  const { status, body } = await server.control('POST', '/trigger', { on, do: what, ...parameters })
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

/** Chooses knobs. */
export async function choose(
  server: Controlled,
  silences: Record<string, unknown>,
  world = '',
): Promise<void> {
  const { status, body } = await server.control('PATCH', `${world}/silences`, silences)
  expect(status, JSON.stringify(body)).toBe(200)
}

/** The deliveries of a world, the oldest first, whole. */
export async function deliveries(server: Controlled, world = ''): Promise<Answered['body'][]> {
  const { body } = await server.control('GET', `${world}/deliveries?limit=1000`)
  const ids: string[] = body.items.map(({ id }: { id: string }) => id)
  const whole: Answered['body'][] = []
  for (const id of ids.toReversed()) {
    const { body: found } = await server.control('GET', `${world}/deliveries/${id}`)
    whole.push(found)
  }
  return whole
}

/** The one delivery of a world, whole. */
export async function onlyDelivery(server: Controlled): Promise<Answered['body']> {
  const all = await deliveries(server)
  expect(all).toHaveLength(1)
  return all[0]
}

/** The instant that lies some milliseconds after another, as text. */
export function plus(timestamp: string, milliseconds: number): string {
  return new Date(Date.parse(timestamp) + milliseconds).toISOString()
}

/** Calls the server a few times: what its sockets hold is read meanwhile. */
export async function roundTrips(server: Controlled): Promise<void> {
  for (let times = 0; times < 5; times++) await server.control('GET', '/clock')
}
