// Owns the handler of the balance.
import { readBalance } from '../domain/balance.ts'
import type { Handlers } from './handler.ts'

/** Handler of the balance. */
export const BALANCE_HANDLERS: Handlers<'getBalance'> = {
  getBalance: ({ world, scope }) => ({ data: readBalance(world, scope) }),
}
