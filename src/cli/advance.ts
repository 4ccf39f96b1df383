// Owns the verb `advance`: moves the clock of a running server forward.
import { connect, CONNECT_FLAGS } from './connect.ts'
import { counted, printAnswer, table } from './print.ts'
import { readCommand, UsageError } from './usage.ts'
import type { RouteAnswer } from '../client/call.ts'

const COMMAND = {
  usage: 'advance [DURATION] [options]',
  example: 'advance 31m',
  flags: {
    to: {
      type: 'string',
      value: 'INSTANT',
      summary: 'moves to an instant, such as 2030-01-01T12:00:00Z',
      argumentOnly: true,
    },
    next: {
      type: 'boolean',
      summary: 'moves to the next instant at which something is due',
      argumentOnly: true,
    },
    ...CONNECT_FLAGS,
  },
  words: 1,
  notes: [
    'DURATION is 1500ms, 5s, 31m, 25h, 7d or ISO 8601 such as PT31M. Everything that falls due on the way happens.',
  ],
} as const

type Target = { by: string } | { to: string } | { toNext: true }

/** Runs `advance`. */
export async function advance(args: string[]): Promise<void> {
  const read = readCommand(COMMAND, args)
  if (!read) return
  const body = targetOf(read.words[0], read.flags)
  const { caller, world } = await connect(read.flags)
  const advanced = await caller.send(world, 'POST /clock/advance', { body })
  printAnswer(read.flags.json, advanced, () => told(advanced))
}

function targetOf(by: string | undefined, { to, next }: { to?: string; next?: boolean }): Target {
  const targets: Target[] = [
    ...(by === undefined ? [] : [{ by }]),
    ...(to === undefined ? [] : [{ to }]),
    ...(next === true ? [{ toNext: true as const }] : []),
  ]
  const [target] = targets
  if (target !== undefined && targets.length === 1) return target
  throw new UsageError('advance takes exactly one of a duration such as 31m, --to INSTANT and --next.')
}

function told({ from, to, ran, attempts, waiting, totals }: RouteAnswer<'POST /clock/advance'>): string {
  const rows = [
    ...ran.map(({ at, job, subject }) => [at, job, subject]),
    ...attempts.map(({ at, type, subject, number, status }) => [
      at,
      `attempt ${number}`,
      subject,
      `${type}: ${status ?? 'no answer'}`,
    ]),
  ].toSorted(([one = ''], [other = '']) => one.localeCompare(other))
  const [next] = waiting
  const later = next === undefined ? '' : `, the next is ${next.job} at ${next.at}`
  return [
    `${from} -> ${to}`,
    ...(rows.length === 0 ? [] : [table(['at', 'what', 'of', ''], rows)]),
    `${counted(totals.ran, 'job')} ran, ${totals.waiting} wait${totals.waiting === 1 ? 's' : ''} for time${later}`,
  ].join('\n')
}
