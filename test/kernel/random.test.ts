// Checks seeded chance: the same seed gives the same draws, a saved state goes on, and every draw stays in its range.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createRandom, seedState } from '../../src/kernel/random.ts'
import type { Random, RandomState } from '../../src/kernel/random.ts'

const UINT32 = 4_294_967_296
const anySeed = fc.string({ unit: 'binary', maxLength: 20 })
const from = (seed: string): Random => createRandom(seedState(seed))

/** The numbers behind `fraction`, as the 32-bit words that they are made from. */
const words = (random: Random, count: number): number[] =>
  Array.from({ length: count }, () => random.fraction() * UINT32)

/** The generator sfc32 written down once more, in whole numbers without 32-bit operators. */
function* sfc32(state: readonly number[]): Generator<number> {
  const wrap = (value: bigint): bigint => value & 0xffff_ffffn
  let [a = 0n, b = 0n, c = 0n, counter = 0n] = state.map(BigInt)
  for (;;) {
    const result = wrap(a + b + counter)
    counter = wrap(counter + 1n)
    a = b ^ (b >> 9n)
    b = wrap(c * 9n)
    c = wrap(wrap((c << 21n) | (c >> 11n)) + result)
    yield Number(result)
  }
}

describe('the same seed', () => {
  test('gives the same draws, whatever is drawn', () => {
    fc.assert(
      fc.property(anySeed, (seed) => {
        const [one, two] = [from(seed), from(seed)].map((random) => [
          random.uuid(),
          random.below(1_000),
          random.fraction(),
          random.text('abcdef', 9),
          [...random.bytes(5)],
          random.save(),
        ])
        expect(one).toEqual(two)
      }),
    )
  })

  test('gives what it gave in every release, so that saved worlds and recorded runs stay true', () => {
    const random = from('demo')
    expect(seedState('demo')).toEqual([1934177239, 3852128141, 3518967769, 2801857706])
    expect(random.uuid()).toBe('0ef8e4ff-36a6-41ec-ad17-b1da7cf39cbf')
    expect(random.text('0123456789', 12)).toBe('248962476553')
    expect(random.text('0123456789abcdef', 12)).toBe('d304ebb30304')
    expect(random.below(1_000_000)).toBe(707_496)
    expect(random.save()).toEqual([1893746101, 1528409014, 2784069621, 2801857719])
  })

  test('gives the words of sfc32', () => {
    fc.assert(
      fc.property(anySeed, (seed) => {
        const oracle = sfc32(seedState(seed))
        const expected = Array.from({ length: 20 }, () => oracle.next().value as number)
        expect(words(from(seed), 20)).toEqual(expected)
      }),
    )
  })
})

describe('a seed', () => {
  test('is any text, the empty one included, and leads to four unsigned numbers of 32 bits', () => {
    fc.assert(
      fc.property(anySeed, (seed) => {
        const state = seedState(seed)
        expect(state).toHaveLength(4)
        expect(state.every((word) => Number.isInteger(word) && word >= 0 && word < UINT32)).toBe(true)
      }),
      { examples: [['']] },
    )
  })

  test('that differs by one character gives other draws', () => {
    const seeds = Array.from({ length: 2_000 }, (_, index) => `world-${index}`)
    expect(new Set(seeds.map((seed) => from(seed).uuid())).size).toBe(seeds.length)
    expect(from('ab').uuid()).not.toBe(from('ba').uuid())
    expect(from('').uuid()).not.toBe(from('\0').uuid())
  })
})

describe('a saved state', () => {
  const anyDraw = fc.constantFrom<(random: Random) => unknown>(
    (random) => random.below(7),
    (random) => random.fraction(),
    (random) => [...random.bytes(6)],
    (random) => random.uuid(),
    (random) => random.text('abcde', 5),
  )

  test('goes on with exactly the draws that would have followed, after any draws before', () => {
    fc.assert(
      fc.property(anySeed, fc.array(anyDraw), fc.array(anyDraw), (seed, before, after) => {
        const random = from(seed)
        for (const draw of before) draw(random)
        const restored = createRandom(JSON.parse(JSON.stringify(random.save())) as RandomState)
        expect(after.map((draw) => draw(restored))).toEqual(after.map((draw) => draw(random)))
        expect(restored.save()).toEqual(random.save())
      }),
    )
  })

  test('is not changed by drawing from it', () => {
    const state = seedState('kept')
    const copy = [...state]
    createRandom(state).uuid()
    expect(state).toEqual(copy)
  })
})

describe('a draw', () => {
  test('below a bound is a whole number from 0 to the bound, excluded', () => {
    fc.assert(
      fc.property(anySeed, fc.integer({ min: 1, max: UINT32 }), (seed, bound) => {
        const drawn = from(seed).below(bound)
        expect(Number.isInteger(drawn)).toBe(true)
        expect(drawn).toBeGreaterThanOrEqual(0)
        expect(drawn).toBeLessThan(bound)
      }),
    )
  })

  test('below a bound hits every value about equally often', () => {
    const random = from('dice')
    const hits = [0, 0, 0, 0, 0, 0]
    for (let roll = 0; roll < 60_000; roll++) {
      const value = random.below(6)
      hits[value] = (hits[value] ?? 0) + 1
    }
    expect(Math.min(...hits)).toBeGreaterThan(9_600)
    expect(Math.max(...hits)).toBeLessThan(10_400)
    expect(hits).toHaveLength(6)
  })

  test('of a fraction lies between 0 and 1 and is in the middle on average', () => {
    const random = from('fractions')
    const drawn = Array.from({ length: 100_000 }, () => random.fraction())
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...drawn)).toBeLessThan(1)
    expect(drawn.reduce((sum, value) => sum + value) / drawn.length).toBeCloseTo(0.5, 2)
  })

  test.each([0, 1, 3, 4, 5, 8, 17])(
    'of %d bytes has that many, four out of each word, lowest first',
    (count) => {
      const bytes = from('bytes').bytes(count)
      const expected = words(from('bytes'), Math.ceil(count / 4)).flatMap((word) => [
        word % 256,
        Math.floor(word / 256) % 256,
        Math.floor(word / 65_536) % 256,
        Math.floor(word / 16_777_216),
      ])
      expect([...bytes]).toEqual(expected.slice(0, count))
    },
  )

  test('of a UUID is one of version 4, and does not repeat', () => {
    const random = from('uuids')
    const uuids = Array.from({ length: 10_000 }, () => random.uuid())
    const form = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
    expect(uuids.filter((uuid) => !form.test(uuid))).toEqual([])
    expect(new Set(uuids).size).toBe(uuids.length)
    expect(new Set(uuids.map((uuid) => uuid.charAt(19)))).toEqual(new Set('89ab'))
  })

  test('of text has the length asked for and only letters of the alphabet', () => {
    const anyAlphabet = fc.uniqueArray(fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789'.split('')), {
      minLength: 1,
    })
    fc.assert(
      fc.property(anySeed, anyAlphabet, fc.nat(64), (seed, letters, length) => {
        const text = from(seed).text(letters.join(''), length)
        expect(text).toHaveLength(length)
        expect(text.split('').filter((letter) => !letters.includes(letter))).toEqual([])
      }),
    )
  })

  test('of text uses every letter of the alphabet about equally often', () => {
    const text = from('letters').text('0123456789', 20_000)
    const hits = '0123456789'.split('').map((digit) => text.split(digit).length - 1)
    expect(Math.min(...hits)).toBeGreaterThan(1_850)
    expect(Math.max(...hits)).toBeLessThan(2_150)
  })
})
