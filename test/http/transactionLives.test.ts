// Tests of what becomes of a PIX transaction: simulations, confirmation, expiry by the clock, refunds, reasons of failure.
import { describe, expect, test } from 'vitest'
import { TRANSACTION_STATUSES } from '../../src/contract/enums.ts'
import { createPix, START } from '../support/sandbox.ts'
import { advance, control, fresh, NO_ID, outcome, refusedAs, refusedCall } from './calls.ts'
import type { TransactionStatus } from '../../src/contract/enums.ts'
import type { Answered, TestSandbox } from '../support/sandbox.ts'

const ACTIONS = ['complete', 'expire', 'fail', 'refund'] as const
type Action = (typeof ACTIONS)[number]

const pathOf = (id: string): string => `/v1/transactions/${id}/simulate`

const simulate = (sandbox: TestSandbox, id: string, action: string): Promise<Answered> =>
  sandbox.call('POST', pathOf(id), { action })

const trigger = (
  sandbox: TestSandbox,
  id: string,
  name: string,
  parameters = {},
): Promise<Answered['body']> => control(sandbox, 'POST', '/trigger', { on: id, do: name, ...parameters })

async function read(sandbox: TestSandbox, id: string): Promise<Answered['body']> {
  const { status, body } = await sandbox.call('GET', `/v1/transactions/${id}`)
  expect(status).toBe(200)
  return body.data
}

/** How a transaction of 12 990 cents gets into each status. */
const WAYS: Record<TransactionStatus, [trigger: string, parameters?: object][]> = {
  Pending: [],
  Completed: [['confirm']],
  Expired: [['expire']],
  Failed: [['fail']],
  Cancelled: [['cancel']],
  Refunded: [['confirm'], ['refund']],
  PartiallyRefunded: [['confirm'], ['refund', { amount: 1 }]],
  Processing: [['confirm'], ['requestRefund']],
}

async function inStatus(sandbox: TestSandbox, status: TransactionStatus): Promise<string> {
  const { id } = await createPix(sandbox)
  for (const [name, parameters] of WAYS[status]) await trigger(sandbox, id, name, parameters)
  expect((await read(sandbox, id)).status).toBe(status)
  return id
}

/** Where each action leads from, and to. */
const SIMULATED: Record<Action, [from: TransactionStatus, to: TransactionStatus]> = {
  complete: ['Pending', 'Completed'],
  expire: ['Pending', 'Expired'],
  fail: ['Pending', 'Failed'],
  refund: ['Completed', 'Refunded'],
}

describe('simulating', () => {
  // proves: endpoint simulateTransaction, every simulate action
  test.each(ACTIONS)('%s answers the simulation and does what it says', async (action) => {
    const sandbox = fresh()
    const [from, to] = SIMULATED[action]
    const id = await inStatus(sandbox, from)
    const before = await read(sandbox, id)
    await advance(sandbox, '1m')
    const now = '2030-01-01T12:01:00.000Z'
    const { status, body } = await simulate(sandbox, id, action)
    expect(status).toBe(200)
    const stamps = {
      completedAt: action === 'complete' ? now : before.completedAt,
      refundedAt: action === 'refund' ? now : null,
    }
    expect(body).toEqual({
      data: {
        id,
        status: to,
        simulatedAction: action,
        ...stamps,
        pix: { txId: before.pix.txId, qrCode: null, copyAndPaste: null, expiresAt: null },
      },
      message: expect.stringMatching(/\S/),
      error: null,
    })
    expect(await read(sandbox, id)).toMatchObject({ status: to, ...stamps, updatedAt: now })
  })

  const refused = ACTIONS.flatMap((action) =>
    TRANSACTION_STATUSES.filter((status) => status !== SIMULATED[action][0]).map((status) => ({
      action,
      status,
    })),
  )

  // proves: error invalid_status
  test.each(refused)('$action is invalid_status when the status is $status', async ({ action, status }) => {
    const sandbox = fresh()
    const id = await inStatus(sandbox, status)
    const { refused: what, message } = await refusedCall(sandbox, 'POST', pathOf(id), { action })
    expect(what).toEqual(refusedAs('400 invalid_status'))
    expect(message).toContain(status)
  })

  test('in a wrong status is 422 in a world that chose that (AU-05)', async () => {
    const sandbox = fresh({ silences: { 'AU-05': 422 } })
    const id = await inStatus(sandbox, 'Failed')
    expect(outcome(await simulate(sandbox, id, 'complete'))).toBe('422 invalid_status')
  })

  test.each(['COMPLETE', 'Complete', 'complete'])(
    'takes the action %s in any letter case (TX-05)',
    async (action) => {
      const sandbox = fresh()
      const { body } = await simulate(sandbox, await inStatus(sandbox, 'Pending'), action)
      expect(body.data.simulatedAction).toBe('complete')
      const exact = fresh({ silences: { 'TX-05': 'exact' } })
      const expected = action === 'complete' ? '200' : '400 validation_error'
      expect(outcome(await simulate(exact, await inStatus(exact, 'Pending'), action))).toBe(expected)
    },
  )

  test.each<[name: string, body: unknown]>([
    ['no action', {}],
    ['a null action', { action: null }],
    ['an unknown action', { action: 'fly' }],
    ['cancel, which is no simulation', { action: 'cancel' }],
    ['a trigger of ours', { action: 'confirm' }],
    ['an action named like a property', { action: 'constructor' }],
    ['an empty action', { action: '' }],
    ['a number', { action: 1 }],
    ['a list', { action: ['complete'] }],
    ['nothing at all', ''],
  ])('with %s is a validation_error', async (_name, body) => {
    const sandbox = fresh()
    const id = await inStatus(sandbox, 'Pending')
    const { refused: what } = await refusedCall(sandbox, 'POST', pathOf(id), body)
    expect(what).toEqual(refusedAs('400 validation_error'))
  })

  test.each([NO_ID, 'nonsense', '__proto__', 'constructor'])(
    'the transaction %s is 404 not_found',
    async (id) => {
      const { refused: what } = await refusedCall(fresh(), 'POST', pathOf(id), { action: 'complete' })
      expect(what).toEqual(refusedAs('404 not_found'))
    },
  )

  test('a transaction of another organisation is 404 not_found', async () => {
    const sandbox = fresh()
    const id = await inStatus(sandbox, 'Pending')
    const token = await sandbox.token('pk_sandbox_default_receiver')
    const answered = await sandbox.send('POST', pathOf(id), { token, body: { action: 'complete' } })
    expect(outcome(answered)).toBe('404 not_found')
    expect((await read(sandbox, id)).status).toBe('Pending')
  })

  test('complete twice is refused the second time', async () => {
    const sandbox = fresh()
    const id = await inStatus(sandbox, 'Pending')
    expect(outcome(await simulate(sandbox, id, 'complete'))).toBe('200')
    expect(outcome(await simulate(sandbox, id, 'complete'))).toBe('400 invalid_status')
  })
})

describe('a confirmed payment', () => {
  test('has its payer fields and an endToEndId of 32 characters, which stay', async () => {
    const sandbox = fresh()
    const { id } = await createPix(sandbox, { customerName: 'Ana Souza', customerDocument: '12345678909' })
    expect((await read(sandbox, id)).pix).toMatchObject({ endToEndId: null, payerName: null })
    await simulate(sandbox, id, 'complete')
    const paid = await read(sandbox, id)
    expect(paid.pix).toMatchObject({
      endToEndId: expect.stringMatching(/^E\d{8}203001011200[A-Za-z0-9]{11}$/),
      payerName: 'Ana Souza',
      payerDocument: '***456789**',
      payerBank: expect.stringMatching(/\S/),
    })
    expect(paid.pix.endToEndId).toHaveLength(32)
    await simulate(sandbox, id, 'refund')
    const { pix } = await read(sandbox, id)
    expect(pix).toEqual(paid.pix)
  })

  test('carries the minute of its confirmation in the endToEndId, in UTC', async () => {
    const sandbox = fresh({ clock: '2030-06-30T23:58:59.999Z' })
    const { id } = await createPix(sandbox)
    await advance(sandbox, '1m')
    await simulate(sandbox, id, 'complete')
    const { pix, completedAt } = await read(sandbox, id)
    expect(pix.endToEndId.slice(9, 21)).toBe('203006302359')
    expect(completedAt).toBe('2030-06-30T23:59:59.999Z')
  })

  test('has an endToEndId of its own', async () => {
    const sandbox = fresh()
    const ids = new Set<string>()
    for (let time = 0; time < 20; time++) {
      ids.add((await read(sandbox, await inStatus(sandbox, 'Completed'))).pix.endToEndId)
    }
    expect(ids.size).toBe(20)
  })

  test('shows its payer in the creation view of a repeated creation (TX-04)', async () => {
    const sandbox = fresh({ silences: { 'TX-04': 'returnsFirst' } })
    const { id } = await createPix(sandbox, { externalId: 'A' })
    await simulate(sandbox, id, 'complete')
    const { pix } = await createPix(sandbox, { externalId: 'A' })
    expect([pix.endToEndId, pix.payerName]).not.toContain(null)
  })

  test('does not expire any more', async () => {
    const sandbox = fresh()
    const id = await inStatus(sandbox, 'Completed')
    await advance(sandbox, '31m')
    expect(await read(sandbox, id)).toMatchObject({
      status: 'Completed',
      failureReason: null,
      completedAt: START,
    })
  })
})

describe('the time to pay', () => {
  /** Tokens live an hour: a fresh one for reads after a long wait. */
  async function statusAfter(sandbox: TestSandbox, id: string, by: string): Promise<string> {
    await advance(sandbox, by)
    const token = await sandbox.token()
    return (await sandbox.send('GET', `/v1/transactions/${id}`, { token })).body.data.status
  }

  test.each([
    [{}, '1799999ms', '1800000ms'],
    [{ pixExpirationMinutes: 5 }, '299999ms', '5m'],
    [{ pixExpirationMinutes: 1440 }, '86399999ms', '24h'],
  ])('for %j ends at its very millisecond: %s is early, %s is late', async (fields, early, late) => {
    for (const [by, expected] of [
      [early, 'Pending'],
      [late, 'Expired'],
    ] as const) {
      const sandbox = fresh()
      const { id } = await createPix(sandbox, fields)
      expect(await statusAfter(sandbox, id, by)).toBe(expected)
    }
  })

  test('ends at 30:00.000: a payment one millisecond earlier still counts, then none does', async () => {
    for (const [by, expected] of [
      ['1799999ms', '200'],
      ['30m', '400 invalid_status'],
    ] as const) {
      const sandbox = fresh()
      const { id } = await createPix(sandbox)
      await advance(sandbox, by)
      expect(outcome(await simulate(sandbox, id, 'complete'))).toBe(expected)
    }
  })

  test('leaves the stamps of its end', async () => {
    const sandbox = fresh()
    const { id } = await createPix(sandbox)
    await advance(sandbox, '45m')
    expect(await read(sandbox, id)).toMatchObject({
      status: 'Expired',
      updatedAt: '2030-01-01T12:30:00.000Z',
      failureReason: expect.stringMatching(/\S/),
      completedAt: null,
      refundedAt: null,
    })
  })

  test('ends for each transaction by itself', async () => {
    const sandbox = fresh()
    const short = await createPix(sandbox, { pixExpirationMinutes: 5 })
    const long = await createPix(sandbox)
    await advance(sandbox, '10m')
    expect((await read(sandbox, short.id)).status).toBe('Expired')
    expect((await read(sandbox, long.id)).status).toBe('Pending')
  })

  test('ends in Production too', async () => {
    const sandbox = fresh()
    const token = await sandbox.token('pk_production_default')
    const body = { method: 'Pix', amount: 100 }
    const created = await sandbox.send('POST', '/v1/transactions', { token, body })
    await advance(sandbox, '30m')
    const { body: now } = await sandbox.send('GET', `/v1/transactions/${created.body.data.id}`, { token })
    expect(now.data).toMatchObject({ status: 'Expired', environment: 'Production' })
  })

  test('is over for good, unless a world lets late payers pay (TX-30)', async () => {
    const late = fresh({ silences: { 'TX-30': 'latePayer' } })
    const id = await inStatus(late, 'Expired')
    expect(outcome(await simulate(late, id, 'complete'))).toBe('400 invalid_status')
    await trigger(late, id, 'confirm')
    expect(await read(late, id)).toMatchObject({
      status: 'Completed',
      failureReason: null,
      completedAt: START,
    })
    const strict = fresh()
    const refused = { on: await inStatus(strict, 'Expired'), do: 'confirm' }
    expect(outcome(await strict.control('POST', '/trigger', refused))).toBe('409 sandbox_trigger_refused')
  })
})

test.each(['123.456.789-09', '12345678909'])(
  'a payer who sent the document %s is shown masked',
  async (sent) => {
    const sandbox = fresh()
    const { id } = await createPix(sandbox, { customerDocument: sent })
    await trigger(sandbox, id, 'confirm')
    expect((await read(sandbox, id)).pix.payerDocument).toBe('***456789**')
  },
)

describe('a failure', () => {
  test.each<[status: string, name: string, parameters: object, reason: RegExp]>([
    ['Expired', 'expire', {}, /\S/],
    ['Failed', 'fail', {}, /\S/],
    ['Failed', 'fail', { reason: 'Saldo insuficiente.' }, /^Saldo insuficiente\.$/],
    ['Cancelled', 'cancel', {}, /\S/],
    ['Cancelled', 'cancel', { reason: 'Pedido desfeito.' }, /^Pedido desfeito\.$/],
  ])('that leads to %s by %s with %j has a reason', async (status, name, parameters, reason) => {
    const sandbox = fresh()
    const { id } = await createPix(sandbox)
    expect((await read(sandbox, id)).failureReason).toBeNull()
    await trigger(sandbox, id, name, parameters)
    const { pix, ...after } = await read(sandbox, id)
    expect(after).toMatchObject({ status, completedAt: null, refundedAt: null })
    expect(after.failureReason).toMatch(reason)
    expect(pix).toMatchObject({ endToEndId: null, payerName: null, payerDocument: null, payerBank: null })
  })

  test.each(['expire', 'fail'])('that is simulated by %s has a reason too', async (action) => {
    const sandbox = fresh()
    const id = await inStatus(sandbox, 'Pending')
    await simulate(sandbox, id, action)
    expect((await read(sandbox, id)).failureReason).toMatch(/\S/)
  })

  test.each(['Pending', 'Completed', 'Refunded', 'PartiallyRefunded', 'Processing'] as const)(
    'has no reason where there is none: %s',
    async (status) => {
      const sandbox = fresh()
      expect((await read(sandbox, await inStatus(sandbox, status))).failureReason).toBeNull()
    },
  )
})

describe('refunds', () => {
  test('go in parts until nothing is left; each stamps refundedAt', async () => {
    const sandbox = fresh()
    const id = await inStatus(sandbox, 'Completed')
    const steps = [
      [1, 'PartiallyRefunded'],
      [6_000, 'PartiallyRefunded'],
      [6_988, 'PartiallyRefunded'],
      [1, 'Refunded'],
    ] as const
    for (const [index, [amount, status]] of steps.entries()) {
      await advance(sandbox, '1m')
      await trigger(sandbox, id, 'refund', { amount })
      const refundedAt = `2030-01-01T12:0${index + 1}:00.000Z`
      expect(await read(sandbox, id)).toMatchObject({
        status,
        refundedAt,
        updatedAt: refundedAt,
        completedAt: START,
      })
    }
  })

  test('without an amount take what is left', async () => {
    const sandbox = fresh()
    const id = await inStatus(sandbox, 'PartiallyRefunded')
    await trigger(sandbox, id, 'refund')
    expect((await read(sandbox, id)).status).toBe('Refunded')
    expect(sandbox.world.state.transactions[id]?.refundedAmount).toBe(12_990)
  })

  test('leave amount, fee and netAmount as they were, and tell their own nowhere (TX-31)', async () => {
    const sandbox = fresh()
    const id = await inStatus(sandbox, 'Completed')
    const before = await read(sandbox, id)
    await trigger(sandbox, id, 'refund', { amount: 5_000 })
    const { status, refundedAt, updatedAt, ...rest } = await read(sandbox, id)
    expect([status, refundedAt, updatedAt]).toEqual(['PartiallyRefunded', START, START])
    expect({ ...rest, status: before.status, refundedAt: null, updatedAt }).toEqual(before)
  })

  test.each([0, -1, 12_991, 100_000_000])('of %d cents are outside of what is left', async (amount) => {
    const sandbox = fresh()
    const id = await inStatus(sandbox, 'Completed')
    const body = { on: id, do: 'refund', amount }
    expect(outcome(await sandbox.control('POST', '/trigger', body))).toBe('400 sandbox_bad_amount')
    expect((await read(sandbox, id)).status).toBe('Completed')
  })

  test.each(['Pending', 'Expired', 'Failed', 'Cancelled', 'Refunded', 'Processing'] as const)(
    'cannot begin from %s',
    async (status) => {
      const sandbox = fresh()
      const id = await inStatus(sandbox, status)
      const answered = await sandbox.control('POST', '/trigger', { on: id, do: 'refund' })
      expect(outcome(answered)).toBe('409 sandbox_trigger_refused')
      expect((await read(sandbox, id)).status).toBe(status)
    },
  )

  test.each([
    ['Completed', 12_990, 'Refunded'],
    ['Completed', 5_000, 'PartiallyRefunded'],
    ['PartiallyRefunded', 5_000, 'PartiallyRefunded'],
    ['PartiallyRefunded', 12_989, 'Refunded'],
  ] as const)('in processing, from %s of %d cents, settle to %s', async (from, amount, to) => {
    const sandbox = fresh()
    const id = await inStatus(sandbox, from)
    const { refundedAt } = await read(sandbox, id)
    await advance(sandbox, '1m')
    await trigger(sandbox, id, 'requestRefund', { amount })
    expect(await read(sandbox, id)).toMatchObject({ status: 'Processing', refundedAt })
    await advance(sandbox, '1m')
    await trigger(sandbox, id, 'settleRefund')
    expect(await read(sandbox, id)).toMatchObject({ status: to, refundedAt: '2030-01-01T12:02:00.000Z' })
  })

  test.each(['Completed', 'PartiallyRefunded'] as const)(
    'in processing that are rejected lead back to %s',
    async (from) => {
      const sandbox = fresh()
      const id = await inStatus(sandbox, from)
      const before = await read(sandbox, id)
      await trigger(sandbox, id, 'requestRefund', { amount: 10 })
      await trigger(sandbox, id, 'rejectRefund', { reason: 'Conta encerrada.' })
      expect(await read(sandbox, id)).toEqual(before)
      await trigger(sandbox, id, 'refund')
      expect((await read(sandbox, id)).status).toBe('Refunded')
    },
  )

  test('by simulation are always of the whole', async () => {
    const sandbox = fresh()
    const id = await inStatus(sandbox, 'Completed')
    await simulate(sandbox, id, 'refund')
    expect(sandbox.world.state.transactions[id]).toMatchObject({ status: 'Refunded', refundedAmount: 12_990 })
  })
})
