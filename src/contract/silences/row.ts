// Owns the shape of a silence: a point that the contract leaves open, and what a world answers there.
import type { z } from 'zod'

/** One silence. `Value` is what a world may choose; a fixed row has only its one choice. */
export interface Silence<Value> {
  /** The open point, in our words. */
  topic: string
  /** The section of the contract that leaves it open. */
  section: string
  /** What a world answers unless told otherwise. */
  choice: Value
  /** What else can be chosen, for people; null when the row is fixed. */
  alternatives: string | null
  /** Who says so: the contract itself, the gateway's public reference, or we. */
  authority: string
  /** What may be chosen, for machines; null when the row is fixed. */
  value: z.ZodType<Value> | null
}

/** A row that a world can override. */
export function knob<const S extends z.ZodType>(row: {
  topic: string
  section: string
  value: S
  choice: z.output<S>
  alternatives: string
  authority: string
}): Silence<z.output<S>> {
  return row as unknown as Silence<z.output<S>>
}

/** A row that is the same in every world. */
export function fixed<const Value>(row: {
  topic: string
  section: string
  choice: Value
  authority: string
}): Silence<Value> {
  return { ...row, alternatives: null, value: null }
}
