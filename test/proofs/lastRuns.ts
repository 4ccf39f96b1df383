// Owns the last run of each proof that is run by hand: its figures are kept in lastRuns.json, and told in the README as a table.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }
import { machineToText, thisMachine } from '../bench/machine.ts'
import type { Machine } from '../bench/machine.ts'

const FILE = join(import.meta.dirname, 'lastRuns.json')

/** The proofs, each run by `npm run prove:<name>`, and what it proves. The order of the table. */
export const PROOFS = {
  model: 'random programs agree with a small model of records and money',
  fuzz: 'damaged and hostile requests are refused as declared, and change nothing',
  soak: 'full speed for minutes: memory flat, nothing leaks, a clean end',
  hostile: 'slow, broken and endless peers, a full disk, a jumping host clock',
  mutants: 'the tests notice changes of `src/kernel` and `src/domain`',
  contract: 'the interface, seen from outside through a base URL and keys alone',
} as const

/** Name of a proof. */
export type ProofName = keyof typeof PROOFS

/** What a run counted, in words with its unit, such as `{ programs: '20,000', minutes: '4.1' }`. */
export type ProofFigures = Readonly<Record<string, string | number>>

interface LastRun {
  version: string
  /** The day, such as `2030-01-01`. */
  date: string
  machine: Machine
  /** Null for a proof without chance. */
  seed: number | null
  figures: ProofFigures
}

/** The last runs that were kept. */
export type LastRuns = Partial<Record<ProofName, LastRun>>

/** The runs that are kept. */
export function lastRuns(): LastRuns {
  return JSON.parse(readFileSync(FILE, 'utf8')) as LastRuns
}

/**
 * Keeps a run in which all held in place of the one before; `npm run docs` writes it into the README. Nothing of the command
 * line is kept but the seed: keys may stand there.
 */
export function keepRun(
  name: ProofName,
  figures: ProofFigures,
  { seed = null }: { seed?: number | null } = {},
): void {
  const date = new Date().toISOString().slice(0, 10)
  const run: LastRun = {
    version: packageJson.version,
    date,
    machine: thisMachine(),
    seed,
    figures,
  }
  writeFileSync(FILE, `${JSON.stringify({ ...lastRuns(), [name]: run }, null, 2)}\n`)
}

/** The kept runs as Markdown: one row for each proof, also for one that was never run. */
export function lastRunsToMarkdown(runs: LastRuns): string {
  const head = '| Command | What holds | Last run | When |\n|---|---|---|---|'
  const rows = Object.entries(PROOFS).map(([name, holds]) => {
    const run = runs[name as ProofName]
    const command = `\`npm run prove:${name}\``
    if (!run) return `| ${command} | ${holds} | never | |`
    const figures = Object.entries(run.figures).map(([what, value]) => `${amount(value)} ${what}`)
    const seed = run.seed === null ? '' : ` (\`--seed ${run.seed}\`)`
    return `| ${command} | ${holds} | ${figures.join(', ')}${seed} | ${run.date}, ${run.version} |`
  })
  const machines = [...new Set(Object.values(runs).map(({ machine }) => machineToText(machine)))]
  const told = machines.length === 0 ? [] : [`Taken on ${machines.join('; and on ')}.`]
  return [[head, ...rows].join('\n'), ...told].join('\n\n')
}

function amount(value: string | number): string {
  return typeof value === 'number' ? value.toLocaleString('en-US') : value
}
