// Owns the envelope: how results and refusals are put on the wire.
import { GATEWAY_ERRORS } from '../contract/errors.ts'
import type { GatewayErrorCode } from '../contract/errors.ts'
import type { Choices } from '../domain/world.ts'

/** A success in the envelope, as JSON text. Source: contract: Envelope. */
export function successBody(data: unknown, message: string | null): string {
  return JSON.stringify({ data, message, error: null })
}

/** A failure in the envelope, as JSON text. Source: contract: Errors. */
export function failureBody(code: string, message: string): string {
  return JSON.stringify({ data: null, message: null, error: { message, code } })
}

/** The HTTP status of a code in a world. */
export function statusOf(choices: Choices, code: GatewayErrorCode): number {
  const { status } = GATEWAY_ERRORS[code]
  return typeof status === 'number' ? status : choices.get(status.choice)
}

/** A text as the value of a header: printable ASCII, at most 500 characters. */
export function headerText(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/[^\x20-\x7e]/g, '?')
  return plain.length <= 500 ? plain : `${plain.slice(0, 497)}...`
}
