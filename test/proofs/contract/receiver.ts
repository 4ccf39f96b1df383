// Owns the merchant's side of webhooks: a server that takes deliveries, and how a signature is recognised.
import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import { Differs } from './check.ts'
import type { AddressInfo } from 'node:net'
import type { IncomingHttpHeaders } from 'node:http'
import type { Host } from './call.ts'

/** How long a delivery is waited for and how often it is looked for, in milliseconds of the host. */
const [PATIENCE_MS, LOOK_MS] = [15_000, 100]

/** One request of the target. */
export interface Arrival {
  /** Milliseconds of the host. */
  at: number
  method: string
  headers: IncomingHttpHeaders
  body: Buffer
}

/** An address for the deliveries of one record. */
export interface Hook {
  url: string
  arrivals: readonly Arrival[]
  /** The arrival of this number, from 1; waits for it, and ends the check when none comes. */
  arrival(number: number): Promise<Arrival>
}

/** The receiver of one run. */
export interface Receiver {
  /** A new address; it answers with these statuses in order, and 204 when none is left. */
  hook(...statuses: number[]): Hook
  close(): Promise<void>
}

/** Where the receiver listens and how the target reaches it. */
export interface ReceiverPlace {
  host: Host
  /** Address that the target can reach, such as `127.0.0.1`. */
  address: string
  /** Port to listen on; 0 takes a free one. */
  port: number
  /** URL under which the target reaches the port instead, such as that of a tunnel. */
  url: string | null
}

interface Taken {
  arrivals: Arrival[]
  statuses: number[]
}

/** Starts to listen. */
export async function openReceiver({ host, address, port, url }: ReceiverPlace): Promise<Receiver> {
  const hooks = new Map<string, Taken>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const taken = hooks.get((request.url ?? '').split('/').at(-1) ?? '')
      const { method = '', headers } = request
      taken?.arrivals.push({ at: host.now(), method, headers, body: Buffer.concat(chunks) })
      response.writeHead(taken?.statuses.shift() ?? 204).end()
    })
  })
  const bound = address === '127.0.0.1' ? address : undefined
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, bound, resolve)
  })
  const base = url ?? `http://${address}:${(server.address() as AddressInfo).port}`
  // Where one was waited for in vain and none ever came, there is nothing to wait for.
  let isCutOff = false

  async function waitFor(arrivals: readonly Arrival[], number: number): Promise<Arrival> {
    const patience = isCutOff ? 0 : PATIENCE_MS
    for (let waited = 0; waited <= patience; waited += LOOK_MS) {
      const arrival = arrivals[number - 1]
      if (arrival) return arrival
      await host.pass(LOOK_MS)
    }
    isCutOff = ![...hooks.values()].some((taken) => taken.arrivals.length > 0)
    const [got, hint] = [arrivals.length, isCutOff ? `; can the target reach ${base}?` : '']
    throw new Differs(`delivery ${number} within ${PATIENCE_MS / 1_000} s`, `${got} deliveries${hint}`)
  }

  return {
    hook(...statuses) {
      const name = `hook${hooks.size + 1}`
      const taken: Taken = { arrivals: [], statuses }
      hooks.set(name, taken)
      return {
        url: `${base.replace(/\/+$/, '')}/${name}`,
        arrivals: taken.arrivals,
        arrival: (number) => waitFor(taken.arrivals, number),
      }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The ways in which HMAC-SHA256 over the bytes of a body is written that the contract leaves open. */
const WRITINGS: Readonly<Record<string, (bytes: Buffer, key: string) => string>> = {
  'sha256=hex': (bytes, key) => `sha256=${hmac(bytes, key).toString('hex')}`,
  hex: (bytes, key) => hmac(bytes, key).toString('hex'),
  base64: (bytes, key) => hmac(bytes, key).toString('base64'),
  'sha256=base64': (bytes, key) => `sha256=${hmac(bytes, key).toString('base64')}`,
}

function hmac(bytes: Buffer, key: string): Buffer {
  return createHmac('sha256', key).update(bytes).digest()
}

/** How a signature is written when it is made of this body with this key; null when it is not, in no known way. */
export function writingOf(signature: string, body: Buffer, key: string): string | null {
  const found = Object.entries(WRITINGS).find(([, write]) => write(body, key) === signature)
  return found?.[0] ?? null
}
