// Owns the loud answer of what is declared but not built.

/** Thrown where a call reaches something that this version does not have: 501 `sandbox_not_built`. */
export class NotBuilt extends Error {
  override readonly name = 'NotBuilt'
}
