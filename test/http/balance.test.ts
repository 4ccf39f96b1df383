// Checks the balance: every field, its place and knobs, days and periods in São Paulo, and what falls below zero.
import { describe, expect, test } from 'vitest'
import { begin, reach, trigger } from '../control/transactionSteps.ts'
import { createPix, START } from '../support/sandbox.ts'
import { advance, choose, control, fresh, makeToken, outcome } from './calls.ts'
import type { Answered, TestSandbox } from '../support/sandbox.ts'

/** The balance of a key pair, of the default one unless named. */
async function balance(sandbox: TestSandbox, publicKey?: string): Promise<Answered['body']> {
  const { status, body } = await sandbox.send('GET', '/v1/balance', { token: await sandbox.token(publicKey) })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data
}

/** A sale of an amount without a fee, completed now. */
async function sell(sandbox: TestSandbox, amount: number): Promise<string> {
  const { id } = await createPix(sandbox, { amount })
  expect((await trigger(sandbox, id, 'confirm')).status).toBe(200)
  return String(id)
}

const FREE = { 'TX-08': { Pix: { bps: 0, fixed: 0 } }, 'AU-13': 'off' }

describe('the balance', () => {
  test('of a merchant to whom nothing happened is zero, since its creation', async () => {
    const sandbox = begin()
    await advance(sandbox, '1h')
    expect(await balance(sandbox)).toEqual({
      currency: 'BRL',
      balance: {
        available: 0,
        pending: 0,
        reserved: 0,
        total: 0,
        withdrawNowAvailable: 0,
        requiresFullWithdrawalNow: false,
      },
      totals: { lifetimeVolume: 0, lifetimePayouts: 0, lifetimeRefunds: 0 },
      period: { volumeToday: 0, volumeThisWeek: 0, volumeThisMonth: 0 },
      updatedAt: START,
    })
  })

  test('shows every bucket and total', async () => {
    const sandbox = begin({ 'TX-23': { Boleto: 1 } })
    const sale = await reach(sandbox, [['confirm']])
    const { body } = await sandbox.call('POST', '/v1/transactions', {
      method: 'Boleto',
      amount: 50_000,
      customerName: 'Ana',
      boletoDueDate: '2030-01-10',
    })
    await trigger(sandbox, body.data.id, 'confirm')
    const cashout = { amount: 3_000, pixKeyType: 'CPF', pixKey: '12345678909' }
    const made: string[] = []
    for (let count = 0; count < 2; count++) {
      made.push((await sandbox.call('POST', '/v1/cashouts', cashout)).body.data.id)
    }
    await trigger(sandbox, made[0] ?? '', 'complete')
    await advance(sandbox, '5m')
    await trigger(sandbox, sale.id, 'refund', { amount: 1_000 })
    await advance(sandbox, '5m')
    // 9850 - 2 x 3000 - (1000 - 15 of the fee)
    expect(await balance(sandbox)).toEqual({
      currency: 'BRL',
      balance: {
        available: 2_865,
        pending: 49_650,
        reserved: 3_000,
        total: 55_515,
        withdrawNowAvailable: 2_865,
        requiresFullWithdrawalNow: false,
      },
      totals: { lifetimeVolume: 60_000, lifetimePayouts: 3_000, lifetimeRefunds: 1_000 },
      period: { volumeToday: 60_000, volumeThisWeek: 60_000, volumeThisMonth: 60_000 },
      updatedAt: '2030-01-01T12:05:00.000Z',
    })
  })

  test('falls below zero through a refund, and nothing can be withdrawn then', async () => {
    const sandbox = begin()
    const sale = await reach(sandbox, [['confirm']])
    const cashout = { amount: 9_850, pixKeyType: 'CPF', pixKey: '12345678909' }
    await sandbox.call('POST', '/v1/cashouts', cashout)
    await trigger(sandbox, sale.id, 'refund')
    expect((await balance(sandbox)).balance).toMatchObject({
      available: -9_850,
      reserved: 9_850,
      total: 0,
      withdrawNowAvailable: 0,
    })
    const refused = await sandbox.call('POST', '/v1/cashouts', { ...cashout, amount: 1_000 })
    expect(outcome(refused)).toBe('400 insufficient_balance')
    await control(sandbox, 'PATCH', '/balance', { fund: 9_851 })
    expect((await balance(sandbox)).balance).toMatchObject({ available: 1, withdrawNowAvailable: 1 })
  })

  test('counts lost disputes as refunds, and not funding as volume', async () => {
    const sandbox = begin()
    const { id } = await reach(sandbox, [['confirm']])
    await control(sandbox, 'PATCH', '/balance', { fund: 500 })
    const dispute = await control(sandbox, 'POST', '/disputes', { paymentId: id, amount: 4_000 })
    expect((await balance(sandbox)).totals.lifetimeRefunds).toBe(0)
    await trigger(sandbox, dispute.id, 'lapse')
    expect((await balance(sandbox)).totals).toEqual({
      lifetimeVolume: 10_000,
      lifetimePayouts: 0,
      lifetimeRefunds: 4_000,
    })
  })

  test('of a split counts for the volume of the seller only', async () => {
    const sandbox = begin()
    const { receiver } = await control(sandbox, 'GET', '/worlds/default')
    const { id } = await createPix(sandbox, {
      amount: 10_000,
      splits: [{ splitCode: receiver.splitCode, type: 'FIXED', value: 1_000 }],
    })
    await advance(sandbox, '1m')
    await trigger(sandbox, id, 'confirm')
    expect((await balance(sandbox)).totals.lifetimeVolume).toBe(10_000)
    expect(await balance(sandbox, receiver.publicKey)).toMatchObject({
      balance: { available: 1_000, total: 1_000 },
      totals: { lifetimeVolume: 0 },
      period: { volumeToday: 0 },
      updatedAt: '2030-01-01T12:01:00.000Z',
    })
  })

  test('of Production is another', async () => {
    const sandbox = begin()
    await reach(sandbox, [['confirm']])
    expect((await balance(sandbox, 'pk_production_default')).balance.total).toBe(0)
  })

  test('needs its permission', async () => {
    const sandbox = begin()
    const token = await makeToken(sandbox, { permissions: ['transactions.read'] })
    expect(outcome(await sandbox.send('GET', '/v1/balance', { token }))).toBe('403 forbidden')
    expect(outcome(await sandbox.send('GET', '/v1/balance'))).toBe('401 unauthorized')
  })
})

describe('what can be withdrawn now', () => {
  test('stands where a world chose', async () => {
    const sandbox = begin()
    await control(sandbox, 'PATCH', '/balance', { fund: 700 })
    const fields = { withdrawNowAvailable: 700, requiresFullWithdrawalNow: false }
    const inBalance = await balance(sandbox)
    expect(inBalance.balance).toMatchObject(fields)
    expect(inBalance).not.toHaveProperty('withdrawNowAvailable')
    await choose(sandbox, { 'BA-01': 'inData' })
    const inData = await balance(sandbox)
    expect(inData).toMatchObject(fields)
    expect(Object.keys(inData.balance)).toEqual(['available', 'pending', 'reserved', 'total'])
  })

  test.each([
    [false, null, false],
    [true, null, true],
    [false, true, true],
    [true, false, false],
  ])(
    'in a world that chose %j and with a trigger of %j is all or nothing: %j',
    async (choice, set, expected) => {
      const sandbox = begin({ 'BA-02': choice })
      await control(sandbox, 'PATCH', '/balance', { requireFullWithdrawal: set })
      expect((await balance(sandbox)).balance.requiresFullWithdrawalNow).toBe(expected)
      expect((await balance(sandbox, 'pk_production_default')).balance.requiresFullWithdrawalNow).toBe(choice)
    },
  )
})

describe('the volumes of periods', () => {
  /** Today, week and month. */
  const periods = async (sandbox: TestSandbox): Promise<number[]> => {
    const { period } = await balance(sandbox)
    return [period.volumeToday, period.volumeThisWeek, period.volumeThisMonth]
  }
  const startAt = (clock: string, silences: Record<string, unknown> = {}): TestSandbox =>
    fresh({ clock, silences: { ...FREE, ...silences } })
  const goTo = (sandbox: TestSandbox, to: string): Promise<unknown> =>
    control(sandbox, 'POST', '/clock/advance', { to })

  test('count by the day in São Paulo, whose midnight is three hours after that of UTC', async () => {
    const sandbox = startAt('2030-01-15T02:59:59.999Z')
    await sell(sandbox, 100)
    expect(await periods(sandbox)).toEqual([100, 100, 100])
    await advance(sandbox, '1ms')
    expect(await periods(sandbox)).toEqual([0, 100, 100])
    await sell(sandbox, 1_000)
    expect(await periods(sandbox)).toEqual([1_000, 1_100, 1_100])
    await goTo(sandbox, '2030-01-16T02:59:59.999Z')
    expect(await periods(sandbox)).toEqual([1_000, 1_100, 1_100])
  })

  test('count the day of completion, not that of creation', async () => {
    const sandbox = startAt('2030-01-15T02:59:00.000Z')
    const { id } = await createPix(sandbox, { amount: 100 })
    await advance(sandbox, '1m')
    await trigger(sandbox, id, 'confirm')
    expect((await periods(sandbox))[0]).toBe(100)
  })

  test('are not less for refunds', async () => {
    const sandbox = startAt('2030-01-15T12:00:00.000Z')
    const id = await sell(sandbox, 500)
    await trigger(sandbox, id, 'refund')
    expect(await periods(sandbox)).toEqual([500, 500, 500])
  })

  // 2030-01-15 is a Tuesday. The sale is of that day.
  const rows: [string, string, number[]][] = [
    ['rollingDays', '2030-01-22T02:59:59.999Z', [0, 100, 100]],
    ['rollingDays', '2030-01-22T03:00:00.000Z', [0, 0, 100]],
    ['rollingDays', '2030-02-14T02:59:59.999Z', [0, 0, 100]],
    ['rollingDays', '2030-02-14T03:00:00.000Z', [0, 0, 0]],
    ['calendar', '2030-01-21T02:59:59.999Z', [0, 100, 100]],
    ['calendar', '2030-01-21T03:00:00.000Z', [0, 0, 100]],
    ['calendar', '2030-02-01T02:59:59.999Z', [0, 0, 100]],
    ['calendar', '2030-02-01T03:00:00.000Z', [0, 0, 0]],
  ]

  test.each(rows)('in a world that chose %s, seen at %s, are %j', async (choice, to, expected) => {
    const sandbox = startAt('2030-01-15T12:00:00.000Z', { 'BA-03': choice })
    await sell(sandbox, 100)
    await goTo(sandbox, to)
    expect(await periods(sandbox)).toEqual(expected)
  })

  test.each([
    ['2030-01-20T12:00:00.000Z', '2030-01-20T13:00:00.000Z', [100, 100, 100]],
    ['2030-01-14T12:00:00.000Z', '2030-01-20T13:00:00.000Z', [0, 100, 100]],
    ['2030-01-13T12:00:00.000Z', '2030-01-14T13:00:00.000Z', [0, 0, 100]],
    ['2030-01-31T12:00:00.000Z', '2030-02-01T13:00:00.000Z', [0, 100, 0]],
  ])(
    'by the calendar begin on Monday and on the first: a sale of %s seen at %s',
    async (clock, to, expected) => {
      const sandbox = startAt(clock, { 'BA-03': 'calendar' })
      await sell(sandbox, 100)
      await goTo(sandbox, to)
      expect(await periods(sandbox)).toEqual(expected)
    },
  )
})
