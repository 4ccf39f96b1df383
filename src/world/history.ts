// Owns the history of a world: the latest things that happened, each with its place in the true order. Bounded.
import type { Attempt } from '../domain/trail.ts'
import type { FeedItem } from './feed.ts'

/** Things that the history of a world keeps; the oldest make room. */
export const MAX_HISTORY = 10_000

/** A place in the order in which things happen, and how the world was then. */
export interface Moment {
  /** Greater than that of every moment before. */
  n: number
  /** Postings made so far. */
  postings: number
  /** Attempts in flight. */
  flying: readonly Attempt[]
}

/** One thing that happened, at its moment. */
export type PastItem = FeedItem & Moment

/** What a moment is read from. */
interface Seen {
  readonly life: number
  state: { postings: readonly unknown[] }
  flights: ReadonlySet<{ attempt: Attempt }>
}

/** The history of one world, of its present life only. */
export interface History {
  /** Takes the next place in the order. */
  moment(world: Seen): Moment
  /** Keeps something that happened at a moment. */
  keep(item: FeedItem, moment: Moment): void
  /** What is kept, in order. Postings up to `floor` were made before all of it. */
  read(world: Seen): { items: PastItem[]; floor: number }
}

/** The history of a world that begins. */
export function createHistory(): History {
  let life = 0
  let count = 0
  let floor = 0
  let kept: PastItem[] = []

  /** What happened before a restore or a reset belongs to another life. */
  function follow(world: Seen): void {
    if (world.life === life) return
    life = world.life
    floor = world.state.postings.length
    kept = []
  }

  return {
    moment(world) {
      follow(world)
      count += 1
      const { postings } = world.state
      const flying = world.flights.size === 0 ? NONE : [...world.flights].map(({ attempt }) => attempt)
      return { n: count, postings: postings.length, flying }
    },
    keep({ kind, at, facts }, { n, postings: made, flying }) {
      // Field by field: spreading two objects into a third costs more than all else of it.
      kept.push({ kind, at, facts, n, postings: made, flying })
      // Cut rarely: taking the first off one by one would move all the others each time.
      if (kept.length < 2 * MAX_HISTORY) return
      const cut = kept.splice(0, kept.length - MAX_HISTORY)
      floor = cut.reduce((most, { postings }) => Math.max(most, postings), floor)
    },
    read(world) {
      follow(world)
      return { items: kept.toSorted((a, b) => a.n - b.n), floor }
    },
  }
}

const NONE: readonly Attempt[] = []
