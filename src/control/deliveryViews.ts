// Owns how deliveries and their attempts are answered by the control API.
import { z } from 'zod'
import { attemptRecord, deliveryRecord } from '../domain/trail.ts'
import { recordOf } from '../domain/state.ts'
import { Misuse } from '../world/misuse.ts'
import type { Attempt, Delivery } from '../domain/trail.ts'
import type { RunningWorld } from '../world/runningWorld.ts'

const attemptOut = attemptRecord
  .omit({ answer: true })
  .extend({ latencyMs: z.int().nullable().meta({ description: 'host milliseconds; null after a restore' }) })
/** A delivery, as answered. */
export const deliveryOut = deliveryRecord
  .omit({
    sentType: true,
    body: true,
    order: true,
    sentHeaders: true,
    nextNumber: true,
    roundStartedAt: true,
    attempts: true,
  })
  .extend({ attempts: z.array(attemptOut) })
  .meta({ id: 'Delivery' })
/** A delivery with its bytes, headers, attempts and answers, as answered. */
export const deliveryDetail = deliveryOut
  .extend({
    body: z.string(),
    headers: z
      .record(z.string(), z.string())
      .meta({ description: 'of the latest attempt, or of the first one to come' }),
    attempts: z.array(attemptOut.extend({ answer: z.string().nullable() })),
  })
  .meta({ id: 'DeliveryDetail' })

/** An attempt, as answered. */
export function attemptView(world: RunningWorld, attempt: Attempt): z.input<typeof attemptOut> {
  const { number, at, endedAt, status, error } = attempt
  return { number, at, endedAt, status, error, latencyMs: world.latencies.get(attempt) ?? null }
}

/** A delivery, as answered. */
export function deliveryView(world: RunningWorld, delivery: Delivery): z.input<typeof deliveryOut> {
  const { id: key, type, subject, url, status, createdAt, nextAttemptAt, attempts } = delivery
  const views = attempts.map((attempt) => attemptView(world, attempt))
  return { id: key, type, subject, url, status, createdAt, nextAttemptAt, attempts: views }
}

/**
 * The delivery that an id names.
 * @throws {Misuse} `sandbox_not_found`
 */
export function deliveryOf(world: RunningWorld, key: string): Delivery {
  const found = recordOf(world.state.deliveries, key)
  if (found) return found
  throw new Misuse(
    'sandbox_not_found',
    `No delivery ${key} in this world; GET /_sandbox/deliveries lists them.`,
  )
}
