// Owns how much is measured: the sizes of a real run, and tiny ones that only prove that every figure is taken.

/** How much one run measures. */
export interface Sizes {
  /** Rounds of everything. */
  rounds: number
  /** Most rounds of what takes seconds each. */
  longRounds: number
  /** Keep-alive connections that call at the same time, each one call after the other. */
  connections: number
  /** How long one round of calls is to take, in milliseconds. */
  loadMs: number
  /** Stored transactions of a small, a middle and a large world. */
  few: number
  middle: number
  many: number
  /** Deliveries of one round. */
  deliveries: number
  /** Worlds that are made to see how long one takes and how much it weighs. */
  worlds: number
}

/** A real run. */
export const FULL: Sizes = {
  rounds: 5,
  longRounds: 3,
  connections: 10,
  loadMs: 400,
  few: 1_000,
  middle: 10_000,
  many: 100_000,
  deliveries: 2_000,
  worlds: 1_000,
}

/** The least that touches everything. What is weighed must be heavier than the rest of the heap wavers. */
export const TINY: Sizes = {
  rounds: 1,
  longRounds: 1,
  connections: 2,
  loadMs: 10,
  few: 20,
  middle: 40,
  many: 2_000,
  deliveries: 20,
  worlds: 200,
}
