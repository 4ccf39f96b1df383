// Checks what guards, stamps and due times of the machines mean, whatever row asks for them and wherever it stands.
import { describe, expect, test } from 'vitest'
import { cents } from '../../src/kernel/brands.ts'
import { CASHOUT_RULES } from '../../src/domain/cashoutRules.ts'
import { addRecord } from '../../src/domain/recordIndex.ts'
import { DISPUTE_RULES } from '../../src/domain/disputeRules.ts'
import { TRANSACTION_RULES } from '../../src/domain/transactionRules.ts'
import { emptyWorld } from './emptyWorld.ts'
import type { Millis, Timestamp } from '../../src/kernel/brands.ts'
import type { Dispute, Transaction } from '../../src/domain/records.ts'

const SCOPE = { organizationId: 'org-1', environment: 'Sandbox' } as const

/** 6000 of its 10000 cents are left. */
const SALE = {
  ...SCOPE,
  id: 'sale-1',
  amount: cents(10_000),
  refundedAmount: cents(4_000),
  pendingRefund: null,
} as Transaction

/** The guards of transactions that hold, of those that are named. */
function holding(
  names: readonly (keyof typeof TRANSACTION_RULES.guards)[],
  record: Transaction,
  amount = 1,
  world = emptyWorld(),
): string[] {
  const parameters = { amount: cents(amount), formerStatus: 'Completed' } as const
  return names.filter((name) => TRANSACTION_RULES.guards[name](world, record, parameters))
}

describe('of the guards of a transaction', () => {
  test.each([
    [1, ['somethingLeft', 'somethingLeftUndisputed']],
    [5_999, ['somethingLeft', 'somethingLeftUndisputed']],
    [6_000, ['nothingLeft', 'nothingLeftUndisputed']],
  ] as const)('of which 6000 is left, a refund of %i holds %j', (amount, expected) => {
    const amounts = [
      'nothingLeft',
      'somethingLeft',
      'nothingLeftUndisputed',
      'somethingLeftUndisputed',
    ] as const
    expect(holding(amounts, SALE, amount)).toEqual(expected)
  })

  test.each([
    [null, 'sale-1', ['somethingLeft']],
    [null, 'sale-2', ['somethingLeft', 'somethingLeftUndisputed', 'undisputed']],
    ['2030-01-01T12:00:00.000Z', 'sale-1', ['somethingLeft', 'somethingLeftUndisputed', 'undisputed']],
  ] as const)('with a dispute closed at %s on %s hold %j', (closedAt, transactionId, expected) => {
    const world = emptyWorld()
    const id = 'dispute-1'
    addRecord(world.indexes.disputes, { ...SCOPE, id, transactionId, closedAt, status: 'Open' } as Dispute)
    const names = ['somethingLeft', 'somethingLeftUndisputed', 'undisputed'] as const
    expect(holding(names, SALE, 1, world)).toEqual(expected)
  })

  test.each([
    [null, []],
    ['Completed', ['wasCompleted']],
    ['PartiallyRefunded', ['wasPartiallyRefunded']],
  ] as const)('whose refund in processing began as %s hold %j', (formerStatus, expected) => {
    const pendingRefund = formerStatus && { amount: cents(1), formerStatus }
    const former = ['wasCompleted', 'wasPartiallyRefunded'] as const
    expect(holding(former, { ...SALE, pendingRefund })).toEqual(expected)
  })
})

test.each([
  ['Pix', 'pending', null, null],
  ['CreditCard', 'pending', null, null],
  ['CreditCard', { confirmAfterSeconds: 5 }, null, 5_000],
  ['Pix', { confirmAfterSeconds: 5 }, null, null],
  ['Boleto', { confirmAfterSeconds: 5 }, 3_000, 3_000],
  ['CreditCard', 'pending', 3_000, 3_000],
  ['CreditCard', { confirmAfterSeconds: 5 }, 3_000, 5_000],
] as const)('by %s, where TX-25 is %j and all is paid after %j ms, it is paid after %j', (...row) => {
  const [method, choice, autoConfirm, expected] = row
  const world = { ...emptyWorld({ 'TX-25': choice }), autoConfirm: autoConfirm as Millis | null }
  const due = TRANSACTION_RULES.due.confirmTransaction?.(world, { ...SALE, method })
  expect(due).toBe(expected && world.clock.now() + expected)
})

describe('of the guards of a dispute', () => {
  const now = '2030-01-01T12:00:00.000Z'
  const soon = '2030-01-01T12:00:00.001Z'
  test.each([
    ['MerchantResponded', soon, ['beforeDeadline', 'beforeDeadlineAndMoves']],
    ['MerchantResponded', null, ['beforeDeadline', 'beforeDeadlineAndMoves']],
    ['MerchantResponded', now, []],
    ['staysOpen', soon, ['beforeDeadline', 'beforeDeadlineAndStaysOpen']],
    ['staysOpen', null, ['beforeDeadline', 'beforeDeadlineAndStaysOpen']],
    ['staysOpen', now, []],
  ] as const)('where a response means %s and is due by %s, hold %j', (choice, deadline, expected) => {
    const record = { responseDeadline: deadline } as Dispute
    const names = ['beforeDeadline', 'beforeDeadlineAndMoves', 'beforeDeadlineAndStaysOpen'] as const
    const world = emptyWorld({ 'DI-02': choice })
    expect(names.filter((name) => DISPUTE_RULES.guards[name](world, record, {}))).toEqual(expected)
  })
})

test.each([
  ['transaction', TRANSACTION_RULES.stamps, ['completedAt', 'refundedAt']],
  ['cashout', CASHOUT_RULES.stamps, ['requestedAt', 'processedAt', 'completedAt']],
  ['dispute', DISPUTE_RULES.stamps, ['openedAt', 'respondedAt', 'closedAt']],
] as const)(
  'each stamp of a %s writes the field that it is named after, and no other',
  (_name, stamps, fields) => {
    const at = '2030-01-01T12:00:00.000Z' as Timestamp
    const written = Object.entries<(record: never, at: Timestamp) => void>(stamps).map(([field, write]) => {
      const record = {}
      write(record as never, at)
      expect(record).toEqual({ [field]: at })
      return field
    })
    expect(written).toEqual(fields)
  },
)
