// Owns the vocabulary of the machine tables: what firing a row can do besides changing the status.
import type { EventType } from '../contract/events.ts'
import type { Evidence } from './records.ts'
import type { JobKind } from './jobs.ts'

/** One consequence of a row, as data. Applied in the order of the row, after the status changed. */
export type Effect<Field extends string, Movement extends string, Note extends string> =
  /** Writes the current instant into a field. */
  | { do: 'stamp'; field: Field }
  /** Moves money by a named movement. */
  | { do: 'post'; movement: Movement }
  /** Appends a delivery, when the record has a `callbackUrl`. */
  | { do: 'emit'; event: EventType }
  | { do: 'schedule'; job: JobKind }
  | { do: 'cancel'; job: JobKind }
  /** Writes named facts into the record. */
  | { do: 'note'; note: Note }
  /** Fires `chargeBack` on the transaction of a dispute. */
  | { do: 'chargeBack' }

/** The names that the effects of a machine use. */
export interface NamesOf<E> {
  field: E extends { do: 'stamp'; field: infer Field extends string } ? Field : never
  movement: E extends { do: 'post'; movement: infer Movement extends string } ? Movement : never
  note: E extends { do: 'note'; note: infer Note extends string } ? Note : never
}

/** What a trigger may carry. Which of them a trigger reads is in `TRIGGER_PARAMETERS`. */
export interface TriggerParameters {
  /** Cents of a refund. */
  amount?: number | undefined
  /** Why it failed, was cancelled or was rejected. */
  reason?: string | undefined
  /** Who paid. */
  payer?: { name?: string | undefined; document?: string | undefined; bank?: string | undefined } | undefined
  /** Text of a response. */
  text?: string | undefined
  /** A file that was attached. */
  evidence?: Evidence | undefined
}

/** An effect in a few words, for the reference. */
export function describeEffect(effect: Effect<string, string, string>): string {
  switch (effect.do) {
    case 'stamp':
      return `stamps \`${effect.field}\``
    case 'post':
      return `posts ${effect.movement}`
    case 'emit':
      return `emits \`${effect.event}\``
    case 'schedule':
      return `schedules ${effect.job}`
    case 'cancel':
      return `cancels ${effect.job}`
    case 'note':
      return `notes ${effect.note}`
    case 'chargeBack':
      return 'fires `chargeBack` on the transaction'
    default:
      return effect satisfies never
  }
}
