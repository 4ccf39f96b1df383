// Checks the numbers of boletos against third-party cases and against a library that reads them back.
import { getBoletoInfo, isValidBoleto } from '@brazilian-utils/brazilian-utils'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  bankLabel,
  boletoBarcode,
  digitableLine,
  dueDateFactor,
  freeField,
  freeFieldParts,
  modulo10,
} from '../../src/domain/boletoNumbers.ts'
import { InvariantError } from '../../src/kernel/assert.ts'
import { cents } from '../../src/kernel/brands.ts'
import { addDays } from '../../src/kernel/calendar.ts'
import vectors from '../data/boletoVectors.json' with { type: 'json' }
import type { BoletoFacts } from '../../src/domain/boletoNumbers.ts'
import type { CalendarDay } from '../../src/kernel/calendar.ts'

const day = (text: string): CalendarDay => text as CalendarDay
const digits = (count: number): fc.Arbitrary<string> =>
  fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: count, maxLength: count })
    .map((list) => list.join(''))

const anyDay = fc
  .integer({ min: 0, max: (Date.UTC(2049, 11, 31) - Date.UTC(2000, 0, 1)) / 86_400_000 })
  .map((count) => addDays(day('2000-01-01'), count))
const anyBoleto: fc.Arbitrary<BoletoFacts> = fc.record({
  bank: digits(3),
  dueDay: anyDay,
  amount: fc.integer({ min: 0, max: 9_999_999_999 }).map(cents),
  freeField: digits(25),
})

const BOLETO: BoletoFacts = {
  bank: '999',
  dueDay: day('2030-01-31'),
  amount: cents(12_345),
  freeField: '0'.repeat(25),
}

/** What the library reads in a line, its day as ours; it knows which cycle of factors is meant by a day near it. */
function readBack(line: string, near: CalendarDay): unknown {
  const read = getBoletoInfo(line, { referenceDate: new Date(`${near}T12:00:00`) })
  const due = read?.expirationDate
  const two = (value: number): string => String(value).padStart(2, '0')
  return (
    read && {
      bank: read.bankCode,
      amount: read.amount,
      dueDay: due ? `${due.getFullYear()}-${two(due.getMonth() + 1)}-${two(due.getDate())}` : null,
    }
  )
}

describe('boletos of real banks', () => {
  const cases = vectors.boleto.map((boleto) => [`${boleto.name}, ${boleto.source}`, boleto] as const)

  test.each(cases)('%s', (_title, boleto) => {
    const dueDay = boleto.dueDate ?? addDays(day('1997-10-07'), Number(boleto.fator))
    const facts = { bank: boleto.bank, amount: cents(boleto.amountCents), freeField: boleto.campoLivre }
    const barcode = boletoBarcode({ ...facts, dueDay: day(dueDay) })
    expect(barcode).toBe(boleto.barcode)
    expect(digitableLine(barcode, 'formatted')).toBe(boleto.digitableLine)
    expect(digitableLine(barcode, 'plain')).toBe(boleto.digitableLine.replaceAll(/\D/g, ''))
  })
})

describe('the due date factor', () => {
  test.each(vectors.fatorVencimento.map(({ date, fator, source }) => [date, fator, source] as const))(
    'of %s is %d, says %s',
    (date, factor) => {
      expect(dueDateFactor(day(date))).toBe(factor)
    },
  )

  test.each([
    ['1970-01-01', 0, 'long before the factor was invented'],
    ['1997-10-06', 0, 'on the day before the first'],
    ['1997-10-07', 0, 'on the first day'],
    ['1997-10-08', 1, 'on the day after it'],
    ['2000-01-01', 816, 'below a thousand'],
    ['2025-02-22', 1000, 'after the first 9999'],
    ['2049-10-13', 9999, 'at the end of the second run'],
    ['2049-10-14', 1000, 'after the second 9999'],
  ])('of %s is %d: %s', (date, factor) => {
    expect(dueDateFactor(day(date))).toBe(factor)
  })
})

describe('check digits', () => {
  test.each(vectors.mod10)('of $input by modulo 10 is $expected, says $source', ({ input, expected }) => {
    expect(modulo10(input)).toBe(expected)
  })

  test('by modulo 10 is 0 where 10 would be', () => {
    expect(['0', '19', '95', '0000000000'].map(modulo10)).toEqual([0, 0, 0, 0])
  })

  test('of a barcode is never 0: what 0, 10 or 11 would be is 1', () => {
    const barcodes = Array.from({ length: 99 }, (_, amount) =>
      boletoBarcode({ ...BOLETO, amount: cents(amount) }),
    )
    expect([...new Set(barcodes.map((barcode) => barcode.charAt(4)))].toSorted().join('')).toBe('123456789')
    expect(barcodes.filter((barcode) => !isValidBoleto(digitableLine(barcode, 'plain')))).toEqual([])
  })

  test.each(['001-9', '033-7', '041-8', '077-9', '104-0', '237-2', '341-7', '399-9', '756-0', '999-7'])(
    'of a bank: %s',
    (label) => {
      expect(bankLabel(label.slice(0, 3))).toBe(label)
    },
  )
})

describe('a line', () => {
  test('is read back by the library to the same bank, amount and day, on any day from 2000 to 2049', () => {
    const edge = (text: string): [BoletoFacts] => [
      { ...BOLETO, dueDay: day(text), amount: cents(9_999_999_999) },
    ]
    fc.assert(
      fc.property(anyBoleto, (facts) => {
        const { bank, amount, dueDay } = facts
        const barcode = boletoBarcode(facts)
        // Factors below 1000 were never used, and the library refuses to name a day for them.
        const expected = { bank, amount, dueDay: dueDay < '2000-07-03' ? null : dueDay }
        expect(readBack(digitableLine(barcode, 'plain'), dueDay)).toEqual(expected)
        expect(readBack(digitableLine(barcode, 'formatted'), dueDay)).toEqual(expected)
      }),
      {
        numRuns: 1000,
        examples: ['2000-07-02', '2000-07-03', '2025-02-21', '2025-02-22', '2049-10-13', '2049-10-14'].map(
          edge,
        ),
      },
    )
  })

  test('has the form that Brazilians know, and says what the barcode says', () => {
    fc.assert(
      fc.property(anyBoleto, (facts) => {
        const barcode = boletoBarcode(facts)
        const line = digitableLine(barcode, 'formatted')
        expect(line).toMatch(/^\d{5}\.\d{5} \d{5}\.\d{6} \d{5}\.\d{6} \d \d{14}$/)
        expect(barcode).toMatch(/^\d{44}$/)
        expect(digitableLine(barcode, 'plain')).toBe(line.replaceAll(/[. ]/g, ''))
      }),
    )
  })

  test('is refused by the library when any one digit is another', () => {
    fc.assert(
      fc.property(anyBoleto, fc.nat(46), fc.integer({ min: 1, max: 9 }), (facts, place, step) => {
        const line = digitableLine(boletoBarcode(facts), 'plain')
        const other = String((Number(line[place]) + step) % 10)
        const changed = line.slice(0, place) + other + line.slice(place + 1)
        // Three remainders share the check digit 1, so a change may stay unseen only where that digit is 1.
        expect(isValidBoleto(changed) && line.charAt(32) !== '1').toBe(false)
      }),
    )
  })
})

describe('the free field', () => {
  const parts = { branch: '0001', wallet: '09', ourNumber: '00000012345', account: '7654321' }

  test('has its parts in order and a check digit', () => {
    expect(freeField(parts)).toBe(`000109000000123457654321${modulo10('000109000000123457654321')}`)
  })

  test('gives its parts back from any barcode', () => {
    const anyParts = fc.record({
      branch: digits(4),
      wallet: digits(2),
      ourNumber: digits(11),
      account: digits(7),
    })
    fc.assert(
      fc.property(anyBoleto, anyParts, (facts, made) => {
        expect(freeFieldParts(boletoBarcode({ ...facts, freeField: freeField(made) }))).toEqual(made)
      }),
    )
  })

  test.each([
    ['a branch of three digits', { branch: '001' }],
    ['a wallet with a letter', { wallet: '0A' }],
    ['a number of twelve digits', { ourNumber: '000000123456' }],
    ['an account with a blank', { account: '765432 ' }],
  ])('is not made from %s', (_what, wrong) => {
    expect(() => freeField({ ...parts, ...wrong })).toThrow(InvariantError)
  })
})

describe('a defect of ours is loud', () => {
  test.each([
    ['an amount of more than ten digits', { amount: cents(10_000_000_000) }],
    ['a negative amount', { amount: cents(-1) }],
    ['a bank of two digits', { bank: '99' }],
    ['a bank of four digits', { bank: '9999' }],
    ['a bank that begins with a letter', { bank: 'x99' }],
    ['a bank that ends with a letter', { bank: '99x' }],
    ['a free field of 24 digits', { freeField: '0'.repeat(24) }],
    ['a free field with other digits', { freeField: '٠'.repeat(25) }],
    ['a free field with a line break', { freeField: `${'0'.repeat(24)}\n` }],
  ])('for %s', (_what, wrong) => {
    expect(() => boletoBarcode({ ...BOLETO, ...wrong })).toThrow(InvariantError)
  })

  test('for a barcode of another length', () => {
    expect(() => digitableLine('9'.repeat(43), 'plain')).toThrow(InvariantError)
    expect(() => freeFieldParts('9'.repeat(47))).toThrow(InvariantError)
    expect(() => bankLabel('0001')).toThrow(InvariantError)
  })
})
