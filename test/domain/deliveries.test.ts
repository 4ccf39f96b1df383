// Checks deliveries below the doors: where each stands, when its attempts are due, and what is told of each change.
import { describe, expect, test } from 'vitest'
import {
  appendDelivery,
  beginAttempt,
  beginExtraAttempt,
  endAttempt,
  heldDeliveries,
  isTaken,
  recordOutcome,
  releaseDelivery,
  resendDelivery,
} from '../../src/domain/deliveries.ts'
import { InvariantError } from '../../src/kernel/assert.ts'
import { createRandom } from '../../src/kernel/random.ts'
import { instant } from '../../src/kernel/time.ts'
import { emptyWorld } from './emptyWorld.ts'
import type { Outcome } from '../../src/domain/deliveries.ts'
import type { Delivery } from '../../src/domain/trail.ts'
import type { Dispatch, World } from '../../src/domain/world.ts'

const NOON = 1_893_499_200_000
const SUBJECT = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff'
const FAILED: Outcome = { status: 500, answer: '' }

/** A world that writes down what it tells of its changes, and decides so about new deliveries. */
function world(dispatch: Dispatch, choices: Record<string, unknown> = {}): World & { told: unknown[] } {
  const told: unknown[] = []
  return {
    ...emptyWorld(choices),
    told,
    dispatch: () => dispatch,
    tell: (kind, facts) => void told.push([kind, facts]),
    changes: { record: (kind, key) => void told.push(`${kind} ${key}`), window: () => undefined },
  }
}

/** Where and when a new delivery goes in every one of these tests. */
const EVENT = { type: 'payment.completed', subject: SUBJECT, url: 'http://shop.test/hook', data: {} } as const

function append(some: World): Delivery {
  const delivery = some.state.deliveries[appendDelivery(some, EVENT)]
  if (!delivery) throw new Error('it was not stored')
  return delivery
}

const now = { sendAt: instant(NOON) }
const pass = (some: World, millis: number): void => some.clock.moveTo(instant(some.clock.now() + millis))

describe('a new delivery', () => {
  test('is scheduled for the instant that its world decides', () => {
    const some = world({ sendAt: instant(NOON + 5_000) })
    const delivery = append(some)
    const { id, type, subject, url } = delivery
    expect(delivery).toMatchObject({
      status: 'scheduled',
      sentType: 'payment.completed',
      createdAt: '2030-01-01T12:00:00.000Z',
      nextAttemptAt: '2030-01-01T12:00:05.000Z',
      attempts: [],
    })
    expect(some.scheduler.nextDue()).toBe(NOON + 5_000)
    expect(some.told).toEqual([`deliveries ${id}`, ['delivery', { id, type, subject, url }]])
  })

  test.each(['held', 'dropped'] as const)('has no attempt before it when it is %s', (dispatch) => {
    const some = world(dispatch)
    expect(append(some)).toMatchObject({ status: dispatch, nextAttemptAt: null })
    expect(some.scheduler.nextDue()).toBeNull()
  })
})

describe('held deliveries', () => {
  test('are found oldest first, as many as are asked for, until they are released', () => {
    const some = world('held')
    const [first, second, third] = [append(some), append(some), append(some)]
    some.dispatch = () => now
    append(some)
    expect(heldDeliveries(some)).toEqual([first, second, third])
    expect(heldDeliveries(some, 2)).toEqual([first, second])
    pass(some, 1_000)
    some.told.length = 0
    releaseDelivery(some, first)
    expect(first).toMatchObject({ status: 'scheduled', nextAttemptAt: '2030-01-01T12:00:01.000Z' })
    expect(heldDeliveries(some)).toEqual([second, third])
    expect(some.told).toEqual([`deliveries ${first.id}`])
  })

  test('are the only ones that can be released', () => {
    const some = world('held')
    const delivery = append(some)
    releaseDelivery(some, delivery)
    expect(() => releaseDelivery(some, delivery)).toThrow(InvariantError)
    expect(() => releaseDelivery(some, delivery)).toThrow(`delivery ${delivery.id} is not held`)
  })
})

describe('a delivery that is sent again', () => {
  test('begins with attempt 1 once more, now', () => {
    const some = world(now, { 'WH-04': 'endOfAttempt' })
    const delivery = append(some)
    endAttempt(some, delivery, beginAttempt(some, delivery), FAILED)
    pass(some, 500)
    resendDelivery(some, delivery)
    expect(delivery).toMatchObject({ status: 'scheduled', nextAttemptAt: '2030-01-01T12:00:00.500Z' })
    expect(beginAttempt(some, delivery).number).toBe(1)
  })

  test('is not one that is being sent', () => {
    const some = world(now)
    const delivery = append(some)
    beginAttempt(some, delivery)
    expect(() => resendDelivery(some, delivery)).toThrow(InvariantError)
    expect(() => resendDelivery(some, delivery)).toThrow(`delivery ${delivery.id} is being sent`)
    expect(delivery).toMatchObject({ status: 'sending', nextAttemptAt: null })
  })
})

describe('an extra attempt', () => {
  test('has the number of the latest one, and changes neither the status nor the retries', () => {
    const some = world(now, { 'WH-04': 'endOfAttempt' })
    const delivery = append(some)
    endAttempt(some, delivery, beginAttempt(some, delivery), FAILED)
    pass(some, 2_000)
    const second = beginAttempt(some, delivery)
    some.told.length = 0
    const extra = beginExtraAttempt(some, delivery)
    expect(extra).toEqual({
      number: 2,
      at: '2030-01-01T12:00:02.000Z',
      endedAt: null,
      status: null,
      error: null,
      answer: null,
    })
    expect(some.told).toEqual([`deliveries ${delivery.id}`])
    expect(delivery.attempts).toEqual([expect.objectContaining({ number: 1 }), second, extra])
    recordOutcome(some, delivery, extra, { error: 'refused' })
    expect(extra).toMatchObject({ status: null, error: 'refused', endedAt: '2030-01-01T12:00:02.000Z' })
    expect(delivery).toMatchObject({ status: 'sending', nextNumber: 2 })
    const { id, type, subject } = delivery
    expect(some.told.at(-1)).toEqual([
      'attempt',
      { delivery: id, type, subject, number: 2, status: null, error: 'refused' },
    ])
  })

  test('is one more of the third when that is the latest, in a world that nobody keeps', () => {
    const some: World = { ...world(now, { 'WH-04': 'endOfAttempt' }), changes: null }
    const delivery = append(some)
    for (const wait of [2_000, 4_000]) {
      endAttempt(some, delivery, beginAttempt(some, delivery), FAILED)
      pass(some, wait)
    }
    endAttempt(some, delivery, beginAttempt(some, delivery), FAILED)
    expect(beginExtraAttempt(some, delivery).number).toBe(3)
  })

  test('of a delivery that was never sent has the number 1', () => {
    const some = world('held')
    expect(beginExtraAttempt(some, append(some)).number).toBe(1)
  })
})

test.each<[Outcome, boolean]>([
  [{ status: 199, answer: '' }, false],
  [{ status: 200, answer: '' }, true],
  [{ status: 299, answer: '' }, true],
  [{ status: 300, answer: '' }, false],
  [{ error: 'no answer' }, false],
])('an outcome of %j is taken: %j', (outcome, taken) => {
  expect(isTaken(outcome)).toBe(taken)
})

describe('the waits of a world that varies them', () => {
  /** The instants at which the three attempts are due, each failing as soon as it begins, halfway between the limits. */
  function dueTimes(counted: string): { due: (string | null)[]; keys: string[] } {
    const keys: string[] = []
    const some = world(now, { 'WH-04': counted })
    const delivery = append(some)
    some.vary = (name, key) => {
      keys.push(`${name} ${key.replace(delivery.id, 'id')}`)
      return { ...createRandom([1, 2, 3, 4]), fraction: () => 0.5 }
    }
    const due = [1, 2, 3].map(() => {
      const { nextAttemptAt } = delivery
      some.clock.moveTo(instant(Date.parse(nextAttemptAt ?? '')))
      endAttempt(some, delivery, beginAttempt(some, delivery), FAILED)
      return nextAttemptAt
    })
    expect(delivery.status).toBe('exhausted')
    return { due, keys: [...new Set(keys)] }
  }

  test('lie between the shortest and the longest, drawn for each attempt', () => {
    expect(dueTimes('endOfAttempt')).toEqual({
      due: ['2030-01-01T12:00:00.000Z', '2030-01-01T12:00:03.000Z', '2030-01-01T12:00:06.000Z'],
      keys: ['retryWaits id/1', 'retryWaits id/2'],
    })
  })

  test('counted from the first attempt grow, so that no attempt comes before the one it follows', () => {
    expect(dueTimes('firstAttempt')).toEqual({
      due: ['2030-01-01T12:00:00.000Z', '2030-01-01T12:00:03.000Z', '2030-01-01T12:00:03.500Z'],
      keys: ['retryWaits id/1', 'retryWaits id/2'],
    })
  })
})
