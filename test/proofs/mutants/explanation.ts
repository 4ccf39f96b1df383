// Owns how it is said why a mutant may survive: nobody outside can see the difference.

/** Survivors with a reason. */
export interface Explained {
  /** The source file, from the root of the project. */
  file: string
  /** A part of the line on which the mutant begins. */
  code: string
  /** What stands there instead; any when left out. */
  replacement?: string
  /** Why no test can, or need, see the difference. */
  reason: string
}

export const SHORTCUT = 'a shorter way to the same answer'
export const NEVER_EMPTY = 'asked only for the checker of types: a list that is kept holds something'
export const TYPES = 'asked only for the checker of types: the value is always there'
