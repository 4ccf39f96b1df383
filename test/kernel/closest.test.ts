// Checks the guess which word somebody meant, against edit distances that are counted the slow way.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { closest } from '../../src/kernel/closest.ts'

const FIELDS = ['amount', 'method', 'currency', 'description', 'externalId', 'callbackUrl', 'customerId']

/** The edits between two words by the textbook recursion, row by row. */
function edits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const [left = 0, above = 0, corner = 0] = [next[j - 1], row[j], row[j - 1]]
      next.push(Math.min(left + 1, above + 1, corner + (a[i - 1] === b[j - 1] ? 0 : 1)))
    }
    row = next
  }
  return row[b.length] ?? 0
}

describe('the closest known word', () => {
  test.each([
    ['amuont', 'amount'],
    ['ammount', 'amount'],
    ['amout', 'amount'],
    ['AMOUNT', 'amount'],
    ['external_id', 'externalId'],
    ['externalID', 'externalId'],
    ['callbackURL', 'callbackUrl'],
    ['callback', 'callbackUrl'],
    ['costumerId', 'customerId'],
    ['descripton', 'description'],
  ])('to %s is %s', (typed, expected) => {
    expect(closest(typed, FIELDS)).toBe(expected)
  })

  test.each(['', 'x', 'banana', 'value', 'zzzzzzzzzzzz'])('to "%s" is none', (typed) => {
    expect(closest(typed, FIELDS)).toBeNull()
  })

  test('is none when no word is known', () => {
    expect(closest('amount', [])).toBeNull()
  })

  test('is the one listed first when several are equally near', () => {
    expect(closest('bat', ['cat', 'hat'])).toBe('cat')
    expect(closest('bat', ['hat', 'cat'])).toBe('hat')
  })

  test('keeps the letter case in which it is known', () => {
    expect(closest('pAyErNaMe', ['payerDocument', 'PayerName'])).toBe('PayerName')
  })

  test('to a very long text is found by its first hundred characters', () => {
    const known = ['a'.repeat(100)]
    expect(closest('a'.repeat(100) + 'b'.repeat(100_000), known)).toBe(known[0])
    expect(closest('a'.repeat(1_000_000), FIELDS)).toBeNull()
  })

  test('is the first of those with the fewest edits, of at most one for each started three letters', () => {
    const anyWord = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'B'), maxLength: 10 })
    fc.assert(
      fc.property(anyWord, fc.array(anyWord, { maxLength: 6 }), (typed, known) => {
        const lower = typed.toLowerCase()
        const near = known
          .map((word) => ({ word, count: edits(lower, word.toLowerCase()) }))
          .filter(({ count }) => count <= Math.ceil(typed.length / 3))
        const fewest = Math.min(...near.map(({ count }) => count))
        expect(closest(typed, known)).toBe(near.find(({ count }) => count === fewest)?.word ?? null)
      }),
      { numRuns: 500 },
    )
  })
})
