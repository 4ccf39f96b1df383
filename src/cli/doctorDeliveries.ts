// Owns the check of `doctor` on webhooks that did not arrive: why, and what to do.
import { fine, FROM_A_CONTAINER, isLoopback, problem } from './finding.ts'
import { counted } from './print.ts'
import type { RouteAnswer } from '../client/call.ts'
import type { Connection } from './connect.ts'
import type { Finding } from './finding.ts'

/** Deliveries that are looked at, the newest. */
const LOOKED_AT = 1_000

type Delivery = RouteAnswer<'GET /deliveries'>['items'][number]
/** What of the server decides how a receiver is reached. */
type Place = Pick<Connection['info'], 'container' | 'rewriteLocalhost'>

/** The deliveries of a world whose latest attempt failed, together for each receiver and cause. */
export async function checkDeliveries({ caller, world, info }: Connection): Promise<Finding[]> {
  const { items } = await caller.send(world, 'GET /deliveries', { query: { limit: LOOKED_AT } })
  const causes = new Map<string, { count: number; example: string }>()
  for (const delivery of items) {
    // What one of our own inboxes answers, a test wanted.
    if (new URL(delivery.url).pathname.startsWith('/_sandbox/')) continue
    const cause = causeOf(delivery, info)
    if (cause === null) continue
    const { count, example } = causes.get(cause) ?? { count: 0, example: delivery.id }
    causes.set(cause, { count: count + 1, example })
  }
  if (causes.size === 0) return [fine('deliveries', `none of the latest ${items.length} failed`)]
  return [...causes].map(([cause, { count, example }]) =>
    problem('deliveries', `${counted(count, 'webhook')} failed: ${cause} (see 'deliveries ${example}')`),
  )
}

/** Why the latest attempt of a delivery failed; null when it did not. */
function causeOf({ url, attempts }: Delivery, place: Place): string | null {
  const latest = attempts.at(-1)
  if (latest === undefined || (latest.status === null && latest.error === null)) return null
  const { host, hostname } = new URL(url)
  if (latest.status !== null) return answerCause(latest.status, host)
  const error = latest.error ?? ''
  if (isLoopback(hostname) && (place.container || place.rewriteLocalhost !== null)) {
    return loopbackCause(host, error, place)
  }
  return `${host}: ${errorCause(error, host)}`
}

function answerCause(status: number, host: string): string | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) {
    return `${host} answered ${status}: redirects are not followed; name the final address as callbackUrl`
  }
  return `${host} answered ${status}: a receiver must answer 2xx; its own log says why it did not`
}

function loopbackCause(host: string, error: string, { rewriteLocalhost }: Place): string {
  if (rewriteLocalhost === null) {
    return `${host} means the container of the sandbox itself and not your machine: ${FROM_A_CONTAINER}`
  }
  if (/no such host/i.test(error)) {
    return (
      `${host} was tried at ${rewriteLocalhost}, and the sandbox knows no such host: ` +
      `on Linux add --add-host ${rewriteLocalhost}:host-gateway to docker run`
    )
  }
  return (
    `${host} was tried at ${rewriteLocalhost}, where nobody answered: ` +
    'start the receiver, and let it listen on 0.0.0.0 and not only on 127.0.0.1'
  )
}

/** Causes that have a name, by a sign in the text of the error, with what to do. */
const CAUSES: readonly (readonly [RegExp, string])[] = [
  [/refused/i, 'connection refused: nothing listens there; start the receiver, and check its port'],
  [/no such host/i, 'no such host: check the spelling, or use an address that the sandbox can look up'],
  [
    /timed out/i,
    'timed out: the receiver took the call and did not answer in time; answer first, work later',
  ],
  [
    /CERT|TLS|SSL|EPROTO|UNABLE_TO/i,
    'its TLS certificate or protocol was not accepted: use http:// for a local receiver, or trust its authority with NODE_EXTRA_CA_CERTS',
  ],
  [/reset|closed/i, 'the receiver closed the connection before it answered; its own log says why'],
  [/unreachable/i, 'no way leads there from the sandbox: check the network and its rules'],
]

function errorCause(error: string, host: string): string {
  const known = CAUSES.find(([sign]) => sign.test(error))
  return known?.[1] ?? `${error}; check whether ${host} can be reached from the sandbox`
}
