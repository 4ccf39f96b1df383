// Owns the log of exchanges: every call to the gateway with its answer, bounded, without anything secret in it.
import type { Timestamp } from '../kernel/brands.ts'

/** Exchanges that a world keeps; the oldest make room. */
export const MAX_EXCHANGES = 1_000
/** The part of a body that is kept, in characters. */
const MAX_KEPT_UNITS = 8_192

/** One recorded request and answer. */
export interface Exchange {
  /** From 1, in order of arrival. */
  n: number
  id: string
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
  response: { body: unknown }
}

/** The log of one world. */
export interface Exchanges {
  add(exchange: Omit<Exchange, 'n' | 'id'>): Exchange
  list(): readonly Exchange[]
  get(id: string): Exchange | null
  clear(): void
  /** Calls back once, at the next exchange; answers a function that ends it. */
  next(listener: () => void): () => void
}

/** An empty log. */
export function createExchanges(): Exchanges {
  let count = 0
  let kept: Exchange[] = []
  const waiting = new Set<() => void>()
  return {
    add(exchange) {
      count += 1
      const added = { n: count, id: `x${count}`, ...exchange }
      kept.push(added)
      if (kept.length > MAX_EXCHANGES) kept.shift()
      for (const listener of [...waiting]) {
        waiting.delete(listener)
        listener()
      }
      return added
    },
    list: () => kept,
    get: (id) => kept.find((exchange) => exchange.id === id) ?? null,
    clear() {
      kept = []
    },
    next(listener) {
      waiting.add(listener)
      return () => void waiting.delete(listener)
    },
  }
}

const HIDDEN = '[hidden]'
const SECRET_NAMES =
  /secret|cvv|cvc|security|password|accesstoken|cardnumber|cardtoken|^authorization$|^cookie$/i

/** Headers without the values of secret ones. */
export function redactHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      SECRET_NAMES.test(name) ? HIDDEN : redactText(value),
    ]),
  )
}

/** A body without secrets: hidden by their names, and card numbers wherever they stand. Cut when it is long. */
export function redactBody(body: unknown): unknown {
  const clean = redactValue(body, 0)
  const text = JSON.stringify(clean)
  return text.length <= MAX_KEPT_UNITS ? clean : { cut: text.slice(0, MAX_KEPT_UNITS) }
}

/** Levels of a body that are looked into. */
const MAX_DEPTH = 20

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redactText(value)
  if (typeof value === 'number') return redactText(String(value)) === String(value) ? value : HIDDEN
  if (typeof value !== 'object' || value === null) return value
  if (depth >= MAX_DEPTH) return '[deeper]'
  if (Array.isArray(value)) return value.slice(0, MAX_EXCHANGES).map((each) => redactValue(each, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      redactText(name),
      SECRET_NAMES.test(name.replace(/[^a-z]/gi, '')) && each !== null
        ? HIDDEN
        : redactValue(each, depth + 1),
    ]),
  )
}

/** Characters that one text keeps. */
const MAX_TEXT_UNITS = 1_000

/** A text in which runs of 13 to 19 digits, as cards have them, keep only the last four; tokens are hidden. */
function redactText(text: string): string {
  const short = text.length <= MAX_TEXT_UNITS ? text : `${text.slice(0, MAX_TEXT_UNITS)}...`
  return short
    .replace(/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, HIDDEN)
    .replace(/\bsk_[\w-]+/g, HIDDEN)
    .replace(/(?<![\da-f-])\d(?:[ -]?\d){12,18}(?![\da-f-])/gi, (run) => `****${run.slice(-4)}`)
}
