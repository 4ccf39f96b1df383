// Checks the control routes of the server itself: health, what it is, and the reference documents.
import { describe, expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { ENDPOINTS } from '../../src/contract/endpoints.ts'
import { serve } from './servers.ts'
import { begin } from './transactionSteps.ts'

describe('the server', () => {
  test.each(['/livez', '/readyz'])('says at %s that all is well', async (path) => {
    const { status, body } = await begin().control('GET', path)
    expect([status, body]).toEqual([200, { status: 'ok' }])
  })

  test('says what it is: version, address, seed and worlds', async () => {
    const server = await serve({ seed: 'known' })
    await server.control('POST', '/worlds')
    const { body } = await server.control('GET', '/info')
    expect(body).toEqual({
      name: 'gateway-sandbox',
      version: packageJson.version,
      node: process.version,
      url: server.url,
      seed: 'known',
      worlds: 2,
      container: false,
      vary: null,
      rewriteLocalhost: null,
      callbackAllow: null,
    })
  })
})

interface Document {
  openapi: string
  servers: { url: string }[]
  paths: Record<string, Record<string, { operationId: string; security?: unknown[] }>>
}

const operationsOf = ({ paths }: Document): string[] =>
  Object.values(paths).flatMap((methods) => Object.values(methods).flatMap(({ operationId }) => operationId))

describe('the reference documents', () => {
  test('describe every endpoint of the gateway at /openapi.json', async () => {
    const { status, body } = await begin().send('GET', '/openapi.json')
    expect(status).toBe(200)
    expect(body.openapi).toMatch(/^3\.1/)
    expect(operationsOf(body as Document).toSorted()).toEqual(ENDPOINTS.map(({ id }) => id).toSorted())
  })

  test('name the address under which the server is reached', async () => {
    const server = await serve()
    for (const path of ['/openapi.json', '/_sandbox/openapi.json']) {
      const { body } = await server.send('GET', path)
      expect((body as Document).servers).toEqual([{ url: server.url }])
    }
    const behind = await serve({ publicUrl: 'http://gateway.test:1234' })
    const { body } = await behind.send('GET', '/openapi.json')
    expect((body as Document).servers).toEqual([{ url: 'http://gateway.test:1234' }])
  })

  test('the one of the control API is guarded by the control token, that of the gateway is not', async () => {
    const { send } = await serve({ controlToken: 'let-me-in' })
    expect((await send('GET', '/_sandbox/openapi.json')).status).toBe(401)
    expect((await send('GET', '/_sandbox/openapi.json', { token: 'let-me-in' })).status).toBe(200)
    expect((await send('GET', '/openapi.json')).status).toBe(200)
  })
})
