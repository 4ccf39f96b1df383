// Owns the shape of what a world is given: records in any status, money, and the names by which entries find each other.
import { z } from 'zod'
import { CASHOUT_ENDPOINTS } from '../contract/cashouts.ts'
import { CUSTOMER_ENDPOINTS } from '../contract/customers.ts'
import * as enums from '../contract/enums.ts'
import {
  MAX_AMOUNT_CENTS,
  MAX_DESCRIPTION_UNITS,
  MAX_DISPUTE_TEXT_UNITS,
  MAX_SHORT_TEXT_UNITS,
} from '../contract/limits.ts'
import { createTransactionBody } from '../contract/transactions.ts'
import { parseDocument } from '../domain/documents.ts'
import * as records from '../domain/records.ts'
import { parseDuration } from '../kernel/time.ts'
import { eitherForm } from './forms.ts'

/** Entries of one kind. */
const MAX_ENTRIES = 1_000

const as = z
  .string()
  .regex(/^[A-Za-z_]\w{0,39}$/, 'is a name of letters, digits and underscores, such as sale')
  .optional()
  .meta({ description: 'a name for later entries and for the answer' })
const reference = z
  .string()
  .max(MAX_SHORT_TEXT_UNITS)
  .meta({ description: 'an id, or the name of an entry before: ana, $ana or $ana.id' })
const reason = z.string().min(1).max(MAX_DESCRIPTION_UNITS)
const shortText = z.string().min(1).max(MAX_SHORT_TEXT_UNITS)
const [createCustomer] = CUSTOMER_ENDPOINTS
const [createCashout] = CASHOUT_ENDPOINTS

const owner = {
  organization: reference.optional(),
  environment: z.enum(enums.ENVIRONMENTS).default('Sandbox'),
}

const organization = z.strictObject({
  as,
  name: shortText.default('Loja Exemplo'),
  maySplit: z.boolean().default(true),
  pixKeys: z.array(shortText).max(100).default([]),
})

const credential = z.strictObject({
  as,
  ...owner,
  permissions: z.array(z.enum(enums.PERMISSIONS)).optional(),
  allowedIps: z.array(z.string()).max(100).optional(),
  active: z.boolean().optional(),
})

const customer = z.strictObject({
  as,
  ...owner,
  ...createCustomer.body.shape,
  status: z.enum(enums.CUSTOMER_STATUSES).optional(),
})

const transaction = z.strictObject({
  as,
  ...owner,
  ...createTransactionBody.shape,
  status: z.enum(enums.TRANSACTION_STATUSES).default('Pending'),
  refundAmount: z.int().min(1).max(MAX_AMOUNT_CENTS).optional().meta({
    description: 'cents that went back (PartiallyRefunded; half) or are asked back (Processing; all)',
  }),
  reason: reason.optional().meta({ description: 'why it is Failed or Cancelled' }),
  payer: z
    .strictObject({
      name: shortText.optional(),
      document: shortText
        .refine((typed) => parseDocument(typed) !== null, 'must be a CPF or CNPJ')
        .optional(),
      bank: shortText.optional(),
    })
    .optional()
    .meta({ description: 'who paid' }),
})

const cashout = z.strictObject({
  as,
  ...owner,
  ...createCashout.body.shape,
  status: z.enum(enums.CASHOUT_STATUSES).default('Pending'),
  reason: reason.optional().meta({ description: 'why it is Failed or Rejected' }),
})

const dispute = z.strictObject({
  as,
  transaction: reference,
  amount: z.int().optional(),
  reason: z.enum(enums.DISPUTE_REASONS).optional(),
  reasonDescription: z.string().max(MAX_DESCRIPTION_UNITS).optional(),
  deadline: z
    .string()
    .refine((typed) => parseDuration(typed) !== null, 'is no duration; use 5s, 31m, 25h or 7d')
    .optional()
    .meta({ description: 'time to respond, such as 7d' }),
  status: z.enum(enums.DISPUTE_STATUSES).default('Open'),
  text: z
    .string()
    .min(1)
    .max(MAX_DISPUTE_TEXT_UNITS)
    .optional()
    .meta({ description: 'what the merchant responded' }),
})

const money = z.strictObject({
  ...owner,
  fund: z.int().min(1).max(MAX_AMOUNT_CENTS).optional(),
  requireFullWithdrawal: z.boolean().nullable().optional(),
})

/** What a world is given. */
export const given = z
  .strictObject({
    organizations: z.array(organization).max(MAX_ENTRIES).default([]),
    credentials: z.array(credential).max(MAX_ENTRIES).default([]),
    customers: z.array(customer).max(MAX_ENTRIES).default([]),
    transactions: z.array(transaction).max(MAX_ENTRIES).default([]),
    cashouts: z.array(cashout).max(MAX_ENTRIES).default([]),
    disputes: z.array(dispute).max(MAX_ENTRIES).default([]),
    balance: eitherForm(money, z.array(money).max(MAX_ENTRIES), Array.isArray).default([]),
  })
  .meta({ id: 'Given', description: 'records that are there without any call; no webhook of them is sent' })

/** What a world is given, with its defaults. */
export type Given = z.output<typeof given>
/** What a world is given, as it is written. */
export type GivenInput = z.input<typeof given>

/** A credential that was given, with its secret, which is told only once. */
const newCredential = records.credentialRecord
  .omit({ secretDigest: true })
  .extend({ secretKey: z.string() })
  .meta({ id: 'GivenCredential' })

/** A record that was given, as stored. */
export const givenRecord = z.union([
  records.organizationRecord,
  newCredential,
  records.customerRecord,
  records.transactionRecord,
  records.cashoutRecord,
  records.disputeRecord,
])

/** Records that were given, by their names. */
export const givenNames = z.record(z.string(), givenRecord)
/** Records that were given, by their names. */
export type GivenNames = z.output<typeof givenNames>
/** A record that was given. */
export type GivenRecord = z.output<typeof givenRecord>
