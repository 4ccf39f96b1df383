// Owns bare connections to a server: what is sent on them byte for byte, what came back, and how they ended.
import { request } from 'node:http'
import { connect } from 'node:net'
import { nextTurn } from './bounds.ts'
import type { Socket } from 'node:net'

/** The end of a connection that a test or a run holds. */
export interface Peer {
  socket: Socket
  /** What has come so far; nothing of a peer that does not read. */
  readonly text: string
  readonly isEnded: boolean
  /** Kept when the connection has ended, however. */
  ended: Promise<void>
  /** Kept once what has come fits, or the connection has ended. */
  until(fits: RegExp): Promise<void>
}

/** Connects. A peer that does not `read` leaves everything that comes with the system. */
export function meet(url: string, { reads = true }: { reads?: boolean } = {}): Promise<Peer> {
  const { hostname, port } = new URL(url)
  let text = ''
  let isEnded = false
  const looks = new Set<() => void>()
  const look = (): void => {
    for (const each of looks) each()
  }
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  const ended = new Promise<void>((resolve) => {
    socket.once('close', () => {
      isEnded = true
      resolve()
      look()
    })
  })
  if (reads) {
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
      look()
    })
  }
  const peer: Peer = {
    socket,
    get text() {
      return text
    },
    get isEnded() {
      return isEnded
    },
    ended,
    until: (fits) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (!isEnded && !fits.test(text)) return
          looks.delete(check)
          resolve()
        }
        looks.add(check)
        check()
      }),
  }
  return new Promise((resolve, reject) => {
    socket.once('connect', () => resolve(peer))
    socket.once('error', reject)
  })
}

/** Sends a text one byte at a time, one for each turn of the loop. */
export async function trickle({ socket }: Peer, text: string): Promise<void> {
  socket.setNoDelay(true)
  for (const byte of text) {
    socket.write(byte)
    await nextTurn()
  }
}

/** Sends a piece again and again until the connection ends. */
export async function pourInto(peer: Peer, piece: string | Buffer): Promise<void> {
  const { socket } = peer
  while (!socket.destroyed && socket.writable) {
    if (!socket.write(piece)) {
      await Promise.race([new Promise<void>((resolve) => void socket.once('drain', resolve)), peer.ended])
    }
  }
}

/** Calls once on a connection of its own, as a client that does nothing wrong; answers the status, or null when there was none. */
export function statusOf(url: string): Promise<number | null> {
  return new Promise((resolve) => {
    request(url, { agent: false }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? null))
      response.once('error', () => resolve(null))
    })
      .on('error', () => resolve(null))
      .end()
  })
}
