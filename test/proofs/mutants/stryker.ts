// Owns a run of Stryker: its options, and what it answers for each mutant.
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { Stryker } from '@stryker-mutator/core'

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
}

/** One mutant and what came of it. */
export interface Tried {
  file: string
  /** Line and column, from 1. */
  at: { line: number; column: number }
  mutator: string
  /** What stood there instead. */
  replacement: string
  /** The line on which it begins, without the blanks around it. */
  code: string
  status:
    | 'Killed'
    | 'Survived'
    | 'NoCoverage'
    | 'Timeout'
    | 'Ignored'
    | 'CompileError'
    | 'RuntimeError'
    | 'Pending'
}

/** Has a process that Stryker starts read TypeScript as this one does. */
const READS_TYPESCRIPT = ['--import', import.meta.resolve('tsx')]

/** Tries every mutant of the given files. It works on a copy of the project under the folder for temporary files. */
export async function tryMutants(run: MutantRun): Promise<Tried[]> {
  const options: Record<string, unknown> = {
    mutate: [...run.mutate],
    testRunner: 'kept',
    plugins: ['@stryker-mutator/vitest-runner', join(import.meta.dirname, 'runner.ts')],
    testRunnerNodeArgs: READS_TYPESCRIPT,
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
    reporters: run.progress ? ['progress-append-only'] : [],
    warnings: { slow: false },
    allowConsoleColors: false,
    fileLogLevel: 'off',
    logLevel: 'warn',
    timeoutMS: 60_000,
  }
  const results = await new Stryker(options).runMutationTest()
  return results.map(({ fileName, location, mutatorName, replacement, status }) => {
    const { line, column } = location.start
    return {
      file: relative(process.cwd(), fileName),
      at: { line, column },
      mutator: mutatorName,
      replacement,
      code: (readFileSync(fileName, 'utf8').split('\n')[line - 1] ?? '').trim(),
      status,
    }
  })
}
