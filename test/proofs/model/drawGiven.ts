// Owns random given records: of any kind and status, with payers, amounts and disputes that may not be.
import fc from 'fast-check'
import { METHODS } from '../../../src/contract/enums.ts'
import { by, is, nth } from './drawn.ts'
import { givenStatuses } from './given.ts'
import type { Entry } from './given.ts'

const price = fc.integer({ min: 99, max: 3_000 })

const money = fc.record({
  ...{ give: is('money' as const), by },
  fund: fc.integer({ min: 1, max: 9_000 }),
  all: fc.option(fc.boolean(), { freq: 1 }),
})
const customer = fc.record({
  ...{ give: is('customer' as const), by },
  number: fc.nat(3),
  externalId: fc.option(fc.constantFrom('C-1', 'C-2')),
  inactive: fc.boolean(),
})
const transaction = fc.record({
  ...{ give: is('transaction' as const), by },
  method: fc.constantFrom(...METHODS),
  amount: price,
  hook: fc.boolean(),
  customer: fc.nat(3),
  status: fc.oneof(is('Completed'), fc.constantFrom(...givenStatuses('transactions'))),
  refund: fc.option(fc.integer({ min: 1, max: 2_000 }), { freq: 1 }),
})
const dispute = fc.record({
  ...{ give: is('dispute' as const), nth },
  amount: fc.option(fc.integer({ min: 1, max: 1_500 }), { freq: 2 }),
  days: fc.option(fc.integer({ min: 1, max: 9 }), { freq: 2 }),
  status: fc.constantFrom(...givenStatuses('disputes')),
  text: fc.oneof(is(false), is(false), fc.boolean()),
})
const cashout = fc.record({
  ...{ give: is('cashout' as const), by },
  amount: price,
  hook: fc.boolean(),
  status: fc.constantFrom(...givenStatuses('cashouts')),
})

/** A part that goes back is named where a status has one; elsewhere it is refused, and often left out here. */
const fitting = (entry: Entry): Entry => {
  if (entry.give !== 'transaction' || entry.amount % 5 === 0) return entry
  return /^(?:PartiallyRefunded|Processing)$/.test(entry.status) ? entry : { ...entry, refund: null }
}
const entry = fc.oneof(
  { weight: 1, arbitrary: money },
  { weight: 1, arbitrary: customer },
  { weight: 4, arbitrary: transaction },
  { weight: 2, arbitrary: cashout },
)

/** What a world is given: a world that is made, only what names no organisation of it. */
export function given(to: 'make' | 'order'): fc.Arbitrary<Entry[]> {
  const some = fc
    .tuple(
      fc.array(entry, { minLength: to === 'make' ? 0 : 1, maxLength: 3 }),
      fc.array(dispute, { maxLength: 1 }),
    )
    .map(([entries, disputes]) => [...entries, ...disputes].map(fitting))
  const isNamed = (one: Entry): boolean => 'by' in one && one.by === 'receiver'
  return to === 'order' ? some : some.map((entries) => entries.filter((one) => !isNamed(one)))
}
