// Owns which parts of an answer come again when a recording is played: numbers, words, what was sent, and instants; no generated text.
import * as enums from '../contract/enums.ts'
import { parseInstant } from '../kernel/time.ts'
import type { RecordNames } from './names.ts'
import type { Seen } from './seen.ts'

/** Entries of a list that a check names; a longer one is left out. */
const MAX_ITEMS = 10
/** Fields that only repeat what every file says, or what the call itself names. */
const NOISE: ReadonlySet<string> = new Set(['currency', 'environment'])
/** Instants that follow from when a record was made, also where jobs run late. */
const FIXED_INSTANTS: ReadonlySet<string> = new Set([
  'createdAt',
  'expiresAt',
  'openedAt',
  'responseDeadline',
  'requestedAt',
])

const WORDS: ReadonlySet<string> = new Set(Object.values(enums).flatMap((words): readonly string[] => words))

/** Tells what comes again. */
export interface StableData {
  /**
   * The part of some data that comes again; undefined when nothing does.
   * @param sent values that the call itself carried: they are not repeated
   */
  of(data: unknown, sent: ReadonlySet<unknown>): unknown
  /** Takes a text as one that comes again, such as the last digits of a card. */
  allow(text: string): void
}

/** What comes again of the answers of a world. */
export function stableData(seen: Seen, names: RecordNames): StableData {
  const texts = new Set<string>()
  const instants = new Set<string>(seen.happenings.map(({ at }) => at))
  for (const each of seen.happenings) {
    if (each.kind === 'command') collect(each.command.body, texts)
    else collect([each.exchange.request.body, each.exchange.query], texts)
  }

  function text(key: string, value: string): unknown {
    const reference = names.of(value)
    if (reference !== null) return reference
    if (WORDS.has(value) || /^\d{4}-\d\d-\d\d$/.test(value)) return value
    if (/^\d{4}-\d\d-\d\dT/.test(value) && parseInstant(value) !== null) {
      return !seen.flowed || instants.has(value) || FIXED_INSTANTS.has(key) ? value : undefined
    }
    return texts.has(value) ? names.said(value) : undefined
  }

  function part(key: string, value: unknown, sent: ReadonlySet<unknown>): unknown {
    if (typeof value === 'string') {
      return NOISE.has(key) || (sent.has(value) && key !== 'status') ? undefined : text(key, value)
    }
    if (typeof value === 'number') return sent.has(value) && key !== 'amount' ? undefined : value
    if (typeof value === 'boolean') return value
    if (Array.isArray(value)) return list(key, value, sent)
    return typeof value === 'object' && value !== null ? fields(value, sent) : undefined
  }

  function list(key: string, values: unknown[], sent: ReadonlySet<unknown>): unknown {
    if (values.length === 0 || values.length > MAX_ITEMS) return undefined
    const parts = values.map((value) => part(key, value, sent) ?? (isFields(value) ? {} : undefined))
    return parts.includes(undefined) ? undefined : parts
  }

  function fields(value: object, sent: ReadonlySet<unknown>): unknown {
    const parts = Object.entries(value)
      .map(([key, each]): [string, unknown] => [key, part(key, each, sent)])
      .filter(([, each]) => each !== undefined)
    return parts.length === 0 ? undefined : Object.fromEntries(parts)
  }

  return { of: (data, sent) => part('', data, sent), allow: (each) => void texts.add(each) }
}

function isFields(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The plain values that something holds. */
export function valuesIn(value: unknown): Set<unknown> {
  const found = new Set<unknown>()
  collect(value, found)
  return found
}

function collect(value: unknown, into: Set<unknown>): void {
  if (typeof value === 'object' && value !== null) {
    for (const each of Object.values(value)) collect(each, into)
  } else if (typeof value !== 'string' || isWhole(value)) into.add(value)
}

/** Whether nothing of a value, or of what it holds, was hidden or cut off. */
export function isAllThere(value: unknown): boolean {
  if (typeof value === 'string') return isWhole(value)
  return typeof value !== 'object' || value === null || Object.values(value).every(isAllThere)
}

/** Whether nothing of a text was hidden or cut off. */
function isWhole(text: string): boolean {
  return !text.includes('[hidden]') && !text.includes('****') && !text.endsWith('...')
}
