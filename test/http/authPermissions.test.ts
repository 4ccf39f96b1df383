// Tests of what a credential may do: permissions, environments, and the order in which a call is checked.
import { describe, expect, test } from 'vitest'
import { PERMISSIONS } from '../../src/contract/enums.ts'
import { createPix } from '../support/sandbox.ts'
import {
  askToken,
  callingFrom,
  codeOf,
  control,
  fresh,
  makePair,
  makeToken,
  NO_ID,
  outcome,
  ROWS,
  shared,
} from './calls.ts'
import type { Answered, TestSandbox } from '../support/sandbox.ts'

/** The permission of every operation, as the product says it; null for the two that need no token. */
const NEEDED: Record<string, string | null> = {
  createToken: null,
  getHealth: null,
  createTransaction: 'transactions.write',
  simulateTransaction: 'transactions.write',
  tokenizeCard: 'transactions.write',
  listTransactions: 'transactions.read',
  getTransaction: 'transactions.read',
  createCustomer: 'customers.write',
  updateCustomer: 'customers.edit',
  listCustomers: 'customers.read',
  getCustomer: 'customers.read',
  getBalance: 'balance.read',
  createCashout: 'cashouts.write',
  cancelCashout: 'cashouts.write',
  simulateCashout: 'cashouts.write',
  listCashouts: 'cashouts.read',
  getCashout: 'cashouts.read',
  respondToDispute: 'disputes.write',
  addDisputeEvidence: 'disputes.write',
  listDisputes: 'disputes.read',
  getDispute: 'disputes.read',
}

const cases = ROWS.flatMap(({ id, method, path }) => {
  const permission = NEEDED[id]
  return permission === null || permission === undefined
    ? []
    : [{ id, method, url: path.replace(/\{\w+\}/, NO_ID), permission }]
})

function callWith(sandbox: TestSandbox, token: string, method: string, url: string): Promise<Answered> {
  return sandbox.send(method, url, method === 'GET' ? { token } : { token, body: {} })
}

describe('permissions', () => {
  const sandbox = shared()

  test('are known here for every operation of the table', () => {
    expect(Object.keys(NEEDED).toSorted()).toEqual(ROWS.map(({ id }) => id).toSorted())
  })

  // proves: error forbidden
  // proves: enum Permission balance.read, enum Permission transactions.read, enum Permission transactions.write, enum Permission customers.read, enum Permission customers.write
  // proves: enum Permission customers.edit, enum Permission cashouts.read, enum Permission cashouts.write, enum Permission disputes.read, enum Permission disputes.write
  test.each(cases)('without $permission, $id is 403 forbidden', async ({ method, url, permission }) => {
    const permissions = PERMISSIONS.filter((each) => each !== permission)
    const token = await makeToken(sandbox, { permissions })
    const answered = await callWith(sandbox, token, method, url)
    expect(outcome(answered)).toBe('403 forbidden')
    expect(answered.headers.get('x-sandbox-hint')).toContain(permission)
  })

  test.each(cases)('with only $permission, $id is not forbidden', async ({ method, url, permission }) => {
    const token = await makeToken(sandbox, { permissions: [permission] })
    const answered = await callWith(sandbox, token, method, url)
    expect([401, 403]).not.toContain(answered.status)
  })

  test('may be none: then every call with a token is forbidden', async () => {
    const token = await makeToken(sandbox, { permissions: [] })
    const codes = await Promise.all(
      cases.map(async ({ method, url }) => codeOf(await callWith(sandbox, token, method, url))),
    )
    expect(new Set(codes)).toEqual(new Set(['forbidden']))
  })

  test('of the default credentials are all there are', async () => {
    const { items } = await control(sandbox, 'GET', '/worlds/default/credentials?limit=100')
    const first = items.filter(({ publicKey }: { publicKey: string }) => !/_c\d+$/.test(publicKey))
    const granted = first.map(({ permissions }: { permissions: string[] }) => permissions.toSorted())
    expect(granted).toEqual([1, 2, 3].map(() => PERMISSIONS.toSorted()))
  })

  test('that are given or taken count at once, also for tokens that live', async () => {
    const own = fresh()
    const token = await own.token()
    const ask = async (permissions: string[]): Promise<string> => {
      await control(own, 'PATCH', '/credentials/pk_sandbox_default', { permissions })
      return outcome(await own.send('GET', '/v1/customers', { token }))
    }
    expect(await ask(['customers.write'])).toBe('403 forbidden')
    expect(await ask(['customers.read'])).toBe('200')
    expect(await ask([])).toBe('403 forbidden')
  })

  test('to create transactions include the customer that a transaction names inline', async () => {
    const token = await makeToken(sandbox, { permissions: ['transactions.write'] })
    const body = { method: 'Pix', amount: 100, customerName: 'Ana', customerEmail: 'ana@example.com' }
    const answered = await sandbox.send('POST', '/v1/transactions', { token, body })
    expect(answered.status).toBe(201)
    expect(answered.body.data.customerId).not.toBeNull()
  })

  // proves: endpoint getHealth
  test('are not needed to ask for the health, nor is a token', async () => {
    const { status, body } = await sandbox.send('GET', '/health')
    expect(status).toBe(200)
    expect(body).toEqual({ data: { status: 'ok' }, message: null, error: null })
  })
})

describe('the two environments', () => {
  /** Tokens of the same organisation for both. */
  async function both(sandbox: TestSandbox): Promise<{ sandboxToken: string; productionToken: string }> {
    return {
      sandboxToken: await sandbox.token(),
      productionToken: await sandbox.token('pk_production_default'),
    }
  }

  // proves: enum Environment Sandbox, enum Environment Production
  test('name themselves in their records', async () => {
    const sandbox = fresh()
    const { sandboxToken, productionToken } = await both(sandbox)
    const environments = []
    for (const token of [sandboxToken, productionToken]) {
      const body = { method: 'Pix', amount: 100 }
      const { body: created } = await sandbox.send('POST', '/v1/transactions', { token, body })
      environments.push(created.data.environment)
    }
    expect(environments).toEqual(['Sandbox', 'Production'])
  })

  test('keep their transactions apart', async () => {
    const sandbox = fresh()
    const { sandboxToken, productionToken } = await both(sandbox)
    const { id } = await createPix(sandbox)
    const get = (token: string): Promise<Answered> => sandbox.send('GET', `/v1/transactions/${id}`, { token })
    const list = (token: string): Promise<Answered> => sandbox.send('GET', '/v1/transactions', { token })
    expect(outcome(await get(sandboxToken))).toBe('200')
    expect(outcome(await get(productionToken))).toBe('404 not_found')
    expect((await list(sandboxToken)).body.data.totalItems).toBe(1)
    expect((await list(productionToken)).body.data.totalItems).toBe(0)
  })

  test('keep their customers apart, external ids included', async () => {
    const sandbox = fresh()
    const { sandboxToken, productionToken } = await both(sandbox)
    const body = { name: 'Ana', email: 'ana@example.com', externalId: 'A-1' }
    const ids = []
    for (const token of [sandboxToken, productionToken]) {
      const created = await sandbox.send('POST', '/v1/customers', { token, body })
      expect(created.status).toBe(201)
      ids.push(created.body.data.id)
    }
    const other = await sandbox.send('GET', `/v1/customers/${ids[0]}`, { token: productionToken })
    expect(outcome(other)).toBe('404 not_found')
    const list = await sandbox.send('GET', '/v1/customers', { token: productionToken })
    expect(list.body.data.items.map(({ id }: { id: string }) => id)).toEqual([ids[1]])
  })

  test('do not share customers between a transaction of one and a record of the other', async () => {
    const sandbox = fresh()
    const { productionToken } = await both(sandbox)
    const { customerId } = await createPix(sandbox, { customerName: 'Ana', customerDocument: '12345678909' })
    const create = (fields: Record<string, unknown>): Promise<Answered> =>
      sandbox.send('POST', '/v1/transactions', {
        token: productionToken,
        body: { method: 'Pix', amount: 100, ...fields },
      })
    expect(outcome(await create({ customerId }))).toBe('400 validation_error')
    const inline = await create({ customerName: 'Ana', customerDocument: '12345678909' })
    expect(inline.body.data.customerId).not.toBe(customerId)
  })

  // proves: error sandbox_only
  test.each([
    ['no choice', {}, 401],
    ['401', { 'AU-06': 401 }, 401],
    ['403', { 'AU-06': 403 }, 403],
    ['400', { 'AU-06': 400 }, 400],
  ])(
    'refuse to simulate in Production with sandbox_only; with %s (AU-06)',
    async (_name, silences, status) => {
      const sandbox = fresh({ silences })
      const token = await sandbox.token('pk_production_default')
      const body = { method: 'Pix', amount: 100 }
      const { body: created } = await sandbox.send('POST', '/v1/transactions', { token, body })
      const path = `/v1/transactions/${created.data.id}/simulate`
      const answered = await sandbox.send('POST', path, { token, body: { action: 'complete' } })
      expect(outcome(answered)).toBe(`${status} sandbox_only`)
      expect(answered.headers.get('x-sandbox-silences')).toContain('AU-06')
      const { body: read } = await sandbox.send('GET', `/v1/transactions/${created.data.id}`, { token })
      expect(read.data.status).toBe('Pending')
    },
  )

  test('refuse to simulate in Production whatever else is wrong', async () => {
    const sandbox = fresh()
    const token = await makeToken(sandbox, { environment: 'Production', permissions: [] })
    const { id } = await createPix(sandbox)
    for (const path of [`/v1/transactions/${id}/simulate`, `/v1/transactions/${NO_ID}/simulate`]) {
      expect(outcome(await sandbox.send('POST', path, { token, body: '{' }))).toBe('401 sandbox_only')
    }
  })
})

describe('the order of checks (ER-03)', () => {
  test('of a call is path, method, token, address, environment, permission, id, body, state', async () => {
    const sandbox = fresh()
    const { id } = await createPix(sandbox)
    await control(sandbox, 'POST', '/trigger', { on: id, do: 'cancel' })
    const production = await makePair(sandbox, { environment: 'Production', permissions: [] })
    const pair = await makePair(sandbox, { permissions: [] })
    const mayNot = await sandbox.token(production.publicKey, production.secretKey)
    const token = await sandbox.token(pair.publicKey, pair.secretKey)
    await control(sandbox, 'PATCH', `/credentials/${production.publicKey}`, { allowedIps: ['10.0.0.1'] })

    const far = callingFrom(sandbox, '203.0.113.9')
    const near = callingFrom(sandbox, '10.0.0.1')
    const path = (which: string): string => `/v1/transactions/${which}/simulate`
    const bad = '{ "action": "fly" }'
    const ask = async (
      caller: typeof far,
      method: string,
      url: string,
      bearer: string,
      body: string,
    ): Promise<string> => outcome(await caller.send(method, url, { token: bearer, body }))

    expect(await ask(far, 'POST', `${path(NO_ID)}/now`, 'wrong', bad)).toBe('404 not_found')
    expect(await ask(far, 'DELETE', path(NO_ID), 'wrong', bad)).toBe('405 method_not_allowed')
    expect(await ask(far, 'POST', path(NO_ID), 'wrong', bad)).toBe('401 unauthorized')
    expect(await ask(far, 'POST', path(NO_ID), mayNot, bad)).toBe('403 ip_not_allowed')
    expect(await ask(near, 'POST', path(NO_ID), mayNot, bad)).toBe('401 sandbox_only')
    expect(await ask(far, 'POST', path(NO_ID), token, bad)).toBe('403 forbidden')
    await control(sandbox, 'PATCH', `/credentials/${pair.publicKey}`, { permissions: ['transactions.write'] })
    expect(await ask(far, 'POST', path(NO_ID), token, bad)).toBe('404 not_found')
    expect(await ask(far, 'POST', path(id), token, bad)).toBe('400 validation_error')
    expect(await ask(far, 'POST', path(id), token, '{ "action": "complete" }')).toBe('400 invalid_status')
  })

  test('of a token request is body, credentials, address, limit', async () => {
    const sandbox = fresh({ silences: { 'AU-13': 1 } })
    const pair = await makePair(sandbox)
    await askToken(sandbox, pair)
    await control(sandbox, 'PATCH', `/credentials/${pair.publicKey}`, { allowedIps: ['10.0.0.1'] })
    const far = callingFrom(sandbox, '203.0.113.9')
    const near = callingFrom(sandbox, '10.0.0.1')
    const wrong = { ...pair, secretKey: 'wrong' }
    expect(outcome(await askToken(far, { ...wrong, grantType: 'password' }))).toBe('400 validation_error')
    expect(outcome(await askToken(far, wrong))).toBe('401 invalid_credentials')
    expect(outcome(await askToken(far, pair))).toBe('403 ip_not_allowed')
    expect(outcome(await askToken(near, pair))).toBe('429 rate_limit_exceeded')
  })

  test.each([
    ['no JSON', '{'],
    ['no object', '[]'],
    ['too large', JSON.stringify({ text: 'x'.repeat(1_100_000) })],
  ])('asks for the record before the body, even a body that is %s', async (_name, body) => {
    const sandbox = fresh()
    const token = await sandbox.token()
    for (const path of [`/v1/transactions/${NO_ID}/simulate`, `/v1/customers/${NO_ID}`]) {
      const method = path.endsWith('simulate') ? 'POST' : 'PATCH'
      expect(outcome(await sandbox.send(method, path, { token, body })), path).toBe('404 not_found')
    }
  })

  test.each([
    ['no JSON', '{'],
    ['too large', JSON.stringify({ text: 'x'.repeat(1_100_000) })],
  ])('asks for token and permission before a body that is %s', async (_name, body) => {
    const sandbox = fresh()
    const token = await makeToken(sandbox, { permissions: [] })
    expect(outcome(await sandbox.send('POST', '/v1/transactions', { body }))).toBe('401 unauthorized')
    expect(outcome(await sandbox.send('POST', '/v1/transactions', { token, body }))).toBe('403 forbidden')
  })

  test('asks whether the status allows it only when the body fits', async () => {
    const sandbox = fresh()
    const { id } = await createPix(sandbox)
    const path = `/v1/transactions/${id}/simulate`
    await sandbox.call('POST', path, { action: 'fail' })
    expect(outcome(await sandbox.call('POST', path, { action: 1 }))).toBe('400 validation_error')
    expect(outcome(await sandbox.call('POST', path, { action: 'fail' }))).toBe('400 invalid_status')
  })
})
