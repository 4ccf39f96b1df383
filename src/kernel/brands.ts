// Owns the branded primitives: values that look like numbers or strings but must not be mixed up.

declare const brand: unique symbol

/** A primitive that only its own constructor makes. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name }

/** An amount of money in whole cents; may be negative in postings and balances. */
export type Cents = Brand<number, 'Cents'>

/** Hundredths of a percent: 150 is 1.5 %. */
export type BasisPoints = Brand<number, 'BasisPoints'>

/** A point in time: whole milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = Brand<number, 'Instant'>

/** A length of time in whole milliseconds. */
export type Millis = Brand<number, 'Millis'>

/** An instant as text: ISO 8601, UTC, always with milliseconds and a final Z. Sorts like the instant. */
export type Timestamp = Brand<string, 'Timestamp'>

/**
 * A whole number of cents.
 * @throws {Error} when the number is not a safe integer: a float has met money, which is a defect of ours.
 */
export function cents(value: number): Cents {
  if (!Number.isSafeInteger(value)) throw new Error(`not a whole number of cents: ${value}`)
  return value as Cents
}

/** The sum of amounts, in cents. */
export function sumCents(values: Iterable<Cents>): Cents {
  let sum = 0
  for (const value of values) sum += value
  return cents(sum)
}

/**
 * Hundredths of a percent.
 * @throws {Error} when the number is not a safe integer.
 */
export function basisPoints(value: number): BasisPoints {
  if (!Number.isSafeInteger(value)) throw new Error(`not a whole number of basis points: ${value}`)
  return value as BasisPoints
}

/** `part` basis points of a positive amount, rounded half up to whole cents, without a float in between. */
export function shareHalfUp(amount: Cents, part: BasisPoints): Cents {
  return cents(Number((BigInt(amount) * BigInt(part) + 5_000n) / 10_000n))
}

/** `part` basis points of a positive amount, rounded down to whole cents. */
export function shareFloor(amount: Cents, part: BasisPoints): Cents {
  return cents(Number((BigInt(amount) * BigInt(part)) / 10_000n))
}

/** `amount * numerator / denominator` of positive numbers, rounded down to whole cents, without a float in between. */
export function proportionFloor(amount: Cents, numerator: number, denominator: number): Cents {
  return cents(Number((BigInt(amount) * BigInt(numerator)) / BigInt(denominator)))
}
