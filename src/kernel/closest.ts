// Owns the guess which word somebody meant.
import { distance } from 'fastest-levenshtein'

/** Edits by which a word may differ from what was typed and still be suggested, for each started run of letters. */
const LETTERS_FOR_ONE_EDIT = 3

/** The known word nearest to what was typed; null when none is near. Letter case does not count. */
export function closest(typed: string, known: readonly string[]): string | null {
  const lower = typed.slice(0, 100).toLowerCase()
  let best: string | null = null
  let bestDistance = Math.ceil(lower.length / LETTERS_FOR_ONE_EDIT) + 1
  for (const word of known) {
    const edits = distance(lower, word.toLowerCase())
    if (edits < bestDistance) {
      best = word
      bestDistance = edits
    }
  }
  return best
}
