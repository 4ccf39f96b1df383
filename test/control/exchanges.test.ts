// Checks the log of exchanges: what it keeps, what it hides, its filters and bounds, and waiting for a call.
import { describe, expect, test } from 'vitest'
import { MAX_EXCHANGES } from '../../src/world/exchanges.ts'
import { askToken, control, makePair, NO_ID, outcome } from '../http/calls.ts'
import { createPix, START } from '../support/sandbox.ts'
import { begin } from './transactionSteps.ts'
import type { RunningWorld } from '../../src/world/runningWorld.ts'
import type { Answered, TestSandbox } from '../support/sandbox.ts'

/** The exchanges of the default world, newest first. */
const exchanges = async (sandbox: TestSandbox, query = ''): Promise<Answered['body'][]> =>
  (await control(sandbox, 'GET', `/exchanges${query}`)).items

/** The log as text. */
const logged = async (sandbox: TestSandbox): Promise<string> =>
  JSON.stringify(await exchanges(sandbox, '?limit=1000'))

/** Counts who waits for the next exchange of a world, and tells when somebody begins to. */
function watchWaits(world: RunningWorld): { open: () => number; began: Promise<void> } {
  const next = world.exchanges.next
  let open = 0
  let begun = (): void => undefined
  const began = new Promise<void>((resolve) => {
    begun = resolve
  })
  world.exchanges.next = (listener) => {
    open += 1
    begun()
    const stop = next(() => {
      open -= 1
      listener()
    })
    return () => {
      open -= 1
      stop()
    }
  }
  return { open: () => open, began }
}

describe('an exchange', () => {
  test('keeps a call with its answer', async () => {
    const sandbox = begin()
    const { id } = await createPix(sandbox, { externalId: 'pedido-1' })
    const [created] = await exchanges(sandbox)
    expect(created).toEqual({
      n: 2,
      id: 'x2',
      order: 2,
      at: START,
      operation: 'createTransaction',
      method: 'POST',
      path: '/v1/transactions',
      query: {},
      publicKey: 'pk_sandbox_default',
      subject: id,
      request: {
        headers: expect.objectContaining({ authorization: '[hidden]' }),
        body: { method: 'Pix', amount: 12_990, externalId: 'pedido-1' },
      },
      status: 201,
      code: null,
      hint: null,
      silences: expect.arrayContaining(['TX-02']),
      faults: [],
      response: {
        headers: expect.objectContaining({ 'X-Sandbox-World': 'default' }),
        body: expect.objectContaining({ data: expect.objectContaining({ id, status: 'Pending' }) }),
      },
      rule: null,
      accepted: null,
    })
    expect(await control(sandbox, 'GET', '/exchanges/x2')).toEqual(created)
  })

  test.each([
    ['without a token', 'GET', '/v1/balance', 'getBalance', 401, 'unauthorized'],
    ['to an unknown path', 'GET', '/v1/charges', null, 404, 'not_found'],
    ['with another method', 'DELETE', '/v1/balance', null, 405, 'method_not_allowed'],
    ['of health', 'GET', '/health', 'getHealth', 200, null],
  ])('is kept of a call %s', async (_what, method, path, operation, status, code) => {
    const sandbox = begin()
    await sandbox.send(method, path)
    expect(await exchanges(sandbox)).toMatchObject([
      { operation, method, path, status, code, publicKey: null },
    ])
  })

  test('names the record of the path and the query, and the hint of a refusal', async () => {
    const sandbox = begin()
    await sandbox.call('GET', `/v1/transactions/${NO_ID}`)
    await sandbox.call('GET', '/v1/transactions?status=Pending&page=1')
    const [list, missing] = await exchanges(sandbox)
    expect(list.query).toEqual({ status: 'Pending', page: '1' })
    expect(missing).toMatchObject({ subject: NO_ID, code: 'not_found', hint: expect.stringContaining(NO_ID) })
  })

  test('is not kept of the control API', async () => {
    const sandbox = begin()
    await control(sandbox, 'GET', '/balances')
    expect(await exchanges(sandbox)).toEqual([])
  })

  test('belongs to the world that the call reached', async () => {
    const sandbox = begin()
    const other = await control(sandbox, 'POST', '/worlds', { id: 'other' })
    const token = await sandbox.token(other.publicKey, other.secretKey)
    await sandbox.send('GET', '/v1/balance', { token })
    expect(await exchanges(sandbox)).toEqual([])
    const { items } = await control(sandbox, 'GET', '/worlds/other/exchanges')
    expect(items.map(({ operation }: { operation: string }) => operation)).toEqual([
      'getBalance',
      'createToken',
    ])
  })

  test('that is not kept is not found', async () => {
    expect(outcome(await begin().control('GET', '/exchanges/x99'))).toBe('404 sandbox_not_found')
  })
})

describe('the log hides', () => {
  test('tokens and secrets, wherever they were sent', async () => {
    const sandbox = begin()
    const { publicKey, secretKey } = await makePair(sandbox)
    const token = await sandbox.token(publicKey, secretKey)
    await askToken(sandbox, { publicKey, secretKey: `${secretKey}x` })
    await askToken(sandbox, { publicKey, secretKey: undefined, secret_key: secretKey, SecretKey: secretKey })
    await askToken(sandbox, { publicKey, secretKey, note: secretKey, list: [{ deep: secretKey }] })
    await sandbox.send('POST', '/v1/auth/token', {
      body: `{"publicKey":"${publicKey}","secretKey":"${secretKey}"`,
    })
    await sandbox.send('GET', `/v1/balance?access_token=${token}&key=${secretKey}`, { token })
    const headers = { 'X-Api-Key': publicKey, 'X-Api-Secret': secretKey, 'X-Other': `Bearer ${token}` }
    await sandbox.send('GET', '/v1/balance', { headers })
    await sandbox.send('GET', `/v1/transactions/${token}`, { token })
    await sandbox.send('GET', `/v1/${secretKey}`, { token })
    const text = await logged(sandbox)
    expect(text).not.toContain(secretKey)
    expect(text).not.toContain(token)
    expect(text).not.toContain(token.split('.')[2])
    expect(text).toContain(publicKey)
  })

  test('basic credentials of a proxy', async () => {
    const sandbox = begin()
    const basic = Buffer.from('ana:open-sesame').toString('base64')
    await sandbox.send('GET', '/v1/balance', { headers: { 'Proxy-Authorization': `Basic ${basic}` } })
    expect(await logged(sandbox)).not.toContain(basic)
  })

  test('all but the beginning of what is long', async () => {
    const sandbox = begin()
    await sandbox.call('POST', '/v1/transactions', { method: 'Pix', amount: 100, note: 'x'.repeat(500_000) })
    const many = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, index) => [`field${index}`, 'y'.repeat(100)]),
    )
    await sandbox.call('POST', '/v1/transactions', many)
    let deep: unknown = 'z'
    for (let level = 0; level < 500; level++) deep = [deep]
    await sandbox.call('POST', '/v1/transactions', { method: 'Pix', amount: 100, deep })
    expect((await logged(sandbox)).length).toBeLessThan(60_000)
    expect(sandbox.defects).toEqual([])
  })

  test('not what only looks like a card: the numbers of a PIX code', async () => {
    const sandbox = begin()
    for (let count = 0; count < 20; count++) {
      const made = await createPix(sandbox)
      const [created] = await exchanges(sandbox)
      expect(created.response.body.data).toEqual(made)
    }
  })

  test('not what only looks like a card: ids, amounts, phones and documents', async () => {
    const sandbox = begin()
    const customer = {
      customerName: 'Ana',
      customerPhone: '+5511999998888',
      customerDocument: '11222333000181',
    }
    const { id } = await createPix(sandbox, { amount: 9_999_999_999, ...customer })
    const [created] = await exchanges(sandbox)
    expect(created.subject).toBe(id)
    expect(created.response.body.data).toMatchObject({ id, amount: 9_999_999_999 })
    expect(created.request.body).toMatchObject(customer)
  })
})

describe('the list of exchanges', () => {
  test('is filtered by each of its facts', async () => {
    const sandbox = begin()
    const { id } = await createPix(sandbox)
    await sandbox.call('GET', `/v1/transactions/${id}`)
    await sandbox.call('GET', '/v1/balance')
    await sandbox.call('GET', '/v1/transactions?page=0')
    const rows: [string, number[]][] = [
      ['', [5, 4, 3, 2, 1]],
      ['?operation=getBalance', [4]],
      ['?method=POST', [2, 1]],
      ['?path=/v1/transactions', [5, 2]],
      ['?status=400', [5]],
      ['?code=validation_error', [5]],
      [`?subject=${id}`, [3, 2]],
      ['?publicKey=pk_sandbox_default&method=GET', [5, 4, 3]],
      ['?limit=2', [5, 4]],
      ['?limit=2&after=x4', [3, 2]],
    ]
    const found: [string, number[]][] = []
    for (const [query] of rows) found.push([query, (await exchanges(sandbox, query)).map(({ n }) => n)])
    expect(found).toEqual(rows)
  })

  test.each(['?limit=0', '?status=x', '?after=x99', '?n=1'])('is not asked with %s', async (query) => {
    expect(outcome(await begin().control('GET', `/exchanges${query}`))).toBe('400 sandbox_bad_request')
  })

  test(`is bounded to ${MAX_EXCHANGES}: the oldest make room`, async () => {
    const sandbox = begin()
    for (let count = 0; count < MAX_EXCHANGES + 5; count++) await sandbox.send('GET', '/health')
    const { items, total } = await control(sandbox, 'GET', '/exchanges?limit=1000')
    expect([total, items.length, items[0].n, items.at(-1).n]).toEqual([MAX_EXCHANGES, 1_000, 1_005, 6])
    expect(outcome(await sandbox.control('GET', '/exchanges/x5'))).toBe('404 sandbox_not_found')
  })

  test('is empty after a reset', async () => {
    const sandbox = begin()
    await sandbox.send('GET', '/health')
    await control(sandbox, 'POST', '/reset')
    expect(await exchanges(sandbox)).toEqual([])
  })
})

describe('waiting for a call', () => {
  const wait = (sandbox: TestSandbox, body: Record<string, unknown> = {}): Promise<Answered> =>
    sandbox.control('POST', '/exchanges/wait', body)

  test('answers as soon as one comes, and nobody waits any more', async () => {
    const sandbox = begin()
    await sandbox.send('GET', '/health')
    const waits = watchWaits(sandbox.world)
    const waiting = wait(sandbox, { wait: '60s' })
    await waits.began
    await sandbox.send('GET', '/v1/balance')
    const { status, body } = await waiting
    expect([status, body.operation, body.n]).toEqual([200, 'getBalance', 2])
    expect(waits.open()).toBe(0)
  })

  test('goes on past calls that do not fit', async () => {
    const sandbox = begin()
    const waits = watchWaits(sandbox.world)
    const waiting = wait(sandbox, { operation: 'getBalance', status: 200, wait: '60s' })
    await waits.began
    await sandbox.send('GET', '/health')
    await sandbox.send('GET', '/v1/balance')
    await sandbox.call('GET', '/v1/balance')
    expect((await waiting).body).toMatchObject({ operation: 'getBalance', status: 200, n: 4 })
    expect(waits.open()).toBe(0)
  })

  test('answers one that was made already, after `after`, the oldest first', async () => {
    const sandbox = begin()
    for (let count = 0; count < 3; count++) await sandbox.send('GET', '/health')
    expect((await wait(sandbox, { after: 0 })).body.n).toBe(1)
    expect((await wait(sandbox, { after: 1, operation: 'getHealth' })).body.n).toBe(2)
  })

  test.each([{}, { after: 1 }, { operation: 'getBalance', after: 0 }])(
    'answers 412 when none comes in time: %j',
    async (body) => {
      const sandbox = begin()
      await sandbox.send('GET', '/health')
      const waits = watchWaits(sandbox.world)
      const answered = await wait(sandbox, { ...body, wait: '0s' })
      expect([answered.status, answered.body]).toEqual([412, { found: false }])
      expect(waits.open()).toBe(0)
    },
  )

  test('ends for everybody who waits', async () => {
    const sandbox = begin()
    const first = watchWaits(sandbox.world)
    const waiting = [wait(sandbox, { wait: '60s' })]
    await first.began
    const second = watchWaits(sandbox.world)
    waiting.push(wait(sandbox, { wait: '60s' }))
    await second.began
    await sandbox.send('GET', '/health')
    expect((await Promise.all(waiting)).map(({ body }) => body.n)).toEqual([1, 1])
  })

  test('does not hold the clock of its world', async () => {
    const sandbox = begin()
    const waits = watchWaits(sandbox.world)
    const waiting = wait(sandbox, { operation: 'getHealth', wait: '60s' })
    await waits.began
    await control(sandbox, 'POST', '/clock/advance', { by: '1h' })
    await sandbox.send('GET', '/health')
    expect((await waiting).body.at).toBe('2030-01-01T13:00:00.000Z')
  })

  test.each([
    { wait: 'soon' },
    { wait: 5 },
    { wait: '-1s' },
    { after: -1 },
    { after: 'x1' },
    { verb: 'GET' },
  ])('is not asked with %j', async (body) => {
    expect(outcome(await wait(begin(), body))).toBe('400 sandbox_bad_request')
  })
})
