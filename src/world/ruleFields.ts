// Owns comparing the fields of a rule with what was sent, answered and stored, and keeping secret values out of rules.
import { digestBytes } from './keys.ts'
import type { RuleCondition, Wanted } from './ruleShapes.ts'

/** Fields whose whole values a rule keeps only as digests. */
const SECRET_FIELDS: ReadonlySet<string> = new Set(['cardNumber', 'cardCvv', 'secretKey'])
/** Digits of a card number that a rule may keep in plain. */
export const MAX_PLAIN_CARD_DIGITS = 10

/** The condition of a rule as it may be kept: whole values of secret fields as digests. */
export function keptCondition(when: RuleCondition): RuleCondition {
  const kept = Object.entries(when).map(([name, wanted]) => [
    name,
    SECRET_FIELDS.has(name) && wanted !== undefined ? hidden(name, wanted) : wanted,
  ])
  return Object.fromEntries(kept) as RuleCondition
}

/** Whether the text of a condition holds so much of a card number that it is one. */
export function tellsCardNumber(when: RuleCondition): boolean {
  const wanted = when['cardNumber']
  if (typeof wanted !== 'object' || wanted === null) return false
  const { startsWith = '', endsWith = '', contains = '' } = wanted
  return [startsWith, endsWith, contains].join('').replace(/\D/g, '').length > MAX_PLAIN_CARD_DIGITS
}

function hidden(name: string, wanted: Wanted): Wanted {
  if (wanted === null) return null
  if (typeof wanted !== 'object') return { digests: [digestOf(name, wanted)] }
  if (wanted.oneOf === undefined) return wanted
  const { oneOf, digests = [], ...rest } = wanted
  return { ...rest, digests: [...digests, ...oneOf.map((value) => digestOf(name, value))] }
}

function digestOf(name: string, value: unknown): string {
  return digestBytes(textOf(name, value))
}

/** Whether every field of a condition is what it must be in the first of some sources that has it. */
export function fieldsFit(when: RuleCondition, sources: readonly unknown[]): boolean {
  return Object.entries(when).every(([name, wanted]) => {
    if (name === 'call' || name === 'event' || wanted === undefined) return true
    const found = sources.map((source) => valueAt(source, name)).find((value) => (value ?? null) !== null)
    return isWanted(name, wanted, found ?? null)
  })
}

/** The value at a path of names with dots between them; undefined when there is none. */
function valueAt(source: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => {
    const own = typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    return own ? (value as Record<string, unknown>)[name] : undefined
  }, source)
}

function isWanted(name: string, wanted: Wanted, value: unknown): boolean {
  if (value === null || typeof value === 'object') return wanted === null && value === null
  const text = textOf(name, value)
  if (wanted === null) return false
  if (typeof wanted !== 'object') return isSame(name, wanted, value)
  const { from, to, startsWith, endsWith, contains, oneOf, digests } = wanted
  const amount = numberOf(value)
  return (
    (from === undefined || amount >= from) &&
    (to === undefined || amount <= to) &&
    (startsWith === undefined || text.startsWith(startsWith)) &&
    (endsWith === undefined || text.endsWith(endsWith)) &&
    (contains === undefined || text.includes(contains)) &&
    (oneOf === undefined || oneOf.some((each) => isSame(name, each, value))) &&
    (digests === undefined || digests.includes(digestBytes(text)))
  )
}

/** A number and the text of its digits are the same: some fields come as either. */
function isSame(name: string, wanted: unknown, value: unknown): boolean {
  return wanted === value || (typeof value !== 'boolean' && textOf(name, wanted) === textOf(name, value))
}

/** A value as text; a card number without its blanks. */
function textOf(name: string, value: unknown): string {
  const text = String(value)
  return name === 'cardNumber' ? text.replace(/[\s-]/g, '') : text
}

/** A value as a number; no number compares with anything. */
function numberOf(value: unknown): number {
  return typeof value === 'string' && !/^-?\d+(\.\d+)?$/.test(value) ? Number.NaN : Number(value)
}
