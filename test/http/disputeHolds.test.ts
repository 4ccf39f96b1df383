// Checks what a dispute holds in a world that chose so (DI-05): pending money too, or nothing at all.
import { expect, test } from 'vitest'
import { begin, deliveriesOf, jobsOf, moneyOf, reach, stored, trigger } from '../control/transactionSteps.ts'
import { control } from './calls.ts'
import type { Transaction } from '../../src/domain/records.ts'
import type { TestSandbox } from '../support/sandbox.ts'

/** Opens a dispute and answers its id. */
async function dispute(
  sandbox: TestSandbox,
  { id: paymentId }: Transaction,
  amount?: number,
): Promise<string> {
  return String((await control(sandbox, 'POST', '/disputes', { paymentId, amount })).id)
}

test.each([
  ['availableAndPending', 4_000, { available: 0, pending: 8_850, reserved: 4_000 }],
  ['availableAndPending', 3_001, { available: 0, pending: 9_849, reserved: 3_001 }],
  ['availableAndPending', 2_000, { available: 1_000, pending: 9_850, reserved: 2_000 }],
  ['available', 4_000, { available: 0, pending: 9_850, reserved: 3_000 }],
  ['none', 4_000, { available: 3_000, pending: 9_850, reserved: 0 }],
])(
  'with 3000 available and 9850 pending, a world that holds %s holds of %i: %j',
  async (hold, amount, money) => {
    const sandbox = begin({ 'TX-23': { Pix: 1 }, 'DI-05': { hold } })
    const sale = await reach(sandbox, [['confirm']])
    await control(sandbox, 'PATCH', '/balance', { fund: 3_000 })
    await dispute(sandbox, sale, amount)
    expect(moneyOf(sandbox, sale)).toMatchObject(money)
    expect(sale.unsettledAmount).toBe(money.pending)
  },
)

test('all that is pending can be held, and then nothing waits to be settled', async () => {
  const sandbox = begin({ 'TX-23': { Pix: 1 }, 'DI-05': { hold: 'availableAndPending' } })
  const sale = await reach(sandbox, [['confirm']])
  expect(jobsOf(sandbox, sale.id)).toEqual(['settleSale'])
  await dispute(sandbox, sale)
  expect(moneyOf(sandbox, sale)).toMatchObject({ available: 0, pending: 0, reserved: 9_850 })
  expect(jobsOf(sandbox, sale.id)).toEqual([])
})

test('a lost dispute that held nothing and debits the held part only leaves everything as it was', async () => {
  const sandbox = begin({ 'DI-05': { hold: 'none', debit: 'heldPart' } })
  const sale = await reach(sandbox, [['confirm']])
  const id = await dispute(sandbox, sale)
  const { status, body } = await trigger(sandbox, id, 'lapse')
  expect([status, body.to, body.deliveries]).toEqual([200, 'Expired', []])
  expect(body.record).toMatchObject({ holdState: 'None', heldAmount: 0, holdDebitedAt: null })
  expect(stored(sandbox, sale.id)).toMatchObject({ status: 'Completed', refundedAmount: 0, refundedAt: null })
  expect(deliveriesOf(sandbox, sale.id)).toHaveLength(1)
})
