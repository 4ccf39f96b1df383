// Owns sending HTTP to receivers: the only file that does. One POST, no redirects, a time-out, a bounded answer, and only to whom it may.
import { lookup as lookUpHost } from 'node:dns'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import { after } from '../kernel/timers.ts'
import { isInboxPath, mayConnect, neverAllowed, refusedAt } from './allow.ts'
import { isLoopback } from './loopback.ts'
import type { LookupAddress, LookupOptions } from 'node:dns'
import type { ClientRequest, IncomingMessage } from 'node:http'
import type { LookupFunction } from 'node:net'
import type { AllowList } from './allow.ts'
import type { Outcome } from '../domain/deliveries.ts'
import type { Millis } from '../kernel/brands.ts'

/** The part of a receiver's answer that is kept, in bytes. */
export const MAX_ANSWER_BYTES = 4_096

/** What is read of an attempt at most, in bytes: heads, interim answers and framing, too. Past it the connection is broken off. */
export const MAX_RECEIVED_BYTES = 262_144

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

/** Where a sender connects instead of what an address says, and where it may. */
export interface Detours {
  /** Host that takes the place of `localhost` and loopback addresses, as seen from inside a container; null for none. */
  rewriteLocalhost: string | null
  /**
   * Where this server listens, and under which address others know it, as `URL` writes it without a final slash: what goes to itself does not leave the machine.
   * Null without a socket.
   */
  self: { publicUrl: string; listensOn: string } | null
  /** Null lets everybody in. Inboxes of this server are always let in. */
  allow: AllowList | null
}

/** Finds the addresses of a host, as `lookup` of `node:dns` does. */
export type LookUp = (
  hostname: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void

/**
 * A sender that opens a connection for each attempt: on a kept one nobody could tell whether a receiver took it.
 * @param lookUp finds addresses where an allow-list has to see them; only tests pass another
 */
export function createSender(detours: () => Detours, lookUp: LookUp = lookUpHost): Sender {
  return { send: (shipment) => post(shipment, detours(), lookUp) }
}

function post(shipment: Shipment, detours: Detours, lookUp: LookUp): Promise<Outcome> {
  return new Promise((resolve) => {
    let request: ClientRequest
    try {
      request = open(shipment, detours, lookUp)
    } catch (error) {
      resolve({ error: cannot(error instanceof Error ? error.message : String(error)) })
      return
    }
    let head: Answer | null = null
    let broken: string | null = null
    const end = (outcome: Outcome): void => {
      callOff()
      // Node would wait until a receiver that has answered takes the rest, and some never do.
      if (!request.writableFinished) request.destroy()
      resolve(outcome)
    }
    const breakOff = (why: string): void => {
      broken = why
      request.destroy(new Error(why))
    }
    const callOff = after(shipment.timeout, () => breakOff(`timed out after ${shipment.timeout} ms`))
    request.on('socket', (socket) => {
      let size = 0
      socket.on('data', ({ length }: Buffer) => {
        size += length
        if (size > MAX_RECEIVED_BYTES) breakOff(`more than ${MAX_RECEIVED_BYTES} bytes came before an answer`)
      })
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
      else end({ error: broken ?? explain(error) })
    })
    request.on('close', () => end(head ? head.soFar() : { error: 'connection closed before an answer' }))
    request.end(shipment.body)
  })
}

/** Opens a connection of its own for a shipment. Throws for an address that Node cannot send to, or that is not allowed. */
function open(shipment: Shipment, detours: Detours, lookUp: LookUp): ClientRequest {
  const { headers, body, signal } = shipment
  const address = new URL(shipment.url)
  const { target, ...lookup } = routeOf(address, detours, lookUp)
  const options = {
    method: 'POST',
    headers: { Host: address.host, ...headers, 'Content-Length': body.length },
    agent: false as const,
    signal,
    ...lookup,
  }
  if (target.protocol === 'http:') return httpRequest(target, options)
  const isName = target.hostname !== address.hostname && isIP(address.hostname.replace(/^\[|\]$/g, '')) === 0
  return httpsRequest(target, isName ? { ...options, servername: address.hostname } : options)
}

/** Where to connect for an address, and how its host is found. */
interface Route {
  target: URL
  lookup?: LookupFunction
}

/** The way to an address; throws where it may not be taken. The receiver still sees the address that was asked for as its `Host`. */
function routeOf(address: URL, { rewriteLocalhost, self, allow }: Detours, lookUp: LookUp): Route {
  const base = self && [self.publicUrl, self.listensOn].find((each) => address.href.startsWith(`${each}/`))
  const path = base ? address.href.slice(base.length) : ''
  if (self && (allow === null ? path.startsWith('/_sandbox/') : isInboxPath(path))) {
    return { target: new URL(path, self.listensOn) }
  }
  if (self && allow && rewriteLocalhost === null && isOwnInbox(address, new URL(self.listensOn))) {
    return { target: address }
  }
  const never = allow && neverAllowed(allow, address)
  if (never) throw new Error(never)
  if (rewriteLocalhost !== null && isLoopback(address.hostname)) {
    // Who let loopback in meant this host, too.
    const target = new URL(address)
    target.hostname = rewriteLocalhost
    return { target }
  }
  return allow === null ? { target: address } : { target: address, lookup: guarded(allow, address, lookUp) }
}

/** Whether an address is an inbox of this server under another name of this machine. */
function isOwnInbox({ protocol, hostname, port, pathname }: URL, own: URL): boolean {
  return protocol === own.protocol && port === own.port && isLoopback(hostname) && isInboxPath(pathname)
}

const NOT_ALLOWED = 'SANDBOX_NOT_ALLOWED'

/** Finds the addresses of a receiver that it may be connected to at: what is checked is what is connected to. */
function guarded(allow: AllowList, receiver: URL, lookUp: LookUp): LookupFunction {
  return (hostname, options, callback) =>
    lookUp(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, [])
      const [first, ...others] = found.filter(({ address }) => mayConnect(allow, receiver, address))
      if (first) {
        return options.all ? callback(null, [first, ...others]) : callback(null, first.address, first.family)
      }
      const at = found.map(({ address }) => address)
      callback(Object.assign(new Error(refusedAt(allow, receiver, at)), { code: NOT_ALLOWED }), [])
    })
}

/** An answer whose status came. */
interface Answer {
  soFar(): Outcome
}

/** Reads the start of an answer. Its status counts as soon as it is there, however the rest ends. */
function collect(response: IncomingMessage, end: (outcome: Outcome) => void): Answer {
  const chunks: Buffer[] = []
  let size = 0
  const isFull = (): boolean => size > MAX_ANSWER_BYTES
  const soFar = (): Outcome => {
    // What came together with what broke the connection was not handed over yet.
    while (!isFull() && response.read() !== null);
    const answer = Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES).toString('utf8')
    return { status: response.statusCode ?? 0, answer }
  }
  const finish = (): void => end(soFar())
  response.on('data', (chunk: Buffer) => {
    // What was read together with the last byte that is kept is handed over all the same, in thousands of chunks at worst.
    if (isFull()) return
    chunks.push(chunk)
    size += chunk.length
    if (!isFull()) return
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
  EPROTO: 'no TLS could be agreed on: does the receiver speak plain HTTP there?',
  ABORT_ERR: 'called off',
}

/** Codes of certificates whose issuer is not known. */
const UNKNOWN_ISSUER =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_GET_ISSUER_CERT(?:_LOCALLY)?|UNABLE_TO_VERIFY_LEAF_SIGNATURE)$/
const HOW_TO_TRUST = '; to trust its issuer, start the sandbox with NODE_EXTRA_CA_CERTS=<file>'

function explain(error: NodeJS.ErrnoException): string {
  const { code = 'unknown', message } = error
  if (code === NOT_ALLOWED) return cannot(message)
  const reason = EXPLANATIONS[code] ?? (UNKNOWN_ISSUER.test(code) ? message + HOW_TO_TRUST : message)
  return `${reason} (${code})`
}

function cannot(reason: string): string {
  return `the address cannot be sent to: ${reason}`
}
