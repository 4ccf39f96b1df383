// Checks the scheduler against a sorted array: the total order (due, order), replacing, cancelling, saving.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createScheduler } from '../../src/kernel/scheduler.ts'
import { FIRST_INSTANT, instant, LAST_INSTANT } from '../../src/kernel/time.ts'
import type { Instant } from '../../src/kernel/brands.ts'
import type { Job, Scheduler } from '../../src/kernel/scheduler.ts'

type Kind = 'expire' | 'settle' | 'attempt'

const make = (): Scheduler<Kind> => createScheduler<Kind>({ lastOrder: 0, jobs: [] })

/** Everything that is due until an instant, in the order it is taken. */
function drain(scheduler: Scheduler<Kind>, until = LAST_INSTANT): string[] {
  const taken: string[] = []
  for (let job = scheduler.take(until); job; job = scheduler.take(until)) {
    taken.push(`${job.kind} ${job.subject} ${job.dueAt}`)
  }
  return taken
}

describe('a scheduler', () => {
  test('that is empty has nothing to give', () => {
    const scheduler = make()
    expect(scheduler.size).toBe(0)
    expect(scheduler.nextDue()).toBeNull()
    expect(scheduler.take(LAST_INSTANT)).toBeNull()
    expect(scheduler.find('expire', 'a')).toBeNull()
    expect(scheduler.list(10)).toEqual([])
    expect(scheduler.cancel('expire', 'a')).toBe(false)
    expect(scheduler.save()).toEqual({ lastOrder: 0, jobs: [] })
  })

  test('gives jobs by when they are due, and those of one instant in the order they were made', () => {
    const scheduler = make()
    scheduler.schedule('expire', 'late', instant(7))
    scheduler.schedule('expire', 'b', instant(3))
    scheduler.schedule('settle', 'a', instant(3))
    scheduler.schedule('expire', 'soon', instant(1))
    scheduler.schedule('expire', 'c', instant(3))
    expect(drain(scheduler)).toEqual([
      'expire soon 1',
      'expire b 3',
      'settle a 3',
      'expire c 3',
      'expire late 7',
    ])
  })

  test('gives nothing before it is due, and everything at its very instant', () => {
    const scheduler = make()
    scheduler.schedule('expire', 'a', instant(100))
    expect(scheduler.take(instant(99))).toBeNull()
    expect(scheduler.size).toBe(1)
    expect(scheduler.take(instant(100))).toEqual({ kind: 'expire', subject: 'a', dueAt: 100, order: 1 })
    expect(scheduler.size).toBe(0)
    expect(scheduler.take(LAST_INSTANT)).toBeNull()
  })

  test('gives a chain step by step: what a job schedules while it runs comes in its own place', () => {
    const scheduler = make()
    scheduler.schedule('settle', 'other', instant(4))
    scheduler.schedule('attempt', 'chain', instant(1))
    const following: Record<number, number> = { 1: 3, 3: 7, 7: 11 }
    const seen: number[] = []
    for (let job = scheduler.take(instant(10)); job; job = scheduler.take(instant(10))) {
      seen.push(job.dueAt)
      const next = following[job.dueAt]
      if (next !== undefined && job.subject === 'chain') scheduler.schedule('attempt', 'chain', instant(next))
    }
    expect(seen).toEqual([1, 3, 4, 7])
    expect(scheduler.nextDue()).toBe(11)
  })

  test('replaces a job of the same kind and subject, whether it moves forward or back', () => {
    const scheduler = make()
    scheduler.schedule('expire', 'a', instant(5))
    scheduler.schedule('expire', 'b', instant(6))
    scheduler.schedule('expire', 'a', instant(9))
    expect(scheduler.size).toBe(2)
    expect(scheduler.nextDue()).toBe(6)
    scheduler.schedule('expire', 'a', instant(2))
    expect(scheduler.find('expire', 'a')?.dueAt).toBe(2)
    expect(drain(scheduler)).toEqual(['expire a 2', 'expire b 6'])
  })

  test('puts a replaced job behind the others of its instant, unless it brings its own order', () => {
    const scheduler = make()
    scheduler.schedule('expire', 'a', instant(5))
    scheduler.schedule('expire', 'b', instant(5))
    scheduler.schedule('expire', 'a', instant(5))
    expect(scheduler.list(9).map(({ subject }) => subject)).toEqual(['b', 'a'])
    scheduler.schedule('expire', 'a', instant(5), 1)
    expect(scheduler.list(9).map(({ subject }) => subject)).toEqual(['a', 'b'])
  })

  test('keeps jobs of one subject apart by their kind', () => {
    const scheduler = make()
    scheduler.schedule('expire', 'a', instant(5))
    scheduler.schedule('settle', 'a', instant(6))
    expect(scheduler.cancel('expire', 'a')).toBe(true)
    expect(scheduler.find('expire', 'a')).toBeNull()
    expect(scheduler.find('settle', 'a')?.dueAt).toBe(6)
    expect(drain(scheduler)).toEqual(['settle a 6'])
  })

  test('cancels a job once, forgets it everywhere, and takes it back when it is scheduled again', () => {
    const scheduler = make()
    scheduler.schedule('expire', 'a', instant(5))
    scheduler.schedule('expire', 'b', instant(8))
    expect([scheduler.cancel('expire', 'a'), scheduler.cancel('expire', 'a')]).toEqual([true, false])
    expect(scheduler.nextDue()).toBe(8)
    scheduler.schedule('expire', 'a', instant(9))
    expect(drain(scheduler)).toEqual(['expire b 8', 'expire a 9'])
  })

  test('gives out orders that only grow, also after a restore', () => {
    const scheduler = make()
    expect([scheduler.nextOrder(), scheduler.nextOrder()]).toEqual([1, 2])
    scheduler.schedule('expire', 'a', instant(1))
    expect(scheduler.find('expire', 'a')?.order).toBe(3)
    const restored = createScheduler<Kind>(scheduler.save())
    expect(restored.nextOrder()).toBe(4)
  })

  test('lists the first jobs and no more than asked for', () => {
    const scheduler = make()
    for (const due of [5, 1, 4, 2, 3]) scheduler.schedule('expire', `due ${due}`, instant(due))
    expect(scheduler.list(2).map(({ dueAt }) => dueAt)).toEqual([1, 2])
    expect(scheduler.list(0)).toEqual([])
    expect(scheduler.size).toBe(5)
  })

  test('gives every job that is left, however often others were replaced', () => {
    const scheduler = make()
    for (const due of [30, 10, 20]) scheduler.schedule('settle', `due ${due}`, instant(due))
    for (let turn = 0; turn < 500; turn += 1) {
      scheduler.schedule('expire', `${turn % 5}`, instant(1_000 + ((turn * 37) % 100)))
    }
    const expected = scheduler.save().jobs
    expect(expected).toHaveLength(8)
    expect(scheduler.list(9)).toEqual(expected)
    expect(drain(scheduler)).toEqual(
      expected.map(({ kind, subject, dueAt }) => `${kind} ${subject} ${dueAt}`),
    )
  })

  test('looks at a few jobs only, whether many wait or many were replaced', () => {
    let looks = 0
    const looked = (at: number): Instant => ({ valueOf: () => (looks += 1) && at }) as unknown as Instant
    const many = make()
    for (let due = 1; due <= 1_000; due += 1) many.schedule('expire', `${due}`, looked(due))
    // Each is compared with one other: both are looked at.
    expect(looks).toBeLessThan(2_000)
    const replaced = make()
    for (let due = 1; due <= 1_000; due += 1) replaced.schedule('expire', 'a', looked(due))
    looks = 0
    expect(replaced.list(9)).toHaveLength(1)
    expect(looks).toBeLessThan(2_000)
  })

  test('does not touch the state that it was restored from, nor share it with another', () => {
    const scheduler = make()
    scheduler.schedule('expire', 'a', instant(5))
    const saved = scheduler.save()
    const text = JSON.stringify(saved)
    const one = createScheduler<Kind>(saved)
    const two = createScheduler<Kind>(saved)
    one.schedule('settle', 'b', instant(1))
    expect(drain(one)).toHaveLength(2)
    expect(JSON.stringify(saved)).toBe(text)
    expect(drain(two)).toEqual(['expire a 5'])
  })
})

type Step =
  | { do: 'schedule'; kind: Kind; subject: string; due: number }
  | { do: 'cancel' | 'find'; kind: Kind; subject: string }
  | { do: 'take'; until: number }
  | { do: 'restore' }

const anyKind = fc.constantFrom<Kind>('expire', 'settle', 'attempt')
// Few subjects and few instants, so that replacing, cancelling and ties are common.
const anySubject = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('schedule' as const),
      kind: anyKind,
      subject: anySubject,
      due: fc.nat(9),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('cancel', 'find'), kind: anyKind, subject: anySubject }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('take' as const), until: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restore' as const) }) },
)

/** The scheduler as a person would write it: one array, sorted whenever somebody looks. */
class SortedArray {
  jobs: Job<Kind>[] = []
  lastOrder = 0

  sorted(): Job<Kind>[] {
    return this.jobs.toSorted((a, b) => (a.dueAt === b.dueAt ? a.order - b.order : a.dueAt - b.dueAt))
  }

  remove(kind: Kind, subject: string): boolean {
    const before = this.jobs.length
    this.jobs = this.jobs.filter((job) => !(job.kind === kind && job.subject === subject))
    return this.jobs.length < before
  }

  /** As deliveries do: jobs of the kind `attempt` keep the first order of their subject. */
  schedule(kind: Kind, subject: string, due: number, order: number | undefined): void {
    this.remove(kind, subject)
    if (order === undefined) this.lastOrder += 1
    this.jobs.push({ kind, subject, dueAt: instant(due), order: order ?? this.lastOrder })
  }
}

/** A scheduler, its oracle, and the orders that subjects keep. */
interface Both {
  real: Scheduler<Kind>
  readonly oracle: SortedArray
  readonly kept: Map<string, number>
}

/** Does one step on both, and answers what each of them answered. */
function onBoth(step: Step, both: Both): [unknown, unknown] {
  const { real, oracle, kept } = both
  switch (step.do) {
    case 'schedule': {
      if (step.kind === 'attempt' && !kept.has(step.subject)) {
        kept.set(step.subject, real.nextOrder())
        oracle.lastOrder += 1
      }
      const order = step.kind === 'attempt' ? kept.get(step.subject) : undefined
      if (order === undefined) real.schedule(step.kind, step.subject, instant(step.due))
      else real.schedule(step.kind, step.subject, instant(step.due), order)
      oracle.schedule(step.kind, step.subject, step.due, order)
      return [null, null]
    }
    case 'cancel':
      return [real.cancel(step.kind, step.subject), oracle.remove(step.kind, step.subject)]
    case 'find': {
      const found = oracle.jobs.find(({ kind, subject }) => kind === step.kind && subject === step.subject)
      return [real.find(step.kind, step.subject), found ?? null]
    }
    case 'take': {
      const first = oracle.sorted().find(({ dueAt }) => dueAt <= step.until)
      if (first) oracle.remove(first.kind, first.subject)
      return [real.take(instant(step.until)), first ?? null]
    }
    case 'restore':
      both.real = createScheduler<Kind>(JSON.parse(JSON.stringify(real.save())))
      return [null, null]
    default:
      return step satisfies never
  }
}

describe('any sequence of steps', () => {
  test('answers what a sorted array answers, also across save and restore', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 120 }), (steps) => {
        const both: Both = { real: make(), oracle: new SortedArray(), kept: new Map() }
        for (const step of steps) {
          const [answer, expected] = onBoth(step, both)
          expect(answer).toEqual(expected)
          const sorted = both.oracle.sorted()
          expect(both.real.size).toBe(sorted.length)
          expect(both.real.nextDue()).toBe(sorted[0]?.dueAt ?? null)
          expect(both.real.list(3)).toEqual(sorted.slice(0, 3))
          expect(both.real.list(2, sorted[1])).toEqual(sorted.slice(sorted[1] ? 2 : 0).slice(0, 2))
        }
        expect(both.real.save()).toEqual({ lastOrder: both.oracle.lastOrder, jobs: both.oracle.sorted() })
      }),
      { numRuns: 300 },
    )
  })

  test('is drained in the total order of due and order, however many jobs there are', () => {
    const anyJobs = fc.array(fc.tuple(fc.nat(500), fc.nat(20)), { maxLength: 400 })
    fc.assert(
      fc.property(anyJobs, (jobs) => {
        const scheduler = make()
        for (const [subject, due] of jobs) scheduler.schedule('expire', String(subject), instant(due))
        const expected = scheduler.save().jobs
        const taken: Job<Kind>[] = []
        for (let job = scheduler.take(LAST_INSTANT); job; job = scheduler.take(LAST_INSTANT)) taken.push(job)
        expect(taken).toEqual(expected)
        for (const [index, job] of taken.entries()) {
          const before = taken[index - 1] ?? { dueAt: FIRST_INSTANT, order: 0 }
          expect(job.dueAt - before.dueAt || job.order - before.order).toBeGreaterThan(0)
        }
        expect(new Set(taken.map(({ subject }) => subject)).size).toBe(taken.length)
      }),
    )
  })
})
