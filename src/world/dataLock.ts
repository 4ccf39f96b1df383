// Owns that only one process uses a data file: it answers on a socket beside it for as long as it lives.
// A socket and not a process number in a file: the system closes it whatever ends the process, it is seen from other
// containers that share the folder, and the number of a process there says nothing, as it is 1 in each of them.
import { connect, createServer } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { strongHex } from '../kernel/entropy.ts'
import { DataError } from './dataError.ts'
import { removeFile } from './dataDisk.ts'
import { digestBytes } from './keys.ts'
import type { Server } from 'node:net'

/** Host milliseconds that a process has to say who it is; one that is stopped says nothing and lives all the same. */
const PATIENCE_MS = 1_000
/** Times that a lock is asked for, when others take and leave it at the same moment. */
const MAX_TRIES = 5

/** A lock that is held. */
export interface Lock {
  release(): Promise<void>
}

/**
 * Takes the lock of a data file. One that was left behind by a process that ended is taken over.
 * @throws {DataError} while another process holds it
 */
export async function takeLock(path: string): Promise<Lock> {
  let failed: unknown = null
  for (const address of addressesOf(path)) {
    try {
      return await lockAt(path, address)
    } catch (error) {
      if (error instanceof DataError) throw error
      failed = error
    }
  }
  const why = failed instanceof Error ? failed.message : String(failed)
  throw new DataError(`${path} cannot be locked: ${why}. Name a file in a folder that can be written.`)
}

/** Where the lock may stand: beside the file, or where no socket can stand there, in the folder for passing files. */
function addressesOf(path: string): string[] {
  const name = `gateway-sandbox-${digestBytes(path).slice(0, 16)}`
  return process.platform === 'win32'
    ? [`\\\\.\\pipe\\${name}`]
    : [`${path}.lock`, join(tmpdir(), `${name}.lock`)]
}

async function lockAt(path: string, address: string): Promise<Lock> {
  const id = strongHex(8)
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const server = await listen(address, `${id} process ${process.pid} on ${hostname()}`)
    const holder = await whoHolds(address)
    if (server && holder?.startsWith(id)) {
      return { release: () => new Promise((resolve) => server.close(() => resolve())) }
    }
    // Of two that take over the same lock at one moment, the one that is found there has it. The other does not close
    // what it opened, as that would take away the name.
    if (holder !== null) {
      const who = holder.slice(id.length).trim() || 'another process'
      throw new DataError(
        `${path} is in use by ${who}; end it, or name another file with --data. Only one server uses a file at a time.`,
      )
    }
    await removeFile(address)
  }
  throw new DataError(`${path} is in use by another process that starts just now.`)
}

/** Answers on an address who we are; null when somebody has it, or had it. */
function listen(address: string, answer: string): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.end(answer)
    })
    server.unref()
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(null) : reject(error),
    )
    server.listen(address, () => resolve(server))
  })
}

/** What is answered on an address; empty when nothing is said, null when nobody is there. */
function whoHolds(address: string): Promise<string | null> {
  return new Promise((resolve, reject) => {
    let said = ''
    const socket = connect(address)
    socket.setTimeout(PATIENCE_MS, () => socket.destroy())
    socket.on('data', (bytes) => {
      said += bytes.toString()
    })
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT') resolve(null)
      else if (error.code === 'EACCES') resolve('')
      else reject(error)
    })
    socket.on('close', () => resolve(said))
  })
}
