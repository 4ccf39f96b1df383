// Owns the signature of a webhook: HMAC-SHA256 over the exact bytes of the body.
import { createHmac } from 'node:crypto'
import type { ChoiceOf } from '../contract/silences.ts'

/**
 * The value of the signature header.
 * @param body the exact bytes that are sent
 * @param secret id of the transaction or cashout
 * @param form how the value is written; source: WH-01
 */
export function signBody(body: string | Uint8Array, secret: string, form: ChoiceOf<'WH-01'>): string {
  const mac = createHmac('sha256', secret).update(body)
  switch (form) {
    case 'prefixedHex':
      return `sha256=${mac.digest('hex')}`
    case 'hex':
      return mac.digest('hex')
    case 'base64':
      return mac.digest('base64')
    default:
      return form satisfies never
  }
}
