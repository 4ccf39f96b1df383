// Owns the error that a client throws: what was wrong, where, and what to do.
import type { SandboxErrorCode } from '../contract/errors.ts'

/**
 * Why a call failed. Codes that begin with `sandbox_` are the control API's own refusals.
 * - `unreachable`: nothing answered at the address
 * - `not_a_sandbox`: something answered, but not a gateway-sandbox
 * - `not_settled`: work was still open at the end of the time-out of `settle`
 * - `no_message`: no webhook came into the inbox in time
 * - `no_exchange`: no call came in time
 * - `not_recordable`: more was done to a world than its logs keep
 * - `bad_option`: an option was not one that this package knows
 */
export type SandboxFailure =
  | SandboxErrorCode
  | 'unreachable'
  | 'not_a_sandbox'
  | 'not_settled'
  | 'no_message'
  | 'no_exchange'
  | 'not_recordable'
  | 'bad_option'

/** What every refusal of the control API, and every wait that ends empty, is thrown as. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError'
  /** Stable name of what was wrong. */
  readonly code: SandboxFailure
  /** HTTP status of the refusal; null when there was no answer. */
  readonly status: number | null
  /** The body of the refusal, such as `open` and `waiting` of an unsettled world; null when there is none. */
  readonly details: unknown

  constructor(
    code: SandboxFailure,
    message: string,
    {
      status = null,
      details = null,
      cause,
    }: { status?: number | null; details?: unknown; cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.status = status
    this.details = details
  }
}

/** Throws what does not say that a world is gone already, by itself or with the sandbox of this process. */
export function throwUnlessGone(error: unknown): void {
  if (error instanceof SandboxError) {
    if (error.code === 'sandbox_not_found') return
    if (error.code === 'unreachable' && error.message.includes('the sandbox was closed')) return
  }
  throw error
}
