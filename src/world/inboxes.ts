// Owns inboxes: receivers that live in the sandbox itself, with scripted answers and the messages they got.
import type { Timestamp } from '../kernel/brands.ts'
import type { InboxAnswer, InboxBehaviour } from './inboxAnswers.ts'

/** Messages that one inbox keeps; the oldest are dropped. */
export const MAX_INBOX_MESSAGES = 1_000
/** Characters of bodies that one inbox keeps; the oldest messages are dropped, but never the latest. */
export const MAX_INBOX_UNITS = 16_777_216
/** Inboxes of one world. */
export const MAX_INBOXES = 1_000

/** Whether the signature of a message holds for its body. */
export type SignatureCheck = 'valid' | 'invalid' | 'absent'

/** One received webhook. */
export interface InboxMessage {
  /** From 1, in order of arrival. */
  n: number
  receivedAt: Timestamp
  /** Event type, from the header or the body; null when neither tells. */
  type: string | null
  /** Delivery id, from the header. */
  delivery: string | null
  /** Attempt number, from the header. */
  attempt: number | null
  headers: Record<string, string>
  body: string
  /** The body as JSON; null when it is none. */
  json: unknown
  signature: SignatureCheck
  /** What is wrong with a signature that is invalid, in English; null for any other. */
  why: string | null
  /** HTTP status that the script says; null when nothing is answered. Whether the sender waited for it, its attempt tells. */
  answered: number | null
  /** What the inbox does with the message. */
  behaviour: InboxBehaviour
}

/** One inbox. */
export interface Inbox {
  name: string
  /** What is still to be done with the next messages, in order; 204 when nothing is left. */
  answers: InboxAnswer[]
  /** Host milliseconds before each answer that has no delay of its own. */
  delayMs: number
  received: number
  messages: InboxMessage[]
  /** Characters of the bodies of its messages. */
  units: number
  /** Whether the inbox was cleared away; nothing arrives any more. */
  gone: boolean
  /** Called at every message, and when the inbox is cleared away. */
  watchers: Set<() => void>
}

/** The inboxes of one world. */
export interface Inboxes {
  get(name: string): Inbox | null
  /** The inbox of a name, made when it is not there; null when there are too many. */
  ensure(name: string): Inbox | null
  list(): Inbox[]
  clear(): void
}

/** No inboxes yet. */
export function createInboxes(): Inboxes {
  const byName = new Map<string, Inbox>()
  return {
    get: (name) => byName.get(name) ?? null,
    ensure(name) {
      const known = byName.get(name)
      if (known) return known
      if (byName.size >= MAX_INBOXES) return null
      const inbox: Inbox = {
        name,
        answers: [],
        delayMs: 0,
        received: 0,
        messages: [],
        units: 0,
        gone: false,
        watchers: new Set(),
      }
      byName.set(name, inbox)
      return inbox
    },
    list: () => [...byName.values()],
    clear() {
      const gone = [...byName.values()]
      byName.clear()
      for (const inbox of gone) {
        inbox.gone = true
        for (const watcher of [...inbox.watchers]) watcher()
      }
    },
  }
}

/** Appends a message; the oldest make room, and those who wait are told. */
export function receive(inbox: Inbox, message: Omit<InboxMessage, 'n'>): InboxMessage {
  inbox.received += 1
  const kept = { n: inbox.received, ...message }
  const { messages } = inbox
  messages.push(kept)
  inbox.units += kept.body.length
  while (messages.length > MAX_INBOX_MESSAGES || (inbox.units > MAX_INBOX_UNITS && messages.length > 1)) {
    inbox.units -= messages.shift()?.body.length ?? 0
  }
  for (const watcher of [...inbox.watchers]) watcher()
  return kept
}
