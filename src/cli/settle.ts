// Owns the verb `settle`: waits until nothing is due, in flight or being answered.
import { SandboxError } from '../client/errors.ts'
import { parseDuration } from '../kernel/time.ts'
import { connect, CONNECT_FLAGS } from './connect.ts'
import { counted, printAnswer, printJson, table } from './print.ts'
import { readCommand, UsageError } from './usage.ts'

const COMMAND = {
  usage: 'settle [options]',
  example: 'settle --timeout 10s',
  flags: {
    timeout: {
      type: 'string',
      value: 'DURATION',
      summary: 'longest wait of host time (5s)',
      argumentOnly: true,
    },
    quiet: {
      type: 'string',
      value: 'DURATION',
      summary: 'host time that must pass without new work (0ms)',
      argumentOnly: true,
    },
    ...CONNECT_FLAGS,
  },
  notes: ['Ends with 1 and what is still open when the world does not settle in time.'],
} as const

/** What is still open at the end of the time-out. */
interface Unsettled {
  open: { kind: string; id: string; why: string; hint: string }[]
}

/** Runs `settle`. */
export async function settle(args: string[]): Promise<void> {
  const read = readCommand(COMMAND, args)
  if (!read) return
  const { timeout = '5s', quiet = '0ms', json } = read.flags
  const body = { timeoutMs: millisOf('timeout', timeout), quietMs: millisOf('quiet', quiet) }
  const { caller, world } = await connect(read.flags)
  try {
    const settled = await caller.send(world, 'POST /settle', { body })
    const { length } = settled.waiting
    const waiting = `${counted(length, 'job')} ${length === 1 ? 'waits' : 'wait'} for time`
    printAnswer(json, settled, () => `settled; ${waiting}`)
  } catch (error) {
    if (!(error instanceof SandboxError) || error.code !== 'not_settled') throw error
    process.exitCode = 1
    if (json) printJson(error.details)
    else console.error(stillOpen(error.details as Unsettled, world, timeout))
  }
}

function stillOpen({ open }: Unsettled, world: string, timeout: string): string {
  const rows = open.map(({ kind, id, why, hint }) => [kind, id, why, hint])
  const head = `gateway-sandbox: world '${world}' did not settle within ${timeout}; still open:`
  return `${head}\n${table(['what', 'id', 'why', 'what to do'], rows)}`
}

function millisOf(flag: string, text: string): number {
  const length = parseDuration(text)
  if (length !== null) return length
  throw new UsageError(`--${flag} ${text} is no duration; use such as 500ms, 5s or 2m.`)
}
