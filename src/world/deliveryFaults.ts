// Owns what faults do to deliveries: to one that is made, to an attempt that is sent, to an answer that came.
import { MAX_BODY_BYTES } from '../contract/limits.ts'
import { minimumEvent } from '../contract/webhookPayloads.ts'
import { isTaken } from '../domain/deliveries.ts'
import { signBody } from '../webhooks/signature.ts'
import { later, parseDuration } from '../kernel/time.ts'
import { present } from '../kernel/assert.ts'
import { actionOf, takeFault } from './faults.ts'
import { variedBody } from './variation.ts'
import type { Outcome } from '../domain/deliveries.ts'
import type { Delivery } from '../domain/trail.ts'
import type { Random } from '../kernel/random.ts'
import type { Shipment } from '../webhooks/send.ts'
import type { FaultActionOf } from './faultKinds.ts'
import type { Fault } from './faults.ts'
import type { Dispatch, World } from '../domain/world.ts'
import type { Variation } from './variation.ts'

/** Size of a body that a fault makes very large, in bytes: as much as an inbox takes. */
const LARGE_BODY_BYTES = MAX_BODY_BYTES

/** What faults of deliveries need of a world. */
interface Faulted extends World {
  faults: Fault[]
  beforeResponse: Set<string>
  chance(key: string): Random
  host: { variation: Variation | null }
}

/** Decides what becomes of a new delivery. */
export function dispatchDelivery(world: Faulted, delivery: Delivery): Dispatch {
  const now = world.clock.now()
  if (world.host.variation) {
    delivery.body = JSON.stringify(variedBody(world, bodyOf(delivery), delivery.id, isStatedOfWebhooks))
  }
  const making = takeFault(world, 'making', { delivery })
  const type = actionOf(making, 'unknownType')?.type
  if (type !== undefined) {
    delivery.sentType = type
    delivery.body = JSON.stringify({ ...bodyOf(delivery), type })
  }
  const body = actionOf(making, 'deliveryBody')?.body
  if (body !== undefined) delivery.body = JSON.stringify(grown(bodyOf(delivery), body))
  const fault = takeFault(world, 'dispatch', { delivery })
  if (actionOf(fault, 'hold')) return 'held'
  if (actionOf(fault, 'drop')) return 'dropped'
  if (actionOf(fault, 'beforeResponse')) world.beforeResponse.add(delivery.id)
  const late = actionOf(fault, 'late')
  return { sendAt: late ? later(now, present(parseDuration(late.late), 'a duration was ordered')) : now }
}

/** Whether the contract states a field of `data`. Source: contract: Payload shape. */
function isStatedOfWebhooks(name: string): boolean {
  return Object.hasOwn(minimumEvent.shape, name)
}

function bodyOf({
  body,
}: Pick<Delivery, 'body'>): { data: Record<string, unknown> } & Record<string, unknown> {
  return JSON.parse(body) as { data: Record<string, unknown> }
}

/** A body with what nobody expects in it. */
function grown(
  body: ReturnType<typeof bodyOf>,
  how: FaultActionOf<'deliveryBody'>['body'],
): Record<string, unknown> {
  if (how === 'large') {
    const size = Buffer.byteLength(JSON.stringify({ ...body, padding: '' }))
    return { ...body, padding: 'x'.repeat(LARGE_BODY_BYTES - size) }
  }
  const extra = { addedLater: true, nested: { alsoNew: [1, 'two', null] } }
  return { ...body, version: 2, data: { ...body.data, ...extra } }
}

/** What is really sent for an attempt. */
export function misshipped(
  world: Faulted,
  { subject }: Delivery,
  shipment: Shipment,
  fault: Fault | null,
): Shipment {
  const name = `${world.choices.get('WH-02')}Signature`
  const form = world.choices.get('WH-01')
  const signed = (body: Buffer, id: string): Shipment => ({
    ...shipment,
    body,
    headers: { ...shipment.headers, [name]: signBody(body, id, form) },
  })
  const bytes = shipment.body
  switch (actionOf(fault, 'signature')?.signature) {
    case 'absent':
      return { ...shipment, headers: without(shipment.headers, name) }
    case 'otherId':
      return signed(bytes, world.random.uuid())
    case 'damaged':
      return { ...shipment, headers: { ...shipment.headers, [name]: damaged(shipment.headers[name] ?? '') } }
    case undefined:
      break
    default:
      throw new TypeError('a damage of a signature that is not known here')
  }
  switch (actionOf(fault, 'alteredBody')?.body) {
    case 'altered':
      return { ...shipment, body: altered(bytes) }
    case 'malformed':
      return signed(bytes.subarray(0, -1), subject)
    case undefined:
      return shipment
    default:
      throw new TypeError('a damage of a body that is not known here')
  }
}

function without(headers: Record<string, string>, name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([each]) => each !== name))
}

/** A text whose last hexadecimal digit or letter is another one. */
function damaged(text: string): string {
  const at = text.search(/[0-9A-Za-z](?=[^0-9A-Za-z]*$)/)
  return `${text.slice(0, at)}${text[at] === '0' ? '1' : '0'}${text.slice(at + 1)}`
}

/** The same webhook about one cent more. */
function altered(bytes: Buffer): Buffer {
  const body = bodyOf({ body: bytes.toString('utf8') })
  const { amount } = body.data
  const data = { ...body.data, amount: (typeof amount === 'number' ? amount : 0) + 1 }
  return Buffer.from(JSON.stringify({ ...body, data }), 'utf8')
}

/** How an attempt counts: as it ended, or as if its answer had been lost; and how often the webhook is sent again. */
export function landed(
  world: Faulted,
  delivery: Delivery,
  outcome: Outcome,
): { outcome: Outcome; duplicates: number } {
  const fault = isTaken(outcome) ? takeFault(world, 'landing', { delivery }) : null
  if (actionOf(fault, 'lostAnswer')) {
    const status = 'status' in outcome ? outcome.status : 0
    return { outcome: { error: `a fault lost the answer, which was ${status}` }, duplicates: 0 }
  }
  return { outcome, duplicates: actionOf(fault, 'duplicates')?.duplicates ?? 0 }
}
