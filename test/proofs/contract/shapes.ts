// Owns the shapes of the contract as strict schemas, written from its tables and from nothing else.
import { z } from 'zod'

const uuid = z.guid()
const cents = z.int()
const dateTime = z.iso.datetime()
const nullableText = z.string().nullable()
/** A field whose type the contract does not show: it has to be there. */
const present = z.custom((value) => value !== undefined, 'is missing')
/** A field that only one view carries, or that is empty until later. */
const later = <T extends z.ZodType>(shape: T): z.ZodOptional<z.ZodNullable<T>> => shape.nullish()

const environment = z.enum(['Sandbox', 'Production'])
const transactionStatus = z.enum([
  'Pending',
  'Completed',
  'Expired',
  'Failed',
  'Cancelled',
  'Refunded',
  'PartiallyRefunded',
  'Processing',
])
const CASHOUT_STATUSES = ['Pending', 'Processing', 'Completed', 'Failed', 'Rejected', 'Cancelled'] as const

/** The envelope of every answer. */
export const envelope = z.strictObject({
  data: z.looseObject({}).nullable(),
  message: nullableText,
  error: z.strictObject({ message: z.string(), code: z.string() }).nullable(),
})

/** `data` of a token. */
export const token = z.strictObject({
  accessToken: z.string(),
  tokenType: z.literal('Bearer'),
  expiresIn: z.literal(3_600),
  environment,
})

const split = z.strictObject({
  splitCode: uuid,
  type: z.enum(['PERCENTAGE', 'FIXED']),
  value: z.number(),
  shareAmount: cents,
})

const pix = z.strictObject({
  txId: z.string(),
  copyAndPaste: z.string(),
  qrCode: later(z.string()),
  expiresAt: dateTime,
  endToEndId: later(z.string()),
  payerName: later(z.string()),
  payerDocument: later(z.string()),
  payerBank: later(z.string()),
})

const boleto = z.strictObject({
  barcode: present,
  digitableLine: present,
  pdfUrl: present,
  dueDate: present,
})

/** What was asked for and may be absent when it was not. */
const asked = { externalId: z.string(), description: z.string(), customerId: uuid }
const notAsked = { externalId: nullableText, description: nullableText, customerId: uuid.nullable() }

const created = {
  id: uuid,
  method: z.enum(['Pix', 'CreditCard', 'Boleto']),
  amount: cents.min(100),
  fee: cents,
  netAmount: cents,
  currency: z.literal('BRL'),
  status: transactionStatus,
  environment,
  expiresAt: dateTime,
  createdAt: dateTime,
  completedAt: dateTime.nullable(),
  splits: z.array(split),
  pix: pix.nullable(),
  card: z.looseObject({}).nullable(),
  boleto: boleto.nullable(),
}
const customerInside = z.strictObject({
  id: uuid,
  name: z.string(),
  email: z.string(),
  document: nullableText,
  phone: z.string().regex(/^\d+$/).nullable(),
})
const retrieved = {
  ...created,
  failureReason: nullableText,
  refundedAt: dateTime.nullable(),
  updatedAt: dateTime,
  metadata: nullableText,
  callbackUrl: nullableText,
}

/** The creation view of a transaction of which only what is required was asked. */
export const createdTransaction = z.strictObject({ ...created, ...notAsked })
/** The creation view when externalId, description and a customer were given. */
export const createdTransactionInFull = z.strictObject({ ...created, ...asked })
/** The full view of a transaction of which only what is required was asked. */
export const retrievedTransaction = z.strictObject({
  ...retrieved,
  ...notAsked,
  customer: customerInside.nullable(),
})
/** The full view when everything was given. */
export const retrievedTransactionInFull = z.strictObject({
  ...retrieved,
  ...asked,
  metadata: z.string(),
  callbackUrl: z.string(),
  customer: customerInside,
})

/** `data` of a simulation of a PIX. */
export const simulated = z.strictObject({
  id: uuid,
  status: transactionStatus,
  simulatedAction: z.enum(['complete', 'expire', 'fail', 'refund']),
  completedAt: dateTime.nullable(),
  refundedAt: dateTime.nullable(),
  pix: z.strictObject({ txId: z.string(), qrCode: z.null(), copyAndPaste: z.null(), expiresAt: z.null() }),
})

/** `data` of a list of these records. */
export const page = (item: z.ZodType): z.ZodType =>
  z.strictObject({
    items: z.array(item),
    page: z.int(),
    pageSize: z.int().max(100),
    totalItems: z.int(),
    totalPages: z.int(),
    hasNextPage: z.boolean(),
    hasPreviousPage: z.boolean(),
  })

/** One cashout of the list. */
export const cashout = z.strictObject({
  id: uuid,
  amount: cents,
  fee: cents,
  netAmount: cents,
  status: z.enum(CASHOUT_STATUSES),
  pixKeyType: z.string(),
  pixKey: z.string(),
  endToEndId: nullableText,
  crypto: z.looseObject({}).nullable(),
  failureReason: nullableText,
  requestedAt: dateTime,
  completedAt: dateTime.nullable(),
  createdAt: dateTime,
})

/** One customer of the list. */
export const customer = z.strictObject({
  id: uuid,
  externalId: nullableText,
  name: z.string(),
  email: z.string(),
  document: nullableText,
  documentType: z.enum(['CPF', 'CNPJ']).nullable(),
  phone: z.string().regex(/^\d+$/).nullable(),
  status: z.enum(['Active', 'Inactive']),
  metadata: present,
  address: present,
  createdAt: dateTime,
})

// The contract does not show where these two stand.
const withdrawal = {
  withdrawNowAvailable: cents.optional(),
  requiresFullWithdrawalNow: z.boolean().optional(),
}

/** `data` of the balance. */
export const balance = z.strictObject({
  currency: z.literal('BRL'),
  balance: z.strictObject({
    available: cents,
    pending: cents,
    reserved: cents,
    total: cents,
    ...withdrawal,
  }),
  totals: z.strictObject({ lifetimeVolume: cents, lifetimePayouts: cents, lifetimeRefunds: cents }),
  period: z.strictObject({ volumeToday: cents, volumeThisWeek: cents, volumeThisMonth: cents }),
  updatedAt: dateTime,
  ...withdrawal,
})

const evidence = z.strictObject({
  id: uuid,
  fileName: z.string(),
  contentType: z.string(),
  size: z.int(),
  url: z.url(),
  expiresAt: dateTime.nullable(),
  description: nullableText,
  createdAt: dateTime,
})

/** The detail of a dispute. */
export const disputeDetail = z.strictObject({
  id: uuid,
  status: z.enum(['Open', 'MerchantResponded', 'UnderReview', 'Won', 'Lost', 'Expired', 'Cancelled']),
  reason: z.enum([
    'Fraud',
    'Scam',
    'ProductNotReceived',
    'ProductNotAsDescribed',
    'DuplicateCharge',
    'UnrecognizedTransaction',
    'CoercionOrThreat',
    'OperationalError',
    'Other',
  ]),
  amount: cents,
  currency: z.string(),
  paymentId: uuid.nullable(),
  orderId: uuid.nullable(),
  customer: z.strictObject({ id: uuid.nullable(), name: nullableText, email: nullableText }).nullable(),
  openedAt: dateTime,
  responseDeadline: dateTime.nullable(),
  hasResponse: z.boolean(),
  evidencesCount: z.int(),
  holdState: z.enum(['None', 'Held', 'Released', 'Debited']),
  heldAmount: cents,
  createdAt: dateTime,
  reasonDescription: nullableText,
  disputant: z.strictObject({ name: nullableText, email: nullableText, phone: nullableText }).nullable(),
  closedAt: dateTime.nullable(),
  holdAmount: cents,
  holdReleasedAt: dateTime.nullable(),
  holdDebitedAt: dateTime.nullable(),
  responseText: nullableText,
  respondedAt: dateTime.nullable(),
  evidences: z.array(evidence),
  events: z.array(
    z.strictObject({ type: z.string(), actorType: z.string(), description: z.string(), createdAt: dateTime }),
  ),
  updatedAt: dateTime,
})

/** The body of a delivery. Full data of payment events is not shown. */
export const webhook = z.strictObject({
  id: uuid,
  type: z.string(),
  createdAt: dateTime,
  data: z.looseObject({}),
})

/** `data` of a cashout event, as far as it is listed. */
export const cashoutEvent = z.looseObject({
  id: uuid,
  status: z.enum(CASHOUT_STATUSES),
  amount: cents,
  netAmount: cents,
})
