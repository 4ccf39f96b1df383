// Owns ending on a signal: the first one ends cleanly, a second one at once.
import { constants } from 'node:os'

/** Signals by which people and supervisors end a process. */
const ENDING = ['SIGINT', 'SIGTERM'] as const

/** How this process hears that it has to end. */
export interface Ending {
  /** Aborted by the first signal, whose name is the reason. */
  readonly told: AbortSignal
  /** Hears signals no longer, because somebody else does. */
  leave(): void
}

/** The exit code of what a signal ended, as a shell has it. */
export function codeOfSignal(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal]
}

/**
 * Hears from now on when this process is told to end for the first time; the second time ends it at once.
 * Said outright and not left to the system, which ignores signals to the first process of a container.
 */
export function firstSignalToEnd(): Ending {
  const told = new AbortController()
  const tell = (signal: NodeJS.Signals): void => {
    if (told.signal.aborted) process.exit(codeOfSignal(signal))
    told.abort(signal)
  }
  for (const signal of ENDING) process.on(signal, tell)
  return {
    told: told.signal,
    leave() {
      for (const signal of ENDING) process.off(signal, tell)
    },
  }
}
