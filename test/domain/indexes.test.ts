// Checks the look-ups of a world when they are made from its state: which fields each kind of record is found by.
import { describe, expect, test } from 'vitest'
import {
  buildIndexes,
  changeCustomer,
  customerTexts,
  indexCustomer,
  indexTransaction,
  ownRecord,
  scopeKey,
  WHOLE_WORLD,
} from '../../src/domain/indexes.ts'
import { firstNamed, placeNamed } from '../../src/domain/recordIndex.ts'
import { findRecords } from '../../src/domain/recordQuery.ts'
import { emptyState } from '../../src/domain/state.ts'
import type { Indexes } from '../../src/domain/indexes.ts'
import type { RecordIndex } from '../../src/domain/recordIndex.ts'
import type { Customer, Dispute, Scope, Transaction } from '../../src/domain/records.ts'

const SCOPE: Scope = { organizationId: 'shop', environment: 'Sandbox' }

type Kind = Exclude<keyof Indexes, 'transactionBySlip' | 'evidenceById' | 'customerTexts'>

/** What each kind of record is found by: its name, fields of few values, fields of many, and whom it belongs to. */
const FOUND_BY: Record<Kind, { name: string; facets: string[]; lookups: string[]; scope: string }> = {
  organizations: { name: 'id', facets: [], lookups: ['splitCode'], scope: WHOLE_WORLD },
  credentials: { name: 'publicKey', facets: [], lookups: [], scope: scopeKey(SCOPE) },
  customers: {
    name: 'id',
    facets: ['status', 'documentType'],
    lookups: ['externalId', 'document', 'email'],
    scope: scopeKey(SCOPE),
  },
  transactions: {
    name: 'id',
    facets: ['status', 'method'],
    lookups: ['externalId', 'customerId'],
    scope: scopeKey(SCOPE),
  },
  cashouts: { name: 'id', facets: ['status'], lookups: ['externalId'], scope: scopeKey(SCOPE) },
  disputes: { name: 'id', facets: ['status', 'reason'], lookups: ['transactionId'], scope: scopeKey(SCOPE) },
  deliveries: { name: 'id', facets: ['status', 'type'], lookups: ['subject', 'url'], scope: WHOLE_WORLD },
  journal: { name: 'n', facets: ['machine', 'on', 'to'], lookups: ['subject'], scope: WHOLE_WORLD },
  postings: { name: 'n', facets: ['reason'], lookups: ['subject'], scope: scopeKey(SCOPE) },
}

/** A record that has a value of its own in every field by which any kind is found. */
function recordOf(n: number): Record<string, unknown> {
  const fields = Object.values(FOUND_BY).flatMap(({ name, facets, lookups }) => [name, ...facets, ...lookups])
  const values = Object.fromEntries(fields.map((field) => [field, `${field}-${n}`]))
  return { ...values, ...SCOPE, n, evidences: [], boleto: null }
}

/** The look-ups of a world that has records of one kind. */
function indexOf(kind: Kind, records: readonly unknown[]): RecordIndex<unknown> {
  const state = { ...emptyState(), [kind]: records }
  return buildIndexes(state)[kind] as RecordIndex<unknown>
}

describe.each(Object.entries(FOUND_BY))('%s', (kind, { name, facets, lookups, scope }) => {
  const records = [recordOf(1), recordOf(2), recordOf(3)]
  const index = indexOf(kind as Kind, records)

  test('are found by their names', () => {
    expect(records.map((record) => placeNamed(index, String(record[name])))).toEqual([0, 1, 2])
  })

  test('are found by their fields, all of which the index knows', () => {
    expect(Object.keys(index.keys.facets)).toEqual(facets)
    expect(Object.keys(index.keys.lookups)).toEqual(lookups)
    for (const field of [...facets, ...lookups]) {
      const filters = { [field]: `${field}-2` }
      const fits = (record: unknown): boolean => record === records[1]
      expect(findRecords(index, { scopes: [scope], filters, fits }).page(0, 9), field).toEqual([records[1]])
    }
  })

  test('are those of their scope', () => {
    const filters = {}
    const fits = (): boolean => true
    expect(findRecords(index, { scopes: [scope], filters, fits }).total).toBe(3)
    expect(findRecords(index, { scopes: ['other|Sandbox|'], filters, fits }).total).toBe(0)
  })
})

test('a customer is found by the e-mail in any letter case, and by the external id in its own only', () => {
  const customer = { ...recordOf(1), email: 'Ana@Example.com', externalId: 'A-1' } as unknown as Customer
  const { customers } = buildIndexes({ ...emptyState(), customers: { one: customer } })
  const found = (field: string, value: string): unknown =>
    firstNamed(customers, scopeKey(SCOPE), field, value)
  expect([found('email', 'aNA@example.COM'), found('externalId', 'A-1')]).toEqual([customer, customer])
  expect(found('externalId', 'a-1')).toBeNull()
})

test('the texts of customers stay those that a search would be given anew', () => {
  const customer = (n: number): Customer =>
    ({ ...recordOf(n), name: `Ana ${n}`, email: `ana${n}@example.com` }) as unknown as Customer
  const [one, two, three] = [customer(1), customer(2), customer(3)]
  const indexes = buildIndexes({ ...emptyState(), customers: { one } })
  const texts = customerTexts(indexes)
  expect(texts.has('ana')).toBe(true)
  expect(customerTexts(indexes)).toBe(texts)
  indexCustomer(indexes, two)
  indexCustomer(indexes, three)
  changeCustomer(indexes, one, () => void (one.name = 'Bia'))
  changeCustomer(indexes, two, () => void (two.status = 'Inactive'))
  expect(texts).toEqual(customerTexts(buildIndexes({ ...emptyState(), customers: { one, two, three } })))
})

test('a customer without a document is found by none, and is none of a kind of document', () => {
  const customer = { ...recordOf(1), document: null, documentType: null } as unknown as Customer
  const { customers } = buildIndexes({ ...emptyState(), customers: { one: customer } })
  const found = (documentType: string): number =>
    findRecords(customers, { scopes: null, filters: { documentType }, fits: () => true }).total
  expect([found('CPF'), found('CNPJ')]).toEqual([0, 0])
  expect(customers.records).toEqual([customer])
})

test('a boleto is found by the name of its slip, whether it was there before or is new', () => {
  const boleto = (n: number): Transaction =>
    ({ ...recordOf(n), boleto: { slip: `slip-${n}` } }) as unknown as Transaction
  const pix = recordOf(3) as unknown as Transaction
  const [old, made] = [boleto(1), boleto(2)]
  const indexes = buildIndexes({ ...emptyState(), transactions: { old, pix } })
  indexTransaction(indexes, made)
  expect([...indexes.transactionBySlip]).toEqual([
    ['slip-1', old],
    ['slip-2', made],
  ])
})

test('evidence is found by its id, whichever dispute it is of', () => {
  const dispute = (...ids: string[]): Dispute =>
    ({ ...recordOf(1), evidences: ids.map((id) => ({ id })) }) as unknown as Dispute
  const { evidenceById } = buildIndexes({
    ...emptyState(),
    disputes: { a: dispute('e1', 'e2'), b: dispute(), c: dispute('e3') },
  })
  expect([...evidenceById]).toEqual(['e1', 'e2', 'e3'].map((id) => [id, { id }]))
})

test('a record is found by its id in any letter case, by those it belongs to only', () => {
  const one = { ...SCOPE, id: 'ab' }
  const records = { ab: one }
  expect([ownRecord(records, SCOPE, 'ab'), ownRecord(records, SCOPE, 'AB')]).toEqual([one, one])
  expect(ownRecord(records, SCOPE, 'cd')).toBeNull()
  expect(ownRecord(records, { ...SCOPE, organizationId: 'other' }, 'ab')).toBeNull()
  expect(ownRecord(records, { ...SCOPE, environment: 'Production' }, 'ab')).toBeNull()
})
