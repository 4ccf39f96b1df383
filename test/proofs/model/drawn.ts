// Owns what random steps have in common: who calls, which record is meant, and operations that anybody may be refused.
import fc from 'fast-check'
import { CALLERS } from '../../properties/calls.ts'
import { LISTS } from './filters.ts'
import type { Caller } from '../../properties/calls.ts'

/** Operations that anybody may be refused. */
export const GUARDED = [
  'createTransaction',
  'listTransactions',
  'getTransaction',
  'simulateTransaction',
  'tokenizeCard',
  'createCustomer',
  'listCustomers',
  'getCustomer',
  'updateCustomer',
  'getBalance',
  'createCashout',
  'listCashouts',
  'getCashout',
  'cancelCashout',
  'simulateCashout',
  'listDisputes',
  'getDispute',
  'respondToDispute',
  'addDisputeEvidence',
] as const

/** Who calls: mostly the merchant in the sandbox environment. */
export const by = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Caller>('sandbox') },
  { weight: 1, arbitrary: fc.constantFrom(...CALLERS) },
)
/** Which record: mostly the one that was made last. */
export const nth = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(4) })
/** A list of the gateway. */
export const kind = fc.constantFrom(...LISTS)
/** An amount in cents. */
export const price = fc.integer({ min: 100, max: 20_000 })
/** One value. */
export const is = <const T>(value: T): fc.Arbitrary<T> => fc.constant(value)
