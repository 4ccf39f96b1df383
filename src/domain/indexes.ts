// Owns the look-ups of a world that are rebuilt from its state and never stored.
import { recordOf } from './state.ts'
import type { Cashout, Customer, Dispute, Evidence, Scope, Transaction } from './records.ts'
import type { WorldState } from './state.ts'
import type { Delivery } from './trail.ts'

/** Look-ups by what requests name. Lists hold records in order of creation. */
export interface Indexes {
  transactions: Map<string, Transaction[]>
  transactionsByExternalId: Map<string, Transaction[]>
  /** Boleto transactions by the unguessable name of their slip. */
  transactionBySlip: Map<string, Transaction>
  customers: Map<string, Customer[]>
  customersByExternalId: Map<string, Customer>
  customersByDocument: Map<string, Customer[]>
  customersByEmail: Map<string, Customer[]>
  cashouts: Map<string, Cashout[]>
  disputes: Map<string, Dispute[]>
  disputesByTransaction: Map<string, Dispute[]>
  evidenceById: Map<string, Evidence>
  /** In order of creation. */
  deliveries: Delivery[]
  /** Organisations by their split code. */
  organizationBySplitCode: Map<string, string>
}

/** The key of a scope, with a value in it when given. */
export function scopeKey(scope: Scope, value = ''): string {
  return `${scope.organizationId}|${scope.environment}|${value}`
}

/** A record of a scope by its id, in any letter case as UUIDs are; null when it is not there, or not theirs. */
export function ownRecord<R extends Scope>(records: Record<string, R>, scope: Scope, id: string): R | null {
  const found = recordOf(records, id.toLowerCase())
  return found && scopeKey(found) === scopeKey(scope) ? found : null
}

/** The look-ups of a state. */
export function buildIndexes(state: WorldState): Indexes {
  const indexes: Indexes = {
    transactions: new Map(),
    transactionsByExternalId: new Map(),
    transactionBySlip: new Map(),
    customers: new Map(),
    customersByExternalId: new Map(),
    customersByDocument: new Map(),
    customersByEmail: new Map(),
    cashouts: new Map(),
    disputes: new Map(),
    disputesByTransaction: new Map(),
    evidenceById: new Map(),
    deliveries: Object.values(state.deliveries),
    organizationBySplitCode: new Map(),
  }
  for (const { id, splitCode } of Object.values(state.organizations)) {
    indexes.organizationBySplitCode.set(splitCode, id)
  }
  for (const customer of Object.values(state.customers)) {
    append(indexes.customers, scopeKey(customer), customer)
    indexCustomer(indexes, customer)
  }
  for (const transaction of Object.values(state.transactions)) indexTransaction(indexes, transaction)
  for (const cashout of Object.values(state.cashouts)) indexCashout(indexes, cashout)
  for (const dispute of Object.values(state.disputes)) indexDispute(indexes, dispute)
  return indexes
}

/** Puts a new transaction into the look-ups. */
export function indexTransaction(indexes: Indexes, transaction: Transaction): void {
  append(indexes.transactions, scopeKey(transaction), transaction)
  const { externalId, boleto } = transaction
  if (boleto) indexes.transactionBySlip.set(boleto.slip, transaction)
  if (externalId !== null) {
    append(indexes.transactionsByExternalId, scopeKey(transaction, externalId), transaction)
  }
}

/** Puts a new cashout into the look-ups. */
export function indexCashout(indexes: Indexes, cashout: Cashout): void {
  append(indexes.cashouts, scopeKey(cashout), cashout)
}

/** Puts a new dispute into the look-ups. */
export function indexDispute(indexes: Indexes, dispute: Dispute): void {
  append(indexes.disputes, scopeKey(dispute), dispute)
  append(indexes.disputesByTransaction, dispute.transactionId, dispute)
  for (const evidence of dispute.evidences) indexes.evidenceById.set(evidence.id, evidence)
}

/** Puts a new customer into the look-ups. */
export function addCustomer(indexes: Indexes, customer: Customer): void {
  append(indexes.customers, scopeKey(customer), customer)
  indexCustomer(indexes, customer)
}

/** Makes a customer findable by what it is known by now. */
export function indexCustomer(indexes: Indexes, customer: Customer): void {
  const { externalId, document, email } = customer
  if (externalId !== null) indexes.customersByExternalId.set(scopeKey(customer, externalId), customer)
  if (document !== null) append(indexes.customersByDocument, scopeKey(customer, document), customer)
  append(indexes.customersByEmail, scopeKey(customer, email.toLowerCase()), customer)
}

/** Forgets the document and e-mail a customer was known by, before they change. */
export function unindexCustomer(indexes: Indexes, customer: Customer): void {
  const { document, email } = customer
  if (document !== null) remove(indexes.customersByDocument, scopeKey(customer, document), customer)
  remove(indexes.customersByEmail, scopeKey(customer, email.toLowerCase()), customer)
}

/** The customer that was created first among those known by a value. */
export function firstCustomer(index: Map<string, Customer[]>, key: string): Customer | null {
  const known = index.get(key) ?? []
  return known.reduce<Customer | null>((first, next) => (first && first.n < next.n ? first : next), null)
}

function append<T>(index: Map<string, T[]>, key: string, value: T): void {
  const list = index.get(key)
  if (list) list.push(value)
  else index.set(key, [value])
}

function remove<T>(index: Map<string, T[]>, key: string, value: T): void {
  const rest = (index.get(key) ?? []).filter((other) => other !== value)
  if (rest.length > 0) index.set(key, rest)
  else index.delete(key)
}
