// Owns what the bench says to a sandbox over HTTP: control calls, worlds, and the calls of a merchant that are measured.
import type { Call } from './load.ts'

/** A world to measure in. */
export interface BenchWorld {
  id: string
  publicKey: string
  secretKey: string
  /** A token of it. */
  token: string
}

const JSON_HEADERS = { 'content-type': 'application/json' }

/** Sends a call and answers its body; fails unless it worked. */
export async function send<Answer>(url: string, { method, path, headers, body }: Call): Promise<Answer> {
  const response = await fetch(`${url}${path}`, { method, headers, ...(body === undefined ? {} : { body }) })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
  return JSON.parse(text) as Answer
}

/** Sends a call of the control API. */
export async function control<Answer>(url: string, path: string, body: unknown = {}): Promise<Answer> {
  const call = { method: 'POST', path: `/_sandbox${path}`, headers: JSON_HEADERS } as const
  return send<Answer>(url, { ...call, body: JSON.stringify(body) })
}

/** Makes a frozen world without a limit of tokens, and takes a token of it. */
export async function openWorld(url: string, settings: Record<string, unknown> = {}): Promise<BenchWorld> {
  const silences = { 'AU-13': 'off' }
  const world = await control<Omit<BenchWorld, 'token'>>(url, '/worlds', {
    clock: 'frozen',
    silences,
    ...settings,
  })
  const { data } = await send<{ data: { accessToken: string } }>(url, tokenCall(world))
  return { ...world, token: data.accessToken }
}

/** Ends a world. */
export async function endWorld(url: string, { id }: Pick<BenchWorld, 'id'>): Promise<void> {
  const response = await fetch(`${url}/_sandbox/worlds/${id}`, { method: 'DELETE' })
  if (!response.ok) throw new Error(`world ${id} did not end: ${response.status}`)
}

/** Takes a token. */
export function tokenCall({ publicKey, secretKey }: Pick<BenchWorld, 'publicKey' | 'secretKey'>): Call {
  const body = JSON.stringify({ publicKey, secretKey })
  return { method: 'POST', path: '/v1/auth/token', headers: JSON_HEADERS, body }
}

/** Reads something as a merchant does. */
export function getCall({ token }: Pick<BenchWorld, 'token'>, path: string): Call {
  return { method: 'GET', path, headers: { authorization: `Bearer ${token}` } }
}

/** Sends something as a merchant does. */
export function postCall({ token }: Pick<BenchWorld, 'token'>, path: string, body: unknown): Call {
  const headers = { authorization: `Bearer ${token}`, ...JSON_HEADERS }
  return { method: 'POST', path, headers, body: JSON.stringify(body) }
}

/** Creates a PIX transaction. */
export function createCall(world: Pick<BenchWorld, 'token'>): Call {
  return postCall(world, '/v1/transactions', { method: 'Pix', amount: 1_990, description: 'Pedido' })
}
