// Owns which tests are asked about a mutant, and in which order: those that need neither a socket nor another process.
import { basename, dirname } from 'node:path'

/** Tests that run in this process and say much for their time. The order is the order in which they are asked. */
export const TESTS: readonly string[] = [
  'test/kernel/*.test.ts',
  'test/domain/*.test.ts',
  'test/http/*.test.ts',
  'test/control/*.test.ts',
  'test/world/*.test.ts',
  'test/webhooks/*.test.ts',
  'test/data/export.test.ts',
  'test/data/store.test.ts',
]

/** Slow for what they say about these folders, or in need of modules of their own. */
export const LEFT_OUT: readonly string[] = [
  'test/http/boletoSlip.test.ts',
  'test/control/inboxes.test.ts',
  'test/control/inboxScripts.test.ts',
  'test/control/scenarios.test.ts',
  'test/control/routes.test.ts',
]

/** Most tests that are asked about one mutant. What they do not see counts as survived, so the score can only be too low. */
export const MOST_TESTS = 1_000

/** Most files that are run for a mutant that acts while modules load: nothing says which tests meet it. */
export const MOST_FILES = 20

/** Tests that ask about a source file, where its name does not say so. */
const ABOUT: Readonly<Record<string, RegExp>> = {
  assert: /kernel\/brands|kernel\/machine/,
  indexes:
    /transactionReads|customersList|control\/(?:records|deliveries|explain)|cashouts|http\/disputes|boletos/,
  records: /openapi|snapshots|data\/|control\/records|given/,
  transactions: /http\/(?:transaction|boletos|splits|cards)/,
  transition: /http\/transactionLives|control\/(?:events|triggers|rules)/,
  trail: /openapi|snapshots|data\/|control\/records|control\/deliveries/,
}

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
      about === name.toLowerCase() || ABOUT[name]?.test(file) === true,
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
