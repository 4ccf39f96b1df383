// Owns random lists: pages that are there or not, and filters that find something, nothing, or are none.
import fc from 'fast-check'
import { by, is, kind } from './drawn.ts'
import { FILTERS } from './filters.ts'
import type { Filter, List } from './filters.ts'
import type { Ask } from './program.ts'

const VALUES = {
  status: ['Pending', 'Completed', 'Active', 'Open', 'bogus'],
  method: ['Pix', 'CreditCard', 'Boleto', 'Cash'],
  externalId: ['T-1', 'C-1', 'c-1'],
  documentType: ['CPF', 'CNPJ', 'RG'],
  reason: ['Fraud', 'Scam', 'Boredom'],
  search: ['', 'CLIÉNTE', 'pessoa1@example', '123.456.789-01', '5678', 'é', '-', 'nobody'],
} as const

const date = fc.record({
  by: fc.constantFrom('startDate' as const, 'endDate' as const),
  nth: fc.nat(2),
  off: fc.constantFrom(0, 0, 0, -1, 1, -86_400_000, 86_400_000),
  form: fc.constantFrom('utc' as const, 'utc' as const, 'offset' as const, 'day' as const, 'bogus' as const),
})

function filterBy(name: Filter['by']): fc.Arbitrary<Filter> {
  if (name === 'startDate' || name === 'endDate') return date.map((one) => ({ ...one, by: name }))
  if (name === 'customerId' || name === 'paymentId') {
    return fc.record({ by: is(name), nth: fc.nat(2), loud: fc.boolean() })
  }
  return fc.record({ by: is(name), value: fc.constantFrom<string[]>(...VALUES[name]) })
}

/** Filters that a list knows, each at most once. */
export function filtersOf(of: List): fc.Arbitrary<Filter[]> {
  const telling = FILTERS[of].filter((name) => /Date$|^(?:customer|payment)Id$/.test(name))
  const one = fc.constantFrom(...FILTERS[of], ...telling, ...telling).chain(filterBy)
  return fc.uniqueArray(one, { selector: (filter) => filter.by, maxLength: 2 })
}

/** A list that is asked for. */
export const list: fc.Arbitrary<Ask> = kind.chain((of) =>
  fc.record({
    ask: is('list' as const),
    by,
    kind: is(of),
    page: fc.oneof({ weight: 2, arbitrary: is(1) }, { weight: 1, arbitrary: fc.integer({ min: 0, max: 3 }) }),
    pageSize: fc.constantFrom(1, 2, 20, 20, 101),
    filters: filtersOf(of),
  }),
)
