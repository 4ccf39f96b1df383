// Owns the table of event types that are sent to receivers.

/** Each event type with what it means. Source: contract: Events. */
export const EVENTS = {
  'payment.completed': 'the transaction was paid and confirmed',
  'payment.expired': 'the time to pay ended',
  'payment.failed': 'the acquirer or a validation failed',
  'payment.cancelled': 'the transaction was cancelled by hand',
  'payment.refunded': 'nothing is left to refund',
  'payment.partially_refunded': 'a part was refunded',
  'payment.refund_requested': 'a refund is in processing',
  'cashout.completed': 'the cashout was paid',
  'cashout.failed': 'the cashout failed and the money is back',
  'cashout.rejected': 'the cashout was rejected and the money is back',
  'cashout.cancelled': 'the cashout was cancelled and the money is back',
} as const

/** Name of an event. */
export type EventType = keyof typeof EVENTS

/** All event types, in the order of the contract. */
export const EVENT_TYPES = Object.keys(EVENTS) as EventType[]
