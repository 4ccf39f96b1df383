// Owns moving money: postings whose lines sum to zero, and what the books say of an account or a merchant.
import { invariant } from '../kernel/assert.ts'
import { cents, sumCents } from '../kernel/brands.ts'
import { emptyTotals, enter } from './books.ts'
import { scopeKey } from './indexes.ts'
import { addRecord } from './recordIndex.ts'
import { stamp } from './world.ts'
import type { Cents } from '../kernel/brands.ts'
import type { Totals } from './books.ts'
import type { Scope } from './records.ts'
import type { Posting, PostingLine } from './trail.ts'
import type { World } from './world.ts'

/**
 * Moves money on behalf of a record. Lines of zero are left out; a posting without lines is not made.
 * @throws {InvariantError} when the lines do not sum to zero, or a bucket other than available would fall below it.
 */
export function post(
  world: World,
  { id, organizationId, environment }: Scope & { id: string },
  reason: Posting['reason'],
  lines: readonly PostingLine[],
): void {
  const moved = lines.filter(({ amount }) => amount !== 0)
  if (moved.length === 0) return
  invariant(sumCents(moved.map(({ amount }) => amount)) === 0, `unbalanced posting: ${reason} of ${id}`)
  const { postings } = world.state
  const n = postings.length + 1
  const posting: Posting = {
    n,
    at: stamp(world),
    organizationId,
    environment,
    subject: id,
    reason,
    lines: moved,
  }
  postings.push(posting)
  addRecord(world.indexes.postings, posting)
  enter(world.books, posting)
  for (const { account } of moved) {
    const kept = !/^(pending|reserved):/.test(account) || balanceOf(world, account) >= 0
    invariant(kept, `${account} fell below zero: ${reason} of ${id}`)
  }
}

/** Balance of an account, in cents. */
export function balanceOf(world: World, account: string): Cents {
  return world.books.balances.get(account) ?? cents(0)
}

/** Totals of a scope. */
export function totalsOf(world: World, scope: Scope): Totals {
  return world.books.totals.get(scopeKey(scope)) ?? emptyTotals()
}
