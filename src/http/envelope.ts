// Owns the envelope: how results and refusals are put on the wire.
import { GATEWAY_ERRORS } from '../contract/errors.ts'
import { redactText } from '../world/redaction.ts'
import type { GatewayErrorCode } from '../contract/errors.ts'
import type { Choices } from '../domain/world.ts'

/** The body of every answer. Source: contract: Envelope. */
export interface Envelope {
  data: unknown
  message: string | null
  error: { message: string; code: string } | null
}

/** A success in the envelope. */
export function success(data: unknown, message: string | null): Envelope {
  return { data, message, error: null }
}

/** What the answer to a defect of ours says to people. */
export const DEFECT_HINT = 'This is a defect of the sandbox; its console has the details.'

/** A failure in the envelope. Source: contract: Errors. */
export function failure(code: string, message: string): Envelope {
  return { data: null, message: null, error: { message, code } }
}

/** The HTTP status of a code in a world. */
export function statusOf(choices: Choices, code: GatewayErrorCode): number {
  const { status } = GATEWAY_ERRORS[code]
  return typeof status === 'number' ? status : choices.get(status.choice)
}

/**
 * The header that says what to do: printable ASCII, at most 500 characters. What a caller sent by mistake, such as a secret key
 * in a path, is not said back: hints end up in logs.
 */
export function hintHeader(hint: string): { 'X-Sandbox-Hint': string } {
  const plain = redactText(hint)
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/[^\x20-\x7e]/g, '?')
  return { 'X-Sandbox-Hint': plain.length <= 500 ? plain : `${plain.slice(0, 497)}...` }
}
