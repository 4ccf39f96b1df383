// Owns keeping the worlds of a server on disk: a snapshot, and beside it a journal of what changed since.
// Every snapshot begins a generation with a journal of its own, so that one that is written meanwhile, or was never
// finished, takes nothing away: what counts is the snapshot, and the journals from its generation on.
import { present } from '../kernel/assert.ts'
import { keepLog } from './changeLog.ts'
import { openAppendFile, plainPath, removeFile, replaceFile } from './dataDisk.ts'
import { DataError } from './dataError.ts'
import { journalHead, snapshotText } from './dataFormat.ts'
import { journalPath, loadData, removeJournalsBefore } from './dataLoad.ts'
import { takeLock } from './dataLock.ts'
import { isWritten, plan, write, written } from './dataTurns.ts'
import { storeWorld } from './storedWorld.ts'
import type { AppendFile } from './dataDisk.ts'
import type { Loaded } from './dataLoad.ts'
import type { DataOptions, Keeping } from './dataTurns.ts'
import type { Lock } from './dataLock.ts'
import type { StoredServer, WorldKeeper, Worlds } from './worlds.ts'

/** Keeps the worlds of a server in a file. */
export interface DataStore extends WorldKeeper {
  /** Begins to write, once the worlds are there. A new file is there when it resolves. */
  begin(worlds: Worlds): Promise<void>
  /** Writes everything into the file, and leaves nothing else. Can be called again. */
  close(): Promise<void>
  /** Writes nothing more and leaves everything as it is, as a process that is killed. */
  drop(): Promise<void>
  /** The same, and a file that was not there before is taken away. */
  undo(): Promise<void>
}

/**
 * Opens a data file, or takes the name of one that is to be made.
 * @throws {DataError} when it cannot be used; nothing was changed then
 */
export async function openStore(options: DataOptions): Promise<DataStore> {
  const path = await usablePath(options.path)
  const lock = await takeLock(path)
  try {
    return createStore({ ...options, path }, await loadData(path, options.say), lock)
  } catch (error) {
    await lock.release()
    if (error instanceof DataError) throw error
    throw new DataError(`${path} cannot be read: ${messageOf(error)}.`)
  }
}

async function usablePath(path: string): Promise<string> {
  try {
    return await plainPath(path)
  } catch (error) {
    throw new DataError(`${path} cannot be used: ${messageOf(error)}. Name a file in a folder that is there.`)
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function createStore(options: DataOptions, loaded: Loaded, lock: Lock): DataStore {
  const keeping: Keeping = {
    options,
    lock,
    worlds: null,
    logs: new Map(),
    dirty: new Set(),
    ended: [],
    begun: false,
    journal: null,
    generation: loaded.generation,
    unwritten: [],
    waiting: null,
    syncing: null,
    planned: null,
    rewriting: null,
    bytes: { file: loaded.bytes, journals: 0, retry: 0 },
    isClean: loaded.isClean,
    closing: null,
    outgrown: () => rewrite(keeping, keeping.generation + 1),
  }
  return {
    stored: loaded.server,
    follow(world, isNew) {
      keeping.begun ||= isNew
      const log = keepLog(world, isNew, (changed) => {
        keeping.dirty.add(changed)
        plan(keeping)
      })
      keeping.logs.set(world.id, log)
    },
    ended(id) {
      const log = keeping.logs.get(id)
      keeping.logs.delete(id)
      if (log) keeping.dirty.delete(log)
      keeping.ended.push(id)
      plan(keeping)
    },
    written: () => written(keeping),
    begin: (worlds) => orDataError(keeping.options.path, () => begin(keeping, worlds, loaded.server)),
    close() {
      keeping.closing ??= close(keeping)
      return keeping.closing
    },
    drop() {
      keeping.closing ??= drop(keeping)
      return keeping.closing
    },
    undo() {
      keeping.closing ??= undo(keeping, loaded.server !== null)
      return keeping.closing
    },
  }
}

/** Runs something that writes, and tells why when the system does not let it. */
async function orDataError(path: string, run: () => Promise<void>): Promise<void> {
  try {
    await run()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    const remedy = isFull(code)
      ? 'Make some space on its disk'
      : 'Let this user write the file and its folder'
    throw new DataError(`${path} cannot be written: ${code}. ${remedy}, or name another file with --data.`, {
      cause: error,
    })
  }
}

function isFull(code: string): boolean {
  return code === 'ENOSPC' || code === 'EDQUOT'
}

/** Begins to write; a file that holds all is left alone. */
async function begin(keeping: Keeping, worlds: Worlds, stored: StoredServer | null): Promise<void> {
  keeping.worlds = worlds
  if (stored && keeping.isClean && stored.seed === worlds.seed) {
    keeping.journal = openJournal(keeping)
    return
  }
  for (const log of keeping.logs.values()) log.forget()
  keeping.dirty.clear()
  keeping.begun = false
  if (stored) {
    rewrite(keeping, keeping.generation)
    return
  }
  await replaceFile(keeping.options.path, textOf(keeping, keeping.generation), keeping.options.durable)
  keeping.journal = openJournal(keeping)
  keeping.isClean = true
  if (!isWritten(keeping)) plan(keeping)
}

function textOf({ worlds }: Keeping, generation: number): string {
  const kept = present(worlds, 'a server has worlds')
  const { seed } = kept
  return snapshotText({ generation, server: { seed, ids: kept.ids(), worlds: kept.list().map(storeWorld) } })
}

function openJournal({ options: { path, durable }, generation }: Keeping): AppendFile {
  return openAppendFile(journalPath(path, generation), journalHead(generation), durable)
}

/**
 * Begins a generation: changes go into its journal while its snapshot is written. Everything that changed before is
 * written, or is in the snapshot. When it fails, the generations before go on counting.
 */
function rewrite(keeping: Keeping, generation: number): void {
  const { journal: former, generation: before, bytes, options } = keeping
  bytes.retry = bytes.journals * 2
  try {
    const text = textOf(keeping, generation)
    keeping.generation = generation
    keeping.journal = openJournal(keeping)
    void former?.close()
    const ended = (): void => {
      keeping.rewriting = null
    }
    keeping.rewriting = save(keeping, text).catch(options.report).then(ended)
  } catch (error) {
    options.report(error)
    // A generation without a journal would be one that is missing between others.
    keeping.generation = before
    keeping.journal ??= openJournal(keeping)
  }
}

async function save({ options: { path, durable }, generation, bytes }: Keeping, text: string): Promise<void> {
  const before = bytes.journals
  await replaceFile(path, text, durable)
  bytes.file = text.length
  bytes.journals -= before
  bytes.retry = 0
  await removeJournalsBefore(path, generation)
}

/** Leaves everything as it is. */
async function drop({ planned, journal, rewriting, lock }: Keeping): Promise<void> {
  planned?.()
  await rewriting
  await journal?.close()
  await lock.release()
}

/** Ends without a further write; a file that was begun here is taken away. */
async function undo(keeping: Keeping, wasThere: boolean): Promise<void> {
  const { options, generation } = keeping
  await drop(keeping)
  if (wasThere) return
  await removeFile(journalPath(options.path, generation))
  await removeFile(options.path)
}

/** Leaves a file that holds everything, and nothing beside it. */
async function close(keeping: Keeping): Promise<void> {
  const { options, lock } = keeping
  keeping.planned?.()
  await keeping.rewriting
  write(keeping)
  const { journal, generation, isClean } = keeping
  try {
    await journal?.close()
    if (journal && !isClean) {
      await replaceFile(options.path, textOf(keeping, generation + 1), options.durable)
    }
    if (journal) await removeJournalsBefore(options.path, Infinity)
  } catch (error) {
    options.report(error)
  }
  await lock.release()
}
