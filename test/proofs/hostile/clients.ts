// Owns hostile clients of the server: what each sends, and what the server is to do about it.
import { pourInto, trickle } from './peers.ts'
import type { Peer } from './peers.ts'

/** A client that is not as it should be. */
export interface HostileClient {
  name: string
  /** What it does once it is connected. Kept when it has done so. */
  play: (peer: Peer) => Promise<unknown> | void
  /** Whether it reads what comes; true when left out. */
  reads?: false
  /** What it is answered; nothing is looked at when left out. */
  says?: RegExp
  /** Whether the server ends the connection by itself. */
  closes?: true
}

const sends =
  (text: string | Buffer): HostileClient['play'] =>
  ({ socket }) =>
    void socket.write(text)
const sendsAndLeaves =
  (text: string): HostileClient['play'] =>
  ({ socket }) =>
    void socket.end(text)
/** Resets once what it sent is with the system. */
const sendsAndResets =
  (text: string): HostileClient['play'] =>
  ({ socket }) =>
    new Promise<void>((resolve) => {
      socket.write(text, () => {
        socket.resetAndDestroy()
        resolve()
      })
    })

const GET = 'GET /health HTTP/1.1\r\nHost: sandbox.test\r\n\r\n'
const KEYS = JSON.stringify({ publicKey: 'pk_sandbox_default', secretKey: 'sk_sandbox_wrong' })
const head = (...lines: readonly string[]): string =>
  ['POST /v1/auth/token HTTP/1.1', 'Host: sandbox.test', ...lines, '', ''].join('\r\n')
const withLength = (length: number, ...lines: readonly string[]): string =>
  head(`Content-Length: ${length}`, ...lines)
const CHUNKED = head('Transfer-Encoding: chunked')
const CHUNK = `10000\r\n${' '.repeat(65_536)}\r\n`

/** The beginning of a TLS handshake. */
const CLIENT_HELLO = Buffer.from(`16030100c8010000c40303${'5a'.repeat(190)}`, 'hex')

/** Clients that are slow or wrong, against a server that waits as long as it does by itself. */
export const WRONG_CLIENTS: readonly HostileClient[] = [
  { name: 'a head of one byte at a time', play: (peer) => trickle(peer, GET), says: /^HTTP\/1\.1 200 / },
  {
    name: 'a body of one byte at a time',
    play: (peer) => trickle(peer, withLength(KEYS.length) + KEYS),
    says: /^HTTP\/1\.1 401 /,
  },
  { name: 'half a head, and gone', play: sendsAndLeaves('GET /hea'), closes: true },
  { name: 'half a body, and gone', play: sendsAndLeaves(`${withLength(90)}{"pub`), closes: true },
  { name: 'a reset at once', play: sendsAndResets('') },
  { name: 'a reset in the head', play: sendsAndResets('GET /health HT') },
  { name: 'a reset in the body', play: sendsAndResets(`${withLength(90)}{"pub`) },
  { name: 'a reset before the answer', play: sendsAndResets(GET) },
  {
    name: 'a head without end',
    play: async (peer) => {
      peer.socket.write('GET /health HTTP/1.1\r\n')
      await pourInto(peer, 'X-More: more\r\n'.repeat(100))
    },
    closes: true,
  },
  {
    name: 'a header of 20 KB',
    play: sends(withLength(0, `X-Long: ${'x'.repeat(20_000)}`)),
    says: /^HTTP\/1\.1 431 /,
    closes: true,
  },
  {
    name: 'a path of 20 KB',
    play: sends(`GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`),
    says: /^HTTP\/1\.1 431 /,
    closes: true,
  },
  {
    name: 'a chunked body without end',
    play: async (peer) => {
      peer.socket.write(CHUNKED)
      await pourInto(peer, CHUNK)
    },
    closes: true,
  },
  {
    name: 'an announced body of ten terabytes',
    play: async (peer) => {
      peer.socket.write(withLength(10_000_000_000_000))
      await pourInto(peer, CHUNK)
    },
    closes: true,
  },
  {
    name: 'garbage behind a good request',
    play: sends(`${GET}\0\x01garbage\r\n\r\n`),
    says: /^HTTP\/1\.1 (?:200|400) /,
    closes: true,
  },
  { name: 'the preface of HTTP/2', play: sends('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), closes: true },
  { name: 'TLS on the plain port', play: sends(CLIENT_HELLO), says: /^HTTP\/1\.1 400 /, closes: true },
  {
    name: 'a wish to speak HTTP/2',
    play: sends(GET.replace('\r\n\r\n', '\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n')),
    says: /^HTTP\/1\.1 200 /,
  },
  {
    name: 'an expectation that nobody knows',
    play: sends(withLength(0, 'Expect: miracles')),
    says: /^HTTP\/1\.1 417 /,
  },
  {
    name: 'a tunnel that is asked for',
    play: sends('CONNECT shop.test:443 HTTP/1.1\r\nHost: shop.test\r\n\r\n'),
    closes: true,
  },
  {
    name: 'two lengths of one body',
    play: sends(`${head('Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\n`),
    says: /^HTTP\/1\.1 400 /,
    closes: true,
  },
  {
    name: 'a chunk of more bytes than there are',
    play: sends(`${CHUNKED}FFFFFFFFFFFFFFFFF\r\n`),
    closes: true,
  },
  {
    name: 'large answers that nobody reads',
    play: sends(GET.replace('/health', '/openapi.json').repeat(300)),
    reads: false,
  },
  {
    name: 'an event stream that nobody reads',
    play: sends(GET.replace('/health', '/_sandbox/events')),
    reads: false,
  },
]

/** Clients that stop half-way and stay, against a server that waits only a little. */
export const HANGING_CLIENTS: readonly HostileClient[] = [
  { name: 'a connection that says nothing', play: () => undefined, says: /^HTTP\/1\.1 408 /, closes: true },
  {
    name: 'half a head, and silence',
    play: sends('GET /health HTTP/1.1\r\nHo'),
    says: /^HTTP\/1\.1 408 /,
    closes: true,
  },
  {
    name: 'half a body, and silence',
    play: sends(`${withLength(90)}{"pub`),
    says: /^HTTP\/1\.1 408 /,
    closes: true,
  },
  {
    name: 'a body of one byte at a time, without end',
    play: async (peer) => {
      peer.socket.write(CHUNKED)
      while (!peer.isEnded && peer.socket.writable) await trickle(peer, '1\r\n \r\n')
    },
    closes: true,
  },
  { name: 'silence after an answer', play: sends(GET), says: /^HTTP\/1\.1 200 /, closes: true },
]
