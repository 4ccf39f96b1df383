// Owns the answer to bytes that are no HTTP request: the envelope, where Node alone would write a bare status.
import { toTimestamp } from '../kernel/time.ts'
import { failure, hintHeader } from './envelope.ts'
import type { Duplex } from 'node:stream'
import type { GatewayErrorCode } from '../contract/errors.ts'
import type { Worlds } from '../world/worlds.ts'

/** How one kind of bad bytes is answered. */
interface Unreadable {
  status: string
  code: GatewayErrorCode
  message: string
  hint: string
}

const MALFORMED: Unreadable = {
  status: '400 Bad Request',
  code: 'validation_error',
  message: 'A requisição não é HTTP válido.',
  hint: 'These bytes are no HTTP/1.1 request: look at the request line, the headers, Content-Length and chunks.',
}

/** What is told apart, by the code of Node's error. */
const KINDS: Readonly<Record<string, Unreadable>> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    code: 'payload_too_large',
    message: 'Os cabeçalhos da requisição são maiores que o permitido.',
    hint: 'The request line and the headers are larger than 16 KiB together; send fewer or shorter ones.',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: '413 Payload Too Large',
    code: 'payload_too_large',
    message: 'As extensões dos blocos da requisição são maiores que o permitido.',
    hint: 'The extensions of its chunks are larger than 16 KiB; leave them out.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    code: 'validation_error',
    message: 'A requisição não terminou a tempo.',
    hint: 'The request did not arrive in time; send it as a whole.',
  },
}

/** A listener for `clientError` of a server: answers where nothing was answered yet, and ends the connection. */
export function answerUnreadable(worlds: Worlds): (error: NodeJS.ErrnoException, socket: Duplex) => void {
  return (error, socket) => {
    // Node keeps the answer that is being made here, and looks at it for the same question.
    const { _httpMessage: answer } = socket as { _httpMessage?: { headersSent: boolean } | null }
    const begun = answer?.headersSent === true
    if (error.code === 'ECONNRESET' || !socket.writable || begun) {
      socket.destroy()
      return
    }
    const { status, code, message, hint } = KINDS[error.code ?? ''] ?? MALFORMED
    const body = JSON.stringify(failure(code, message))
    const { id, clock } = worlds.default
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      Connection: 'close',
      'X-Sandbox-World': id,
      'X-Sandbox-Now': toTimestamp(clock.now()),
      'X-Sandbox-Silences': '',
      ...hintHeader(hint),
    }
    const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 ${status}\r\n${head.join('')}\r\n${body}`, () => socket.destroy())
  }
}
