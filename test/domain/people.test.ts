// Checks what the sandbox makes up: people with valid documents, and identifiers in the central bank's forms.
import { isValidCpf } from '@brazilian-utils/brazilian-utils'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createRandom, seedState } from '../../src/kernel/random.ts'
import { FIRST_INSTANT, instant, LAST_INSTANT, toTimestamp } from '../../src/kernel/time.ts'
import { makeEndToEndId, makePerson, makeReference, PAYER_BANK_CODE } from '../../src/domain/people.ts'
import vectors from '../data/vectors.json' with { type: 'json' }
import type { Random } from '../../src/kernel/random.ts'

const from = (seed: string): Random => createRandom(seedState(seed))
const anyInstant = fc.integer({ min: FIRST_INSTANT, max: LAST_INSTANT }).map(instant)

const END_TO_END = new RegExp(vectors.endToEndId.pattern)

describe('an end-to-end id', () => {
  test.each(vectors.endToEndId.valid)('$value has the form that we check ours by', ({ value }) => {
    expect(value).toMatch(END_TO_END)
    expect(value).toHaveLength(vectors.endToEndId.length)
  })

  test.each(vectors.endToEndId.invalid)('$value has not: $reason', ({ value }) => {
    expect(value).not.toMatch(END_TO_END)
  })

  test('has that form for any seed at any time, and names the bank and the minute in UTC', () => {
    fc.assert(
      fc.property(fc.string(), anyInstant, (seed, at) => {
        const made = makeEndToEndId(from(seed), toTimestamp(at))
        expect(made).toMatch(END_TO_END)
        expect(made).toHaveLength(vectors.endToEndId.length)
        expect(made.slice(1, 9)).toBe(PAYER_BANK_CODE)
        const minute = made.slice(9, 21).replace(/^(....)(..)(..)(..)(..)$/, '$1-$2-$3T$4:$5')
        expect(Date.parse(`${minute}:00Z`)).toBe(Math.floor(at / 60_000) * 60_000)
      }),
      { numRuns: 500 },
    )
  })

  test('of one minute and one world does not repeat', () => {
    const random = from('ids')
    const at = toTimestamp(instant(1_893_499_200_000))
    const made = Array.from({ length: 10_000 }, () => makeEndToEndId(random, at))
    expect(new Set(made).size).toBe(made.length)
    expect(new Set(made.map((id) => id.slice(0, 21)))).toEqual(new Set([`E${PAYER_BANK_CODE}203001011200`]))
  })
})

describe('a reference', () => {
  const TXID = new RegExp(vectors.txid.cob.pattern)

  test.each(vectors.txid.cob.valid)('%s has the form that we check ours by', (value) => {
    expect(value).toMatch(TXID)
  })

  test('has the length asked for, and the form of a txId at every length that one may have', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 26, max: 35 }), (seed, length) => {
        const made = makeReference(from(seed), length)
        expect(made).toHaveLength(length)
        expect(made).toMatch(TXID)
      }),
    )
  })

  test('uses all letters and digits', () => {
    const used = new Set(makeReference(from('letters'), 5_000))
    expect([...used].toSorted().join('')).toBe(
      '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
    )
  })
})

describe('a person', () => {
  test('has a first and a last name in plain letters, and a document that holds', () => {
    fc.assert(
      fc.property(fc.string(), (seed) => {
        const { name, document } = makePerson(from(seed))
        expect(name).toMatch(/^[A-Z][a-z]+ [A-Z][a-z]+$/)
        expect(isValidCpf(document)).toBe(true)
      }),
    )
  })

  test('is the same for the same seed, and one of many', () => {
    const random = from('people')
    const people = Array.from({ length: 500 }, () => makePerson(random))
    expect(makePerson(from('people'))).toEqual(people[0])
    expect(new Set(people.map(({ name }) => name)).size).toBeGreaterThan(50)
    expect(new Set(people.map(({ document }) => document)).size).toBe(500)
  })
})
