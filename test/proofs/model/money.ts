// Owns the model's money: every movement of cents that the rules name, worked out from their words.
import type { Contest, Env, Life, Method, Org, Payout, Sale } from './world.ts'

const DAY_MS = 86_400_000

type Line = readonly [account: string, amount: number]

/** An account of a merchant. */
export function bucket(
  { org, env }: { org: Org; env: Env },
  name: 'available' | 'pending' | 'reserved',
): string {
  return `${name}:${org}:${env}`
}

/** Cents of an account. */
export function inAccount(life: Life, account: string): number {
  return life.balances[account] ?? 0
}

/** `whole * part / of`, rounded down, exactly. */
export function share(whole: number, part: number, of: number): number {
  return Number((BigInt(whole) * BigInt(part)) / BigInt(of))
}

/** The fee of a sale: a part rounded half up, and something fixed; never above the amount. */
export function feeOf({ knobs }: Life, method: Method, amount: number): number {
  const { bps, fixed } = knobs['TX-08'][method]
  const part = Number((BigInt(amount) * BigInt(bps) + 5_000n) / 10_000n)
  return Math.min(amount, part + fixed)
}

/** Moves money; accounts that get nothing are no part of it, and a movement of nothing is none. */
function move(life: Life, reason: string, subject: string, entries: readonly Line[]): void {
  const lines: Record<string, number> = {}
  for (const [account, amount] of entries) lines[account] = (lines[account] ?? 0) + amount
  const moved = Object.entries(lines).filter(([, amount]) => amount !== 0)
  if (moved.length === 0) return
  for (const [account, amount] of moved) life.balances[account] = inAccount(life, account) + amount
  life.moves.push({ at: life.now, reason, subject, lines: Object.fromEntries(moved) })
}

/** Gives test money. */
export function fund(life: Life, scope: { org: Org; env: Env }, amount: number): void {
  move(life, 'funding', `funding/${scope.org}`, [
    [`funding:${scope.env}`, -amount],
    [bucket(scope, 'available'), amount],
  ])
}

/** A sale is paid: the fee to the gateway, shares to their receivers, the rest at once or later. Answers when. */
export function sell(life: Life, sale: Sale, subject: string): number | null {
  const { env, amount, fee, splits, method } = sale
  const rest = amount - fee - splits.reduce((sum, each) => sum + each.share, 0)
  const days = life.knobs['TX-23'][method]
  sale.unsettled = days > 0 ? rest : 0
  move(life, 'sale', subject, [
    [`payers:${env}`, -amount],
    [`gateway:${env}`, fee],
    ...splits.map((each): Line => [bucket({ org: each.to, env }, 'available'), each.share]),
    [bucket(sale, days > 0 ? 'pending' : 'available'), rest],
  ])
  return sale.unsettled > 0 ? life.now + days * DAY_MS : null
}

/** Money goes back: fee and shares in proportion and cumulatively, the rest from the merchant. */
export function giveBack(life: Life, sale: Sale, subject: string, amount: number): void {
  const { env, splits } = sale
  const part = (whole: number): number =>
    share(whole, sale.refunded + amount, sale.amount) - share(whole, sale.refunded, sale.amount)
  const fee = life.knobs['TX-29'] === 'feeReturned' ? part(sale.fee) : 0
  const shares = splits.map((each): Line => [bucket({ org: each.to, env }, 'available'), -part(each.share)])
  const borne = amount - fee + shares.reduce((sum, [, each]) => sum + each, 0)
  const fromPending = Math.min(sale.unsettled, Math.max(0, borne))
  sale.unsettled -= fromPending
  sale.refunded += amount
  move(life, 'refund', subject, [
    [`payers:${env}`, amount],
    [`gateway:${env}`, -fee],
    ...shares,
    [bucket(sale, 'pending'), -fromPending],
    [bucket(sale, 'available'), fromPending - borne],
  ])
}

/** What was pending of a sale becomes available. */
export function settle(life: Life, sale: Sale, subject: string): void {
  const { unsettled } = sale
  sale.unsettled = 0
  move(life, 'settlement', subject, [
    [bucket(sale, 'pending'), -unsettled],
    [bucket(sale, 'available'), unsettled],
  ])
}

/** A cashout is asked for, paid, or given back. */
export function withdraw(
  life: Life,
  payout: Payout,
  subject: string,
  how: 'reserve' | 'payOut' | 'giveBack',
): void {
  const { env, amount, fee } = payout
  const [available, reserved] = [bucket(payout, 'available'), bucket(payout, 'reserved')]
  const lines: Record<typeof how, Line[]> = {
    reserve: [
      [available, -amount],
      [reserved, amount],
    ],
    payOut: [
      [reserved, -amount],
      [`bank:${env}`, amount - fee],
      [`gateway:${env}`, fee],
    ],
    giveBack: [
      [reserved, -amount],
      [available, amount],
    ],
  }
  move(life, how, subject, lines[how])
}

/** A dispute holds what there is of its amount. */
export function hold(life: Life, contest: Contest, sale: Sale, subject: string): void {
  const { hold: from } = life.knobs['DI-05']
  const available = Math.max(0, inAccount(life, bucket(contest, 'available')))
  const first = from === 'none' ? 0 : Math.min(contest.amount, available)
  const second = from === 'availableAndPending' ? Math.min(contest.amount - first, sale.unsettled) : 0
  sale.unsettled -= second
  contest.taken = first + second
  contest.held = first + second
  contest.hold = contest.taken === 0 ? 'None' : 'Held'
  move(life, 'hold', subject, [
    [bucket(contest, 'available'), -first],
    [bucket(contest, 'pending'), -second],
    [bucket(contest, 'reserved'), first + second],
  ])
}

/** A dispute lets go of what it held. */
export function release(life: Life, contest: Contest, subject: string): void {
  const { held } = contest
  if (held === 0) return
  contest.held = 0
  contest.hold = 'Released'
  move(life, 'release', subject, [
    [bucket(contest, 'reserved'), -held],
    [bucket(contest, 'available'), held],
  ])
}

/** A lost dispute pays the payer: what is held first, the rest from available. Answers how much. */
export function debit(life: Life, contest: Contest, subject: string): number {
  const { amount, taken, held, env } = contest
  const whole = life.knobs['DI-05'].debit === 'whole' ? amount : taken
  if (whole === 0) return 0
  contest.held = 0
  contest.hold = 'Debited'
  move(life, 'debit', subject, [
    [bucket(contest, 'reserved'), -held],
    [bucket(contest, 'available'), held - whole],
    [`payers:${env}`, whole],
  ])
  return whole
}
