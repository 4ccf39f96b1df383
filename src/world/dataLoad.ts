// Owns finding what a data file and its journals hold.
import { cutFile, readBytes, removeFile, suffixesBeside } from './dataDisk.ts'
import { DataError } from './dataError.ts'
import { damagedLine, readJournal, readSnapshot, replay } from './dataFormat.ts'
import type { Turn } from './dataFormat.ts'
import type { StoredServer } from './worlds.ts'

/** What was kept. */
export interface Loaded {
  /** Null when there was no file. */
  server: StoredServer | null
  /** Generation of the next journal. */
  generation: number
  /** Size of the data file. */
  bytes: number
  /** Whether the file holds all of it, as after a clean end. */
  isClean: boolean
}

/** Name of a journal. */
export function journalPath(path: string, generation: number): string {
  return `${path}.journal.${generation}`
}

/** Takes away the journals of the generations before one. */
export async function removeJournalsBefore(path: string, generation: number): Promise<void> {
  for (const each of generationsBeside(path)) {
    if (each < generation) await removeFile(journalPath(path, each))
  }
}

function generationsBeside(path: string): number[] {
  return suffixesBeside(path)
    .flatMap((suffix) => /^\.journal\.(\d+)$/.exec(suffix)?.slice(1).map(Number) ?? [])
    .toSorted((a, b) => a - b)
}

/**
 * Reads a data file and its journals. A torn last line is dropped, and told.
 * @param say tells a person one line
 * @throws {DataError} when something is damaged, missing, or of a newer version; nothing was changed then
 */
export async function loadData(path: string, say: (line: string) => void): Promise<Loaded> {
  const bytes = await readBytes(path)
  const generations = generationsBeside(path)
  if (!bytes) {
    const [first] = generations
    if (first === undefined) return { server: null, generation: 1, bytes: 0, isClean: false }
    throw new DataError(
      `${path} is missing, but ${journalPath(path, first)} is there, which belongs to it. Put the file back, or move the journal away.`,
    )
  }
  const { generation, server } = readSnapshot(path, bytes)
  const kept = generations.filter((each) => each >= generation)
  const { turns, torn } = await readJournals(path, generation, kept)
  for (const { path: journal, tornAt } of torn) {
    say(`${journal}: the last line was not written whole and is dropped; no answer was sent for it.`)
    await cutFile(journal, tornAt)
  }
  await removeJournalsBefore(path, generation)
  return {
    server: kept.length === 0 ? server : replay(server, turns),
    generation: generation + kept.length,
    bytes: bytes.length,
    isClean: kept.length === 0,
  }
}

/** The turns of all journals in order, and which of them were torn. */
async function readJournals(
  path: string,
  generation: number,
  kept: readonly number[],
): Promise<{ turns: Turn[]; torn: { path: string; tornAt: number }[] }> {
  const turns: Turn[] = []
  const torn: { path: string; tornAt: number }[] = []
  for (const [index, each] of kept.entries()) {
    const journal = journalPath(path, each)
    const expected = generation + index
    const bytes = each === expected ? await readBytes(journal) : null
    if (!bytes) {
      throw new DataError(
        `${journalPath(path, expected)} is missing: ${path} does not fit the later journals without it. Nothing was changed; put it back, or move those away.`,
      )
    }
    const read = readJournal(journal, bytes, each)
    for (const turn of read.turns) turns.push(turn)
    if (read.tornAt !== null && index < kept.length - 1) throw damagedLine(journal, read.turns.length + 2)
    if (read.tornAt !== null) torn.push({ path: journal, tornAt: read.tornAt })
  }
  return { turns, torn }
}
