// Owns ending on a signal: the first one ends cleanly, a second one at once.
import { constants } from 'node:os'

/** Signals by which people and supervisors end a process. */
const ENDING = ['SIGINT', 'SIGTERM'] as const

/**
 * Answers what is aborted when this process is told to end for the first time; the second time ends it at once.
 * Said outright and not left to the system, which ignores signals to the first process of a container.
 */
export function firstSignalToEnd(): AbortSignal {
  const told = new AbortController()
  const tell = (signal: NodeJS.Signals): void => {
    if (told.signal.aborted) process.exit(128 + constants.signals[signal])
    told.abort()
  }
  for (const signal of ENDING) process.on(signal, tell)
  return told.signal
}
