// Owns what the dashboard keeps count of: folded from the journal and the postings as they grow, so that no page reads them all.
import { fromTimestamp } from '../kernel/time.ts'
import { createBalanceSeries, ownerOf } from './balanceSeries.ts'
import type { Scope } from '../domain/records.ts'
import type { WorldState } from '../domain/state.ts'
import type { MachineName, Posting } from '../domain/trail.ts'
import type { BalanceSeries } from './balanceSeries.ts'

/** What is counted of one state. */
export interface Tally {
  /** Records of a machine by their status. */
  statuses(machine: MachineName): ReadonlyMap<string, number>
  /** The balance of an account over time. */
  balance(scope: Scope): BalanceSeries
}

/** Counts of a state; each question first takes in what was added since the last one. */
export function createTally({ journal, postings }: WorldState): Tally {
  const counts: Record<MachineName, Map<string, number>> = {
    transaction: new Map(),
    cashout: new Map(),
    dispute: new Map(),
  }
  /** By the owner of the account, as accounts name it. */
  const series = new Map<string, BalanceSeries>()
  let [readEntries, readPostings] = [0, 0]

  function seriesOf(owner: string): BalanceSeries {
    const known = series.get(owner)
    if (known) return known
    const made = createBalanceSeries(owner)
    series.set(owner, made)
    return made
  }

  return {
    statuses(machine) {
      for (; readEntries < journal.length; readEntries += 1) {
        const entry = journal[readEntries]
        if (!entry) break
        const statuses = counts[entry.machine]
        if (entry.from !== null) statuses.set(entry.from, (statuses.get(entry.from) ?? 0) - 1)
        statuses.set(entry.to, (statuses.get(entry.to) ?? 0) + 1)
      }
      return counts[machine]
    },
    balance(scope) {
      for (; readPostings < postings.length; readPostings += 1) {
        const posting = postings[readPostings]
        if (!posting) break
        const at = fromTimestamp(posting.at)
        for (const owner of ownersOf(posting)) seriesOf(owner).add(posting, at)
      }
      return seriesOf(ownerOf(scope))
    },
  }
}

/** The owners of the accounts that a posting touches: a split reaches those of other organisations. */
function ownersOf({ lines }: Posting): Set<string> {
  const owners = new Set<string>()
  for (const { account } of lines) {
    const start = account.indexOf(':') + 1
    // Accounts outside of the merchants name no organisation.
    if (account.includes(':', start)) owners.add(account.slice(start))
  }
  return owners
}
