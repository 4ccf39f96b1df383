// Checks bounded memory, and constants that are made by their first reader.
import { describe, expect, test } from 'vitest'
import { createLatest } from '../../src/kernel/latest.ts'
import { lazy } from '../../src/kernel/lazy.ts'

describe('a bounded memory', () => {
  test('keeps as many as it may, and lets the oldest go', () => {
    const memory = createLatest<string, number>(2)
    memory.set('a', 1)
    memory.set('b', 2)
    expect([memory.size, memory.get('a'), memory.get('b')]).toEqual([2, 1, 2])
    memory.set('c', 3)
    expect(memory.size).toBe(2)
    expect([memory.has('a'), memory.has('b'), memory.has('c')]).toEqual([false, true, true])
    expect(memory.get('a')).toBeUndefined()
  })

  test('keeps what was asked for over what was not', () => {
    const memory = createLatest<string, number>(2)
    memory.set('a', 1)
    memory.set('b', 2)
    expect(memory.get('a')).toBe(1)
    memory.set('c', 3)
    expect([memory.has('a'), memory.has('b'), memory.has('c')]).toEqual([true, false, true])
  })

  test('keeps what was set anew over what was not', () => {
    const memory = createLatest<string, number>(2)
    memory.set('a', 1)
    memory.set('b', 2)
    memory.set('a', 3)
    expect(memory.size).toBe(2)
    memory.set('c', 4)
    expect([memory.get('a'), memory.has('b')]).toEqual([3, false])
  })

  test('is not moved by a question whether something is there, nor by one for what is not', () => {
    const memory = createLatest<string, number>(2)
    memory.set('a', 1)
    memory.set('b', 2)
    memory.has('a')
    memory.get('x')
    expect(memory.has('x')).toBe(false)
    memory.set('c', 3)
    expect(memory.has('a')).toBe(false)
    expect(memory.size).toBe(2)
  })

  test('forgets what is deleted', () => {
    const memory = createLatest<string, number>(2)
    memory.set('a', 1)
    memory.set('b', 2)
    memory.delete('a')
    expect([memory.size, memory.has('a'), memory.get('b')]).toEqual([1, false, 2])
    memory.delete('x')
    expect(memory.size).toBe(1)
  })
})

test('a constant is made once, and not before it is asked for', () => {
  let made = 0
  const read = lazy(() => ({ made: ++made }))
  expect(made).toBe(0)
  const first = read()
  expect(first).toEqual({ made: 1 })
  expect(read()).toBe(first)
})

test('a constant of nothing is made once too', () => {
  let made = 0
  const read = lazy(() => {
    made += 1
    return undefined
  })
  read()
  read()
  expect(made).toBe(1)
})
