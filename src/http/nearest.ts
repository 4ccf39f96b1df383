// Owns the nearest fields that fit a schema: misspelt names put right, values turned, cut and filled until they pass.
import { z } from 'zod'
import { closest } from '../kernel/closest.ts'
import { redactBody } from '../world/redaction.ts'
import { nearestName, unwrap } from './input.ts'

/** Fields by name. */
export type Fields = Record<string, unknown>

/** Codes that refuse what was sent, not the state that it met. */
const CODES_OF_FORM: ReadonlySet<string> = new Set([
  'validation_error',
  'invalid_amount',
  'invalid_card_data',
  'invalid_splits',
  'customer_required',
  'invalid_due_date',
  'field_too_long',
])

/** Whether another form of a call that was refused with a code may pass. */
export function acceptableCode(code: string | null): boolean {
  return code !== null && CODES_OF_FORM.has(code)
}

/** Fields that are looked at for misspelling. */
const MAX_LOOKED_AT = 100

/**
 * The misspelt fields of a body that may hold a card, redacted: those that can only mean a known field that is none of a
 * card's. A body that does speak of a card gives none, because in it any unknown number may be a CVV.
 */
export function misspeltFields(sent: unknown, known: readonly string[]): Fields {
  if (!isRecord(sent) || speaksOfCard(sent)) return {}
  const found = Object.entries(sent)
    .slice(0, MAX_LOOKED_AT)
    .filter(([name]) => {
      const near = known.includes(name) ? null : nearestName(name, known)
      return near !== null && !/^card/i.test(near)
    })
  return redactBody(Object.fromEntries(found)) as Fields
}

function speaksOfCard(sent: Fields): boolean {
  return Object.entries(sent).some(
    ([name, value]) => /card|cart|cv[cv]/i.test(name) || (typeof value === 'string' && /card/i.test(value)),
  )
}

/** The fields that a schema knows, under our names; with `guess` also those that are misspelt. */
export function ownFields(
  schema: z.ZodObject,
  sent: Fields,
  names: Record<string, string>,
  guess: boolean,
): Fields {
  const theirs = new Map(Object.keys(schema.shape).map((ours) => [names[ours] ?? ours, ours]))
  const own: Fields = {}
  const take = (ours: string, value: unknown): void => {
    if (value !== null && value !== undefined) own[ours] = ownItems(schema, ours, value, guess)
  }
  for (const [name, ours] of theirs) if (Object.hasOwn(sent, name)) take(ours, sent[name])
  if (!guess) return own
  for (const name of Object.keys(sent).slice(0, MAX_LOOKED_AT)) {
    if (theirs.has(name)) continue
    const absent = [...theirs].filter(([, ours]) => !Object.hasOwn(own, ours))
    const near = absent.some(([, ours]) => ours === name)
      ? name
      : theirs.get(
          nearestName(
            name,
            absent.map(([each]) => each),
          ) ?? '',
        )
    if (near !== undefined) take(near, sent[name])
  }
  return own
}

/** The objects of a list, each with the fields that its schema knows. */
function ownItems(schema: z.ZodObject, field: string, value: unknown, guess: boolean): unknown {
  const list = unwrap(schema.shape[field] as z.ZodType)
  const item = list instanceof z.ZodArray ? unwrap(list.element as z.ZodType) : null
  if (!(item instanceof z.ZodObject) || !Array.isArray(value)) return value
  return value.map((each: unknown) => (isRecord(each) ? ownFields(item, each, {}, guess) : each))
}

/** A plain example of each field. Of what is secret or on a card there is only a placeholder. */
export const EXAMPLES: Readonly<Record<string, unknown>> = {
  amount: 100,
  boletoDueDate: '2030-12-31',
  callbackUrl: 'https://shop.example/webhooks',
  cardCvv: '<cvv>',
  cardExpirationMonth: '<month>',
  cardExpirationYear: '<year>',
  cardHolderName: '<holder>',
  cardNumber: '<number>',
  cardToken: '<token>',
  customerDocument: '12345678909',
  customerEmail: 'ana@example.com',
  customerName: 'Ana Souza',
  customerPhone: '+5511999998888',
  document: '12345678909',
  email: 'ana@example.com',
  file: '<file>',
  installments: 1,
  name: 'Ana Souza',
  page: 1,
  pageSize: 20,
  phone: '+5511999998888',
  pixExpirationMinutes: 30,
  pixKey: 'ana@example.com',
  publicKey: '<publicKey>',
  secretKey: '<secretKey>',
  text: 'O pedido foi entregue.',
}

/** What stands for a value that is not kept. */
export function placeholderOf(field: string): string {
  const example = EXAMPLES[field]
  return typeof example === 'string' && example.startsWith('<') ? example : `<${field}>`
}

/** Whether some field holds a placeholder, not merely a text that looks like one. */
export function hasPlaceholder(fields: Fields): boolean {
  const known = Object.keys(EXAMPLES).map(placeholderOf)
  return Object.entries(fields).some(
    ([name, value]) => typeof value === 'string' && [placeholderOf(name), ...known].includes(value),
  )
}

/** Stands for a field that is left out. */
const GONE = Symbol('gone')
/** Rounds of putting right, and tries of one field before it is left out. */
const [MAX_ROUNDS, MAX_TRIES] = [12, 3]

/** The nearest fields that pass a schema, under our names; null when there are none. Each round puts right what the schema says. */
export function nearestFields(schema: z.ZodObject, own: Fields): Fields | null {
  const fields = structuredClone(own)
  const tries = new Map<string, number>()
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const parsed = schema.safeParse(fields)
    if (parsed.success) return fields
    const issues = new Map(parsed.error.issues.map((issue) => [issue.path.join('.'), issue]))
    for (const [place, issue] of issues) {
      const number = (tries.get(place) ?? 0) + 1
      tries.set(place, number)
      const part = schema.shape[String(issue.path[0])] as z.ZodType | undefined
      const canGo = part?.safeParse(undefined).success === true
      put(fields, issue.path, (input) =>
        number > MAX_TRIES
          ? GONE
          : putRight(issue, input, { number, canGo: canGo && issue.path.length === 1 }),
      )
    }
    for (const [name, value] of Object.entries(fields)) {
      if (Array.isArray(value)) fields[name] = value.filter((each) => each !== GONE)
    }
  }
  return null
}

/** Changes the value at a path. */
function put(fields: Fields, path: readonly PropertyKey[], change: (input: unknown) => unknown): void {
  let holder: Record<PropertyKey, unknown> = fields
  for (const key of path.slice(0, -1)) {
    const next = holder[key]
    if (typeof next !== 'object' || next === null) return
    holder = next as Record<PropertyKey, unknown>
  }
  const last = path.at(-1)
  if (last === undefined) return
  const value = change(holder[last])
  if (value === GONE && !Array.isArray(holder)) Reflect.deleteProperty(holder, last)
  else holder[last] = value
}

interface Try {
  /** From 1. */
  number: number
  canGo: boolean
}

/** What a value becomes that a schema complains of. */
function putRight(issue: z.core.$ZodIssue, input: unknown, { number, canGo }: Try): unknown {
  const field = issue.path.findLast((key) => typeof key === 'string') ?? ''
  switch (issue.code) {
    case 'invalid_type':
      return typed(issue.expected, input, field)
    case 'too_big':
      if (typeof input === 'string' && issue.origin === 'string') return cut(input, Number(issue.maximum))
      return Array.isArray(input) ? input.slice(0, Number(issue.maximum)) : Number(issue.maximum)
    case 'too_small':
      return typeof input === 'string' && issue.origin === 'string' ? exampleOf(field) : Number(issue.minimum)
    case 'invalid_value':
      return nearestValue(issue.values, input, canGo)
    case 'invalid_union': {
      const inner = issue.errors.flat()
      const values = inner.flatMap((each) => (each.code === 'invalid_value' ? each.values : []))
      return values.length > 0 ? nearestValue(values, input, canGo) : exampleOf(field)
    }
    default:
      return number === 1 ? formatted(field, input) : exampleOf(field)
  }
}

function exampleOf(field: string): unknown {
  return EXAMPLES[field] ?? 'texto'
}

function typed(expected: string, input: unknown, field: string): unknown {
  switch (expected) {
    case 'number':
    case 'int': {
      const example = EXAMPLES[field] ?? 1
      if (typeof input === 'number') return Number.isFinite(input) ? Math.round(input) : example
      const text = typeof input === 'string' ? input.trim().replace(',', '.') : ''
      return text !== '' && Number.isFinite(Number(text)) ? Number(text) : example
    }
    case 'string':
      if (typeof input === 'number' || typeof input === 'boolean') return String(input)
      return typeof input === 'object' && input !== null && field === 'metadata'
        ? JSON.stringify(input)
        : exampleOf(field)
    case 'array':
      return isRecord(input) ? [input] : GONE
    default:
      return GONE
  }
}

/** The start of a text, not ending within a character. */
function cut(text: string, units: number): string {
  return text.slice(0, units).replace(/[\uD800-\uDBFF]$/, '')
}

/** A listed value: the same but for letter case and punctuation, the nearest word, or the first one. */
function nearestValue(values: readonly unknown[], input: unknown, canGo: boolean): unknown {
  const [first] = values
  if (typeof input !== 'string' && typeof input !== 'number') return first
  const plain = (value: unknown): string =>
    String(value)
      .replace(/[^a-z0-9]/gi, '')
      .toLowerCase()
  const words = values.filter((value) => typeof value === 'string')
  const near = values.find((value) => plain(value) === plain(input)) ?? closest(String(input), words)
  return near ?? (canGo && values.length > 1 ? GONE : first)
}

/** A text of another format in that of its field, as far as one can tell. */
function formatted(field: string, input: unknown): unknown {
  if (typeof input !== 'string') return exampleOf(field)
  const text = input.trim()
  if (field === 'boletoDueDate') {
    const [, day, month, year] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text) ?? []
    return year === undefined ? text.slice(0, 10) : `${year}-${month}-${day}`
  }
  return field === 'callbackUrl' && !/^\w+:\/\//.test(text) ? `http://${text}` : text
}

/** Whether a value is an object with fields. */
export function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
