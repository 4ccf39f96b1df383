// Tells 35 days of a merchant in one test and checks the balance to the cent on each day.
import { afterAll, expect, test } from 'vitest'
import { openSandbox } from './support/sandbox.ts'
import type { Answered } from './support/sandbox.ts'

const sandbox = openSandbox()
afterAll(() => sandbox.close())

interface Balance {
  available: number
  pending: number
  reserved: number
}

async function call(method: string, path: string, body?: unknown): Promise<Answered['body']> {
  const answered = await sandbox.send(method, path, { token: await sandbox.token(), body })
  expect(answered.status, JSON.stringify(answered.body)).toBeLessThan(300)
  return answered.body.data
}

async function sell(fields: Record<string, unknown>): Promise<string> {
  const { id } = await call('POST', '/v1/transactions', fields)
  await call('POST', `/v1/transactions/${id}/simulate`, { action: 'complete' })
  return String(id)
}

/** What happens on each day, and the balance at its end. Days without a line change nothing. */
const CARD = {
  cardNumber: ['4111', '1111', '1111', '1111'].join(' '),
  cardHolderName: 'ANA SOUZA',
  cardExpirationMonth: '12',
  cardExpirationYear: '2031',
  cardCvv: '123',
}

// proves: endpoint getBalance, enum Method CreditCard, enum Method Boleto
test('cards and boletos settle on their days, cashouts and disputes move their money, to the cent', async () => {
  let disputeId = ''
  let cashoutId = ''
  let pixId = ''
  const days: Record<number, { happens: () => Promise<unknown>; after: Balance }> = {
    0: {
      async happens() {
        pixId = await sell({ method: 'Pix', amount: 100_000 })
        await sell({ method: 'CreditCard', amount: 200_000, installments: 3, ...CARD })
        await sell({
          method: 'Boleto',
          amount: 50_000,
          customerName: 'Ana Souza',
          boletoDueDate: '2030-01-03',
        })
        const cashout = { amount: 30_000, pixKeyType: 'CPF', pixKey: '12345678909' }
        cashoutId = (await call('POST', '/v1/cashouts', cashout)).id
      },
      after: { available: 68_500, pending: 191_981 + 49_650, reserved: 30_000 },
    },
    1: {
      happens: () => call('POST', `/v1/cashouts/${cashoutId}/simulate`, { action: 'complete' }),
      after: { available: 118_150, pending: 191_981, reserved: 0 },
    },
    2: {
      async happens() {
        const { id } = await call('POST', '/v1/cashouts', {
          amount: 20_000,
          pixKeyType: 'CPF',
          pixKey: '12345678909',
        })
        expect(await call('GET', '/v1/balance')).toMatchObject({
          balance: { available: 98_150, reserved: 20_000 },
        })
        await call('POST', `/v1/cashouts/${id}/simulate`, { action: 'reject' })
      },
      after: { available: 118_150, pending: 191_981, reserved: 0 },
    },
    5: {
      async happens() {
        const { status, body } = await sandbox.control('POST', '/disputes', { paymentId: pixId })
        expect(status).toBe(201)
        disputeId = body.id
      },
      after: { available: 18_150, pending: 191_981, reserved: 100_000 },
    },
    7: {
      happens: () => call('PUT', `/v1/disputes/${disputeId}/response`, { text: 'Entregue em 2030-01-02.' }),
      after: { available: 18_150, pending: 191_981, reserved: 100_000 },
    },
    10: {
      async happens() {
        const { status } = await sandbox.control('POST', '/trigger', { on: disputeId, do: 'lose' })
        expect(status).toBe(200)
        expect(await call('GET', `/v1/transactions/${pixId}`)).toMatchObject({ status: 'Refunded' })
      },
      after: { available: 18_150, pending: 191_981, reserved: 0 },
    },
    30: {
      happens: () => Promise.resolve(),
      after: { available: 210_131, pending: 0, reserved: 0 },
    },
  }
  let balance: Balance = { available: 0, pending: 0, reserved: 0 }
  for (let day = 0; day <= 35; day++) {
    if (day > 0) await sandbox.control('POST', '/clock/advance', { by: '1d' })
    await days[day]?.happens()
    balance = days[day]?.after ?? balance
    const total = balance.available + balance.pending + balance.reserved
    const now = await call('GET', '/v1/balance')
    expect(now.balance, `day ${day}`).toMatchObject({ ...balance, total })
  }
  const { totals, period } = await call('GET', '/v1/balance')
  expect(totals).toEqual({ lifetimeVolume: 350_000, lifetimePayouts: 30_000, lifetimeRefunds: 100_000 })
  expect(period).toEqual({ volumeToday: 0, volumeThisWeek: 0, volumeThisMonth: 0 })
  const postings = (await sandbox.control('GET', '/postings?limit=1000')).body.items
  for (const { lines } of postings) {
    expect(lines.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0)).toBe(0)
  }
  expect(sandbox.defects).toEqual([])
})
