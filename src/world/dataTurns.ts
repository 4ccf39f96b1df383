// Owns writing what changed: for all worlds in one write, once for each turn of the loop.
import { present } from '../kernel/assert.ts'
import { soon } from '../kernel/timers.ts'
import { lineOf } from './dataFormat.ts'
import type { HostTime } from '../kernel/hostTime.ts'
import type { ChangeLog } from './changeLog.ts'
import type { AppendFile } from './dataDisk.ts'
import type { Turn } from './dataFormat.ts'
import type { Lock } from './dataLock.ts'
import type { Worlds } from './worlds.ts'

/** Journals that are smaller than this together are not replaced by a snapshot while the server runs. */
const MIN_JOURNAL_BYTES = 4_194_304

/** How the worlds of a server are kept. */
export interface DataOptions {
  path: string
  /** Whether answers wait until the disk itself has what changed. */
  durable: boolean
  time: HostTime
  /** Tells a person one line. */
  say: (line: string) => void
  /** Told of what could not be written. */
  report: (defect: unknown) => void
  /** Bytes below which journals are not replaced by a snapshot while the server runs; 4 MiB unless told otherwise. */
  rewriteAbove?: number | undefined
}

/** What keeping works with. */
export interface Keeping {
  readonly options: DataOptions
  readonly lock: Lock
  worlds: Worlds | null
  logs: Map<string, ChangeLog>
  /** Logs of the worlds in which something may have changed. */
  dirty: Set<ChangeLog>
  /** Ids of worlds that ended. */
  ended: string[]
  /** Whether a world began. */
  begun: boolean
  /** Null until the data file is there. */
  journal: AppendFile | null
  generation: number
  /** Lines that could not be written, in order. */
  unwritten: Uint8Array[]
  /** Kept once the next write has returned. */
  waiting: {
    promise: Promise<void>
    keep(kept: Promise<void> | null): void
    fail(error: unknown): void
  } | null
  /** Kept once the disk itself has what was written; null when it has. */
  syncing: Promise<void> | null
  /** Calls off the next write. */
  planned: (() => void) | null
  /** Kept once the snapshot that is being written is there. */
  rewriting: Promise<void> | null
  /** Bytes of the data file, and of the journals that go on from it; and those from which on a rewrite is tried again. */
  bytes: { file: number; journals: number; retry: number }
  /** Whether the data file holds everything. */
  isClean: boolean
  closing: Promise<void> | null
  /** Called when the journals have outgrown the data file. */
  outgrown: () => void
}

/** Kept once everything that changed so far is written; null when nothing waits. */
export function written(keeping: Keeping): Promise<void> | null {
  if (keeping.closing || isWritten(keeping)) return keeping.syncing
  plan(keeping)
  if (!keeping.waiting) {
    let keep = (_kept: Promise<void> | null): void => undefined
    let fail = (_error: unknown): void => undefined
    const promise = new Promise<void>((resolve, reject) => {
      keep = (kept) => resolve(kept ?? undefined)
      fail = reject
    })
    keeping.waiting = { promise, keep, fail }
  }
  return keeping.waiting.promise
}

/** Whether nothing has changed that is not written. */
export function isWritten({ dirty, ended, unwritten }: Keeping): boolean {
  return dirty.size === 0 && ended.length === 0 && unwritten.length === 0
}

/** Has what changed written once the current turn of the loop is over. */
export function plan(keeping: Keeping): void {
  if (keeping.closing) return
  keeping.planned ??= soon(() => write(keeping))
}

/** What changed since the last time; null when nothing did. */
function takeTurn(keeping: Keeping): Turn | null {
  const { dirty, ended, begun, options } = keeping
  const changes = Array.from(dirty, (log) => log.take()).filter((change) => change !== null)
  dirty.clear()
  if (changes.length === 0 && ended.length === 0) return null
  keeping.ended = []
  keeping.begun = false
  return {
    at: options.time.wall(),
    ...(ended.length > 0 ? { ended } : {}),
    ...(changes.length > 0 ? { worlds: changes } : {}),
    ...(begun ? { ids: present(keeping.worlds, 'a server has worlds').ids() } : {}),
  }
}

/** Writes what changed in all worlds, in one write; then answers may go out. */
export function write(keeping: Keeping): void {
  const { journal, options, waiting, bytes } = keeping
  keeping.planned = null
  if (!journal) return
  const turn = takeTurn(keeping)
  if (turn) keeping.unwritten.push(lineOf(turn))
  keeping.waiting = null
  if (keeping.unwritten.length > 0) {
    try {
      journal.append(Buffer.concat(keeping.unwritten))
    } catch (error) {
      options.report(error)
      waiting?.fail(error)
      return
    }
    for (const line of keeping.unwritten) bytes.journals += line.length
    keeping.unwritten = []
    keeping.isClean = false
    if (options.durable) sync(keeping, journal)
  }
  waiting?.keep(keeping.syncing)
  const { rewriteAbove = MIN_JOURNAL_BYTES } = options
  const isOutgrown = bytes.journals > Math.max(rewriteAbove, bytes.file, bytes.retry)
  if (isOutgrown && !keeping.rewriting && !keeping.closing) keeping.outgrown()
}

function sync(keeping: Keeping, journal: AppendFile): void {
  const syncing = journal.sync()
  keeping.syncing = syncing
  void endSync(keeping, syncing)
}

async function endSync(keeping: Keeping, syncing: Promise<void>): Promise<void> {
  try {
    await syncing
  } catch (error) {
    keeping.options.report(error)
  }
  if (keeping.syncing === syncing) keeping.syncing = null
}
