// Checks verifySignature as a merchant uses it: any framework's headers, exact bytes, nothing else passes.
import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { verifySignature } from '../../src/index.ts'

const ID = '6f1b2c3d-0000-4000-8000-000000000000'
const BODY = '{"type":"payment.completed","data":{"id":"x"},"name":"José"}'
const digest = (form: 'hex' | 'base64', body: string | Uint8Array = BODY, id = ID): string =>
  createHmac('sha256', id).update(body).digest(form)
const SIGNATURE = `sha256=${digest('hex')}`

describe('verifySignature', () => {
  test.each([
    ['Headers', new Headers({ 'X-Service-Signature': SIGNATURE })],
    ['lower-case names, as Node has them', { 'x-service-signature': SIGNATURE }],
    ['names as they were sent', { 'X-Service-Signature': SIGNATURE }],
    ['lists of values', { 'x-service-signature': [SIGNATURE] }],
  ])('takes headers as %s', (_, headers) => {
    expect(verifySignature(BODY, headers, ID)).toBe(true)
    expect(verifySignature(Buffer.from(BODY), headers, ID)).toBe(true)
  })

  test.each([
    ['another body', `${BODY} `, SIGNATURE, ID],
    ['another id', BODY, SIGNATURE, `${ID}0`],
    ['an empty id', BODY, `sha256=${digest('hex', BODY, '')}`, ''],
    ['a cut signature', BODY, SIGNATURE.slice(0, -1), ID],
    ['an empty signature', BODY, '', ID],
    ['no prefix', BODY, digest('hex'), ID],
    ['upper-case digits', BODY, SIGNATURE.toUpperCase(), ID],
  ])('refuses %s', (_, body, signature, id) => {
    expect(verifySignature(body, { 'x-service-signature': signature }, id)).toBe(false)
  })

  test('refuses a webhook without a signature', () => {
    expect(verifySignature(BODY, {}, ID)).toBe(false)
    expect(verifySignature(BODY, new Headers(), ID)).toBe(false)
  })

  test('reads the other forms and names that a world can choose', () => {
    const bare = { 'X-Other-Signature': digest('hex') }
    expect(verifySignature(BODY, bare, ID, { header: 'X-Other-Signature', form: 'hex' })).toBe(true)
    const base64 = { 'x-service-signature': digest('base64') }
    expect(verifySignature(BODY, base64, ID, { form: 'base64' })).toBe(true)
    expect(verifySignature(BODY, base64, ID)).toBe(false)
  })

  test('refuses a body that was parsed already, loudly', () => {
    expect(() => verifySignature(JSON.parse(BODY) as string, {}, ID)).toThrow('not a parsed object')
  })
})
