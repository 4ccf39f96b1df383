// Owns the one table of silences: every point that the contract leaves open, our choice, and on whose authority.
import { AUTHENTICATION_SILENCES } from './silences/authentication.ts'
import { CASHOUT_SILENCES } from './silences/cashouts.ts'
import { TRANSACTION_MONEY_SILENCES } from './silences/money.ts'
import { CUSTOMER_AND_BALANCE_SILENCES, DISPUTE_SILENCES } from './silences/records.ts'
import { TRANSACTION_SILENCES } from './silences/transactions.ts'
import { WEBHOOK_SILENCES, WIRE_SILENCES } from './silences/wire.ts'
import type { Silence } from './silences/row.ts'

/** The table. Rows whose `value` is not null are knobs of a world. */
export const SILENCES = {
  ...AUTHENTICATION_SILENCES,
  ...TRANSACTION_SILENCES,
  ...TRANSACTION_MONEY_SILENCES,
  ...CASHOUT_SILENCES,
  ...CUSTOMER_AND_BALANCE_SILENCES,
  ...DISPUTE_SILENCES,
  ...WEBHOOK_SILENCES,
  ...WIRE_SILENCES,
}

/** Id of a silence, such as `TX-03`. */
export type SilenceId = keyof typeof SILENCES

/** What a world answers at a silence. */
export type ChoiceOf<Id extends SilenceId> = (typeof SILENCES)[Id]['choice']

/** All ids, sorted. */
export const SILENCE_IDS = (Object.keys(SILENCES) as SilenceId[]).toSorted()

/** The row of a silence, whatever its value. */
export function silence(id: SilenceId): Silence<unknown> {
  return SILENCES[id]
}

/** Whether a text is the id of a silence. */
export function isSilenceId(text: string): text is SilenceId {
  return Object.hasOwn(SILENCES, text)
}
