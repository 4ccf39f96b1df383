// Owns the proof that the schemas of deliveries hold what WH-05 and WH-06 list, and nothing else.
import { describe, expect, test } from 'vitest'
import {
  cashoutEvent,
  deliveryBody,
  minimumEvent,
  transactionEvent,
} from '../../src/contract/webhookPayloads.ts'
import type { z } from 'zod'

const ID = '5f3b3f0e-6a55-4c7e-9d0a-0f6b7c1d2e3f'
const AT = '2030-01-01T12:00:00.000Z'

const transaction: z.input<typeof transactionEvent> = {
  id: ID,
  externalId: null,
  amount: 12_990,
  fee: 195,
  netAmount: 12_795,
  currency: 'BRL',
  method: 'Pix',
  status: 'Completed',
  environment: 'Sandbox',
  description: null,
  completedAt: AT,
  refundedAt: null,
  expiresAt: AT,
  failureReason: null,
  customerId: null,
  pix: {
    txId: 'a'.repeat(32),
    endToEndId: 'E1',
    payerName: 'Ana',
    payerDocument: '***456789**',
    payerBank: 'Banco',
  },
}
const cashout: z.input<typeof cashoutEvent> = {
  id: ID,
  externalId: 'order-1',
  amount: 10_000,
  fee: 200,
  netAmount: 9_800,
  currency: 'BRL',
  status: 'Failed',
  environment: 'Production',
  requestedAt: AT,
  processedAt: null,
  completedAt: null,
  failureReason: 'Conta encerrada.',
  pix: { pixKeyType: 'CPF', pixKey: '***456789**', endToEndId: null },
}

/** Whether a schema takes exactly a value: it, but not it with a field more or with any one field less. */
function takesExactly(schema: z.ZodType, value: Record<string, unknown>): boolean {
  const lesser = Object.keys(value).map((left) =>
    Object.fromEntries(Object.entries(value).filter(([key]) => key !== left)),
  )
  const others = [{ ...value, extra: 1 }, ...lesser]
  return schema.safeParse(value).success && others.every((other) => !schema.safeParse(other).success)
}

describe('the data of an event', () => {
  test('of a transaction has every field of WH-05 and no other', () => {
    expect(takesExactly(transactionEvent, transaction)).toBe(true)
    expect(takesExactly(transactionEvent.shape.pix, transaction.pix ?? {})).toBe(true)
  })

  test('of a transaction that is no PIX has null for it', () => {
    expect(transactionEvent.parse({ ...transaction, method: 'Boleto', pix: null }).pix).toBeNull()
  })

  test('of a cashout has every field of WH-06 and no other', () => {
    expect(takesExactly(cashoutEvent, cashout)).toBe(true)
    expect(takesExactly(cashoutEvent.shape.pix, cashout.pix)).toBe(true)
  })

  test('is four fields where a world chose the minimum', () => {
    const { id, status, amount, netAmount } = cashout
    expect(takesExactly(minimumEvent, { id, status, amount, netAmount })).toBe(true)
  })
})

describe('the body of a delivery', () => {
  const body = deliveryBody('cashout.failed', cashoutEvent)
  const sent = { id: ID, type: 'cashout.failed', createdAt: AT, data: cashout }

  test('has id, type, createdAt and data, and no other field', () => {
    expect(takesExactly(body, sent)).toBe(true)
  })

  test('has the one type that it is made for', () => {
    expect(body.safeParse({ ...sent, type: 'cashout.completed' }).success).toBe(false)
  })
})
