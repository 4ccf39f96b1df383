// Owns how the rules say no: a code of the contract, a message in Portuguese, a hint in English.
import { GATEWAY_ERRORS } from '../contract/errors.ts'
import type { Choices } from './world.ts'
import type { GatewayErrorCode } from '../contract/errors.ts'

/** Marks a refusal. Nothing that a caller sends can carry it, so no request can pass for a refusal. */
const REFUSAL = Symbol('refusal')

/** A failure of the contract, as a value. */
export interface Refusal<Code extends GatewayErrorCode = GatewayErrorCode> {
  readonly [REFUSAL]: true
  refused: Code
  /** Portuguese; goes into the body. */
  message: string
  /** English, what to do; goes into `X-Sandbox-Hint`. */
  hint: string
  /** HTTP status, where the contract states one that no silence can change. */
  status?: number
  /** Further headers of the answer, such as `Retry-After`. */
  headers?: Record<string, string>
}

/** Says no. Without a message the usual one of the code is used. */
export function refuse<const Code extends GatewayErrorCode>(
  refused: Code,
  hint: string,
  message: string = GATEWAY_ERRORS[refused].message,
): Refusal<Code> {
  return { [REFUSAL]: true, refused, message, hint }
}

/** Codes of a creation that a world may make more specific. Source: TX-06. */
export type CreationCode = 'validation_error' | 'invalid_splits' | 'customer_required' | 'invalid_due_date'

/** Says no to a creation: `validation_error`, or a specific code in a world that chose so. Source: TX-06. */
export function refuseCreation(
  { choices }: { choices: Choices },
  specific: CreationCode,
  hint: string,
  message: string,
): Refusal<CreationCode> {
  return refuse(choices.get('TX-06') === 'specific' ? specific : 'validation_error', hint, message)
}

/** Whether a result is a refusal. */
export function isRefusal<T>(result: T): result is Extract<T, Refusal> {
  return typeof result === 'object' && result !== null && REFUSAL in result
}
