// Owns the outbox: deliveries as records, their payloads, and what an attempt's outcome does to them. Sends nothing.
import { DELIVERY_ATTEMPTS, RETRY_WAITS_SECONDS } from '../contract/limits.ts'
import { invariant, present } from '../kernel/assert.ts'
import { fromTimestamp, instant, later, SECOND, toTimestamp } from '../kernel/time.ts'
import { WHOLE_WORLD } from './indexes.ts'
import { addRecord, changeFacets } from './recordIndex.ts'
import { oldestOf } from './recordQuery.ts'
import { stamp } from './world.ts'
import type { EventType } from '../contract/events.ts'
import type { Instant, Millis } from '../kernel/brands.ts'
import type { Attempt, Delivery } from './trail.ts'
import type { World } from './world.ts'

/** What an attempt ended with: an HTTP status and the start of the answer, or why there was none. */
export type Outcome = { status: number; answer: string } | { error: string }

/** Appends a delivery whose first attempt is due now, and answers its id. */
export function appendDelivery(
  world: World,
  event: { type: EventType; subject: string; url: string; data: Record<string, unknown> },
): string {
  const id = world.random.uuid()
  const createdAt = stamp(world)
  const { type, subject, url, data } = event
  const delivery: Delivery = {
    id,
    type,
    subject,
    url,
    sentType: type,
    body: JSON.stringify({ id, type, createdAt, data }),
    status: 'scheduled',
    order: world.scheduler.nextOrder(),
    createdAt,
    nextAttemptAt: createdAt,
    sentHeaders: null,
    nextNumber: 1,
    roundStartedAt: null,
    attempts: [],
  }
  world.state.deliveries[id] = delivery
  world.changes?.record('deliveries', id)
  addRecord(world.indexes.deliveries, delivery)
  world.tell('delivery', { id, type, subject, url })
  const dispatch = world.dispatch(delivery)
  if (typeof dispatch === 'object') scheduleAttempt(world, delivery, dispatch.sendAt)
  else {
    setDeliveryStatus(world, delivery, dispatch)
    delivery.nextAttemptAt = null
  }
  return id
}

/**
 * Begins a new round of attempts, numbered from 1, due now: same id, same bytes.
 * @throws {InvariantError} while an attempt is in flight.
 */
export function resendDelivery(world: World, delivery: Delivery): void {
  invariant(delivery.status !== 'sending', `delivery ${delivery.id} is being sent`)
  delivery.nextNumber = 1
  setDeliveryStatus(world, delivery, 'scheduled')
  scheduleAttempt(world, delivery, world.clock.now())
}

/** Lets a held delivery go: its first attempt is due now. */
export function releaseDelivery(world: World, delivery: Delivery): void {
  invariant(delivery.status === 'held', `delivery ${delivery.id} is not held`)
  setDeliveryStatus(world, delivery, 'scheduled')
  scheduleAttempt(world, delivery, world.clock.now())
}

/** Records that one more attempt begins beside the others, under the number of the latest one. */
export function beginExtraAttempt(world: World, delivery: Delivery): Attempt {
  const number = delivery.attempts.at(-1)?.number ?? 1
  const attempt: Attempt = {
    number,
    at: stamp(world),
    endedAt: null,
    status: null,
    error: null,
    answer: null,
  }
  delivery.attempts.push(attempt)
  world.changes?.record('deliveries', delivery.id)
  return attempt
}

/** Records that the next attempt of a delivery begins. */
export function beginAttempt(world: World, delivery: Delivery): Attempt {
  const at = stamp(world)
  if (delivery.nextNumber === 1) delivery.roundStartedAt = at
  const attempt: Attempt = {
    number: delivery.nextNumber,
    at,
    endedAt: null,
    status: null,
    error: null,
    answer: null,
  }
  delivery.attempts.push(attempt)
  setDeliveryStatus(world, delivery, 'sending')
  delivery.nextAttemptAt = null
  return attempt
}

/** Records how an attempt ended. */
export function recordOutcome(world: World, delivery: Delivery, attempt: Attempt, outcome: Outcome): void {
  attempt.endedAt = stamp(world)
  if ('error' in outcome) attempt.error = outcome.error
  else {
    attempt.status = outcome.status
    attempt.answer = outcome.answer
  }
  const { id, type, subject } = delivery
  const { number, status, error } = attempt
  world.changes?.record('deliveries', id)
  world.tell('attempt', { delivery: id, type, subject, number, status, error })
}

/** Whether a receiver took a webhook: it answered with 2xx. */
export function isTaken(outcome: Outcome): boolean {
  return 'status' in outcome && outcome.status >= 200 && outcome.status < 300
}

/** Records how an attempt ended, and schedules the next one when it is due one. */
export function endAttempt(world: World, delivery: Delivery, attempt: Attempt, outcome: Outcome): void {
  recordOutcome(world, delivery, attempt, outcome)
  if (isTaken(outcome)) setDeliveryStatus(world, delivery, 'delivered')
  else if (attempt.number >= DELIVERY_ATTEMPTS) setDeliveryStatus(world, delivery, 'exhausted')
  else {
    setDeliveryStatus(world, delivery, 'scheduled')
    delivery.nextNumber = attempt.number + 1
    scheduleAttempt(world, delivery, retryAt(world, delivery, attempt))
  }
}

/** When the attempt after a failed one is due. Source: WH-04. */
function retryAt(world: World, delivery: Delivery, failed: Attempt): Instant {
  const now = world.clock.now()
  if (world.choices.get('WH-04') === 'endOfAttempt') {
    return later(now, waitAfter(world, delivery, failed.number, RETRY_WAITS_SECONDS[0]))
  }
  const begun = fromTimestamp(present(delivery.roundStartedAt, 'a round has begun'))
  let shortest: number = RETRY_WAITS_SECONDS[0]
  let wait = 0 as Millis
  for (let number = 1; number <= failed.number; number += 1) {
    wait = waitAfter(world, delivery, number, shortest)
    shortest = wait / SECOND
  }
  return instant(Math.max(now, later(begun, wait)))
}

/** The wait after an attempt; drawn from the shortest to the longest, in a world that varies it. */
function waitAfter(world: World, delivery: Delivery, number: number, shortest: number): Millis {
  const stated = present(RETRY_WAITS_SECONDS[number - 1], `no attempt after ${number}`)
  const chance = world.vary('retryWaits', `${delivery.id}/${number}`)
  const seconds = chance ? shortest + chance.fraction() * (RETRY_WAITS_SECONDS[1] - shortest) : stated
  return Math.round(seconds * SECOND) as Millis
}

/** Changes where a delivery stands. */
export function setDeliveryStatus(world: World, delivery: Delivery, status: Delivery['status']): void {
  changeFacets(world.indexes.deliveries, delivery, () => {
    delivery.status = status
  })
  world.changes?.record('deliveries', delivery.id)
}

/** Held deliveries, the oldest first, at most so many. */
export function heldDeliveries({ indexes }: World, limit = Infinity): Delivery[] {
  return oldestOf(indexes.deliveries, WHOLE_WORLD, 'status', 'held', limit)
}

function scheduleAttempt(world: World, delivery: Delivery, at: Instant): void {
  delivery.nextAttemptAt = toTimestamp(at)
  world.scheduler.schedule('attemptDelivery', delivery.id, at, delivery.order)
}
