// Owns the live feed of a world: what happens, told to whoever listens at that moment. Keeps nothing.
import type { Timestamp } from '../kernel/brands.ts'

/** Kinds of things that happen; `setup` is a change of faults, rules or knobs, or a whole world put back. */
export const FEED_KINDS = ['call', 'transition', 'delivery', 'attempt', 'clock', 'setup'] as const
/** Kind of a thing that happened. */
export type FeedKind = (typeof FEED_KINDS)[number]

/** One thing that happened. */
export interface FeedItem {
  kind: FeedKind
  at: Timestamp
  /** Facts of the kind, as plain JSON. */
  facts: Record<string, unknown>
}

/** The feed of one world. */
export interface Feed {
  tell(item: FeedItem): void
  /** Calls back with everything from now on; answers a function that ends it. */
  listen(listener: (item: FeedItem) => void, closed?: () => void): () => void
  /** Ends the feed: everybody who listens is told. */
  close(): void
}

/** A feed that nobody listens to yet. */
export function createFeed(): Feed {
  const listeners = new Map<(item: FeedItem) => void, () => void>()
  return {
    tell(item) {
      for (const listener of [...listeners.keys()]) listener(item)
    },
    listen(listener, closed = () => undefined) {
      listeners.set(listener, closed)
      return () => void listeners.delete(listener)
    },
    close() {
      const ended = [...listeners.values()]
      listeners.clear()
      for (const closed of ended) closed()
    },
  }
}
