// Owns the silences about transactions: names, creation, and what a transaction looks like.
import { z } from 'zod'
import { MAX_PIX_EXPIRATION_MINUTES, MIN_PIX_EXPIRATION_MINUTES } from '../limits.ts'
import { fixed, knob } from './row.ts'

const section = 'Transaction'
const wireName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/, 'a name of letters, digits and underscores')

/** TX-01 to TX-09 and TX-14 to TX-22: creation and shape. */
export const TRANSACTION_SILENCES = {
  'TX-01': knob({
    topic: 'names of the request fields that the contract hides',
    section: 'POST /v1/transactions',
    value: z.strictObject({
      pixExpirationMinutes: wireName,
      customerDocument: wireName,
      customerEmail: wireName,
      customerPhone: wireName,
      boletoDueDate: wireName,
      boletoInstructions: wireName,
      installments: wireName,
    }),
    choice: {
      pixExpirationMinutes: 'pixExpirationMinutes',
      customerDocument: 'customerDocument',
      customerEmail: 'customerEmail',
      customerPhone: 'customerPhone',
      boletoDueDate: 'boletoDueDate',
      boletoInstructions: 'boletoInstructions',
      installments: 'installments',
    },
    alternatives: 'any name for any of them',
    authority: 'published',
  }),
  'TX-02': knob({
    topic: 'status of a successful creation of a transaction, customer or cashout',
    section: 'Endpoints',
    value: z.literal([201, 200]),
    choice: 201,
    alternatives: '`200`',
    authority: 'published',
  }),
  'TX-03': knob({
    topic: 'minutes to pay a PIX when the request names none',
    section: 'Limits',
    value: z.int().min(MIN_PIX_EXPIRATION_MINUTES).max(MAX_PIX_EXPIRATION_MINUTES),
    choice: 30,
    alternatives: '`5` to `1440`',
    authority: 'published',
  }),
  'TX-04': knob({
    topic: 'the same `externalId` twice',
    section,
    value: z.enum(['allowed', 'rejected', 'returnsFirst']),
    choice: 'allowed',
    alternatives: '`rejected` (409 `conflict`); `returnsFirst`',
    authority: 'ours',
  }),
  'TX-05': knob({
    topic: 'letter case of listed values in requests; answers use the contract’s own case',
    section,
    value: z.enum(['any', 'exact']),
    choice: 'any',
    alternatives: '`exact`',
    authority: 'published',
  }),
  'TX-06': knob({
    topic: 'code of other refusals of a creation (splits, customer or due date of a boleto, lengths)',
    section: 'Errors',
    value: z.enum(['validation_error', 'specific']),
    choice: 'validation_error',
    alternatives:
      '`specific`: `invalid_splits`, `customer_required`, `invalid_due_date`, `field_too_long`; the message names the field either way',
    authority: 'ours',
  }),
  'TX-07': knob({
    topic: 'code for bad card data',
    section: 'Errors',
    value: z.enum(['invalid_card_data', 'validation_error']),
    choice: 'invalid_card_data',
    alternatives: '`validation_error`',
    authority: 'published',
  }),
  'TX-09': fixed({
    topic: 'from where to where simulate `expire`, `fail` and `refund` lead',
    section: 'States and transitions',
    choice: 'Pending to Expired, Pending to Failed, Completed to Refunded',
    authority: 'published',
  }),
  'TX-14': fixed({
    topic: 'fields of `card`',
    section,
    choice: '`lastFour`, `brand` (such as `Visa`), `installments`, `authorizationCode`',
    authority: 'published',
  }),
  'TX-15': knob({
    topic: 'form of `boleto`: all strings, `pdfUrl` served by the sandbox; the bank code is fictitious',
    section,
    value: z.strictObject({
      line: z.enum(['formatted', 'plain']),
      dueDate: z.enum(['dateTime', 'date']),
      bank: z.string().regex(/^\d{3}$/, 'three digits'),
    }),
    choice: { line: 'formatted', dueDate: 'dateTime', bank: '999' },
    alternatives: '`line: plain`; `dueDate: date`; any `bank` of three digits',
    authority: 'published; barcode ours',
  }),
  'TX-16': fixed({
    topic: 'form of `pix.txId`',
    section: 'Pix object',
    choice: '32 letters and digits (26 to 35 are allowed)',
    authority: 'central bank API',
  }),
  'TX-17': knob({
    topic: 'form of `pix.copyAndPaste`',
    section: 'Pix object',
    value: z.strictObject({
      kind: z.enum(['dynamic', 'static']),
      host: z
        .string()
        .regex(/^(?=.{1,30}$)[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'a host name with a dot, of at most 30 characters'),
    }),
    choice: { kind: 'dynamic', host: 'pix.example.com' },
    alternatives: '`kind: static` (a random key and the amount in the code); any `host`',
    authority: 'central bank manual',
  }),
  'TX-18': fixed({
    topic: 'where `qrCode` appears',
    section: 'Pix object',
    choice: 'a PNG data URI of the copy-and-paste code on retrieval; null on creation and on simulate',
    authority: 'stated',
  }),
  'TX-19': knob({
    topic: 'what `metadata` of a transaction may be',
    section,
    value: z.enum(['json', 'anyText']),
    choice: 'json',
    alternatives: '`anyText`',
    authority: 'ours',
  }),
  'TX-20': knob({
    topic: 'when a customer given inline is one that exists (same merchant and environment)',
    section: 'POST /v1/transactions',
    value: z.enum(['sameDocumentOrEmail', 'alwaysNew']),
    choice: 'sameDocumentOrEmail',
    alternatives: '`alwaysNew`',
    authority: 'ours',
  }),
  'TX-21': fixed({
    topic: 'e-mail of a customer given inline without one',
    section: 'POST /v1/transactions',
    choice: '`<document or id>@sandbox.invalid`',
    authority: 'ours',
  }),
  'TX-22': fixed({
    topic: 'payer of a simulated payment',
    section: 'Pix object',
    choice:
      'the linked customer, else the payer fields of the request, else a generated person; the document masked',
    authority: 'ours',
  }),
}
