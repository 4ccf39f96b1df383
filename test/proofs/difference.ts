// Owns telling where two long texts differ.

/** The places around which two texts differ. */
export function differenceOf(before: string, after: string): string {
  let at = 0
  while (at < before.length && before[at] === after[at]) at += 1
  return `…${before.slice(Math.max(0, at - 80), at + 80)}… became …${after.slice(Math.max(0, at - 80), at + 80)}…`
}
