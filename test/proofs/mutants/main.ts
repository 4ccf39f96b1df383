// Changes src/kernel and src/domain in thousands of small ways, and counts how many of these the tests notice.
//
//   npm run prove:mutants [-- --only kernel|domain|GLOB] [--incremental] [--concurrency N] [--list] [--tests CONFIG] [--save]
//
// `--incremental` tries only what changed since the last run that said so; its results lie in node_modules/.cache.
// `--list` prints every mutant that was not noticed and has no reason, as soon as it was tried. `--tests` names a config of vitest with other tests to ask.
// `--save` keeps the figures of a whole run for the README.
// No chance is used: the same code and the same tests give the same score. 1 means that the score is too low.
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { keepRun } from '../lastRuns.ts'
import { tryMutants } from './stryker.ts'
import { count, faultsOf, idleReasons, unexplained } from './verdict.ts'
import { runScript, UsageError } from '../../support/commandLine.ts'

const ROOT = resolve(import.meta.dirname, '../../..')

/** The folders whose promises are proven. */
const FOLDERS: Readonly<Record<string, string>> = {
  kernel: 'src/kernel/**/*.ts',
  domain: 'src/domain/**/*.ts',
}

const tell = (text: string): void => void process.stdout.write(`${text}\n`)

function readArguments(): {
  mutate: string[]
  tests: string
  concurrency: number
  incremental: boolean
  list: boolean
  save: boolean
} {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      tests: { type: 'string' },
      incremental: { type: 'boolean', default: false },
      concurrency: { type: 'string', default: '2' },
      list: { type: 'boolean', default: false },
      save: { type: 'boolean', default: false },
    },
  })
  const { only, tests = 'test/proofs/mutants/vitest.config.ts', incremental, list, save } = values
  const concurrency = Number(values.concurrency)
  if (!Number.isSafeInteger(concurrency) || concurrency < 1) {
    throw new UsageError(`--concurrency ${values.concurrency} is no count`)
  }
  if (save && (only ?? values.tests) !== undefined) {
    throw new UsageError('--save keeps a whole run: leave out --only and --tests')
  }
  const mutate = only === undefined ? Object.values(FOLDERS) : [FOLDERS[only] ?? only]
  return { mutate, tests, concurrency, incremental, list, save }
}

await runScript('prove:mutants', async () => {
  const { mutate, tests, concurrency, incremental, list, save } = readArguments()
  tell(`mutants of ${mutate.join(' and ')}`)
  const began = performance.now()
  process.chdir(ROOT)
  const tried = await tryMutants({
    mutate,
    tests,
    concurrency,
    incrementalFile: incremental ? join(ROOT, 'node_modules/.cache/mutants.json') : null,
    progress: true,
    list,
  })
  const minutes = ((performance.now() - began) / 60_000).toFixed(1)
  const { mutants, killed, survived, noCoverage, leftOut, score } = count(tried)
  const left = unexplained(tried)
  tell(
    `${mutants} mutants, ${killed} killed, ${survived} survived, ${noCoverage} met by no test, ${leftOut} left out`,
  )
  tell(`score ${score} %, ${left.length} survivors without a reason, ${minutes} minutes`)
  for (const { file, code } of idleReasons(tried)) tell(`no survivor needs the reason for ${file}: ${code}`)
  const faults = faultsOf(tried)
  for (const fault of faults) tell(`FAULT: ${fault}`)
  if (save && faults.length === 0) keepRun('mutants', { mutants, killed, '% score': score, minutes })
  return faults.length === 0
})
