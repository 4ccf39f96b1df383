// Checks that the verdict of a soak tells every defect that it is there for, and that a short soak of the sandbox finds none.
import { resolve } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { problemOf } from './answers.ts'
import { BOUNDS, judge, thirdsOf } from './judge.ts'
import { soak } from './soak.ts'
import type { Bounds, CycleSample, Samples } from './judge.ts'
import type { SoakOptions } from './soak.ts'

// Longer than a soak is patient, so that it can say what it found.
vi.setConfig({ testTimeout: 240_000 })

const MEBIBYTE = 1_048_576
const SRC = resolve(import.meta.dirname, '../../../src')
const OPEN = { TCPServerWrap: 1, timers: 1, 'listeners to the events of the default world': 0 }

const cycleOf = (number: number): CycleSample => ({
  calls: 5_000,
  held: {
    heap: (30 + (number % 2)) * MEBIBYTE,
    external: 4 * MEBIBYTE,
    rest: (150 + 10 * (number % 3)) * MEBIBYTE,
    disk: (number % 3) * MEBIBYTE,
  },
  counts: OPEN,
  loop: { p99: 40, max: 200 },
})

/** A soak that has gone well, but for what is changed of its cycles and the rest. */
function samplesOf(
  change: (cycle: CycleSample, number: number) => Partial<CycleSample> = () => ({}),
  rest: Partial<Samples> = {},
): Samples {
  const cycles = Array.from({ length: 30 }, (_, number) => cycleOf(number))
  return {
    idle: { p99: 11, max: 15 },
    first: OPEN,
    cycles: cycles.map((cycle, number) => ({ ...cycle, ...change(cycle, number) })),
    badAnswers: [],
    end: { code: 0, ms: 90, complaints: '', lost: [] },
    ...rest,
  }
}

describe('the verdict', () => {
  test('says nothing of a server that wavers', () => {
    expect(judge(samplesOf())).toEqual([])
  })

  test('leaves out the warm-up', () => {
    const cold = samplesOf(({ held, loop }, number) =>
      number < BOUNDS.warmUp
        ? { held: { ...held, heap: held.heap / 9 }, loop: { ...loop, max: 99_000 } }
        : {},
    )
    expect(judge(cold)).toEqual([])
  })

  test('tells of 64 bytes that are kept for each call', () => {
    const leaking = samplesOf(({ held, calls }, number) => ({
      held: { ...held, heap: held.heap + 64 * calls * number },
    }))
    expect(judge(leaking)).toEqual([
      expect.stringMatching(/^the heap grew from 32\.\d to 38\.\d MiB, \d+ bytes for each call between$/),
    ])
  })

  test('tells of buffers, pages and a journal that grow', () => {
    const growing = samplesOf(({ held }, number) => ({
      held: {
        ...held,
        external: held.external + number * MEBIBYTE,
        rest: held.rest + 10 * number * MEBIBYTE,
        disk: held.disk + 5 * number * MEBIBYTE,
      },
    }))
    expect(judge(growing)).toEqual([
      expect.stringMatching(/^memory outside of the heap grew from/),
      expect.stringMatching(/^the rest of the process grew from/),
      expect.stringMatching(/^the data file with its journals grew from/),
    ])
  })

  test.each(Object.keys(OPEN))('tells of one of %s that is left', (name) => {
    const before = OPEN[name as keyof typeof OPEN]
    const left = samplesOf(({ counts }, number) =>
      number === 20 ? { counts: { ...counts, [name]: before + 1 } } : {},
    )
    expect(judge(left)).toEqual([`${name}: ${before + 1} at a quiet point, ${before} before the load`])
  })

  test('tells of something open that was not there at all before', () => {
    const left = samplesOf(({ counts }) => ({ counts: { ...counts, TCPSocketWrap: 2 } }))
    expect(judge(left)).toEqual(['TCPSocketWrap: 2 at a quiet point, 0 before the load'])
  })

  test('tells of a blocked loop beside how late it was idle', () => {
    const blocked = samplesOf((_, number) => (number === 9 ? { loop: { p99: 361, max: 3_151 } } : {}))
    expect(judge(blocked)).toEqual([
      'the event loop was late by 361 ms (p99); 360 are allowed, 11 were idle',
      'the event loop was late by 3151 ms (max); 3150 are allowed, 15 were idle',
    ])
    expect(judge({ ...blocked, idle: { p99: 12, max: 16 } })).toEqual([])
  })

  test.each([
    [{ code: null }, 'it did not end on SIGTERM'],
    [{ code: 143 }, 'it ended with 143 on SIGTERM'],
    [{ ms: 10_001 }, 'it took 10001 ms to end; 10000 are allowed'],
    [{ complaints: 'Error: a\n  at b' }, 'it wrote to standard error: Error: a\n  at b'],
    [{ lost: ['x', 'y'] }, '2 answered sales are lost, such as x'],
  ])('tells of an end with %j', (end, found) => {
    const samples = samplesOf()
    expect(judge({ ...samples, end: { ...samples.end, ...end } })).toEqual([found])
  })

  test('tells every bad answer', () => {
    expect(judge(samplesOf(undefined, { badAnswers: ['GET /v1/balance: answered 500'] }))).toEqual([
      'GET /v1/balance: answered 500',
    ])
  })
})

describe('an answer', () => {
  const json = (status: number, body: unknown) => ({
    status,
    type: 'application/json',
    text: JSON.stringify(body),
  })
  const failure = { data: null, message: null, error: { code: 'not_found', message: 'Não' } }

  test.each([
    ['/v1/balance', json(200, { data: {}, message: null, error: null })],
    ['/v1/balance', json(404, failure)],
    ['/_sandbox/worlds', json(201, { id: 'w1' })],
    ['/_sandbox/worlds/w1', json(404, failure)],
    ['/_sandbox/settle', json(412, { settled: false })],
    ['/_sandbox/worlds/w1/ui', { status: 200, type: 'text/html', text: '<!doctype html>' }],
  ])('of %s that is as promised is no problem', (path, answer) => {
    expect(problemOf({ path }, answer)).toBeNull()
  })

  test.each([
    ['/v1/balance', json(500, failure), /^answered 500/],
    ['/_sandbox/worlds/w1/ui', { status: 503, type: 'text/html', text: '' }, /^answered 503/],
    ['/v1/balance', json(200, { data: {} }), /outside the envelope/],
    ['/v1/balance', json(200, { ...failure, data: {} }), /outside the envelope/],
    ['/v1/balance', json(404, { ...failure, data: {} }), /outside the envelope/],
    ['/v1/balance', json(404, { ...failure, more: 1 }), /outside the envelope/],
    ['/_sandbox/worlds', json(400, { error: 'no' }), /outside the envelope/],
    ['/v1/balance', { status: 200, type: 'text/plain', text: 'fine' }, /as 'text\/plain'/],
    ['/v1/balance', { status: 200, type: 'application/json', text: '{' }, /no JSON object/],
  ])('of %s that is not as promised is told', (path, answer, found) => {
    expect(problemOf({ path }, answer)).toMatch(found)
  })
})

const CYCLES = 5
const CALLS = 200

/** A soak counted in calls: how fast the host is decides nothing. */
const SHORT = {
  folder: SRC,
  seed: 9,
  data: true,
  idleMs: 0,
  another: (cycles) => cycles < CYCLES,
  beginLoad: () => (calls) => calls < CALLS,
} satisfies SoakOptions

/** A cold server compiles for a while, and a busy host is late: neither is judged here. */
const COLD: Bounds = {
  ...BOUNDS,
  warmUp: 1,
  growth: {
    ...BOUNDS.growth,
    heap: { bytes: 6 * MEBIBYTE, ratio: 1 },
    rest: { bytes: 512 * MEBIBYTE, ratio: 1 },
  },
  loop: { p99: Infinity, max: Infinity, timesIdle: 0 },
  endMs: Infinity,
}

test('a short soak finds nothing', async () => {
  const { samples, tally, deliveries } = await soak(SHORT)
  expect(judge(samples, COLD)).toEqual([])
  expect(samples.cycles).toHaveLength(CYCLES)
  expect(tally.calls).toBeGreaterThan(CYCLES * CALLS)
  expect(deliveries).toBeGreaterThan(CALLS / 10)
  expect(samples.end.code).toBe(0)
})

test('a short soak of a server with every defect tells all of them', async () => {
  const { samples } = await soak({ ...SHORT, data: false, program: 'leaking', patience: 500 })
  const findings = judge(samples, { ...COLD, loop: { p99: Infinity, max: 200, timesIdle: 0 } }).join('\n')
  expect(findings).toMatch(/^the heap grew from .* bytes for each call between$/m)
  expect(findings).toMatch(/^timers: \d{3,} at a quiet point, \d before the load$/m)
  expect(findings).toMatch(/^listeners to the events of the default world: \d+ at a quiet point, 0 before/m)
  expect(findings).toMatch(/^the event loop was late by \d+ ms \(max\)/m)
  expect(findings).toMatch(/^(?:GET|POST|PUT|PATCH|DELETE) .*: answered 500/m)
  expect(findings).toMatch(/^it did not end on SIGTERM$/m)
  expect(thirdsOf(samples, 'heap', COLD).calls).toBeGreaterThan(0)
})
