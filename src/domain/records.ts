// Owns the records of a world: one schema each, from which the types, the control reference and checks of saved files follow.
import { z } from 'zod'
import * as enums from '../contract/enums.ts'
import { EVENT_TYPES } from '../contract/events.ts'
import type { Cents, Timestamp } from '../kernel/brands.ts'
import type { CalendarDay } from '../kernel/calendar.ts'

const cents = z.int() as unknown as z.ZodType<Cents, Cents>
/** ISO 8601 in UTC with milliseconds. */
export const timestamp = z.iso.datetime() as unknown as z.ZodType<Timestamp, Timestamp>
const day = z.iso.date() as unknown as z.ZodType<CalendarDay, CalendarDay>
const text = z.string().nullable()
const time = timestamp.nullable()

/** Whose records: one organisation in one environment. Each has its own records and its own account. */
const scope = { organizationId: z.uuid(), environment: z.enum(enums.ENVIRONMENTS) }
/** Whose records: one organisation in one environment. */
export type Scope = { organizationId: string; environment: enums.Environment }

/** A merchant. */
export const organizationRecord = z
  .strictObject({
    id: z.uuid(),
    splitCode: z.uuid().meta({ description: 'names the organisation as the receiver of a split' }),
    name: z.string(),
    maySplit: z.boolean(),
    pixKeys: z.array(z.string()).meta({ description: 'registered keys, plain' }),
    createdAt: timestamp,
  })
  .meta({ id: 'Organization' })
/** A merchant. */
export type Organization = z.infer<typeof organizationRecord>

/** A key pair of an organisation. The secret itself is not kept, only its SHA-256 digest in hexadecimal. */
export const credentialRecord = z
  .strictObject({
    publicKey: z.string(),
    secretDigest: z.string(),
    ...scope,
    permissions: z.array(z.enum(enums.PERMISSIONS)),
    allowedIps: z.array(z.string()).meta({ description: 'addresses or CIDR ranges; empty for any' }),
    active: z.boolean(),
    createdAt: timestamp,
  })
  .meta({ id: 'Credential' })
/** A key pair of an organisation. */
export type Credential = z.infer<typeof credentialRecord>

const address = z.strictObject({
  street: text,
  number: text,
  complement: text,
  neighborhood: text,
  city: text,
  state: text,
  postalCode: text,
  country: text,
})
/** Where somebody lives; each part may be missing. */
export type Address = z.infer<typeof address>

/** A customer of a merchant. `n` counts from 1 in order of creation within its scope. */
export const customerRecord = z
  .strictObject({
    id: z.uuid(),
    n: z.int(),
    ...scope,
    externalId: text,
    name: z.string(),
    email: z.string(),
    document: text.meta({ description: 'without punctuation' }),
    documentType: z.enum(enums.DOCUMENT_TYPES).nullable(),
    phone: text.meta({ description: 'digits only, country code included' }),
    status: z.enum(enums.CUSTOMER_STATUSES),
    metadata: text,
    address: address.nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'StoredCustomer' })
/** A customer of a merchant. */
export type Customer = z.infer<typeof customerRecord>

const pix = z.strictObject({
  txId: z.string(),
  copyAndPaste: z.string(),
  expiresAt: timestamp,
  endToEndId: text,
  payerName: text,
  payerDocument: text.meta({ description: 'masked' }),
  payerBank: text,
})
/** The PIX part of a transaction. */
export type PixDetails = z.infer<typeof pix>

const split = z.strictObject({
  splitCode: z.uuid(),
  organizationId: z.uuid(),
  type: z.enum(enums.SPLIT_TYPES),
  value: z.number(),
  shareAmount: cents,
})

/** A transaction, as stored. Of a card only what may be shown is kept. */
export const transactionRecord = z
  .strictObject({
    id: z.uuid(),
    ...scope,
    externalId: text,
    method: z.enum(enums.METHODS),
    amount: cents,
    fee: cents,
    netAmount: cents,
    currency: z.literal('BRL'),
    status: z.enum(enums.TRANSACTION_STATUSES),
    description: text,
    failureReason: text,
    metadata: text,
    callbackUrl: text,
    customerId: z.uuid().nullable(),
    payer: z
      .strictObject({ name: text, document: text })
      .meta({ description: 'payer fields of the request, for the payer of the payment' }),
    splits: z.array(split),
    pix: pix.nullable(),
    card: z
      .strictObject({
        lastFour: z.string(),
        brand: z.string(),
        installments: z.int(),
        authorizationCode: text,
      })
      .nullable(),
    boleto: z
      .strictObject({
        barcode: z.string(),
        dueDay: day,
        instructions: text,
        slip: z.string().meta({ description: 'unguessable name of the slip' }),
      })
      .nullable(),
    refundedAmount: cents.meta({ description: 'all refunds so far, lost disputes included' }),
    pendingRefund: z
      .strictObject({ amount: cents, formerStatus: z.enum(enums.TRANSACTION_STATUSES) })
      .nullable()
      .meta({ description: 'asked for and not yet settled' }),
    unsettledAmount: cents.meta({ description: 'part of the sale that is not yet available' }),
    expiresAt: timestamp,
    completedAt: time,
    refundedAt: time,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'StoredTransaction' })
/** A transaction, as stored. */
export type Transaction = z.infer<typeof transactionRecord>

/** A cashout, as stored, with its key in the plain. */
export const cashoutRecord = z
  .strictObject({
    id: z.uuid(),
    ...scope,
    externalId: text,
    amount: cents,
    fee: cents,
    netAmount: cents,
    currency: z.literal('BRL'),
    status: z.enum(enums.CASHOUT_STATUSES),
    pixKeyType: z.enum(enums.PIX_KEY_TYPES),
    pixKey: z.string(),
    endToEndId: text,
    failureReason: text,
    callbackUrl: text,
    requestedAt: timestamp,
    processedAt: time,
    completedAt: time,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'StoredCashout' })
/** A cashout, as stored. */
export type Cashout = z.infer<typeof cashoutRecord>

/** A file that a merchant attached to a dispute. Its bytes are kept apart from the state. */
export const evidenceRecord = z.strictObject({
  id: z.uuid(),
  fileName: z.string(),
  contentType: z.string(),
  size: z.int().meta({ description: 'bytes' }),
  description: text,
  createdAt: timestamp,
})
/** A file that a merchant attached to a dispute. */
export type Evidence = z.infer<typeof evidenceRecord>

/** A dispute, as stored. `version` grows with every change and is the `ETag`. */
export const disputeRecord = z
  .strictObject({
    id: z.uuid(),
    ...scope,
    status: z.enum(enums.DISPUTE_STATUSES),
    reason: z.enum(enums.DISPUTE_REASONS),
    reasonDescription: text,
    amount: cents,
    transactionId: z.uuid(),
    customerId: z.uuid().nullable(),
    responseDeadline: time,
    responseText: text,
    respondedAt: time,
    evidences: z.array(evidenceRecord),
    events: z.array(
      z.strictObject({
        type: z.string(),
        actorType: z.string(),
        description: z.string(),
        createdAt: timestamp,
      }),
    ),
    holdState: z.enum(enums.HOLD_STATES),
    holdAmount: cents.meta({ description: 'taken at opening' }),
    heldAmount: cents.meta({ description: 'held now' }),
    holdReleasedAt: time,
    holdDebitedAt: time,
    closedAt: time,
    version: z.int(),
    openedAt: timestamp,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'StoredDispute' })
/** A dispute, as stored. */
export type Dispute = z.infer<typeof disputeRecord>

/** What of a merchant's account is not money: whether a cashout must take all of it. */
export const accountRecord = z
  .strictObject({
    ...scope,
    requiresFullWithdrawal: z.boolean().nullable().meta({ description: 'null for what BA-02 says' }),
  })
  .meta({ id: 'Account' })
/** What of a merchant's account is not money. */
export type Account = z.infer<typeof accountRecord>

/** A card token. Never a number or a CVV. */
export const cardTokenRecord = z.strictObject({
  token: z.string(),
  ...scope,
  lastFour: z.string(),
  brand: z.string(),
  expiresAt: timestamp,
  usedAt: time,
})
/** A card token. */
export type CardToken = z.infer<typeof cardTokenRecord>

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
export const deliveryRecord = z
  .strictObject({
    id: z.uuid(),
    type: z.enum(EVENT_TYPES),
    subject: z.uuid(),
    url: z.string(),
    body: z.string(),
    status: z.enum(DELIVERY_STATUSES),
    order: z.int(),
    createdAt: timestamp,
    nextAttemptAt: time,
    nextNumber: z.int(),
    roundStartedAt: time,
    attempts: z.array(attemptRecord),
  })
  .meta({ id: 'StoredDelivery' })
/** One event for one receiver. */
export type Delivery = z.infer<typeof deliveryRecord>
