// Owns a world without records, for rules that are checked below the doors: no server, no HTTP, no time of its own.
import { createClock } from '../../src/kernel/clock.ts'
import { createRandom } from '../../src/kernel/random.ts'
import { createScheduler } from '../../src/kernel/scheduler.ts'
import { instant } from '../../src/kernel/time.ts'
import { foldBooks } from '../../src/domain/books.ts'
import { buildIndexes } from '../../src/domain/indexes.ts'
import { emptyState } from '../../src/domain/state.ts'
import { fakeHost } from '../support/fakeHost.ts'
import type { World } from '../../src/domain/world.ts'

/** A world without records, frozen at noon of 2030-01-01. A choice that is not given must not be asked for. */
export function emptyWorld(choices: Readonly<Record<string, unknown>> = {}): World {
  const state = emptyState()
  return {
    id: 'empty',
    state,
    indexes: buildIndexes(state),
    books: foldBooks([]),
    tell: () => undefined,
    clock: createClock(fakeHost(), { mode: 'frozen', at: instant(1_893_499_200_000), rate: 1 }),
    scheduler: createScheduler({ lastOrder: 0, jobs: [] }),
    changes: null,
    random: createRandom([1, 2, 3, 4]),
    choices: {
      get: (id) => {
        if (!Object.hasOwn(choices, id)) throw new Error(`nobody chose ${id}`)
        return choices[id] as never
      },
    },
    autoConfirm: null,
    dispatch: () => 'dropped',
    emitted: () => true,
    vary: () => null,
  }
}
