// Owns filters of lists: how a call says them, and which records of the model have what is asked for.
import { NO_ID, pick } from './picking.ts'
import type { Known, Life, Person } from './world.ts'

/** Lists of the gateway. */
export const LISTS = ['transactions', 'customers', 'cashouts', 'disputes'] as const
/** A list of the gateway. */
export type List = (typeof LISTS)[number]

/** How a date is said: an instant in UTC or in Sao Paulo, its day, or nothing that is a date. */
export type DateForm = 'utc' | 'offset' | 'day' | 'bogus'

/** A filter: a value that records may have, or something about the record that was made last but `nth`. */
export type Filter =
  | { by: 'status' | 'method' | 'externalId' | 'documentType' | 'reason' | 'search'; value: string }
  | { by: 'startDate' | 'endDate'; nth: number; off: number; form: DateForm }
  | { by: 'customerId' | 'paymentId'; nth: number; loud: boolean }

/** A filter as a call says it, and whether a record has what it asks for; null for what no filter may say. */
export interface Asked {
  name: Filter['by']
  text: string
  /** How a scenario says a text that is an id. */
  said?: string
  has: ((life: Life, record: Known) => boolean) | null
}

const DAY = 86_400_000
const SAO_PAULO = 10_800_000

const VALUES: Partial<Record<Filter['by'], readonly string[]>> = {
  method: ['Pix', 'CreditCard', 'Boleto'],
  documentType: ['CPF', 'CNPJ'],
  reason: ['Fraud', 'Scam', 'ProductNotReceived'],
}

const STATUSES: Record<List, readonly string[]> = {
  transactions: [
    'Pending',
    'Completed',
    'Expired',
    'Failed',
    'Cancelled',
    'Refunded',
    'PartiallyRefunded',
    'Processing',
  ],
  customers: ['Active', 'Inactive'],
  cashouts: ['Pending', 'Processing', 'Completed', 'Failed', 'Rejected', 'Cancelled'],
  disputes: ['Open', 'MerchantResponded', 'UnderReview', 'Won', 'Lost', 'Expired', 'Cancelled'],
}

/** Filters that each list knows. */
export const FILTERS: Record<List, readonly Filter['by'][]> = {
  transactions: ['status', 'method', 'externalId', 'customerId', 'startDate', 'endDate'],
  customers: ['status', 'documentType', 'search', 'externalId'],
  cashouts: ['status', 'externalId', 'startDate', 'endDate'],
  disputes: ['status', 'reason', 'paymentId'],
}

/** What a filter of a list asks for. */
export function asked(life: Life, kind: List, filter: Filter): Asked {
  switch (filter.by) {
    case 'startDate':
    case 'endDate':
      return askedDate(life, kind, filter)
    case 'customerId':
    case 'paymentId':
      return askedOther(life, filter)
    default: {
      const { by: name, value: text } = filter
      const known = name === 'status' ? STATUSES[kind] : VALUES[name]
      if (known && !known.includes(text)) return { name, text, has: null }
      return { name, text, has: (_life, record) => hasValue(record, name, text) }
    }
  }
}

function hasValue(record: Known, name: string, value: string): boolean {
  const facts = record as Known & Partial<Person> & { method?: string }
  switch (name) {
    case 'documentType':
      // Payers of programs have a CPF, or no document.
      return value === 'CPF' && typeof facts.document === 'string'
    case 'reason':
      // Disputes of programs are opened without a reason, which means fraud.
      return value === 'Fraud'
    case 'search':
      return isFound(facts, value)
    default:
      return facts[name as 'status'] === value
  }
}

/** A part of the name, the e-mail or the document, without accents, upper case and punctuation. */
function isFound({ name = '', email = '', document }: Partial<Person>, search: string): boolean {
  const plain = search.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  const digits = search.replace(/[.\-/ ]/g, '')
  const isDocument = typeof document === 'string' && digits !== '' && document.includes(digits)
  return name.toLowerCase().includes(plain) || email.toLowerCase().includes(plain) || isDocument
}

function askedDate(
  life: Life,
  kind: List,
  { by: name, nth, off, form }: Filter & { by: 'startDate' | 'endDate' },
): Asked {
  const { place } = pick(life, kind, nth)
  const at = (life[kind][place]?.createdAt ?? life.now) + off
  const text = {
    utc: new Date(at).toISOString(),
    offset: new Date(at - SAO_PAULO).toISOString().replace('Z', '-03:00'),
    day: new Date(at).toISOString().slice(0, 10),
    bogus: 'yesterday',
  }[form]
  if (form === 'bogus') return { name, text, has: null }
  const start = form === 'day' ? Math.floor(at / DAY) * DAY : at
  const end = form === 'day' ? start + DAY - 1 : at
  const isFrom = name === 'startDate'
  return { name, text, has: (_life, { createdAt }) => (isFrom ? createdAt >= start : createdAt <= end) }
}

function askedOther(life: Life, { by: name, nth, loud }: Filter & { by: 'customerId' | 'paymentId' }): Asked {
  const { place, id, said } = pick(life, name === 'customerId' ? 'customers' : 'transactions', nth)
  const text = loud ? id.toUpperCase() : id
  if (id === NO_ID) return { name, text, has: () => false }
  const field = name === 'customerId' ? 'customer' : 'sale'
  const has: Asked['has'] = (_life, record) => (record as Known & { [field]?: number })[field] === place
  return { name, text, said, has }
}
