// Plays random programs on the sandbox and on a small model of records and money, and says where they do not agree.
//
//   npm run prove:model [-- --programs N] [--seed N] [--path PATH] [--save]
//
// Programs call and order everything in several worlds, which are reset, saved and put back, taken out and put in, given
// records, forked, ended and kept over restarts; faults befall calls and webhooks by count, by record and by time. Left out
// are flowing clocks, chance of faults, limits of calls, added organisations and credentials, and AU-04 by fixed hours.
//
// The same seed plays the same programs, and a path with it the one that failed, of which nothing is saved. Ends with 0 when all agree, 1 when one does not, 2 for wrong usage.
import { parseArgs } from 'node:util'
import { keepRun } from '../lastRuns.ts'
import { failureToText, runPrograms, tallyToText } from './run.ts'
import { runScript, UsageError } from '../../support/commandLine.ts'

const DEFAULT_PROGRAMS = 20_000

const say = (line: string): void => void process.stdout.write(`${line}\n`)

function wholeNumber(text: string | undefined, usual: number, flag: string): number {
  const value = Number(text ?? usual)
  if (Number.isSafeInteger(value) && value >= 1) return value
  throw new UsageError(`--${flag} ${text} is no count`)
}

function readArguments(): { programs: number; seed: number; path: string | undefined; save: boolean } {
  const { values } = parseArgs({
    options: {
      programs: { type: 'string' },
      seed: { type: 'string' },
      path: { type: 'string' },
      save: { type: 'boolean', default: false },
    },
  })
  if (values.path !== undefined && values.save) {
    throw new UsageError(
      '--path replays one program: it goes without --save, which keeps the figures of a whole run',
    )
  }
  return {
    programs: wholeNumber(values.programs, DEFAULT_PROGRAMS, 'programs'),
    seed: wholeNumber(values.seed, Date.now() % 2_147_483_647, 'seed'),
    path: values.path,
    save: values.save,
  }
}

async function main(): Promise<boolean> {
  const { programs, seed, path, save } = readArguments()
  say(`${programs} programs, seed ${seed}`)
  const began = performance.now()
  const told = (done: number): void => say(`${done} programs agree`)
  const { steps, tally, failure, ...run } = await runPrograms({ programs, seed, path, told })
  const seconds = (performance.now() - began) / 1_000
  if (failure) {
    say(failureToText(failure))
    return false
  }
  say(` accepted  refused\n${tallyToText(tally)}`)
  say(`${run.programs} programs of ${steps} steps agree with the model, in ${seconds.toFixed(0)} s`)
  if (save) {
    keepRun('model', { programs: run.programs, steps, minutes: (seconds / 60).toFixed(1) }, { seed })
  }
  return true
}

// Timers of the sandbox keep no process alive, and a fault may let an answer wait for one.
const alive = new MessageChannel()
alive.port1.ref()
await runScript('prove:model', main)
alive.port1.close()
