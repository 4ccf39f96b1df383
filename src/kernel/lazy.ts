// Owns constants that are dear to make: made when they are first asked for, so that a start does not wait for them.

/** A constant that is made by its first reader. */
export function lazy<T>(make: () => T): () => T {
  let made: { value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
