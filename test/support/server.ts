// Starts real servers for tests: the sandbox on a socket, and receivers that answer as they are told.
import { createServer } from 'node:http'
import { startServer } from '../../src/server.ts'
import { parseClockStart } from '../../src/world/clockStart.ts'
import { clientOf, START } from './sandbox.ts'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { RunningServer, ServerOptions } from '../../src/server.ts'
import type { RunningWorld } from '../../src/world/runningWorld.ts'
import type { TestSandbox } from './sandbox.ts'

/** A sandbox on a socket. */
export interface TestServer extends Pick<TestSandbox, 'send' | 'token' | 'call' | 'control'> {
  url: string
  server: RunningServer
  world: RunningWorld
  defects: unknown[]
  close(): Promise<void>
}

/** A sandbox on a free port, frozen at `START` with a fixed seed unless told otherwise. */
export async function openServer(options: ServerOptions = {}): Promise<TestServer> {
  const defects: unknown[] = []
  const server = await startServer({
    port: 0,
    clock: parseClockStart(START),
    seed: 'test',
    report: (defect) => defects.push(defect),
    ...options,
  })
  const client = clientOf(server.url, (request) => globalThis.fetch(request))
  return {
    ...client,
    url: server.url,
    server,
    world: server.worlds.default,
    defects,
    close: () => server.close(),
  }
}

/** One request that a receiver got. */
export interface Received {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
}

/** A merchant's webhook server. */
export interface Receiver {
  url: string
  received: Received[]
  close(): Promise<void>
}

/** Answers one request: a status, or anything that writes the response itself. */
export type ReceiverAnswer = number | ((request: IncomingMessage, response: ServerResponse) => unknown)

/** A receiver on a free port that gives its answers in order, and 204 when none is left. */
export async function openReceiver(...answers: ReceiverAnswer[]): Promise<Receiver> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      received.push({ method, path: url, headers, body: Buffer.concat(chunks) })
      const answer = answers.shift() ?? 204
      if (typeof answer === 'function') void answer(request, response)
      else response.writeHead(answer).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
