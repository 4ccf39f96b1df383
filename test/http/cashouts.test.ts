// Checks cashouts over HTTP: keys, masks, shapes, refusals in their order, money, transitions, webhooks and lists.
import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { cashoutEvent, minimumEvent } from '../../src/contract/webhookPayloads.ts'
import { begin, deliveriesOf, trigger } from '../control/transactionSteps.ts'
import { START } from '../support/sandbox.ts'
import { advance, choose, control, makeToken, NO_ID, outcome, refusedAs, refusedCall } from './calls.ts'
import type { CashoutStatus } from '../../src/contract/enums.ts'
import type { CashoutTrigger } from '../../src/domain/cashoutMachine.ts'
import type { Answered, CallOptions, TestSandbox } from '../support/sandbox.ts'

type Fields = Record<string, unknown>

const CASHOUT = { amount: 30_000, pixKeyType: 'CPF', pixKey: '12345678909' }
const UUID = '123e4567-e12b-42d1-a456-426655440000'

/** A sandbox whose merchant has money. */
async function funded(silences: Fields = {}, fund = 100_000): Promise<TestSandbox> {
  const sandbox = begin(silences)
  await control(sandbox, 'PATCH', '/balance', { fund })
  return sandbox
}

/** Asks for a cashout. */
const ask = (sandbox: TestSandbox, fields: Fields = {}, options: CallOptions = {}): Promise<Answered> =>
  sandbox.call('POST', '/v1/cashouts', { ...CASHOUT, ...fields }, options)

/** A cashout that was made. */
async function asked(sandbox: TestSandbox, fields: Fields = {}): Promise<Answered['body']> {
  const { status, body } = await ask(sandbox, fields)
  expect(status, JSON.stringify(body)).toBe(201)
  return body.data
}

/** Available and reserved cents, with what the merchant was paid so far. */
async function money(sandbox: TestSandbox): Promise<number[]> {
  const { data } = (await sandbox.send('GET', '/v1/balance', { token: await sandbox.token() })).body
  return [data.balance.available, data.balance.reserved, data.totals.lifetimePayouts]
}

describe('a PIX key', () => {
  const good: [string, string, string, string, string][] = [
    ['eleven digits', 'CPF', '12345678909', '12345678909', '***456789**'],
    ['a CPF with punctuation', 'CPF', '123.456.789-09', '12345678909', '***456789**'],
    ['a type in lower case', 'cpf', '12345678909', '12345678909', '***456789**'],
    ['fourteen digits', 'CNPJ', '11222333000181', '11222333000181', '***22333000***'],
    ['a CNPJ with punctuation', 'CNPJ', '11.222.333/0001-81', '11222333000181', '***22333000***'],
    ['a CNPJ with letters', 'CNPJ', '12.abc.345/01de-35', '12ABC34501DE35', '***BC34501D***'],
    ['an e-mail', 'Email', 'maria@example.com', 'maria@example.com', 'm***@example.com'],
    ['an e-mail in capitals', 'Email', ' Maria@Example.COM ', 'maria@example.com', 'm***@example.com'],
    ['an e-mail of one letter', 'Email', 'm@example.com', 'm@example.com', 'm***@example.com'],
    [
      'an e-mail of 77 characters',
      'Email',
      `${'a'.repeat(65)}@example.com`,
      `${'a'.repeat(65)}@example.com`,
      'a***@example.com',
    ],
    ['a phone with a plus', 'Phone', '+5511999998888', '+5511999998888', '***8888'],
    ['a phone without a plus', 'Phone', '5511999998888', '+5511999998888', '***8888'],
    ['a phone with punctuation', 'Phone', '+55 (11) 99999-8888', '+5511999998888', '***8888'],
    ['a random key', 'Random', UUID, UUID, '***0000'],
    ['a random key in capitals', 'Random', UUID.toUpperCase(), UUID, '***0000'],
  ]

  // proves: enum PixKeyType CPF, enum PixKeyType CNPJ, enum PixKeyType Email, enum PixKeyType Phone, enum PixKeyType Random
  test.each(good)('may be %s: %s %s', async (_what, pixKeyType, pixKey, kept, masked) => {
    const sandbox = await funded()
    const { id, ...shown } = await asked(sandbox, { pixKeyType, pixKey })
    expect(shown.pixKey).toBe(masked)
    expect(shown.pix.pixKey).toBe(masked)
    expect(sandbox.world.state.cashouts[id]?.pixKey).toBe(kept)
    const { body } = await sandbox.call('GET', '/v1/cashouts')
    expect(body.data.items[0].pixKey).toBe(masked)
  })

  test.each([
    ['CPF', '1234567890'],
    ['CPF', '123456789090'],
    ['CPF', '11222333000181'],
    ['CPF', 'maria@example.com'],
    ['CNPJ', '12345678909'],
    ['CNPJ', '1122233300018A'],
    ['CNPJ', '112223330001811'],
    ['Email', 'maria'],
    ['Email', 'maria@'],
    ['Email', '@example.com'],
    ['Email', 'ma ria@example.com'],
    ['Email', 'maria@exa mple.com'],
    ['Email', `${'a'.repeat(66)}@example.com`],
    ['Email', 'maria@-example.com'],
    ['Phone', '999998888'],
    ['Phone', '+0511999998888'],
    ['Phone', '+55119999988889999'],
    ['Phone', '++5511999998888'],
    ['Phone', 'phone'],
    ['Random', UUID.replaceAll('-', '')],
    ['Random', `${UUID}0`],
    ['Random', '12345678909'],
    ['Random', 'g23e4567-e12b-42d1-a456-426655440000'],
  ])('of kind %s is not %s', async (pixKeyType, pixKey) => {
    const sandbox = await funded()
    const { refused, message } = await refusedCall(sandbox, 'POST', '/v1/cashouts', {
      ...CASHOUT,
      pixKeyType,
      pixKey,
    })
    expect(refused).toEqual(refusedAs('400 validation_error'))
    expect(message).toContain('pixKey')
    expect(message).not.toContain(pixKey)
  })

  test.each([
    ['CPF', '12345678900', '400 validation_error'],
    ['CPF', '12345678909', '201'],
    ['Email', 'maria@example.com', '201'],
  ])('%s %s, where check digits count (CU-05), is answered %s', async (pixKeyType, pixKey, expected) => {
    const sandbox = await funded({ 'CU-05': 'checked' })
    expect(outcome(await ask(sandbox, { pixKeyType, pixKey }))).toBe(expected)
  })

  test.each([
    [{ pixKeyType: undefined }, 'pixKeyType'],
    [{ pixKeyType: 'EVP' }, 'pixKeyType'],
    [{ pixKeyType: 7 }, 'pixKeyType'],
    [{ pixKey: undefined }, 'pixKey'],
    [{ pixKey: '' }, 'pixKey'],
    [{ pixKey: 12_345_678_909 }, 'pixKey'],
    [{ pixKey: 'x'.repeat(256) }, 'pixKey'],
    [{ externalId: 'x'.repeat(101) }, 'externalId'],
    [{ externalId: 7 }, 'externalId'],
    [{ callbackUrl: 'shop' }, 'callbackUrl'],
    [{ callbackUrl: 'ftp://shop.test/' }, 'callbackUrl'],
    [{ amount: undefined }, 'amount'],
    [{ amount: '30000' }, 'amount'],
    [{ amount: 300.5 }, 'amount'],
  ])('or another field is refused by name: %j', async (fields, field) => {
    const { refused, message } = await refusedCall(await funded(), 'POST', '/v1/cashouts', {
      ...CASHOUT,
      ...fields,
    })
    expect(refused).toEqual(refusedAs('400 validation_error'))
    expect(message).toContain(field)
  })
})

describe('the shape of a cashout', () => {
  const flat = {
    id: expect.any(String),
    amount: 30_000,
    fee: 200,
    netAmount: 29_800,
    status: 'Pending',
    crypto: null,
    failureReason: null,
    requestedAt: START,
    completedAt: null,
    createdAt: START,
  }
  const key = { pixKeyType: 'CPF', pixKey: '***456789**', endToEndId: null }
  const more = { pix: key, externalId: 'saque-1', currency: 'BRL', environment: 'Sandbox', processedAt: null }

  // proves: endpoint createCashout, endpoint getCashout, status cashout Pending, row cashout (create) create Pending
  test.each([
    ['both', { ...flat, ...key, ...more }],
    ['flat', { ...flat, ...key }],
    ['nested', { ...flat, ...more }],
  ])(
    'in a world that chose %s is the same on creating, reading, and simulating',
    async (choice, expected) => {
      const sandbox = await funded({ 'CO-02': choice })
      const made = await asked(sandbox, { externalId: 'saque-1' })
      expect(made).toEqual(expected)
      expect((await sandbox.call('GET', `/v1/cashouts/${made.id}`)).body.data).toEqual(made)
      const { items } = (await sandbox.call('GET', '/v1/cashouts')).body.data
      expect(items).toEqual([{ ...flat, ...key }])
      const { body } = await sandbox.call('POST', `/v1/cashouts/${made.id}/simulate`, { action: 'complete' })
      expect(Object.keys(body.data).toSorted()).toEqual(Object.keys(expected).toSorted())
      expect(body.data).toMatchObject({ status: 'Completed', completedAt: START })
      const endToEndId = choice === 'nested' ? body.data.pix.endToEndId : body.data.endToEndId
      expect(endToEndId).toMatch(/^E\d{8}203001011200[A-Za-z0-9]{11}$/)
    },
  )
})

describe('the amount of a cashout', () => {
  // proves: error insufficient_balance, error invalid_amount, limit MAX_AMOUNT_CENTS
  test.each([
    [{}, 199, '400 invalid_amount'],
    [{}, 200, '400 invalid_amount'],
    [{}, 201, '201'],
    [{}, 99, '400 invalid_amount'],
    [{}, 0, '400 invalid_amount'],
    [{}, -30_000, '400 invalid_amount'],
    [{}, 10_000_000_000, '400 invalid_amount'],
    [{}, 100_000, '201'],
    [{}, 100_001, '400 insufficient_balance'],
    [{ 'AU-05': 422 }, 200, '422 invalid_amount'],
    [{ 'AU-05': 422 }, 100_001, '400 insufficient_balance'],
    [{ 'CO-05': { feeCents: 0 } }, 100, '201'],
    [{ 'CO-05': { feeCents: 0 } }, 99, '400 invalid_amount'],
    [{ 'CO-05': { minimumCents: 5_000 } }, 4_999, '400 invalid_amount'],
    [{ 'CO-05': { minimumCents: 5_000 } }, 5_000, '201'],
    [{ 'CO-13': 'exact' }, 99_999, '400 invalid_amount'],
    [{ 'CO-13': 'exact' }, 100_000, '201'],
    [{ 'CO-13': 'exact' }, 100_001, '400 invalid_amount'],
    [{ 'BA-02': true }, 30_000, '400 invalid_amount'],
    [{ 'BA-02': true }, 100_000, '201'],
    [{ 'BA-02': true }, 100_001, '400 invalid_amount'],
  ])('in a world that chose %j, %d of 100000 cents, is answered %s', async (silences, amount, expected) => {
    const sandbox = await funded(silences)
    expect(outcome(await ask(sandbox, { amount }))).toBe(expected)
    expect(await money(sandbox)).toEqual(expected === '201' ? [100_000 - amount, amount, 0] : [100_000, 0, 0])
  })

  test.each([
    [{}, 100, '201'],
    [{ minimumCents: 5_000 }, 4_999, '5000'],
    [{ feeCents: 5_000, minimumCents: 200 }, 200, '5001'],
  ])('that is too small names the least one: with %j, %i of at least %s', async (terms, amount, least) => {
    const { body } = await ask(await funded({ 'CO-05': terms }), { amount })
    expect(body.error).toMatchObject({
      code: 'invalid_amount',
      message: expect.stringContaining(` ${least} `),
    })
  })

  test('must be everything once a trigger requires that, and may be less when it no longer does', async () => {
    const sandbox = await funded()
    await control(sandbox, 'PATCH', '/balance', { requireFullWithdrawal: true })
    expect((await sandbox.call('GET', '/v1/balance')).body.data.balance).toMatchObject({
      withdrawNowAvailable: 100_000,
      requiresFullWithdrawalNow: true,
    })
    const refused = await ask(sandbox)
    expect(outcome(refused)).toBe('400 invalid_amount')
    expect(refused.body.error.message).toContain('100000')
    expect(outcome(await ask(sandbox, { amount: 100_000, pixKey: '1' }))).toBe('400 validation_error')
    await control(sandbox, 'PATCH', '/balance', { requireFullWithdrawal: null })
    expect(outcome(await ask(sandbox))).toBe('201')
  })

  test('is refused before the key is looked up, and the key before the balance', async () => {
    const sandbox = await funded()
    const token = await makeToken(sandbox, { permissions: ['cashouts.write'] })
    expect(outcome(await ask(sandbox, { amount: 150 }, { token }))).toBe('400 invalid_amount')
    expect(outcome(await ask(sandbox, { amount: 100_001 }, { token }))).toBe('403 forbidden')
  })

  test('that does not fit leaves nothing behind', async () => {
    const sandbox = await funded()
    const { refused } = await refusedCall(sandbox, 'POST', '/v1/cashouts', { ...CASHOUT, amount: 100_001 })
    expect(refused).toEqual(refusedAs('400 insufficient_balance'))
  })
})

describe('a credential that may not use any key', () => {
  // proves: enum Permission cashouts.allowAnyPixKey
  test.each([
    ['CPF', '12345678909', '123.456.789-09', '201'],
    ['CPF', '123.456.789-09', '12345678909', '201'],
    ['Email', 'Maria@Example.com', 'maria@example.com', '201'],
    ['Phone', '+55 11 99999-8888', '5511999998888', '201'],
    ['Random', UUID, UUID, '201'],
    ['CPF', '12345678909', '98765432100', '403 forbidden'],
    ['Email', 'maria@example.com', 'ana@example.com', '403 forbidden'],
  ])('of kind %s, registered as %s, pays to %s: %s', async (pixKeyType, registered, pixKey, expected) => {
    const sandbox = await funded()
    const { organization } = await control(sandbox, 'GET', '/worlds/default')
    await control(sandbox, 'PATCH', `/organizations/${organization.id}`, { pixKeys: [registered] })
    const token = await makeToken(sandbox, { permissions: ['cashouts.write'] })
    expect(outcome(await ask(sandbox, { pixKeyType, pixKey }, { token }))).toBe(expected)
  })

  test('does not pay to a phone that has the digits of a registered CPF', async () => {
    const sandbox = await funded()
    const { organization } = await control(sandbox, 'GET', '/worlds/default')
    await control(sandbox, 'PATCH', `/organizations/${organization.id}`, { pixKeys: ['12345678909'] })
    const token = await makeToken(sandbox, { permissions: ['cashouts.write'] })
    expect(outcome(await ask(sandbox, { pixKeyType: 'Phone', pixKey: '+12345678909' }, { token }))).toBe(
      '403 forbidden',
    )
  })

  test('may have the permission and still need the other', async () => {
    const sandbox = await funded()
    const token = await makeToken(sandbox, { permissions: ['cashouts.allowAnyPixKey', 'cashouts.read'] })
    expect(outcome(await ask(sandbox, {}, { token }))).toBe('403 forbidden')
    expect(outcome(await sandbox.call('GET', '/v1/cashouts', undefined, { token }))).toBe('200')
    const writer = await makeToken(sandbox, { permissions: ['cashouts.write'] })
    expect(outcome(await sandbox.call('GET', '/v1/cashouts', undefined, { token: writer }))).toBe(
      '403 forbidden',
    )
  })
})

const STATUSES: Record<CashoutStatus, CashoutTrigger[]> = {
  Pending: [],
  Processing: ['process'],
  Completed: ['complete'],
  Failed: ['fail'],
  Rejected: ['reject'],
  Cancelled: ['cancel'],
}

/** What each way of moving a cashout does from each status; the others refuse. */
const MOVES: Record<string, Partial<Record<CashoutStatus, CashoutStatus>>> = {
  complete: { Pending: 'Completed', Processing: 'Completed' },
  fail: { Pending: 'Failed', Processing: 'Failed' },
  reject: { Pending: 'Rejected' },
  cancel: { Pending: 'Cancelled' },
}

describe('moving a cashout', () => {
  const cases = Object.keys(MOVES).flatMap((verb) =>
    Object.keys(STATUSES).map(
      (from) => [verb, from as CashoutStatus, MOVES[verb]?.[from as CashoutStatus]] as const,
    ),
  )

  // proves: endpoint cancelCashout, endpoint simulateCashout
  // proves: status cashout Processing, status cashout Completed, status cashout Failed, status cashout Rejected, status cashout Cancelled
  // proves: row cashout Pending complete Completed, row cashout Processing complete Completed, row cashout Pending fail Failed, row cashout Processing fail Failed
  // proves: row cashout Pending reject Rejected, row cashout Pending cancel Cancelled
  test.each(cases)('%s from %s leads to %s', async (verb, from, to) => {
    const sandbox = await funded()
    const { id } = await asked(sandbox)
    for (const step of STATUSES[from]) await trigger(sandbox, id, step)
    const before = await money(sandbox)
    const answered = await (verb === 'cancel'
      ? sandbox.call('POST', `/v1/cashouts/${id}/cancel`)
      : sandbox.call('POST', `/v1/cashouts/${id}/simulate`, { action: verb }))
    expect(outcome(answered)).toBe(to === undefined ? '400 invalid_status' : '200')
    expect(answered.body.data?.status).toBe(to)
    const returned = [100_000, 0, 0]
    const moved = to === 'Completed' ? [70_000, 0, 30_000] : returned
    expect(await money(sandbox)).toEqual(to === undefined ? before : moved)
  })

  test.each([
    ['complete', 'Completed'],
    ['Complete', 'Completed'],
    ['COMPLETE', 'Completed'],
    [1, 'Completed'],
    ['fail', 'Failed'],
    ['Fail', 'Failed'],
    [2, 'Failed'],
    ['reject', 'Rejected'],
    ['rEjEcT', 'Rejected'],
    [3, 'Rejected'],
  ])('by simulating %j makes it %s', async (action, status) => {
    const sandbox = await funded()
    const { id } = await asked(sandbox)
    const { body } = await sandbox.call('POST', `/v1/cashouts/${id}/simulate`, { action })
    expect(body.data).toMatchObject({ id, status })
    expect(body.data.failureReason === null).toBe(status === 'Completed')
  })

  test.each([0, 4, '1', 'cancel', 'process', null, undefined, true, 1.5, ''])(
    'cannot simulate %j',
    async (action) => {
      const sandbox = await funded()
      const { id } = await asked(sandbox)
      expect(outcome(await sandbox.call('POST', `/v1/cashouts/${id}/simulate`, { action }))).toBe(
        '400 validation_error',
      )
    },
  )

  test('in a world with exact letter case takes the exact one only', async () => {
    const sandbox = await funded({ 'TX-05': 'exact' })
    expect(outcome(await ask(sandbox, { pixKeyType: 'cpf' }))).toBe('400 validation_error')
    const { id } = await asked(sandbox)
    const simulate = (action: string): Promise<Answered> =>
      sandbox.call('POST', `/v1/cashouts/${id}/simulate`, { action })
    expect(outcome(await simulate('Complete'))).toBe('400 validation_error')
    expect(outcome(await simulate('complete'))).toBe('200')
  })

  // proves: row cashout Pending process Processing
  test('stamps processing once: when it is processed, else when it is completed', async () => {
    const sandbox = await funded()
    const [slow, quick] = [await asked(sandbox), await asked(sandbox)]
    await advance(sandbox, '1m')
    await trigger(sandbox, slow.id, 'process')
    await advance(sandbox, '1m')
    const simulate = async (id: string): Promise<unknown> =>
      (await sandbox.call('POST', `/v1/cashouts/${id}/simulate`, { action: 1 })).body.data
    const completedAt = '2030-01-01T12:02:00.000Z'
    expect(await simulate(slow.id)).toMatchObject({ processedAt: '2030-01-01T12:01:00.000Z', completedAt })
    expect(await simulate(quick.id)).toMatchObject({
      processedAt: completedAt,
      completedAt,
      requestedAt: START,
    })
  })

  test('does not happen by itself', async () => {
    const sandbox = await funded()
    const { id } = await asked(sandbox)
    await advance(sandbox, '365d')
    expect(sandbox.world.state.cashouts[id]?.status).toBe('Pending')
  })

  test.each([
    ['GET', ''],
    ['POST', '/cancel'],
    ['POST', '/simulate'],
  ])('or reading it is for its owner: %s %s', async (method, path) => {
    const sandbox = await funded()
    const { id } = await asked(sandbox)
    const { receiver } = await control(sandbox, 'GET', '/worlds/default')
    const token = await sandbox.token(receiver.publicKey)
    const body = path === '/simulate' ? { action: 1 } : undefined
    expect(outcome(await sandbox.send(method, `/v1/cashouts/${id}${path}`, { token, body }))).toBe(
      '404 not_found',
    )
    for (const name of [NO_ID, 'x', '__proto__']) {
      expect(outcome(await sandbox.call(method, `/v1/cashouts/${name}${path}`, body))).toBe('404 not_found')
    }
  })
})

describe('the webhook of a cashout', () => {
  const events = [
    ['complete', 'cashout.completed', 'Completed'],
    ['fail', 'cashout.failed', 'Failed'],
    ['reject', 'cashout.rejected', 'Rejected'],
    ['cancel', 'cashout.cancelled', 'Cancelled'],
  ] as const

  // proves: every event of cashout
  test.each(events)('for %s is %s, signed with the id of the cashout', async (verb, type, status) => {
    for (const choice of ['full', 'minimum']) {
      const sandbox = await funded({ 'WH-06': choice })
      const { id } = await asked(sandbox, { callbackUrl: 'http://shop.test/cashouts' })
      expect(deliveriesOf(sandbox, id)).toEqual([])
      await trigger(sandbox, id, verb)
      await control(sandbox, 'POST', '/settle')
      const sent = deliveriesOf(sandbox, id)
      expect(sent).toHaveLength(1)
      const delivery = await control(sandbox, 'GET', `/deliveries/${sent[0]}`)
      expect(delivery).toMatchObject({
        type,
        subject: id,
        url: 'http://shop.test/cashouts',
        status: 'delivered',
      })
      const body = JSON.parse(delivery.body)
      expect(body).toMatchObject({ id: sent[0], type, createdAt: START })
      expect(body.data).toMatchObject({ id, status, amount: 30_000, netAmount: 29_800 })
      expect((choice === 'full' ? cashoutEvent : minimumEvent).safeParse(body.data).success).toBe(true)
      expect(body.data.pix?.pixKey).toBe(choice === 'full' ? '***456789**' : undefined)
      const signature = createHmac('sha256', id).update(delivery.body).digest('hex')
      expect(delivery.headers['X-Service-Signature']).toBe(`sha256=${signature}`)
    }
  })

  test('is not sent for processing, nor without an address', async () => {
    const sandbox = await funded()
    const [told, silent] = [await asked(sandbox, { callbackUrl: 'http://shop.test/' }), await asked(sandbox)]
    for (const { id } of [told, silent]) await trigger(sandbox, id, 'process')
    expect(Object.keys(sandbox.world.state.deliveries)).toEqual([])
    await trigger(sandbox, silent.id, 'complete')
    expect(Object.keys(sandbox.world.state.deliveries)).toEqual([])
  })
})

// proves: endpoint listCashouts
test('the list of cashouts is newest first, filtered and paged', async () => {
  const sandbox = await funded()
  const ids: string[] = []
  for (const externalId of ['a', 'b', 'a']) {
    ids.push((await asked(sandbox, { externalId, amount: 1_000 })).id)
    await advance(sandbox, '1m')
  }
  await trigger(sandbox, ids[1] ?? '', 'reject')
  const rows: [string, number[], number][] = [
    ['', [2, 1, 0], 3],
    ['?status=Pending', [2, 0], 2],
    ['?status=rejected', [1], 1],
    ['?externalId=a', [2, 0], 2],
    ['?externalId=A', [], 0],
    ['?startDate=2030-01-01T12:01:00Z&endDate=2030-01-01T12:01:00Z', [1], 1],
    ['?startDate=2030-01-02', [], 0],
    ['?endDate=2030-01-01', [2, 1, 0], 3],
    ['?page=2&pageSize=2', [0], 3],
    ['?page=9', [], 3],
  ]
  const found: [string, number[], number][] = []
  for (const [query] of rows) {
    const { data } = (await sandbox.call('GET', `/v1/cashouts${query}`)).body
    found.push([query, data.items.map(({ id }: { id: string }) => ids.indexOf(id)), data.totalItems])
  }
  expect(found).toEqual(rows)
  for (const query of ['?status=Paid', '?page=0', '?pageSize=0', '?pageSize=101', '?endDate=later']) {
    expect(outcome(await sandbox.call('GET', `/v1/cashouts${query}`)), query).toBe('400 validation_error')
  }
})

test('Production has its own money and records, and no simulation', async () => {
  const sandbox = await funded()
  const token = await sandbox.token('pk_production_default')
  expect(outcome(await ask(sandbox, {}, { token }))).toBe('400 insufficient_balance')
  await control(sandbox, 'PATCH', '/balance', { environment: 'Production', fund: 30_000 })
  const { body } = await ask(sandbox, {}, { token })
  expect(body.data.environment).toBe('Production')
  expect(await money(sandbox)).toEqual([100_000, 0, 0])
  const path = `/v1/cashouts/${body.data.id}`
  expect(outcome(await sandbox.call('GET', path))).toBe('404 not_found')
  const simulate = (): Promise<Answered> => sandbox.call('POST', `${path}/simulate`, { action: 1 }, { token })
  expect(outcome(await simulate())).toBe('401 sandbox_only')
  await choose(sandbox, { 'AU-06': 403 })
  expect(outcome(await simulate())).toBe('403 sandbox_only')
  expect((await trigger(sandbox, body.data.id, 'complete')).body.to).toBe('Completed')
  expect((await sandbox.call('GET', '/v1/cashouts')).body.data.totalItems).toBe(0)
})
