// Owns what the rules see of a world: its state, its time, its chance and its choices. Passed first, everywhere.
import type { ChoiceOf, SilenceId } from '../contract/silences.ts'
import type { EventType } from '../contract/events.ts'
import type { VariationName } from '../contract/variations.ts'
import type { Instant, Millis, Timestamp } from '../kernel/brands.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Random } from '../kernel/random.ts'
import type { Scheduler } from '../kernel/scheduler.ts'
import type { Indexes } from './indexes.ts'
import type { Books } from './books.ts'
import type { Changes } from './changes.ts'
import type { JobKind } from './jobs.ts'
import type { WorldState } from './state.ts'
import type { Delivery } from './trail.ts'

/** How a world answers where the contract is silent. */
export interface Choices {
  /** What the world answers at a silence; the read is counted, and named in `X-Sandbox-Silences`. */
  get<Id extends SilenceId>(id: Id): ChoiceOf<Id>
}

/** What becomes of a new delivery: sent at an instant, held until released, or never sent. */
export type Dispatch = { sendAt: Instant } | 'held' | 'dropped'

/** One isolated copy of the gateway, as its rules see it. */
export interface World {
  readonly id: string
  state: WorldState
  indexes: Indexes
  /** What follows from the postings. */
  books: Books
  clock: Clock
  scheduler: Scheduler<JobKind>
  random: Random
  choices: Choices
  /** Told of every record that changed; null where nothing is kept on disk. */
  changes: Changes | null
  /** Tells whoever watches the world live what happens. */
  tell(
    kind: 'call' | 'transition' | 'delivery' | 'attempt' | 'clock' | 'setup',
    facts: Record<string, unknown>,
  ): void
  /** Decides what becomes of a delivery that was just made; it may change its body, which nobody has signed yet. */
  dispatch(delivery: Delivery): Dispatch
  /** Tells the rules of the world that an event is emitted, and what it says; answers whether a delivery of it may be made. */
  emitted(type: EventType, record: { id: string }, say: () => Record<string, unknown>): boolean
  /** Chance for something that the server varies on purpose; null when it does not. The same key gives the same chance. */
  vary(name: VariationName, key: string): Random | null
  /** World time after which transactions are paid by themselves, for demonstrations; null for never. */
  readonly autoConfirm: Millis | null
}

/** The current instant of a world as text. */
export function stamp(world: World): Timestamp {
  return world.clock.stamp()
}
