// Calls a server on a bare socket: tests see every byte that comes, and how the connection ends.
import { connect } from 'node:net'
import { onTestFinished } from 'vitest'

/** A call on a connection of its own. */
export interface RawCall {
  /** What has come so far. */
  readonly text: string
  /** Kept once what has come fits; broken when the connection ends before. */
  until(fits: RegExp): Promise<string>
  /** Sends more. */
  send(text: string): void
  /** Kept when the connection has ended: `closed`, or the code of its error such as `ECONNRESET`. */
  ended: Promise<string>
  /** Ends the connection from this side. */
  leave(): void
}

/** Opens a connection and sends a text; the test that opened it ends it. */
export function callRaw(url: string, sent: string): RawCall {
  const { hostname, port } = new URL(url)
  let text = ''
  let looks: (() => void)[] = []
  const look = (): void => {
    for (const each of looks) each()
  }
  const socket = connect(Number(port), hostname, () => socket.write(sent))
  const ended = new Promise<string>((resolve) => {
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(String(error.code)))
    socket.on('close', () => resolve('closed'))
  })
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1')
    look()
  })
  onTestFinished(() => {
    socket.destroy()
  })
  return {
    get text() {
      return text
    },
    until: (fits) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          if (!fits.test(text)) return
          looks = looks.filter((each) => each !== check)
          resolve(text)
        }
        looks.push(check)
        void ended.then((how) => reject(new Error(`${how} after ${JSON.stringify(text)}`)))
        check()
      }),
    send: (more) => void socket.write(more),
    ended,
    leave: () => socket.destroy(),
  }
}

/** The text of a POST; `announced` is its `Content-Length` when not all of the body is sent at once. */
export function postText(
  path: string,
  body: string,
  { headers = {}, announced = Buffer.byteLength(body) }: { headers?: object; announced?: number } = {},
): string {
  const lines = Object.entries({ Host: 'sandbox.test', 'Content-Length': announced, ...headers })
  return `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`
}
