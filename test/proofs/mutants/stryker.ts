// Owns a run of Stryker: its options, and what it answers for each mutant.
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Stryker } from '@stryker-mutator/core'
import { triedOf } from './tried.ts'
import type { Tried } from './tried.ts'

/** What is tried, and how. */
export interface MutantRun {
  /** Files to change, as globs from the root of the project. */
  mutate: readonly string[]
  /** The config of vitest that says which tests are asked, from the root of the project. */
  tests: string
  concurrency: number
  /** A file in which results are kept, so that the next run tries only what changed; null tries all. */
  incrementalFile: string | null
  /** Prints lines while it runs. */
  progress: boolean
  /** Prints each survivor without a reason when it is found. */
  list: boolean
}

/** Has a process that Stryker starts read TypeScript as this one does. */
const READS_TYPESCRIPT = ['--import', import.meta.resolve('tsx')]

/** Which test meets which mutant, thousands by thousands, takes more memory than Node gives by itself. */
const ROOMY = ['--max-old-space-size=8192']

/** Tries every mutant of the given files. It works on a copy of the project under the folder for temporary files. */
export async function tryMutants(run: MutantRun): Promise<Tried[]> {
  const options: Record<string, unknown> = {
    mutate: [...run.mutate],
    testRunner: 'kept',
    plugins: ['@stryker-mutator/vitest-runner', join(import.meta.dirname, 'runner.ts')],
    testRunnerNodeArgs: [...READS_TYPESCRIPT, ...ROOMY],
    checkerNodeArgs: READS_TYPESCRIPT,
    vitest: { configFile: run.tests, related: false },
    ignorers: ['texts'],
    // What vitest cancels after a failure would reach a worker that lives on only in its next run.
    disableBail: true,
    coverageAnalysis: 'perTest',
    concurrency: run.concurrency,
    incremental: run.incrementalFile !== null,
    ...(run.incrementalFile === null ? {} : { incrementalFile: run.incrementalFile }),
    tempDirName: join(tmpdir(), 'gateway-sandbox-mutants'),
    ignorePatterns: ['/dist', '/test/browser', '/test/package', '/test/containers'],
    // The compiler of this project has no interface that Stryker could read a tsconfig with; vitest needs none.
    tsconfigFile: 'none.json',
    disableTypeChecks: false,
    allowEmpty: true,
    reporters: [...(run.progress ? ['progress-append-only'] : []), ...(run.list ? ['survivors'] : [])],
    warnings: { slow: false },
    allowConsoleColors: false,
    fileLogLevel: 'off',
    logLevel: 'warn',
    timeoutMS: 60_000,
  }
  const results = await new Stryker(options).runMutationTest()
  return results.map(triedOf)
}
