// Checks the reading of cards below the doors: each field at its edges, the ranges of brands, tokens of one use.
import { describe, expect, test } from 'vitest'
import { findCardToken, passesLuhn, readCard, tokenizeCard, useCardToken } from '../../src/domain/cards.ts'
import { InvariantError } from '../../src/kernel/assert.ts'
import { instant } from '../../src/kernel/time.ts'
import { emptyWorld } from './emptyWorld.ts'
import type { CardToken } from '../../src/domain/records.ts'
import type { RawCard } from '../../src/domain/cards.ts'
import type { World } from '../../src/domain/world.ts'

const SCOPE = { organizationId: 'org-1', environment: 'Sandbox' } as const

/** A number that begins so, of so many digits, with its check digit. */
function numberFrom(start: string, length: number): string {
  const open = start.padEnd(length - 1, '0')
  return Array.from('0123456789', (digit) => open + digit).find(passesLuhn) ?? ''
}

/** A card that holds, made here so that no number stands in the code. */
function card(fields: Partial<RawCard> = {}): RawCard {
  return {
    cardNumber: numberFrom('4', 16),
    cardHolderName: 'ANA SOUZA',
    cardExpirationMonth: '12',
    cardExpirationYear: '2031',
    cardCvv: '123',
    ...fields,
  }
}

const world = (): World => emptyWorld({ 'TX-07': 'invalid_card_data' })

/** The field that a card is refused for; null when it is taken. */
function wrongField(fields: Partial<RawCard>): string | null {
  const read = readCard(world(), card(fields))
  return 'refused' in read ? (read.hint.split(' ')[0] ?? '') : null
}

/** A range of numbers and the brand it belongs to; null for none. */
function brandOf(start: string, length: number): string | null {
  const numbers = [
    card({ cardNumber: numberFrom(start, length) }),
    card({ cardNumber: numberFrom(start, length), cardCvv: '1234' }),
  ]
  for (const one of numbers) {
    const read = readCard(world(), one)
    if (!('refused' in read)) return `${read.brand} ${one.cardCvv?.length}`
  }
  return null
}

const ELO = (
  '401178 401179 431274 438935 451416 457393 457631 457632 504175 506699 506700 506770 506778 509000 509999 627780 ' +
  '636297 636368 650031 650033 650035 650039 650040 650051 650405 650409 650410 650439 650485 650489 650490 650499 ' +
  '650500 650529 650530 650538 650541 650549 650550 650589 650590 650598 650700 650709 650710 650718 650720 650727 ' +
  '650901 650909 650910 650969 650970 650978 651652 651659 651660 651679 655000 655010 655021 655029 655030 655040 ' +
  '655050 655058'
).split(' ')

describe('the brand', () => {
  test.each(ELO)('of numbers from %s is Elo', (start) => {
    expect(brandOf(start, 16)).toBe('Elo 3')
  })

  test.each<[string, number, string | null]>([
    ['401177', 16, 'Visa 3'],
    ['431275', 16, 'Visa 3'],
    ['438936', 16, 'Visa 3'],
    ['451417', 16, 'Visa 3'],
    ['457394', 16, 'Visa 3'],
    ['457630', 16, 'Visa 3'],
    ['457633', 16, 'Visa 3'],
    ['504174', 16, 'Mastercard 3'],
    ['506698', 16, 'Mastercard 3'],
    ['506780', 16, 'Mastercard 3'],
    ['506779', 16, 'Mastercard 3'],
    ['508999', 16, 'Mastercard 3'],
    ['627781', 16, null],
    ['636298', 16, null],
    ['636369', 16, null],
    ['650030', 16, 'Discover 3'],
    ['650034', 16, 'Discover 3'],
    ['650052', 16, 'Discover 3'],
    ['650404', 16, 'Discover 3'],
    ['650440', 16, 'Discover 3'],
    ['650484', 16, 'Discover 3'],
    ['650539', 16, 'Discover 3'],
    ['650540', 16, 'Discover 3'],
    ['650599', 16, 'Discover 3'],
    ['650719', 16, 'Discover 3'],
    ['650728', 16, 'Discover 3'],
    ['650900', 16, 'Discover 3'],
    ['650979', 16, 'Discover 3'],
    ['651651', 16, 'Discover 3'],
    ['651680', 16, 'Discover 3'],
    ['655020', 16, 'Discover 3'],
    ['655059', 16, 'Discover 3'],
    ['606282', 13, 'Hipercard 3'],
    ['606282', 16, 'Hipercard 3'],
    ['606282', 19, 'Hipercard 3'],
    ['606282', 14, null],
    ['606283', 16, null],
    ['384100', 16, 'Hipercard 3'],
    ['384140', 16, 'Hipercard 3'],
    ['384160', 16, 'Hipercard 3'],
    ['384110', 16, 'Diners 3'],
    ['637095', 16, 'Hipercard 3'],
    ['637568', 16, 'Hipercard 3'],
    ['637599', 16, 'Hipercard 3'],
    ['637609', 16, 'Hipercard 3'],
    ['637612', 16, 'Hipercard 3'],
    ['637613', 16, null],
    ['34', 15, 'Amex 4'],
    ['37', 15, 'Amex 4'],
    ['34', 16, null],
    ['33', 15, null],
    ['35', 15, null],
    ['300', 14, 'Diners 3'],
    ['305', 19, 'Diners 3'],
    ['306', 14, null],
    ['36', 15, 'Diners 3'],
    ['38', 17, 'Diners 3'],
    ['39', 18, 'Diners 3'],
    ['36', 13, null],
    ['3528', 16, 'JCB 3'],
    ['3529', 17, 'JCB 3'],
    ['3527', 16, null],
    ['353', 18, 'JCB 3'],
    ['358', 19, 'JCB 3'],
    ['359', 16, null],
    ['3528', 15, null],
    ['51', 16, 'Mastercard 3'],
    ['55', 16, 'Mastercard 3'],
    ['56', 16, null],
    ['2221', 16, 'Mastercard 3'],
    ['2229', 16, 'Mastercard 3'],
    ['2220', 16, null],
    ['223', 16, 'Mastercard 3'],
    ['23', 16, 'Mastercard 3'],
    ['26', 16, 'Mastercard 3'],
    ['271', 16, 'Mastercard 3'],
    ['270', 16, 'Mastercard 3'],
    ['2720', 16, 'Mastercard 3'],
    ['2721', 16, null],
    ['28', 16, null],
    ['51', 17, null],
    ['6011', 16, 'Discover 3'],
    ['6012', 16, null],
    ['644', 17, 'Discover 3'],
    ['649', 18, 'Discover 3'],
    ['643', 16, null],
    ['65', 19, 'Discover 3'],
    ['66', 16, null],
    ['6011', 15, null],
    ['4', 13, 'Visa 3'],
    ['4', 18, 'Visa 3'],
    ['4', 19, 'Visa 3'],
    ['4', 14, null],
    ['9', 16, null],
    ['4606282', 16, 'Visa 3'],
    ['4353', 16, 'Visa 3'],
    ['465', 16, 'Visa 3'],
    ['3634', 15, 'Diners 3'],
  ])('of numbers from %s with %i digits is %j, with so many digits of its CVV', (start, length, brand) => {
    expect(brandOf(start, length)).toBe(brand)
  })
})

describe('a card', () => {
  const number = numberFrom('4', 16)

  test.each<[string, Partial<RawCard>]>([
    ['blanks and dashes in its number', { cardNumber: ` ${number.slice(0, 4)}-${number.slice(4)} ` }],
    ['its month as a number of one digit', { cardExpirationMonth: 1 }],
    ['its month as a number of two digits', { cardExpirationMonth: 10 }],
    ['its year as a number', { cardExpirationYear: 2031 }],
    ['the month that it is now', { cardExpirationMonth: '01', cardExpirationYear: '2030' }],
  ])('is taken with %s', (_what, fields) => {
    expect(wrongField(fields)).toBeNull()
  })

  test.each<[string, string, Partial<RawCard>]>([
    ['no number', 'cardNumber', { cardNumber: undefined }],
    ['a letter behind its number', 'cardNumber', { cardNumber: `${number}x` }],
    ['a letter before its number', 'cardNumber', { cardNumber: `x${number}` }],
    ['eleven digits', 'cardNumber', { cardNumber: numberFrom('4', 11) }],
    ['twenty digits', 'cardNumber', { cardNumber: numberFrom('4', 20) }],
    [
      'a wrong check digit',
      'cardNumber',
      { cardNumber: number.slice(0, -1) + ((Number(number.at(-1)) + 1) % 10) },
    ],
    ['no holder', 'cardHolderName', { cardHolderName: undefined }],
    ['a blank holder', 'cardHolderName', { cardHolderName: ' ' }],
    ['no month', 'cardExpirationMonth', { cardExpirationMonth: undefined }],
    ['month 00', 'cardExpirationMonth', { cardExpirationMonth: '00' }],
    ['month 13', 'cardExpirationMonth', { cardExpirationMonth: '13' }],
    ['month 20', 'cardExpirationMonth', { cardExpirationMonth: '20' }],
    ['a month of three digits', 'cardExpirationMonth', { cardExpirationMonth: '012' }],
    ['a month with a letter', 'cardExpirationMonth', { cardExpirationMonth: '01x' }],
    ['a month of one digit as text', 'cardExpirationMonth', { cardExpirationMonth: '1' }],
    ['no year', 'cardExpirationYear', { cardExpirationYear: undefined }],
    ['a year of five digits', 'cardExpirationYear', { cardExpirationYear: '20310' }],
    ['a year with a letter before it', 'cardExpirationYear', { cardExpirationYear: 'x2031' }],
    ['the month before this one', 'cardExpirationYear', { cardExpirationYear: '2029' }],
    ['no CVV', 'cardCvv', { cardCvv: undefined }],
    ['a CVV of two digits', 'cardCvv', { cardCvv: '12' }],
    ['a CVV of four digits', 'cardCvv', { cardCvv: '1234' }],
    ['a letter before its CVV', 'cardCvv', { cardCvv: 'x123' }],
  ])('is refused with %s, naming %s', (_what, field, fields) => {
    expect(wrongField(fields)).toBe(field)
  })

  test('is refused by the code that the world chose, naming the field in both languages', () => {
    const chosen = emptyWorld({ 'TX-07': 'validation_error' })
    expect(readCard(chosen, card({ cardCvv: '1' }))).toMatchObject({
      refused: 'validation_error',
      message: expect.stringMatching(/^Campo 'cardCvv': /),
      hint: 'cardCvv has 3 digits for Visa.',
    })
  })

  test('leaves its brand and last four digits, and nothing else', () => {
    expect(readCard(world(), card())).toEqual({ brand: 'Visa', lastFour: number.slice(-4) })
  })
})

describe('a token of a card', () => {
  function tokenIn(some: World): CardToken {
    const token = tokenizeCard(some, SCOPE, card())
    if ('refused' in token) throw new Error(token.hint)
    return token
  }

  test('lives for 15 minutes and says whose card it is', () => {
    const some = world()
    const token = tokenIn(some)
    expect(token).toEqual({
      token: expect.stringMatching(/^ct_\w{32}$/),
      ...SCOPE,
      lastFour: card().cardNumber?.slice(-4),
      brand: 'Visa',
      expiresAt: '2030-01-01T12:15:00.000Z',
      usedAt: null,
    })
    expect(some.state.cardTokens).toEqual({ [token.token]: token })
    some.clock.moveTo(instant(some.clock.now() + 15 * 60_000 - 1))
    expect(findCardToken(some, SCOPE, token.token)).toBe(token)
    some.clock.moveTo(instant(some.clock.now() + 1))
    expect(findCardToken(some, SCOPE, token.token)).toMatchObject({
      hint: expect.stringMatching(/^cardToken expired/),
    })
  })

  test('is of no use to others, under another name, or a second time', () => {
    const some = world()
    const token = tokenIn(some)
    const other = { ...SCOPE, organizationId: 'org-2' }
    for (const found of [findCardToken(some, other, token.token), findCardToken(some, SCOPE, 'ct_x')]) {
      expect(found).toMatchObject({ hint: expect.stringMatching(/^cardToken is no token/) })
    }
    useCardToken(some, token)
    expect(token.usedAt).toBe('2030-01-01T12:00:00.000Z')
    expect(findCardToken(some, SCOPE, token.token)).toMatchObject({
      hint: expect.stringMatching(/^cardToken was used/),
    })
    expect(() => useCardToken(some, token)).toThrow(InvariantError)
  })

  test('is told to whoever writes worlds down, when it is made and when it is used', () => {
    const told: string[] = []
    const some = {
      ...world(),
      changes: { record: (...what: string[]) => void told.push(what.join(' ')), window: () => undefined },
    }
    const token = tokenIn(some)
    useCardToken(some, token)
    expect(told).toEqual([`cardTokens ${token.token}`, `cardTokens ${token.token}`])
  })

  test('is not made for a card that is refused', () => {
    const some = world()
    expect(tokenizeCard(some, SCOPE, card({ cardCvv: '1' }))).toHaveProperty('refused')
    expect(some.state.cardTokens).toEqual({})
  })
})
