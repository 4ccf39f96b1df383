// Opens sandboxes whose deliveries reach nobody, brings transactions into a status, and reads what became of them.
import { afterEach, expect } from 'vitest'
import { merchantAccount, outsideAccount } from '../../src/domain/books.ts'
import { balanceOf } from '../../src/domain/ledger.ts'
import { present } from '../../src/kernel/assert.ts'
import { createPix, openSandbox } from '../support/sandbox.ts'
import type { TransactionStatus } from '../../src/contract/enums.ts'
import type { TriggerParameters } from '../../src/domain/effects.ts'
import type { Transaction } from '../../src/domain/records.ts'
import type { TransactionTrigger } from '../../src/domain/transactionMachine.ts'
import type { Answered, TestSandbox } from '../support/sandbox.ts'

/** A trigger with what it carries. */
export type Step = readonly [TransactionTrigger, TriggerParameters?]

/** What every transaction of the matrix is sold for, in cents; its fee is 150. */
export const AMOUNT = 10_000

/** A whole sale. */
export const CONFIRM: Step = ['confirm']
/** 4000 of the 10000 go back. */
export const PART: Step = ['refund', { amount: 4_000 }]
/** How each status is reached. */
export const WAYS: Record<TransactionStatus, readonly Step[]> = {
  Pending: [],
  Completed: [CONFIRM],
  Expired: [['expire']],
  Failed: [['fail']],
  Cancelled: [['cancel']],
  Refunded: [CONFIRM, ['refund']],
  PartiallyRefunded: [CONFIRM, PART],
  Processing: [CONFIRM, ['requestRefund']],
}

let open: TestSandbox[] = []
afterEach(() => {
  const defects = open.flatMap((sandbox) => sandbox.defects)
  for (const sandbox of open) sandbox.close()
  open = []
  if (defects.length > 0) throw new AggregateError(defects, 'the sandbox reported defects')
})

/** A sandbox whose deliveries reach nobody and are taken at once. */
export function begin(silences: Record<string, unknown> = {}): TestSandbox {
  const sandbox = openSandbox({ silences })
  const send = (): Promise<{ status: number; answer: string }> => Promise.resolve({ status: 204, answer: '' })
  sandbox.world.host.sender = { send }
  open.push(sandbox)
  return sandbox
}

/** Fires a trigger by hand. */
export const trigger = (
  sandbox: TestSandbox,
  on: string,
  verb: string,
  carries: object = {},
): Promise<Answered> => sandbox.control('POST', '/trigger', { on, do: verb, ...carries })

/** A transaction as the world holds it. */
export function stored(sandbox: TestSandbox, id: string): Transaction {
  return present(sandbox.world.state.transactions[id], 'a stored transaction')
}

/** A new transaction on which some triggers were fired. */
export async function reach(sandbox: TestSandbox, steps: readonly Step[]): Promise<Transaction> {
  const { id } = await createPix(sandbox, { amount: AMOUNT, callbackUrl: 'http://shop.test/hook' })
  for (const [verb, carries] of steps) {
    const { status, body } = await trigger(sandbox, id, verb, carries)
    expect(status, JSON.stringify(body)).toBe(200)
  }
  return stored(sandbox, id)
}

/** Kinds of the jobs of a record that wait. */
export function jobsOf({ world }: TestSandbox, id: string): string[] {
  return world.scheduler.list(1_000).flatMap(({ kind, subject }) => (subject === id ? [kind] : []))
}

/** Ids of the deliveries of a record. */
export function deliveriesOf({ world }: TestSandbox, subject: string): string[] {
  return Object.values(world.state.deliveries).flatMap((each) => (each.subject === subject ? [each.id] : []))
}

/** Every part of the merchant's money, and what the payers paid and the gateway earned; in cents. */
export function moneyOf({ world }: TestSandbox, record: Transaction): Record<string, number> {
  return {
    available: balanceOf(world, merchantAccount(record, 'available')),
    pending: balanceOf(world, merchantAccount(record, 'pending')),
    reserved: balanceOf(world, merchantAccount(record, 'reserved')),
    payers: balanceOf(world, outsideAccount('payers', record.environment)),
    gateway: balanceOf(world, outsideAccount('gateway', record.environment)),
  }
}
