// Owns many runs on hosts whose calendar jumps, drawn from a seed.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { fakeHost } from '../../support/fakeHost.ts'
import { anySteps } from './anySteps.ts'
import { checkJumps } from './hostJumps.ts'
import type { FakeHost } from '../../support/fakeHost.ts'
import type { JumpReport } from './hostJumps.ts'

/** A host on which it is the year 2026. */
export function hostOf2026(): FakeHost {
  return Object.assign(fakeHost(), { wallAt: Date.parse('2026-11-21T12:00:00Z') })
}

/** Checks a number of runs; the same seed draws the same. Findings name the run, counted from 1. */
export async function checkManyJumps(seed: number, programs: number): Promise<JumpReport> {
  const all: JumpReport = { steps: 0, expired: 0, findings: [] }
  for (const [index, steps] of fc.sample(anySteps, { seed, numRuns: programs }).entries()) {
    const folder = await mkdtemp(join(tmpdir(), 'gateway-sandbox-jumps-'))
    const found = await checkJumps(hostOf2026(), folder, steps)
    await rm(folder, { recursive: true })
    all.steps += found.steps
    all.expired += found.expired
    all.findings.push(...found.findings.map((finding) => `program ${index + 1} of seed ${seed}: ${finding}`))
  }
  return all
}
