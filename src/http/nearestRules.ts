// Owns putting right what only the rules of a world refuse: due dates, documents, metadata, PIX keys, and what another method takes.
import { MIN_AMOUNT_CENTS } from '../contract/limits.ts'
import { checkMetadata, isAcceptedDocument, readFacts } from '../domain/customers.ts'
import { parseDocument } from '../domain/documents.ts'
import { feeOf } from '../domain/fees.ts'
import { ownRecord } from '../domain/indexes.ts'
import { kindOfPixKey, parsePixKey } from '../domain/pixKeys.ts'
import { isRefusal } from '../domain/refusal.ts'
import { readSplits } from '../domain/splits.ts'
import { recordOf } from '../domain/state.ts'
import { partsOf } from '../domain/transactionParts.ts'
import { stamp } from '../domain/world.ts'
import { cents } from '../kernel/brands.ts'
import { addDays, dayOf } from '../kernel/calendar.ts'
import { parseInstant } from '../kernel/time.ts'
import { EXAMPLES } from './nearest.ts'
import type { z } from 'zod'
import type { DocumentType, Method, PixKeyType } from '../contract/enums.ts'
import type { EndpointRow } from '../contract/endpoint.ts'
import type { Scope } from '../domain/records.ts'
import type { TransactionInput } from '../domain/transactionParts.ts'
import type { World } from '../domain/world.ts'
import type { Fields } from './nearest.ts'

/** What the form of a call is judged by. */
export interface FormContext {
  world: World
  row: EndpointRow
  /** Whose call it was; null when it was nobody's. */
  scope: Scope | null
  /** The record that its path names. */
  subject: string | null
}

/** Fields that fit a schema, put right by the rules of their endpoint; null when a rule still refuses them. Canonical names. */
export function keepRules(
  { world, row, scope, subject }: FormContext,
  schema: z.ZodObject,
  fields: Fields,
): Fields | null {
  if (schema === row.query) return withDates(world, fields)
  switch (row.id) {
    case 'createTransaction':
      return scope && transactionForm(world, scope, fields)
    case 'createCustomer':
    case 'updateCustomer': {
      const customer = recordOf(world.state.customers, subject ?? '')
      const { externalId, ...rest } = fields
      const fixed = customer && externalId !== customer.externalId
      return customerForm(
        world,
        fixed ? rest : fields,
        'CU-08',
        ['document', 'phone'],
        customer?.documentType,
      )
    }
    case 'createCashout':
      return cashoutForm(world, fields)
    default:
      return fields
  }
}

/** Dates of a filter that are none become the day that the clock shows. */
function withDates(world: World, fields: Fields): Fields {
  const entries = Object.entries(fields).map(([name, value]) => {
    const isDate = /^(start|end)Date$/.test(name)
    return [name, isDate && parseInstant(String(value)) === null ? stamp(world).slice(0, 10) : value]
  })
  return Object.fromEntries(entries) as Fields
}

/** The method that alone takes a field; null when any does. */
function methodOf(field: string): Method | null {
  if (field.startsWith('boleto')) return 'Boleto'
  if (field.startsWith('card') || field === 'installments') return 'CreditCard'
  return field.startsWith('pix') || field === 'splits' ? 'Pix' : null
}

const CARD_FIELDS = ['cardNumber', 'cardHolderName', 'cardExpirationMonth', 'cardExpirationYear', 'cardCvv']

function transactionForm(world: World, scope: Scope, sent: Fields): Fields | null {
  const method = sent['method'] as Method
  const own = Object.entries(sent).filter(([field]) => [null, method].includes(methodOf(field)))
  const fields: Fields = Object.fromEntries(own)
  if (method === 'CreditCard' && fields['cardToken'] === undefined) fill(fields, CARD_FIELDS)
  const { customerId } = fields as Partial<TransactionInput>
  if (customerId !== undefined && !ownRecord(world.state.customers, scope, customerId)) return null
  if (method === 'Boleto') {
    const isNamed = customerId !== undefined || fields['customerName'] !== undefined
    if (!isNamed) fill(fields, ['customerName', 'customerDocument'])
    fields['boletoDueDate'] = dueDate(world, scope, fields)
  }
  const form = customerForm(world, fields, 'TX-19', ['customerDocument', 'customerPhone'])
  return hasGoodSplits(world, scope, form) ? form : null
}

function fill(fields: Fields, names: readonly string[]): void {
  for (const name of names) fields[name] ??= EXAMPLES[name]
}

/** Days after today that are tried as a due date. */
const MAX_DAYS_AHEAD = 10

/** The due date that was sent, or the first one that a boleto may have. */
function dueDate(world: World, scope: Scope, fields: Fields): unknown {
  const passes = (boletoDueDate: unknown): boolean =>
    !isRefusal(partsOf(world, scope, { ...fields, boletoDueDate } as TransactionInput, true))
  if (passes(fields['boletoDueDate'])) return fields['boletoDueDate']
  const today = dayOf(world.clock.now())
  const days = Array.from({ length: MAX_DAYS_AHEAD }, (_, ahead) => addDays(today, ahead))
  return days.find((day) => passes(day))
}

function hasGoodSplits(world: World, scope: Scope, fields: Fields): boolean {
  const { method, amount, splits } = fields as TransactionInput
  if (splits === undefined) return true
  const whole = cents(amount)
  const netAmount = cents(amount - feeOf(world, method, whole))
  return !isRefusal(readSplits(world, scope, { amount: whole, netAmount }, splits))
}

/** Document, phone and metadata of a customer put right, under the names of document and phone. */
function customerForm(
  world: World,
  fields: Fields,
  silence: 'TX-19' | 'CU-08',
  [document, phone]: readonly [string, string],
  knownType: DocumentType | null = null,
): Fields {
  const form = { ...fields }
  const text = (name: string): string | undefined => form[name] as string | undefined
  if (isRefusal(readFacts(world, { document: text(document) }))) form[document] = EXAMPLES[document]
  if (isRefusal(readFacts(world, { phone: text(phone) }))) form[phone] = EXAMPLES[phone]
  const type = parseDocument(text(document) ?? '')?.type ?? knownType
  if (type === null) delete form['documentType']
  else if (form['documentType'] !== undefined) form['documentType'] = type
  const { metadata } = form
  const refused = checkMetadata(world, silence, metadata as string | undefined)
  if (refused) form['metadata'] = JSON.stringify(metadata)
  return form
}

const KEYS: Readonly<Record<PixKeyType, string>> = {
  CPF: '12345678909',
  CNPJ: '11222333000181',
  Email: 'ana@example.com',
  Phone: '+5511999998888',
  Random: '123e4567-e89b-42d3-a456-426614174000',
}

function cashoutForm(world: World, fields: Fields): Fields {
  const { feeCents, minimumCents } = world.choices.get('CO-05')
  const least = Math.max(minimumCents, feeCents + 1, MIN_AMOUNT_CENTS)
  const form = { ...fields, amount: Math.max(Number(fields['amount']), least) }
  const [type, key] = [fields['pixKeyType'] as PixKeyType, String(fields['pixKey'])]
  const isGood = (kind: PixKeyType): boolean => {
    const plain = parsePixKey(kind, key)
    const document = plain === null ? null : parseDocument(plain)
    return plain !== null && (!document || isAcceptedDocument(world, document))
  }
  if (isGood(type)) return form
  const kind = kindOfPixKey(key)
  return kind && isGood(kind) ? { ...form, pixKeyType: kind } : { ...form, pixKey: KEYS[type] }
}
