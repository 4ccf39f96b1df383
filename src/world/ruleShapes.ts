// Owns the shape of a rule: what it waits for in calls and events, and what it then does. Scenario files use it too.
import { z } from 'zod'
import { OPERATION_IDS } from '../contract/endpoints.ts'
import { DISPUTE_REASONS } from '../contract/enums.ts'
import { EVENT_TYPES } from '../contract/events.ts'
import { parseDuration } from '../kernel/time.ts'
import { TRIGGER_NAMES } from './drive.ts'
import { faultOrder } from './faultOrders.ts'
import { inboxAnswer, inboxDelay } from './inboxAnswers.ts'
import type { EventType } from '../contract/events.ts'
import type { OperationId } from '../contract/endpoints.ts'

/** Longest text that a field is compared with, in UTF-16 units. */
const MAX_TEXT_UNITS = 500
/** Values that a field is compared with at most. */
const MAX_VALUES = 100

const text = z.string().max(MAX_TEXT_UNITS)
const part = text.min(1)
const scalar = z.union([text, z.number(), z.boolean()])

/** What a field must be: a value, null for absent, or conditions that must all hold. */
const wanted = z
  .union(
    [
      scalar,
      z.null(),
      z
        .strictObject({
          from: z.number().optional().meta({ description: 'at least this much' }),
          to: z.number().optional().meta({ description: 'at most this much' }),
          startsWith: part.optional().meta({ description: 'how a text, or the digits of a number, begin' }),
          endsWith: part.optional().meta({ description: 'how a text, or the digits of a number, end' }),
          contains: part.optional(),
          oneOf: z.array(scalar).min(1).max(MAX_VALUES).optional(),
        })
        .refine((conditions) => Object.keys(conditions).length > 0, 'names at least one condition'),
    ],
    { error: 'is a value, null, or conditions: from, to, startsWith, endsWith, contains, oneOf' },
  )
  .meta({ id: 'WantedValue' })

/** What a field must be. */
export type Wanted = z.output<typeof wanted>

const when = z
  .object({
    call: z
      .enum(OPERATION_IDS as OperationId[])
      .optional()
      .meta({ description: 'a call of this operation that succeeded' }),
    event: z.enum(EVENT_TYPES).optional().meta({ description: 'an event of this type' }),
  })
  .catchall(wanted.optional())
  .refine(
    ({ call, event }) => (call === undefined) !== (event === undefined),
    'names either a call or an event',
  )
  .meta({
    id: 'RuleCondition',
    description:
      'further fields, such as amount or pix.payerName, must be what they say: in what was sent, what was answered, or the record',
  })

const duration = z
  .string()
  .refine(
    (typed) => parseDuration(typed) !== null,
    'is no duration; use 1500ms, 5s, 31m, 25h, 7d or ISO 8601 such as PT31M',
  )

/** The trigger that opens a dispute on a transaction; it is fired on no record that exists. */
export const OPEN = 'open'

const FORMS = ['trigger', 'fault', 'inbox'] as const

const action = z
  .strictObject({
    trigger: z
      .enum([...TRIGGER_NAMES, OPEN])
      .optional()
      .meta({ description: 'fires on the record of the call or event; open opens a dispute on it' }),
    amount: z.int().optional(),
    reason: z.union([z.enum(DISPUTE_REASONS), z.string()]).optional(),
    text: z.string().optional(),
    payer: z
      .strictObject({
        name: z.string().optional(),
        document: z.string().optional(),
        bank: z.string().optional(),
      })
      .optional(),
    fault: faultOrder
      .optional()
      .meta({ description: "arms a fault; subject 'same' means the record of the call or event" }),
    inbox: z
      .string()
      .regex(/^[A-Za-z0-9._-]{1,64}$/, 'is 1 to 64 letters, digits, dots, underscores or hyphens')
      .optional()
      .meta({ description: 'tells an inbox how to answer' }),
    answers: z.array(inboxAnswer).max(1_000).optional(),
    delayMs: inboxDelay.optional(),
    after: duration.optional().meta({ description: 'world time between the call or event and this' }),
  })
  .refine(
    (sent) => FORMS.filter((form) => sent[form] !== undefined).length === 1,
    'names one of trigger, fault and inbox',
  )
  .refine(
    ({ inbox, answers, delayMs }) => inbox !== undefined || (answers ?? delayMs) === undefined,
    'answers and delayMs go with an inbox',
  )

/** A rule as it is ordered. */
export const ruleOrder = z
  .strictObject({
    when,
    do: action,
    times: z.int().min(1).max(1_000_000).optional().meta({ description: 'how often at most; without end' }),
    probability: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .meta({ description: 'drawn from the seed of the world' }),
  })
  .meta({ id: 'RuleOrder' })

/** A rule as it is kept and answered. */
export const ruleRecord = z
  .strictObject({
    id: z.string(),
    when,
    do: action.meta({ id: 'RuleAction' }),
    times: z.int().nullable(),
    probability: z.number().nullable(),
    fired: z.int().meta({ description: 'how often its condition was met and it acted, or planned to' }),
    refused: z.int().meta({ description: 'how often what it wanted could not be done any more' }),
    note: z.string().nullable().meta({ description: 'why, the last time' }),
  })
  .meta({ id: 'Rule' })

/** What a rule waits for: either a call or an event, and fields by their names. */
export interface RuleCondition {
  call?: OperationId | undefined
  event?: EventType | undefined
  [field: string]: Wanted | undefined
}

/** What a rule does. */
export type RuleAction = z.output<typeof action>

/** A rule as it is ordered. */
export interface RuleOrder extends Omit<z.output<typeof ruleOrder>, 'when'> {
  when: RuleCondition
}

/** A rule as it is answered: without secrets. */
export interface Rule extends Omit<z.output<typeof ruleRecord>, 'when'> {
  when: RuleCondition
}

/** A rule of a world. Plain JSON. */
export interface KeptRule extends Rule {
  /** Keyed digests of whole values of secret fields, by field: where there are some, they stand for what `when` hides. */
  secrets: Record<string, string[]>
}
