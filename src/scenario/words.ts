// Owns the building blocks of the format: objects and closed lists that suggest the nearest word for a strange one.
import { z } from 'zod'
import { OPERATION_IDS } from '../contract/endpoints.ts'
import { EVENT_TYPES } from '../contract/events.ts'
import { closest } from '../kernel/closest.ts'
import { parseDuration, parseInstant } from '../kernel/time.ts'
import type { OperationId } from '../contract/endpoints.ts'
import type { EventType } from '../contract/events.ts'

/** A hint at the word that was probably meant, with a leading blank; empty when none is near. */
export function didYouMean(typed: string, known: readonly string[]): string {
  const near = closest(typed, known)
  return near === null ? '' : ` Did you mean '${near}'?`
}

/** Says of a word that it is not among the known ones, which, and which one was probably meant. */
export function strange(typed: string, what: string, known: readonly string[]): string {
  const all = known.length === 0 ? ' There is none.' : ` There are: ${known.join(', ')}.`
  return `'${typed}' is no ${what}.${didYouMean(typed, known)}${all}`
}

/** An object without other fields than its own. */
export function only<Shape extends z.ZodRawShape>(what: string, shape: Shape) {
  return z.strictObject(shape, {
    error(issue) {
      if (issue.code === 'unrecognized_keys') {
        return strange(String(issue.keys[0]), `field of ${what}`, Object.keys(shape))
      }
      return `${what} must be a map of fields`
    },
  })
}

/** One word of a closed list. */
export function oneOf<const Words extends readonly [string, ...string[]]>(what: string, words: Words) {
  return z.enum(words, {
    error: ({ input }) =>
      typeof input === 'string'
        ? strange(input, what, words)
        : `must be a ${what}: one of ${words.join(', ')}`,
  })
}

/** An operation of the gateway. */
export const operation = oneOf('operation', OPERATION_IDS as [OperationId, ...OperationId[]]).meta({
  id: 'OperationId',
  description: 'an operation id',
})

/** An event type. */
export const eventType = oneOf('event type', EVENT_TYPES as unknown as [EventType, ...EventType[]]).meta({
  id: 'EventType',
  description: 'an event type',
})

/** A name that later steps can refer to. */
const NAME = /^(?!world$)[A-Za-z_]\w{0,39}$/
/** A name that later steps can refer to, such as `sale`. */
export const givenName = z
  .string()
  .regex(NAME, 'must be a name of letters, digits and underscores, such as sale, and another one than world')
  .meta({ id: 'GivenName', description: 'a name by which later steps refer to it, such as $sale.id' })

/** The text of a reference, or an id. */
export const reference = z
  .string({ error: 'must be a reference such as $sale.id, or an id' })
  .meta({ id: 'Reference', description: 'a reference such as $sale.id, or an id' })

/** A length of world time. */
export const duration = z
  .string({ error: 'must be a duration such as 5s' })
  .refine((text) => parseDuration(text) !== null, {
    error: ({ input }) => `'${String(input)}' is no duration; use 1500ms, 5s, 31m, 25h, 7d or PT31M`,
  })
  .meta({ id: 'Duration', description: '1500ms, 5s, 31m, 25h, 7d or ISO 8601' })

/** An instant. */
export const moment = z
  .string({ error: 'must be an instant such as 2030-01-01T12:00:00Z' })
  .refine((text) => parseInstant(text) !== null || text.startsWith('$'), {
    error: ({ input }) => `'${String(input)}' is no instant; use ISO 8601 such as 2030-01-01T12:00:00Z`,
  })
  .meta({ id: 'Moment', description: 'ISO 8601, or a reference to an instant' })

/** Any fields, checked by what takes them. */
export const anyFields = z.record(z.string(), z.unknown(), { error: 'must be a map of fields' })
