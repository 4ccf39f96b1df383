// Owns the silences about cashouts.
import { z } from 'zod'
import { MAX_AMOUNT_CENTS, MIN_AMOUNT_CENTS } from '../limits.ts'
import { fixed, knob } from './row.ts'

const section = 'Cashout'

/** CO: cashouts. */
export const CASHOUT_SILENCES = {
  'CO-01': fixed({
    topic: 'creation of a cashout',
    section: 'Other endpoints referenced',
    choice: '`POST /v1/cashouts` with `amount, pixKeyType, pixKey, externalId?, callbackUrl?`',
    authority: 'published',
  }),
  'CO-02': knob({
    topic: 'shape of a cashout on create, get and simulate; list items keep the flat table of the contract',
    section,
    value: z.enum(['both', 'flat', 'nested']),
    choice: 'both',
    alternatives: '`flat` (the contract’s table); `nested` (the key only inside `pix`)',
    authority: 'contract and published differ',
  }),
  'CO-03': fixed({
    topic: 'transitions of a cashout',
    section: 'States and transitions',
    choice:
      'Pending is processed, rejected or cancelled; Pending or Processing completes or fails; nothing else moves',
    authority: 'published and ours',
  }),
  'CO-04': fixed({
    topic: 'other endpoints of cashouts',
    section: 'Other endpoints referenced',
    choice:
      '`GET /v1/cashouts/{id}`; `POST .../cancel` while Pending; `POST .../simulate` with `complete`, `fail`, `reject` or 1, 2, 3',
    authority: 'published',
  }),
  'CO-05': knob({
    topic: 'fee of a cashout, inside the amount, and the smallest amount; the amount must be above the fee',
    section,
    value: z.strictObject({
      feeCents: z.int().min(0).max(MAX_AMOUNT_CENTS),
      minimumCents: z.int().min(MIN_AMOUNT_CENTS).max(MAX_AMOUNT_CENTS),
    }),
    choice: { feeCents: 200, minimumCents: MIN_AMOUNT_CENTS },
    alternatives: 'any numbers',
    authority: 'fee published; the rest ours',
  }),
  'CO-06': fixed({
    topic: 'order of the refusals of a cashout',
    section: 'Balance',
    choice:
      '`invalid_amount` when the full withdrawal is required and the amount differs, then `insufficient_balance` above `withdrawNowAvailable`',
    authority: 'published; the first ours',
  }),
  'CO-07': fixed({
    topic: 'balance during a cashout',
    section: 'Balance',
    choice: 'creation reserves the amount; Completed takes it out; Failed, Rejected and Cancelled return it',
    authority: 'published in part',
  }),
  'CO-08': fixed({
    topic: 'masks of PIX keys and documents',
    section,
    choice: 'CPF `***456789**`, e-mail `m***@example.com`; the others keep only a middle or an end',
    authority: 'published for the first two',
  }),
  'CO-09': fixed({
    topic: 'values of `pixKeyType`',
    section,
    choice:
      '`CPF`, `CNPJ`, `Email`, `Phone`, `Random`; the key must fit; punctuation of documents is dropped',
    authority: 'published',
  }),
  'CO-10': fixed({
    topic: 'a credential without `cashouts.allowAnyPixKey`',
    section: 'Authentication',
    choice: 'only keys registered to the merchant, else 403 `forbidden`',
    authority: 'published in part',
  }),
  'CO-11': fixed({ topic: '`crypto` of a cashout', section, choice: null, authority: 'ours' }),
  'CO-12': fixed({
    topic: 'filters of the list of cashouts',
    section: 'GET /v1/cashouts',
    choice: '`page, pageSize, status, startDate, endDate, externalId`',
    authority: 'published',
  }),
  'CO-13': knob({
    topic: 'whether a cashout must take all of `withdrawNowAvailable`',
    section: 'Balance',
    value: z.enum(['ceiling', 'exact']),
    choice: 'ceiling',
    alternatives: '`exact`; exact is always asked when `requiresFullWithdrawalNow` is true',
    authority: 'the second sentence of the contract narrows the first',
  }),
}
