// Checks the index of texts by their runs of three characters.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { slicePlaces } from '../../src/kernel/places.ts'
import { addText, placesWith, removeText } from '../../src/kernel/textIndex.ts'
import type { TextIndex } from '../../src/kernel/textIndex.ts'

function indexOf(texts: readonly string[]): TextIndex {
  const index: TextIndex = new Map()
  for (const [place, text] of texts.entries()) addText(index, place, text)
  return index
}

function found(index: TextIndex, part: string): number[] | null {
  const places = placesWith(index, part)
  return places && slicePlaces(places, 0, places.size)
}

describe('an index of texts', () => {
  const index = indexOf(['abcd', 'bcde', 'xyz', 'abcabc', 'ab'])

  test.each<[string, number[] | null]>([
    ['abc', [0, 3]],
    ['bcd', [0, 1]],
    ['abcd', [0, 3]],
    ['dcbcde', []],
    ['xyz', [2]],
    ['cab', [3]],
    ['bcab', [3]],
    ['abcabc', [3]],
    ['abq', []],
    ['abcq', []],
    ['ab', null],
    ['', null],
  ])('finds for %j the texts at %j', (part, places) => {
    // The rarest run decides: of a part with runs that are equally rare, the first.
    expect(found(index, part)).toEqual(places)
  })

  test('of a part it answers the rarest run', () => {
    expect(found(indexOf(['aaab', 'aaac', 'aaad', 'aabx']), 'aaab')).toEqual([0, 3])
    expect(found(indexOf(['baaa', 'caaa', 'xbaa']), 'baaa')).toEqual([0, 2])
  })

  test('never misses a text that holds a part', () => {
    const texts = fc.array(fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 8 }), { maxLength: 8 })
    fc.assert(
      fc.property(texts, fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 4 }), (all, part) => {
        const places = found(indexOf(all), part)
        const holders = [...all.keys()].filter((place) => all[place]?.includes(part))
        expect(places === null).toBe(part.length < 3)
        expect(holders.filter((place) => places?.includes(place) === false)).toEqual([])
      }),
      { numRuns: 50 },
    )
  })

  test('forgets a text whole, and nothing else', () => {
    const some = indexOf(['abcabc', 'abcd'])
    removeText(some, 0, 'abcabc')
    expect(some).toEqual(new Map([...indexOf(['', 'abcd'])]))
    removeText(some, 1, 'abcd')
    expect(some.size).toBe(0)
    removeText(some, 1, 'abcd')
    expect(some.size).toBe(0)
  })
})
