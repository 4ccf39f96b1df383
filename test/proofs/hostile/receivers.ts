// Owns hostile receivers of webhooks: what each does on its socket, and what an attempt at it must say.
import { gzipSync } from 'node:zlib'
import { MAX_RECEIVED_BYTES } from '../../../src/webhooks/send.ts'
import type { Socket } from 'node:net'
import type { Certificates } from './certificates.ts'

/** Bytes after which an endless receiver stops: so much is only taken by a sender that reads without end. */
export const ENDLESS_BYTES = 64 * 1_048_576

/** What a gzip bomb of this kind has when it is inflated, in bytes: 10 GiB. */
const BOMB_BYTES = 10 * 1_073_741_824

/** A receiver that is not as it should be. */
export interface HostileReceiver {
  name: string
  /** The identity that it shows under https; `none` speaks plain TCP under https. Plain http when left out. */
  tls?: Exclude<keyof Certificates, 'root'> | 'none'
  /** What it does with a connection, before any byte came. */
  onConnect?: (socket: Socket) => void
  /** What it does with a whole request; `url` is its own address. */
  onRequest?: (socket: Socket, url: string) => void
  /** What each attempt has: a status, or null and a reason that fits. */
  expect: { status: number | null; error?: RegExp; answer?: RegExp }
  /** Whether its attempts end only by their time-out. */
  hangs?: boolean
}

/** Writes pieces for as long as somebody takes them, at most `ENDLESS_BYTES`; then ends. */
function pour(socket: Socket, piece: string | Buffer, limit = ENDLESS_BYTES): void {
  const more = (): void => {
    while (!socket.destroyed && socket.bytesWritten < limit && socket.write(piece));
    if (socket.bytesWritten < limit) socket.once('drain', more)
    else socket.end()
  }
  more()
}

const says =
  (text: string): NonNullable<HostileReceiver['onRequest']> =>
  (socket) =>
    void socket.write(text)
const saysAndResets =
  (text: string): NonNullable<HostileReceiver['onRequest']> =>
  (socket) =>
    void socket.write(text, () => socket.resetAndDestroy())
const saysAndEnds =
  (text: string): NonNullable<HostileReceiver['onRequest']> =>
  (socket) =>
    void socket.end(text)
/** Says something, and then the same piece for ever. */
const repeats =
  (head: string, piece: string): NonNullable<HostileReceiver['onRequest']> =>
  (socket) => {
    socket.write(head)
    pour(socket, piece.repeat(Math.ceil(65_536 / piece.length)))
  }

/** Why an attempt at a receiver that talks without answering ends. */
const TOO_MUCH = new RegExp(`^more than ${MAX_RECEIVED_BYTES} bytes came before an answer$`)

const OK = 'HTTP/1.1 200 OK\r\n'
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`

/** Ten megabytes of zeros as one member: many of them in a row are one gzip file. */
const member = gzipSync(Buffer.alloc(10 * 1_048_576))

function sendBomb(socket: Socket): void {
  const members = BOMB_BYTES / (10 * 1_048_576)
  socket.write(`${OK}Content-Encoding: gzip\r\nContent-Length: ${members * member.length}\r\n\r\n`)
  pour(socket, member, members * member.length)
}

const TLS: HostileReceiver[] = [
  {
    name: 'TLS as it should be',
    tls: 'good',
    onRequest: saysAndEnds('HTTP/1.1 204 Fine\r\n\r\n'),
    expect: { status: 204 },
  },
  {
    name: 'a certificate that it signed itself',
    tls: 'selfSigned',
    expect: {
      status: null,
      error: /self-signed certificate.*NODE_EXTRA_CA_CERTS.*\(DEPTH_ZERO_SELF_SIGNED_CERT\)$/,
    },
  },
  {
    name: 'a certificate that has expired',
    tls: 'expired',
    expect: { status: null, error: /expired \(CERT_HAS_EXPIRED\)$/ },
  },
  {
    name: 'a certificate of another host',
    tls: 'otherHost',
    expect: { status: null, error: /127\.0\.0\.1.*\(ERR_TLS_CERT_ALTNAME_INVALID\)$/ },
  },
  {
    name: 'plain HTTP under https',
    tls: 'none',
    onConnect: (socket) => void socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
    expect: { status: null, error: /plain HTTP.*\(EPROTO\)$/ },
  },
  {
    name: 'no handshake under https',
    tls: 'none',
    expect: { status: null, error: /^timed out after/ },
    hangs: true,
  },
  {
    name: 'a reset in the handshake',
    tls: 'none',
    onConnect: (socket) => void socket.once('data', () => socket.resetAndDestroy()),
    expect: { status: null, error: /connection reset/ },
  },
]

const BROKEN_OFF: HostileReceiver[] = [
  {
    name: 'a reset at once',
    onConnect: (socket) => socket.resetAndDestroy(),
    expect: { status: null, error: /connection (?:reset|closed)/ },
  },
  {
    name: 'a close at once',
    onConnect: (socket) => socket.destroy(),
    expect: { status: null, error: /connection (?:reset|closed)/ },
  },
  {
    name: 'a reset after half a status line',
    onRequest: saysAndResets('HTTP/1.'),
    expect: { status: null, error: /connection reset/ },
  },
  {
    name: 'a reset after half its headers',
    onRequest: saysAndResets(`${OK}Content-Ty`),
    expect: { status: null, error: /connection reset/ },
  },
  {
    name: 'a reset after half its body',
    onRequest: saysAndResets(`${OK}Content-Length: 10\r\n\r\nhalf`),
    expect: { status: 200 },
  },
  { name: 'no answer', expect: { status: null, error: /^timed out after \d+ ms$/ }, hangs: true },
]

const ENDLESS: HostileReceiver[] = [
  { name: 'a gzip bomb', onRequest: sendBomb, expect: { status: 200, answer: /^.\ufffd/s } },
  {
    name: 'a body without end',
    onRequest: repeats(`${OK}\r\n`, 'a'),
    expect: { status: 200, answer: /^a{4096}$/ },
  },
  {
    name: 'a body of tiny chunks without end',
    onRequest: repeats(CHUNKED, '1\r\na\r\n'),
    expect: { status: 200, answer: /^a{4096}$/ },
  },
  {
    name: 'a chunk whose extension has no end',
    onRequest: repeats(`${CHUNKED}1;`, 'x'),
    expect: { status: 200, answer: /^$/ },
  },
  {
    name: 'trailers without end',
    onRequest: repeats(`${CHUNKED}1\r\na\r\n0\r\n`, 'X-More: more\r\n'),
    expect: { status: 200, answer: /^a$/ },
  },
  {
    name: 'headers without end',
    onRequest: repeats(OK, 'X-More: more\r\n'),
    expect: { status: null, error: /Header overflow \(HPE_HEADER_OVERFLOW\)$/ },
  },
  {
    name: 'a header line without end',
    onRequest: repeats(`${OK}X-Long: `, 'x'),
    expect: { status: null, error: /Header overflow/ },
  },
  {
    name: 'a status line without end',
    onRequest: repeats('HTTP/1.1 200 ', 'OK'),
    expect: { status: null, error: /Header overflow/ },
  },
  {
    name: 'empty lines without end',
    onRequest: repeats('', '\r\n'),
    expect: { status: null, error: TOO_MUCH },
  },
  {
    name: '100 Continue without end',
    onRequest: repeats('', 'HTTP/1.1 100 Continue\r\n\r\n'),
    expect: { status: null, error: TOO_MUCH },
  },
  {
    name: '103 Early Hints without end',
    onRequest: repeats('', 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n'),
    expect: { status: null, error: TOO_MUCH },
  },
]

const LYING: HostileReceiver[] = [
  {
    name: 'a redirect to itself',
    onRequest: (socket, url) =>
      void socket.end(`HTTP/1.1 307 Go\r\nLocation: ${url}\r\nConnection: close\r\n\r\n`),
    expect: { status: 307 },
  },
  {
    name: 'a 204 with a body',
    onRequest: saysAndEnds('HTTP/1.1 204 No\r\nContent-Length: 3\r\n\r\nabc'),
    expect: { status: 204 },
  },
  {
    name: 'a Content-Length that is too long',
    onRequest: saysAndEnds(`${OK}Content-Length: 9\r\n\r\nabc`),
    expect: { status: 200, answer: /^abc$/ },
  },
  {
    name: 'a Content-Length that is too short',
    onRequest: saysAndEnds(`${OK}Content-Length: 2\r\n\r\nabc`),
    expect: { status: 200, answer: /^ab$/ },
  },
  {
    name: 'a Content-Length below zero',
    onRequest: says(`${OK}Content-Length: -1\r\n\r\n`),
    expect: { status: null, error: /\(HPE_INVALID_CONTENT_LENGTH\)$/ },
  },
  {
    name: 'two Content-Lengths',
    onRequest: says(`${OK}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`),
    expect: { status: null, error: /\(HPE_UNEXPECTED_CONTENT_LENGTH\)$/ },
  },
  {
    name: 'a status of one digit',
    onRequest: says('HTTP/1.1 2\r\n\r\n'),
    expect: { status: null, error: /\(HPE_INVALID_STATUS\)$/ },
  },
  {
    name: 'a version that nobody knows',
    onRequest: says('HTTP/9.9 200 OK\r\n\r\n'),
    expect: { status: null, error: /\(HPE_INVALID_VERSION\)$/ },
  },
  {
    name: 'a NUL in a header',
    onRequest: says(`${OK}X-Nul: a\0b\r\n\r\n`),
    expect: { status: null, error: /\(HPE_INVALID_HEADER_TOKEN\)$/ },
  },
  {
    name: 'HTTP/2',
    onRequest: (socket) => void socket.write(Buffer.from('000000040000000000', 'hex')),
    expect: { status: null, error: /\(HPE_INVALID_CONSTANT\)$/ },
  },
]

/** All of them. Those whose attempts end by time-out are told by `hangs`. */
export const HOSTILE_RECEIVERS: readonly HostileReceiver[] = [...TLS, ...BROKEN_OFF, ...ENDLESS, ...LYING]
