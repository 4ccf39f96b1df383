// Owns values of flags that several verbs read: ports, and whatever the server itself checks.
import { DEFAULT_PORT } from '../address.ts'
import { Misuse } from '../world/misuse.ts'
import { UsageError } from './usage.ts'

/**
 * A port that a person typed.
 * @param from the flag or variable that says it
 * @throws {UsageError} for anything but 0 to 65535
 */
export function portOf(text = String(DEFAULT_PORT), from = '--port'): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  throw new UsageError(`${from} ${JSON.stringify(text)} is no port; use 0 to 65535.`)
}

/**
 * The value of a flag as the server reads it; undefined when it was left out.
 * @throws {UsageError} for what the server would refuse
 */
export function checked<Given, Value>(
  flag: string,
  given: Given | undefined,
  read: (given: Given) => Value,
): Value | undefined {
  try {
    return given === undefined ? undefined : read(given)
  } catch (error) {
    if (error instanceof Misuse) throw new UsageError(`--${flag}: ${error.message}`)
    throw error
  }
}
