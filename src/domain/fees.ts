// Owns the fee of a transaction.
import { basisPoints, cents, shareHalfUp } from '../kernel/brands.ts'
import type { Method } from '../contract/enums.ts'
import type { Cents } from '../kernel/brands.ts'
import type { World } from './world.ts'

/** The fee of a sale in cents; never above the amount. Source: TX-08. */
export function feeOf(world: World, method: Method, amount: Cents): Cents {
  const { bps, fixed } = world.choices.get('TX-08')[method]
  return cents(Math.min(amount, shareHalfUp(amount, basisPoints(bps)) + fixed))
}
