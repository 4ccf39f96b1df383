// Owns the numbers of a boleto: the due date factor, the check digits, the barcode and its digitable line.
import { invariant } from '../kernel/assert.ts'
import { DAY } from '../kernel/time.ts'
import type { Cents } from '../kernel/brands.ts'
import type { CalendarDay } from '../kernel/calendar.ts'

/** What a barcode says. */
export interface BoletoFacts {
  /** Three digits. */
  bank: string
  dueDay: CalendarDay
  /** 0 to 9,999,999,999 cents: the barcode has ten digits for it. */
  amount: Cents
  /** 25 digits, see `freeField`. */
  freeField: string
}

/** What the sandbox's bank puts into its 25 free digits, each part as digits with leading zeros. */
export interface FreeFieldParts {
  /** Four digits: the agência. */
  branch: string
  /** Two digits: the carteira. */
  wallet: string
  /** Eleven digits: the nosso número, which tells one boleto of the bank from the others. */
  ourNumber: string
  /** Seven digits: the code of the beneficiary. */
  account: string
}

const FACTOR_ZERO = Date.parse('1997-10-07T00:00:00Z')
const LAST_FACTOR = 9999
const FIRST_REUSED_FACTOR = 1000
const MAX_AMOUNT = 9_999_999_999
const CURRENCY_REAL = '9'

/**
 * The due date factor of a day, 0 to 9999: days since 1997-10-07. After 9999 (2025-02-21) it goes on at 1000, and so
 * again every 9000 days. Days before it was invented have the factor 0, by which a barcode says that it names no day.
 * Source: FEBRABAN.
 */
export function dueDateFactor(day: CalendarDay): number {
  const days = (Date.parse(`${day}T00:00:00Z`) - FACTOR_ZERO) / DAY
  if (days <= LAST_FACTOR) return Math.max(days, 0)
  return FIRST_REUSED_FACTOR + ((days - LAST_FACTOR - 1) % (LAST_FACTOR + 1 - FIRST_REUSED_FACTOR))
}

/** The check digit, 0 to 9, of digits weighted 2, 1, 2, … from the right. Source: central bank, circular 2.926/2000. */
export function modulo10(digits: string): number {
  let sum = 0
  for (let index = 0; index < digits.length; index++) {
    const product = Number(digits.at(-1 - index)) * (index % 2 === 0 ? 2 : 1)
    sum += product > 9 ? product - 9 : product
  }
  return (10 - (sum % 10)) % 10
}

/** The check number, 1 to 11, of digits weighted 2 to 9 and again from the right. What is not one digit, its user replaces. */
function modulo11(digits: string): number {
  let sum = 0
  for (let index = 0; index < digits.length; index++) sum += Number(digits.at(-1 - index)) * (2 + (index % 8))
  return 11 - (sum % 11)
}

/** A bank's code as slips show it, with its check digit: `001-9`. */
export function bankLabel(bank: string): string {
  const check = modulo11(exactly(3, bank, 'bank'))
  return `${bank}-${check > 9 ? 0 : check}`
}

/** The 25 free digits of a barcode: branch, wallet, our number, account and a check digit by `modulo10`. Source: ours. */
export function freeField({ branch, wallet, ourNumber, account }: FreeFieldParts): string {
  const parts = [
    exactly(4, branch, 'branch'),
    exactly(2, wallet, 'wallet'),
    exactly(11, ourNumber, 'our number'),
    exactly(7, account, 'account'),
  ].join('')
  return `${parts}${modulo10(parts)}`
}

/** The parts of the free digits of a barcode that `freeField` made. */
export function freeFieldParts(barcode: string): FreeFieldParts {
  const free = exactly(44, barcode, 'barcode').slice(19)
  return {
    branch: free.slice(0, 4),
    wallet: free.slice(4, 6),
    ourNumber: free.slice(6, 17),
    account: free.slice(17, 24),
  }
}

/**
 * The 44 digits of a barcode: bank, currency, check digit, due date factor, amount, free field. Source: TX-15.
 * @throws {InvariantError} when a part has not its number of digits, so for an amount of more than ten.
 */
export function boletoBarcode({ bank, dueDay, amount, freeField: free }: BoletoFacts): string {
  invariant(amount >= 0 && amount <= MAX_AMOUNT, `a boleto cannot carry ${amount} cents`)
  const front = exactly(3, bank, 'bank') + CURRENCY_REAL
  const factor = String(dueDateFactor(dueDay)).padStart(4, '0')
  const back = factor + String(amount).padStart(10, '0') + exactly(25, free, 'free field')
  const check = modulo11(front + back)
  return `${front}${check > 9 ? 1 : check}${back}`
}

/**
 * The 47 digits that a person types instead of a barcode: its free field in three parts with a check digit each, then
 * its own check digit, factor and amount. `formatted` is `AAAAA.AAAAA AAAAA.AAAAAA AAAAA.AAAAAA A AAAAAAAAAAAAAA`.
 * Source: TX-15.
 */
export function digitableLine(barcode: string, form: 'formatted' | 'plain'): string {
  exactly(44, barcode, 'barcode')
  const parts = [barcode.slice(0, 4) + barcode.slice(19, 24), barcode.slice(24, 34), barcode.slice(34)].map(
    (part) => `${part}${modulo10(part)}`,
  )
  const end = [barcode.slice(4, 5), barcode.slice(5, 19)]
  return form === 'plain'
    ? [...parts, ...end].join('')
    : [...parts.map((part) => `${part.slice(0, 5)}.${part.slice(5)}`), ...end].join(' ')
}

function exactly(count: number, digits: string, what: string): string {
  invariant(
    digits.length === count && /^\d+$/.test(digits),
    `${what} of a boleto is not ${count} digits: ${digits}`,
  )
  return digits
}
