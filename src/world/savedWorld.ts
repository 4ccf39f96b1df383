// Owns the form of a whole world as one JSON value, and the working parts that follow from it.
import { foldBooks } from '../domain/books.ts'
import { buildIndexes } from '../domain/indexes.ts'
import { createClock } from '../kernel/clock.ts'
import { createRandom } from '../kernel/random.ts'
import { createScheduler } from '../kernel/scheduler.ts'
import type { JobKind } from '../domain/jobs.ts'
import type { WorldState } from '../domain/state.ts'
import type { World } from '../domain/world.ts'
import type { ClockState } from '../kernel/clock.ts'
import type { HostTime } from '../kernel/hostTime.ts'
import type { RandomState } from '../kernel/random.ts'
import type { SchedulerState } from '../kernel/scheduler.ts'
import type { Overrides } from './choices.ts'
import type { Fault } from './faults.ts'
import type { RuleBook } from './rules.ts'

/** A whole world as one JSON value. */
export interface SavedWorld {
  format: 1
  clock: ClockState
  random: RandomState
  scheduler: SchedulerState<JobKind>
  /** Choices that differ from the table. */
  silences: Overrides
  faults: Fault[]
  rules: RuleBook
  state: WorldState
}

/** The parts of a world that follow from what was saved. */
export type WorldParts = Pick<World, 'state' | 'indexes' | 'books' | 'clock' | 'scheduler' | 'random'>

/** The working parts of a saved world. */
export function assemble({ time }: { time: HostTime }, saved: SavedWorld): WorldParts {
  return {
    state: saved.state,
    indexes: buildIndexes(saved.state),
    books: foldBooks(saved.state.postings),
    clock: createClock(time, saved.clock),
    scheduler: createScheduler(saved.scheduler),
    random: createRandom(saved.random),
  }
}
