// Owns the checks of a server among hostile clients: it still answers, ends what hangs, keeps no connection, and can be ended.
import { comes, comesToHold, PATIENCE_MS } from './bounds.ts'
import { meet, statusOf } from './peers.ts'
import type { HostileClient } from './clients.ts'
import type { Peer } from './peers.ts'

/** A server under test. */
export interface Target {
  url: string
  /** Connections that it holds; null where the system does not tell. */
  sockets(): number | null
  /** Ends it; kept when it says that it has ended. */
  end(): Promise<unknown>
}

/** What a check may take. */
interface Limits {
  /** Host milliseconds after which something counts as never coming. */
  patience?: number
}

/** What a check of one client after the other may take. */
interface ClientLimits extends Limits {
  /** Host milliseconds in which a client that does nothing wrong is to be answered. */
  othersPatience?: number
}

/**
 * Lets hostile clients at a server, one after the other; those that may stay do so until the last has played.
 * Answers what is wrong, in a line each.
 */
export async function checkClients(
  target: Target,
  clients: readonly HostileClient[],
  { patience = PATIENCE_MS, othersPatience = PATIENCE_MS }: ClientLimits = {},
): Promise<string[]> {
  const before = target.sockets()
  const findings: string[] = []
  const peers: Peer[] = []
  for (const client of clients) {
    const peer = await meet(target.url, client.reads === undefined ? {} : { reads: client.reads })
    peers.push(peer)
    findings.push(...(await playFindings(client, peer, patience)))
    if (!(await stillAnswers(target, othersPatience))) {
      findings.push(`${client.name}: the server does not answer others any more`)
    }
  }
  for (const { socket } of peers) socket.destroy()
  const left = await leftOf(target, before, patience)
  if (left > 0) findings.push(`${left} connections are left of clients that went`)
  return findings
}

/** Connections that a server holds beyond those before, once they had time to go; 0 where the system does not tell. */
async function leftOf(target: Target, before: number | null, patience: number): Promise<number> {
  const left = (): number => (before === null ? 0 : (target.sockets() ?? 0) - before)
  return (await comesToHold(() => left() <= 0, patience)) ? 0 : left()
}

async function playFindings(client: HostileClient, peer: Peer, patience: number): Promise<string[]> {
  const { name, play, says, closes } = client
  // What never ends by itself ends with its connection.
  const played = Promise.resolve(play(peer)).catch(() => undefined)
  const isClosed = closes === undefined || (await comes(peer.ended, patience))
  if (!isClosed) return [`${name}: the server never closed the connection`]
  const isAnswered = says === undefined || (await comes(peer.until(says), patience))
  if (!isAnswered) return [`${name}: it was never answered`]
  const isSent = closes !== undefined || (await comes(played, patience))
  if (!isSent) return [`${name}: it could not send all`]
  return says === undefined || says.test(peer.text)
    ? []
    : [`${name}: it was answered ${JSON.stringify(peer.text.slice(0, 60))}`]
}

/** Whether a client that does nothing wrong is served. */
async function stillAnswers({ url }: Target, patience: number): Promise<boolean> {
  const asked = statusOf(`${url}/health`)
  return (await comes(asked, patience)) && (await asked) === 200
}

/** Many clients at once. */
interface Crowd {
  peers: Peer[]
  /** Those that never send a whole head. */
  headless: Peer[]
  /** Ends all of them from their side. */
  leave(): void
}

/** Connections that are opened at one time. */
const WAVE = 100

/** What the members of a crowd say, in turn. One in a hundred listens to events, as each event is sent to all of them. */
const LINES = {
  silent: '',
  halfHead: 'GET /health HT',
  halfBody: 'POST /v1/auth/token HTTP/1.1\r\nHost: a\r\nContent-Length: 90\r\n\r\n{"pub',
  events: 'GET /_sandbox/events HTTP/1.1\r\nHost: a\r\n\r\n',
} as const

function kindOf(index: number): keyof typeof LINES {
  if (index % 100 === 0) return 'events'
  return (['silent', 'halfHead', 'halfBody'] as const)[index % 3] ?? 'silent'
}

/** Opens connections that hang: silent ones, half heads, half bodies, and event streams that nobody reads. */
async function gather(url: string, count: number): Promise<Crowd> {
  const peers: Peer[] = []
  for (let first = 0; first < count; first += WAVE) {
    const wave = Array.from({ length: Math.min(WAVE, count - first) }, async (_, index) => {
      const peer = await meet(url, { reads: false })
      const line = LINES[kindOf(first + index)]
      if (line !== '') peer.socket.write(line)
      return peer
    })
    peers.push(...(await Promise.all(wave)))
  }
  return {
    peers,
    headless: peers.filter((_, index) => ['silent', 'halfHead'].includes(kindOf(index))),
    leave() {
      for (const { socket } of peers) socket.destroy()
    },
  }
}

/** What a check of a crowd found. */
export interface CrowdReport {
  /** Connections that were open at once. */
  connections: number
  /** Calls of a normal client that were answered meanwhile. */
  answered: number
  findings: string[]
}

/** What a crowd is checked with. */
interface CrowdOrder extends Limits {
  count: number
  /** Calls of a normal client, and one of them: whether it was answered. */
  calls: number
  call: () => Promise<boolean>
  /** Whether to wait until the server gives up those that never sent a head. */
  untilGivenUp?: boolean
}

/** Opens many connections that hang, has a normal client make its calls meanwhile, and lets all of them go. */
export async function checkCrowd(
  target: Target,
  { count, calls, call, untilGivenUp = false, patience = PATIENCE_MS }: CrowdOrder,
): Promise<CrowdReport> {
  const before = target.sockets()
  const crowd = await gather(target.url, count)
  const connections = crowd.peers.filter(({ isEnded }) => !isEnded).length
  let answered = 0
  for (let made = 0; made < calls; made += 1) answered += (await call()) ? 1 : 0
  let stayed = 0
  if (untilGivenUp) {
    // One that does not read hears of its end only when it looks.
    for (const { socket } of crowd.headless) socket.resume()
    await comes(Promise.all(crowd.headless.map(({ ended }) => ended)), patience)
    stayed = crowd.headless.filter(({ isEnded }) => !isEnded).length
  }
  crowd.leave()
  const left = await leftOf(target, before, patience)
  return {
    connections,
    answered,
    findings: [
      ...(answered === calls
        ? []
        : [`${calls - answered} of ${calls} calls were not answered among ${count} open connections`]),
      ...(stayed === 0 ? [] : [`${stayed} connections without a whole head were never closed`]),
      ...(left === 0 ? [] : [`${left} connections are left of a crowd that went`]),
    ],
  }
}

/** Ends a server while a crowd and hostile clients hang on it; answers what is wrong, in a line each. */
export async function checkEnd(
  target: Target,
  { count, clients, patience = PATIENCE_MS }: Limits & { count: number; clients: readonly HostileClient[] },
): Promise<string[]> {
  const crowd = await gather(target.url, count)
  for (const { play, reads } of clients) {
    const peer = await meet(target.url, reads === undefined ? {} : { reads })
    crowd.peers.push(peer)
    void Promise.resolve(play(peer)).catch(() => undefined)
  }
  const hasEnded = await comes(target.end(), patience)
  for (const { socket } of crowd.peers) socket.resume()
  const areClosed = await comes(Promise.all(crowd.peers.map(({ ended }) => ended)), patience)
  const left = crowd.peers.filter(({ isEnded }) => !isEnded).length
  crowd.leave()
  return [
    ...(hasEnded ? [] : ['the server never ended']),
    ...(areClosed ? [] : [`${left} connections outlived the server`]),
  ]
}
