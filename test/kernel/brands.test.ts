// Checks money arithmetic: whole cents only, and every rounding against exact fractions.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  basisPoints,
  cents,
  proportionFloor,
  shareFloor,
  shareHalfUp,
  sumCents,
} from '../../src/kernel/brands.ts'

const MAX = Number.MAX_SAFE_INTEGER
const anyAmount = fc.oneof(fc.nat(1_000), fc.nat(9_999_999_999), fc.nat(MAX)).map(cents)
const anyPart = fc.nat(10_000).map(basisPoints)

/** Whether a whole number is an exact fraction rounded half up: `whole - 1/2 <= fraction < whole + 1/2`. */
function isHalfUp(whole: number, numerator: bigint, denominator: bigint): boolean {
  const twice = 2n * (numerator - BigInt(whole) * denominator)
  return -denominator <= twice && twice < denominator
}

/** Whether a whole number is an exact fraction rounded down: `whole <= fraction < whole + 1`. */
function isFloor(whole: number, numerator: bigint, denominator: bigint): boolean {
  const rest = numerator - BigInt(whole) * denominator
  return rest >= 0n && rest < denominator
}

describe('cents and basis points', () => {
  test.each([0, 1, -1, 100, 9_999_999_999, MAX, -MAX])('may be %d', (value) => {
    expect(cents(value)).toBe(value)
    expect(basisPoints(value)).toBe(value)
  })

  test.each([0.1, 99.99, 0.1 + 0.2, MAX + 1, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    'are never %d',
    (value) => {
      expect(() => cents(value)).toThrow('not a whole number of cents')
      expect(() => basisPoints(value)).toThrow('not a whole number of basis points')
    },
  )

  test('add up exactly', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -9_999_999_999, max: 9_999_999_999 })), (values) => {
        const exact = values.reduce((sum, value) => sum + BigInt(value), 0n)
        expect(sumCents(values.map(cents))).toBe(Number(exact))
      }),
    )
  })

  test('add up to nothing when there are none, and are refused when the sum is beyond exact numbers', () => {
    expect(sumCents([])).toBe(0)
    expect(() => sumCents([cents(MAX), cents(1)])).toThrow('not a whole number of cents')
  })
})

describe('a share of an amount', () => {
  test.each([
    [10_000, 150, 150, 150],
    [33, 5_000, 17, 16],
    [1, 5_000, 1, 0],
    [1, 4_999, 0, 0],
    [3, 5_000, 2, 1],
    [100, 150, 2, 1],
    [99, 150, 1, 1],
    [12_345, 399, 493, 492],
    [9_999_999_999, 150, 150_000_000, 149_999_999],
    [12_345, 0, 0, 0],
    [12_345, 10_000, 12_345, 12_345],
    [0, 10_000, 0, 0],
  ])('of %d cents by %d basis points is %d half up and %d rounded down', (amount, part, halfUp, floor) => {
    expect(shareHalfUp(cents(amount), basisPoints(part))).toBe(halfUp)
    expect(shareFloor(cents(amount), basisPoints(part))).toBe(floor)
  })

  test('is the exact fraction, rounded half up or down, for amounts of any size', () => {
    fc.assert(
      fc.property(anyAmount, anyPart, (amount, part) => {
        const exact = BigInt(amount) * BigInt(part)
        expect(isHalfUp(shareHalfUp(amount, part), exact, 10_000n)).toBe(true)
        expect(isFloor(shareFloor(amount, part), exact, 10_000n)).toBe(true)
      }),
      { numRuns: 1_000 },
    )
  })

  test('is refused where it would no longer be an exact number', () => {
    expect(() => shareFloor(cents(MAX), basisPoints(20_000))).toThrow('not a whole number of cents')
    expect(() => shareHalfUp(cents(MAX), basisPoints(20_000))).toThrow('not a whole number of cents')
  })
})

describe('a proportion of an amount', () => {
  test.each([
    [100, 1, 3, 33],
    [100, 2, 3, 66],
    [100, 3, 3, 100],
    [150, 3_333, 10_000, 49],
    [0, 5, 7, 0],
    [7, 0, 5, 0],
    [MAX, MAX, MAX, MAX],
  ])('of %d by %d / %d is %d', (amount, numerator, denominator, expected) => {
    expect(proportionFloor(cents(amount), numerator, denominator)).toBe(expected)
  })

  const anyFraction = fc
    .tuple(fc.integer({ min: 1, max: MAX }), fc.nat(MAX))
    .map(([denominator, numerator]) => [Math.min(numerator, denominator), denominator] as const)

  test('is the exact fraction rounded down, for amounts of any size', () => {
    fc.assert(
      fc.property(anyAmount, anyFraction, (amount, [numerator, denominator]) => {
        const exact = BigInt(amount) * BigInt(numerator)
        expect(isFloor(proportionFloor(amount, numerator, denominator), exact, BigInt(denominator))).toBe(
          true,
        )
      }),
      { numRuns: 1_000 },
    )
  })

  test('taken in steps adds up to the whole, and no step is below zero', () => {
    fc.assert(
      fc.property(
        anyAmount,
        fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1 }),
        (whole, parts) => {
          const total = parts.reduce((sum, part) => sum + part, 0)
          let before = 0
          const steps = parts.map((part) => {
            const step = proportionFloor(whole, before + part, total) - proportionFloor(whole, before, total)
            before += part
            return cents(step)
          })
          expect(sumCents(steps)).toBe(whole)
          expect(steps.filter((step) => step < 0)).toEqual([])
        },
      ),
    )
  })
})
