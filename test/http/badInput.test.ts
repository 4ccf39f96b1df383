// Tests of input that is no request: bytes that are no JSON, bodies that are too large, wrong paths and methods, odd texts.
import { Agent, request } from 'node:http'
import { beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { MAX_BODY_BYTES } from '../../src/contract/limits.ts'
import { createPix } from '../support/sandbox.ts'
import { openServer } from '../support/server.ts'
import { askToken, fresh, NO_ID, outcome, refusedAs, refusedCall, ROWS, savedCopy, shared } from './calls.ts'
import type { TestServer } from '../support/server.ts'

const INVALID = '400 validation_error'
const PATH = '/v1/transactions'
const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values)
const text = (value: string): number[] => [...Buffer.from(value)]

/** A body of exactly so many bytes that is a good request otherwise. */
const sized = (size: number): string => {
  const [head, tail] = ['{"method":"Pix","amount":100,"padding":"', '"}']
  return head + 'x'.repeat(size - head.length - tail.length) + tail
}

describe('a body that is no JSON object', () => {
  const sandbox = shared()
  const paths: Record<string, string> = {}

  beforeAll(async () => {
    const { id } = await createPix(sandbox)
    const customer = await sandbox.call('POST', '/v1/customers', { name: 'Ana', email: 'ana@example.com' })
    Object.assign(paths, {
      token: '/v1/auth/token',
      transaction: PATH,
      simulation: `${PATH}/${id}/simulate`,
      customer: '/v1/customers',
      change: `/v1/customers/${customer.body.data.id}`,
    })
  })

  const bodies: [name: string, body: string | Uint8Array][] = [
    ['nothing', ''],
    ['a blank', ' '],
    ['an open brace', '{'],
    ['one brace too many', '{}}'],
    ['two objects', '{}{}'],
    ['a comma at the end', '{"method":"Pix",}'],
    ['single quotes', "{'method':'Pix'}"],
    ['no quotes', '{method:Pix}'],
    ['a comment', '{"method":"Pix"/* so */}'],
    ['null', 'null'],
    ['true', 'true'],
    ['a number', '1'],
    ['a text', '"Pix"'],
    ['a list', '[]'],
    ['a list of an object', '[{"method":"Pix","amount":100}]'],
    ['NaN', '{"amount":NaN}'],
    ['Infinity', '{"amount":Infinity}'],
    ['a number with a leading zero', '{"amount":0100}'],
    ['a hexadecimal number', '{"amount":0x64}'],
    ['a line break inside a text', '{"method":"Pi\nx"}'],
    ['a NUL inside a text', '{"method":"Pi\u0000x"}'],
    ['a NUL before it', '\u0000{}'],
    ['half an escape', '{"method":"\\u00"}'],
    ['an unknown escape', '{"method":"\\x50ix"}'],
    ['a form', 'method=Pix&amount=100'],
    ['XML', '<method>Pix</method>'],
    ['ten thousand open lists', '['.repeat(10_000)],
    ['half a megabyte of open objects', '{"a":'.repeat(100_000)],
    ['bytes that are no UTF-8', bytes(0xff, 0xfe, 0xfd)],
    ['no UTF-8 inside a text', bytes(...text('{"method":"'), 0xc3, 0x28, ...text('"}'))],
    ['half a character at the end', bytes(...text('{"method":"'), 0xc3)],
    ['an overlong slash', bytes(...text('{"method":"'), 0xc0, 0xaf, ...text('"}'))],
    ['half a surrogate pair in UTF-8', bytes(...text('{"method":"'), 0xed, 0xa0, 0x80, ...text('"}'))],
    ['UTF-16', new Uint8Array(Buffer.from('\ufeff{"method":"Pix"}', 'utf16le'))],
    ['Latin-1', new Uint8Array(Buffer.from('{"description":"ação"}', 'latin1'))],
    ['a picture', bytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)],
  ]

  test.each(bodies)('but %s is a validation_error of every endpoint that reads one', async (_name, body) => {
    for (const [name, path] of Object.entries(paths)) {
      const method = name === 'change' ? 'PATCH' : 'POST'
      const { refused } = await refusedCall(sandbox, method, path, body)
      expect(refused, name).toEqual(refusedAs(INVALID))
    }
  })

  test('is not quoted in the answer, since it may hold a secret', async () => {
    for (const body of ['sk_secret', '{"secretKey": sk_secret}', '{"secretKey":"sk_secret" "x"}']) {
      const { body: answer, headers } = await sandbox.send('POST', '/v1/auth/token', { body })
      expect(JSON.stringify(answer) + String(headers.get('x-sandbox-hint'))).not.toMatch(/sk_sec|_secret/)
    }
  })

  test('is 400 where it is malformed, also in a world where mistakes are 422 (AU-05, ER-02)', async () => {
    const { sandbox: keys } = sandbox.worlds.create({ id: 'other', silences: { 'AU-05': 422 } }).origin.keys
    const token = await sandbox.token(keys.publicKey)
    const ask = async (body: string): Promise<string> =>
      outcome(await sandbox.send('POST', PATH, { token, body }))
    expect(await ask('{')).toBe(INVALID)
    expect(await ask('{}')).toBe('422 validation_error')
  })
})

describe('a body that is JSON in an unusual way', () => {
  const sandbox = shared()

  test.each<[name: string, body: string | Uint8Array, expected: string]>([
    [
      'with a mark of its byte order',
      bytes(0xef, 0xbb, 0xbf, ...text('{"method":"Pix","amount":100}')),
      '201',
    ],
    ['with white space around', ' \r\n\t{ "method" : "Pix" , "amount" : 100 } \n', '201'],
    ['with every letter escaped', '{"\\u006dethod":"\\u0050ix","amount":100}', '201'],
    ['with an exponent', '{"method":"Pix","amount":1e2}', '201'],
    ['with a fraction of nothing', '{"method":"Pix","amount":100.0}', '201'],
    ['with a key twice, the last one good', '{"method":"Pix","amount":1,"amount":100}', '201'],
    ['with a key twice, the last one bad', '{"method":"Pix","amount":100,"amount":1}', '400 invalid_amount'],
    ['with a key twice, the last one null', '{"method":"Pix","amount":100,"amount":null}', INVALID],
    ['with an empty key', '{"":1,"method":"Pix","amount":100}', '201'],
    ['with an amount of minus nothing', '{"method":"Pix","amount":-0}', '400 invalid_amount'],
    ['with an amount of 400 digits', `{"method":"Pix","amount":${'9'.repeat(400)}}`, INVALID],
    ['with an amount of 30 digits', `{"method":"Pix","amount":${'9'.repeat(30)}}`, '400 invalid_amount'],
    ['with an amount of 1e400', '{"method":"Pix","amount":1e400}', INVALID],
    ['with an amount of 11 digits', '{"method":"Pix","amount":10000000000}', '400 invalid_amount'],
    ['with an amount past exact numbers', '{"method":"Pix","amount":9007199254740993}', '400 invalid_amount'],
    ['with a tiny fraction', '{"method":"Pix","amount":100.0000001}', INVALID],
    ['with minutes past exact numbers', '{"method":"Pix","amount":100,"pixExpirationMinutes":1e30}', INVALID],
  ])('%s gets %s', async (_name, body, expected) => {
    const answered = await sandbox.call('POST', PATH, body)
    expect([outcome(answered), sandbox.defects]).toEqual([expected, []])
  })

  test.each(['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'nonsense', ''])(
    'sent as %j is read all the same',
    async (type) => {
      const options = { headers: { 'Content-Type': type }, token: await sandbox.token() }
      const body = { method: 'Pix', amount: 100 }
      expect(outcome(await sandbox.send('POST', PATH, { ...options, body }))).toBe('201')
    },
  )

  const DEPTH = 100_000
  const lists = '['.repeat(DEPTH) + ']'.repeat(DEPTH)
  const objects = `${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`

  test.each([
    ['lists', lists],
    ['objects', objects],
  ])('with %s in a hundred thousand levels is refused where a field is known', async (_name, deep) => {
    const own = fresh()
    for (const field of ['method', 'amount', 'description', 'splits', 'metadata']) {
      const rest = field === 'method' ? '"amount":100' : '"method":"Pix","amount":100'
      const { refused } = await refusedCall(own, 'POST', PATH, `{${rest},"${field}":${deep}}`)
      expect(refused, field).toEqual(refusedAs(INVALID))
    }
  })

  test.each([
    ['lists', lists],
    ['objects', objects],
  ])('with %s in a hundred thousand levels is fine where a field is unknown', async (_name, deep) => {
    const own = fresh()
    const answered = await own.call('POST', PATH, `{"method":"Pix","amount":100,"x":${deep}}`)
    expect([outcome(answered), own.defects]).toEqual(['201', []])
  })

  test('with metadata of many levels is fine: it is only text', async () => {
    const metadata = '['.repeat(5_000) + ']'.repeat(5_000)
    expect((await createPix(sandbox, { metadata })).status).toBe('Pending')
  })

  test('with thousands of unknown fields is answered, and the hint stays short', async () => {
    const fields = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, index) => [`descriptio${index}`, index]),
    )
    const answered = await sandbox.call('POST', PATH, { method: 'Pix', amount: 100, ...fields })
    expect(outcome(answered)).toBe('201')
    expect(answered.headers.get('x-sandbox-hint')?.length).toBeLessThanOrEqual(500)
  })
})

describe('text that is dangerous elsewhere', () => {
  const sandbox = shared()

  test.each<[name: string, value: string]>([
    ['NUL', 'a\u0000b'],
    ['half a surrogate pair', 'a\ud83d'],
    ['the other half', '\ude00b'],
    ['halves the wrong way round', '\ude00\ud83d'],
    ['control characters', '\u0001\u001b[31m\u007f\u0085'],
    ['line breaks', 'a\r\nSet-Cookie: x=1\r\n\r\n<html>'],
    ['markup', '<script>alert(1)</script>'],
    ['a right-to-left mark', '\u202eabc'],
    ['emoji of many parts', '👨‍👩‍👧‍👦'],
    ['a name of a property', '__proto__'],
    ['quotes and backslashes', '"\\\'`${x}'],
  ])('such as %s is kept as it is, and found again', async (_name, value) => {
    const { id } = await createPix(sandbox, { description: value, externalId: value, customerName: value })
    const { body } = await sandbox.call('GET', `${PATH}/${id}`)
    expect(body.data).toMatchObject({ description: value, externalId: value, customer: { name: value } })
    expect((await sandbox.call('GET', PATH)).body.data.items[0].externalId).toBe(value)
    expect(sandbox.defects).toEqual([])
  })

  test.each(['customerId', 'customerDocument', 'customerEmail', 'customerPhone', 'callbackUrl', 'metadata'])(
    'is refused, not choked on, in %s',
    async (field) => {
      for (const value of ['\u0000', '\ud83d', '\r\nX-Bad: 1', '__proto__', '\u202e', 'ação 😀']) {
        const body = { method: 'Pix', amount: 100, [field]: value }
        const { refused } = await refusedCall(sandbox, 'POST', PATH, body)
        expect(refused, JSON.stringify(value)).toEqual(refusedAs(INVALID))
      }
    },
  )

  test('is put into hints as plain ASCII', async () => {
    const body = { method: 'Pix', amount: 100, customerId: 'ação 😀\r\nX-Bad: 1\u0000' }
    const { headers } = await sandbox.call('POST', PATH, body)
    expect(headers.get('x-sandbox-hint')).toMatch(/^[\x20-\x7e]+$/)
    expect(headers.has('x-bad')).toBe(false)
  })
})

describe('keys that objects have by themselves', () => {
  const sandbox = shared()
  const evil = [
    '{"__proto__":{"method":"Pix","amount":100}}',
    '{"__proto__":{"amount":100},"method":"Pix"}',
    '{"constructor":{"prototype":{"method":"Pix"}},"amount":100}',
    '{"method":"Pix","amount":{"valueOf":100}}',
    '{"method":"Pix","amount":{"__proto__":100}}',
    '{"method":"Pix","amount":100,"splits":[{"__proto__":{"splitCode":"x","type":"FIXED","value":1}}]}',
  ]

  test.each(evil)('in %s are not taken for fields', async (body) => {
    const { refused } = await refusedCall(sandbox, 'POST', PATH, body)
    expect(refused).toEqual(refusedAs(INVALID))
  })

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'])(
    'such as %s beside good fields are ignored, and no object changes for it',
    async (key) => {
      const body = `{"${key}":{"polluted":true,"status":"Completed"},"method":"Pix","amount":100}`
      const answered = await sandbox.call('POST', PATH, body)
      expect(outcome(answered)).toBe('201')
      expect(answered.body.data.status).toBe('Pending')
      expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
    },
  )

  test.each([
    `${PATH}?__proto__=x&constructor=y&toString=z`,
    `${PATH}?__proto__[page]=2`,
    '/v1/customers?hasOwnProperty=1&externalId=__proto__',
  ])('in the query %s are ignored', async (path) => {
    const answered = await sandbox.call('GET', path)
    expect([outcome(answered), sandbox.defects]).toEqual(['200', []])
  })
})

describe('keys that our own answers have', () => {
  test.each<[fields: Record<string, unknown>]>([
    [{ refused: 'conflict', message: 'x', hint: 'x' }],
    [{ refused: 'nonsense' }],
    [{ refused: null }],
    [{ refused: 'not_found', status: 200, hint: 'x', headers: { 'X-Bad': '1', 'Set-Cookie': 'a=b' } }],
    [{ data: {}, error: { code: 'conflict' }, wrong: 'x', value: {}, fields: {}, upload: {} }],
  ])('such as those of %j are ignored like any unknown field', async (fields) => {
    const sandbox = fresh()
    const answered = await sandbox.call('POST', PATH, { method: 'Pix', amount: 100, ...fields })
    expect([outcome(answered), sandbox.defects]).toEqual(['201', []])
    expect(answered.headers.has('x-bad')).toBe(false)
  })

  test('are ignored when a token is asked for, too', async () => {
    const sandbox = fresh()
    const answered = await askToken(sandbox, { refused: 'rate_limit_exceeded', hint: 'x', message: 'x' })
    expect(outcome(answered)).toBe('200')
  })

  test('are unknown fields to the control API', async () => {
    const sandbox = fresh()
    const answered = await sandbox.control('POST', '/credentials', { refused: 'x', hint: 'x' })
    expect(outcome(answered)).toBe('400 sandbox_bad_request')
    expect(answered.body.error.message).toContain('refused')
  })
})

describe('a body over 1 MiB', () => {
  const sandbox = shared()
  const TOO_LARGE = '413 payload_too_large'

  // proves: limit MAX_BODY_BYTES, error payload_too_large
  test('is one byte over when it has 1 048 577 bytes; 1 048 576 are fine', async () => {
    expect(MAX_BODY_BYTES).toBe(1_048_576)
    expect(outcome(await sandbox.call('POST', PATH, sized(MAX_BODY_BYTES)))).toBe('201')
    const { refused } = await refusedCall(sandbox, 'POST', PATH, sized(MAX_BODY_BYTES + 1))
    expect(refused).toEqual(refusedAs(TOO_LARGE))
  })

  test.each<[name: string, headers: Record<string, string>]>([
    ['no Content-Length', {}],
    ['its true Content-Length', { 'Content-Length': String(MAX_BODY_BYTES + 1) }],
    ['a Content-Length that is too small', { 'Content-Length': '10' }],
    ['a Content-Length that is no number', { 'Content-Length': 'many' }],
  ])('is refused with %s', async (_name, headers) => {
    const token = await sandbox.token()
    const body = sized(MAX_BODY_BYTES + 1)
    const { refused } = await refusedCall(sandbox, 'POST', PATH, body, { token, headers })
    expect(refused).toEqual(refusedAs(TOO_LARGE))
  })

  test('is refused for its announced size alone', async () => {
    const headers = { 'Content-Length': '999999999999' }
    const { refused } = await refusedCall(sandbox, 'POST', PATH, sized(100), {
      headers,
      token: await sandbox.token(),
    })
    expect(refused).toEqual(refusedAs(TOO_LARGE))
  })

  test('counts bytes, not characters', async () => {
    const body = JSON.stringify({ method: 'Pix', amount: 100, padding: 'ã'.repeat(600_000) })
    expect(body.length).toBeLessThan(MAX_BODY_BYTES)
    const { refused } = await refusedCall(sandbox, 'POST', PATH, body)
    expect(refused).toEqual(refusedAs(TOO_LARGE))
  })

  test('is refused on token creation too', async () => {
    const before = savedCopy(sandbox)
    const answered = await askToken(sandbox, { padding: 'x'.repeat(MAX_BODY_BYTES) })
    expect([outcome(answered), savedCopy(sandbox)]).toEqual([TOO_LARGE, before])
  })

  test('is refused before it is read as JSON', async () => {
    const { refused } = await refusedCall(sandbox, 'POST', PATH, '{'.repeat(MAX_BODY_BYTES + 1))
    expect(refused).toEqual(refusedAs(TOO_LARGE))
  })
})

describe('over a real socket', () => {
  async function withServer(run: (server: TestServer) => Promise<void>): Promise<void> {
    const server = await openServer()
    try {
      await run(server)
    } finally {
      await server.close()
    }
    expect(server.defects).toEqual([])
  }

  /** Posts a body in chunks, so without a Content-Length, and reads the answer. */
  function postChunks(url: string, token: string, body: string, agent: Agent): Promise<string> {
    return new Promise((resolve, reject) => {
      const headers = { Authorization: `Bearer ${token}`, 'Transfer-Encoding': 'chunked' }
      const sent = request(url, { method: 'POST', headers, agent }, (response) => {
        let answer = ''
        response.on('data', (chunk: Buffer) => (answer += chunk.toString()))
        response.on('end', () =>
          resolve(`${response.statusCode} ${JSON.parse(answer).error?.code ?? ''}`.trim()),
        )
      })
      sent.on('error', reject)
      sent.end(body)
    })
  }

  test.each([
    ['1 MiB', MAX_BODY_BYTES, '201'],
    ['a byte more', MAX_BODY_BYTES + 1, '413 payload_too_large'],
    ['2 MiB', 2 * MAX_BODY_BYTES, '413 payload_too_large'],
  ])('a body of %s gets its answer, with Content-Length and without', async (_name, size, expected) => {
    await withServer(async (server) => {
      const token = await server.token()
      expect(outcome(await server.send('POST', PATH, { token, body: sized(size) }))).toBe(expected)
      const agent = new Agent()
      expect(await postChunks(server.url + PATH, token, sized(size), agent)).toBe(expected)
      agent.destroy()
    })
  })

  test('a client that keeps its connection can go on after bodies that were too large', async () => {
    await withServer(async (server) => {
      const headers = { Authorization: `Bearer ${await server.token()}` }
      const outcomes: string[] = []
      for (const size of [3 * MAX_BODY_BYTES, 100, 3 * MAX_BODY_BYTES, 100]) {
        const body = new Blob([sized(size)]).stream()
        const post = { method: 'POST', headers, body, duplex: 'half' } as const
        const answer = fetch(server.url + PATH, post).then(
          async (response) => `${response.status} ${(await response.text()).length > 0}`,
          (error: unknown) => String(error),
        )
        outcomes.push(await answer)
      }
      expect(outcomes).toEqual(['413 true', '201 true', '413 true', '201 true'])
    })
  })

  test('bad bytes, paths and methods get the envelope', async () => {
    await withServer(async (server) => {
      const token = await server.token()
      expect(outcome(await server.send('POST', PATH, { token, body: bytes(0xff) }))).toBe(INVALID)
      expect(outcome(await server.send('GET', '/v1/%zz', { token }))).toBe('404 not_found')
      expect(outcome(await server.send('DELETE', PATH, { token }))).toBe('405 method_not_allowed')
    })
  })
})

describe('a body that ends early, since its client went away', () => {
  test('is no defect of the sandbox and leaves nothing behind', async () => {
    const sandbox = fresh()
    const token = await sandbox.token()
    const before = savedCopy(sandbox)
    const app = createApp(sandbox.worlds, { controlToken: null })
    const body = new ReadableStream({
      start(stream) {
        stream.enqueue(Buffer.from('{"method":"Pix",'))
        stream.error(new Error('aborted'))
      },
    })
    const headers = { Authorization: `Bearer ${token}` }
    const cut = new Request(`http://sandbox.test${PATH}`, { method: 'POST', headers, body, duplex: 'half' })
    const { status } = await app.fetch(cut)
    expect({ status, defects: sandbox.defects, changed: savedCopy(sandbox) !== before }).toEqual({
      status: 400,
      defects: [],
      changed: false,
    })
  })
})

describe('a path or method that no endpoint has', () => {
  const sandbox = shared()

  test.each([
    '/v1',
    '/v1/',
    '/v2/transactions',
    '/transactions',
    '/V1/transactions',
    '/v1/Transactions',
    '/v1/transactions/',
    '//v1/transactions',
    `/v1/transactions/${NO_ID}/simulate/`,
    `/v1/transactions/${NO_ID}/refund`,
    '/v1/customers//',
    '/v1/auth',
    '/v1/auth/token/',
    '/v1/auth/tokens',
    '/health/',
    '/%zz',
    '/v1/%00',
    '/__proto__',
    '/constructor',
    '/favicon.ico',
    '/index.php?x=1',
  ])('such as %s is 404 not_found, whatever the method and without a token', async (path) => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const { refused } = await refusedCall(sandbox, method, path, undefined, { token: undefined })
      expect(refused, method).toEqual(refusedAs('404 not_found'))
    }
  })

  test('is answered in the envelope, with the headers of every answer', async () => {
    const { body, headers } = await sandbox.send('GET', '/v1/nope')
    expect(body).toEqual({
      data: null,
      message: null,
      error: { message: 'Recurso não encontrado.', code: 'not_found' },
    })
    expect(headers.get('content-type')).toMatch(/^application\/json/)
    expect(headers.get('x-sandbox-world')).toBe('default')
    expect(headers.get('x-sandbox-now')).toBe('2030-01-01T12:00:00.000Z')
    expect(headers.get('x-sandbox-silences')).toContain('ER-02')
    expect(headers.get('x-sandbox-hint')).toMatch(/\/v1\/nope/)
  })

  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']
  const paths = [...new Set(ROWS.map(({ path }) => path))].map((path) => {
    const known = ROWS.filter((row) => row.path === path).map(({ method }) => method as string)
    return { path, known }
  })

  // proves: error method_not_allowed
  test.each(paths)(
    'such as $path with another method than $known is 405 with Allow',
    async ({ path, known }) => {
      const url = path.replace(/\{\w+\}/, NO_ID)
      const others = methods.filter((method) => !known.includes(method))
      for (const method of others) {
        const answered = await sandbox.send(method, url)
        expect(outcome(answered), method).toBe('405 method_not_allowed')
        const allowed = answered.headers.get('allow')?.split(', ').toSorted()
        expect(allowed).toEqual([...known, ...(known.includes('GET') ? ['HEAD'] : [])].toSorted())
        expect(answered.body.data).toBeNull()
      }
      expect(sandbox.defects).toEqual([])
    },
  )

  test('such as HEAD is answered where GET is, without a body, and refused where it is not', async () => {
    const token = await sandbox.token()
    const there = await sandbox.send('HEAD', '/v1/customers', { token })
    expect([there.status, there.body]).toEqual([200, null])
    expect((await sandbox.send('HEAD', '/v1/customers')).status).toBe(401)
    expect((await sandbox.send('HEAD', '/v1/auth/token')).status).toBe(405)
  })

  test('leaves nothing behind, even with a good body and token', async () => {
    const { refused } = await refusedCall(sandbox, 'PUT', PATH, { method: 'Pix', amount: 100 })
    expect(refused).toEqual(refusedAs('405 method_not_allowed'))
  })
})
