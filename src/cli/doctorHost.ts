// Owns the checks of `doctor` on this machine and its server: Node, the port, and who answers.
import { createCaller } from '../client/call.ts'
import { networkFetch } from '../client/network.ts'
import { SandboxError } from '../client/errors.ts'
import { SECOND } from '../kernel/time.ts'
import { after } from '../kernel/timers.ts'
import { addressOf, connect, messageOf } from './connect.ts'
import { fine, note, problem } from './finding.ts'
import { tryPort } from './reach.ts'
import { PACKAGE } from '../version.ts'
import type { Millis } from '../kernel/brands.ts'
import type { ConnectValues, Connection } from './connect.ts'
import type { Finding } from './finding.ts'

/** Longest wait for somebody to say who they are. */
const LONGEST_WAIT = (3 * SECOND) as Millis

/** Whether a version of Node is one that this package runs on. */
export function checkNode(running: string): Finding {
  const wanted = PACKAGE.engines.node.replace('>=', '')
  const [major = 0, minor = 0] = wanted.split('.').map(Number)
  const [ownMajor = 0, ownMinor = 0] = running.replace('v', '').split('.').map(Number)
  const supported = ownMajor > major || (ownMajor === major && ownMinor >= minor)
  return supported
    ? fine('node', `${running} is supported`)
    : problem('node', `${running} is too old: install Node ${wanted} or later`)
}

/** Whether a server could listen on a port, and who holds it when not. */
export async function checkPort(port: number): Promise<Finding> {
  const refused = await tryPort('127.0.0.1', port)
  if (refused === null) return fine('port', `${port} is free`)
  if (refused !== 'EADDRINUSE') {
    return problem('port', `${port} cannot be listened on (${refused}): choose another --port`)
  }
  if (await isSandbox(`http://127.0.0.1:${port}`)) return fine('port', `${port} is held by a gateway-sandbox`)
  return problem(
    'port',
    `${port} is held by another program: end it, or start with another --port (0 takes a free one)`,
  )
}

async function isSandbox(url: string): Promise<boolean> {
  const expired = new AbortController()
  const callOff = after(LONGEST_WAIT, () => expired.abort())
  try {
    const caller = createCaller(url, networkFetch, undefined)
    const { headers } = await caller.open(null, 'GET /livez', { signal: expired.signal })
    return headers.has('x-sandbox-now')
  } catch {
    return false
  } finally {
    callOff()
  }
}

/** Who answers at the address that is meant, and in which version; the connection when it is a sandbox. */
export async function checkServer(
  values: ConnectValues,
): Promise<{ connection: Connection | null; findings: Finding[] }> {
  try {
    const connection = await connect(values, { wait: LONGEST_WAIT })
    const { version, container } = connection.info
    const where = `${connection.caller.url}${container ? ' (in a container)' : ''}`
    const same = version === PACKAGE.version
    const finding = same
      ? fine('server', `a gateway-sandbox ${version} answers at ${where}`)
      : problem(
          'server',
          `${where} is version ${version} and this command is ${PACKAGE.version}: install the same one on both sides`,
        )
    return await checkWorld(connection, finding)
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error
    const line = messageOf(error)
    const expected = values.url !== undefined || error.code !== 'unreachable'
    const finding = expected
      ? problem('server', line)
      : note('server', `none runs at ${addressOf(undefined)}; 'gateway-sandbox start' starts one`)
    return { connection: null, findings: [finding] }
  }
}

/** Without its world there is nothing more to look at. */
async function checkWorld(
  connection: Connection,
  server: Finding,
): Promise<{ connection: Connection | null; findings: Finding[] }> {
  const { caller, world } = connection
  try {
    await caller.send(null, 'GET /worlds/{world}', { params: { world } })
    return { connection, findings: [server] }
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error
    return { connection: null, findings: [server, problem('world', error.message)] }
  }
}
