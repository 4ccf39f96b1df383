// Owns misuse of the sandbox: refusals of the control API, each with a code and what to do.
import type { SandboxErrorCode } from '../contract/errors.ts'

/** A control call that cannot be carried out. Changes nothing. */
export class Misuse extends Error {
  override readonly name = 'Misuse'
  readonly code: SandboxErrorCode
  /** Further headers of the answer. */
  readonly headers: Record<string, string>

  constructor(code: SandboxErrorCode, message: string, headers: Record<string, string> = {}) {
    super(message)
    this.code = code
    this.headers = headers
  }
}
