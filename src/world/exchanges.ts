// Owns the log of exchanges: every call to the gateway with its answer, bounded, without anything secret in it.
import type { Timestamp } from '../kernel/brands.ts'

/** Exchanges that a world keeps; the oldest make room. */
export const MAX_EXCHANGES = 1_000
/** One recorded request and answer. */
export interface Exchange {
  /** From 1, in order of arrival. */
  n: number
  id: string
  /** Its place in one order with the commands: greater than that of everything that began before. */
  order: number
  at: Timestamp
  /** Operation id; null when no endpoint has the path. */
  operation: string | null
  method: string
  path: string
  query: Record<string, string>
  /** Public key of the caller; null when it was not identified. */
  publicKey: string | null
  /** The record that the path names, or that was created. */
  subject: string | null
  request: { headers: Record<string, string>; body: unknown }
  status: number
  /** Error code; null on success. */
  code: string | null
  hint: string | null
  silences: string[]
  /** Names of the faults that befell the call. */
  faults: string[]
  /** Headers as far as the answer itself decides them. */
  response: { headers: Record<string, string>; body: unknown }
  /** Values of misspelt fields that `request` hides, by name: the nearest accepted form of the body needs them. */
  misspelt: Readonly<Record<string, unknown>>
}

/** The log of one world. */
export interface Exchanges {
  add(exchange: Omit<Exchange, 'n' | 'id'>): Exchange
  list(): readonly Exchange[]
  get(id: string): Exchange | null
  clear(): void
  /** Nothing is added any more; whoever waits is told. */
  close(): void
  readonly closed: boolean
  /** Exchanges that made room since the log was cleared. */
  readonly dropped: number
  /** Calls back once, at the next exchange or when the log is closed; answers a function that ends it. */
  next(listener: () => void): () => void
}

/** An empty log. */
export function createExchanges(): Exchanges {
  let count = 0
  let kept: Exchange[] = []
  let dropped = 0
  const waiting = new Set<() => void>()
  const wake = (): void => {
    for (const listener of [...waiting]) {
      waiting.delete(listener)
      listener()
    }
  }
  const exchanges: { -readonly [Field in keyof Exchanges]: Exchanges[Field] } = {
    closed: false,
    add(exchange) {
      count += 1
      const added = { n: count, id: `x${count}`, ...exchange }
      kept.push(added)
      if (kept.length > MAX_EXCHANGES) {
        kept.shift()
        dropped += 1
      }
      wake()
      return added
    },
    list: () => kept,
    get: (id) => kept.find((exchange) => exchange.id === id) ?? null,
    clear() {
      kept = []
      dropped = 0
    },
    close() {
      exchanges.closed = true
      wake()
    },
    get dropped() {
      return dropped
    },
    next(listener) {
      waiting.add(listener)
      return () => void waiting.delete(listener)
    },
  }
  return exchanges
}
