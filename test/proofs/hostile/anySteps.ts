// Owns drawing what happens to a host: time that passes, a calendar that is set, sales, and processes that are killed.
import fc from 'fast-check'
import type { Step } from './hostJumps.ts'

const YEAR_MS = 31_536_000_000

const anyJump = fc.oneof(fc.integer({ min: -YEAR_MS, max: YEAR_MS }), fc.integer({ min: -5_000, max: 5_000 }))

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('pass' as const), by: fc.oneof(fc.nat(3_600_000), fc.nat(YEAR_MS)) }),
  fc.record({ do: fc.constant('jump' as const), by: anyJump }),
  fc.record({ do: fc.constant('sell' as const), minutes: fc.integer({ min: 5, max: 1_440 }) }),
  fc.record({ do: fc.constant('kill' as const), by: anyJump }),
)

/** Any steps. */
export const anySteps: fc.Arbitrary<Step[]> = fc.array(anyStep, { maxLength: 20 })
