// Owns the check of `doctor` on a callbackUrl: whether somebody listens there, and whether a container would reach it.
import { networkInterfaces } from 'node:os'
import { fine, FROM_A_CONTAINER, isLoopback, note, problem } from './finding.ts'
import { tryConnection } from './reach.ts'
import { UsageError } from './usage.ts'
import type { Connection } from './connect.ts'
import type { Finding } from './finding.ts'

/**
 * Tries a connection to a receiver, from here. Sends nothing.
 * @throws {UsageError} for a text that is no address
 */
export async function checkCallback(callback: string, connection: Connection | null): Promise<Finding[]> {
  if (!/^https?:\/\//i.test(callback) || !URL.canParse(callback)) {
    throw new UsageError(
      `--callback ${callback} is no address; use one such as http://localhost:3000/webhooks.`,
    )
  }
  const { hostname, host, port, protocol } = new URL(callback)
  const usual = protocol === 'https:' ? 443 : 80
  const number = port === '' ? usual : Number(port)
  const failed = await tryConnection(hostname.replaceAll(/^\[|\]$/g, ''), number)
  if (failed !== null) return [problem('callback', `${host}: ${reasonOf(failed)}`)]
  const here = fine('callback', `somebody listens at ${host}, as seen from here; nothing was sent`)
  if (!isLoopback(hostname)) return [here]
  return [here, ...(await fromContainer(host, number, connection))]
}

function reasonOf(code: string): string {
  if (code === 'ECONNREFUSED') return 'nothing listens there: start the receiver, and check its port'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'no such host: check the spelling'
  if (code === 'ETIMEDOUT') return 'nobody answered in time: check the address and firewalls on the way'
  return `cannot be reached from here (${code})`
}

/** What a sandbox in a container needs for an address that means the machine itself. */
async function fromContainer(host: string, port: number, connection: Connection | null): Promise<Finding[]> {
  const { container = false, rewriteLocalhost = null } = connection?.info ?? {}
  const hidden = await onlyOnLoopback(port)
  if (container && rewriteLocalhost === null) {
    return [
      problem('callback', `the sandbox runs in a container, where ${host} is itself: ${FROM_A_CONTAINER}`),
    ]
  }
  if (container) {
    if (!hidden) return [fine('callback', `the sandbox tries ${host} at ${String(rewriteLocalhost)}`)]
    return [problem('callback', `${host} listens only on this machine: let the receiver listen on 0.0.0.0`)]
  }
  const also = hidden ? '; now it listens only on this machine' : ''
  return [note('callback', `a sandbox in a container would not reach ${host}: ${FROM_A_CONTAINER}${also}`)]
}

/** Whether a port of this machine takes nothing from outside; false when the machine has no other address. */
async function onlyOnLoopback(port: number): Promise<boolean> {
  const outer = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')
  return outer !== undefined && (await tryConnection(outer.address, port)) !== null
}
