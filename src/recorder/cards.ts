// Owns the card numbers of a recording: none is stored, so a public test number or a made one stands for each.
import { passesLuhn } from '../domain/cards.ts'
import { maskedCard } from '../world/redaction.ts'

/** What is known of a card. */
export interface SeenCard {
  brand: string
  lastFour: string
}

/** A brand of cards. */
interface Brand {
  /** In small letters, as a token tells it. */
  name: string
  prefix: string
  length: number
  cvv: string
  known: readonly string[]
}

/**
 * How numbers of each brand begin, how many digits they have, and numbers that everybody knows from test documentation: no card
 * has them.
 */
const BRANDS: readonly Brand[] = [
  {
    name: 'visa',
    prefix: '4',
    length: 16,
    cvv: '123',
    known: [
      '4111111111111111',
      '4242424242424242',
      '4012888888881881',
      '4000000000000002',
      '4000000000000010',
      '4000000000000028',
      '4000000000000036',
      '4000000000000044',
      '4539620659922097',
      '4929291898380766',
      '4916561358240741',
    ],
  },
  {
    name: 'mastercard',
    prefix: '51',
    length: 16,
    cvv: '123',
    known: [
      '5555555555554444',
      '5105105105105100',
      '5431111111111111',
      '5240082975622454',
      '5530062640663264',
      '5184019740373151',
    ],
  },
  { name: 'amex', prefix: '37', length: 15, cvv: '1234', known: ['378282246310005', '371449635398431'] },
  { name: 'elo', prefix: '650910', length: 16, cvv: '123', known: [] },
  { name: 'hipercard', prefix: '606282', length: 16, cvv: '123', known: ['6062826786276634'] },
  { name: 'diners', prefix: '36', length: 14, cvv: '123', known: ['30569309025904'] },
  { name: 'jcb', prefix: '3530', length: 16, cvv: '123', known: ['3530111333300000'] },
  { name: 'discover', prefix: '6011', length: 16, cvv: '123', known: ['6011111111111117'] },
]
const USUAL_NUMBER = '4111111111111111'
const USUAL_CVV = '123'
/** A number whose check digit is wrong. */
const WRONG_NUMBER = '4111111111111112'

/** A number and a code for a card: of its brand and with its last four digits where they are known. */
export function standInFor(card: SeenCard | null): { number: string; cvv: string } {
  const brand = BRANDS.find(({ name }) => name === card?.brand.toLowerCase())
  if (!card || !brand) return { number: USUAL_NUMBER, cvv: USUAL_CVV }
  const { prefix, length, cvv } = brand
  const known = brand.known.find((number) => number.endsWith(card.lastFour))
  return { number: known ?? madeNumber(prefix, length, card.lastFour), cvv }
}

/** A number and a code that are refused for the same field as a hint says. */
export function refusedStandIn(hint: string): { number: string; cvv: string } {
  if (hint.startsWith('cardNumber')) return { number: WRONG_NUMBER, cvv: USUAL_CVV }
  return { number: USUAL_NUMBER, cvv: hint.startsWith('cardCvv') ? '1' : USUAL_CVV }
}

/** The number that everybody knows and that a rule shows so, such as `411111******1111`; null for another one. */
export function publicNumber(shown: unknown): string | null {
  const numbers = BRANDS.flatMap(({ known }) => known)
  return numbers.find((number) => maskedCard(number) === shown) ?? null
}

/** The digit before the last four is chosen so that the check digit holds. */
function madeNumber(prefix: string, length: number, lastFour: string): string {
  const zeros = '0'.repeat(length - prefix.length - lastFour.length - 1)
  const numbers = Array.from({ length: 10 }, (_, digit) => `${prefix}${zeros}${digit}${lastFour}`)
  return numbers.find(passesLuhn) ?? USUAL_NUMBER
}
