// Owns how a test file begins when mutants are tried: nothing of the mutant before acts, and chance is the same each time.
import * as fc from 'fast-check'
import { inject } from 'vitest'

const shared = globalThis as unknown as Record<string, { activeMutant?: string | undefined }>
const stryker = (shared[inject('globalNamespace' as never)] ??= {})

// While tests are collected, only a mutant that acts while modules load may act.
if (inject('mutantActivation' as never) !== 'static') stryker.activeMutant = undefined

fc.configureGlobal({ seed: 1 })
