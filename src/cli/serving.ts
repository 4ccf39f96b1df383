// Owns starting the server for a verb, and what can be wrong with where it is told to listen.
import { DEFAULT_HOST, DEFAULT_PORT } from '../address.ts'
import { startServer } from '../server.ts'
import { worldOut } from '../control/worldViews.ts'
import { Misuse } from '../world/misuse.ts'
import { DataError } from '../world/dataError.ts'
import { Failure, UsageError } from './usage.ts'
import type { z } from 'zod'
import type { worldAnswer } from '../control/worldRoutes.ts'
import type { RunningServer, ServerOptions } from '../server.ts'

/**
 * Starts a server; resolves once it listens.
 * @throws {UsageError} for an address that cannot be listened on, or a choice that cannot be made
 * @throws {Failure} for a data file that cannot be used
 */
export async function serve(options: ServerOptions): Promise<RunningServer> {
  try {
    return await startServer({ ...options, container: process.env['SANDBOX_IMAGE'] === '1' })
  } catch (error) {
    if (error instanceof DataError) throw new Failure(error.message)
    // The clock was read before, so only choices are left to be wrong.
    if (error instanceof Misuse) throw new UsageError(`--silences: ${error.message}`)
    const { code } = error as NodeJS.ErrnoException
    const where = `${options.host ?? DEFAULT_HOST}:${options.port ?? DEFAULT_PORT}`
    if (code === 'EADDRINUSE') {
      throw new UsageError(`${where} is in use; choose another --port, or 0 for a free one.`)
    }
    if (code === 'EADDRNOTAVAIL' || code === 'EACCES' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
      throw new UsageError(`cannot listen on ${where}: ${code}.`)
    }
    throw error
  }
}

/** The default world of a server, with its keys. */
export function defaultWorldOf({ worlds }: RunningServer): z.input<typeof worldAnswer> {
  return worldOut(worlds.default)
}
