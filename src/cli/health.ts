// Owns the verb `health`: says whether a server takes calls. Loads as little as it can: containers ask every few seconds.
import { SandboxError } from '../client/errors.ts'
import { after } from '../kernel/timers.ts'
import { parseDuration } from '../kernel/time.ts'
import { ADDRESS_FLAGS, callerOf } from './connect.ts'
import { JSON_FLAG, printJson } from './print.ts'
import { Failure, readCommand, UsageError } from './usage.ts'
import type { ControlCaller } from '../client/call.ts'

const COMMAND = {
  usage: 'health [options]',
  example: 'health --url http://127.0.0.1:4848',
  flags: {
    ...ADDRESS_FLAGS,
    timeout: {
      type: 'string',
      value: 'DURATION',
      summary: 'longest wait for an answer (2s)',
      argumentOnly: true,
    },
    ...JSON_FLAG,
  },
  notes: [
    'Needs no control token. Ends with 0 when the server takes calls, and with 1 when not. Without --url it asks the port that',
    'SANDBOX_PORT names. So does the health check of the image: set SANDBOX_PORT there, and not --port of start.',
  ],
} as const

/** Runs `health`. */
export async function health(args: string[]): Promise<void> {
  const read = readCommand(COMMAND, args)
  if (!read) return
  const { timeout = '2s', json } = read.flags
  const wait = parseDuration(timeout)
  if (wait === null) throw new UsageError(`--timeout ${timeout} is no duration; use such as 500ms or 2s.`)
  const caller = callerOf(read.flags)
  const expired = new AbortController()
  const callOff = after(wait, () => expired.abort())
  const problem = await problemOf(caller, expired.signal)
  callOff()
  const why = expired.signal.aborted ? `${caller.url} did not answer within ${timeout}.` : problem
  if (json) {
    printJson({ url: caller.url, healthy: why === null, problem: why })
    if (why !== null) process.exitCode = 1
  } else if (why === null) console.log(`ok ${caller.url}`)
  else throw new Failure(why)
}

/** Why a server does not take calls; null when it does. */
async function problemOf(caller: ControlCaller, signal: AbortSignal): Promise<string | null> {
  try {
    if (await answersOk(caller, 'GET /readyz', signal)) return null
    return `${caller.url} is no gateway-sandbox.`
  } catch (error) {
    if (!(error instanceof SandboxError) || error.status === null) return reasonOf(error)
  }
  try {
    const alive = await answersOk(caller, 'GET /livez', signal)
    return alive
      ? `${caller.url} lives, but does not take calls yet.`
      : `${caller.url} is no gateway-sandbox.`
  } catch (error) {
    return reasonOf(error)
  }
}

async function answersOk(
  caller: ControlCaller,
  route: 'GET /readyz' | 'GET /livez',
  signal: AbortSignal,
): Promise<boolean> {
  const response = await caller.open(null, route, { signal })
  return response.headers.has('x-sandbox-now') && (await response.text()).includes('"ok"')
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
