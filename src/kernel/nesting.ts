// Owns telling how deep a JSON value is nested.

/**
 * Whether a JSON value has more levels of lists and objects than some. It looks no deeper than that, so that it is safe for
 * what nests a hundred thousand times, which `JSON.stringify` is not.
 */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((part) => isDeeperThan(levels - 1, part))
}
