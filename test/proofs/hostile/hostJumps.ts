// Owns the check of a sandbox on a host whose calendar jumps: its time never goes back, and what falls due runs once, in order.
import { join } from 'node:path'
import { startServer } from '../../../src/server.ts'
import { parseClockStart } from '../../../src/world/clockStart.ts'
import type { RunningServer } from '../../../src/server.ts'
import type { DataStore } from '../../../src/world/dataStore.ts'
import type { FakeHost } from '../../support/fakeHost.ts'

/** What happens to a host, or is asked of the sandbox on it. Times are in milliseconds. */
export type Step =
  /** Time passes. */
  | { do: 'pass'; by: number }
  /** The calendar is set by somebody, forward or back. */
  | { do: 'jump'; by: number }
  /** A charge is made that expires after some minutes. */
  | { do: 'sell'; minutes: number }
  /** The process is killed and another one goes on from the file; the calendar is set meanwhile. */
  | { do: 'kill'; by: number }

/** What a check of jumps found. */
export interface JumpReport {
  steps: number
  expired: number
  findings: string[]
}

const START = '2030-01-01T12:00:00.000Z'
/** Sales of one run: a token lives for an hour, and so many are made in one. */
const NO_LIMIT = { 'AU-13': 'off' }

/**
 * Takes a sandbox through steps on a host, and looks at it after each.
 * @param folder for its data file; an empty one
 */
export async function checkJumps(
  host: FakeHost,
  folder: string,
  steps: readonly Step[],
): Promise<JumpReport> {
  const findings: string[] = []
  const start = (): Promise<RunningServer> =>
    startServer({
      port: 0,
      data: join(folder, 'sandbox.json'),
      clock: parseClockStart(`flowing@${START}`),
      seed: 'jumps',
      silences: NO_LIMIT,
      time: host,
      say: () => {},
      report: (defect) => findings.push(`it reported ${String(defect)}`),
    })
  let server = await start()
  try {
    for (const [index, step] of steps.entries()) {
      const before = nowOf(server)
      if (step.do === 'pass') {
        host.wallAt += step.by
        host.stopwatchAt += step.by
      } else if (step.do === 'jump') host.wallAt += step.by
      else if (step.do === 'sell') await sell(server, step.minutes)
      else {
        // Then the end writes nothing more, as if there had been none.
        await (server.worlds.host.keeper as DataStore).drop()
        await server.close()
        host.wallAt += step.by
        host.stopwatchAt = 0
        server = await start()
      }
      await ask(server, 'POST', '/_sandbox/settle', {})
      for (const what of lookFindings(server, step, before)) {
        findings.push(`step ${index + 1}, ${JSON.stringify(step)}: ${what}`)
      }
    }
    return { steps: steps.length, expired: expiriesOf(server).length, findings }
  } finally {
    await server.close()
  }
}

const nowOf = ({ worlds }: RunningServer): number => worlds.default.clock.now()

const expiriesOf = ({ worlds }: RunningServer): { subject: string; at: string }[] =>
  worlds.default.state.journal.filter(({ on }) => on === 'expire')

const textOf = (at: number): string => new Date(at).toISOString()

/** What is wrong after a step. */
function lookFindings(server: RunningServer, step: Step, before: number): string[] {
  const now = nowOf(server)
  const { journal, transactions } = server.worlds.default.state
  const stamps = journal.map(({ at }) => Date.parse(at))
  const latest = Math.max(0, ...stamps)
  // A process that is killed forgets time in which nothing happened, but nothing that did.
  const floor = step.do === 'kill' ? latest : before + (step.do === 'pass' ? step.by : 0)
  const isExact = step.do !== 'kill'
  const expiries = expiriesOf(server)
  const subjects = expiries.map(({ subject }) => subject)
  const deadlines = subjects.map((id) => Date.parse(transactions[id]?.expiresAt ?? ''))
  const overdue = Object.values(transactions).filter(
    ({ status, expiresAt }) => status === 'Pending' && Date.parse(expiresAt) <= now,
  )
  return [
    ...(now < floor ? [`its time went back from ${textOf(floor)} to ${textOf(now)}`] : []),
    ...(isExact && now > floor ? [`its time jumped from ${textOf(floor)} to ${textOf(now)}`] : []),
    ...(isSorted(stamps) ? [] : ['its journal is not in the order of time']),
    ...(new Set(subjects).size === subjects.length ? [] : ['a charge expired twice']),
    ...(isSorted(deadlines) ? [] : ['charges did not expire in the order in which they were due']),
    ...(overdue.length === 0 ? [] : [`${overdue.length} charges are overdue`]),
  ]
}

function isSorted(values: readonly number[]): boolean {
  return values.every((value, index) => index === 0 || value >= (values[index - 1] ?? value))
}

/** Calls a server without a socket. */
async function ask(
  server: RunningServer,
  method: string,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: unknown }> {
  const response = await server.fetch(
    new Request(`${server.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    }),
  )
  return { status: response.status, body: await response.json() }
}

async function sell(server: RunningServer, pixExpirationMinutes: number): Promise<void> {
  const keys = { publicKey: 'pk_sandbox_default', secretKey: 'sk_sandbox_default' }
  const token = await ask(server, 'POST', '/v1/auth/token', keys)
  const { accessToken } = (token.body as { data: { accessToken: string } }).data
  const sale = { method: 'Pix', amount: 1_990, pixExpirationMinutes }
  const { status, body } = await ask(server, 'POST', '/v1/transactions', sale, {
    authorization: `Bearer ${accessToken}`,
  })
  if (status !== 201) throw new Error(`a sale was answered ${status} ${JSON.stringify(body)}`)
}
