// Owns comparing the fields of a rule with what was sent, answered and stored, and keeping secret values out of rules.
import { keyedDigest } from './keys.ts'
import { HIDDEN, isSecret, maskedCard, redactBody } from './redaction.ts'
import type { KeptRule, RuleCondition, Wanted } from './ruleShapes.ts'

const CARD_NUMBER = 'cardNumber'
/** Secret fields of which parts tell nothing. */
const SHOWN_PARTS: ReadonlySet<string> = new Set([CARD_NUMBER, 'cardToken'])
/** Digits of a card number that a rule may keep in plain. */
export const MAX_PLAIN_CARD_DIGITS = 10

/** The condition of a rule as it may be kept: whole values of secret fields only as digests under a key. */
export function keptCondition(key: Uint8Array, when: RuleCondition): Pick<KeptRule, 'when' | 'secrets'> {
  const whole = Object.entries(when).flatMap(([name, wanted]): [string, string[]][] => {
    const values = isSecret(name) ? wholeValues(wanted) : []
    return values.length === 0 ? [] : [[name, values.map((value) => keyedDigest(key, textOf(name, value)))]]
  })
  return { when: mapped(when, withoutWhole), secrets: Object.fromEntries(whole) }
}

/** The condition of a rule as it may be shown: of secret fields only how card numbers and tokens begin and end. */
export function shownCondition(when: RuleCondition): RuleCondition {
  return mapped(when, (name, wanted) => (SHOWN_PARTS.has(name) ? (redactBody(wanted) as Wanted) : HIDDEN))
}

function mapped(
  when: RuleCondition,
  change: (name: string, wanted: NonNullable<Wanted>) => Wanted,
): RuleCondition {
  const changed = Object.entries(when).map(([name, wanted]) => [
    name,
    isSecret(name) && (wanted ?? null) !== null ? change(name, wanted as NonNullable<Wanted>) : wanted,
  ])
  return Object.fromEntries(changed) as RuleCondition
}

function withoutWhole(name: string, wanted: NonNullable<Wanted>): Wanted {
  if (typeof wanted !== 'object') return masked(name, wanted)
  const { oneOf, ...rest } = wanted
  return oneOf === undefined ? rest : { ...rest, oneOf: oneOf.map((value) => masked(name, value)) }
}

function wholeValues(wanted: Wanted | undefined): readonly unknown[] {
  if (typeof wanted !== 'object') return wanted === undefined ? [] : [wanted]
  return wanted?.oneOf ?? []
}

/** What stands for a whole value: of a card number its first six and its last four digits, of anything else nothing. */
function masked(name: string, value: unknown): string {
  return name === CARD_NUMBER ? maskedCard(textOf(name, value)) : HIDDEN
}

/** Whether the text of a condition holds so much of a card number that it is one. */
export function tellsCardNumber(when: RuleCondition): boolean {
  const wanted = when[CARD_NUMBER]
  if (typeof wanted !== 'object' || wanted === null) return false
  const { startsWith = '', endsWith = '', contains = '' } = wanted
  return [startsWith, endsWith, contains].join('').replace(/\D/g, '').length > MAX_PLAIN_CARD_DIGITS
}

/**
 * Whether every field of a condition is what it must be in the first of some sources that has it.
 * @param key that the digests of the rule were made under
 */
export function fieldsFit(
  key: Uint8Array,
  { when, secrets }: Pick<KeptRule, 'when' | 'secrets'>,
  sources: readonly unknown[],
): boolean {
  return Object.entries(when).every(([name, wanted]) => {
    if (name === 'call' || name === 'event' || wanted === undefined) return true
    const found = sources.map((source) => valueAt(source, name)).find((value) => (value ?? null) !== null)
    const digests = Object.hasOwn(secrets, name) ? secrets[name] : undefined
    const isOneOf: Same = (values, value) =>
      digests === undefined
        ? values.some((each) => isSame(name, each, value))
        : digests.includes(keyedDigest(key, textOf(name, value)))
    return isWanted(name, wanted, found ?? null, isOneOf)
  })
}

/** The value at a path of names with dots between them; undefined when there is none. */
function valueAt(source: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => {
    const own = typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    return own ? (value as Record<string, unknown>)[name] : undefined
  }, source)
}

/** Whether a value is one of several. */
type Same = (values: readonly unknown[], value: unknown) => boolean

function isWanted(name: string, wanted: Wanted, value: unknown, isOneOf: Same): boolean {
  if (value === null || typeof value === 'object') return wanted === null && value === null
  const text = textOf(name, value)
  if (wanted === null) return false
  if (typeof wanted !== 'object') return isOneOf([wanted], value)
  const { from, to, startsWith, endsWith, contains, oneOf } = wanted
  const amount = numberOf(value)
  return (
    (from === undefined || amount >= from) &&
    (to === undefined || amount <= to) &&
    (startsWith === undefined || text.startsWith(startsWith)) &&
    (endsWith === undefined || text.endsWith(endsWith)) &&
    (contains === undefined || text.includes(contains)) &&
    (oneOf === undefined || isOneOf(oneOf, value))
  )
}

/** A number and the text of its digits are the same: some fields come as either. */
function isSame(name: string, wanted: unknown, value: unknown): boolean {
  return wanted === value || (typeof value !== 'boolean' && textOf(name, wanted) === textOf(name, value))
}

/** A value as text; a card number without its blanks. */
function textOf(name: string, value: unknown): string {
  const text = String(value)
  return name === CARD_NUMBER ? text.replace(/[\s-]/g, '') : text
}

/** A value as a number; no number compares with anything. */
function numberOf(value: unknown): number {
  return typeof value === 'string' && !/^-?\d+(\.\d+)?$/.test(value) ? Number.NaN : Number(value)
}
