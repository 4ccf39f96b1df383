// Owns cards: whether the data of a card holds, its brand, and tokens of one use. Numbers and CVVs are never kept.
import { later, MINUTE, toTimestamp } from '../kernel/time.ts'
import { dayOf } from '../kernel/calendar.ts'
import { invariant } from '../kernel/assert.ts'
import { makeReference } from './people.ts'
import { refuse } from './refusal.ts'
import { recordOf } from './state.ts'
import { scopeKey } from './indexes.ts'
import { stamp } from './world.ts'
import type { Millis } from '../kernel/brands.ts'
import type { Refusal } from './refusal.ts'
import type { CardToken, Scope } from './records.ts'
import type { World } from './world.ts'

/** The five raw fields of a card, as sent. Must not outlive the call. */
export interface RawCard {
  cardNumber?: string | undefined
  cardHolderName?: string | undefined
  cardExpirationMonth?: string | number | undefined
  cardExpirationYear?: string | number | undefined
  cardCvv?: string | undefined
}

/** What may be kept of a card. */
export interface KnownCard {
  lastFour: string
  brand: string
}

/** A refusal of card data. Source: TX-07. */
export type CardRefusal = Refusal<'invalid_card_data' | 'validation_error'>

/** How long a card token lives. Source: TX-28. */
const CARD_TOKEN_MINUTES = 15

interface Brand {
  name: string
  pattern: RegExp
  lengths: readonly number[]
  cvv: number
}

/** Ranges of numbers by brand; the first that fits wins, so the narrow ranges of Elo and Hipercard come first. */
const BRANDS: readonly Brand[] = [
  {
    name: 'Elo',
    pattern:
      /^(4011(78|79)|43(1274|8935)|45(1416|7393|763[12])|50(4175|6699|67[0-6]\d|677[0-8]|9)|627780|63(6297|6368)|65(003[1-3]|003[5-9]|004\d|005[01]|040[5-9]|04[1-3]\d|048[5-9]|049\d|05[0-2]\d|053[0-8]|054[1-9]|05[5-8]\d|059[0-8]|070\d|071[0-8]|072[0-7]|090[1-9]|09[1-6]\d|097[0-8]|165[2-9]|16[67]\d|500\d|501\d|502[1-9]|503\d|504\d|505[0-8]))/,
    lengths: [16],
    cvv: 3,
  },
  {
    name: 'Hipercard',
    pattern: /^(606282|3841(0|4|6)0|637(095|568|599|609|612))/,
    lengths: [13, 16, 19],
    cvv: 3,
  },
  { name: 'Amex', pattern: /^3[47]/, lengths: [15], cvv: 4 },
  { name: 'Diners', pattern: /^3(0[0-5]|[689])/, lengths: [14, 15, 16, 17, 18, 19], cvv: 3 },
  { name: 'JCB', pattern: /^35(2[89]|[3-8])/, lengths: [16, 17, 18, 19], cvv: 3 },
  {
    name: 'Mastercard',
    pattern: /^(5[0-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/,
    lengths: [16],
    cvv: 3,
  },
  { name: 'Discover', pattern: /^6(011|4[4-9]|5)/, lengths: [16, 17, 18, 19], cvv: 3 },
  { name: 'Visa', pattern: /^4/, lengths: [13, 16, 18, 19], cvv: 3 },
]

/** Reads the five fields of a card on the clock of a world; answers what may be kept of it. */
export function readCard(world: World, card: RawCard): KnownCard | CardRefusal {
  const number = (card.cardNumber ?? '').replace(/[\s-]/g, '')
  if (!/^\d{12,19}$/.test(number) || !passesLuhn(number)) {
    return refuseCard(
      world,
      'cardNumber',
      'has 13 to 19 digits, the last of which is a check digit',
      'número inválido',
    )
  }
  const brand = BRANDS.find(({ pattern, lengths }) => pattern.test(number) && lengths.includes(number.length))
  if (!brand) {
    return refuseCard(world, 'cardNumber', 'is of no brand that the gateway takes', 'bandeira não suportada')
  }
  if ((card.cardHolderName ?? '').trim() === '') {
    return refuseCard(world, 'cardHolderName', 'is required', 'campo obrigatório')
  }
  const expiry = wrongExpiry(world, card)
  if (expiry) return expiry
  if (!new RegExp(`^\\d{${brand.cvv}}$`).test(card.cardCvv ?? '')) {
    return refuseCard(
      world,
      'cardCvv',
      `has ${brand.cvv} digits for ${brand.name}`,
      'código de segurança inválido',
    )
  }
  return { lastFour: number.slice(-4), brand: brand.name }
}

/** A card is good until its month ends in São Paulo. */
function wrongExpiry(world: World, card: RawCard): CardRefusal | null {
  const sent = card.cardExpirationMonth ?? ''
  const month = typeof sent === 'number' ? String(sent).padStart(2, '0') : sent
  if (!/^(0[1-9]|1[0-2])$/.test(month)) {
    return refuseCard(world, 'cardExpirationMonth', 'has two digits, 01 to 12', 'mês inválido')
  }
  const year = String(card.cardExpirationYear ?? '')
  if (!/^\d{4}$/.test(year)) return refuseCard(world, 'cardExpirationYear', 'has four digits', 'ano inválido')
  const today = dayOf(world.clock.now())
  return `${year}-${month}` >= today.slice(0, 7)
    ? null
    : refuseCard(
        world,
        'cardExpirationYear',
        `is over: with its month it ended before ${today}`,
        'cartão vencido',
      )
}

/** Whether the last digit of a number is its check digit by the Luhn algorithm. */
export function passesLuhn(number: string): boolean {
  let sum = 0
  for (let index = 0; index < number.length; index++) {
    const digit = Number(number[number.length - 1 - index])
    const doubled = digit * 2
    sum += index % 2 === 0 ? digit : doubled - (doubled > 9 ? 9 : 0)
  }
  return sum % 10 === 0
}

/** Exchanges a card for a token of one use. Source: TX-28. */
export function tokenizeCard(world: World, scope: Scope, card: RawCard): CardToken | CardRefusal {
  const known = readCard(world, card)
  if ('refused' in known) return known
  const { organizationId, environment } = scope
  const token = `ct_${makeReference(world.random, 32)}`
  const expiresAt = toTimestamp(later(world.clock.now(), (CARD_TOKEN_MINUTES * MINUTE) as Millis))
  const { lastFour, brand } = known
  const record: CardToken = { token, organizationId, environment, lastFour, brand, expiresAt, usedAt: null }
  world.state.cardTokens[token] = record
  world.changes?.record('cardTokens', token)
  return record
}

/** The card behind a token that may still be used. Does not use it up. */
export function findCardToken(world: World, scope: Scope, token: string): CardToken | CardRefusal {
  const found = recordOf(world.state.cardTokens, token)
  const wrong = (why: string): CardRefusal =>
    refuseCard(world, 'cardToken', why, 'token inválido, expirado ou já utilizado')
  if (!found || scopeKey(found) !== scopeKey(scope)) {
    return wrong('is no token of this merchant in this environment')
  }
  const { usedAt, expiresAt } = found
  if (usedAt !== null) return wrong(`was used at ${usedAt}; a token is good for one transaction`)
  if (stamp(world) >= expiresAt) {
    return wrong(`expired at ${expiresAt}; a token lives ${CARD_TOKEN_MINUTES} minutes`)
  }
  return found
}

/** Uses a card token up. */
export function useCardToken(world: World, token: CardToken): void {
  invariant(token.usedAt === null, 'a card token is used once')
  token.usedAt = stamp(world)
  world.changes?.record('cardTokens', token.token)
}

/** Names the field and the rule, never the value: it may be a card number or a CVV. */
function refuseCard(world: World, field: string, rule: string, message: string): CardRefusal {
  return refuse(world.choices.get('TX-07'), `${field} ${rule}.`, `Campo '${field}': ${message}.`)
}
