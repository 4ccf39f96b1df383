// Owns which tests are asked about a mutant, and in which order: those that need neither a socket nor another process.
import { basename, dirname } from 'node:path'

/** Tests that run in this process and say much for their time. The order is the order in which they are asked. */
export const TESTS: readonly string[] = [
  'test/kernel/*.test.ts',
  'test/domain/*.test.ts',
  'test/http/transactions.test.ts',
  'test/http/transactionLives.test.ts',
  'test/http/splits.test.ts',
  'test/http/disputes.test.ts',
  'test/http/cashouts.test.ts',
  'test/http/customers.test.ts',
  'test/http/customersList.test.ts',
  'test/http/cards.test.ts',
  'test/http/boletos.test.ts',
  'test/http/balance.test.ts',
  'test/http/evidence.test.ts',
  'test/http/lastDays.test.ts',
  'test/http/refusals.test.ts',
  'test/http/transactionReads.test.ts',
  'test/http/transactionCustomers.test.ts',
  'test/http/authTokens.test.ts',
  'test/control/triggers.test.ts',
  'test/control/money.test.ts',
  'test/control/given.test.ts',
  'test/control/rules.test.ts',
  'test/control/records.test.ts',
  'test/control/explain.test.ts',
  'test/control/deliveries.test.ts',
  'test/control/snapshots.test.ts',
  'test/world/arrivals.test.ts',
  'test/world/memory.test.ts',
]

/** Most tests that are asked about one mutant. What they do not see counts as survived, so the score can only be too low. */
export const MOST_TESTS = 120

/** Most files that are run for a mutant that acts while modules load: nothing says which tests meet it. */
export const MOST_FILES = 5

/** Asked last, and always: it plays through everything and looks at all that is left behind. */
export const LAST = 'test/domain/stories.test.ts'

/** Orders test files for a mutant of a source file: those about the same thing first, then as they stand in the list. */
export function nearestFirst(files: readonly string[], source: string): string[] {
  const name = basename(source, '.ts')
  const words = name.split(/(?=[A-Z])/).map((word) => word.toLowerCase().replace(/s$/, ''))
  const layer = basename(dirname(source))
  const rank = (file: string): number => {
    const about = basename(file, '.test.ts').toLowerCase()
    const far = [
      about === name.toLowerCase(),
      words.some((word) => about.includes(word)),
      file.includes(`test/${layer}/`),
    ]
    return far.reduce((sum, isNear, index) => sum + (isNear ? 0 : 1_000 >> index), placeInList(file))
  }
  return files.toSorted((a, b) => rank(a) - rank(b))
}

function placeInList(file: string): number {
  return TESTS.findIndex((glob) => file.includes(glob.split('*')[0] ?? ''))
}
