// Owns the socket of a server: where it listens, how long clients may take, and what is refused before the app sees it.
import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { createUnreadable } from './http/unreadable.ts'
import type { Server } from 'node:http'
import type { Worlds } from './world/worlds.ts'

/** Host milliseconds for which a server waits for clients, as `http.createServer` of Node takes them. */
export interface Patience {
  /** From the connection, or the first byte of a further request, to the end of its head. */
  headersTimeout: number
  /** The same, to the end of its body. How long an answer takes has no bound. */
  requestTimeout: number
  /** From an answer to the next request on the same connection. */
  keepAliveTimeout: number
  /** How often the first two are looked at. */
  connectionsCheckingInterval: number
}

/**
 * A head comes in one packet, so half a minute without one means that nobody is there. A body may be a whole world over a
 * slow line. A kept connection stays longer than the minute for which clients keep theirs: when the server closes it in the
 * moment in which a client uses it again, a call fails, and nobody dares to make a POST twice.
 */
const PATIENCE: Patience = {
  headersTimeout: 30_000,
  requestTimeout: 300_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
}

/** Where to listen, and how long to wait for clients. */
interface Listening {
  hostname: string
  /** 0 takes a free one. */
  port: number
  patience?: Patience | undefined
  /** Told of defects of ours. */
  report: (defect: unknown) => void
}

/**
 * Listens, and hands each request to the app. What cannot be read as a request gets the envelope of the default world.
 * @throws {Error} with the system's `code`, such as EADDRINUSE, when it cannot
 */
export function listen(
  answer: (request: Request) => Response | Promise<Response>,
  worlds: Worlds,
  { hostname, port, patience = PATIENCE, report }: Listening,
): Promise<Server> {
  const unreadable = createUnreadable(worlds, report)
  const handle = getRequestListener(answer, { errorHandler: unreadable.onError })
  // Node's own refusals would be a bare status.
  const server = createServer({ ...patience, requireHostHeader: false }, (request, response) => {
    const { headers, httpVersion } = request
    if (headers.host === undefined && httpVersion === '1.1') return unreadable.onTarget(request, response)
    // Older clients need not name one.
    if (httpVersion !== '1.1' && !headers.host) headers.host = 'localhost'
    handle(request, response).catch((defect: unknown) => {
      report(defect)
      response.destroy()
    })
  })
  server.on('clientError', unreadable.onClientError)
  server.on('checkExpectation', unreadable.onExpectation)
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, hostname, () => resolve(server))
  })
}

/** Ends a server and each of its connections. */
export function endServer(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()))
    server.closeAllConnections()
  })
}

/** The address of a host and port, as others reach it. */
export function urlOf(hostname: string, port: number): string {
  const reached = hostname === '0.0.0.0' || hostname === '::' ? 'localhost' : hostname
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`
}
