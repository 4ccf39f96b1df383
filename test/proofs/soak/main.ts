// Proves that the built server, at full speed for minutes, holds no more memory than before, leaks nothing and ends cleanly.
//
//   npm run prove:soak [-- --minutes N] [--data] [--seed N] [--save]
//
// Cycles of load and quiet follow each other: after each, everything is reset, and what the server still holds is measured.
// With `--data` it keeps its worlds in a file, which must stay as small, and hold what was answered. The same seed draws the
// same work; in which order it arrives is the machine's. Ends with 0 when all held, 1 when something did not, 2 for wrong usage.
import { randomInt } from 'node:crypto'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { keepRun } from '../lastRuns.ts'
import { inMebibytes, judge, medianOf, thirdsOf } from './judge.ts'
import { soak } from './soak.ts'
import { runScript, UsageError } from '../../support/commandLine.ts'
import type { CycleSample } from './judge.ts'
import type { SoakReport } from './soak.ts'

const DIST = resolve(import.meta.dirname, '../../../dist')
/** Load of one cycle. */
const CYCLE_MS = 8_000
const IDLE_MS = 3_000
/** Fewer cycles have no first and last third after the warm-up. */
const MIN_CYCLES = 9

interface Arguments {
  minutes: number
  seed: number
  data: boolean
  save: boolean
}

const tell = (text: string): void => void process.stdout.write(`${text}\n`)

function readArguments(): Arguments {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '10' },
      seed: { type: 'string', default: String(randomInt(2 ** 31)) },
      data: { type: 'boolean', default: false },
      save: { type: 'boolean', default: false },
    },
  })
  const [minutes, seed] = [Number(values.minutes), Number(values.seed)]
  if (!(minutes > 0 && minutes <= 10_000)) throw new UsageError(`--minutes ${values.minutes} is no time`)
  if (!Number.isSafeInteger(seed) || seed < 0) {
    throw new UsageError(`--seed ${values.seed} is no whole number`)
  }
  return { minutes, seed, data: values.data, save: values.save }
}

function tellCycle({ calls, held, loop }: CycleSample, number: number): void {
  const disk = held.disk === 0 ? '' : `, ${inMebibytes(held.disk)} on disk`
  const late = `loop late by ${loop.p99.toFixed(0)} ms (p99), ${loop.max.toFixed(0)} (max)`
  tell(
    `cycle ${number}: ${calls} calls, heap ${inMebibytes(held.heap)} MiB, external ${inMebibytes(held.external)}, rest ${inMebibytes(held.rest)}${disk}; ${late}`,
  )
}

/** The figures of a run. */
function figuresOf(
  { samples, tally, deliveries }: SoakReport,
  minutes: number,
): Record<string, string | number> {
  const { first, last } = thirdsOf(samples, 'heap')
  const late = (name: 'p99' | 'max'): string =>
    Math.max(...samples.cycles.map(({ loop }) => loop[name])).toFixed(0)
  return {
    minutes: minutes.toFixed(1),
    calls: tally.calls,
    deliveries,
    cycles: samples.cycles.length,
    'MiB of heap at first': inMebibytes(first),
    'MiB of heap at last': inMebibytes(last),
    'ms by which the event loop was late at most (p99 of a cycle)': late('p99'),
    'ms (single delay)': late('max'),
    'ms from SIGTERM to the end': Math.round(samples.end.ms),
  }
}

async function run({ minutes, seed, data, save }: Arguments): Promise<boolean> {
  tell(`seed ${seed}, ${minutes} minutes${data ? ', worlds kept in a file' : ''}`)
  const began = performance.now()
  const until = began + minutes * 60_000
  const report = await soak({
    folder: DIST,
    seed,
    data,
    idleMs: IDLE_MS,
    another: (cycles) => cycles < MIN_CYCLES || performance.now() < until,
    beginLoad() {
      const end = performance.now() + CYCLE_MS
      return () => performance.now() < end
    },
    note: tellCycle,
  })
  const took = (performance.now() - began) / 60_000
  const { samples, tally } = report
  const findings = judge(samples)
  for (const [name, times] of Object.entries(tally.done)) tell(`${times} × ${name}`)
  tell(`${tally.refused} of ${tally.calls} calls were refused as they should be`)
  const open = Object.entries(samples.cycles.at(-1)?.counts ?? {}).map(([name, size]) => `${size} ${name}`)
  tell(`open at the last quiet point: ${open.join(', ')}`)
  for (const name of ['heap', 'external', 'rest', 'disk'] as const) {
    const { first, last } = thirdsOf(samples, name)
    tell(`${name}: ${inMebibytes(first)} MiB in the first third, ${inMebibytes(last)} in the last`)
  }
  const p99 = medianOf(samples.cycles.map(({ loop }) => loop.p99))
  tell(
    `event loop: idle ${samples.idle.p99.toFixed(1)} ms (p99), ${p99.toFixed(1)} under load (median of cycles)`,
  )
  const figures = figuresOf(report, took)
  for (const [name, value] of Object.entries(figures)) tell(`${value} ${name}`)
  for (const finding of findings) tell(`FAILED: ${finding}`)
  if (findings.length === 0) tell('held')
  if (save && findings.length === 0) keepRun('soak', figures, { seed })
  return findings.length === 0
}

await runScript('prove:soak', () => run(readArguments()))
