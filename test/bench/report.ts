// Owns how a run is told: as a Markdown table that names the machine, the same on a terminal and in the README.
import { counted } from './figures.ts'
import { machineToText } from './machine.ts'
import { isReached, targetOf } from './targets.ts'
import type { Figure, Unit } from './figures.ts'
import type { Machine } from './machine.ts'
import type { Target } from './targets.ts'

/** One run, as it is kept. */
export interface Run {
  version: string
  /** The day, such as `2030-01-01`. */
  date: string
  machine: Machine
  rounds: number
  figures: Figure[]
}

const UNITS: Readonly<Record<Unit, string>> = {
  'calls/s': ' calls/s',
  'deliveries/s': ' /s',
  ms: ' ms',
  bytes: ' bytes',
}

/** A run as Markdown. */
export function runToMarkdown({ version, date, machine, rounds, figures }: Run): string {
  const isPeer = ({ id }: Figure): boolean => id.startsWith('peers.')
  const own = figures.filter((figure) => !isPeer(figure))
  const peers = figures.filter(isPeer)
  return [
    `Medians of up to ${rounds} rounds of gateway-sandbox ${version}, taken on ${date} on ${machineToText(machine)}.`,
    ...(own.length === 0 ? [] : [tableOf(own)]),
    ...(peers.length === 0 ? [] : ['Other servers at the nearest call that they serve:', tableOf(peers)]),
  ].join('\n\n')
}

function tableOf(figures: readonly Figure[]): string {
  const head = '| What | Figure | Beside it | Ratio | Target | |\n|---|---:|---|---:|---|---|'
  return [head, ...figures.map(rowOf)].join('\n')
}

function rowOf(figure: Figure): string {
  const { what, unit, value, beside, ratio } = figure
  const target = targetOf(figure)
  const cells =
    value === null
      ? [what, 'left out', figure.leftOut ?? '', '', wanted(target, unit), '']
      : [
          what,
          amount(value, unit),
          besideOf(beside, unit),
          String(ratio),
          wanted(target, unit),
          verdict(figure),
        ]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

function amount(value: number, unit: Unit): string {
  return `${value >= 1_000 ? counted(value) : value}${UNITS[unit]}`
}

function besideOf({ what, value }: Figure['beside'], unit: Unit): string {
  return value === null ? what : `${what}: ${amount(value, unit)}`
}

function wanted(target: Target | null, unit: Unit): string {
  if (target === null) return ''
  const bound = (limit: number): string => (target.of === 'ratio' ? String(limit) : amount(limit, unit))
  return 'atLeast' in target ? `at least ${bound(target.atLeast)}` : `below ${bound(target.below)}`
}

function verdict(figure: Figure): string {
  const target = targetOf(figure)
  if (target === null) return ''
  return isReached(figure, target) === true ? 'reached' : 'not reached'
}
