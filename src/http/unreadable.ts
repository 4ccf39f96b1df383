// Owns the answers to what is no request that the app could read: the envelope, where Node alone would write a bare status.
import { STATUS_CODES } from 'node:http'
import { RequestError } from '@hono/node-server'
import { GATEWAY_ERRORS } from '../contract/errors.ts'
import { toTimestamp } from '../kernel/time.ts'
import { DEFECT_HINT, failure, hintHeader } from './envelope.ts'
import { ConnectionReset } from './misanswer.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { GatewayErrorCode } from '../contract/errors.ts'
import type { Worlds } from '../world/worlds.ts'

/** How one kind of bad bytes is answered. */
interface Unreadable {
  status: number
  code: GatewayErrorCode
  message: string
  hint: string
}

const MALFORMED: Unreadable = {
  status: 400,
  code: 'validation_error',
  message: 'A requisição não é HTTP válido.',
  hint: 'These bytes are no HTTP/1.1 request: look at the request line, the headers, Content-Length and chunks.',
}

const BAD_TARGET: Unreadable = {
  status: 400,
  code: 'validation_error',
  message: 'O endereço ou o host da requisição não é válido.',
  hint: 'Send one Host header with a host and, where needed, a port, and a path that begins with a slash.',
}

const BAD_EXPECTATION: Unreadable = {
  status: 417,
  code: 'validation_error',
  message: 'O cabeçalho Expect da requisição não pode ser atendido.',
  hint: 'The only Expect that is known is 100-continue; leave the header out.',
}

const DEFECT: Unreadable = {
  status: 500,
  code: 'internal_error',
  message: GATEWAY_ERRORS.internal_error.message,
  hint: DEFECT_HINT,
}

/** What is told apart, by the code of Node's error. */
const KINDS: Readonly<Record<string, Unreadable>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'payload_too_large',
    message: 'Os cabeçalhos da requisição são maiores que o permitido.',
    hint: 'The request line and the headers are larger than 16 KiB together; send fewer or shorter ones.',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    code: 'payload_too_large',
    message: 'As extensões dos blocos da requisição são maiores que o permitido.',
    hint: 'The extensions of its chunks are larger than 16 KiB; leave them out.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: 'validation_error',
    message: 'A requisição não terminou a tempo.',
    hint: 'The request did not arrive in time; send it as a whole.',
  },
}

/** The answers of a server to what is no request. */
interface UnreadableAnswers {
  /** For `clientError`: answers where nothing was answered yet, and ends the connection. */
  onClientError: (error: NodeJS.ErrnoException, socket: Duplex) => void
  /** For a request whose target and host are no address. */
  onTarget: (request: IncomingMessage, response: ServerResponse) => void
  /** For `checkExpectation`. */
  onExpectation: (request: IncomingMessage, response: ServerResponse) => void
  /** For what the adapter could not read or answer: an odd target, a fault that reset the connection, a defect of ours. */
  onError: (error: unknown) => Response | undefined
}

/** Makes the answers of a server; they name the default world. */
export function createUnreadable(worlds: Worlds, report: (defect: unknown) => void): UnreadableAnswers {
  function answerOf({ code, message, hint }: Unreadable): { body: string; headers: Record<string, string> } {
    const body = JSON.stringify(failure(code, message))
    const { id, clock } = worlds.default
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(body)),
      'X-Sandbox-World': id,
      'X-Sandbox-Now': toTimestamp(clock.now()),
      'X-Sandbox-Silences': '',
      ...hintHeader(hint),
    }
    return { body, headers }
  }

  function write(response: ServerResponse, kind: Unreadable): void {
    const { headers, body } = answerOf(kind)
    response.writeHead(kind.status, headers).end(body)
  }

  return {
    onClientError(error, socket) {
      // Node keeps the answer that is being made here, and looks at it for the same question.
      const { _httpMessage: answer } = socket as { _httpMessage?: { headersSent: boolean } | null }
      const begun = answer?.headersSent === true
      if (error.code === 'ECONNRESET' || !socket.writable || begun) {
        socket.destroy()
        return
      }
      const kind = KINDS[error.code ?? ''] ?? MALFORMED
      const { headers, body } = answerOf(kind)
      const head = Object.entries({ ...headers, Connection: 'close' }).map(
        ([name, value]) => `${name}: ${value}\r\n`,
      )
      socket.end(`HTTP/1.1 ${kind.status} ${STATUS_CODES[kind.status]}\r\n${head.join('')}\r\n${body}`, () =>
        socket.destroy(),
      )
    },
    onTarget: (_request, response) => write(response, BAD_TARGET),
    onExpectation: (_request, response) => write(response, BAD_EXPECTATION),
    onError(error) {
      // Its socket is gone: nothing can be answered.
      if (error instanceof ConnectionReset) return undefined
      const kind = error instanceof RequestError ? BAD_TARGET : DEFECT
      if (kind === DEFECT) report(error)
      const { headers, body } = answerOf(kind)
      return new Response(body, { status: kind.status, headers })
    },
  }
}
