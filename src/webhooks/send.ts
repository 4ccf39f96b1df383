// Owns sending HTTP to receivers: the only file that does. One POST, no redirects, a time-out, a bounded answer.
import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { after } from '../kernel/timers.ts'
import type { IncomingMessage } from 'node:http'
import type { Outcome } from '../domain/deliveries.ts'
import type { Millis } from '../kernel/brands.ts'

/** The part of a receiver's answer that is kept, in bytes. */
export const MAX_ANSWER_BYTES = 4_096

/** One POST to a receiver. */
export interface Shipment {
  url: string
  headers: Record<string, string>
  body: Buffer
  /** Host time from the start to the end of the answer. */
  timeout: Millis
  signal: AbortSignal
}

/** Sends to receivers and keeps connections open between attempts. */
export interface Sender {
  /** Never rejects: every failure is an outcome. */
  send(shipment: Shipment): Promise<Outcome>
  /** Closes idle connections. */
  close(): void
}

/** A sender with its own connections. */
export function createSender(): Sender {
  const agents = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) }
  return {
    send: (shipment) => post(shipment, agents),
    close() {
      agents.http.destroy()
      agents.https.destroy()
    },
  }
}

interface Agents {
  http: HttpAgent
  https: HttpsAgent
}

/** Posts once; a kept connection that the receiver had closed meanwhile is no fault of its, so that is tried afresh. */
async function post(shipment: Shipment, agents: Agents): Promise<Outcome> {
  const first = await postOnce(shipment, agents)
  return first === 'stale' ? ((await postOnce(shipment, null)) as Outcome) : first
}

/** One request. Answers `stale` only when it went out on a kept connection. */
function postOnce(
  { url, headers, body, timeout, signal }: Shipment,
  agents: Agents | null,
): Promise<Outcome | 'stale'> {
  return new Promise((resolve) => {
    const secure = url.startsWith('https:')
    const options = {
      method: 'POST',
      headers: { ...headers, 'Content-Length': body.length },
      agent: agents === null ? false : agents[secure ? 'https' : 'http'],
      signal,
    }
    const request = (secure ? httpsRequest : httpRequest)(url, options)
    let timedOut = false
    const end = (outcome: Outcome | 'stale'): void => {
      callOff()
      resolve(outcome)
    }
    const callOff = after(timeout, () => {
      timedOut = true
      request.destroy(new Error('timed out'))
    })
    request.on('response', (answer) => {
      collect(answer, (text) => end({ status: answer.statusCode ?? 0, answer: text }))
    })
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (timedOut) end({ error: `timed out after ${timeout} ms` })
      else if (request.reusedSocket && !signal.aborted) end('stale')
      else end({ error: explain(error) })
    })
    request.end(body)
  })
}

/** Reads the start of an answer; the status counts as soon as it is there, however the rest ends. */
function collect(answer: IncomingMessage, done: (text: string) => void): void {
  const chunks: Buffer[] = []
  let size = 0
  const finish = (): void => done(Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES).toString('utf8'))
  answer.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    size += chunk.length
    if (size <= MAX_ANSWER_BYTES) return
    finish()
    answer.destroy()
  })
  answer.on('end', finish)
  answer.on('error', finish)
  answer.on('close', finish)
}

const EXPLANATIONS: Record<string, string> = {
  ECONNREFUSED: 'connection refused: nothing listens there',
  ECONNRESET: 'connection reset before an answer',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'no such host (name lookup failed)',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  EPIPE: 'connection closed while sending',
  ABORT_ERR: 'called off',
}

function explain(error: NodeJS.ErrnoException): string {
  const { code = 'unknown', message } = error
  return `${EXPLANATIONS[code] ?? message} (${code})`
}
