// Owns the records of what happened: postings, journal entries, deliveries and their attempts. One schema each.
import { z } from 'zod'
import { EVENT_TYPES } from '../contract/events.ts'
import { cents, scope, time, timestamp } from './records.ts'

const text = z.string().nullable()

/** Why money moves. */
export const POSTING_REASONS = [
  'funding',
  'sale',
  'settlement',
  'refund',
  'reserve',
  'payOut',
  'giveBack',
  'hold',
  'release',
  'debit',
] as const

/** A balanced movement of money: its lines sum to zero. Positive amounts come in, negative ones go out. */
export const postingRecord = z
  .strictObject({
    n: z.int(),
    at: timestamp,
    ...scope,
    subject: z.string().meta({ description: 'the record that caused it' }),
    reason: z.enum(POSTING_REASONS),
    lines: z.array(z.strictObject({ account: z.string(), amount: cents })),
  })
  .meta({ id: 'Posting' })
/** A balanced movement of money. */
export type Posting = z.infer<typeof postingRecord>
/** One leg of a posting. */
export type PostingLine = Posting['lines'][number]

/** The three machines. */
export const MACHINE_NAMES = ['transaction', 'cashout', 'dispute'] as const
/** Name of a machine. */
export type MachineName = (typeof MACHINE_NAMES)[number]

/** The record of one fired row. */
export const journalRecord = z
  .strictObject({
    n: z.int(),
    at: timestamp,
    machine: z.enum(MACHINE_NAMES),
    subject: z.uuid(),
    from: text,
    on: z.string(),
    to: z.string(),
    reason: text.meta({ description: 'why, where the trigger carried it' }),
  })
  .meta({ id: 'JournalEntry' })
/** The record of one fired row. */
export type JournalEntry = z.infer<typeof journalRecord>

/** Where a delivery stands. */
export const DELIVERY_STATUSES = [
  'scheduled',
  'sending',
  'held',
  'delivered',
  'exhausted',
  'dropped',
] as const

/** One HTTP try of a delivery. `number` counts from 1 in each round; `answer` is the start of the answer's body. */
export const attemptRecord = z.strictObject({
  number: z.int(),
  at: timestamp,
  endedAt: time.meta({ description: 'null while in flight' }),
  status: z.int().nullable().meta({ description: 'of the answer; null without one' }),
  error: text.meta({ description: 'why there was no answer' }),
  answer: text,
})
/** One HTTP try of a delivery. */
export type Attempt = z.infer<typeof attemptRecord>

/**
 * One event for one receiver. `body` is serialised once and sent by every attempt; `subject` is the signing secret;
 * `order` breaks ties between attempts that are due at one instant; `nextNumber` counts within the round of attempts.
 */
export const deliveryRecord = z.strictObject({
  id: z.uuid(),
  type: z.enum(EVENT_TYPES),
  subject: z.uuid(),
  url: z.string(),
  sentType: z.string().meta({ description: 'the event type that it names; another than `type` by a fault' }),
  body: z.string(),
  status: z.enum(DELIVERY_STATUSES),
  order: z.int(),
  createdAt: timestamp,
  nextAttemptAt: time,
  sentHeaders: z.record(z.string(), z.string()).nullable().meta({ description: 'of the latest attempt' }),
  nextNumber: z.int(),
  roundStartedAt: time,
  attempts: z.array(attemptRecord),
})
/** One event for one receiver. */
export type Delivery = z.infer<typeof deliveryRecord>
