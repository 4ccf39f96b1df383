// Owns the control routes of webhooks: deliveries, and the list that holds those of inboxes too.
import { z } from 'zod'
import { EVENT_TYPES } from '../contract/events.ts'
import { resendDelivery } from '../domain/deliveries.ts'
import { DELIVERY_STATUSES } from '../domain/trail.ts'
import { attemptHeaders } from '../webhooks/attempt.ts'
import { Misuse } from '../world/misuse.ts'
import { planWake } from '../world/run.ts'
import { INBOX_ROUTES } from './inboxRoutes.ts'
import { attemptView, deliveryDetail, deliveryOf, deliveryOut, deliveryView } from './deliveryViews.ts'
import { listAnswer, listIndexed, listQuery } from './lists.ts'
import { route } from './route.ts'

const tag = 'Webhooks'
const id = z.object({ id: z.string() })

const listDeliveries = route({
  id: 'listDeliveries',
  method: 'GET',
  path: '/deliveries',
  tag,
  summary: 'Lists deliveries, newest first',
  query: z.object({
    ...listQuery,
    subject: z.string().optional(),
    type: z.enum(EVENT_TYPES).optional(),
    status: z.enum(DELIVERY_STATUSES).optional(),
    url: z.string().optional(),
  }),
  answer: listAnswer(deliveryOut),
  handle({ world, query }) {
    const { items, ...rest } = listIndexed(world.indexes.deliveries, query)
    return { items: items.map((delivery) => deliveryView(world, delivery)), ...rest }
  },
})

const getDelivery = route({
  id: 'getDelivery',
  method: 'GET',
  path: '/deliveries/{id}',
  tag,
  summary: 'Reads one delivery with its bytes, headers, attempts and answers',
  params: id,
  answer: deliveryDetail,
  handle({ world, params }) {
    const delivery = deliveryOf(world, params.id)
    return {
      ...deliveryView(world, delivery),
      body: delivery.body,
      headers: delivery.sentHeaders ?? attemptHeaders(world, delivery, 1),
      attempts: delivery.attempts.map((attempt) => ({
        ...attemptView(world, attempt),
        answer: attempt.answer,
      })),
    }
  },
})

const resend = route({
  id: 'resendDelivery',
  method: 'POST',
  path: '/deliveries/{id}/resend',
  tag,
  summary: 'Sends a delivery again: same id and bytes, a new round of attempts from 1',
  params: id,
  answer: deliveryOut,
  errors: ['sandbox_delivery_busy'],
  handle({ world, params }) {
    const delivery = deliveryOf(world, params.id)
    if (delivery.status === 'sending' || world.queue.has(delivery.id)) {
      throw new Misuse(
        'sandbox_delivery_busy',
        `An attempt of ${params.id} is in flight or about to be; settle first.`,
      )
    }
    resendDelivery(world, delivery)
    planWake(world)
    return deliveryView(world, delivery)
  },
})

/** Control routes of webhooks. */
export const WEBHOOK_ROUTES = [listDeliveries, getDelivery, resend, ...INBOX_ROUTES]
