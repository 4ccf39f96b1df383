// Owns money: accounts, balanced postings, and the balances that are folded from them.
import { invariant } from '../kernel/assert.ts'
import { cents, sumCents } from '../kernel/brands.ts'
import { stamp } from './world.ts'
import type { Environment } from '../contract/enums.ts'
import type { Cents } from '../kernel/brands.ts'
import type { Posting, PostingLine, Scope } from './records.ts'
import type { World } from './world.ts'

/** The parts of a merchant's account. Only `available` may be below zero. */
export const BUCKETS = ['available', 'pending', 'reserved'] as const
/** A part of a merchant's account. */
export type Bucket = (typeof BUCKETS)[number]

/** The account of a merchant, by scope and bucket. */
export function merchantAccount({ organizationId, environment }: Scope, bucket: Bucket): string {
  return `${bucket}:${organizationId}:${environment}`
}

/** An account outside of the merchants: who pays, who is paid, what the gateway earns, and where test money comes from. */
export function outsideAccount(
  name: 'payers' | 'bank' | 'gateway' | 'funding',
  environment: Environment,
): string {
  return `${name}:${environment}`
}

/** A line of a posting. */
export function line(account: string, amount: number): PostingLine {
  return { account, amount: cents(amount) }
}

/**
 * Moves money. Lines of zero are left out; a posting without lines is not made.
 * @throws {InvariantError} when the lines do not sum to zero, or a bucket other than available would fall below it.
 */
export function post(world: World, subject: string, reason: string, lines: readonly PostingLine[]): void {
  const moved = lines.filter(({ amount }) => amount !== 0)
  if (moved.length === 0) return
  invariant(sumCents(moved.map(({ amount }) => amount)) === 0, `unbalanced posting: ${reason} of ${subject}`)
  const { postings } = world.state
  const posting: Posting = { n: postings.length + 1, at: stamp(world), subject, reason, lines: moved }
  postings.push(posting)
  fold(world.balances, posting)
  for (const { account } of moved) {
    const kept = !/^(pending|reserved):/.test(account) || balanceOf(world, account) >= 0
    invariant(kept, `${account} fell below zero: ${reason} of ${subject}`)
  }
}

/** Balance of an account, in cents. */
export function balanceOf(world: World, account: string): Cents {
  return world.balances.get(account) ?? cents(0)
}

/** Balances of all accounts, folded from postings. */
export function foldBalances(postings: readonly Posting[]): Map<string, Cents> {
  const balances = new Map<string, Cents>()
  for (const posting of postings) fold(balances, posting)
  return balances
}

function fold(balances: Map<string, Cents>, { lines }: Posting): void {
  for (const { account, amount } of lines) {
    balances.set(account, cents((balances.get(account) ?? 0) + amount))
  }
}
