// Owns the table of event types that are sent to receivers.

/** Each event type with what it means. Source: contract: Events; those of disputes DI-09, sent only where a world chose so. */
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
  'dispute.opened': 'a dispute was opened (DI-09)',
  'dispute.responded': 'the merchant responded (DI-09)',
  'dispute.under_review': 'the dispute is under review (DI-09)',
  'dispute.won': 'the merchant won and the money is free (DI-09)',
  'dispute.lost': 'the merchant lost and the money is gone (DI-09)',
  'dispute.expired': 'nobody responded in time and the money is gone (DI-09)',
  'dispute.cancelled': 'the dispute was cancelled and the money is free (DI-09)',
} as const

/** Name of an event. */
export type EventType = keyof typeof EVENTS

/** Name of an event of transactions. */
export type TransactionEventType = Extract<EventType, `payment.${string}`>
/** Name of an event of cashouts. */
export type CashoutEventType = Extract<EventType, `cashout.${string}`>
/** Name of an event of disputes. */
export type DisputeEventType = Extract<EventType, `dispute.${string}`>

/** All event types, in the order of the contract. */
export const EVENT_TYPES = Object.keys(EVENTS) as EventType[]
