// Owns the silences about what happens to a transaction and its money after creation, and how it is listed.
import { z } from 'zod'
import { MAX_AMOUNT_CENTS } from '../limits.ts'
import { fixed, knob } from './row.ts'

const fee = z.strictObject({ bps: z.int().min(0).max(10_000), fixed: z.int().min(0).max(MAX_AMOUNT_CENTS) })
const days = z.int().min(0).max(365)

/** TX-08, TX-10 to TX-13 and TX-23 to TX-31: fees, refunds, settlement, expiry, lists, splits, tokenisation. */
export const TRANSACTION_MONEY_SILENCES = {
  'TX-08': knob({
    topic:
      'fee of a method: `bps` hundredths of a percent, rounded half up, plus `fixed` cents; never above the amount',
    section: 'Transaction',
    value: z.strictObject({ Pix: fee, Boleto: fee, CreditCard: fee }),
    choice: {
      Pix: { bps: 150, fixed: 0 },
      Boleto: { bps: 0, fixed: 350 },
      CreditCard: { bps: 399, fixed: 39 },
    },
    alternatives: 'any table',
    authority: 'Pix published; the rest ours',
  }),
  'TX-10': fixed({
    topic: 'refund in steps',
    section: 'States and transitions',
    choice: '`requestRefund` to Processing, then `settleRefund`, or `rejectRefund` back to the former status',
    authority: 'ours',
  }),
  'TX-11': fixed({
    topic: 'partial refunds',
    section: 'States and transitions',
    choice: 'from Completed or PartiallyRefunded until the sum reaches the amount, then Refunded',
    authority: 'ours',
  }),
  'TX-12': knob({
    topic:
      'days after its due date for which an unpaid boleto still waits; it expires at the end of the day in São Paulo',
    section: 'States and transitions',
    value: days,
    choice: 0,
    alternatives: '`1` to `365` days of grace',
    authority: 'ours',
  }),
  'TX-13': knob({
    topic: 'what D+2 counts, in São Paulo',
    section: 'Limits',
    value: z.enum(['calendarDays', 'businessDays']),
    choice: 'calendarDays',
    alternatives: '`businessDays` (Monday to Friday)',
    authority: 'ours',
  }),
  'TX-23': knob({
    topic: 'days until the money of a sale is available; it is pending until then',
    section: 'Balance',
    value: z.strictObject({ Pix: days, Boleto: days, CreditCard: days }),
    choice: { Pix: 0, Boleto: 1, CreditCard: 30 },
    alternatives: 'any numbers of days',
    authority: 'ours',
  }),
  'TX-24': fixed({
    topic: 'list of transactions',
    section: 'Other endpoints referenced',
    choice:
      '`GET /v1/transactions` with `status, method, externalId, customerId, startDate, endDate`; the creation view without pix, card and boleto, plus `customer`',
    authority: 'published',
  }),
  'TX-25': knob({
    topic: 'a card transaction that no rule touches',
    section: 'States and transitions',
    value: z.union([
      z.literal('pending'),
      z.strictObject({ confirmAfterSeconds: z.int().min(0).max(31_536_000) }),
    ]),
    choice: 'pending',
    alternatives: '`{ confirmAfterSeconds }`',
    authority: 'stated',
  }),
  'TX-26': fixed({
    topic: 'Production credentials',
    section: 'What the service does',
    choice: 'own records, apart from Sandbox ones; `simulate` is refused',
    authority: 'stated in part',
  }),
  'TX-27': knob({
    topic: 'what a percentage split counts from, rounded down to cents; the sum must fit in `netAmount`',
    section: 'Split object',
    value: z.enum(['gross', 'net']),
    choice: 'gross',
    alternatives: '`net`',
    authority: 'ours',
  }),
  'TX-28': knob({
    topic: 'card tokenisation: `POST /v1/card-tokenize`, a `ct_` token for 15 minutes and one use',
    section: 'Other endpoints referenced',
    value: z.enum(['supported', 'notSupported']),
    choice: 'supported',
    alternatives: '`notSupported` (422 `tokenization_not_supported`)',
    authority: 'published; lifetime ours',
  }),
  'TX-29': knob({
    topic:
      'money of a refund: the sale reversed in proportion, never refused for funds; available may go below zero',
    section: 'States and transitions',
    value: z.enum(['feeReturned', 'feeKept']),
    choice: 'feeReturned',
    alternatives: '`feeKept`: the gateway keeps its fee',
    authority: 'ours',
  }),
  'TX-30': knob({
    topic: 'leaving Expired, Failed, Cancelled and Refunded',
    section: 'States and transitions',
    value: z.enum(['never', 'latePayer']),
    choice: 'never',
    alternatives: '`latePayer`: `confirm` completes an Expired PIX',
    authority: 'ours',
  }),
  'TX-31': fixed({
    topic: 'how much of a transaction was refunded',
    section: 'Transaction',
    choice: 'not shown on the wire; only the status, the event and `refundedAt` tell',
    authority: 'the contract has no field',
  }),
}
