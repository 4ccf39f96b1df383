// Owns the control routes that choose when webhooks are sent: holding, releasing in any order, sending once more.
import { z } from 'zod'
import { EVENT_TYPES } from '../contract/events.ts'
import { heldDeliveries, releaseDelivery } from '../domain/deliveries.ts'
import { armFault, dropFaults } from '../world/faults.ts'
import { Misuse } from '../world/misuse.ts'
import { attemptEnds, startExtraAttempt } from '../world/run.ts'
import { deliveryOf, deliveryOut, deliveryView } from './deliveryViews.ts'
import { route } from './route.ts'
import type { Delivery } from '../domain/trail.ts'
import type { RunningWorld } from '../world/runningWorld.ts'

const tag = 'Webhooks'
/** Attempts that one delivery keeps. */
const MAX_ATTEMPTS = 1_000
/** How often the fault fires that holds until it is cleared. */
const WITHOUT_END = 1_000_000

const hold = route({
  id: 'holdDeliveries',
  method: 'POST',
  path: '/deliveries/hold',
  tag,
  summary:
    'Holds every new delivery from now on, or those of an event type or a record, until they are released',
  body: z.strictObject({ type: z.enum(EVENT_TYPES).optional(), subject: z.string().optional() }),
  answer: z
    .strictObject({ fault: z.uuid().meta({ description: 'id of the fault that holds them' }) })
    .meta({ id: 'Holding' }),
  handle({ world, body }) {
    const { id } = armFault(world, {
      name: 'hold',
      on: { delivery: body },
      subject: null,
      nth: null,
      probability: null,
      do: { send: 'held' },
      times: WITHOUT_END,
      after: null,
      until: null,
    })
    return { fault: id }
  },
})

const release = route({
  id: 'releaseDeliveries',
  method: 'POST',
  path: '/deliveries/release',
  tag,
  summary:
    'Releases held deliveries one after the other, each once the one before was answered: those of `order` in that order, or all of them, oldest first, and then holds no more',
  body: z.strictObject({ order: z.array(z.string()).min(1).max(1_000).optional() }),
  answer: z.strictObject({ released: z.array(deliveryOut) }),
  errors: ['sandbox_not_held'],
  async handle({ world, body: { order } }) {
    const chosen = order?.map((id) => deliveryOf(world, id))
    if (!chosen) {
      dropFaults(world, ({ name, times }) => name === 'hold' && times === WITHOUT_END)
    }
    const wanted = chosen ?? heldDeliveries(world)
    checkHeld(wanted)
    const { life } = world
    for (const delivery of wanted) {
      if (world.life !== life || world.closed) throw begunAnew(world)
      if (delivery.status !== 'held') continue
      releaseDelivery(world, delivery)
      await attemptEnds(world, [delivery.id])
    }
    return { released: wanted.map((delivery) => deliveryView(world, delivery)) }
  },
})

function begunAnew({ id }: RunningWorld): Misuse {
  return new Misuse('sandbox_not_held', `World '${id}' was reset, restored or closed during the release.`)
}

function checkHeld(deliveries: Delivery[]): void {
  const free = deliveries.find(({ status }) => status !== 'held')
  const seen = new Set<Delivery>()
  const twice = deliveries.find((delivery) => seen.size === seen.add(delivery).size)
  if (free) {
    throw new Misuse(
      'sandbox_not_held',
      `Delivery ${free.id} is ${free.status}, not held; GET /_sandbox/deliveries?status=held lists those that are.`,
    )
  }
  if (twice) throw new Misuse('sandbox_bad_request', `order names delivery ${twice.id} twice.`)
}

const duplicate = route({
  id: 'duplicateDelivery',
  method: 'POST',
  path: '/deliveries/{id}/duplicate',
  tag,
  summary:
    'Sends a delivery once more now, with the same id and number; its status and its retries do not change',
  params: z.object({ id: z.string() }),
  answer: deliveryOut,
  handle({ world, params }: { world: RunningWorld; params: { id: string } }) {
    const delivery = deliveryOf(world, params.id)
    if (delivery.attempts.length >= MAX_ATTEMPTS) {
      throw new Misuse(
        'sandbox_bad_request',
        `Delivery ${delivery.id} was sent ${MAX_ATTEMPTS} times; make a new one.`,
      )
    }
    startExtraAttempt(world, delivery)
    return deliveryView(world, delivery)
  },
})

/** Control routes that choose when webhooks are sent. */
export const DELIVERY_ORDER_ROUTES = [hold, release, duplicate]
