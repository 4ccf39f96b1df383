// Owns the knobs that the model knows, and what worlds of programs begin with.
import type { Method } from '../../../src/contract/enums.ts'

/** The knobs that the model knows. */
export interface Knobs {
  'TX-02': number
  'TX-04': 'allowed' | 'rejected' | 'returnsFirst'
  'TX-08': Record<Method, { bps: number; fixed: number }>
  'TX-23': Record<Method, number>
  'TX-29': 'feeReturned' | 'feeKept'
  'TX-30': 'never' | 'latePayer'
  'DI-02': 'MerchantResponded' | 'staysOpen'
  'DI-03': number | 'none'
  'DI-05': { hold: 'available' | 'none' | 'availableAndPending'; debit: 'whole' | 'heldPart' }
  'DI-10': 'refunded' | 'stays'
  'CO-05': { feeCents: number; minimumCents: number }
  'CO-13': 'ceiling' | 'exact'
  'BA-02': boolean
  'AU-02': 'rate_limit_exceeded' | 'auth_rate_limit_exceeded'
  'AU-04': 'issuedSlidingHour' | 'attemptsSlidingHour'
  'AU-08': 'everyCall' | 'tokenOnly'
  'AU-13': number | 'off'
  'LI-01': 'refused' | 'clamped'
  'LI-04': 'empty' | 'notFound'
}

/** The knobs that every world begins with, as the list of silences says; but for tokens, of which programs get as many as they want. */
export const FIRST_KNOBS: Knobs = {
  'TX-02': 201,
  'TX-04': 'allowed',
  'TX-08': {
    Pix: { bps: 150, fixed: 0 },
    Boleto: { bps: 0, fixed: 350 },
    CreditCard: { bps: 399, fixed: 39 },
  },
  'TX-23': { Pix: 0, Boleto: 1, CreditCard: 30 },
  'TX-29': 'feeReturned',
  'TX-30': 'never',
  'DI-02': 'MerchantResponded',
  'DI-03': 7,
  'DI-05': { hold: 'available', debit: 'whole' },
  'DI-10': 'refunded',
  'CO-05': { feeCents: 200, minimumCents: 100 },
  'CO-13': 'ceiling',
  'BA-02': false,
  'AU-02': 'rate_limit_exceeded',
  'AU-04': 'issuedSlidingHour',
  'AU-08': 'everyCall',
  'AU-13': 'off',
  'LI-01': 'refused',
  'LI-04': 'empty',
}
