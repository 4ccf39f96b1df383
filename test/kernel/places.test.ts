// Checks long ascending lists, queues, bounded memory and the index of texts against plain arrays.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createFifo } from '../../src/kernel/fifo.ts'
import { createLatest } from '../../src/kernel/latest.ts'
import { addPlace, countBelow, placesOf, removePlace, slicePlaces } from '../../src/kernel/places.ts'
import { addText, placesWith, removeText } from '../../src/kernel/textIndex.ts'
import type { Fifo } from '../../src/kernel/fifo.ts'
import type { Places } from '../../src/kernel/places.ts'
import type { TextIndex } from '../../src/kernel/textIndex.ts'

const MANY = 2_000

describe('ascending places', () => {
  test('are those of a sorted set, whatever is put in and taken out', () => {
    const change = fc.record({ place: fc.nat(MANY), out: fc.boolean() })
    fc.assert(
      fc.property(
        fc.boolean(),
        fc.array(change, { maxLength: 300 }),
        fc.nat(MANY),
        (isFull, changes, bound) => {
          const model = new Set(isFull ? Array.from({ length: MANY }, (_, place) => place) : [])
          const places = placesOf(...model)
          for (const { place, out } of changes) {
            const wasThere = model.delete(place)
            const removed = removePlace(places, place)
            expect(removed).toBe(wasThere)
            if (out) continue
            addPlace(places, place)
            model.add(place)
          }
          const sorted = [...model].toSorted((a, b) => a - b)
          expect(slicePlaces(places, 0, Infinity)).toEqual(sorted)
          expect(places.size).toBe(sorted.length)
          expect(countBelow(places, bound)).toBe(sorted.filter((place) => place < bound).length)
          expect(slicePlaces(places, bound, bound + 20)).toEqual(sorted.slice(bound, bound + 20))
          expect(places.chunks.every(({ length }) => length > 0 && length <= 512)).toBe(true)
        },
      ),
    )
  })
})

describe('a list in chunks', () => {
  const lengths = ({ chunks }: Places): number[] => chunks.map(({ length }) => length)
  const upTo = (count: number): number[] => Array.from({ length: count }, (_, place) => place)

  test('has full chunks where it was filled upwards, and halves those that overflow', () => {
    expect(lengths(placesOf(...upTo(1_100)))).toEqual([512, 512, 76])
    const downwards = placesOf()
    for (const place of upTo(512).toReversed()) addPlace(downwards, place + 1)
    expect(lengths(downwards)).toEqual([512])
    addPlace(downwards, 0)
    expect(lengths(downwards)).toEqual([256, 257])
    expect(slicePlaces(downwards, 0, Infinity)).toEqual(upTo(513))
  })

  test('takes a number in between although its last chunk is full', () => {
    const even = upTo(512).map((place) => place * 2)
    const places = placesOf(...even)
    addPlace(places, 5)
    expect(slicePlaces(places, 0, 5)).toEqual([0, 2, 4, 5, 6])
    expect(slicePlaces(places, 0, Infinity)).toEqual([...even, 5].toSorted((a, b) => a - b))
  })

  test('tells how many numbers are below one of its own, below its last, and below any when it is empty', () => {
    const places = placesOf(...upTo(600))
    expect([0, 1, 511, 512, 599, 600].map((place) => countBelow(places, place))).toEqual([
      0, 1, 511, 512, 599, 600,
    ])
    expect(countBelow(placesOf(), 5)).toBe(0)
  })
})

test('a list that is emptied is as one that was never filled, and can be filled again', () => {
  const places = placesOf(3, 5)
  for (const place of [5, 3]) removePlace(places, place)
  expect(places).toEqual(placesOf())
  addPlace(places, 4)
  expect(places).toEqual(placesOf(4))
})

type Order = { push: string } | { delete: string } | 'shift' | 'clear'

/** What a queue and a plain array answer to an order. */
function onBoth(order: Order, queue: Fifo, model: string[]): [answered: unknown, expected: unknown] {
  if (order === 'shift') return [queue.shift(), model.shift()]
  if (order === 'clear') {
    queue.clear()
    model.length = 0
    return [null, null]
  }
  if ('push' in order) {
    queue.push(order.push)
    if (!model.includes(order.push)) model.push(order.push)
    return [null, null]
  }
  const place = model.indexOf(order.delete)
  return [queue.delete(order.delete), place >= 0 && model.splice(place, 1).length === 1]
}

describe('a queue', () => {
  test('gives names in the order they came, but for those taken out', () => {
    const order = fc.oneof(
      fc.record({ push: fc.nat(9).map(String) }),
      fc.record({ delete: fc.nat(9).map(String) }),
      fc.constant('shift' as const),
      fc.constant('clear' as const),
    )
    fc.assert(
      fc.property(fc.array(order, { maxLength: 200 }), (orders) => {
        const queue = createFifo()
        const model: string[] = []
        for (const each of orders) {
          const [answered, expected] = onBoth(each, queue, model)
          expect(answered).toBe(expected)
          expect([...queue]).toEqual(model)
          expect([queue.length, queue.has('1')]).toEqual([model.length, model.includes('1')])
        }
      }),
    )
  })
})

test('a bounded memory keeps what was used last', () => {
  const latest = createLatest<string, number>(2)
  latest.set('a', 1)
  latest.set('b', 2)
  expect(latest.get('a')).toBe(1)
  latest.set('c', 3)
  expect([latest.size, latest.has('a'), latest.has('b'), latest.get('b')]).toEqual([
    2,
    true,
    false,
    undefined,
  ])
  latest.delete('a')
  expect(latest.size).toBe(1)
})

test('an index of texts leaves out no text that holds a part, and forgets what was taken out', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 })
  fc.assert(
    fc.property(fc.array(text), fc.array(fc.nat(20)), text, (texts, gone, part) => {
      const index: TextIndex = new Map()
      for (const [place, each] of texts.entries()) addText(index, place, each)
      const left = new Map(texts.entries())
      for (const place of gone) {
        removeText(index, place, left.get(place) ?? '')
        left.delete(place)
      }
      const rebuilt: TextIndex = new Map()
      for (const [place, each] of left) addText(rebuilt, place, each)
      expect(index).toEqual(rebuilt)
      const found = placesWith(index, part)
      const holding = [...left].flatMap(([place, each]) => (each.includes(part) ? [place] : []))
      expect(found === null).toBe(part.length < 3)
      const candidates = found ? slicePlaces(found, 0, Infinity) : holding
      expect(candidates).toEqual(expect.arrayContaining(holding))
    }),
  )
})
