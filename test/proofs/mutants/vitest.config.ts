// Owns how vitest runs the tests that are asked about each mutant.
import { defineConfig } from 'vitest/config'
import { BaseSequencer } from 'vitest/node'
import { LEFT_OUT, TESTS } from './tests.ts'
import type { TestSpecification } from 'vitest/node'

/** Keeps the order in which test files are asked for: the nearest first. */
class AsAsked extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(files)
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: AsAsked },
    include: [...TESTS],
    exclude: [...LEFT_OUT],
    isolate: false,
    reporters: [{}],
    setupFiles: ['test/proofs/mutants/setup.ts'],
    testTimeout: 10_000,
    hookTimeout: 60_000,
  },
})
