// Owns one attempt of a delivery: its headers, its bytes, and handing both to the sender.
import { signBody } from './signature.ts'
import type { ChoiceOf } from '../contract/silences.ts'
import type { Delivery } from '../domain/trail.ts'
import { stamp } from '../domain/world.ts'
import type { World } from '../domain/world.ts'
import type { Millis } from '../kernel/brands.ts'
import type { Shipment } from './send.ts'

/**
 * The headers of an attempt. `X-Sandbox-Now` is the world's time, which no real gateway sends.
 * Source: contract: Headers sent with each delivery; WH-01, WH-02.
 */
export function attemptHeaders(world: World, delivery: Delivery, number: number): Record<string, string> {
  const prefix = world.choices.get('WH-02')
  const form: ChoiceOf<'WH-01'> = world.choices.get('WH-01')
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'gateway-sandbox',
    [`${prefix}Signature`]: signBody(delivery.body, delivery.subject, form),
    [`${prefix}Event`]: delivery.sentType,
    [`${prefix}Delivery`]: delivery.id,
    [`${prefix}Attempt`]: String(number),
    'X-Sandbox-Now': stamp(world),
  }
}

/** What is sent for an attempt. Source: WH-03. */
export function shipmentOf(world: World, delivery: Delivery, number: number, signal: AbortSignal): Shipment {
  return {
    url: delivery.url,
    headers: attemptHeaders(world, delivery, number),
    body: Buffer.from(delivery.body, 'utf8'),
    timeout: Math.round(world.choices.get('WH-03') * 1000) as Millis,
    signal,
  }
}
