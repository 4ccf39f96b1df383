// Owns the look-ups of a world that are rebuilt from its state and never stored.
import { addText, removeText } from '../kernel/textIndex.ts'
import { addRecord, changeRecord, createRecordIndex, placeOf } from './recordIndex.ts'
import { recordOf } from './state.ts'
import { searchedText } from './search.ts'
import type { TextIndex } from '../kernel/textIndex.ts'
import type {
  Cashout,
  Credential,
  Customer,
  Dispute,
  Evidence,
  Organization,
  Scope,
  Transaction,
} from './records.ts'
import type { Keys, RecordIndex } from './recordIndex.ts'
import type { WorldState } from './state.ts'
import type { Delivery, JournalEntry, Posting } from './trail.ts'

/** Look-ups by what requests name. */
export interface Indexes {
  organizations: RecordIndex<Organization>
  credentials: RecordIndex<Credential>
  customers: RecordIndex<Customer>
  transactions: RecordIndex<Transaction>
  cashouts: RecordIndex<Cashout>
  disputes: RecordIndex<Dispute>
  deliveries: RecordIndex<Delivery>
  journal: RecordIndex<JournalEntry>
  postings: RecordIndex<Posting>
  /** Boleto transactions by the unguessable name of their slip. */
  transactionBySlip: Map<string, Transaction>
  evidenceById: Map<string, Evidence>
  /** Made by the first search and kept up to date from then on; null before. */
  customerTexts: TextIndex | null
}

/** The key of a scope, with a value in it when given. */
export function scopeKey(scope: Scope, value = ''): string {
  return `${scope.organizationId}|${scope.environment}|${value}`
}

/** The scope of records that belong to nobody. */
export const WHOLE_WORLD = ''

const whole = (): string => WHOLE_WORLD

const ORGANIZATION_KEYS: Keys<Organization> = {
  id: ({ id }) => id,
  scope: whole,
  facets: {},
  lookups: { splitCode: ({ splitCode }) => splitCode },
}
const CREDENTIAL_KEYS: Keys<Credential> = {
  id: ({ publicKey }) => publicKey,
  scope: scopeKey,
  facets: {},
  lookups: {},
}
const CUSTOMER_KEYS: Keys<Customer> = {
  id: ({ id }) => id,
  scope: scopeKey,
  facets: { status: ({ status }) => status, documentType: ({ documentType }) => documentType ?? 'null' },
  lookups: {
    externalId: ({ externalId }) => externalId,
    document: ({ document }) => document,
    email: ({ email }) => email,
  },
  anyCase: 'email',
}
const TRANSACTION_KEYS: Keys<Transaction> = {
  id: ({ id }) => id,
  scope: scopeKey,
  facets: { status: ({ status }) => status, method: ({ method }) => method },
  lookups: { externalId: ({ externalId }) => externalId, customerId: ({ customerId }) => customerId },
}
const CASHOUT_KEYS: Keys<Cashout> = {
  id: ({ id }) => id,
  scope: scopeKey,
  facets: { status: ({ status }) => status },
  lookups: { externalId: ({ externalId }) => externalId },
}
const DISPUTE_KEYS: Keys<Dispute> = {
  id: ({ id }) => id,
  scope: scopeKey,
  facets: { status: ({ status }) => status, reason: ({ reason }) => reason },
  lookups: { transactionId: ({ transactionId }) => transactionId },
}
const DELIVERY_KEYS: Keys<Delivery> = {
  id: ({ id }) => id,
  scope: whole,
  facets: { status: ({ status }) => status, type: ({ type }) => type },
  lookups: { subject: ({ subject }) => subject, url: ({ url }) => url },
}
const JOURNAL_KEYS: Keys<JournalEntry> = {
  id: null,
  scope: whole,
  facets: { machine: ({ machine }) => machine, on: ({ on }) => on, to: ({ to }) => to },
  lookups: { subject: ({ subject }) => subject },
}
const POSTING_KEYS: Keys<Posting> = {
  id: null,
  scope: scopeKey,
  facets: { reason: ({ reason }) => reason },
  lookups: { subject: ({ subject }) => subject },
}

/** A record of a scope by its id, in any letter case as UUIDs are; null when it is not there, or not theirs. */
export function ownRecord<R extends Scope>(records: Record<string, R>, scope: Scope, id: string): R | null {
  const found = recordOf(records, id.toLowerCase())
  return found && scopeKey(found) === scopeKey(scope) ? found : null
}

/** The look-ups of a state. */
export function buildIndexes(state: WorldState): Indexes {
  return {
    organizations: indexOf(ORGANIZATION_KEYS, Object.values(state.organizations)),
    credentials: indexOf(CREDENTIAL_KEYS, Object.values(state.credentials)),
    customers: indexOf(CUSTOMER_KEYS, Object.values(state.customers)),
    transactions: indexOf(TRANSACTION_KEYS, Object.values(state.transactions)),
    cashouts: indexOf(CASHOUT_KEYS, Object.values(state.cashouts)),
    disputes: indexOf(DISPUTE_KEYS, Object.values(state.disputes)),
    deliveries: indexOf(DELIVERY_KEYS, Object.values(state.deliveries)),
    journal: indexOf(JOURNAL_KEYS, state.journal),
    postings: indexOf(POSTING_KEYS, state.postings),
    transactionBySlip: new Map(
      Object.values(state.transactions).flatMap((each) => (each.boleto ? [[each.boleto.slip, each]] : [])),
    ),
    evidenceById: new Map(
      Object.values(state.disputes).flatMap(({ evidences }) => evidences.map((each) => [each.id, each])),
    ),
    customerTexts: null,
  }
}

function indexOf<R>(keys: Keys<R>, records: readonly R[]): RecordIndex<R> {
  const index = createRecordIndex(keys)
  for (const record of records) addRecord(index, record)
  return index
}

/** Puts a new transaction into the look-ups. */
export function indexTransaction(indexes: Indexes, transaction: Transaction): void {
  addRecord(indexes.transactions, transaction)
  if (transaction.boleto) indexes.transactionBySlip.set(transaction.boleto.slip, transaction)
}

/** Puts a new customer into the look-ups. */
export function indexCustomer({ customers, customerTexts: texts }: Indexes, customer: Customer): void {
  addRecord(customers, customer)
  if (texts) addText(texts, placeOf(customers, customer), searchedText(customer))
}

/** Changes a customer, which is found by what it is known by then. */
export function changeCustomer(
  { customers, customerTexts: texts }: Indexes,
  customer: Customer,
  change: () => void,
): void {
  const before = searchedText(customer)
  changeRecord(customers, customer, change)
  if (!texts) return
  const place = placeOf(customers, customer)
  removeText(texts, place, before)
  addText(texts, place, searchedText(customer))
}

/** The texts that a search looks into, made when they are first asked for. */
export function customerTexts(indexes: Indexes): TextIndex {
  if (indexes.customerTexts) return indexes.customerTexts
  const made: TextIndex = new Map()
  for (const [place, customer] of indexes.customers.records.entries()) {
    addText(made, place, searchedText(customer))
  }
  indexes.customerTexts = made
  return made
}
