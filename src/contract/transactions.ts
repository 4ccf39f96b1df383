// Owns the schemas of transactions: what a request may carry and what the four views answer.
import { z } from 'zod'
import { centsOut, dateFilter, dateTime, pageOf, paging, uuid, textUpTo } from './endpoint.ts'
import { ENVIRONMENTS, METHODS, SIMULATE_ACTIONS, SPLIT_TYPES, TRANSACTION_STATUSES } from './enums.ts'
import * as limits from './limits.ts'

/** An address that webhooks are sent to. */
export const callbackUrl = z
  .url({ protocol: /^https?$/, hostname: /^[^\s]+$/ })
  .max(limits.MAX_URL_UNITS)
  .refine((url) => url.length <= limits.MAX_URL_UNITS, 'is too long')
  .meta({ format: 'uri' })

/** Any short text. */
export const shortText = textUpTo(limits.MAX_SHORT_TEXT_UNITS).min(1)

/** Whole cents within the limits of an amount; outside of them the code is `invalid_amount`. */
export const amountIn = z.int().min(limits.MIN_AMOUNT_CENTS).max(limits.MAX_AMOUNT_CENTS)

const splitIn = z.object({
  splitCode: textUpTo(limits.MAX_SHORT_TEXT_UNITS).meta({ format: 'uuid' }),
  type: z.enum(SPLIT_TYPES),
  value: z.number().meta({
    description: 'PERCENTAGE: 1 to 100, at most two decimals; FIXED: positive whole cents',
  }),
})

/** Request of a creation, under our canonical names (TX-01). */
export const createTransactionBody = z
  .object({
    method: z.enum(METHODS),
    amount: amountIn,
    currency: z.enum(['BRL']).optional(),
    description: textUpTo(limits.MAX_DESCRIPTION_UNITS).optional(),
    externalId: textUpTo(limits.MAX_EXTERNAL_ID_UNITS).optional(),
    customerId: textUpTo(limits.MAX_SHORT_TEXT_UNITS).optional().meta({ format: 'uuid' }),
    callbackUrl: callbackUrl.optional(),
    metadata: textUpTo(limits.MAX_METADATA_UNITS).optional().meta({ description: 'JSON text' }),
    splits: z.array(splitIn).max(limits.MAX_SPLITS).optional(),
    pixExpirationMinutes: z
      .int()
      .min(limits.MIN_PIX_EXPIRATION_MINUTES)
      .max(limits.MAX_PIX_EXPIRATION_MINUTES)
      .optional(),
    customerName: shortText.optional(),
    customerDocument: textUpTo(30).optional(),
    customerEmail: z.email().max(limits.MAX_SHORT_TEXT_UNITS).optional(),
    customerPhone: textUpTo(30).optional(),
    boletoDueDate: z.iso.date().optional(),
    boletoInstructions: textUpTo(limits.MAX_DESCRIPTION_UNITS).optional(),
    cardNumber: textUpTo(30).optional(),
    cardHolderName: textUpTo(limits.MAX_SHORT_TEXT_UNITS).optional(),
    cardExpirationMonth: textUpTo(10).optional(),
    cardExpirationYear: textUpTo(10).optional(),
    cardCvv: textUpTo(10).optional(),
    installments: z.int().min(limits.MIN_INSTALLMENTS).max(limits.MAX_INSTALLMENTS).optional(),
    cardToken: textUpTo(limits.MAX_SHORT_TEXT_UNITS).optional(),
  })
  .meta({ id: 'CreateTransaction' })

const splitOut = z
  .strictObject({
    splitCode: uuid,
    type: z.enum(SPLIT_TYPES),
    value: z.number(),
    shareAmount: centsOut,
  })
  .meta({ id: 'Split' })

const pixOut = z
  .strictObject({
    txId: z.string(),
    copyAndPaste: z.string(),
    qrCode: z.string().nullable().meta({ description: 'PNG as a data URI, on retrieval only' }),
    expiresAt: dateTime,
    endToEndId: z.string().nullable(),
    payerName: z.string().nullable(),
    payerDocument: z.string().nullable().meta({ description: 'masked' }),
    payerBank: z.string().nullable(),
  })
  .meta({ id: 'Pix' })

const cardOut = z
  .strictObject({
    lastFour: z.string(),
    brand: z.string(),
    installments: z.int(),
    authorizationCode: z.string().nullable(),
  })
  .meta({ id: 'Card' })

const boletoOut = z
  .strictObject({ barcode: z.string(), digitableLine: z.string(), pdfUrl: z.url(), dueDate: z.string() })
  .meta({ id: 'Boleto' })

const common = {
  id: uuid,
  externalId: z.string().nullable(),
  method: z.enum(METHODS),
  amount: centsOut,
  fee: centsOut,
  netAmount: centsOut,
  currency: z.literal('BRL'),
  status: z.enum(TRANSACTION_STATUSES),
  description: z.string().nullable(),
  environment: z.enum(ENVIRONMENTS),
  expiresAt: dateTime,
  createdAt: dateTime,
  completedAt: dateTime.nullable(),
  customerId: uuid.nullable(),
  splits: z.array(splitOut),
}
const details = { pix: pixOut.nullable(), card: cardOut.nullable(), boleto: boletoOut.nullable() }

/** What a creation answers. */
export const createdTransaction = z.strictObject({ ...common, ...details }).meta({ id: 'CreatedTransaction' })

/** What a retrieval answers. */
export const fullTransaction = z
  .strictObject({
    ...common,
    ...details,
    failureReason: z.string().nullable(),
    metadata: z.string().nullable(),
    callbackUrl: z.string().nullable(),
    refundedAt: dateTime.nullable(),
    updatedAt: dateTime,
    customer: z
      .strictObject({
        id: uuid,
        name: z.string(),
        email: z.string(),
        document: z.string().nullable(),
        phone: z.string().nullable(),
      })
      .nullable(),
  })
  .meta({ id: 'Transaction' })

const listedTransaction = z
  .strictObject({
    ...common,
    customer: z
      .strictObject({ id: uuid, name: z.string(), email: z.string(), document: z.string().nullable() })
      .nullable(),
  })
  .meta({ id: 'TransactionListItem' })

/** One page of transactions. */
export const transactionPage = pageOf(listedTransaction).meta({ id: 'TransactionPage' })

/** Filters of the list of transactions (TX-24). */
export const listTransactionsQuery = z.object({
  ...paging,
  status: z.enum(TRANSACTION_STATUSES).optional(),
  method: z.enum(METHODS).optional(),
  externalId: z.string().optional(),
  customerId: z.string().optional(),
  startDate: dateFilter.optional(),
  endDate: dateFilter.optional(),
})

/** Request of a simulation. */
export const simulateBody = z.object({ action: z.enum(SIMULATE_ACTIONS) }).meta({ id: 'SimulateTransaction' })

/** What a simulation answers. */
export const simulatedTransaction = z
  .strictObject({
    id: uuid,
    status: z.enum(TRANSACTION_STATUSES),
    simulatedAction: z.enum(SIMULATE_ACTIONS),
    completedAt: dateTime.nullable(),
    refundedAt: dateTime.nullable(),
    pix: z
      .strictObject({
        txId: z.string(),
        qrCode: z.null(),
        copyAndPaste: z.null(),
        expiresAt: z.null(),
      })
      .nullable(),
  })
  .meta({ id: 'SimulatedTransaction' })

const cardText = z.union([textUpTo(10), z.int()])

/** Request of a card tokenisation (TX-28). All five are needed; a missing one is bad card data (TX-07). */
export const tokenizeCardBody = z
  .object({
    cardNumber: textUpTo(30).optional(),
    cardHolderName: textUpTo(limits.MAX_SHORT_TEXT_UNITS).optional(),
    cardExpirationMonth: cardText.optional(),
    cardExpirationYear: cardText.optional(),
    cardCvv: textUpTo(10).optional(),
  })
  .meta({ id: 'TokenizeCard' })

/** What a card tokenisation answers. */
export const tokenizedCard = z
  .strictObject({ cardToken: z.string(), last4: z.string(), brand: z.string() })
  .meta({ id: 'TokenizedCard' })
