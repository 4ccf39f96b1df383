// Owns the verb `doctor`: finds out what is wrong, one line for each check, with what to do.
import { checkCallback } from './doctorCallback.ts'
import { checkDeliveries } from './doctorDeliveries.ts'
import { checkNode, checkPort, checkServer } from './doctorHost.ts'
import { checkCalls, checkEnvironment } from './doctorKeys.ts'
import { paintFor, printJson } from './print.ts'
import { DEFAULT_PORT } from '../address.ts'
import { CONNECT_FLAGS } from './connect.ts'
import { readCommand } from './usage.ts'
import { portOf } from './values.ts'
import type { Finding } from './finding.ts'

const COMMAND = {
  usage: 'doctor [options]',
  example: 'doctor --callback http://localhost:3000/webhooks',
  flags: {
    callback: {
      type: 'string',
      value: 'URL',
      summary: 'a callbackUrl to try; nothing is sent to it',
      argumentOnly: true,
    },
    port: { type: 'string', value: 'N', summary: `port that a server would take (${DEFAULT_PORT})` },
    ...CONNECT_FLAGS,
  },
  notes: ['Ends with 1 when it finds a problem. Of a key it prints no more than its kind.'],
} as const

const COLOURS = { ok: 'green', note: 'gray', problem: 'red' } as const

/** Runs `doctor`. */
export async function doctor(args: string[]): Promise<void> {
  const read = readCommand(COMMAND, args)
  if (!read) return
  const { callback, port, json } = read.flags
  const portFinding = checkPort(portOf(port))
  const { connection, findings: server } = await checkServer(read.flags)
  const findings: Finding[] = [
    checkNode(process.version),
    await portFinding,
    ...server,
    ...(connection === null ? [] : await checkDeliveries(connection)),
    ...(callback === undefined ? [] : await checkCallback(callback, connection)),
    ...checkEnvironment(process.env),
    ...(connection === null ? [] : await checkCalls(connection)),
  ]
  if (json) printJson(findings)
  else {
    const paint = paintFor(process.stdout, process.env)
    for (const { check, verdict, says } of findings) {
      console.log(`${paint(COLOURS[verdict], verdict.padEnd(8))} ${check.padEnd(11)} ${says}`)
    }
  }
  if (findings.some(({ verdict }) => verdict === 'problem')) process.exitCode = 1
}
