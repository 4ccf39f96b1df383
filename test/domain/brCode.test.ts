// Checks the BR Code: third-party codes, the CRC, refused texts, and our own codes against another implementation.
import { generatePixPayload, getPixPayloadInfo, isValidPixPayload } from '@brazilian-utils/brazilian-utils'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { InvariantError } from '../../src/kernel/assert.ts'
import { cents } from '../../src/kernel/brands.ts'
import { crc16, dynamicBrCode, plainText, readBrCode, staticBrCode } from '../../src/domain/brCode.ts'
import vectors from '../data/vectors.json' with { type: 'json' }

const LOCATION = 'pix.example.com/qr/v2/cob/8b3da2f39a4140d1a91abd93113bd441'
const KEY = '123e4567-e12b-12d1-a456-426655440000'
const RECEIVER = { name: 'Fulano de Tal', city: 'BRASILIA' }

const printableAscii = /^[\x20-\x7e]+$/
const anyHex = fc.string({
  unit: fc.constantFrom(...'0123456789abcdef'.split('')),
  minLength: 32,
  maxLength: 32,
})
const anyLocation = anyHex.map((hex) => `pix.example.com/qr/v2/cob/${hex}`)
const anyReference = fc.stringMatching(/^[A-Za-z0-9]{1,25}$/)
const anyAmount = fc.oneof(fc.integer({ min: 1, max: 1_000 }), fc.integer({ min: 1, max: 9_999_999_999 }))

/** Names as merchants type them, and worse: accents, emoji, other scripts, controls, lone surrogates, any length. */
const anyText = fc.oneof(
  fc.constantFrom(
    '',
    '   ',
    '🙂',
    'Ação & Cia. Ltda',
    'PADARIA SÃO JOSÉ DO RIO PRETO E REGIÃO',
    '日本',
    'A\u0301',
  ),
  fc.string({ unit: 'grapheme', maxLength: 120 }),
  fc.string({ unit: 'binary', maxLength: 120 }),
  fc.string({ unit: fc.constantFrom(...'aeiouãéíôúçÇÑ '.split(''), '🙂', '👩‍👩‍👧'), maxLength: 60 }),
)
const anyReceiver = fc.record({ name: anyText, city: anyText })

/** Words that leave at least one letter, joined by single blanks: where folding is not a matter of taste. */
const anyPlainName = fc
  .array(
    fc
      .tuple(fc.string({ unit: 'grapheme', maxLength: 8 }), fc.constantFrom('a', 'É', 'ç', 'Z'))
      .map(([text, letter]) => (text + letter).replaceAll(/\s/g, '')),
    { minLength: 1, maxLength: 8 },
  )
  .map((words) => words.join(' '))

/** The value of a tag; the empty text when the code cannot be read or has no such tag. */
const valueOf = (code: string, tag: string): string => new Map(readBrCode(code) ?? []).get(tag) ?? ''

describe('third-party codes', () => {
  test.each(vectors.brCode)('$name is read field by field', ({ payload, tlv, crc }) => {
    expect(readBrCode(payload)).toEqual(tlv)
    expect(crc16(payload.slice(0, -4))).toBe(crc)
  })

  test.each(vectors.brCodeInvalid)('$name is refused: $reason', ({ payload }) => {
    expect(readBrCode(payload)).toBeNull()
  })

  test.each(vectors.crc16)('the check value of the CRC of "$input" is $expected', ({ input, expected }) => {
    expect(crc16(input)).toBe(expected)
  })

  test('are made by us in the same way: the example of the manual, with an amount put into it', () => {
    const example = vectors.brCode.find(({ name }) => name === 'bacen-static-evp')?.payload ?? ''
    const open = example.slice(0, -4).replace('5802BR', '54041.005802BR')
    expect(staticBrCode(KEY, cents(100), RECEIVER, '***')).toBe(open + crc16(open))
    expect(open).toContain('54041.00')
  })
})

describe('reading a code', () => {
  test.each([
    ['nothing', ''],
    ['some text', 'pix'],
    ['a code without its CRC', '000201'],
    ['a length beyond the end', '000299'],
    ['a tag that is no number', '0A0201'],
    ['a CRC that is not the last field', `${dynamicBrCode(LOCATION, RECEIVER)}000201`],
    ['a CRC in lower case', `0002016304${crc16('0002016304').toLowerCase()}`],
    ['a CRC shorter than it says', `0002016308${crc16('0002016308')}`],
  ])('refuses %s', (_what, code) => {
    expect(readBrCode(code)).toBeNull()
  })

  test('takes the shortest code: nothing but a version and its CRC', () => {
    const code = `0002016304${crc16('0002016304')}`
    expect(code).toMatch(/[A-F]/)
    expect(readBrCode(code)).toEqual([
      ['00', '01'],
      ['63', code.slice(-4)],
    ])
  })

  test('refuses a code in which any one character was changed', () => {
    fc.assert(
      fc.property(anyReceiver, fc.nat(), fc.stringMatching(/^[ -~]$/), (receiver, place, wrong) => {
        const code = dynamicBrCode(LOCATION, receiver)
        const index = place % code.length
        fc.pre(code[index] !== wrong)
        expect(readBrCode(code.slice(0, index) + wrong + code.slice(index + 1))).toBeNull()
      }),
      { numRuns: 500 },
    )
  })

  test('refuses every part of a code that was cut off at either end', () => {
    const code = staticBrCode(KEY, cents(12_345), RECEIVER, 'abc')
    for (let index = 1; index < code.length; index++) {
      expect(readBrCode(code.slice(0, index)), code.slice(0, index)).toBeNull()
      expect(readBrCode(code.slice(index)), code.slice(index)).toBeNull()
    }
  })
})

describe('a dynamic code', () => {
  test('has the fields of the manual, in their order', () => {
    expect(readBrCode(dynamicBrCode(LOCATION, RECEIVER))).toEqual([
      ['00', '01'],
      ['01', '12'],
      ['26', `0014br.gov.bcb.pix2558${LOCATION}`],
      ['52', '0000'],
      ['53', '986'],
      ['58', 'BR'],
      ['59', 'Fulano de Tal'],
      ['60', 'BRASILIA'],
      ['62', '0503***'],
      ['63', expect.stringMatching(/^[0-9A-F]{4}$/)],
    ])
  })

  test('is accepted elsewhere with its location, whoever receives', () => {
    fc.assert(
      fc.property(anyLocation, anyReceiver, (location, receiver) => {
        const code = dynamicBrCode(location, receiver)
        expect(code).toMatch(printableAscii)
        expect(isValidPixPayload(code)).toBe(true)
        expect(getPixPayloadInfo(code)).toEqual({
          url: location,
          merchantName: valueOf(code, '59'),
          merchantCity: valueOf(code, '60'),
          pointOfInitiation: 'dynamic',
        })
      }),
      { numRuns: 300 },
    )
  })

  test('is what another implementation makes of the same receiver', () => {
    fc.assert(
      fc.property(anyLocation, anyPlainName, anyPlainName, (url, name, city) => {
        const other = generatePixPayload({ url, merchantName: name, merchantCity: city })
        expect(dynamicBrCode(url, { name, city })).toBe(other)
      }),
      { numRuns: 300 },
    )
  })

  test('holds a location of 77 characters and no longer one', () => {
    const longest = `pix.example.com/${'a'.repeat(61)}`
    expect(getPixPayloadInfo(dynamicBrCode(longest, RECEIVER))?.url).toBe(longest)
    expect(() => dynamicBrCode(`${longest}a`, RECEIVER)).toThrow(InvariantError)
    expect(() => dynamicBrCode('', RECEIVER)).toThrow('BR Code field 25 has 0 characters')
  })
})

describe('a static code', () => {
  test.each([
    [1, '0.01'],
    [10, '0.10'],
    [99, '0.99'],
    [100, '1.00'],
    [12_345, '123.45'],
    [100_005, '1000.05'],
    [9_999_999_999, '99999999.99'],
  ])('of %d cents asks for %s', (amount, text) => {
    expect(valueOf(staticBrCode(KEY, cents(amount), RECEIVER, 'abc'), '54')).toBe(text)
  })

  test('has the fields of the manual, in their order', () => {
    expect(readBrCode(staticBrCode(KEY, cents(12_345), RECEIVER, 'order1'))).toEqual([
      ['00', '01'],
      ['26', `0014br.gov.bcb.pix0136${KEY}`],
      ['52', '0000'],
      ['53', '986'],
      ['54', '123.45'],
      ['58', 'BR'],
      ['59', 'Fulano de Tal'],
      ['60', 'BRASILIA'],
      ['62', '0506order1'],
      ['63', expect.stringMatching(/^[0-9A-F]{4}$/)],
    ])
  })

  test('is accepted elsewhere with its key, amount and reference, whoever receives', () => {
    fc.assert(
      fc.property(fc.uuid(), anyAmount, anyReceiver, anyReference, (key, amount, receiver, reference) => {
        const code = staticBrCode(key, cents(amount), receiver, reference)
        const info = getPixPayloadInfo(code)
        expect(info).toMatchObject({ key, txid: reference, pointOfInitiation: 'static' })
        expect(info).toMatchObject({ merchantName: valueOf(code, '59'), merchantCity: valueOf(code, '60') })
        expect(Math.round((info?.amount ?? 0) * 100)).toBe(amount)
        expect(BigInt(valueOf(code, '54').replace('.', ''))).toBe(BigInt(amount))
      }),
      { numRuns: 300 },
    )
  })

  test('is what another implementation makes of the same facts', () => {
    fc.assert(
      fc.property(fc.uuid(), anyAmount, anyPlainName, anyReference, (key, amount, name, txid) => {
        const facts = { key, amount: amount / 100, txid }
        const other = generatePixPayload({ ...facts, merchantName: name, merchantCity: 'São Paulo' })
        expect(staticBrCode(key, cents(amount), { name, city: 'São Paulo' }, txid)).toBe(other)
      }),
      { numRuns: 300 },
    )
  })
})

describe('the text that a bank app shows', () => {
  test.each([
    ['Fulano de Tal', 25, 'Fulano de Tal'],
    ['São José', 25, 'Sao Jose'],
    ['AÇÃO ÀÉÎÕÜ ñ', 25, 'ACAO AEIOU n'],
    ['Sa\u0303o Paulo', 15, 'Sao Paulo'],
    ['Padaria 🥖 Boa', 25, 'Padaria Boa'],
    ['  Loja  ', 25, 'Loja'],
    ['São Miguel do Oeste', 15, 'Sao Miguel do O'],
    [' São Miguel do Oeste', 15, 'Sao Miguel do O'],
    ['Restaurante da Ana Maria e Filhos', 25, 'Restaurante da Ana Maria'],
    ['🙂🙂', 25, 'RECEBEDOR'],
    ['日本語', 15, 'RECEBEDOR'],
    ['', 15, 'RECEBEDOR'],
  ])('of "%s" in %d characters is "%s"', (text, length, expected) => {
    expect(plainText(text, length)).toBe(expected)
  })

  test('is short, printable, trimmed and never empty, whatever is given', () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom(15, 25), (text, length) => {
        const plain = plainText(text, length)
        expect(plain).toMatch(printableAscii)
        expect(plain.length).toBeLessThanOrEqual(length)
        expect(plain.trim()).toBe(plain)
        expect(plainText(plain, length)).toBe(plain)
      }),
      { numRuns: 500 },
    )
  })
})
