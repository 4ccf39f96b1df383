// Owns damage that only a socket sees: request lines, headers, lengths and chunks as no client library would send them.

/** A request in the pieces that are damaged. */
interface Pieces {
  line: string
  headers: string[]
  body: Buffer
}

type WireDamage = (pieces: Pieces, below: (bound: number) => number) => Pieces

const withHeaders = (pieces: Pieces, ...headers: string[]): Pieces => ({
  ...pieces,
  headers: [...pieces.headers, ...headers],
})
const withoutLength = (pieces: Pieces): Pieces => ({
  ...pieces,
  headers: pieces.headers.filter((each) => !each.startsWith('Content-Length')),
})
const oneOf = (below: (bound: number) => number, from: readonly string[]): string =>
  from[below(from.length)] ?? ''
const chunked = (body: Buffer): Buffer => {
  const chunk = body.length === 0 ? '' : `${body.length.toString(16)}\r\n${body.toString('latin1')}\r\n`
  return Buffer.from(`${chunk}0\r\n\r\n`, 'latin1')
}

/** Each kind of damage. */
export const WIRE_DAMAGE = {
  twiceHeader: (pieces, below) =>
    withHeaders(
      pieces,
      oneOf(below, [
        'Host: other.test',
        'Content-Type: text/plain',
        'Authorization: Bearer x',
        'Content-Length: 3',
      ]),
    ),
  hugeHeader: (pieces) => withHeaders(pieces, `X-Huge: ${'a'.repeat(40_000)}`),
  manyHeaders: (pieces) =>
    withHeaders(pieces, ...Array.from({ length: 2_500 }, (_, index) => `X-${index}: 1`)),
  controlInHeader: (pieces, below) =>
    withHeaders(pieces, `X-Odd: a${oneOf(below, ['\u0001', '\u0000', '\u007f', '\r', '\n', '\u000b'])}b`),
  highHeader: (pieces) => withHeaders(pieces, 'X-High: \u00e9\u00ff\u0080', 'X-Bom: \u00ef\u00bb\u00bf'),
  foldedHeader: (pieces) => withHeaders(pieces, 'X-Folded: a', ' b'),
  badName: (pieces, below) =>
    withHeaders(
      pieces,
      oneOf(below, ['Bad Name: 1', ': 1', 'X-No-Colon', 'X-Space : 1', '__proto__: 1', '(x): 1']),
    ),
  wrongLength: (pieces, below) =>
    withHeaders(
      withoutLength(pieces),
      `Content-Length: ${oneOf(below, ['-1', '+5', 'abc', '1e3', '0x10', '', '9'.repeat(30), String(pieces.body.length + 10), '1, 2', '3'])}`,
    ),
  chunkedAndLength: (pieces) => ({
    ...withHeaders(pieces, 'Transfer-Encoding: chunked'),
    body: chunked(pieces.body),
  }),
  chunked: (pieces) => ({
    ...withHeaders(withoutLength(pieces), 'Transfer-Encoding: chunked'),
    body: chunked(pieces.body),
  }),
  oddEncoding: (pieces, below) =>
    withHeaders(
      withoutLength(pieces),
      `Transfer-Encoding: ${oneOf(below, ['gzip', 'chunked, chunked', 'identity', 'xchunked', '\u000bchunked', 'chunked, gzip', ''])}`,
    ),
  badChunk: (pieces, below) => ({
    ...withHeaders(withoutLength(pieces), 'Transfer-Encoding: chunked'),
    body: Buffer.from(
      oneOf(below, [
        'zz\r\nabc\r\n',
        '-1\r\nabc',
        'ffffffffffffffffff\r\na',
        '5\r\nab',
        `5;${'x'.repeat(20_000)}\r\nabcde\r\n0\r\n\r\n`,
      ]),
    ),
  }),
  noHost: (pieces) => ({ ...pieces, headers: pieces.headers.filter((each) => !each.startsWith('Host')) }),
  badHost: (pieces, below) => ({
    ...pieces,
    headers: pieces.headers.map((each) =>
      each.startsWith('Host') ? `Host: ${oneOf(below, ['', 'a b', 'a/b', '@', 'x:99999999', '[::1'])}` : each,
    ),
  }),
  badLine: (pieces, below) => ({
    ...pieces,
    line: oneOf(below, [
      'GET',
      'GET / HTTP/9.9',
      'GET /v1/balance',
      'get /v1/balance HTTP/1.1',
      'GET /a b HTTP/1.1',
      'GET \u00e9 HTTP/1.1',
      'PRI * HTTP/2.0',
      '\u0000',
    ]),
  }),
  oddTarget: (pieces, below) => ({
    ...pieces,
    line: `GET ${oneOf(below, ['*', 'http://other.test/v1/balance', '/v1/\u00e9', '/v1/balance#x', '//v1//balance', '/v1/%', '/v1/%00', 'v1/balance', '?x', '/v1/../v1/balance', '/\\..\\x', 'http://[', '//'])} HTTP/1.1`,
  }),
  hugeTarget: (pieces) => ({ ...pieces, line: `GET /v1/${'a'.repeat(30_000)} HTTP/1.1` }),
  otherVersion: (pieces) => ({ ...pieces, line: pieces.line.replace('HTTP/1.1', 'HTTP/1.0') }),
  upgrade: (pieces, below) =>
    withHeaders(pieces, 'Connection: Upgrade', `Upgrade: ${oneOf(below, ['websocket', 'h2c', 'x'])}`),
  expectation: (pieces, below) =>
    withHeaders(pieces, `Expect: ${oneOf(below, ['100-continue', 'something'])}`),
  bareLineEnds: (pieces) => ({ ...pieces, line: `${pieces.line}\nX-Bare: 1` }),
  garbage: (pieces, below) => ({
    ...pieces,
    line: Array.from({ length: 50 }, () => String.fromCharCode(below(256))).join(''),
  }),
  tlsHello: (pieces) => ({
    ...pieces,
    line: '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
  }),
  pipelined: (pieces) => ({ ...pieces, body: Buffer.concat([pieces.body, Buffer.from('garbage\r\n\r\n')]) }),
  cutRequest: (pieces) => pieces,
} as const satisfies Record<string, WireDamage>

/** A kind of damage that only a socket sees. */
export type WireKind = keyof typeof WIRE_DAMAGE
/** Their names. */
export const WIRE_KINDS = Object.keys(WIRE_DAMAGE) as WireKind[]

/** After these nobody can expect an answer. */
export const SILENT_KINDS: ReadonlySet<WireKind> = new Set<WireKind>([
  'cutRequest',
  'upgrade',
  'wrongLength',
  'badChunk',
])
/** Their head is whole, so the call is made before Node sees what is behind it and refuses that. */
export const DISPATCHED_KINDS: ReadonlySet<WireKind> = new Set<WireKind>([
  ...(['oddEncoding', 'badChunk', 'wrongLength', 'chunkedAndLength', 'pipelined', 'cutRequest'] as const),
])
