// Checks queues against a plain array on which the same is done.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createFifo } from '../../src/kernel/fifo.ts'
import type { Fifo } from '../../src/kernel/fifo.ts'

type Step = 'push' | 'shift' | 'delete' | 'clear'

const NAMES = ['a', 'b', 'c', 'd']

const steps = fc.array(
  fc.record({
    do: fc.constantFrom<Step[]>('push', 'push', 'shift', 'delete', 'clear'),
    name: fc.constantFrom(...NAMES),
  }),
  { maxLength: 30 },
)

/** A queue as an array that takes each name once. */
function plainQueue(): Pick<Fifo, Step> & { waiting: string[] } {
  const plain = {
    waiting: [] as string[],
    push(name: string) {
      if (!plain.waiting.includes(name)) plain.waiting.push(name)
    },
    shift: () => plain.waiting.shift(),
    delete(name: string) {
      const isThere = plain.waiting.includes(name)
      plain.waiting = plain.waiting.filter((each) => each !== name)
      return isThere
    },
    clear() {
      plain.waiting = []
    },
  }
  return plain
}

/** What one step answers. */
function play(queue: Pick<Fifo, Step>, step: Step, name: string): unknown {
  switch (step) {
    case 'shift':
      return queue.shift()
    case 'delete':
      return queue.delete(name)
    case 'push':
      queue.push(name)
      return undefined
    case 'clear':
      queue.clear()
      return undefined
    default:
      return step satisfies never
  }
}

describe('a queue', () => {
  test('does what an array does that takes each name once', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const queue = createFifo()
        const plain = plainQueue()
        for (const { do: what, name } of all) {
          expect(play(queue, what, name)).toBe(play(plain, what, name))
          expect([...queue]).toEqual(plain.waiting)
          expect(queue.length).toBe(plain.waiting.length)
          expect(NAMES.filter((each) => queue.has(each)).toSorted()).toEqual(plain.waiting.toSorted())
        }
      }),
      { numRuns: 50 },
    )
  })

  test('takes names that came after it was empty', () => {
    const queue = createFifo()
    queue.push('a')
    queue.shift()
    queue.push('b')
    expect(queue.shift()).toBe('b')
    queue.push('c')
    queue.clear()
    queue.push('d')
    expect(queue.shift()).toBe('d')
    queue.push('e')
    queue.push('f')
    queue.shift()
    queue.delete('f')
    queue.push('g')
    expect(queue.shift()).toBe('g')
    expect(queue.shift()).toBeUndefined()
  })

  test('takes a name again that was taken out, behind the others', () => {
    const queue = createFifo()
    for (const name of ['a', 'b', 'c']) queue.push(name)
    expect(queue.shift()).toBe('a')
    queue.push('a')
    expect([queue.shift(), queue.shift(), queue.shift()]).toEqual(['b', 'c', 'a'])
  })
})
