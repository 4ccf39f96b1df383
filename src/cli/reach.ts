// Owns trying a TCP connection or a port, without sending anything.
import { connect, createServer } from 'node:net'
import { after } from '../kernel/timers.ts'
import type { Millis } from '../kernel/brands.ts'

/** Longest try of a connection, in host milliseconds. */
const LONGEST_TRY = 2_000 as Millis

/** Tries a connection and closes it at once; answers null when somebody took it, and the system's code when not. */
export function tryConnection(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({ host, port })
    const end = (outcome: string | null): void => {
      callOff()
      socket.destroy()
      resolve(outcome)
    }
    const callOff = after(LONGEST_TRY, () => end('ETIMEDOUT'))
    socket.on('connect', () => end(null))
    socket.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message))
  })
}

/** Tries to listen on a port of this machine and stops at once; answers null when it can, and the system's code when not. */
export function tryPort(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen(port, host, () => server.close(() => resolve(null)))
  })
}
