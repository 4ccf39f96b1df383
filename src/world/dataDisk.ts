// Owns writing to the disk: one file that is replaced whole, and one that is only appended to.
import {
  closeSync,
  fdatasync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readdirSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { chmod, readFile, realpath, rename, rm, stat, truncate } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { TextFile } from 'lowdb/node'

/** Rights of files that hold keys. */
const OWNER_ONLY = 0o600

/** A file that is only appended to. */
export interface AppendFile {
  /** Bytes in it. */
  readonly size: number
  /** Appends in one write; the bytes are with the system when it returns. On an error nothing was appended. */
  append(bytes: Uint8Array): void
  /** Resolves once everything appended before is on the disk itself. Those who ask meanwhile share the next turn. */
  sync(): Promise<void>
  /** Ends it, once nobody waits for the disk. */
  close(): Promise<void>
}

/** Makes a file that begins with some bytes. When it cannot have them, no file is left. `durable` puts also its name on the disk. */
export function openAppendFile(path: string, head: Uint8Array, durable: boolean): AppendFile {
  const file = openSync(path, 'ax', OWNER_ONLY)
  try {
    if (durable) syncName(path)
    writeWhole(file, head)
  } catch (error) {
    closeSync(file)
    rmSync(path, { force: true })
    throw error
  }
  const sync = sharedTurns(() => promisify(fdatasync)(file))
  // Some file systems count no names at all.
  const isNamed = fstatSync(file).nlink > 0
  let size = head.length
  return {
    get size() {
      return size
    },
    append(bytes) {
      // The system goes on writing a file that was deleted; nobody would ever find what is in it.
      if (isNamed && fstatSync(file).nlink === 0) {
        throw Object.assign(new Error(`ENOENT: ${path} was deleted`), { code: 'ENOENT' })
      }
      try {
        writeWhole(file, bytes)
      } catch (error) {
        ftruncateSync(file, size)
        throw error
      }
      size += bytes.length
    },
    sync: () => sync.ask(),
    async close() {
      await sync.idle()
      closeSync(file)
    },
  }
}

function writeWhole(file: number, bytes: Uint8Array): void {
  let written = 0
  while (written < bytes.length) written += writeSync(file, bytes, written)
}

/** Runs something one at a time; all who ask while it runs share the run after it. */
function sharedTurns(run: () => Promise<void>): { ask(): Promise<void>; idle(): Promise<void> } {
  let running: Promise<void> | null = null
  let next: Promise<void> | null = null
  const quietly = (): Promise<void> => (next ?? running ?? Promise.resolve()).catch(() => undefined)
  function begin(): Promise<void> {
    next = null
    running = runOnce()
    return running
  }
  async function runOnce(): Promise<void> {
    try {
      await run()
    } finally {
      running = null
    }
  }
  return {
    ask() {
      if (!running) return begin()
      next ??= quietly().then(begin)
      return next
    },
    idle: quietly,
  }
}

/**
 * Replaces a file whole: whoever reads it finds all of the old text or all of the new one. `durable` keeps that promise
 * also when the machine dies: the new text is on the disk before it takes the name.
 */
export async function replaceFile(path: string, text: string, durable: boolean): Promise<void> {
  const next = durable ? `${path}.next` : path
  try {
    await new TextFile(next).write(text)
  } catch (error) {
    // What it writes first, and leaves behind when that fails.
    await rm(join(dirname(next), `.${basename(next)}.tmp`)).catch(() => undefined)
    throw error
  }
  await chmod(next, OWNER_ONLY)
  if (!durable) return
  syncFile(next)
  await rename(next, path)
  syncName(path)
}

/**
 * The name of a file without links in it; the file itself need not be there yet.
 * @throws {Error} with the system's `code`, such as ENOENT when there is no such folder, or for a device, which may have no end
 */
export async function plainPath(path: string): Promise<string> {
  try {
    const found = await stat(path)
    if (!found.isFile() && !found.isDirectory()) throw new Error('it is a device, and no file')
    return await realpath(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return join(await realpath(dirname(path)), basename(path))
  }
}

/** The bytes of a file; null when there is none. */
export async function readBytes(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** What follows the name of a file in the names of the files beside it, such as `.lock`. */
export function suffixesBeside(path: string): string[] {
  const name = basename(path)
  return readdirSync(dirname(path))
    .filter((each) => each.startsWith(name) && each !== name)
    .map((each) => each.slice(name.length))
}

/** Takes a file away, if it is there. */
export function removeFile(path: string): Promise<void> {
  return rm(path, { force: true })
}

/** Cuts a file off. */
export function cutFile(path: string, size: number): Promise<void> {
  return truncate(path, size)
}

/** Puts the bytes of a file on the disk itself. */
function syncFile(path: string): void {
  const file = openSync(path, 'r+')
  fsyncSync(file)
  closeSync(file)
}

/** Puts the names of a folder on the disk itself; systems that know no such thing do it by themselves. */
function syncName(path: string): void {
  if (process.platform === 'win32') return
  const folder = openSync(dirname(path), 'r')
  fsyncSync(folder)
  closeSync(folder)
}
