// Owns the balance of one account over time, in a bounded number of points that are exact.
import { BUCKETS, merchantAccount } from '../domain/books.ts'
import { SECOND } from '../kernel/time.ts'
import type { Bucket } from '../domain/books.ts'
import type { Scope } from '../domain/records.ts'
import type { Posting } from '../domain/trail.ts'
import type { Instant } from '../kernel/brands.ts'

/** Points that a series has at most. */
const MAX_POINTS = 48

/** What an account held at the end of a slot of time, in cents. */
export type BalancePoint = Readonly<Record<Bucket, number>> & { at: Instant }

/** The balance of one account over time. */
export interface BalanceSeries {
  /** Lets a posting of the account count. They come in order. */
  add(posting: Posting, at: Instant): void
  /** One point for each slot from the first posting to now, the last one being now; none before the first posting. */
  until(now: Instant): BalancePoint[]
}

/** How the accounts of a merchant name whose they are. */
export function ownerOf(scope: Scope): string {
  return merchantAccount(scope, 'available').slice('available:'.length)
}

const EMPTY = { available: 0, pending: 0, reserved: 0 } as const

/** A series without a posting, for the accounts of an owner. Slots double in length whenever there would be too many. */
export function createBalanceSeries(owner: string): BalanceSeries {
  const accounts = new Map<string, Bucket>(BUCKETS.map((bucket) => [`${bucket}:${owner}`, bucket]))
  let width: number = SECOND
  let points: BalancePoint[] = []
  const slotOf = (at: Instant): number => Math.floor(at / width)

  function widen(until: Instant): void {
    const [first] = points
    if (!first || slotOf(until) - slotOf(first.at) < MAX_POINTS) return
    while (slotOf(until) - slotOf(first.at) >= MAX_POINTS) width *= 2
    // Of the points that now share a slot only the last one is its end.
    points = points.filter(({ at }, index) => {
      const following = points[index + 1]
      return !following || slotOf(following.at) !== slotOf(at)
    })
  }

  function put(point: BalancePoint): void {
    const last = points.at(-1)
    if (last && slotOf(last.at) === slotOf(point.at)) points.pop()
    points.push(point)
  }

  return {
    add({ lines }, at) {
      const last = points.at(-1) ?? EMPTY
      const moved = { available: last.available, pending: last.pending, reserved: last.reserved, at }
      for (const { account, amount } of lines) {
        const bucket = accounts.get(account)
        if (bucket !== undefined) moved[bucket] += amount
      }
      put(moved)
      widen(at)
    },
    until(now) {
      const [first] = points
      if (!first) return []
      widen(now)
      const shown: BalancePoint[] = []
      let next = 0
      for (let slot = slotOf(first.at); slot <= slotOf(now); slot += 1) {
        const here = points[next]
        if (here && slotOf(here.at) === slot) {
          shown.push(here)
          next += 1
        } else {
          const at = Math.min(now, (slot + 1) * width - 1) as Instant
          shown.push({ ...(shown.at(-1) ?? first), at })
        }
      }
      return shown
    },
  }
}
