// Tests of reading transactions: the full view, its QR picture, and the list.
import jsqrModule from 'jsqr'
import { PNG } from 'pngjs'
import { beforeAll, describe, expect, test } from 'vitest'
import { present } from '../../src/kernel/assert.ts'
import { createPix, START } from '../support/sandbox.ts'
import { advance, control, fresh, NO_ID, outcome, refusedAs, refusedCall, shared } from './calls.ts'
import type { Answered, TestSandbox } from '../support/sandbox.ts'

const jsqr = jsqrModule as unknown as typeof jsqrModule.default

const PATH = '/v1/transactions'
const DATA_URI = 'data:image/png;base64,'

async function read(sandbox: TestSandbox, id: string): Promise<Answered['body']> {
  const { status, body } = await sandbox.call('GET', `${PATH}/${id}`)
  expect(status).toBe(200)
  return body.data
}

/** The text that a QR reader finds in a picture. */
function decode(dataUri: string): string | undefined {
  expect(dataUri.startsWith(DATA_URI)).toBe(true)
  const { data, width, height } = PNG.sync.read(Buffer.from(dataUri.slice(DATA_URI.length), 'base64'))
  return jsqr(new Uint8ClampedArray(data), width, height)?.data
}

describe('reading a transaction', () => {
  // proves: endpoint getTransaction
  test('answers the creation view and what only a retrieval tells', async () => {
    const sandbox = fresh()
    const created = await createPix(sandbox, { externalId: 'A', description: 'd', metadata: '{}' })
    const { pix, ...rest } = await read(sandbox, created.id)
    const { pix: createdPix, ...before } = created
    expect(rest).toEqual({
      ...before,
      failureReason: null,
      metadata: '{}',
      callbackUrl: null,
      refundedAt: null,
      updatedAt: START,
      customer: null,
    })
    expect(pix).toEqual({ ...createdPix, qrCode: expect.stringContaining(DATA_URI) })
  })

  test('changes nothing', async () => {
    const sandbox = fresh()
    const { id } = await createPix(sandbox)
    const before = JSON.stringify(sandbox.world.state)
    await read(sandbox, id)
    expect(JSON.stringify(sandbox.world.state)).toBe(before)
  })

  // proves: error not_found
  test.each([
    NO_ID,
    'nonsense',
    '1',
    '__proto__',
    'constructor',
    'hasOwnProperty',
    '%00',
    '%0d%0a',
    '%zz',
    '%E9',
    'a%2Fb',
  ])('whose id is %s is 404 not_found', async (id) => {
    const { refused } = await refusedCall(fresh(), 'GET', `${PATH}/${id}`)
    expect(refused).toEqual(refusedAs('404 not_found'))
  })

  test('of another organisation, environment or world is 404 not_found', async () => {
    const sandbox = fresh()
    const { id } = await createPix(sandbox)
    const other = sandbox.worlds.create({ id: 'other' }).origin.keys
    for (const publicKey of [
      'pk_sandbox_default_receiver',
      'pk_production_default',
      other.sandbox.publicKey,
    ]) {
      const token = await sandbox.token(publicKey)
      expect(outcome(await sandbox.send('GET', `${PATH}/${id}`, { token })), publicKey).toBe('404 not_found')
    }
  })
})

describe('the QR picture (TX-18)', () => {
  test.each([{}, { 'TX-17': { kind: 'static' } }, { 'TX-17': { host: 'qr.shop.example' } }])(
    'is a PNG that a reader turns back into exactly the code, with knobs %j',
    async (silences) => {
      const sandbox = fresh({ silences })
      const { id, pix } = await createPix(sandbox)
      expect(decode((await read(sandbox, id)).pix.qrCode)).toBe(pix.copyAndPaste)
    },
  )

  test('is readable for each of many transactions', async () => {
    const sandbox = fresh()
    for (let amount = 100; amount < 120; amount++) {
      const { id, pix } = await createPix(sandbox, { amount })
      expect(decode((await read(sandbox, id)).pix.qrCode)).toBe(pix.copyAndPaste)
    }
  })

  test('is black on white with a quiet zone of four modules around it', async () => {
    const sandbox = fresh()
    const { id } = await createPix(sandbox)
    const { qrCode } = (await read(sandbox, id)).pix
    const { data, width, height } = PNG.sync.read(Buffer.from(qrCode.slice(DATA_URI.length), 'base64'))
    expect(width).toBe(height)
    const shades = new Set(Array.from({ length: width * height }, (_, index) => data[index * 4]))
    expect(shades).toEqual(new Set([0, 255]))
    const dark = (x: number, y: number): boolean => data[(y * width + x) * 4] === 0
    const first = Array.from({ length: width }, (_, x) => x).find((x) => dark(x, x)) ?? 0
    const finder = Array.from({ length: width }, (_, x) => x).find((x) => x > first && !dark(x, first)) ?? 0
    expect(first * 7).toBe((finder - first) * 4)
  })

  test('is not there on creation, in lists or on simulation', async () => {
    const sandbox = fresh()
    const created = await createPix(sandbox)
    const list = await sandbox.call('GET', PATH)
    const simulated = await sandbox.call('POST', `${PATH}/${created.id}/simulate`, { action: 'complete' })
    expect(created.pix.qrCode).toBeNull()
    expect(JSON.stringify(list.body)).not.toContain('image/png')
    expect(simulated.body.data.pix).toEqual({
      txId: created.pix.txId,
      qrCode: null,
      copyAndPaste: null,
      expiresAt: null,
    })
  })

  test('is made when it is first asked for, once, and then kept', async () => {
    const sandbox = fresh()
    const { id } = await createPix(sandbox)
    const record = present(sandbox.world.state.transactions[id], 'it is stored')
    expect(sandbox.world.pictures.has(record)).toBe(false)
    const { qrCode } = (await read(sandbox, id)).pix
    expect(sandbox.world.pictures.get(record)).toBe(qrCode)
    sandbox.world.pictures.set(record, `${DATA_URI}kept`)
    expect((await read(sandbox, id)).pix.qrCode).toBe(`${DATA_URI}kept`)
  })

  test.each(['confirm', 'expire', 'fail', 'cancel'])('stays the same string after %s', async (trigger) => {
    const sandbox = fresh()
    const { id } = await createPix(sandbox)
    const { qrCode, copyAndPaste } = (await read(sandbox, id)).pix
    await control(sandbox, 'POST', '/trigger', { on: id, do: trigger })
    expect((await read(sandbox, id)).pix).toMatchObject({ qrCode, copyAndPaste })
  })

  test('is no part of what is saved, and the same again after a restore', async () => {
    const sandbox = fresh()
    const { id } = await createPix(sandbox)
    const { qrCode } = (await read(sandbox, id)).pix
    await control(sandbox, 'PUT', '/snapshots/here', {})
    expect(sandbox.world.snapshots.get('here')).not.toContain('image/png')
    await control(sandbox, 'POST', '/snapshots/here/restore')
    expect((await read(sandbox, id)).pix.qrCode).toBe(qrCode)
  })
})

interface Listed {
  items: Record<string, unknown>[]
  totalItems: number
}

async function listed(sandbox: TestSandbox, query = ''): Promise<Listed> {
  const { status, body } = await sandbox.call('GET', `${PATH}${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data
}

async function found(sandbox: TestSandbox, query = ''): Promise<unknown[]> {
  return (await listed(sandbox, query)).items.map(({ description }) => description)
}

describe('the list of transactions', () => {
  const sandbox = shared()
  let ana = ''

  beforeAll(async () => {
    const customer = { name: 'Ana', email: 'ana@example.com', document: '12345678909' }
    ana = (await sandbox.call('POST', '/v1/customers', customer)).body.data.id
    const make = async (description: string, trigger: string | null, fields = {}): Promise<void> => {
      const { id } = await createPix(sandbox, { description, ...fields })
      if (trigger !== null) await control(sandbox, 'POST', '/trigger', { on: id, do: trigger })
    }
    await make('pending', null, { externalId: 'A' })
    await make('paid', 'confirm', { externalId: 'B', customerId: ana })
    await make('failed', 'fail', { externalId: 'A', customerId: ana })
    await make('cancelled', 'cancel', { externalId: '__proto__' })
  })

  // proves: endpoint listTransactions
  test('shows the creation view without pix, card and boleto, plus the customer', async () => {
    const [item] = (await listed(sandbox, '?status=Completed')).items
    const { pix, card, boleto, ...created } = await read(sandbox, String(item?.['id']))
    expect([pix === null, card, boleto]).toEqual([false, null, null])
    const { failureReason, metadata, callbackUrl, refundedAt, updatedAt, customer, ...common } = created
    expect([failureReason, metadata, callbackUrl, refundedAt, updatedAt]).toEqual([
      null,
      null,
      null,
      null,
      START,
    ])
    expect(item).toEqual({
      ...common,
      customer: { id: ana, name: 'Ana', email: 'ana@example.com', document: '123.456.789-09' },
    })
    expect(customer).toEqual({
      id: ana,
      name: 'Ana',
      email: 'ana@example.com',
      document: '123.456.789-09',
      phone: null,
    })
  })

  test.each<[query: string, seen: string[]]>([
    ['', ['cancelled', 'failed', 'paid', 'pending']],
    ['?status=Pending', ['pending']],
    ['?status=pending', ['pending']],
    ['?status=FAILED', ['failed']],
    ['?status=Refunded', []],
    ['?method=Pix', ['cancelled', 'failed', 'paid', 'pending']],
    ['?method=pix&status=Completed', ['paid']],
    ['?method=Boleto', []],
    ['?externalId=A', ['failed', 'pending']],
    ['?externalId=a', []],
    ['?externalId=A&status=Pending', ['pending']],
    ['?externalId=__proto__', ['cancelled']],
    ['?externalId=constructor', []],
    ['?customerId=ANA', ['failed', 'paid']],
    ['?customerId=ANA&externalId=B', ['paid']],
    [`?customerId=${NO_ID}`, []],
    ['?customerId=nonsense', []],
    ['?customerId=null', []],
    ['?page=2&pageSize=3', ['pending']],
    ['?page=2&pageSize=1', ['failed']],
    ['?page=9', []],
    ['?status=&externalId=B', ['paid']],
  ])('for %j shows %j', async (query, seen) => {
    expect(await found(sandbox, query.replace('ANA', ana))).toEqual(seen)
  })

  test.each([
    ['status=Paid', 'status'],
    ['method=Cash', 'method'],
    ['status=constructor', 'status'],
    ['page=0', 'page'],
    ['pageSize=101', 'pageSize'],
    ['startDate=yesterday', 'startDate'],
    ['endDate=2030-02-30', 'endDate'],
    ['startDate=2030-13-01', 'startDate'],
    ['startDate=2030-01-01T12:00:00', 'startDate'],
    ['startDate=01/01/2030', 'startDate'],
    ['endDate=1893499200', 'endDate'],
    ['endDate=2030-01-01T25:00:00Z', 'endDate'],
    [`startDate=${'2'.repeat(41)}`, 'startDate'],
  ])('for ?%s is refused with a validation_error that names %s', async (query, field) => {
    const { refused, message } = await refusedCall(sandbox, 'GET', `${PATH}?${query}`)
    expect(refused).toEqual(refusedAs('400 validation_error'))
    expect(message).toContain(`'${field}'`)
  })

  test('shows own records only', async () => {
    for (const publicKey of ['pk_sandbox_default_receiver', 'pk_production_default']) {
      const token = await sandbox.token(publicKey)
      const { body } = await sandbox.send('GET', PATH, { token })
      expect(body.data.totalItems).toBe(0)
    }
  })

  test('is newest first, also for one externalId and at one instant', async () => {
    const own = fresh()
    for (let number = 1; number <= 25; number++) {
      await createPix(own, { description: `t${number}`, externalId: 'E' })
    }
    const expected = Array.from({ length: 25 }, (_, index) => `t${25 - index}`)
    for (const filter of ['', '&externalId=E']) {
      const pages = [await found(own, `?page=1${filter}`), await found(own, `?page=2${filter}`)]
      expect(pages).toEqual([expected.slice(0, 20), expected.slice(20)])
    }
  })
})

describe('the dates of the list (LI-03)', () => {
  // Tokens expire on the way, so each call gets its own.
  const sandbox = shared({ clock: '2030-01-01T00:00:00.000Z', silences: { 'AU-13': 'off' } })

  beforeAll(async () => {
    for (const [by, description] of [
      ['0ms', 'midnight'],
      ['12h', 'noon'],
      ['43199999ms', 'last'],
      ['1ms', 'next'],
    ] as const) {
      await advance(sandbox, by)
      const token = await sandbox.token()
      const body = { method: 'Pix', amount: 100, description }
      await sandbox.send('POST', PATH, { token, body })
    }
  })

  const everything = ['next', 'last', 'noon', 'midnight']

  test.each<[query: string, seen: string[]]>([
    ['', everything],
    // Both ends are included, to the millisecond.
    ['startDate=2030-01-01T12:00:00.000Z', ['next', 'last', 'noon']],
    ['startDate=2030-01-01T12:00:00.001Z', ['next', 'last']],
    ['endDate=2030-01-01T12:00:00.000Z', ['noon', 'midnight']],
    ['endDate=2030-01-01T11:59:59.999Z', ['midnight']],
    ['startDate=2030-01-01T12:00:00Z&endDate=2030-01-01T12:00:00Z', ['noon']],
    ['endDate=2030-01-01T23:59:59.999Z', ['last', 'noon', 'midnight']],
    ['endDate=2030-01-01T23:59:59Z', ['noon', 'midnight']],
    // A bare date is its whole day in UTC.
    ['startDate=2030-01-01', everything],
    ['startDate=2030-01-02', ['next']],
    ['endDate=2030-01-01', ['last', 'noon', 'midnight']],
    ['endDate=2030-01-02', everything],
    ['endDate=2029-12-31', []],
    ['startDate=2030-01-01&endDate=2030-01-01', ['last', 'noon', 'midnight']],
    ['startDate=2030-01-02&endDate=2030-01-02', ['next']],
    // Offsets are read.
    ['startDate=2030-01-01T09:00:00-03:00', ['next', 'last', 'noon']],
    ['endDate=2030-01-01T13:00:00%2B01:00', ['noon', 'midnight']],
    ['endDate=2030-01-01t12:00:00z', ['noon', 'midnight']],
    ['endDate=2030-01-01T12:00Z', ['noon', 'midnight']],
    // Nothing lies between an end and a later start.
    ['startDate=2030-01-02&endDate=2030-01-01', []],
    ['startDate=&endDate=', everything],
    ['startDate=2024-02-29', everything],
  ])('with ?%s show %j', async (query, seen) => {
    const token = await sandbox.token()
    const { body } = await sandbox.send('GET', `${PATH}?${query}`, { token })
    expect(body.data.items.map(({ description }: { description: string }) => description)).toEqual(seen)
  })
})
