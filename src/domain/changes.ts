// Owns how the rules tell which parts of a state they changed, so that only those are written to disk.

/** Kinds of things that are kept by a key, and are written one by one. */
export const KEPT_KINDS = [
  'organizations',
  'credentials',
  'customers',
  'transactions',
  'cashouts',
  'disputes',
  'accounts',
  'cardTokens',
  'deliveries',
  'revokedTokens',
  'faults',
  'rules',
  'planned',
] as const
/** Kind of a thing that is kept by a key. */
export type KeptKind = (typeof KEPT_KINDS)[number]

/**
 * Told of changes. Postings and journal entries need no word, as they are only ever appended; neither do jobs, chance,
 * the clock and counters, which are looked at whenever something else is told.
 */
export interface Changes {
  /** A record was added, changed or taken away. It is read once the current turn of the loop is over. */
  record(kind: KeptKind, key: string): void
  /** A rate window lost its oldest instants, and was given a new one unless it is null. */
  window(key: string, dropped: number, added: number | null): void
}
