// Owns the one table of handlers: one for each endpoint, checked by the compiler.
import { AUTH_HANDLERS } from './auth.ts'
import { BALANCE_HANDLERS } from './balance.ts'
import { CASHOUT_HANDLERS } from './cashouts.ts'
import { CUSTOMER_HANDLERS } from './customers.ts'
import { DISPUTE_HANDLERS } from './disputes.ts'
import { TRANSACTION_HANDLERS } from './transactions.ts'
import type { OperationId } from '../contract/endpoints.ts'
import type { Handlers } from './handler.ts'

/** The table. An endpoint that is declared and has no handler here does not compile. */
export const HANDLERS: Handlers<OperationId> = {
  ...AUTH_HANDLERS,
  ...TRANSACTION_HANDLERS,
  ...CUSTOMER_HANDLERS,
  ...BALANCE_HANDLERS,
  ...CASHOUT_HANDLERS,
  ...DISPUTE_HANDLERS,
}
