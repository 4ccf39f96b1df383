// Checks splits: what a request may ask, what each receiver gets, and what goes back with refunds, to the cent.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_SPLITS } from '../../src/contract/limits.ts'
import { begin, jobsOf, trigger } from '../control/transactionSteps.ts'
import { control, fresh, outcome, refusedAs, refusedCall } from './calls.ts'
import type { Answered, TestSandbox } from '../support/sandbox.ts'

interface Split {
  splitCode?: unknown
  type?: unknown
  value?: unknown
}

/** A receiver of its own. */
async function receiver(sandbox: TestSandbox): Promise<{ id: string; splitCode: string }> {
  return control(sandbox, 'POST', '/organizations', {})
}

/** The first merchant of the world. */
async function merchant(sandbox: TestSandbox): Promise<{ id: string; splitCode: string }> {
  return (await control(sandbox, 'GET', '/worlds/default')).organization
}

/** Asks for a transaction with splits. */
const sell = (sandbox: TestSandbox, splits: unknown, fields: object = {}): Promise<Answered> =>
  sandbox.call('POST', '/v1/transactions', { method: 'Pix', amount: 10_000, splits, ...fields })

/** Available cents of an organisation in Sandbox. */
async function available(sandbox: TestSandbox, id: string): Promise<number> {
  const { items } = await control(sandbox, 'GET', `/balances?organizationId=${id}&environment=Sandbox`)
  return items[0].available
}

describe('a split', () => {
  // Amount 10000, fee 150, net 9850.
  const fitting: [string, string, number, number][] = [
    ['one percent', 'PERCENTAGE', 1, 100],
    ['two decimals', 'PERCENTAGE', 33.33, 3_333],
    ['two decimals that no float holds', 'PERCENTAGE', 1.15, 115],
    ['another of those', 'PERCENTAGE', 8.29, 829],
    ['all that is settled', 'PERCENTAGE', 98.5, 9_850],
    ['a cent', 'FIXED', 1, 1],
    ['all of the net amount', 'FIXED', 9_850, 9_850],
    ['a type in lower case', 'percentage', 10, 1_000],
    ['a type in mixed case', 'Fixed', 10, 10],
  ]

  // proves: enum SplitType PERCENTAGE, enum SplitType FIXED
  test.each(fitting)('of %s (%s %d) is %d cents', async (_what, type, value, shareAmount) => {
    const sandbox = fresh()
    const { splitCode } = await receiver(sandbox)
    const { status, body } = await sell(sandbox, [{ splitCode, type, value }])
    expect(status, JSON.stringify(body)).toBe(201)
    const split = { splitCode, type: type.toUpperCase(), value, shareAmount }
    expect(body.data.splits).toEqual([split])
    const { body: read } = await sandbox.call('GET', `/v1/transactions/${body.data.id}`)
    expect(read.data.splits).toEqual([split])
  })

  const bad: [string, Split, string][] = [
    ['a percentage below one', { type: 'PERCENTAGE', value: 0.99 }, 'splits.0.value'],
    ['a percentage of zero', { type: 'PERCENTAGE', value: 0 }, 'splits.0.value'],
    ['a negative percentage', { type: 'PERCENTAGE', value: -1 }, 'splits.0.value'],
    ['a percentage above a hundred', { type: 'PERCENTAGE', value: 100.01 }, 'splits.0.value'],
    ['a percentage of three decimals', { type: 'PERCENTAGE', value: 33.333 }, 'splits.0.value'],
    ['a percentage of nine decimals', { type: 'PERCENTAGE', value: 33.330_000_001 }, 'splits.0.value'],
    ['a percentage above what is settled', { type: 'PERCENTAGE', value: 98.51 }, 'splits'],
    ['a hundred percent', { type: 'PERCENTAGE', value: 100 }, 'splits'],
    ['a fixed share of zero', { type: 'FIXED', value: 0 }, 'splits.0.value'],
    ['a negative fixed share', { type: 'FIXED', value: -5 }, 'splits.0.value'],
    ['half a cent', { type: 'FIXED', value: 0.5 }, 'splits.0.value'],
    ['a fixed share above what is settled', { type: 'FIXED', value: 9_851 }, 'splits'],
    ['a fixed share above all integers', { type: 'FIXED', value: 1e300 }, 'splits.0.value'],
    ['a value as text', { type: 'FIXED', value: '5' }, 'splits.0.value'],
    ['no value', { type: 'FIXED' }, 'splits.0.value'],
    ['another type', { type: 'SHARE', value: 5 }, 'splits.0.type'],
    ['no type', { value: 5 }, 'splits.0.type'],
    ['no receiver', { splitCode: undefined, type: 'FIXED', value: 5 }, 'splits.0.splitCode'],
    ['a receiver that is no text', { splitCode: 7, type: 'FIXED', value: 5 }, 'splits.0.splitCode'],
    [
      'an unknown receiver',
      { splitCode: '00000000-0000-4000-8000-000000000000', type: 'FIXED', value: 5 },
      'splitCode',
    ],
    ['a receiver that is no uuid', { splitCode: '__proto__', type: 'FIXED', value: 5 }, 'splits.0.splitCode'],
  ]

  test.each(bad)('of %s is refused without a trace', async (_what, split, field) => {
    const sandbox = fresh()
    const { splitCode } = await receiver(sandbox)
    const { refused, message } = await refusedCall(sandbox, 'POST', '/v1/transactions', {
      method: 'Pix',
      amount: 10_000,
      splits: [{ splitCode, ...split }],
    })
    expect(refused).toEqual(refusedAs('400 validation_error'))
    expect(message).toContain(field)
  })

  test.each(['text', {}, 7, [null], ['text'], [[]]])('list that is %j is refused', async (splits) => {
    expect(outcome(await sell(fresh(), splits))).toBe('400 validation_error')
  })

  test('names a receiver once', async () => {
    const sandbox = fresh()
    const { splitCode } = await receiver(sandbox)
    const { refused, message } = await refusedCall(sandbox, 'POST', '/v1/transactions', {
      method: 'Pix',
      amount: 10_000,
      splits: [
        { splitCode, type: 'FIXED', value: 5 },
        { splitCode, type: 'PERCENTAGE', value: 5 },
      ],
    })
    expect(refused).toEqual(refusedAs('400 validation_error'))
    expect(message).toContain('splits.1.splitCode')
  })

  test('is rounded down, and the sum of shares may be the net amount and not a cent more', async () => {
    const sandbox = fresh({ silences: { 'TX-08': { Pix: { bps: 0, fixed: 1 } } } })
    const [first, second] = [await receiver(sandbox), await receiver(sandbox)]
    const shares = (fixed: number): Split[] => [
      { splitCode: first.splitCode, type: 'PERCENTAGE', value: 33.33 },
      { splitCode: second.splitCode, type: 'FIXED', value: fixed },
    ]
    // 33.33 % of 101 is 33.66; the net amount is 100.
    const { body } = await sell(sandbox, shares(67), { amount: 101 })
    expect(body.data.splits.map(({ shareAmount }: { shareAmount: number }) => shareAmount)).toEqual([33, 67])
    expect(outcome(await sell(sandbox, shares(68), { amount: 101 }))).toBe('400 validation_error')
  })

  test.each([
    ['gross', 1_000],
    ['net', 985],
  ])('of ten percent in a world that chose %s is %d cents', async (choice, shareAmount) => {
    const sandbox = fresh({ silences: { 'TX-27': choice } })
    const { splitCode } = await receiver(sandbox)
    const { body } = await sell(sandbox, [{ splitCode, type: 'PERCENTAGE', value: 10 }])
    expect(body.data.splits[0].shareAmount).toBe(shareAmount)
  })

  test('of a hundred percent fits where it counts from the net amount', async () => {
    const sandbox = fresh({ silences: { 'TX-27': 'net' } })
    const { splitCode } = await receiver(sandbox)
    const { body } = await sell(sandbox, [{ splitCode, type: 'PERCENTAGE', value: 100 }])
    expect(body.data.splits[0].shareAmount).toBe(9_850)
  })

  // proves: limit MAX_SPLITS
  test(`is one of at most ${MAX_SPLITS}`, async () => {
    const sandbox = fresh()
    const splits: Split[] = []
    for (let count = 0; count <= MAX_SPLITS; count++) {
      splits.push({ splitCode: (await receiver(sandbox)).splitCode, type: 'FIXED', value: 1 })
    }
    const { refused, message } = await refusedCall(sandbox, 'POST', '/v1/transactions', {
      method: 'Pix',
      amount: 10_000,
      splits,
    })
    expect(refused).toEqual(refusedAs('400 validation_error'))
    expect(message).toContain('splits')
    const { body } = await sell(sandbox, splits.slice(1))
    expect(body.data.splits).toHaveLength(MAX_SPLITS)
  })

  const card = {
    method: 'CreditCard',
    cardNumber: ['4111', '1111', '1111', '1111'].join(''),
    cardHolderName: 'ANA',
    cardExpirationMonth: '12',
    cardExpirationYear: '2031',
    cardCvv: '123',
  }
  const boleto = { method: 'Boleto', customerName: 'Ana', boletoDueDate: '2030-01-10' }

  test.each([
    ['a card', card],
    ['a boleto', boleto],
  ])('is not for %s, but an empty list is', async (_method, fields) => {
    const sandbox = fresh()
    const { splitCode } = await receiver(sandbox)
    expect(outcome(await sell(sandbox, [{ splitCode, type: 'FIXED', value: 1 }], fields))).toBe(
      '400 validation_error',
    )
    expect(outcome(await sell(sandbox, [], fields))).toBe('201')
    expect(outcome(await sell(sandbox, null, fields))).toBe('201')
  })

  test('is not for an organisation that may not split, until it may', async () => {
    const sandbox = fresh()
    const { id } = await merchant(sandbox)
    const { splitCode } = await receiver(sandbox)
    const splits = [{ splitCode, type: 'FIXED', value: 1 }]
    await control(sandbox, 'PATCH', `/organizations/${id}`, { maySplit: false })
    const { refused } = await refusedCall(sandbox, 'POST', '/v1/transactions', {
      method: 'Pix',
      amount: 10_000,
      splits,
    })
    expect(refused).toEqual(refusedAs('400 validation_error'))
    expect(outcome(await sell(sandbox, []))).toBe('201')
    await control(sandbox, 'PATCH', `/organizations/${id}`, { maySplit: true })
    expect(outcome(await sell(sandbox, splits))).toBe('201')
  })

  // proves: error invalid_splits
  test.each([
    ['a wrong value', { value: 0 }, {}],
    ['an unknown receiver', { splitCode: '00000000-0000-4000-8000-000000000000' }, {}],
    ['a sum above the net amount', { value: 9_851 }, {}],
    ['another method', {}, card],
  ])('with %s has a code of its own in a world that chose so', async (_what, change, fields) => {
    const sandbox = fresh({ silences: { 'TX-06': 'specific', 'AU-05': 422 } })
    const { splitCode } = await receiver(sandbox)
    const splits = [{ splitCode, type: 'FIXED', value: 1, ...change }]
    expect(outcome(await sell(sandbox, splits, fields))).toBe('400 invalid_splits')
  })
})

describe('the money of splits', () => {
  test('reaches each receiver with the confirmation, at once, and the rest the merchant', async () => {
    const sandbox = begin({ 'TX-23': { Pix: 1 } })
    const own = await merchant(sandbox)
    const [first, second] = [await receiver(sandbox), await receiver(sandbox)]
    const { body } = await sell(sandbox, [
      { splitCode: first.splitCode, type: 'PERCENTAGE', value: 12.34 },
      { splitCode: second.splitCode, type: 'FIXED', value: 777 },
    ])
    expect([await available(sandbox, first.id), await available(sandbox, second.id)]).toEqual([0, 0])
    await trigger(sandbox, body.data.id, 'confirm')
    expect([await available(sandbox, first.id), await available(sandbox, second.id)]).toEqual([1_234, 777])
    const { items } = await control(sandbox, 'GET', `/balances?organizationId=${own.id}&environment=Sandbox`)
    expect(items[0]).toMatchObject({ available: 0, pending: 9_850 - 1_234 - 777 })
  })

  test('leaves nothing to wait for when the shares take everything', async () => {
    const sandbox = begin({ 'TX-23': { Pix: 1 } })
    const { splitCode } = await receiver(sandbox)
    const { body } = await sell(sandbox, [{ splitCode, type: 'FIXED', value: 9_850 }])
    await trigger(sandbox, body.data.id, 'confirm')
    expect(jobsOf(sandbox, body.data.id)).toEqual([])
  })

  test('comes back in proportion with each refund, and whole with the last one', async () => {
    const sandbox = begin()
    const own = await merchant(sandbox)
    const other = await receiver(sandbox)
    const { body } = await sell(sandbox, [{ splitCode: other.splitCode, type: 'FIXED', value: 1_001 }])
    const { id } = body.data
    await trigger(sandbox, id, 'confirm')
    const steps: number[][] = []
    for (const amount of [3_333, 3_333, 3_334]) {
      await trigger(sandbox, id, 'refund', { amount })
      steps.push([await available(sandbox, own.id), await available(sandbox, other.id)])
    }
    // Shares back: floor(1001 * 0.3333) = 333, floor(1001 * 0.6666) = 667, 1001. Fees back: 49, 99, 150.
    expect(steps).toEqual([
      [8_849 - (3_333 - 333 - 49), 1_001 - 333],
      [8_849 - (6_666 - 667 - 99), 1_001 - 667],
      [0, 0],
    ])
  })

  test('may put a receiver below zero when it has spent its share', async () => {
    const sandbox = begin()
    const { receiver: known } = await control(sandbox, 'GET', '/worlds/default')
    const { body } = await sell(sandbox, [{ splitCode: known.splitCode, type: 'FIXED', value: 1_000 }])
    await trigger(sandbox, body.data.id, 'confirm')
    const token = await sandbox.token(known.publicKey, known.secretKey)
    const cashout = { amount: 1_000, pixKeyType: 'CPF', pixKey: '12345678909' }
    expect(outcome(await sandbox.call('POST', '/v1/cashouts', cashout, { token }))).toBe('201')
    expect((await trigger(sandbox, body.data.id, 'refund')).status).toBe(200)
    expect(await available(sandbox, known.id)).toBe(-1_000)
  })

  test('of any refunds sums to zero and leaves nobody with anything once all is refunded', async () => {
    const parts = fc.array(fc.integer({ min: 1, max: 5_000 }), { maxLength: 6 })
    const percentage = fc.integer({ min: 100, max: 4_900 }).map((value) => value / 100)
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 100, max: 50_000 }),
        percentage,
        percentage,
        parts,
        async (...drawn) => {
          const [amount, one, two, refunds] = drawn
          const sandbox = begin()
          const people = [await merchant(sandbox), await receiver(sandbox), await receiver(sandbox)]
          const splits = [one, two].map((value, index) => ({
            splitCode: people[index + 1]?.splitCode,
            type: 'PERCENTAGE',
            value,
          }))
          const { body } = await sell(sandbox, splits, { amount })
          await trigger(sandbox, body.data.id, 'confirm')
          for (const part of refunds) await trigger(sandbox, body.data.id, 'refund', { amount: part })
          await trigger(sandbox, body.data.id, 'refund')
          const { items } = await control(sandbox, 'GET', '/balances')
          expect(items.map(({ total }: { total: number }) => total)).toEqual(items.map(() => 0))
          for (const { lines } of sandbox.world.state.postings) {
            expect(lines.reduce((sum, line) => sum + line.amount, 0)).toBe(0)
          }
        },
      ),
      { numRuns: 30 },
    )
  })
})
