// Measures the built package and prints every figure beside what was measured with it in the same run.
//
//   npm run bench [-- GROUP...] [--peers] [--rounds N] [--json] [--save] [--tiny] [--from FOLDER] [--without container]
//
// `--save` keeps the run in results.json, which `npm run docs` writes into both READMEs. `--from` names a project in which
// the package is installed; this one, built, when left out. `--tiny` proves that every figure is taken, and no more.
// A figure that misses its target is told and breaks nothing: 1 means that a measurement failed, 2 wrong usage.
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import packageJson from '../../package.json' with { type: 'json' }
import { packageIn } from './bench.ts'
import { advance } from './groups/advance.ts'
import { calls } from './groups/calls.ts'
import { deliveries } from './groups/deliveries.ts'
import { peers } from './groups/peers.ts'
import { start } from './groups/start.ts'
import { stored } from './groups/stored.ts'
import { worlds } from './groups/worlds.ts'
import { runToMarkdown } from './report.ts'
import { FULL, TINY } from './sizes.ts'
import { thisMachine } from './machine.ts'
import { runScript, UsageError } from '../support/commandLine.ts'
import type { Bench } from './bench.ts'
import type { Figure } from './figures.ts'
import type { Run } from './report.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const RESULTS = join(import.meta.dirname, 'results.json')

/** The groups in the order in which they are measured and printed; each measures what stands beside its figures too. */
const GROUPS: Readonly<Record<string, (bench: Bench) => Promise<Figure[]>>> = {
  calls,
  stored,
  deliveries,
  advance,
  worlds,
  start,
}

const tell = (text: string): void => void process.stderr.write(`${text}\n`)

function readArguments(): { bench: Bench; groups: string[]; json: boolean; save: boolean } {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: 'string' },
      json: { type: 'boolean', default: false },
      save: { type: 'boolean', default: false },
      peers: { type: 'boolean', default: false },
      tiny: { type: 'boolean', default: false },
      from: { type: 'string', default: ROOT },
      without: { type: 'string', multiple: true, default: [] },
    },
  })
  const sizes = values.tiny ? TINY : FULL
  const rounds = Number(values.rounds ?? sizes.rounds)
  if (!Number.isSafeInteger(rounds) || rounds < 1) {
    throw new UsageError(`--rounds ${values.rounds} is no count`)
  }
  const stranger = positionals.find((name) => !(name in GROUPS))
  if (stranger !== undefined) {
    throw new UsageError(`there is no group '${stranger}'; there are ${Object.keys(GROUPS).join(', ')}`)
  }
  if (values.save && (positionals.length > 0 || values.tiny)) {
    throw new UsageError('--save keeps a whole run: leave out the groups and --tiny')
  }
  const groups = positionals.length === 0 ? Object.keys(GROUPS) : positionals
  const folder = resolve(values.from)
  return {
    groups: values.peers ? [...groups, 'peers'] : groups,
    json: values.json,
    save: values.save,
    bench: {
      folder,
      package: packageIn(folder),
      sizes: { ...sizes, rounds, longRounds: Math.min(sizes.longRounds, rounds) },
      containers: !values.without.includes('container'),
      note: tell,
    },
  }
}

async function run(bench: Bench, groups: readonly string[]): Promise<Run> {
  const figures: Figure[] = []
  for (const name of groups) {
    const began = performance.now()
    const measure = name === 'peers' ? peers : GROUPS[name]
    figures.push(...((await measure?.(bench)) ?? []))
    bench.note(`${name}: ${((performance.now() - began) / 1_000).toFixed(1)} s`)
  }
  const date = new Date().toISOString().slice(0, 10)
  return { version: packageJson.version, date, machine: thisMachine(), rounds: bench.sizes.rounds, figures }
}

await runScript('bench', async () => {
  const { bench, groups, json, save } = readArguments()
  const found = await run(bench, groups)
  if (save) writeFileSync(RESULTS, `${JSON.stringify(found, null, 2)}\n`)
  process.stdout.write(`${json ? JSON.stringify(found) : runToMarkdown(found)}\n`)
  return true
})
