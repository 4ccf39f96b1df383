// Owns the log of commands: what was done to a world besides the gateway's calls, bounded, in one order with those calls.
import type { Millis, Timestamp } from '../kernel/brands.ts'
import type { Overrides } from './choices.ts'

/** Commands that a world keeps; the oldest make room. */
export const MAX_COMMANDS = 1_000

/** One thing that was done to a world over the control API, without secrets. */
export interface Command {
  /** Its place in the order of commands and calls: greater than that of everything that began before. */
  order: number
  /** When it began. */
  at: Timestamp
  /** Method and path of the route, such as `POST /trigger`. */
  route: string
  params: Record<string, string>
  query: Record<string, unknown>
  body: unknown
  /** What of the answer later commands may name: ids, and what changed. */
  answer: Record<string, unknown>
}

/** How the present life of a world began. */
export interface LifeBegin {
  at: Timestamp
  how: 'made' | 'reset' | 'restored'
  /** Choices that differed from the table. */
  silences: Overrides
  /** World time after which the server pays transactions by itself; null for never. */
  autoConfirm: Millis | null
}

/** The log of one world, of its present life only. It is no part of the state. */
export interface Commands {
  readonly began: LifeBegin
  /** Begins anew. */
  begin(began: LifeBegin): void
  add(command: Command): void
  /** In order. */
  list(): readonly Command[]
  /** Commands of this life that made room. */
  readonly dropped: number
}

/** The log of a life that begins. */
export function createCommands(first: LifeBegin): Commands {
  let began = first
  let kept: Command[] = []
  let dropped = 0
  return {
    get began() {
      return began
    },
    get dropped() {
      return dropped
    },
    begin(next) {
      began = next
      kept = []
      dropped = 0
    },
    add(command) {
      // A long one ends after others that began later.
      const after = kept.findLastIndex(({ order }) => order < command.order)
      kept.splice(after + 1, 0, command)
      if (kept.length <= MAX_COMMANDS) return
      kept.shift()
      dropped += 1
    },
    list: () => kept,
  }
}
