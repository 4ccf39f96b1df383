// Owns the format of what a scenario expects: of answers, records, webhooks, messages, balances, the journal and absence.
import { z } from 'zod'
import { CASHOUT_STATUSES, DISPUTE_STATUSES, ENVIRONMENTS, TRANSACTION_STATUSES } from '../contract/enums.ts'
import { cashoutRecord, customerRecord, disputeRecord, transactionRecord } from '../domain/records.ts'
import { DELIVERY_STATUSES, MACHINE_NAMES } from '../domain/trail.ts'
import { eventType, moment, oneOf, only, reference } from './words.ts'

const any = z.unknown().optional()
const text = z.string().optional()
const count = z.int().min(0).optional()

/** What is expected of the answer to a call. */
export const answerCheck = only('an answer', {
  status: z.int().optional().meta({ description: 'the HTTP status' }),
  data: any.meta({ description: 'fields of the data; others do not count' }),
  error: z
    .union([z.string(), only('an error', { code: text, message: text })])
    .optional()
    .meta({ description: 'the code, or code and message' }),
  message: any.meta({ description: 'the message of the envelope' }),
  headers: z.record(z.string(), z.unknown()).optional().meta({ description: 'by any letter case' }),
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
  type: eventType.optional(),
  count: count.meta({ description: 'how many there are' }),
  status: oneOf('status of a delivery', DELIVERY_STATUSES).optional(),
  attempts: z
    .union([z.int().min(0), z.array(z.unknown())])
    .optional()
    .meta({ description: 'how many attempts, or what is expected of each' }),
  id: any,
  url: any.meta({ description: 'where it goes' }),
  createdAt: any.meta({ description: 'an instant' }),
  nextAttemptAt: any.meta({ description: 'an instant, or null' }),
})

const message = only('a message', {
  inbox: z.string().meta({ description: 'name of the inbox' }),
  type: eventType.optional(),
  count: count.meta({ description: 'how many there are' }),
  n: any.meta({ description: 'its number in the inbox, from 1' }),
  receivedAt: any.meta({ description: 'an instant' }),
  delivery: any.meta({ description: 'id of the delivery' }),
  attempt: any.meta({ description: 'number of the attempt, from 1' }),
  headers: any.meta({ description: 'by lower-case name' }),
  json: any.meta({ description: 'fields of the body' }),
  signature: oneOf('verdict on a signature', ['valid', 'invalid', 'absent']).optional(),
  answered: any.meta({ description: 'what the inbox answered' }),
})

const journal = only('a journal entry', {
  of: reference.optional(),
  count: count.meta({ description: 'how many there are' }),
  statuses: z
    .array(z.string())
    .optional()
    .meta({ description: 'the statuses that a record went through, the first one first' }),
  at: any.meta({ description: 'an instant' }),
  machine: oneOf('machine', MACHINE_NAMES).optional(),
  from: any.meta({ description: 'the status before; null for a new record' }),
  on: text.meta({ description: 'the trigger' }),
  to: text.meta({ description: 'the status after' }),
  reason: any.meta({ description: 'what the trigger carried as its reason' }),
})

const balance = only('a balance', {
  organization: reference.optional().meta({ description: "the merchant's own when left out" }),
  environment: oneOf('environment', ENVIRONMENTS).optional(),
  available: any.meta({ description: 'can be withdrawn' }),
  pending: any.meta({ description: 'earned, and not settled yet' }),
  reserved: any.meta({ description: 'held by disputes and cashouts' }),
  total: any.meta({ description: 'all three together' }),
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
  answer: only('expect', { answer: answerCheck.meta({ description: 'the answer to the last call' }) }),
  transaction: only('expect', {
    transaction: reference.meta({ description: 'a transaction: any of its fields, as stored' }),
    ...fieldsOf(transactionRecord, transactionStatus),
  }),
  cashout: only('expect', {
    cashout: reference.meta({ description: 'a cashout: any of its fields, as stored' }),
    ...fieldsOf(cashoutRecord, cashoutStatus),
  }),
  dispute: only('expect', {
    dispute: reference.meta({ description: 'a dispute: any of its fields, as stored' }),
    ...fieldsOf(disputeRecord, disputeStatus),
  }),
  customer: only('expect', {
    customer: reference.meta({ description: 'a customer: any of its fields, as stored' }),
    ...fieldsOf(customerRecord, null),
  }),
  delivery: only('expect', { delivery: delivery.meta({ description: 'a webhook: one that fits is there' }) }),
  message: only('expect', {
    message: message.meta({ description: 'what an inbox took: one that fits is there' }),
  }),
  journal: only('expect', {
    journal: journal.meta({ description: 'a fired row of a machine: one that fits is there' }),
  }),
  balance: only('expect', {
    balance: balance.meta({ description: 'the balance of an organisation, in cents' }),
  }),
  clock: only('expect', { clock: moment.meta({ description: 'what the clock shows' }) }),
  no: only('expect', { no: absent.meta({ description: 'nothing that fits is there' }) }),
} as const

/** The word that says what is looked at. */
export type CheckName = keyof typeof CHECKS
/** What a step expects, by its word. */
export type CheckOf<Name extends CheckName> = z.output<(typeof CHECKS)[Name]>
/** The words that say what is looked at. */
export const CHECK_NAMES = Object.keys(CHECKS) as [CheckName, ...CheckName[]]
