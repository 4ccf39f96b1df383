// Owns the one table of handlers: one for each built endpoint, checked by the compiler.
import { AUTH_HANDLERS } from './auth.ts'
import { CUSTOMER_HANDLERS } from './customers.ts'
import { TRANSACTION_HANDLERS } from './transactions.ts'
import type { BuiltOperationId, Handlers } from './handler.ts'

/** The table. An endpoint that is declared as built and has no handler here does not compile. */
export const HANDLERS: Handlers<BuiltOperationId> = {
  ...AUTH_HANDLERS,
  ...TRANSACTION_HANDLERS,
  ...CUSTOMER_HANDLERS,
}
