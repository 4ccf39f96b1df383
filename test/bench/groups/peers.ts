// Owns the figures of other servers: the nearest call that each can serve, under the same load as the sandbox in the same rounds.
import { sandboxProgram } from '../bench.ts'
import { figureOf, leftOut } from '../figures.ts'
import { createCall, getCall, openWorld, send } from '../gateway.ts'
import { callsOfRound, drive } from '../load.ts'
import { PEER_PATHS, PEERS, startPeer } from '../peers.ts'
import { takeTurns } from '../rounds.ts'
import type { Bench } from '../bench.ts'
import type { Figure, Subject } from '../figures.ts'
import type { Call } from '../load.ts'
import type { Peer, RunningPeer } from '../peers.ts'
import type { Measure } from '../rounds.ts'

/** What is asked of everybody. */
const KINDS = ['post', 'get'] as const
type Kind = (typeof KINDS)[number]

/** Measures the peers that can be started, and tells why the others are left out. */
export async function peers(bench: Bench): Promise<Figure[]> {
  await using sandbox = sandboxProgram(bench)
  const url = await sandbox.ask('start', {})
  const world = await openWorld(url)
  const create = createCall(world)
  const post = await send<{ data: { id: string } }>(url, create)
  const get = getCall(world, `/v1/transactions/${post.data.id}`)
  const answers = { post, get: await send(url, get) }

  const running: RunningPeer[] = []
  const missing = new Map<Peer, string>()
  try {
    const measures: Record<string, Measure> = {
      'sandbox post': await measureOf(bench, url, create),
      'sandbox get': await measureOf(bench, url, get),
    }
    for (const peer of PEERS) {
      try {
        const started = await startPeer(peer, answers)
        running.push(started)
        for (const kind of KINDS) {
          measures[`${peer.package} ${kind}`] = await measureOf(bench, started.url, peerCall(kind, create))
        }
      } catch (error) {
        // A peer that cannot be installed, started or loaded spoils no run.
        const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
        bench.note(`LEFT OUT: ${peer.package}, because ${reason}`)
        missing.set(peer, reason)
      }
    }
    const taken = await takeTurns(bench.sizes.rounds, measures)
    return PEERS.flatMap((peer) =>
      KINDS.map((kind) => {
        const reason = missing.get(peer)
        const subject = subjectOf(peer, kind)
        if (reason !== undefined) return leftOut(subject, reason)
        return figureOf(subject, taken[`sandbox ${kind}`] ?? [], taken[`${peer.package} ${kind}`] ?? [])
      }),
    )
  } finally {
    for (const each of running) await each[Symbol.asyncDispose]()
  }
}

function peerCall(kind: Kind, { headers, body = '' }: Call): Call {
  return kind === 'post'
    ? { method: 'POST', path: PEER_PATHS.post, headers, body }
    : { method: 'GET', path: PEER_PATHS.get, headers: {} }
}

async function measureOf({ sizes }: Bench, url: string, call: Call): Promise<Measure> {
  const { connections } = sizes
  const amount = await callsOfRound(url, () => [call], sizes)
  return () => drive(url, [call], { connections, amount })
}

function subjectOf({ package: name, version, remark }: Peer, kind: Kind): Subject {
  return {
    id: `peers.${name}.${kind}`,
    what: `${kind === 'post' ? 'create' : 'get'} a transaction, beside ${name}`,
    unit: 'calls/s',
    beside: `${name} ${version}${remark === undefined || kind === 'get' ? '' : ` (${remark})`}`,
  }
}
