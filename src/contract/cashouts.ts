// Owns the schemas and endpoints of cashouts.
import { z } from 'zod'
import {
  centsOut,
  dateFilter,
  dateTime,
  endpoint,
  idParam,
  pageOf,
  paging,
  uuid,
  textUpTo,
} from './endpoint.ts'
import { CASHOUT_STATUSES, ENVIRONMENTS, PIX_KEY_TYPES } from './enums.ts'
import * as limits from './limits.ts'
import { amountIn, callbackUrl } from './transactions.ts'

const key = {
  pixKeyType: z.enum(PIX_KEY_TYPES),
  pixKey: z.string().meta({ description: 'masked' }),
  endToEndId: z.string().nullable(),
}
const stated = {
  id: uuid,
  amount: centsOut,
  fee: centsOut,
  netAmount: centsOut,
  status: z.enum(CASHOUT_STATUSES),
  crypto: z.null(),
  failureReason: z.string().nullable(),
  requestedAt: dateTime,
  completedAt: dateTime.nullable(),
  createdAt: dateTime,
}

/** The flat table of the contract. */
const cashoutItem = z.strictObject({ ...stated, ...key }).meta({ id: 'CashoutListItem' })

/** What creation, retrieval, cancellation and simulation answer; which parts is CO-02. */
const cashoutOut = z
  .strictObject({
    ...stated,
    pixKeyType: key.pixKeyType.optional(),
    pixKey: key.pixKey.optional(),
    endToEndId: key.endToEndId.optional(),
    pix: z.strictObject(key).optional(),
    externalId: z.string().nullable().optional(),
    currency: z.literal('BRL').optional(),
    environment: z.enum(ENVIRONMENTS).optional(),
    processedAt: dateTime.nullable().optional(),
  })
  .meta({ id: 'Cashout' })

const createCashout = endpoint({
  id: 'createCashout',
  method: 'POST',
  path: '/v1/cashouts',
  tag: 'Cashouts',
  summary: 'Asks for a cashout to a PIX key',
  permission: 'cashouts.write',
  body: z
    .object({
      amount: amountIn,
      pixKeyType: z.enum(PIX_KEY_TYPES),
      pixKey: textUpTo(limits.MAX_SHORT_TEXT_UNITS).min(1),
      externalId: textUpTo(limits.MAX_EXTERNAL_ID_UNITS).optional(),
      callbackUrl: callbackUrl.optional(),
    })
    .meta({ id: 'CreateCashout' }),
  data: cashoutOut,
  success: { choice: 'TX-02' },
  errors: [
    'validation_error',
    'field_too_long',
    'invalid_amount',
    'insufficient_balance',
    'forbidden',
    'payload_too_large',
  ],
  silences: ['TX-02', 'CO-01', 'CO-03', 'CO-06', 'CO-07', 'CO-08', 'CO-09', 'CO-10', 'CO-11'],
  authority: 'CO-01',
})

const listCashouts = endpoint({
  id: 'listCashouts',
  method: 'GET',
  path: '/v1/cashouts',
  tag: 'Cashouts',
  summary: 'Lists cashouts, newest first',
  permission: 'cashouts.read',
  query: z.object({
    ...paging,
    status: z.enum(CASHOUT_STATUSES).optional(),
    startDate: dateFilter.optional(),
    endDate: dateFilter.optional(),
    externalId: z.string().optional(),
  }),
  data: pageOf(cashoutItem).meta({ id: 'CashoutPage' }),
  errors: ['validation_error', 'not_found'],
  silences: ['CO-08', 'CO-11', 'CO-12', 'LI-02', 'LI-03'],
  authority: 'contract: GET /v1/cashouts',
})

const getCashout = endpoint({
  id: 'getCashout',
  method: 'GET',
  path: '/v1/cashouts/{id}',
  tag: 'Cashouts',
  summary: 'Reads one cashout',
  permission: 'cashouts.read',
  record: 'cashout',
  params: idParam('id'),
  data: cashoutOut,
  errors: ['not_found'],
  silences: ['CO-03', 'CO-04', 'CO-08', 'CO-11'],
  authority: 'CO-04',
})

const cancelCashout = endpoint({
  id: 'cancelCashout',
  method: 'POST',
  path: '/v1/cashouts/{id}/cancel',
  tag: 'Cashouts',
  summary: 'Cancels a pending cashout',
  permission: 'cashouts.write',
  record: 'cashout',
  params: idParam('id'),
  data: cashoutOut,
  errors: ['invalid_status', 'not_found'],
  silences: ['CO-03', 'CO-04', 'CO-08', 'CO-11'],
  authority: 'CO-04',
})

const simulateCashout = endpoint({
  id: 'simulateCashout',
  sandboxOnly: true,
  method: 'POST',
  path: '/v1/cashouts/{id}/simulate',
  tag: 'Cashouts',
  summary: 'Makes happen to a cashout what a bank would do',
  permission: 'cashouts.write',
  record: 'cashout',
  params: idParam('id'),
  body: z
    .object({
      action: z.union([z.enum(['complete', 'fail', 'reject']), z.literal([1, 2, 3])]),
    })
    .meta({ id: 'SimulateCashout' }),
  data: cashoutOut,
  errors: ['validation_error', 'invalid_status', 'sandbox_only', 'not_found', 'payload_too_large'],
  silences: ['CO-03', 'CO-04', 'CO-08', 'CO-11'],
  authority: 'CO-04',
})

/** Endpoints of cashouts. */
export const CASHOUT_ENDPOINTS = [
  createCashout,
  listCashouts,
  getCashout,
  cancelCashout,
  simulateCashout,
] as const
