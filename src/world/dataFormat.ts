// Owns the text of a data file and of the journals beside it: how it is written, checked and read.
import { crc32 } from 'node:zlib'
import { DataError } from './dataError.ts'
import { applyChange, beginChanging, endChanging } from './worldChange.ts'
import type { Instant } from '../kernel/brands.ts'
import type { ChangingWorld, WorldChange } from './worldChange.ts'
import type { GivenIds, StoredServer } from './worlds.ts'

/** Name of the form, and its version: a newer one is not read. */
const FORMAT = 'gateway-sandbox data'
const VERSION = 1
/** Hexadecimal digits of a checksum. */
const CHECK_DIGITS = 8

/** What a data file holds. A journal of the same generation goes on where it ends. */
export interface Snapshot {
  /** Grows with every snapshot. */
  generation: number
  server: StoredServer
}

/** What changed in one turn of the loop. */
export interface Turn {
  /** The host's time. */
  at: Instant
  /** Ids of worlds that ended, before those of the same id that began. */
  ended?: string[]
  worlds?: WorldChange[]
  /** Given when a world began. */
  ids?: GivenIds
}

function checkOf(bytes: string | Uint8Array): string {
  return crc32(bytes).toString(16).padStart(CHECK_DIGITS, '0')
}

/** The text of a data file. */
export function snapshotText({ generation, server }: Snapshot): string {
  const text = JSON.stringify(server)
  const head = { format: FORMAT, version: VERSION, generation, check: checkOf(text) }
  return `${JSON.stringify(head).slice(0, -1)},"server":${text}}\n`
}

/**
 * Reads a data file.
 * @throws {DataError} when it is damaged, or of a newer version
 */
export function readSnapshot(path: string, bytes: Buffer): Snapshot {
  const damaged = (why: string): DataError =>
    new DataError(
      `${path} is damaged: ${why}. It was left as it is; restore a copy of it, or name another file with --data.`,
    )
  const text = bytes.toString('utf8')
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch (error) {
    throw damaged(`it is no whole JSON (${error instanceof Error ? error.message : String(error)})`)
  }
  const { format, version, generation, check, server } = (read ?? {}) as Record<string, unknown>
  if (format !== FORMAT) {
    throw new DataError(
      `${path} is no data file of gateway-sandbox. It was left as it is; name another file with --data.`,
    )
  }
  checkVersion(path, version)
  const begin = text.indexOf('"server":') + '"server":'.length
  if (checkOf(text.slice(begin, text.lastIndexOf('}'))) !== check) {
    throw damaged('its checksum does not fit what it holds')
  }
  return { generation: generation as number, server: server as StoredServer }
}

function checkVersion(path: string, version: unknown): void {
  if (version === VERSION) return
  throw new DataError(
    `${path} has version ${String(version)} of the form, and this gateway-sandbox reads version ${VERSION}. It was left as it is; use the newer gateway-sandbox that wrote it, or name another file with --data.`,
  )
}

/** The first line of a journal. */
export function journalHead(generation: number): Uint8Array {
  return lineOf({ format: FORMAT, version: VERSION, generation })
}

/** One line of a journal: a checksum, a space, JSON. */
export function lineOf(value: unknown): Uint8Array {
  const json = Buffer.from(JSON.stringify(value), 'utf8')
  return Buffer.concat([Buffer.from(`${checkOf(json)} `), json, NEW_LINE])
}

const NEW_LINE = Buffer.from('\n')

/** What a journal holds. */
export interface Journal {
  turns: Turn[]
  /** Bytes up to where a last line begins that was not written whole; null when all were. */
  tornAt: number | null
}

/**
 * Reads a journal. Only the last line may be torn, as by a process that ended while it wrote.
 * @throws {DataError} when a line before the last does not hold, or it is of a newer version or another generation
 */
export function readJournal(path: string, bytes: Buffer, generation: number): Journal {
  const lines: unknown[] = []
  let begin = 0
  let tornAt: number | null = null
  while (begin < bytes.length && tornAt === null) {
    const found = bytes.indexOf(NEW_LINE, begin)
    const end = found < 0 ? bytes.length : found
    const line = found < 0 ? null : readLine(bytes.subarray(begin, end))
    if (line !== null) lines.push(line)
    else if (found < 0) tornAt = begin
    else throw damagedLine(path, lines.length + 1)
    begin = end + 1
  }
  const [head, ...turns] = lines
  if (head !== undefined) checkHead(path, head as Record<string, unknown>, generation)
  return { turns: turns as Turn[], tornAt }
}

/** The error of a line that does not hold. */
export function damagedLine(path: string, number: number): DataError {
  return new DataError(
    `${path} is damaged: line ${number} does not fit its checksum. It was left as it is; restore a copy of it and of the file it belongs to, or name another file with --data.`,
  )
}

function checkHead(path: string, { version, generation }: Record<string, unknown>, expected: number): void {
  checkVersion(path, version)
  if (generation === expected) return
  throw new DataError(
    `${path} says that it is journal ${String(generation)}, not ${expected}: it was renamed. It was left as it is; give it its name back.`,
  )
}

/** The value of a line; null when it does not fit its checksum. */
function readLine(line: Buffer): unknown {
  const json = line.subarray(CHECK_DIGITS + 1)
  if (line.toString('latin1', 0, CHECK_DIGITS) !== checkOf(json)) return null
  return JSON.parse(json.toString('utf8')) as unknown
}

/** What a server held after some turns. The server that is passed is used up. */
export function replay(server: StoredServer, turns: readonly Turn[]): StoredServer {
  let { ids } = server
  const worlds = new Map<string, ChangingWorld>()
  for (const stored of server.worlds) worlds.set(stored.origin.id, beginChanging(stored))
  for (const { at, ended = [], worlds: changes = [], ids: given } of turns) {
    for (const id of ended) worlds.delete(id)
    for (const change of changes) {
      const known = change.world ? beginChanging(change.world) : worlds.get(change.id)
      if (!known) throw new Error(`a journal changes the world '${change.id}', which was never made`)
      if (change.world) worlds.set(change.id, known)
      else applyChange(known, change, at)
    }
    ids = given ?? ids
  }
  return { ...server, ids, worlds: Array.from(worlds.values(), endChanging) }
}
