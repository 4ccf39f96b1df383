// Owns bounded memory: what was used last stays, the rest makes room.

/** Values by their keys, as many as may be kept at most. */
export interface Latest<K, V> {
  has(key: K): boolean
  get(key: K): V | undefined
  set(key: K, value: V): void
  delete(key: K): void
  readonly size: number
}

/** An empty memory for so many values. The one that was neither set nor got for the longest time makes room. */
export function createLatest<K, V>(limit: number): Latest<K, V> {
  const kept = new Map<K, V>()
  const latest: { -readonly [Field in keyof Latest<K, V>]: Latest<K, V>[Field] } = {
    size: 0,
    has: (key) => kept.has(key),
    get(key) {
      const value = kept.get(key)
      if (value === undefined) return undefined
      kept.delete(key)
      kept.set(key, value)
      return value
    },
    set(key, value) {
      kept.delete(key)
      kept.set(key, value)
      if (kept.size > limit) {
        const [oldest] = kept.keys()
        if (oldest !== undefined) kept.delete(oldest)
      }
      latest.size = kept.size
    },
    delete(key) {
      kept.delete(key)
      latest.size = kept.size
    },
  }
  return latest
}
