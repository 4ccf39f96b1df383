// Owns what a world tells whoever keeps it on disk, and what answers and deliveries wait for.
import type { Changes } from '../domain/changes.ts'
import type { JobKind } from '../domain/jobs.ts'

/** Keeps what changes on disk. */
export interface Keeper {
  /**
   * Kept once everything that changed so far is written; null when nothing waits.
   * @throws {Error} (by rejection) when it cannot be written
   */
  written(): Promise<void> | null
}

/** Told of what changed in one world. Everything is read once the current turn of the loop is over. */
export interface WorldChanges extends Changes {
  /** A job was made, moved or taken, or begun after it had waited for its turn. */
  job: (kind: JobKind, subject: string) => void
  /** Something ended that may have moved clock, chance, choices or a counter. */
  look(): void
  /** The whole state was replaced. */
  anew(): void
  /** A file was added or dropped, by its digest. */
  file(digest: string): void
  /** A snapshot was saved or deleted, by its name. */
  snapshot(name: string): void
}
