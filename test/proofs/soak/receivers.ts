// Owns the receivers of a soak: one that takes everything, one that is slow, one that is gone, and hostile ones.
import { createServer } from 'node:http'
import { after } from '../../../src/kernel/timers.ts'
import { makeCertificates } from '../hostile/certificates.ts'
import { openHostile } from '../hostile/openReceiver.ts'
import { HOSTILE_RECEIVERS } from '../hostile/receivers.ts'
import type { AddressInfo } from 'node:net'
import type { Random } from '../../../src/kernel/random.ts'
import type { Millis } from '../../../src/kernel/brands.ts'

/** Host milliseconds that the slow receiver takes. */
const SLOW_MS = 100 as Millis
/** Of so many webhooks one goes to a hostile receiver, and one to a slow or a gone one: an endless body costs as much as many calls. */
const HOSTILE_ONE_IN = 25
const SLOW_ONE_IN = 25

/** The receivers at work. */
export interface Receivers extends AsyncDisposable {
  /** Address of one of them; mostly the one that takes everything. */
  pick(random: Random): string
  /** Requests that came so far, of all of them. */
  deliveries(): number
  /** How many hostile ones there are. */
  readonly hostile: number
}

interface Plain {
  url: string
  requests: number
  close(): Promise<void>
}

/** A receiver that answers 204 after some time. */
async function openPlain(wait: Millis | null): Promise<Plain> {
  const server = createServer((request, response) => {
    plain.requests += 1
    request.on('error', () => {})
    request.resume().on('end', () => {
      if (wait === null) response.writeHead(204).end()
      else after(wait, () => response.writeHead(204).end())
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const plain: Plain = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    requests: 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return plain
}

/** Opens all of them. Hostile ones are those of the hostile proof that speak plain HTTP. */
export async function openReceivers(): Promise<Receivers> {
  const [healthy, slow, gone] = [await openPlain(null), await openPlain(SLOW_MS), await openPlain(null)]
  await gone.close()
  const certificates = makeCertificates()
  const plain = HOSTILE_RECEIVERS.filter(({ tls }) => tls === undefined)
  const hostile = await Promise.all(plain.map((each) => openHostile(each, certificates)))
  return {
    pick(random) {
      if (random.below(HOSTILE_ONE_IN) === 0) return hostile[random.below(hostile.length)]?.url ?? gone.url
      if (random.below(SLOW_ONE_IN) === 0) return random.below(2) === 0 ? slow.url : gone.url
      return healthy.url
    },
    deliveries: () =>
      healthy.requests + slow.requests + hostile.reduce((sum, { requests }) => sum + requests, 0),
    hostile: hostile.length,
    async [Symbol.asyncDispose]() {
      await Promise.all([healthy.close(), slow.close(), ...hostile.map((each) => each.close())])
    },
  }
}
