// Owns the one table of endpoints of the gateway.
import { AUTH_ENDPOINTS } from './auth.ts'
import { BALANCE_ENDPOINTS } from './balance.ts'
import { CASHOUT_ENDPOINTS } from './cashouts.ts'
import { CUSTOMER_ENDPOINTS } from './customers.ts'
import { DISPUTE_ENDPOINTS } from './disputes.ts'
import { TRANSACTION_ENDPOINTS } from './transactionEndpoints.ts'

/** The table. */
export const ENDPOINTS = [
  ...AUTH_ENDPOINTS,
  ...TRANSACTION_ENDPOINTS,
  ...CUSTOMER_ENDPOINTS,
  ...BALANCE_ENDPOINTS,
  ...CASHOUT_ENDPOINTS,
  ...DISPUTE_ENDPOINTS,
] as const

/** A row of the table, by its operation id. */
export type EndpointOf<Id extends OperationId> = Extract<(typeof ENDPOINTS)[number], { id: Id }>

/** Operation id of an endpoint. */
export type OperationId = (typeof ENDPOINTS)[number]['id']

/** All operation ids, in the order of the table. */
export const OPERATION_IDS: readonly OperationId[] = ENDPOINTS.map(({ id }) => id)
