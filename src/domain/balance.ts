// Owns the balance of a merchant: what it may withdraw now, what it sold in which period, and funding it for tests.
import { addDays, dayOf, weekdayOf } from '../kernel/calendar.ts'
import { cents } from '../kernel/brands.ts'
import { BUCKETS, line, merchantAccount, outsideAccount } from './books.ts'
import { balanceOf, post, totalsOf } from './ledger.ts'
import { organizationOf } from './organizations.ts'
import { scopeKey } from './indexes.ts'
import type { Cents, Timestamp } from '../kernel/brands.ts'
import type { CalendarDay } from '../kernel/calendar.ts'
import type { Scope } from './records.ts'
import type { World } from './world.ts'

/** What a cashout may take. Source: BA-02. */
export interface Withdrawal {
  /** All of available; nothing while that is below zero. */
  withdrawNowAvailable: Cents
  requiresFullWithdrawalNow: boolean
}

/** What a cashout of a merchant may take now. */
export function withdrawalOf(world: World, scope: Scope): Withdrawal {
  const available = balanceOf(world, merchantAccount(scope, 'available'))
  const chosen = world.state.accounts[scopeKey(scope)]?.requiresFullWithdrawal
  return {
    withdrawNowAvailable: cents(Math.max(0, available)),
    requiresFullWithdrawalNow: chosen ?? world.choices.get('BA-02'),
  }
}

/** Decides whether a merchant's next cashout must take everything; null goes back to what BA-02 says. */
export function requireFullWithdrawal(world: World, scope: Scope, required: boolean | null): void {
  const { organizationId, environment } = scope
  world.state.accounts[scopeKey(scope)] = { organizationId, environment, requiresFullWithdrawal: required }
  world.changes?.record('accounts', scopeKey(scope))
}

/** Gives a merchant test money, available at once. */
export function fund(world: World, scope: Scope, amount: Cents): void {
  post(world, { ...scope, id: scope.organizationId }, 'funding', [
    line(outsideAccount('funding', scope.environment), -amount),
    line(merchantAccount(scope, 'available'), amount),
  ])
}

/** The balance as the contract shows it. Source: contract: Balance; BA-01, BA-03. */
export function readBalance(world: World, scope: Scope) {
  const [available, pending, reserved] = BUCKETS.map((bucket) =>
    balanceOf(world, merchantAccount(scope, bucket)),
  ) as [Cents, Cents, Cents]
  const withdrawal = withdrawalOf(world, scope)
  const inBalance = world.choices.get('BA-01') === 'inBalance'
  const { volume, payouts, refunds, volumeByDay } = totalsOf(world, scope)
  const today = dayOf(world.clock.now())
  const volumeFrom = (first: CalendarDay): Cents => {
    let sum = cents(0)
    for (const [day, sold] of volumeByDay) if (day >= first && day <= today) sum = cents(sum + sold)
    return sum
  }
  const [week, month] = periodStarts(world, today)
  return {
    currency: 'BRL' as const,
    balance: {
      available,
      pending,
      reserved,
      total: cents(available + pending + reserved),
      ...(inBalance ? withdrawal : {}),
    },
    totals: { lifetimeVolume: volume, lifetimePayouts: payouts, lifetimeRefunds: refunds },
    period: {
      volumeToday: volumeFrom(today),
      volumeThisWeek: volumeFrom(week),
      volumeThisMonth: volumeFrom(month),
    },
    updatedAt: movedAt(world, scope),
    ...(inBalance ? {} : withdrawal),
  }
}

/** First days of the week and month that the periods cover. Source: BA-03. */
function periodStarts(world: World, today: CalendarDay): [week: CalendarDay, month: CalendarDay] {
  if (world.choices.get('BA-03') === 'rollingDays') return [addDays(today, -6), addDays(today, -29)]
  const sinceMonday = (weekdayOf(today) + 6) % 7
  return [addDays(today, -sinceMonday), `${today.slice(0, 8)}01` as CalendarDay]
}

/** When the money of a merchant moved last; its creation when it never did. */
function movedAt(world: World, scope: Scope): Timestamp {
  const moves = BUCKETS.flatMap((bucket) => world.books.movedAt.get(merchantAccount(scope, bucket)) ?? [])
  return moves.toSorted().at(-1) ?? organizationOf(world, scope).createdAt
}
