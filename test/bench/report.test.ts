// Checks how figures follow from measurements, how they are judged and told, and that a load which fails is no figure.
import { describe, expect, test } from 'vitest'
import { openReceiver } from '../support/server.ts'
import { figureOf, leftOut, medianOf } from './figures.ts'
import { drive } from './load.ts'
import { runToMarkdown } from './report.ts'
import { takeTurns } from './rounds.ts'
import type { Figure, Subject } from './figures.ts'
import type { Call } from './load.ts'

const SUBJECT: Subject = { id: 'calls.create', what: 'create', unit: 'calls/s', beside: 'bare Hono' }

const rowOf = (figure: Figure): string | undefined => {
  const machine = { cpu: 'a CPU', cores: 2, memoryGiB: 8, node: 'v20.0.0', system: 'linux x64' }
  const run = { version: '1.2.3', date: '2030-01-01', machine, rounds: 3, figures: [figure] }
  return runToMarkdown(run).split('\n').at(-1)
}

describe('a figure', () => {
  test('is the median of its rounds, and its ratio the median of the ratios of the rounds', () => {
    const figure = figureOf(SUBJECT, [100, 400, 300], [100, 800, 400])
    expect(figure).toMatchObject({ value: 300, beside: { value: 400 }, ratio: 0.75, leftOut: null })
  })

  test('has a median also of an even number of rounds, and none of none', () => {
    expect([medianOf([4, 1, 3, 2]), medianOf([7]), medianOf([])]).toEqual([2.5, 7, Number.NaN])
  })
})

describe('a row', () => {
  test('says that a target is reached', () => {
    expect(rowOf(figureOf(SUBJECT, [6_000], [10_000]))).toBe(
      '| create | 6,000 calls/s | bare Hono: 10,000 calls/s | 0.6 | at least 0.6 | reached |',
    )
  })

  test('says that a target is not reached', () => {
    expect(rowOf(figureOf(SUBJECT, [599], [1_000]))).toContain('| 0.599 | at least 0.6 | not reached |')
  })

  test('judges a figure that must stay below something in its own unit', () => {
    const figure = { id: 'advance.many', what: 'advance', unit: 'ms', beside: 'nothing' } as const
    expect(rowOf(figureOf(figure, [999], [1]))).toContain('| below 1,000 ms | reached |')
    expect(rowOf(figureOf(figure, [1_000], [1]))).toContain('| below 1,000 ms | not reached |')
  })

  test('judges nothing that has no target', () => {
    expect(rowOf(figureOf({ ...SUBJECT, id: 'calls.token' }, [1], [2]))).toMatch(/\| 0\.5 \| {2}\| {2}\|$/)
  })

  test('says why a figure was left out', () => {
    expect(rowOf(leftOut(SUBJECT, 'no time'))).toBe('| create | left out | no time |  | at least 0.6 |  |')
  })
})

describe('rounds', () => {
  test('measure everything once each, every second one backwards', async () => {
    const order: string[] = []
    const measure = (name: string) => () => Promise.resolve(order.push(name))
    const taken = await takeTurns(3, { a: measure('a'), b: measure('b') })
    expect(order.join('')).toBe('abbaab')
    expect(taken).toEqual({ a: [1, 4, 5], b: [2, 3, 6] })
  })
})

describe('a load', () => {
  const callTo = (path: string): Call => ({ method: 'POST', path, headers: {}, body: '{}' })

  test('sends each of as many calls as its amount once', async () => {
    const receiver = await openReceiver()
    const paths = Array.from({ length: 7 }, (_, number) => `/${number}`)
    const rate = await drive(new URL(receiver.url).origin, paths.map(callTo), { connections: 3, amount: 7 })
    await receiver.close()
    expect(rate).toBeGreaterThan(0)
    expect(receiver.received.map(({ path }) => path).toSorted()).toEqual(paths)
  })

  test('is no figure when an answer is a refusal', async () => {
    const receiver = await openReceiver(204, 500)
    const load = drive(new URL(receiver.url).origin, [callTo('/')], { connections: 1, amount: 4 })
    await expect(load).rejects.toThrow('"500":{"count":1}')
    await receiver.close()
  })
})
