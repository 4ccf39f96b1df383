// Owns sending HTTP to receivers: the only file that does. One POST, no redirects, a time-out, a bounded answer.
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import { after } from '../kernel/timers.ts'
import { isLoopback } from './loopback.ts'
import type { ClientRequest, IncomingMessage } from 'node:http'
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

/** Sends to receivers. */
export interface Sender {
  /** Never rejects: every failure is an outcome. */
  send(shipment: Shipment): Promise<Outcome>
}

/** Where a sender connects instead of what an address says. */
export interface Detours {
  /** Host that takes the place of `localhost` and loopback addresses, as seen from inside a container; null for none. */
  rewriteLocalhost: string | null
  /**
   * Where this server listens, and under which address others know it, as `URL` writes it without a final slash: what goes to itself does not leave the machine.
   * Null without a socket.
   */
  self: { publicUrl: string; listensOn: string } | null
}

/** A sender that opens a connection for each attempt: on a kept one nobody could tell whether a receiver took it. */
export function createSender(detours: () => Detours): Sender {
  return { send: (shipment) => post(shipment, detours()) }
}

function post(shipment: Shipment, detours: Detours): Promise<Outcome> {
  return new Promise((resolve) => {
    let request: ClientRequest
    try {
      request = open(shipment, detours)
    } catch (error) {
      resolve({
        error: `the address cannot be sent to: ${error instanceof Error ? error.message : String(error)}`,
      })
      return
    }
    let head: Answer | null = null
    let timedOut = false
    const end = (outcome: Outcome): void => {
      callOff()
      resolve(outcome)
    }
    const callOff = after(shipment.timeout, () => {
      timedOut = true
      request.destroy(new Error('timed out'))
    })
    request.on('response', (response) => {
      head = collect(response, end)
    })
    request.on('upgrade', ({ statusCode = 0 }, socket) => {
      socket.destroy()
      end({ status: statusCode, answer: '' })
    })
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (head) end(head.soFar())
      else end({ error: timedOut ? `timed out after ${shipment.timeout} ms` : explain(error) })
    })
    request.on('close', () => end(head ? head.soFar() : { error: 'connection closed before an answer' }))
    request.end(shipment.body)
  })
}

/** Opens a connection of its own for a shipment. Throws for an address that Node cannot send to. */
function open({ url, headers, body, signal }: Shipment, detours: Detours): ClientRequest {
  const address = new URL(url)
  const options = {
    method: 'POST',
    headers: { Host: address.host, ...headers, 'Content-Length': body.length },
    agent: false as const,
    signal,
  }
  const target = detoured(address, detours)
  if (target.protocol === 'http:') return httpRequest(target, options)
  const isName = target.hostname !== address.hostname && isIP(address.hostname.replace(/^\[|\]$/g, '')) === 0
  return httpsRequest(target, isName ? { ...options, servername: address.hostname } : options)
}

/** Where to connect for an address. The receiver still sees the address that was asked for as its `Host`. */
function detoured(address: URL, { rewriteLocalhost, self }: Detours): URL {
  if (self && address.href.startsWith(`${self.publicUrl}/_sandbox/`)) {
    return new URL(address.href.slice(self.publicUrl.length), self.listensOn)
  }
  if (rewriteLocalhost === null || !isLoopback(address.hostname)) return address
  const target = new URL(address)
  target.hostname = rewriteLocalhost
  return target
}

/** An answer whose status came. */
interface Answer {
  soFar(): Outcome
}

/** Reads the start of an answer. Its status counts as soon as it is there, however the rest ends. */
function collect(response: IncomingMessage, end: (outcome: Outcome) => void): Answer {
  const chunks: Buffer[] = []
  let size = 0
  const soFar = (): Outcome => ({
    status: response.statusCode ?? 0,
    answer: Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES).toString('utf8'),
  })
  const finish = (): void => end(soFar())
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    size += chunk.length
    if (size <= MAX_ANSWER_BYTES) return
    finish()
    response.destroy()
  })
  response.on('end', finish)
  response.on('error', finish)
  response.on('close', finish)
  return { soFar }
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
