// Nesting: what is deeper than a limit is told, however deep it is.
import { describe, expect, it } from 'vitest'
import { isDeeperThan } from '../../src/kernel/nesting.ts'

const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels))

describe('a JSON value', () => {
  it.each([
    [0, 'text', false],
    [0, null, false],
    [0, [], true],
    [1, { a: 1, b: 'x' }, false],
    [1, { a: 1, b: {} }, true],
    [200, nested(200), false],
    [200, nested(201), true],
    [200, nested(100_000), true],
  ])('has more than %i levels or not', (levels, value, isDeeper) => {
    expect(isDeeperThan(levels, value)).toBe(isDeeper)
  })
})
