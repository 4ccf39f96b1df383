// Sends damaged and hostile requests to both interfaces, in this process and over sockets, and checks every answer.
//
//   npm run prove:fuzz [-- --requests N] [--sockets N] [--seed N] [--save]
//
// The same seed sends the same requests. `--save` keeps the figures in test/proofs/lastRuns.json. It ends with 0 when all
// held, with 1 when something did not, and with 2 for wrong usage.
import { parseArgs } from 'node:util'
import { keepRun } from '../lastRuns.ts'
import { readOperations } from './documents.ts'
import { fuzz } from './fuzz.ts'
import { fuzzSockets } from './socket.ts'
import { tallyToText, unreached } from './tally.ts'
import { runScript, UsageError } from '../../support/commandLine.ts'

/** Requests from which on each operation must have been reached in both ways, and each code that can come. */
const ENOUGH = 20_000
const PROGRESS_EVERY = 5_000

const tell = (text: string): void => void process.stdout.write(`${text}\n`)

function readArguments(): { requests: number; sockets: number; seed: number; save: boolean } {
  const { values } = parseArgs({
    options: {
      requests: { type: 'string', default: '10000' },
      sockets: { type: 'string' },
      seed: { type: 'string' },
      save: { type: 'boolean', default: false },
    },
  })
  const requests = wholeNumber('requests', values.requests)
  return {
    requests,
    sockets: wholeNumber('sockets', values.sockets ?? String(Math.ceil(requests / 50))),
    seed: wholeNumber('seed', values.seed ?? String(Date.now() % 1_000_000)),
    save: values.save,
  }
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 0) throw new UsageError(`--${name} ${text} is no whole number`)
  return value
}

async function run(): Promise<boolean> {
  const { requests, sockets, seed, save } = readArguments()
  const operations = readOperations()
  tell(`seed ${seed}: ${requests} requests in this process, then ${sockets} over sockets`)
  const began = performance.now()
  let told = 0
  const progress = (sent: number): void => {
    if (sent - told < PROGRESS_EVERY) return
    told = sent
    tell(`${sent} sent`)
  }
  const inside = await fuzz({ seed, requests, operations, progress })
  const outside = inside.failure === null ? await fuzzSockets({ seed, requests: sockets, operations }) : null
  const minutes = (performance.now() - began) / 60_000
  tell(tallyToText(inside.tally))
  if (outside) tell(`over sockets: ${tallyToText(outside.tally).split('by operation')[0] ?? ''}`)
  const missed = inside.failure === null && requests >= ENOUGH ? unreached(inside.tally, operations) : []
  const failures = [inside.failure, outside?.failure ?? null, ...missed].filter((each) => each !== null)
  for (const failure of failures) tell(`did not hold: ${failure}`)
  tell(`${minutes.toFixed(1)} minutes`)
  if (save && failures.length === 0) {
    const figures = {
      requests,
      'over sockets': sockets,
      operations: operations.length,
      minutes: minutes.toFixed(1),
    }
    keepRun('fuzz', figures, { seed })
  }
  return failures.length === 0
}

await runScript('prove:fuzz', run)
