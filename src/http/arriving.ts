// Owns counting a call of the gateway from its arrival to its answer, in the world that it says it is of.
import { arrive } from '../world/arrivals.ts'
import type { Context } from 'hono'
import type { EndpointRow } from '../contract/endpoint.ts'
import type { OpenCall } from '../world/arrivals.ts'
import type { RunningWorld } from '../world/runningWorld.ts'
import type { Worlds } from '../world/worlds.ts'
import type { Tokens } from './tokens.ts'

/** What a server answers calls with. */
export interface Served {
  worlds: Worlds
  tokens: Tokens
}

/** Answers a call, which keeps its world from being settled meanwhile. */
export async function whileOpen<T>(
  c: Context,
  row: EndpointRow,
  { worlds, tokens }: Served,
  answer: (open: OpenCall) => Promise<T>,
): Promise<T> {
  const { method, path } = c.req
  const open = arrive(worlds, announcedWorld(c, row, worlds, tokens), { operation: row.id, method, path })
  try {
    return await answer(open)
  } finally {
    open.leave()
  }
}

/** The world that the head of a call says it is of, unverified; null when only the body can tell. */
function announcedWorld(c: Context, row: EndpointRow, worlds: Worlds, tokens: Tokens): RunningWorld | null {
  if (row.permission === null) return row.body === null ? worlds.default : null
  const apiKey = c.req.header('x-api-key')
  const byKey = apiKey === undefined ? null : worlds.ofPublicKey(apiKey)
  if (byKey) return byKey
  const token = /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1]
  const byToken = token === undefined ? worlds.default : tokens.worldOf(token)
  return typeof byToken === 'string' ? worlds.default : byToken
}
