// Owns the error of a data file that cannot be used.

/** A data file that cannot be used; the message names it and says what to do. The file was not changed. */
export class DataError extends Error {
  override readonly name = 'DataError'
}
