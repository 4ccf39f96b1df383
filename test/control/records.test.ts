// Checks records over the control API: lists with their filters, single records, the journal, organisations, credentials.
import { describe, expect, test } from 'vitest'
import { PERMISSIONS } from '../../src/contract/enums.ts'
import { createPix, START } from '../support/sandbox.ts'
import { serve } from './servers.ts'
import { begin, reach, trigger } from './transactionSteps.ts'
import type { TestSandbox } from '../support/sandbox.ts'

const BAD = [400, 'sandbox_bad_request']

const idsOf = (body: { items: { id: string }[] }): string[] => body.items.map(({ id }) => id)

/** Ids of a list, in its order. */
async function listed(sandbox: TestSandbox, path: string): Promise<string[]> {
  const { status, body } = await sandbox.control('GET', path)
  expect(status, JSON.stringify(body)).toBe(200)
  return idsOf(body)
}

/** Creates a PIX with the key pair of the Production environment. */
async function createInProduction(sandbox: TestSandbox): Promise<string> {
  const token = await sandbox.token('pk_production_default')
  const body = { method: 'Pix', amount: 100 }
  return String((await sandbox.send('POST', '/v1/transactions', { token, body })).body.data.id)
}

describe('a list', () => {
  test('is newest first, also at one instant, and tells its whole length', async () => {
    const sandbox = begin()
    const made: string[] = []
    for (let n = 0; n < 5; n++) made.push((await createPix(sandbox)).id)
    const { body } = await sandbox.control('GET', '/transactions')
    expect(idsOf(body)).toEqual(made.toReversed())
    expect([body.total, body.next]).toEqual([5, null])
  })

  test('is cut by a limit and continued after the next of the answer before', async () => {
    const sandbox = begin()
    for (let n = 0; n < 5; n++) await createPix(sandbox)
    const whole = await listed(sandbox, '/transactions')
    const found: string[] = []
    const pages: unknown[] = []
    let next: string | null = ''
    while (next !== null) {
      const after: string = next === '' ? '' : `&after=${next}`
      const { body } = await sandbox.control('GET', `/transactions?limit=2${after}`)
      pages.push([body.items.length, body.total, body.next === null])
      found.push(...idsOf(body))
      next = body.next as string | null
    }
    expect(found).toEqual(whole)
    expect(pages).toEqual([
      [2, 5, false],
      [2, 5, false],
      [1, 5, true],
    ])
  })

  test('ends with its last entry when the limit fits exactly', async () => {
    const sandbox = begin()
    for (let n = 0; n < 2; n++) await createPix(sandbox)
    expect((await sandbox.control('GET', '/transactions?limit=2')).body.next).toBeNull()
  })

  test('is not disturbed by what is made while it is read', async () => {
    const sandbox = begin()
    for (let n = 0; n < 4; n++) await createPix(sandbox)
    const whole = await listed(sandbox, '/transactions')
    const { body } = await sandbox.control('GET', '/transactions?limit=2')
    await createPix(sandbox)
    expect(await listed(sandbox, `/transactions?limit=2&after=${body.next}`)).toEqual(whole.slice(2))
  })

  test('has a hundred entries unless told otherwise, and at most a thousand', async () => {
    const sandbox = begin()
    for (let n = 0; n < 101; n++) await createPix(sandbox)
    const { body } = await sandbox.control('GET', '/transactions')
    expect([body.items.length, body.total]).toEqual([100, 101])
    expect(await listed(sandbox, '/transactions?limit=1000')).toHaveLength(101)
  })

  test.each(['0', '-1', '1001', '1.5', 'many', '1e2x', 'Infinity'])('refuses the limit %s', async (limit) => {
    const { status, body } = await begin().control('GET', `/transactions?limit=${limit}`)
    expect([status, body.error.code]).toEqual(BAD)
    expect(body.error.message).toContain('limit')
  })

  test('refuses to go on after something that is not in it', async () => {
    const sandbox = begin()
    const { id } = await createPix(sandbox)
    for (const query of ['after=nothing', `status=Expired&after=${id}`]) {
      const { status, body } = await sandbox.control('GET', `/transactions?${query}`)
      expect([status, body.error.code]).toEqual(BAD)
      expect(body.error.message).toContain('after')
    }
  })

  test.each(['/transactions', '/customers', '/organizations', '/credentials', '/deliveries', '/journal'])(
    'of %s does not take a filter that it does not know for none at all',
    async (path) => {
      const { status, body } = await begin().control('GET', `${path}?statuss=Pending`)
      expect([status, body.error?.code]).toEqual(BAD)
      expect(body.error.message).toContain('statuss')
    },
  )
})

describe('transactions, as stored', () => {
  test('are filtered by any of their fields, alone and together', async () => {
    const sandbox = begin()
    const plain = (await createPix(sandbox, { externalId: 'A-1' })).id as string
    const linked = await createPix(sandbox, { externalId: 'A-2', customerName: 'Ana Souza' })
    const paid = (await reach(sandbox, [['confirm']])).id
    const other = await createInProduction(sandbox)
    const { id: organization } = (await sandbox.control('GET', '/worlds/default')).body.organization
    const all = [other, paid, linked.id, plain]
    const found = Object.fromEntries(
      await Promise.all(
        [
          'status=Completed',
          'status=Pending',
          'method=Pix',
          'method=Boleto',
          'externalId=A-2',
          `customerId=${linked.customerId}`,
          'environment=Production',
          `organizationId=${organization}`,
          'environment=Sandbox&status=Pending',
          'externalId=A-1&status=Completed',
        ].map(async (query) => [query, await listed(sandbox, `/transactions?${query}`)] as const),
      ),
    )
    expect(found).toEqual({
      'status=Completed': [paid],
      'status=Pending': [other, linked.id, plain],
      'method=Pix': all,
      'method=Boleto': [],
      'externalId=A-2': [linked.id],
      [`customerId=${linked.customerId}`]: [linked.id],
      'environment=Production': [other],
      [`organizationId=${organization}`]: all,
      'environment=Sandbox&status=Pending': [linked.id, plain],
      'externalId=A-1&status=Completed': [],
    })
  })

  test('count after their filters, and continue with them', async () => {
    const sandbox = begin()
    for (let n = 0; n < 3; n++) await reach(sandbox, [['cancel']])
    await createPix(sandbox)
    const { body } = await sandbox.control('GET', '/transactions?status=Cancelled&limit=2')
    expect([body.items.length, body.total]).toEqual([2, 3])
    const rest = await listed(sandbox, `/transactions?status=Cancelled&limit=2&after=${body.next}`)
    expect(rest).toHaveLength(1)
  })

  test.each(['status=pending', 'status=Paid', 'method=pix', 'environment=sandbox'])(
    'refuse a value that no transaction can have: %s',
    async (query) => {
      const { status, body } = await begin().control('GET', `/transactions?${query}`)
      expect([status, body.error?.code]).toEqual(BAD)
    },
  )

  test('are read whole: what the wire hides is there', async () => {
    const sandbox = begin()
    const record = await reach(sandbox, [['confirm'], ['refund', { amount: 40 }]])
    const { body } = await sandbox.control('GET', `/transactions/${record.id}`)
    expect(body).toEqual(record)
    expect(body).toMatchObject({ refundedAmount: 40, organizationId: expect.any(String) })
  })

  test.each(['6f9619ff-8b86-4d01-b42d-00cf4fc964ff', 'x', '__proto__', 'toString'])(
    'that are not there are refused: %s',
    async (id) => {
      const { status, body } = await begin().control('GET', `/transactions/${id}`)
      expect([status, body.error.code]).toEqual([404, 'sandbox_not_found'])
      expect(body.error.message).toContain('/_sandbox/transactions')
    },
  )
})

describe('customers, as stored', () => {
  test('are filtered by document, e-mail, status and external id', async () => {
    const sandbox = begin()
    const create = async (fields: object): Promise<string> => {
      const { body } = await sandbox.call('POST', '/v1/customers', { name: 'Ana', ...fields })
      return String(body.data.id)
    }
    const ana = await create({ email: 'ana@example.com', document: '123.456.789-09', externalId: 'C-1' })
    const bia = await create({ email: 'bia@example.com' })
    await sandbox.call('PATCH', `/v1/customers/${bia}`, { status: 'Inactive' })
    expect(await listed(sandbox, '/customers')).toEqual([bia, ana])
    expect(await listed(sandbox, '/customers?document=12345678909')).toEqual([ana])
    expect(await listed(sandbox, '/customers?email=bia@example.com')).toEqual([bia])
    expect(await listed(sandbox, '/customers?status=Inactive')).toEqual([bia])
    expect(await listed(sandbox, '/customers?externalId=C-1&environment=Production')).toEqual([])
    const { body } = await sandbox.control('GET', `/customers/${ana}`)
    expect(body).toMatchObject({ n: 1, document: '12345678909', documentType: 'CPF', createdAt: START })
  })
})

describe('the journal', () => {
  test('lists every fired row, newest first, by subject, trigger, status and machine', async () => {
    const sandbox = begin()
    const one = await reach(sandbox, [['confirm'], ['refund']])
    const two = await reach(sandbox, [['cancel']])
    const { body } = await sandbox.control('GET', '/journal')
    const line = (entry: Record<string, unknown>): unknown[] => [entry['n'], entry['on'], entry['to']]
    expect(body.items.map(line)).toEqual([
      [5, 'cancel', 'Cancelled'],
      [4, 'create', 'Pending'],
      [3, 'refund', 'Refunded'],
      [2, 'confirm', 'Completed'],
      [1, 'create', 'Pending'],
    ])
    const numbers = async (query: string): Promise<number[]> => {
      const found = await sandbox.control('GET', `/journal?${query}`)
      return found.body.items.map(({ n }: { n: number }) => n)
    }
    expect(await numbers(`subject=${one.id}`)).toEqual([3, 2, 1])
    expect(await numbers('on=create')).toEqual([4, 1])
    expect(await numbers(`to=Cancelled&subject=${two.id}`)).toEqual([5])
    expect(await numbers('machine=transaction')).toHaveLength(5)
    expect(await numbers('machine=dispute')).toEqual([])
    expect(await numbers('limit=2&after=4')).toEqual([3, 2])
    expect(body.items[0]).toEqual({
      n: 5,
      at: START,
      machine: 'transaction',
      subject: two.id,
      from: 'Pending',
      on: 'cancel',
      to: 'Cancelled',
      reason: null,
    })
  })

  test('has no line for what was refused', async () => {
    const sandbox = begin()
    const record = await reach(sandbox, [])
    await trigger(sandbox, record.id, 'refund')
    await sandbox.call('POST', `/v1/transactions/${record.id}/simulate`, { action: 'refund' })
    expect((await sandbox.control('GET', '/journal')).body.total).toBe(1)
  })
})

describe('organisations', () => {
  test('begin with one that may split and one to split to', async () => {
    const { body } = await begin().control('GET', '/organizations')
    expect(body.items).toMatchObject([
      { name: 'Recebedor Exemplo', maySplit: true },
      { name: 'Loja Exemplo', maySplit: true },
    ])
  })

  test('are made with a name, keys and leave to split, or with none of it', async () => {
    const sandbox = begin()
    const fields = { name: 'Padaria Sol', maySplit: false, pixKeys: ['sol@example.com'] }
    const { status, body } = await sandbox.control('POST', '/organizations', fields)
    expect([status, body]).toEqual([201, expect.objectContaining(fields)])
    const { body: plain } = await sandbox.control('POST', '/organizations')
    expect(plain).toMatchObject({ maySplit: true, pixKeys: [], createdAt: START })
    expect(plain.splitCode).not.toBe(body.splitCode)
    expect(await listed(sandbox, '/organizations?name=Padaria Sol')).toEqual([body.id])
    expect(await listed(sandbox, `/organizations?splitCode=${plain.splitCode}`)).toEqual([plain.id])
  })

  test('change in what is named and stay as they are in the rest', async () => {
    const sandbox = begin()
    const { body: before } = await sandbox.control('POST', '/organizations', { name: 'Padaria Sol' })
    const path = `/organizations/${before.id}`
    const { body } = await sandbox.control('PATCH', path, { maySplit: false })
    expect(body).toEqual({ ...before, maySplit: false })
    expect((await sandbox.control('PATCH', path, { pixKeys: ['a'] })).body.maySplit).toBe(false)
    expect((await sandbox.control('GET', path)).body).toEqual({ ...before, maySplit: false, pixKeys: ['a'] })
  })

  test('own their records: a new one sees none of another', async () => {
    const sandbox = begin()
    const { id } = await createPix(sandbox)
    const { body: organization } = await sandbox.control('POST', '/organizations')
    const { body: pair } = await sandbox.control('POST', '/credentials', { organization: organization.id })
    const token = await sandbox.token(pair.publicKey, pair.secretKey)
    expect((await sandbox.send('GET', `/v1/transactions/${id}`, { token })).status).toBe(404)
  })

  test.each([
    { name: '' },
    { name: 'x'.repeat(256) },
    { maySplit: 'yes' },
    { pixKeys: 'a' },
    { pixKeys: [''] },
    { splitCode: 'x' },
  ])('refuse %j, when made and when changed', async (fields) => {
    const sandbox = begin()
    const made = await sandbox.control('POST', '/organizations', fields)
    expect([made.status, made.body.error.code]).toEqual(BAD)
    const [id] = await listed(sandbox, '/organizations')
    const changed = await sandbox.control('PATCH', `/organizations/${id}`, fields)
    expect([changed.status, changed.body.error.code]).toEqual(BAD)
  })
})

describe('credentials', () => {
  test('are listed newest first, without secrets and without their digests', async () => {
    const { body } = await begin().control('GET', '/credentials')
    expect(body.items.map(({ publicKey }: { publicKey: string }) => publicKey)).toEqual([
      expect.stringMatching(/^pk_sandbox_default_/),
      'pk_production_default',
      'pk_sandbox_default',
    ])
    expect(JSON.stringify(body)).not.toMatch(/secret|sk_/i)
  })

  test('are filtered by environment and organisation', async () => {
    const sandbox = begin()
    const { receiver } = (await sandbox.control('GET', '/worlds/default')).body
    const keys = async (query: string): Promise<string[]> => {
      const { body } = await sandbox.control('GET', `/credentials?${query}`)
      return body.items.map(({ publicKey }: { publicKey: string }) => publicKey)
    }
    expect(await keys('environment=Production')).toEqual(['pk_production_default'])
    expect(await keys(`organizationId=${receiver.id}`)).toEqual([receiver.publicKey])
  })

  test('are made for the first organisation with every permission, and work at once', async () => {
    const sandbox = begin()
    const { organization } = (await sandbox.control('GET', '/worlds/default')).body
    const { status, body } = await sandbox.control('POST', '/credentials')
    expect(status).toBe(201)
    expect(body).toEqual({
      publicKey: expect.stringMatching(/^pk_sandbox_/),
      secretKey: expect.stringMatching(/^sk_sandbox_/),
      organizationId: organization.id,
      environment: 'Sandbox',
      permissions: [...PERMISSIONS],
      allowedIps: [],
      active: true,
      createdAt: START,
    })
    expect(await sandbox.token(body.publicKey, body.secretKey)).toMatch(/\./)
    const { secretKey: _secret, ...shown } = body
    expect((await sandbox.control('GET', `/credentials/${body.publicKey}`)).body).toEqual(shown)
  })

  test('are made for Production, with keys that say so', async () => {
    const sandbox = begin()
    const { body } = await sandbox.control('POST', '/credentials', { environment: 'Production' })
    expect([body.publicKey, body.secretKey]).toEqual([
      expect.stringMatching(/^pk_production_/),
      expect.stringMatching(/^sk_production_/),
    ])
    const keys = { publicKey: body.publicKey, secretKey: body.secretKey }
    const token = await sandbox.send('POST', '/v1/auth/token', { body: keys })
    expect(token.body.data.environment).toBe('Production')
  })

  test('are each others neighbours, never the same', async () => {
    const sandbox = begin()
    const made: string[] = []
    for (let n = 0; n < 4; n++) made.push((await sandbox.control('POST', '/credentials')).body.publicKey)
    expect(new Set(made).size).toBe(4)
  })

  test('made without a permission are refused by its endpoints, and by no others', async () => {
    const sandbox = begin()
    const { body } = await sandbox.control('POST', '/credentials', { permissions: ['transactions.read'] })
    const token = await sandbox.token(body.publicKey, body.secretKey)
    expect((await sandbox.send('GET', '/v1/transactions', { token })).status).toBe(200)
    const refused = await sandbox.send('GET', '/v1/customers', { token })
    expect([refused.status, refused.body.error.code]).toEqual([403, 'forbidden'])
    expect(refused.headers.get('x-sandbox-hint')).toContain('customers.read')
  })

  test('given a permission have it on the next call, with the same token', async () => {
    const sandbox = begin()
    const { body } = await sandbox.control('POST', '/credentials', { permissions: [] })
    const token = await sandbox.token(body.publicKey, body.secretKey)
    expect((await sandbox.send('GET', '/v1/transactions', { token })).status).toBe(403)
    const path = `/credentials/${body.publicKey}`
    const changed = await sandbox.control('PATCH', path, { permissions: ['transactions.read'] })
    expect(changed.body).toMatchObject({ permissions: ['transactions.read'], active: true, allowedIps: [] })
    expect((await sandbox.send('GET', '/v1/transactions', { token })).status).toBe(200)
  })

  test('switched off get no token, and those they have are refused; switched on again they work', async () => {
    const sandbox = begin()
    const token = await sandbox.token()
    const keys = { publicKey: 'pk_sandbox_default', secretKey: 'sk_sandbox_default' }
    const path = '/credentials/pk_sandbox_default'
    expect((await sandbox.control('PATCH', path, { active: false })).body.active).toBe(false)
    const refused = await sandbox.send('POST', '/v1/auth/token', { body: keys })
    expect([refused.status, refused.body.error.code]).toEqual([401, 'invalid_credentials'])
    expect((await sandbox.send('GET', '/v1/transactions', { token })).body.error.code).toBe('unauthorized')
    await sandbox.control('PATCH', path, { active: true })
    expect((await sandbox.send('GET', '/v1/transactions', { token })).status).toBe(200)
  })

  test('are refused from other addresses than those they allow', async () => {
    const server = await serve()
    const token = await server.token()
    const path = '/credentials/pk_sandbox_default'
    const keys = { publicKey: 'pk_sandbox_default', secretKey: 'sk_sandbox_default' }
    await server.control('PATCH', path, { allowedIps: ['10.0.0.0/8', '::2'] })
    const refused = await server.send('GET', '/v1/transactions', { token })
    expect([refused.status, refused.body.error.code]).toEqual([403, 'ip_not_allowed'])
    expect((await server.send('POST', '/v1/auth/token', { body: keys })).body.error.code).toBe(
      'ip_not_allowed',
    )
    await server.control('PATCH', path, { allowedIps: ['10.0.0.0/8', '127.0.0.0/8'] })
    expect((await server.send('GET', '/v1/transactions', { token })).status).toBe(200)
    await server.control('PATCH', path, { allowedIps: [] })
    expect((await server.send('GET', '/v1/transactions', { token })).status).toBe(200)
  })

  test.each([
    { permissions: ['transactions.delete'] },
    { permissions: 'transactions.read' },
    { allowedIps: ['localhost'] },
    { allowedIps: ['10.0.0.0/33'] },
    { allowedIps: ['10.0.0.256'] },
    { allowedIps: ['::1/129'] },
    { allowedIps: [''] },
    { active: 'yes' },
    { active: null },
    { secretKey: 'sk_mine' },
  ])('refuse %j, when made and when changed', async (fields) => {
    const sandbox = begin()
    const made = await sandbox.control('POST', '/credentials', fields)
    expect([made.status, made.body.error.code]).toEqual(BAD)
    const changed = await sandbox.control('PATCH', '/credentials/pk_sandbox_default', fields)
    expect([changed.status, changed.body.error.code]).toEqual(BAD)
    expect((await sandbox.control('GET', '/credentials')).body.total).toBe(3)
  })

  test.each([{ environment: 'Staging' }, { environment: 'sandbox' }])(
    'are not made for %j',
    async (fields) => {
      const { status, body } = await begin().control('POST', '/credentials', fields)
      expect([status, body.error.code]).toEqual(BAD)
    },
  )

  test.each([{ environment: 'Production' }, { organization: 'x' }])('do not move to %j', async (fields) => {
    const { status, body } = await begin().control('PATCH', '/credentials/pk_sandbox_default', fields)
    expect([status, body.error.code]).toEqual(BAD)
  })

  test('that are not there are refused with the list to look in', async () => {
    const { status, body } = await begin().control('PATCH', '/credentials/pk_sandbox_nobody', {
      active: true,
    })
    expect([status, body.error.code]).toEqual([404, 'sandbox_not_found'])
    expect(body.error.message).toContain('GET /_sandbox/credentials')
  })
})
