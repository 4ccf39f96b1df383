// Owns the records of merchants: one schema each, from which the types and the control reference follow.
import { z } from 'zod'
import * as enums from '../contract/enums.ts'
import type { Cents, Timestamp } from '../kernel/brands.ts'
import type { CalendarDay } from '../kernel/calendar.ts'

/** Whole cents. */
export const cents = z.int() as unknown as z.ZodType<Cents, Cents>
/** ISO 8601 in UTC with milliseconds. */
export const timestamp = z.iso.datetime() as unknown as z.ZodType<Timestamp, Timestamp>
const day = z.iso.date() as unknown as z.ZodType<CalendarDay, CalendarDay>
const text = z.string().nullable()
/** ISO 8601 in UTC with milliseconds, or null. */
export const time = timestamp.nullable()

/** Whose records: one organisation in one environment. Each has its own records and its own account. */
export const scope = { organizationId: z.uuid(), environment: z.enum(enums.ENVIRONMENTS) }
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
export const credentialRecord = z.strictObject({
  publicKey: z.string(),
  secretDigest: z.string(),
  ...scope,
  permissions: z.array(z.enum(enums.PERMISSIONS)),
  allowedIps: z.array(z.string()).meta({ description: 'addresses or CIDR ranges; empty for any' }),
  active: z.boolean(),
  createdAt: timestamp,
})
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
  digest: z.string().meta({ description: 'SHA-256 of the bytes, in hexadecimal' }),
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
export const accountRecord = z.strictObject({
  ...scope,
  requiresFullWithdrawal: z.boolean().nullable().meta({ description: 'null for what BA-02 says' }),
})
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
