// Owns the shape in which a fault is ordered, and what an order comes to at the instant it is armed.
import { z } from 'zod'
import { OPERATION_IDS } from '../contract/endpoints.ts'
import { EVENT_TYPES } from '../contract/events.ts'
import { present } from '../kernel/assert.ts'
import { later, parseDuration, parseInstant, toTimestamp } from '../kernel/time.ts'
import { explainNoFault, faultNamed, FAULTS } from './faultKinds.ts'
import type { OperationId } from '../contract/endpoints.ts'
import type { Instant, Timestamp } from '../kernel/brands.ts'
import type { FaultAction } from './faultKinds.ts'
import type { Fault } from './faults.ts'

/** What a fault befalls, as it is ordered. */
export const faultTarget = z
  .strictObject({
    operation: z
      .enum(OPERATION_IDS as OperationId[])
      .optional()
      .meta({ description: 'calls of this operation; of any without it' }),
    delivery: z
      .strictObject({ type: z.enum(EVENT_TYPES).optional(), subject: z.string().optional() })
      .optional()
      .meta({ description: 'deliveries, of an event type, of a record or of any' }),
  })
  .refine(
    (on) => on.operation === undefined || on.delivery === undefined,
    'is either an operation or a delivery',
  )
/** What a fault does, as it is ordered. */
export const faultAction = z
  .union(
    Object.values(FAULTS).map(({ schema }) => schema) as unknown as [z.ZodType<FaultAction, FaultAction>],
    {
      error: ({ input }) => explainNoFault(input),
    },
  )
  .meta({
    id: 'FaultAction',
    description: Object.values(FAULTS)
      .map(({ summary }) => summary)
      .join('; '),
  })

const when = z
  .string()
  .meta({ description: 'an instant, or a duration from now such as 10m, on the clock of the world' })

/** A fault as it is ordered. */
export const faultOrder = z.strictObject({
  on: faultTarget.default({}),
  subject: z.string().optional().meta({ description: 'id of the one record that it befalls' }),
  nth: z
    .int()
    .min(1)
    .optional()
    .meta({ description: 'it befalls the nth fitting thing, and those after it' }),
  probability: z.number().min(0).max(1).optional().meta({ description: 'drawn from the seed of the world' }),
  do: faultAction,
  times: z.int().min(1).max(1_000_000).default(1),
  after: when.optional(),
  until: when.optional(),
})

/** A fault as it is ordered, with its defaults. */
export type FaultOrder = z.output<typeof faultOrder>

/** What an order comes to when it is armed at an instant. It was checked before. */
export function faultOf(order: FaultOrder, now: Instant): Omit<Fault, 'id' | 'seen' | 'fired'> {
  const { on, subject = null, nth = null, probability = null, times, do: what } = order
  const name = present(faultNamed(what, on.delivery ? 'delivery' : 'call'), 'an order was checked')
  const [after, until] = [stampOf(order.after, now), stampOf(order.until, now)]
  return { name, on, subject, nth, probability, do: what, times, after, until }
}

function stampOf(text: string | undefined, now: Instant): Timestamp | null {
  if (text === undefined) return null
  const length = parseDuration(text)
  return toTimestamp(
    length === null ? present(parseInstant(text), 'an order was checked') : later(now, length),
  )
}
