// Checks that every answer names the world that it is about, and that world's time.
import { afterAll, expect, test } from 'vitest'
import { openSandbox } from '../support/sandbox.ts'
import type { CallOptions } from '../support/sandbox.ts'

const sandbox = openSandbox()
afterAll(() => sandbox.close())

const LATER = '2031-06-01T00:00:00.000Z'

test.each<[string, string, string, CallOptions]>([
  ['a refused control call', 'POST', '/_sandbox/worlds/later/trigger', { body: {} }],
  ['an unknown control route', 'GET', '/_sandbox/worlds/later/nothing', {}],
  ['the reading of the world', 'GET', '/_sandbox/worlds/later', {}],
  ['an unknown path with its token', 'GET', '/v1/nothing', { token: 'its' }],
  ['a wrong method with its token', 'PUT', '/v1/transactions', { token: 'its' }],
  ['a refused token', 'POST', '/v1/auth/token', { body: { publicKey: 'pk_sandbox_later', secretKey: 'x' } }],
])('%s', async (_, method, path, options) => {
  await sandbox.control('POST', '/worlds', { id: 'later', clock: LATER })
  const token = options.token === undefined ? undefined : await sandbox.token('pk_sandbox_later')
  const { headers } = await sandbox.send(method, path, { ...options, token })
  expect([headers.get('x-sandbox-world'), headers.get('x-sandbox-now')]).toEqual(['later', LATER])
})

test.each([
  ['GET', '/openapi.json'],
  ['GET', '/_sandbox/livez'],
  ['GET', '/nothing'],
  ['GET', '/_sandbox/worlds/none/clock'],
])('%s %s is about the default one', async (method, path) => {
  const { headers } = await sandbox.send(method, path)
  expect([headers.get('x-sandbox-world'), headers.get('x-sandbox-now')]).toEqual([
    'default',
    '2030-01-01T12:00:00.000Z',
  ])
})
