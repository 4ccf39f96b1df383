// Owns hiding: what must never be kept of a call is hidden before anything of it is.
import { passesLuhn } from '../domain/cards.ts'

/** Stands for what is hidden. */
export const HIDDEN = '[hidden]'

/** The part of a body that is kept, in characters. */
const MAX_BODY_UNITS = 8_192
/** The part of one text that is kept, in characters. */
const MAX_TEXT_UNITS = 1_000
/** Entries of a list that are kept, and levels of a body that are looked into. */
const MAX_ENTRIES = 1_000
const MAX_DEPTH = 20

/** Names of fields whose long numbers are codes of ours, never a card. */
const CODE_NAMES: ReadonlySet<string> = new Set([
  'copyAndPaste',
  'digitableLine',
  'barcode',
  'txId',
  'endToEndId',
  'qrCode',
])

const NONE: ReadonlySet<string> = new Set()

const SECRET_NAMES =
  /secret|cvv|cvc|security|seguranca|password|accesstoken|cardnumber|cardtoken|authorization|signature|^cookie$/i

/** Fields without the values of secret ones, as of headers or a query. */
export function redactFields(fields: Record<string, string>): Record<string, string> {
  return mapFields(fields, (name, value) => (isSecret(name) ? HIDDEN : redactText(value)))
}

/** An address without a password, and without the values of secret parameters. */
export function redactUrl(text: string): string {
  if (!URL.canParse(text)) return redactText(text)
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') [url.username, url.password] = ['hidden', '']
  for (const name of new Set(url.searchParams.keys())) {
    if (isSecret(name) || /token|key|auth/i.test(name)) url.searchParams.set(name, HIDDEN)
  }
  return redactText(url.href)
}

/**
 * A body without secrets: hidden by their names, and card numbers wherever they stand. `known` names the only fields
 * that are kept of a body that may hold a card: in a field that nobody knows, a CVV looks like any number. Of one that is longer
 * than `maxUnits` only the beginning is kept, as `cut`. `open` names fields that hide nothing, whatever their names say.
 */
export function redactBody(
  body: unknown,
  known: readonly string[] | null = null,
  maxUnits: number = MAX_BODY_UNITS,
  open: ReadonlySet<string> = NONE,
): unknown {
  const clean = redactValue(known === null ? body : onlyKnown(body, known), 0, open)
  const text = JSON.stringify(clean)
  return text.length <= maxUnits ? clean : { cut: text.slice(0, maxUnits) }
}

function onlyKnown(body: unknown, known: readonly string[]): unknown {
  if (typeof body !== 'object' || body === null) return body
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, known.includes(name) ? value : HIDDEN]),
  )
}

function redactValue(value: unknown, depth: number, open: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return redactText(redactJson(value, depth, open))
  if (typeof value === 'number') {
    if (Number.isInteger(value) && Math.abs(value) < SHORTEST_CARD_NUMBER) return value
    return redactText(String(value)) === String(value) ? value : HIDDEN
  }
  if (typeof value !== 'object' || value === null) return value
  if (depth >= MAX_DEPTH) return '[deeper]'
  if (Array.isArray(value)) {
    return value.slice(0, MAX_ENTRIES).map((each) => redactValue(each, depth + 1, open))
  }
  return mapFields(value as Record<string, unknown>, (name, each) => redactField(name, each, depth, open))
}

/** A text that is an object or a list in JSON, such as metadata, without what its fields hide; any other as it is. */
function redactJson(text: string, depth: number, open: ReadonlySet<string>): string {
  if (!/^\s*[[{]/.test(text)) return text
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return text
  }
  const clean = JSON.stringify(redactValue(value, depth, open))
  return clean === textOf(value) ? text : clean
}

/** A value as JSON; null for one of more levels than can be written. */
function textOf(value: unknown): string | null {
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** An object with redacted names, and values that are made from names and values. */
function mapFields<T, U>(fields: Record<string, T>, make: (name: string, value: T) => U): Record<string, U> {
  const made: Record<string, U> = {}
  for (const name of Object.keys(fields)) {
    const kept = LETTERS.test(name) ? name : redactText(name)
    const value = make(name, fields[name] as T)
    // Assigned, this name would be the prototype instead of a field.
    if (kept === '__proto__') Object.defineProperty(made, kept, { ...FIELD, value })
    else made[kept] = value
  }
  return made
}

const FIELD = { enumerable: true, configurable: true, writable: true }

/** A name that has nothing to hide itself: letters only, and not many. */
const LETTERS = /^[A-Za-z]{1,64}$/

function redactField(name: string, value: unknown, depth: number, open: ReadonlySet<string>): unknown {
  if (isSecret(name) && value !== null && !open.has(name)) return HIDDEN
  return CODE_NAMES.has(name) && typeof value === 'string'
    ? shortened(value)
    : redactValue(value, depth + 1, open)
}

/** Whether a field of this name holds a secret. */
export function isSecret(name: string): boolean {
  return SECRET_NAMES.test(LETTERS.test(name) ? name : name.replace(/[^a-z]/gi, ''))
}

const UUID = /([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/i

/** A text without tokens, secret keys and card numbers, and not too long. Ids stay as they are. */
export function redactText(text: string): string {
  return mayHide(text) ? redactWhole(text) : shortened(text)
}

/** Whether a text has as many digits in one run as a card, or begins anywhere as a token or a key does. */
function mayHide(text: string): boolean {
  let digits = 0
  let since = 0
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    if (unit >= DIGIT_0 && unit <= DIGIT_9) {
      digits = since > MAX_BETWEEN_DIGITS ? 1 : digits + 1
      since = 0
      if (digits >= SHORTEST_CARD) return true
    } else if (isLetter(unit)) digits = 0
    else since += 1
  }
  return text.includes('eyJ') || /(?:sk|ct)[_%]/.test(text)
}

const DIGIT_0 = 48
const DIGIT_9 = 57

function isLetter(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90)
}

/** An underscore, also one that was encoded for an address, even several times. */
const UNDERSCORE = '(?:_|%(?:25){0,4}5[Ff])'

/** Where a word begins, also after an encoded character. */
const BEGIN = String.raw`(?:\b|(?<=%(?:25){0,4}[\dA-Fa-f]{2}))`

/** How secret keys and tokens of cards begin; those that look as ours do may stand anywhere in a word. */
const KEYS = [`${BEGIN}(?:sk|ct)_`, 'sk_(?:sandbox|production)_', 'ct_(?=[A-Za-z0-9]{32})']

const KEY = new RegExp(
  String.raw`(?:${KEYS.join('|').replaceAll('_', UNDERSCORE)})(?:[\w-]|${UNDERSCORE})+`,
  'g',
)

/** Where a token begins: with a word, or within one when it is as long as its shortest header. */
const TOKEN_BEGIN = /\beyJ|eyJ[\w-]{12}/

function redactWhole(text: string): string {
  const open = text.replace(/[\w.-]+/g, hideToken).replace(KEY, HIDDEN)
  const clean = open
    .split(UUID)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/\d(?:[^\dA-Za-z]{0,2}\d)*/g, hideCard)))
    .join('')
  return shortened(clean)
}

function shortened(text: string): string {
  return text.length <= MAX_TEXT_UNITS ? text : `${text.slice(0, MAX_TEXT_UNITS)}...`
}

/**
 * A run in which a token stands, hidden from there on: it begins as every JWT does, and has two dots. One pattern for a whole
 * token would try each of its beginnings up to the end of the text.
 */
function hideToken(run: string): string {
  const at = run.search(TOKEN_BEGIN)
  const dot = at < 0 ? -1 : run.indexOf('.', at)
  return dot < 0 || !run.includes('.', dot + 1) ? run : run.slice(0, at) + HIDDEN
}

/** A run that is a card number keeps its last four digits; one in which a card number stands is hidden whole. */
function hideCard(run: string): string {
  const digits = run.replace(/\D/g, '')
  if (isCard(digits)) return `****${digits.slice(-4)}`
  for (let start = 0; start + SHORTEST_CARD <= digits.length; start++) {
    for (let length = SHORTEST_CARD; length <= LONGEST_CARD; length++) {
      if (isCard(digits.slice(start, start + length))) return HIDDEN
    }
  }
  return run
}

/** A card number as receipts show it, such as `411111******1111`; a text that cannot be one is hidden whole. */
export function maskedCard(number: string): string {
  if (!/^\d{13,19}$/.test(number)) return HIDDEN
  return `${number.slice(0, 6)}${'*'.repeat(number.length - 10)}${number.slice(-4)}`
}

const SHORTEST_CARD = 13
const SHORTEST_CARD_NUMBER = 1e12
/** Characters that may stand between two digits of a card. */
const MAX_BETWEEN_DIGITS = 2
const LONGEST_CARD = 19

/** Whether digits begin as cards do, are as many, and end in their check digit. */
function isCard(digits: string): boolean {
  const fits = digits.length >= SHORTEST_CARD && digits.length <= LONGEST_CARD
  return fits && /^[2-6]/.test(digits) && passesLuhn(digits)
}
