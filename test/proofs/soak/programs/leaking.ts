// The same server with every defect that a soak is there for: it keeps the body of each request, leaves a timer for each, and a listener
// for each connection, blocks its loop, answers 500 now and then, and does not end.
import { subscribe } from 'node:diagnostics_channel'
import { after } from '../../../../src/kernel/timers.ts'
import { serveObserved } from '../observed.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Millis } from '../../../../src/kernel/brands.ts'

const HOUR = 3_600_000 as Millis
/** One answer in so many is a 500, and one blocks the loop before. */
const BAD_ONE_IN = 100
/** Numbers that are kept beside each body, so that few calls show: 16 kB. */
const KEPT_BESIDE = 2_000
const BLOCKED_MS = 300

await serveObserved(({ worlds }) => {
  const kept: unknown[] = []
  const met = new WeakSet<Socket>()
  subscribe('http.server.request.start', (message) => {
    const { request, response, socket } = message as {
      request: IncomingMessage
      response: ServerResponse
      socket: Socket
    }
    const bodies: unknown[] = []
    const push = request.push.bind(request)
    request.push = (chunk: unknown, ...words) => {
      bodies.push(chunk)
      return push(chunk, ...words)
    }
    kept.push([bodies, Array.from({ length: KEPT_BESIDE }, () => 0)])
    after(HOUR, () => undefined)
    if (!met.has(socket)) worlds.default.feed.listen(() => undefined)
    met.add(socket)
    if (kept.length % BAD_ONE_IN !== 0) return
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BLOCKED_MS)
    response.statusCode = 500
    const writeHead = response.writeHead.bind(response) as (
      status: number,
      ...words: unknown[]
    ) => ServerResponse
    response.writeHead = (_status: number, ...words: unknown[]) => writeHead(500, ...words)
  })
  process.channel?.ref()
})
