// Checks the bars of Interleaved 2 of 5 by hand-made cases; the slip's own test has a scanner read them.
import { describe, expect, test } from 'vitest'
import { interleavedWidths } from '../../src/domain/interleaved.ts'
import { InvariantError } from '../../src/kernel/assert.ts'

describe('the bars of digits', () => {
  test.each([
    ['12', '1111 3113111133 311'],
    ['00', '1111 1111333311 311'],
    ['67', '1111 1131311313 311'],
    ['1234', '1111 3113111133 3131131113 311'],
  ])('of %s are %s', (digits, widths) => {
    expect(interleavedWidths(digits).join('')).toBe(widths.replaceAll(' ', ''))
  })

  test('of a boleto are 227 and as wide as 405 narrow ones, whatever its digits', () => {
    const sizes = Array.from('0123456789', (digit) => {
      const widths = interleavedWidths(digit.repeat(44))
      return `${widths.length} ${widths.reduce((sum, width) => sum + width, 0)}`
    })
    expect(new Set(sizes)).toEqual(new Set(['227 405']))
  })

  test('are another for each pair of digits', () => {
    const pairs = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'))
    expect(new Set(pairs.map((pair) => interleavedWidths(pair).join(''))).size).toBe(100)
  })

  test.each(['', '1', '123', '1a', '12 ', '12\n'])('are refused for %j', (digits) => {
    expect(() => interleavedWidths(digits)).toThrow(InvariantError)
  })
})
