// Owns the second word of verbs that have several actions.
import { guess, UsageError } from './usage.ts'

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
  throw new UsageError(
    `'${verb} ${word}' is none of ${actions.join(', ')}.${guess(word, actions)} See --help.`,
  )
}
