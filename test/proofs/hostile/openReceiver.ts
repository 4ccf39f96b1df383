// Owns a hostile receiver at work: its socket, who came, what was taken, and whether it was let go.
import { createServer as createTcpServer } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import type { AddressInfo, Server, Socket } from 'node:net'
import type { Certificates } from './certificates.ts'
import type { HostileReceiver } from './receivers.ts'

/** A hostile receiver that listens. */
export interface OpenReceiver {
  url: string
  /** Connections that came so far. */
  readonly connections: number
  /** Whole requests that came so far. */
  readonly requests: number
  /** The most bytes that were taken on one connection. */
  readonly taken: number
  /** The most bytes that came on one connection. */
  readonly given: number
  /** Connections that are still open. */
  readonly open: number
  /** Reads on where a connection was paused: only who reads hears that it has ended. */
  readOn(): void
  close(): Promise<void>
}

/** Opens a receiver on a free port. */
export async function openHostile(
  { tls, onConnect, onRequest }: HostileReceiver,
  certificates: Certificates,
): Promise<OpenReceiver> {
  const sockets = new Set<Socket>()
  let [connections, requests, taken, given, url] = [0, 0, 0, 0, '']
  const meet = (socket: Socket): void => {
    let text = ''
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
      if (!isWhole(text)) return
      text = ''
      requests += 1
      onRequest?.(socket, url)
    })
    onConnect?.(socket)
  }
  // Counted below TLS, where a connection without a handshake is one, too.
  const follow = (socket: Socket): void => {
    connections += 1
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      taken = Math.max(taken, socket.bytesWritten)
      given = Math.max(given, socket.bytesRead)
      sockets.delete(socket)
    })
  }
  const server: Server =
    tls === undefined || tls === 'none'
      ? createTcpServer(meet)
      : createTlsServer(certificates[tls], (socket) => {
          socket.on('error', () => {})
          meet(socket)
        })
  server.prependListener('connection', follow)
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  return {
    url,
    get connections() {
      return connections
    },
    get requests() {
      return requests
    },
    get taken() {
      return taken
    },
    get given() {
      return given
    },
    get open() {
      return sockets.size
    },
    readOn() {
      for (const socket of sockets) socket.resume()
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

function isWhole(text: string): boolean {
  const [head = '', body] = text.split('\r\n\r\n')
  const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
  return body !== undefined && body.length >= length
}
