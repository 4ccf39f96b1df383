// Owns the format of what a scenario expects: of answers, records, webhooks, messages, balances, the journal and absence.
import { z } from 'zod'
import { EVENT_TYPES } from '../contract/events.ts'
import { CASHOUT_STATUSES, DISPUTE_STATUSES, ENVIRONMENTS, TRANSACTION_STATUSES } from '../contract/enums.ts'
import { cashoutRecord, customerRecord, disputeRecord, transactionRecord } from '../domain/records.ts'
import { DELIVERY_STATUSES, MACHINE_NAMES } from '../domain/trail.ts'
import { moment, oneOf, only, reference } from './words.ts'

const any = z.unknown().optional()
const text = z.string().optional()
const count = z.int().min(0).optional()

/** What is expected of the answer to a call. */
export const answerCheck = only('an answer', {
  status: z.int().optional(),
  data: any.meta({ description: 'fields of the data; others do not count' }),
  error: z
    .union([z.string(), only('an error', { code: text, message: text })])
    .optional()
    .meta({ description: 'the code, or code and message' }),
  message: any,
  headers: z.record(z.string(), z.unknown()).optional(),
  none: z.literal(true).optional().meta({ description: 'no answer came: the connection was reset' }),
})

/** Expected fields of a record: those that it has, each with any value; its status is one of a list. */
function fieldsOf(schema: z.ZodObject, status: z.ZodType | null): Record<string, z.ZodOptional> {
  const names = Object.keys(schema.shape)
  const fields = Object.fromEntries(names.map((name): [string, z.ZodOptional] => [name, any]))
  return status === null ? fields : { ...fields, status: status.optional() }
}

const delivery = only('a delivery', {
  of: reference.optional(),
  type: oneOf('event type', EVENT_TYPES as [(typeof EVENT_TYPES)[number]]).optional(),
  count: count.meta({ description: 'how many there are' }),
  status: oneOf('status of a delivery', DELIVERY_STATUSES).optional(),
  attempts: z
    .union([z.int().min(0), z.array(z.unknown())])
    .optional()
    .meta({ description: 'how many attempts, or what is expected of each' }),
  id: any,
  url: any,
  createdAt: any,
  nextAttemptAt: any,
})

const message = only('a message', {
  inbox: z.string().meta({ description: 'name of the inbox' }),
  type: oneOf('event type', EVENT_TYPES as [(typeof EVENT_TYPES)[number]]).optional(),
  count: count.meta({ description: 'how many there are' }),
  n: any,
  receivedAt: any,
  delivery: any,
  attempt: any,
  headers: any,
  json: any,
  signature: oneOf('verdict on a signature', ['valid', 'invalid', 'absent']).optional(),
  answered: any,
})

const journal = only('a journal entry', {
  of: reference.optional(),
  count: count.meta({ description: 'how many there are' }),
  statuses: z
    .array(z.string())
    .optional()
    .meta({ description: 'the statuses that a record went through, the first one first' }),
  at: any,
  machine: oneOf('machine', MACHINE_NAMES).optional(),
  from: any,
  on: text,
  to: text,
  reason: any,
})

const balance = only('a balance', {
  organization: reference.optional().meta({ description: "the merchant's own when left out" }),
  environment: oneOf('environment', ENVIRONMENTS).optional(),
  available: any,
  pending: any,
  reserved: any,
  total: any,
})

const absent = only('what must not be', {
  delivery: delivery.optional(),
  message: message.optional(),
  journal: journal.optional(),
})

const transactionStatus = oneOf('status of a transaction', TRANSACTION_STATUSES)
const cashoutStatus = oneOf('status of a cashout', CASHOUT_STATUSES)
const disputeStatus = oneOf('status of a dispute', DISPUTE_STATUSES)

/** Everything that a step can expect, by the word that says what is looked at. */
export const CHECKS = {
  answer: only('expect', { answer: answerCheck }),
  transaction: only('expect', {
    transaction: reference,
    ...fieldsOf(transactionRecord, transactionStatus),
  }),
  cashout: only('expect', { cashout: reference, ...fieldsOf(cashoutRecord, cashoutStatus) }),
  dispute: only('expect', { dispute: reference, ...fieldsOf(disputeRecord, disputeStatus) }),
  customer: only('expect', { customer: reference, ...fieldsOf(customerRecord, null) }),
  delivery: only('expect', { delivery }),
  message: only('expect', { message }),
  journal: only('expect', { journal }),
  balance: only('expect', { balance }),
  clock: only('expect', { clock: moment }),
  no: only('expect', { no: absent }),
} as const

/** The word that says what is looked at. */
export type CheckName = keyof typeof CHECKS
/** What a step expects, by its word. */
export type CheckOf<Name extends CheckName> = z.output<(typeof CHECKS)[Name]>
/** The words that say what is looked at. */
export const CHECK_NAMES = Object.keys(CHECKS) as [CheckName, ...CheckName[]]
