// Bytes that are no HTTP request are refused in the envelope, and their connection ends.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { failureEnvelope } from '../../src/contract/endpoint.ts'
import { callRaw, postText } from '../support/rawClient.ts'
import { openServer } from '../support/server.ts'
import type { TestServer } from '../support/server.ts'

let server: TestServer
beforeEach(async () => {
  server = await openServer()
})
afterEach(async () => {
  await server.close()
  if (server.defects.length > 0) throw new AggregateError(server.defects, 'the sandbox reported defects')
})

describe('bytes that are no request', () => {
  it.each([
    ['no request line', 'hello\r\n\r\n', 400, 'validation_error'],
    ['a header without a colon', 'GET /health HTTP/1.1\r\nHost: a\r\nX-Odd\r\n\r\n', 400, 'validation_error'],
    [
      'a length that is no number',
      'POST /v1/auth/token HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n',
      400,
      'validation_error',
    ],
    [
      'headers larger than allowed',
      `GET /health HTTP/1.1\r\nHost: a\r\nX-Huge: ${'a'.repeat(40_000)}\r\n\r\n`,
      431,
      'payload_too_large',
    ],
    ['no host', 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'validation_error'],
    [
      'no host beside a whole address',
      'GET http://a.b/health HTTP/1.1\r\nConnection: close\r\n\r\n',
      400,
      'validation_error',
    ],
    ['an empty host', 'GET /health HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n', 400, 'validation_error'],
    [
      'a host that is none',
      'GET /health HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n',
      400,
      'validation_error',
    ],
    [
      'a target without a path',
      'OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
      400,
      'validation_error',
    ],
    [
      'an address of no scheme',
      'GET x://a/health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
      400,
      'validation_error',
    ],
    [
      'an expectation that nobody knows',
      'GET /health HTTP/1.1\r\nHost: a\r\nExpect: tea\r\nConnection: close\r\n\r\n',
      417,
      'validation_error',
    ],
  ])('such as %s are refused in the envelope', async (_what, sent, status, code) => {
    const call = callRaw(server.url, sent)
    await call.ended
    const [head = '', body = ''] = call.text.split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(head).toMatch(/^Content-Type: application\/json$/im)
    expect(head).toMatch(/^X-Sandbox-World: default$/im)
    expect(head).toMatch(/^X-Sandbox-Hint: .+$/im)
    expect(failureEnvelope.parse(JSON.parse(body)).error.code).toBe(code)
  })

  it.each(['', 'Host:\r\n'])('take away nothing from older clients, which send %j', async (host) => {
    const call = callRaw(server.url, `GET /health HTTP/1.0\r\n${host}\r\n`)
    await call.ended
    expect(call.text).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  })

  it.each(['Host: a b', 'Host: a\r\nExpect: tea'])(
    'but are whole, such as with %j, keep their connection for the next call',
    async (headers) => {
      const next = 'GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
      const call = callRaw(server.url, `GET /health HTTP/1.1\r\n${headers}\r\n\r\n${next}`)
      await call.ended
      const statuses = [...call.text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)
      expect(statuses).toEqual([headers.includes('tea') ? '417' : '400', '200'])
    },
  )

  it.each(['before', 'after'])(
    'are no defect when a fault resets the connection %s the work',
    async (reset) => {
      const fault = JSON.stringify({ on: { operation: 'getHealth' }, do: { reset } })
      const armed = await fetch(`${server.url}/_sandbox/faults`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: fault,
      })
      expect(armed.status).toBe(201)
      const call = callRaw(server.url, 'GET /health HTTP/1.1\r\nHost: a\r\n\r\n')
      await call.ended
      expect([call.text, server.defects]).toEqual(['', []])
    },
  )

  it('behind a call that was answered end the connection and leave the answer as it is', async () => {
    const call = callRaw(server.url, postText('/v1/auth/token', '{}'))
    await call.until(/"error":\{.*\}\}$/s)
    call.send('hello\r\n\r\n')
    await call.ended
    const [first = '', second = ''] = call.text.split(/(?=HTTP\/1\.1 )/)
    expect(first).toMatch(/validation_error/)
    expect(second).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
  })
})
