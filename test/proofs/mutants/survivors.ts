// Owns survivors told while a run goes on, so that one that is broken off has not been for nothing.
import { triedOf } from './tried.ts'
import { mutantToText, unexplained } from './verdict.ts'
import type { MutantResult } from './tried.ts'

/** A reporter of Stryker: prints each mutant that no test noticed and that has no reason. */
export function createSurvivorsReporter(): { onMutantTested(result: MutantResult): void } {
  return {
    onMutantTested(result) {
      for (const one of unexplained([triedOf(result)])) process.stdout.write(`${mutantToText(one)}\n`)
    },
  }
}
