// Owns the schema and endpoint of the balance.
import { z } from 'zod'
import { centsOut, dateTime, endpoint } from './endpoint.ts'

const withdrawal = {
  withdrawNowAvailable: centsOut.optional(),
  requiresFullWithdrawalNow: z.boolean().optional(),
}

const getBalance = endpoint({
  id: 'getBalance',
  method: 'GET',
  path: '/v1/balance',
  tag: 'Balance',
  summary: 'Reads the balance of the merchant',
  permission: 'balance.read',
  data: z
    .strictObject({
      currency: z.literal('BRL'),
      balance: z.strictObject({
        available: centsOut,
        pending: centsOut,
        reserved: centsOut,
        total: centsOut,
        ...withdrawal,
      }),
      totals: z.strictObject({
        lifetimeVolume: centsOut,
        lifetimePayouts: centsOut,
        lifetimeRefunds: centsOut,
      }),
      period: z.strictObject({
        volumeToday: centsOut,
        volumeThisWeek: centsOut,
        volumeThisMonth: centsOut,
      }),
      updatedAt: dateTime,
      ...withdrawal,
    })
    .meta({ id: 'Balance' }),
  errors: [],
  silences: ['BA-01', 'BA-02', 'BA-03'],
  authority: 'contract: GET /v1/balance',
})

/** Endpoints of the balance. */
export const BALANCE_ENDPOINTS = [getBalance] as const
