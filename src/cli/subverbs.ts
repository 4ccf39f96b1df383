// Owns the second word of verbs that have several actions.
import { closest } from '../kernel/closest.ts'
import { UsageError } from './usage.ts'

/**
 * The action that a word names.
 * @throws {UsageError} with the nearest one for any other word
 */
export function oneOf<const Action extends string>(
  verb: string,
  actions: readonly Action[],
  word: string,
): Action {
  const found = actions.find((action) => action === word)
  if (found !== undefined) return found
  const near = closest(word, actions)
  const guess = near === null ? '' : ` Did you mean '${near}'?`
  throw new UsageError(`'${verb} ${word}' is none of ${actions.join(', ')}.${guess} See --help.`)
}
