// Owns the schemas of what is sent to receivers: the body of a delivery, and its `data` for each kind of record.
import { z } from 'zod'
import { centsOut, dateTime, uuid } from './endpoint.ts'
import {
  CASHOUT_STATUSES,
  DISPUTE_REASONS,
  DISPUTE_STATUSES,
  ENVIRONMENTS,
  HOLD_STATES,
  METHODS,
  PIX_KEY_TYPES,
  TRANSACTION_STATUSES,
} from './enums.ts'
import type { CashoutEventType, DisputeEventType, EventType, TransactionEventType } from './events.ts'

const text = z.string().nullable()

/** `data` of a `payment.*` event. Source: WH-05. */
export const transactionEvent = z
  .strictObject({
    id: uuid,
    externalId: text,
    amount: centsOut,
    fee: centsOut,
    netAmount: centsOut,
    currency: z.literal('BRL'),
    method: z.enum(METHODS),
    status: z.enum(TRANSACTION_STATUSES),
    environment: z.enum(ENVIRONMENTS),
    description: text,
    completedAt: dateTime.nullable(),
    refundedAt: dateTime.nullable(),
    expiresAt: dateTime,
    failureReason: text,
    customerId: uuid.nullable(),
    pix: z
      .strictObject({
        txId: z.string(),
        endToEndId: text,
        payerName: text,
        payerDocument: text.meta({ description: 'masked' }),
        payerBank: text,
      })
      .nullable(),
  })
  .meta({ id: 'TransactionEvent' })

/** `data` of a `cashout.*` event. Source: WH-06. */
export const cashoutEvent = z
  .strictObject({
    id: uuid,
    externalId: text,
    amount: centsOut,
    fee: centsOut,
    netAmount: centsOut,
    currency: z.literal('BRL'),
    status: z.enum(CASHOUT_STATUSES),
    environment: z.enum(ENVIRONMENTS),
    requestedAt: dateTime,
    processedAt: dateTime.nullable(),
    completedAt: dateTime.nullable(),
    failureReason: text,
    pix: z.strictObject({
      pixKeyType: z.enum(PIX_KEY_TYPES),
      pixKey: z.string().meta({ description: 'masked' }),
      endToEndId: text,
    }),
  })
  .meta({ id: 'CashoutEvent' })

/** `data` of a `dispute.*` event. Source: DI-09. */
export const disputeEvent = z
  .strictObject({
    id: uuid,
    status: z.enum(DISPUTE_STATUSES),
    reason: z.enum(DISPUTE_REASONS),
    amount: centsOut,
    currency: z.literal('BRL'),
    paymentId: uuid,
    openedAt: dateTime,
    responseDeadline: dateTime.nullable(),
    closedAt: dateTime.nullable(),
    holdState: z.enum(HOLD_STATES),
    heldAmount: centsOut,
  })
  .meta({ id: 'DisputeEventData' })

/** `data` of any event in a world that chose the minimum. Source: contract: Payload shape; WH-05, WH-06. */
export const minimumEvent = z.strictObject({
  id: uuid,
  status: z.enum([...new Set([...TRANSACTION_STATUSES, ...CASHOUT_STATUSES])]),
  amount: centsOut,
  netAmount: centsOut,
})

/** The body of a delivery of one event type around its `data`. Source: contract: Payload shape. */
export function deliveryBody<const Type extends EventType, Data extends z.ZodType>(type: Type, data: Data) {
  return z.strictObject({
    id: uuid.meta({ description: 'id of the delivery; a repeated delivery has the same' }),
    type: z.literal(type),
    createdAt: dateTime,
    data,
  })
}

/** `data` of a `payment.*` webhook; money in cents, times in ISO 8601. */
export type TransactionEvent = z.output<typeof transactionEvent>
/** `data` of a `cashout.*` webhook; money in cents, times in ISO 8601. */
export type CashoutEvent = z.output<typeof cashoutEvent>
/** `data` of a `dispute.*` webhook; money in cents, times in ISO 8601. */
export type DisputeEvent = z.output<typeof disputeEvent>

/** The body of a webhook of one event type. `id` names the delivery; a repeated one has the same. */
interface OneWebhook<Type extends EventType, Data> {
  id: string
  type: Type
  /** ISO 8601. */
  createdAt: string
  data: Data
}

/** One member for each of some event types, so that a type picks its own out of the union. */
type WebhookOf<Type extends EventType, Data> = Type extends EventType ? OneWebhook<Type, Data> : never

/** The body of a webhook about a transaction. */
export type TransactionWebhook = WebhookOf<TransactionEventType, TransactionEvent>
/** The body of a webhook about a cashout. */
export type CashoutWebhook = WebhookOf<CashoutEventType, CashoutEvent>
/** The body of a webhook about a dispute, which only worlds that chose so send (DI-09). */
export type DisputeWebhook = WebhookOf<DisputeEventType, DisputeEvent>
/** The body of any webhook; `type` tells which. */
export type Webhook = TransactionWebhook | CashoutWebhook | DisputeWebhook
