// Owns the handlers of customers.
import { createCustomer, updateCustomer } from '../domain/customers.ts'
import { formatDocument, parseDocument } from '../domain/documents.ts'
import { scopeKey } from '../domain/indexes.ts'
import { isRefusal } from '../domain/refusal.ts'
import { pageOf } from './lists.ts'
import type { Customer } from '../domain/records.ts'
import type { World } from '../domain/world.ts'
import type { Handlers } from './handler.ts'

/** A document as answers show it. Source: CU-04. */
export function documentOut(world: World, document: string | null): string | null {
  if (document === null || world.choices.get('CU-04') === 'digits') return document
  return formatDocument(document)
}

function customerOut(world: World, customer: Customer) {
  const { id, externalId, name, email, documentType, phone, status, metadata, address, createdAt } = customer
  const document = documentOut(world, customer.document)
  return { id, externalId, name, email, document, documentType, phone, status, metadata, address, createdAt }
}

/** Text without accents and in lower case, for searching. Source: CU-06. */
function searchable(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
}

function matchesSearch({ name, email, document }: Customer, search: string): boolean {
  const wanted = searchable(search)
  if (searchable(name).includes(wanted) || searchable(email).includes(wanted)) return true
  const bare = parseDocument(search)?.text ?? search.replace(/[.\-/\s]/g, '').toUpperCase()
  return document !== null && bare !== '' && document.includes(bare)
}

/** Handlers of customers. */
export const CUSTOMER_HANDLERS: Handlers<
  'createCustomer' | 'listCustomers' | 'getCustomer' | 'updateCustomer'
> = {
  createCustomer({ world, scope, body }) {
    const created = createCustomer(world, scope, body)
    return isRefusal(created)
      ? created
      : { data: customerOut(world, created), message: 'Cliente criado com sucesso.' }
  },

  listCustomers({ world, scope, query }) {
    const { status, documentType, search, externalId } = query
    const { customers, customersByExternalId } = world.indexes
    const named = externalId === undefined ? null : customersByExternalId.get(scopeKey(scope, externalId))
    const records = externalId === undefined ? customers.get(scopeKey(scope)) : named && [named]
    const matches = (customer: Customer): boolean =>
      (status === undefined || customer.status === status) &&
      (documentType === undefined || customer.documentType === documentType) &&
      (search === undefined || matchesSearch(customer, search))
    const page = pageOf(world, records ?? [], query, matches, (customer) => customerOut(world, customer))
    return isRefusal(page) ? page : { data: page }
  },

  getCustomer: ({ world, record }) => ({ data: customerOut(world, record) }),

  updateCustomer({ world, record, body }) {
    const updated = updateCustomer(world, record, body)
    return isRefusal(updated)
      ? updated
      : { data: customerOut(world, updated), message: 'Cliente atualizado com sucesso.' }
  },
}
