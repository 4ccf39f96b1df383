// Checks triggers fired by hand beyond the matrix of rows: disputes, late payers, what triggers carry, amounts of refunds.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { TRANSACTION_RULES } from '../../src/domain/transactionRules.ts'
import { fire } from '../../src/domain/transition.ts'
import { cents, sumCents } from '../../src/kernel/brands.ts'
import { createPix, START } from '../support/sandbox.ts'
import {
  begin,
  CONFIRM,
  deliveriesOf,
  moneyOf,
  PART,
  reach,
  stored,
  trigger,
  WAYS,
} from './transactionSteps.ts'
import type { Transaction } from '../../src/domain/records.ts'
import type { TestSandbox } from '../support/sandbox.ts'
import type { Step } from './transactionSteps.ts'

const CARD = {
  cardNumber: ['4111', '1111', '1111', '1111'].join(''),
  cardHolderName: 'ANA SOUZA',
  cardExpirationMonth: '12',
  cardExpirationYear: '2060',
  cardCvv: '123',
}

/** Opens a dispute on a transaction and answers its id. */
async function dispute(sandbox: TestSandbox, { id: paymentId }: Transaction): Promise<string> {
  const { status, body } = await sandbox.control('POST', '/disputes', { paymentId })
  expect(status, JSON.stringify(body)).toBe(201)
  return String(body.id)
}

describe('a dispute on a transaction', () => {
  test('an open dispute forbids refunds, asked for in any way', async () => {
    const sandbox = begin()
    const record = await reach(sandbox, [CONFIRM])
    await dispute(sandbox, record)
    for (const [verb, carries] of [['refund'], ['refund', { amount: 1 }], ['requestRefund']] as Step[]) {
      const { status, body, headers } = await trigger(sandbox, record.id, verb, carries)
      expect([status, body.error.code]).toEqual([409, 'sandbox_trigger_refused'])
      expect(body.error.message).toContain('dispute')
      expect(headers.get('x-sandbox-allowed')).toBe('')
    }
    const simulated = await sandbox.call('POST', `/v1/transactions/${record.id}/simulate`, {
      action: 'refund',
    })
    expect([simulated.status, simulated.body.error.code]).toEqual([400, 'invalid_status'])
    expect(stored(sandbox, record.id).status).toBe('Completed')
  })

  test('a dispute that is over, or on another transaction, forbids nothing', async () => {
    const sandbox = begin()
    const record = await reach(sandbox, [CONFIRM])
    await trigger(sandbox, await dispute(sandbox, record), 'cancel')
    await dispute(sandbox, await reach(sandbox, [CONFIRM]))
    expect((await trigger(sandbox, record.id, 'refund')).status).toBe(200)
  })

  // proves: row dispute MerchantResponded lose Lost, row transaction Completed chargeBack Refunded
  test('charges the transaction back when it is lost, though it was open until then', async () => {
    const sandbox = begin()
    const record = await reach(sandbox, [CONFIRM])
    const id = await dispute(sandbox, record)
    await trigger(sandbox, id, 'respond', { text: 'Entregue em 2 de janeiro.' })
    const { body } = await trigger(sandbox, id, 'lose')
    expect(body).toMatchObject({
      id,
      from: 'MerchantResponded',
      to: 'Lost',
      record: { id, holdState: 'Debited' },
    })
    expect(body.deliveries).toEqual([deliveriesOf(sandbox, record.id).at(-1)])
    expect(record).toMatchObject({ status: 'Refunded', refundedAmount: 10_000, refundedAt: START })
    expect(sandbox.world.state.journal.slice(-2).map(({ machine, on }) => [machine, on])).toEqual([
      ['dispute', 'lose'],
      ['transaction', 'chargeBack'],
    ])
    // The fee stays with the gateway: the merchant sold for 9850 and pays 10000 back.
    expect(moneyOf(sandbox, record)).toMatchObject({ available: -150, reserved: 0, payers: 0, gateway: 150 })
  })
})

describe('a late payer (TX-30)', () => {
  test('completes an Expired PIX where the world chose so, and is named among what would fire', async () => {
    const sandbox = begin({ 'TX-30': 'latePayer' })
    const record = await reach(sandbox, [['expire']])
    const refused = await trigger(sandbox, record.id, 'refund')
    expect(refused.headers.get('x-sandbox-allowed')).toBe('confirm')
    const { body } = await trigger(sandbox, record.id, 'confirm')
    expect(body).toMatchObject({ from: 'Expired', to: 'Completed' })
    expect(body.record).toMatchObject({ failureReason: null, completedAt: START })
    expect(moneyOf(sandbox, record)).toMatchObject({ available: 9_850, gateway: 150 })
  })

  test.each(['Failed', 'Cancelled', 'Refunded'] as const)('does not pay what is %s', async (status) => {
    const sandbox = begin({ 'TX-30': 'latePayer' })
    const record = await reach(sandbox, WAYS[status])
    expect((await trigger(sandbox, record.id, 'confirm')).status).toBe(409)
  })

  test.each([
    ['boleto', { method: 'Boleto', customerName: 'Ana Souza', boletoDueDate: '2030-01-10' }],
    ['card', { method: 'CreditCard', ...CARD }],
  ])('pays nothing but PIX: an Expired %s stays so', async (_method, fields) => {
    const sandbox = begin({ 'TX-30': 'latePayer' })
    const { body } = await sandbox.call('POST', '/v1/transactions', { amount: 10_000, ...fields })
    const { id } = body.data
    await trigger(sandbox, id, 'expire')
    const { status, headers } = await trigger(sandbox, id, 'confirm')
    expect([status, headers.get('x-sandbox-allowed')]).toEqual([409, ''])
    expect(stored(sandbox, id).status).toBe('Expired')
  })

  test('is not what simulate means by complete', async () => {
    const sandbox = begin({ 'TX-30': 'latePayer' })
    const record = await reach(sandbox, [['expire']])
    const path = `/v1/transactions/${record.id}/simulate`
    const { status, body } = await sandbox.call('POST', path, { action: 'complete' })
    expect([status, body.error.code]).toEqual([400, 'invalid_status'])
  })
})

describe('amounts of refunds', () => {
  test('add up over several partial refunds until nothing is left', async () => {
    const sandbox = begin()
    const record = await reach(sandbox, [CONFIRM])
    const found: unknown[] = []
    for (const amount of [1, 3_332, 3_333, 3_334]) {
      const { body } = await trigger(sandbox, record.id, 'refund', { amount })
      found.push([body.to, body.record.refundedAmount, moneyOf(sandbox, record)['available']])
    }
    // Cumulative fee that came back: floor(150 * 1, 3333, 6666, 10000 / 10000) = 0, 49, 99, 150.
    expect(found).toEqual([
      ['PartiallyRefunded', 1, 9_849],
      ['PartiallyRefunded', 3_333, 6_566],
      ['PartiallyRefunded', 6_666, 3_283],
      ['Refunded', 10_000, 0],
    ])
    expect(moneyOf(sandbox, record)).toEqual({ available: 0, pending: 0, reserved: 0, payers: 0, gateway: 0 })
    expect(deliveriesOf(sandbox, record.id).map((id) => sandbox.world.state.deliveries[id]?.type)).toEqual([
      'payment.completed',
      'payment.partially_refunded',
      'payment.partially_refunded',
      'payment.partially_refunded',
      'payment.refunded',
    ])
  })

  test('any refunds that add up to the amount leave no money anywhere', async () => {
    const sandbox = begin()
    const parts = fc.array(fc.integer({ min: 1, max: 5_000_000 }), { minLength: 1, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(parts, async (amounts) => {
        const amount = Math.max(100, sumCents(amounts.map(cents)))
        const { id } = await createPix(sandbox, { amount })
        const record = stored(sandbox, id)
        fire(sandbox.world, TRANSACTION_RULES, record, 'confirm')
        for (const part of amounts) fire(sandbox.world, TRANSACTION_RULES, record, 'refund', { amount: part })
        if (record.status !== 'Refunded') fire(sandbox.world, TRANSACTION_RULES, record, 'refund')
        expect(record).toMatchObject({ status: 'Refunded', refundedAmount: amount })
        expect(Object.values(moneyOf(sandbox, record))).toEqual([0, 0, 0, 0, 0])
      }),
      { numRuns: 60 },
    )
  })

  const WRONG: [verb: string, amount: unknown, codes: string[]][] = ['refund', 'requestRefund'].flatMap(
    (verb): [string, unknown, string[]][] => [
      [verb, 0, ['sandbox_bad_amount']],
      [verb, -1, ['sandbox_bad_amount']],
      [verb, 6_001, ['sandbox_bad_amount']],
      [verb, 99_999_999_999, ['sandbox_bad_amount']],
      [verb, 1.5, ['sandbox_bad_amount', 'sandbox_bad_request']],
      [verb, '100', ['sandbox_bad_request']],
      [verb, true, ['sandbox_bad_request']],
    ],
  )

  test.each(WRONG)(
    '%s of %j, where 6000 is left, is refused and changes nothing',
    async (verb, amount, codes) => {
      const sandbox = begin()
      const record = await reach(sandbox, [CONFIRM, PART])
      const before = structuredClone(record)
      const { status, body } = await trigger(sandbox, record.id, verb, { amount })
      expect(status).toBe(400)
      expect(codes).toContain(body.error.code)
      expect(stored(sandbox, record.id)).toEqual(before)
    },
  )

  test('the refusal of an amount says what is left', async () => {
    const sandbox = begin()
    const record = await reach(sandbox, [CONFIRM, PART])
    const { body } = await trigger(sandbox, record.id, 'refund', { amount: 6_001 })
    expect(body.error.message).toContain('1 to 6000')
  })

  test('a status that refuses is named before an amount that does not fit', async () => {
    const sandbox = begin()
    const record = await reach(sandbox, [])
    const { body } = await trigger(sandbox, record.id, 'refund', { amount: 99_999 })
    expect(body.error.code).toBe('sandbox_trigger_refused')
  })

  test('a refund in steps takes the amount that was asked for, whatever is left', async () => {
    const sandbox = begin()
    const record = await reach(sandbox, [CONFIRM, ['requestRefund', { amount: 1_000 }], ['settleRefund']])
    expect(record).toMatchObject({ status: 'PartiallyRefunded', refundedAmount: 1_000 })
    await trigger(sandbox, record.id, 'requestRefund', { amount: 2_000 })
    await trigger(sandbox, record.id, 'rejectRefund', { reason: 'Conta encerrada.' })
    expect(record).toMatchObject({ status: 'PartiallyRefunded', refundedAmount: 1_000, pendingRefund: null })
    await trigger(sandbox, record.id, 'requestRefund')
    await trigger(sandbox, record.id, 'settleRefund')
    expect(record).toMatchObject({ status: 'Refunded', refundedAmount: 10_000, pendingRefund: null })
    expect(moneyOf(sandbox, record)).toMatchObject({ available: 0, payers: 0, gateway: 0 })
  })

  test.each(['settleRefund', 'rejectRefund'])('%s takes no amount of its own', async (verb) => {
    const sandbox = begin()
    const record = await reach(sandbox, [CONFIRM, ['requestRefund', { amount: 1_000 }]])
    const { status, body } = await trigger(sandbox, record.id, verb, { amount: 500 })
    expect([status, body.error.code]).toEqual([400, 'sandbox_bad_request'])
    expect(record).toMatchObject({ status: 'Processing', pendingRefund: { amount: 1_000 } })
  })

  test('the gateway keeps its fee where the world chose so (TX-29), and available falls below zero', async () => {
    const sandbox = begin({ 'TX-29': 'feeKept' })
    const record = await reach(sandbox, [CONFIRM, ['refund']])
    expect(moneyOf(sandbox, record)).toMatchObject({ available: -150, gateway: 150, payers: 0 })
  })
})

describe('what a trigger may carry', () => {
  test('the payer of a confirmation, in part: the rest is made up', async () => {
    const sandbox = begin()
    const record = await reach(sandbox, [])
    const { body } = await trigger(sandbox, record.id, 'confirm', { payer: { name: 'Ana Souza' } })
    expect(body.record.pix).toMatchObject({
      payerName: 'Ana Souza',
      payerDocument: expect.stringMatching(/^\*{3}\d{6}\*{2}$/),
      payerBank: 'Banco Exemplo S.A.',
    })
  })

  test('the payer of a confirmation wins over the customer of the transaction', async () => {
    const sandbox = begin()
    const { id } = await createPix(sandbox, { customerName: 'Bruno Dias', customerDocument: '98765432100' })
    const { body } = await trigger(sandbox, id, 'confirm', { payer: { document: '123.456.789-09' } })
    expect(body.record.pix).toMatchObject({ payerName: 'Bruno Dias', payerDocument: '***456789**' })
  })

  test.each(['fail', 'cancel'])('%s without a reason has one of its own', async (verb) => {
    const sandbox = begin()
    const record = await reach(sandbox, [])
    const { body } = await trigger(sandbox, record.id, verb)
    expect(body.record.failureReason).toMatch(/\S/)
  })

  test.each([
    ['confirm', { amount: 100 }, 'amount'],
    ['confirm', { payer: { nome: 'Ana' } }, 'nome'],
    ['confirm', { payer: 'Ana' }, 'payer'],
    ['expire', { reason: 'tarde' }, 'reason'],
    ['fail', { reason: '' }, 'reason'],
    ['fail', { reason: 'x'.repeat(501) }, 'reason'],
    ['cancel', { reason: 7 }, 'reason'],
  ])('%s refuses %j and names %s', async (verb, carries, named) => {
    const sandbox = begin()
    const record = await reach(sandbox, [])
    const { status, body } = await trigger(sandbox, record.id, verb, carries)
    expect([status, body.error.code]).toEqual([400, 'sandbox_bad_request'])
    expect(body.error.message).toContain(named)
    expect(record.status).toBe('Pending')
  })

  test('a trigger that no transaction has is refused with the nearest one', async () => {
    const sandbox = begin()
    const record = await reach(sandbox, [])
    const { status, body } = await trigger(sandbox, record.id, 'confirmed')
    expect([status, body.error.code]).toEqual([400, 'sandbox_bad_request'])
    expect(body.error.message).toContain("Did you mean 'confirm'?")
  })

  test.each([[{}], [{ on: 'x' }], [{ do: 'confirm' }], [{ on: 1, do: 'confirm' }], [{ on: 'x', do: null }]])(
    'a call without on or do is refused: %j',
    async (body) => {
      const answered = await begin().control('POST', '/trigger', body)
      expect([answered.status, answered.body.error.code]).toEqual([400, 'sandbox_bad_request'])
    },
  )

  test.each(['6f9619ff-8b86-4d01-b42d-00cf4fc964ff', 'nothing', '', '__proto__', 'constructor'])(
    'a record that is not there is refused: %s',
    async (on) => {
      const { status, body } = await trigger(begin(), on, 'confirm')
      expect([status, body.error.code]).toEqual([404, 'sandbox_not_found'])
      expect(body.error.message).toContain('/_sandbox/transactions')
    },
  )

  test('a record of another world is not there', async () => {
    const sandbox = begin()
    const record = await reach(sandbox, [])
    await sandbox.control('POST', '/worlds', { id: 'other' })
    const path = '/worlds/other/trigger'
    const { status } = await sandbox.control('POST', path, { on: record.id, do: 'confirm' })
    expect(status).toBe(404)
    expect(record.status).toBe('Pending')
  })
})
