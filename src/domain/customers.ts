// Owns customers: creation, change, and the customer that a transaction names inline.
import { hasValidCheckDigits, parseDocument } from './documents.ts'
import { changeCustomer, indexCustomer, scopeKey } from './indexes.ts'
import { countIn, firstNamed } from './recordIndex.ts'
import { refuse, isRefusal } from './refusal.ts'
import { stamp } from './world.ts'
import type { CustomerStatus, DocumentType } from '../contract/enums.ts'
import type { ParsedDocument } from './documents.ts'
import type { Refusal } from './refusal.ts'
import type { Address, Customer, Scope } from './records.ts'
import type { World } from './world.ts'

/** Fields of a customer as a request sends them. */
export interface CustomerInput {
  name?: string | undefined
  email?: string | undefined
  document?: string | undefined
  documentType?: DocumentType | undefined
  phone?: string | undefined
  externalId?: string | undefined
  metadata?: string | undefined
  status?: CustomerStatus | undefined
  addressStreet?: string | undefined
  addressNumber?: string | undefined
  addressComplement?: string | undefined
  addressNeighborhood?: string | undefined
  addressCity?: string | undefined
  addressState?: string | undefined
  addressPostalCode?: string | undefined
  addressCountry?: string | undefined
}

type Invalid = Refusal<'validation_error'>

/** What is read out of document and phone of a request. */
export type CustomerFacts = Pick<Customer, 'document' | 'documentType' | 'phone'>

/** Creates a customer. Source: CU-01. */
export function createCustomer(
  world: World,
  scope: Scope,
  input: CustomerInput & { name: string; email: string },
): Customer | Refusal<'validation_error' | 'conflict'> {
  const facts = readFacts(world, input)
  if (isRefusal(facts)) return facts
  const refused = checkMetadata(world, 'CU-08', input.metadata)
  if (refused) return refused
  const { externalId = null, name, email } = input
  const { customers } = world.indexes
  if (externalId !== null && firstNamed(customers, scopeKey(scope), 'externalId', externalId)) {
    return refuse(
      'conflict',
      `A customer with externalId '${externalId}' exists; list customers with ?externalId= to find it.`,
      `Já existe um cliente com o externalId '${externalId}'.`,
    )
  }
  return insertCustomer(world, scope, () => ({
    ...facts,
    externalId,
    name,
    email,
    metadata: input.metadata ?? null,
    address: mergeAddress(null, input),
  }))
}

/** Changes a customer; what is left out stays. Source: CU-03. */
export function updateCustomer(
  world: World,
  customer: Customer,
  input: CustomerInput,
): Customer | Refusal<'validation_error'> {
  if (input.externalId !== undefined && input.externalId !== customer.externalId) {
    return refuse(
      'validation_error',
      "Field 'externalId' cannot change (CU-03); create another customer instead.",
      "Campo 'externalId': não pode ser alterado.",
    )
  }
  const facts = readFacts(world, input, customer)
  if (isRefusal(facts)) return facts
  const refused = checkMetadata(world, 'CU-08', input.metadata)
  if (refused) return refused
  const changed = {
    name: input.name ?? customer.name,
    email: input.email ?? customer.email,
    document: facts.document,
    documentType: facts.documentType,
    phone: facts.phone,
    status: input.status ?? customer.status,
    metadata: input.metadata ?? customer.metadata,
    address: mergeAddress(customer.address, input),
    updatedAt: stamp(world),
  } satisfies Partial<Customer>
  changeCustomer(world.indexes, customer, () => Object.assign(customer, changed))
  world.changes?.record('customers', customer.id)
  return customer
}

/** The customer of a new transaction: one that exists, or how to make it once nothing can refuse any more. */
export type InlineCustomer = { existing: Customer } | { create: () => Customer }

/**
 * The customer that a transaction names by `customerName`. A stored customer is never overwritten.
 * Source: TX-20, TX-21.
 */
export function inlineCustomer(
  world: World,
  scope: Scope,
  { name, email, document, documentType, phone }: CustomerFacts & { name: string; email: string | undefined },
): InlineCustomer {
  const reuse = world.choices.get('TX-20') === 'sameDocumentOrEmail'
  const existing = reuse ? findSame(world, scope, document, email) : null
  if (existing) return { existing }
  const create = (): Customer =>
    insertCustomer(world, scope, (id) => ({
      externalId: null,
      name,
      email: email ?? `${document ?? id}@sandbox.invalid`,
      document,
      documentType,
      phone,
      metadata: null,
      address: null,
    }))
  return { create }
}

/** Refuses metadata that is not JSON text, where the world asks for it. Source: TX-19, CU-08. */
export function checkMetadata(
  world: World,
  silence: 'TX-19' | 'CU-08',
  metadata: string | undefined,
): Invalid | null {
  if (metadata === undefined || world.choices.get(silence) === 'anyText') return null
  try {
    JSON.parse(metadata)
    return null
  } catch {
    return refuse(
      'validation_error',
      `Field 'metadata' must be JSON text, such as '{"order":"A-1"}'; silence ${silence} can allow any text.`,
      "Campo 'metadata': deve ser um texto JSON válido.",
    )
  }
}

function insertCustomer(
  world: World,
  scope: Scope,
  fields: (id: string) => Omit<Customer, 'id' | 'n' | 'status' | 'createdAt' | 'updatedAt' | keyof Scope>,
): Customer {
  const { organizationId, environment } = scope
  const at = stamp(world)
  const id = world.random.uuid()
  const customer: Customer = {
    id,
    n: countIn(world.indexes.customers, scopeKey(scope)) + 1,
    organizationId,
    environment,
    ...fields(id),
    status: 'Active',
    createdAt: at,
    updatedAt: at,
  }
  world.state.customers[customer.id] = customer
  world.changes?.record('customers', customer.id)
  indexCustomer(world.indexes, customer)
  return customer
}

function findSame(
  world: World,
  scope: Scope,
  document: string | null,
  email: string | undefined,
): Customer | null {
  const { customers } = world.indexes
  const byDocument = document === null ? null : firstNamed(customers, scopeKey(scope), 'document', document)
  if (byDocument || email === undefined) return byDocument
  return firstNamed(customers, scopeKey(scope), 'email', email)
}

/** What the fields of a customer are called in a request, for refusals. */
export interface FactNames {
  document: string
  phone: string
}

const OWN_NAMES: FactNames = { document: 'document', phone: 'phone' }
const NO_FACTS: CustomerFacts = { document: null, documentType: null, phone: null }

/** Reads document and phone of a request over what is known already. Source: CU-05, contract: POST /v1/transactions. */
export function readFacts(
  world: World,
  { document, documentType, phone }: CustomerInput,
  known: CustomerFacts = NO_FACTS,
  names: FactNames = OWN_NAMES,
): CustomerFacts | Invalid {
  const parsed = document === undefined ? null : parseDocument(document)
  const facts: CustomerFacts = {
    document: parsed?.text ?? known.document,
    documentType: parsed?.type ?? known.documentType,
    phone: phone === undefined ? known.phone : normalizePhone(phone),
  }
  if (document !== undefined && !(parsed && isAcceptedDocument(world, parsed))) {
    return refuse(
      'validation_error',
      `Field '${names.document}' is a CPF of 11 digits or a CNPJ of 14 characters, with or without punctuation.`,
      `Campo '${names.document}': deve ser um CPF ou CNPJ válido.`,
    )
  }
  if (documentType !== undefined && documentType !== facts.documentType) {
    return refuse(
      'validation_error',
      `Field 'documentType' says ${documentType}, but the document is ${facts.documentType ?? 'missing'}.`,
      "Campo 'documentType': não corresponde ao documento informado.",
    )
  }
  if (phone !== undefined && facts.phone === null) {
    return refuse(
      'validation_error',
      `Field '${names.phone}' has 8 to 15 digits with its country code, such as +5511999998888.`,
      `Campo '${names.phone}': deve ser um telefone com código do país.`,
    )
  }
  return facts
}

/** Whether a document is taken: in its form, and with check digits that hold where a world asks for it. Source: CU-05. */
export function isAcceptedDocument(world: World, parsed: ParsedDocument): boolean {
  return world.choices.get('CU-05') === 'unchecked' || hasValidCheckDigits(parsed)
}

/** A phone as digits, country code included; null when it is none. Source: contract: POST /v1/transactions. */
function normalizePhone(text: string): string | null {
  const digits = text.replace(/^\+/, '').replace(/[\s().-]/g, '')
  return /^\d{8,15}$/.test(digits) ? digits : null
}

function mergeAddress(before: Address | null, input: CustomerInput): Address | null {
  const sent: { [Part in keyof Address]: string | undefined } = {
    street: input.addressStreet,
    number: input.addressNumber,
    complement: input.addressComplement,
    neighborhood: input.addressNeighborhood,
    city: input.addressCity,
    state: input.addressState,
    postalCode: input.addressPostalCode,
    country: input.addressCountry,
  }
  if (!before && Object.values(sent).every((part) => part === undefined)) return null
  const merged = Object.entries(sent).map(([part, value]) => [
    part,
    value ?? before?.[part as keyof Address] ?? null,
  ])
  return Object.fromEntries(merged) as Address
}
