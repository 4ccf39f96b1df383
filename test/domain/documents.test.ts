// Checks tax documents: what is read as one, check digits against two other implementations, forms and masks.
import { isValidCnpj, isValidCpf } from '@brazilian-utils/brazilian-utils'
import { cnpj, cpf } from 'cpf-cnpj-validator'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createRandom, seedState } from '../../src/kernel/random.ts'
import {
  cnpjCheckDigits,
  cpfCheckDigits,
  formatDocument,
  generateCpf,
  hasValidCheckDigits,
  maskDocument,
  parseDocument,
} from '../../src/domain/documents.ts'
import { maskPixKey } from '../../src/domain/pixKeys.ts'
import vectors from '../data/vectors.json' with { type: 'json' }
import type { PixKeyType } from '../../src/contract/enums.ts'

const DIGITS = '0123456789'
const ALPHANUMERIC = `${DIGITS}ABCDEFGHIJKLMNOPQRSTUVWXYZ`
const anyOf = (letters: string, length: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...letters.split('')), minLength: length, maxLength: length })

/** Check digits as they are, or others: half of the documents made from them are wrong. */
const anySlip = fc.oneof(fc.constant(null), anyOf(DIGITS, 2))
const repeated = DIGITS.split('')

function isValid(text: string): boolean {
  const parsed = parseDocument(text)
  return parsed !== null && hasValidCheckDigits(parsed)
}

describe('a document', () => {
  test.each([
    ['12345678909', 'CPF', '12345678909'],
    ['123.456.789-09', 'CPF', '12345678909'],
    [' 123 456 789 09 ', 'CPF', '12345678909'],
    ['12345678900', 'CPF', '12345678900'],
    ['12345678000195', 'CNPJ', '12345678000195'],
    ['12.345.678/0001-95', 'CNPJ', '12345678000195'],
    ['12ABC34501DE35', 'CNPJ', '12ABC34501DE35'],
    ['12.abc.345/01de-35', 'CNPJ', '12ABC34501DE35'],
  ])('%s is read as a %s, %s, whatever its check digits', (text, type, bare) => {
    expect(parseDocument(text)).toEqual({ text: bare, type })
  })

  test.each([
    ['nothing', ''],
    ['ten digits', '1234567890'],
    ['twelve digits', '123456789012'],
    ['thirteen digits', '1234567890123'],
    ['fifteen digits', '123456789012345'],
    ['letters in a CPF', '1234567890A'],
    ['letters in the check digits of a CNPJ', '12ABC34501DEA5'],
    ['other punctuation', '123_456_789_09'],
    ['letters with accents', '12ÁBC34501DE35'],
    ['digits of another script', '١٢٣٤٥٦٧٨٩٠٩'],
  ])('is not read from %s', (_what, text) => {
    expect(parseDocument(text)).toBeNull()
  })

  test('is read back from its usual punctuation', () => {
    const anyDocument = fc.oneof(
      anyOf(DIGITS, 11),
      fc.tuple(anyOf(ALPHANUMERIC, 12), anyOf(DIGITS, 2)).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(anyDocument, (text) => {
        const formatted = formatDocument(text)
        expect(formatted).toMatch(/^(?:\d{3}\.\d{3}\.\d{3}-\d{2}|.{2}\..{3}\..{3}\/.{4}-\d{2})$/)
        expect(parseDocument(formatted)?.text).toBe(text)
      }),
    )
  })

  test.each([
    ['12345678900', '123.456.789-00'],
    ['12345678000100', '12.345.678/0001-00'],
    ['12ABC34501DE35', '12.ABC.345/01DE-35'],
    ['1'.repeat(20), '1'.repeat(20)],
  ])('%s is formatted as %s', (text, formatted) => {
    expect(formatDocument(text)).toBe(formatted)
  })
})

describe('the check digits', () => {
  test.each(vectors.cpf)('of the CPF $value hold: $valid', ({ value, valid }) => {
    expect(isValid(value)).toBe(valid)
  })

  test.each(vectors.cnpj)('of the CNPJ $value hold: $valid', ({ value, valid }) => {
    expect(isValid(value)).toBe(valid)
  })

  test.each(vectors.cnpjDv)('of the CNPJ base $base are $dv', ({ base, dv }) => {
    expect(cnpjCheckDigits(base)).toBe(dv)
  })

  test.each(repeated)('never hold where every digit is %s', (digit) => {
    expect(isValid(digit.repeat(11))).toBe(false)
    expect(isValid(digit.repeat(14))).toBe(false)
  })

  test('of a CPF are those of two other implementations, right or wrong', () => {
    fc.assert(
      fc.property(anyOf(DIGITS, 9), anySlip, (base, slip) => {
        const first = cpf.verifierDigit(base)
        const digits = `${first}${cpf.verifierDigit(`${base}${first}`)}`
        expect(cpfCheckDigits(base)).toBe(digits)
        const text = base + (slip ?? digits)
        expect(isValid(text)).toBe(isValidCpf(text))
        // The other one calls this number forbidden, although its digits hold and it is widely used in tests.
        expect(isValid(text)).toBe(cpf.isValid(text) || text === '12345678909')
      }),
      { numRuns: 1_000, examples: [['123456789', null]] },
    )
  })

  test('of a CNPJ, numeric or alphanumeric, are those of two other implementations, right or wrong', () => {
    const anyBase = fc.oneof(anyOf(DIGITS, 12), anyOf(ALPHANUMERIC, 12))
    fc.assert(
      fc.property(anyBase, anySlip, (base, slip) => {
        const first = cnpj.verifierDigit(base)
        const digits = `${first}${cnpj.verifierDigit(`${base}${first}`)}`
        expect(cnpjCheckDigits(base)).toBe(digits)
        const text = base + (slip ?? digits)
        expect(isValid(text)).toBe(isValidCnpj(text, { version: 2 }))
        expect(isValid(text)).toBe(cnpj.isValid(text))
      }),
      { numRuns: 1_000 },
    )
  })

  test('of a CPF do not hold once either of them is changed', () => {
    fc.assert(
      fc.property(
        anyOf(DIGITS, 9),
        fc.constantFrom(9, 10),
        fc.integer({ min: 1, max: 9 }),
        (base, place, by) => {
          const text = base + cpfCheckDigits(base)
          const digit = (Number(text[place]) + by) % 10
          expect(isValid(text.slice(0, place) + String(digit) + text.slice(place + 1))).toBe(false)
        },
      ),
    )
  })
})

describe('a generated CPF', () => {
  test('always has check digits that hold, here and elsewhere', () => {
    fc.assert(
      fc.property(fc.string(), (seed) => {
        const text = generateCpf(createRandom(seedState(seed)))
        expect(text).toMatch(/^\d{11}$/)
        expect(isValid(text)).toBe(true)
        expect(isValidCpf(text)).toBe(true)
      }),
      { numRuns: 1_000 },
    )
  })

  test('is never one of repeated digits: it is drawn again', () => {
    const draws = ['111111111', '000000000', '529982247']
    const random = { ...createRandom([1, 2, 3, 4]), text: () => draws.shift() ?? '' }
    expect(generateCpf(random)).toBe('52998224725')
    expect(draws).toEqual([])
  })

  test('comes from the seed and does not repeat soon', () => {
    const [one, two] = [createRandom(seedState('people')), createRandom(seedState('people'))]
    const drawn = Array.from({ length: 1_000 }, () => generateCpf(one))
    expect(Array.from({ length: 1_000 }, () => generateCpf(two))).toEqual(drawn)
    expect(new Set(drawn).size).toBe(1_000)
  })
})

describe('a mask', () => {
  const published = vectors.masking.filter(({ input }) => input !== undefined)

  test.each(published)('of the $kind $input is $masked', ({ input = '', masked }) => {
    expect(maskDocument(input)).toBe(masked)
    expect(maskPixKey('CPF', input)).toBe(masked)
  })

  test('of an e-mail has the published form', () => {
    const example = vectors.masking.find(({ kind }) => kind === 'EMAIL')
    expect(maskPixKey('Email', 'maria@example.com')).toBe(example?.masked)
  })

  test.each<[PixKeyType, string, string]>([
    ['CPF', '12345678909', '***456789**'],
    ['CNPJ', '12345678000195', '***45678000***'],
    ['CNPJ', '12ABC34501DE35', '***BC34501D***'],
    ['Email', 'maria@example.com', 'm***@example.com'],
    ['Email', 'm@example.com', 'm***@example.com'],
    ['Email', 'maria.silva+pix@mail.example.com', 'm***@mail.example.com'],
    ['Phone', '+5511999998888', '***8888'],
    ['Random', '123e4567-e12b-12d1-a456-426655440000', '***0000'],
  ])('of the %s key %s is %s', (type, key, masked) => {
    expect(maskPixKey(type, key)).toBe(masked)
  })

  const names: Record<string, PixKeyType> = {
    CPF: 'CPF',
    CNPJ: 'CNPJ',
    PHONE: 'Phone',
    EMAIL: 'Email',
    EVP: 'Random',
  }

  test.each(vectors.pixKey.valid)('hides the $type key $value', ({ type, value }) => {
    const masked = maskPixKey(names[type] ?? 'Random', value)
    expect(masked).toContain('***')
    expect(masked).not.toContain(value)
    expect(value.split('').filter((letter, index) => letter !== masked[index]).length).toBeGreaterThan(2)
  })

  test('keeps only the middle of a document: two documents that differ only at the ends look the same', () => {
    fc.assert(
      fc.property(anyOf(DIGITS, 11), anyOf(ALPHANUMERIC, 14), (cpfText, cnpjText) => {
        expect(maskDocument(cpfText)).toBe(`***${cpfText.slice(3, -2)}**`)
        expect(maskDocument(`000${cpfText.slice(3, -2)}00`)).toBe(maskDocument(cpfText))
        expect(maskDocument(cnpjText)).toBe(`***${cnpjText.slice(3, -3)}***`)
        expect(maskDocument(`000${cnpjText.slice(3, -3)}000`)).toBe(maskDocument(cnpjText))
      }),
    )
  })
})
