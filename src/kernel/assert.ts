// Owns broken invariants: what must never happen, said loudly when it does.

/** A defect of the sandbox itself, never of its caller. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError'
}

/**
 * Holds a condition that only a defect of ours can break.
 * @throws {InvariantError} when it does not hold.
 */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message)
}

/**
 * The value, which is known to be there.
 * @throws {InvariantError} when it is null or undefined.
 */
export function present<T>(value: T | null | undefined, message: string): T {
  invariant(value !== null && value !== undefined, message)
  return value
}
