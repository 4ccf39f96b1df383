// Owns queues: first in, first out, at a cost that does not grow with their length.

/** Names that wait, the oldest first. A name that waits already is not put in again. */
export interface Fifo extends Iterable<string> {
  readonly length: number
  has(name: string): boolean
  push(name: string): void
  /** Takes out the oldest; undefined when none waits. */
  shift(): string | undefined
  /** Takes one out, wherever it stands; answers whether it was there. */
  delete(name: string): boolean
  clear(): void
}

/** An empty queue. */
export function createFifo(): Fifo {
  const waiting = new Set<string>()
  // Kept between calls: a set remembers what was deleted at its head, and a new iterator would step over it each time.
  let oldest: Iterator<string> | null = null
  const count = (): void => {
    queue.length = waiting.size
    if (waiting.size === 0) oldest = null
  }
  const queue: { -readonly [Field in keyof Fifo]: Fifo[Field] } = {
    length: 0,
    has: (name) => waiting.has(name),
    push(name) {
      waiting.add(name)
      count()
    },
    shift() {
      if (waiting.size === 0) return undefined
      oldest ??= waiting.values()
      const { value } = oldest.next() as IteratorYieldResult<string>
      waiting.delete(value)
      count()
      return value
    },
    delete(name) {
      const deleted = waiting.delete(name)
      count()
      return deleted
    },
    clear() {
      waiting.clear()
      count()
    },
    [Symbol.iterator]: () => waiting.values(),
  }
  return queue
}
