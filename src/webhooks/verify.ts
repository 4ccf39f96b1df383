// Owns checking a webhook's signature as a merchant does.
import { timingSafeEqual } from 'node:crypto'
import { signBody } from './signature.ts'
import type { ChoiceOf } from '../contract/silences.ts'

/** Headers as any framework hands them over: a `Headers`, or a record of names in any letter case. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/** How the signature is written, where it is not the default. */
export interface SignatureForm {
  /** Name of the header; `X-Service-Signature` when left out (WH-02). */
  header?: string
  /** How the value is written; `prefixedHex`, which is `sha256=` and hexadecimal digits, when left out (WH-01). */
  form?: ChoiceOf<'WH-01'>
}

/**
 * Whether a webhook was signed for a record. Compares in constant time; without a signature it answers false.
 * @param body the exact bytes that came, before any parsing
 * @param id of the transaction or cashout: `data.id` of the body, and the id that the merchant knows the record by
 * @throws {TypeError} when `body` was parsed already: other bytes have another signature
 */
export function verifySignature(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  id: string,
  { header = 'X-Service-Signature', form = 'prefixedHex' }: SignatureForm = {},
): boolean {
  if (typeof body !== 'string' && !((body as unknown) instanceof Uint8Array)) {
    throw new TypeError('verifySignature needs the body as it came: a string or bytes, not a parsed object.')
  }
  const sent = headerOf(headers, header)
  if (sent === undefined || id === '') return false
  const expected = Buffer.from(signBody(body, id, form))
  const actual = Buffer.from(sent)
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const wanted = name.toLowerCase()
  const found = Object.entries(headers).find(([each]) => each.toLowerCase() === wanted)?.[1]
  return typeof found === 'string' ? found : found?.[0]
}
