// Owns the handlers of customers.
import { createCustomer, updateCustomer } from '../domain/customers.ts'
import { formatDocument } from '../domain/documents.ts'
import { customerTexts, scopeKey } from '../domain/indexes.ts'
import { isRefusal } from '../domain/refusal.ts'
import { candidatesOf, matcherOf } from '../domain/search.ts'
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
    const wanted = {
      scope: scopeKey(scope),
      filters: { status, documentType, externalId },
      within: search === undefined ? null : candidatesOf(customerTexts(world.indexes), search),
      also: search === undefined ? undefined : matcherOf(search),
    }
    const view = (customer: Customer) => customerOut(world, customer)
    const page = pageOf(world, world.indexes.customers, query, wanted, view)
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
