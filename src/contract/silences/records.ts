// Owns the silences about customers, the balance and disputes.
import { z } from 'zod'
import { MAX_URL_UNITS } from '../limits.ts'
import { fixed, knob } from './row.ts'

/** CU and BA: customers and the balance. */
export const CUSTOMER_AND_BALANCE_SILENCES = {
  'CU-01': fixed({
    topic: 'creation of a customer',
    section: 'Other endpoints referenced',
    choice: '`POST /v1/customers`, `name` and `email` required; a taken `externalId` is 409 `conflict`',
    authority: 'published',
  }),
  'CU-02': fixed({
    topic: 'address of a customer',
    section: 'Customer',
    choice: 'in: flat `addressStreet` and so on; out: `address` with eight fields, or null',
    authority: 'published',
  }),
  'CU-03': fixed({
    topic: 'reading and updating a customer',
    section: 'Other endpoints referenced',
    choice: '`GET` and `PATCH /v1/customers/{id}`; `externalId` cannot change',
    authority: 'published',
  }),
  'CU-04': knob({
    topic: '`document` in responses',
    section: 'Customer',
    value: z.enum(['formatted', 'digits']),
    choice: 'formatted',
    alternatives: '`digits`',
    authority: 'published',
  }),
  'CU-05': knob({
    topic: 'check digits of documents in requests; what the sandbox makes is always valid',
    section: 'Customer',
    value: z.enum(['unchecked', 'checked']),
    choice: 'unchecked',
    alternatives: '`checked`',
    authority: 'published samples fail them',
  }),
  'CU-06': fixed({
    topic: 'filters of the list of customers',
    section: 'GET /v1/customers',
    choice: '`page, pageSize, status, documentType, search, externalId`; the search ignores case and accents',
    authority: 'published',
  }),
  'CU-08': knob({
    topic: 'what `metadata` of a customer may be',
    section: 'Customer',
    value: z.enum(['json', 'anyText']),
    choice: 'json',
    alternatives: '`anyText`',
    authority: 'published',
  }),
  'BA-01': knob({
    topic: 'place of `withdrawNowAvailable` and `requiresFullWithdrawalNow`',
    section: 'Balance',
    value: z.enum(['inBalance', 'inData']),
    choice: 'inBalance',
    alternatives: '`inData`: at the top of `data`',
    authority: 'published',
  }),
  'BA-02': knob({
    topic:
      'value of `requiresFullWithdrawalNow` until the control API sets it; `withdrawNowAvailable` is all of available',
    section: 'Balance',
    value: z.boolean(),
    choice: false,
    alternatives: '`true`',
    authority: 'ours',
  }),
  'BA-03': knob({
    topic: 'periods of the volumes; a day is a calendar day in São Paulo',
    section: 'Balance',
    value: z.enum(['rollingDays', 'calendar']),
    choice: 'rollingDays',
    alternatives: '`calendar`: from Monday, from the first of the month; else the last 7 and 30 days',
    authority: 'published',
  }),
}

/** DI: disputes. */
export const DISPUTE_SILENCES = {
  'DI-01': fixed({
    topic: 'reading disputes',
    section: 'Other endpoints referenced',
    choice:
      '`GET /v1/disputes` with `page, pageSize, status, reason, paymentId, startDate, endDate`, `GET /v1/disputes/{id}`; permission `disputes.read`',
    authority: 'ours',
  }),
  'DI-02': knob({
    topic: 'whether a response changes the status; it can be replaced until the deadline',
    section: 'States and transitions',
    value: z.enum(['MerchantResponded', 'staysOpen']),
    choice: 'MerchantResponded',
    alternatives: '`staysOpen`',
    authority: 'ours',
  }),
  'DI-03': knob({
    topic: 'days to respond to a dispute; passed without a response it expires',
    section: 'Dispute',
    value: z.union([z.literal('none'), z.int().min(1).max(365)]),
    choice: 7,
    alternatives: '`none`, or `1` to `365`',
    authority: 'ours',
  }),
  'DI-04': fixed({
    topic: 'transitions of a dispute',
    section: 'States and transitions',
    choice:
      'Open is responded to; open ones are reviewed; responded or reviewed ones are won or lost; any open one is cancelled',
    authority: 'ours',
  }),
  'DI-05': knob({
    topic: 'money held for a dispute, and what is debited when it is lost',
    section: 'Dispute',
    value: z.strictObject({
      hold: z.enum(['available', 'none', 'availableAndPending']),
      debit: z.enum(['whole', 'heldPart']),
    }),
    choice: { hold: 'available', debit: 'whole' },
    alternatives: '`hold: none` or `availableAndPending`; `debit: heldPart`',
    authority: 'ours',
  }),
  'DI-06': fixed({
    topic: 'evidence of a dispute',
    section: 'Other endpoints referenced',
    choice:
      '`POST /v1/disputes/{id}/evidences`, multipart `file` and `description`; pdf, png, jpeg; 10 MiB a file, 10 files; the link lives 15 minutes',
    authority: 'ours',
  }),
  'DI-07': fixed({
    topic: 'codes of the dispute endpoints',
    section: 'Errors',
    choice: '`dispute_closed`, `dispute_expired`, `validation_error`, `not_found`, `conflict`',
    authority: 'ours',
  }),
  'DI-08': fixed({
    topic: 'how a merchant meets the 409 of a dispute',
    section: 'PUT /v1/disputes/{id}/response',
    choice: 'optional `If-Match` with the `ETag` of the dispute, and the fault `dispute_changed`',
    authority: 'ours',
  }),
  'DI-09': knob({
    topic: 'webhooks of disputes',
    section: 'Events',
    value: z.union([z.literal('none'), z.strictObject({ url: z.url().max(MAX_URL_UNITS) })]),
    choice: 'none',
    alternatives: '`{ url }`: `dispute.*` events to that address',
    authority: 'the contract shows none',
  }),
  'DI-10': knob({
    topic: 'the transaction of a lost or expired dispute',
    section: 'States and transitions',
    value: z.enum(['refunded', 'stays']),
    choice: 'refunded',
    alternatives: '`stays`; refunded is with its event',
    authority: 'ours',
  }),
}
