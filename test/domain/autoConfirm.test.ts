// Checks a server that pays by itself, for demonstrations.
import { afterEach, expect, test } from 'vitest'
import { openServer } from '../support/server.ts'
import { createPix } from '../support/sandbox.ts'
import type { Millis } from '../../src/kernel/brands.ts'
import type { TestServer } from '../support/server.ts'

let server: TestServer
afterEach(() => server.close())

test('every transaction is paid some world time after its creation', async () => {
  server = await openServer({ autoConfirm: 3_000 as Millis })
  const { id } = await createPix(server)
  await server.control('POST', '/clock/advance', { by: '2999ms' })
  expect((await server.call('GET', `/v1/transactions/${id}`)).body.data.status).toBe('Pending')
  await server.control('POST', '/clock/advance', { by: '1ms' })
  expect((await server.call('GET', `/v1/transactions/${id}`)).body.data.status).toBe('Completed')
})

test('one that ended before is left alone, and one that expires first is not paid', async () => {
  server = await openServer({ autoConfirm: 3_600_000 as Millis })
  const failed = await createPix(server)
  const expired = await createPix(server)
  await server.control('POST', '/trigger', { on: failed.id, do: 'fail' })
  const { body } = await server.control('POST', '/clock/advance', { by: '2h' })
  expect(body.ran).toMatchObject([{ job: 'expireTransaction', subject: expired.id }])
})
