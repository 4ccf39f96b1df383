// Owns how a test file runs when mutants are tried: nothing of the mutant before acts, chance is the same each time, and
// one failure is enough.
import * as fc from 'fast-check'
import { afterEach, beforeEach, inject } from 'vitest'

const shared = globalThis as unknown as Record<string, { activeMutant?: string | undefined }>
const stryker = (shared[inject('globalNamespace' as never)] ??= {})

// While tests are collected, only a mutant that acts while modules load may act.
if (inject('mutantActivation' as never) !== 'static') stryker.activeMutant = undefined

fc.configureGlobal({ seed: 1, endOnFailure: true })

let hasFailed = false
afterEach(({ task }) => {
  hasFailed ||= task.result?.state === 'fail'
})
beforeEach(({ skip }) => skip(hasFailed, 'another has noticed the mutant'))
