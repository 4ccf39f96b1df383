// Checks that nothing secret is kept or told of calls to the gateway, wherever it was sent.
import { describe, expect, test } from 'vitest'
import { begin } from './transactionSteps.ts'

/** A card number whose check digit holds, one with another length, and a code that must not be found either. */
const CARD = '4111111111111111'
const AMEX = '378282246310005'
const SECRET = 'sk_sandbox_default'

describe('what an exchange never holds', () => {
  const card = {
    cardNumber: CARD,
    cardHolderName: 'ANA',
    cardExpirationMonth: '12',
    cardExpirationYear: '2031',
  }
  const sale = { method: 'Pix', amount: 100 }

  const CALLS: [
    what: string,
    method: string,
    path: string,
    body: unknown,
    headers?: Record<string, string>,
  ][] = [
    [
      'the secret of a key pair',
      'POST',
      '/v1/auth/token',
      { publicKey: 'pk_sandbox_default', secretKey: SECRET },
    ],
    ['a secret in the wrong field', 'POST', '/v1/auth/token', { publicKey: SECRET, secretKey: 'x' }],
    ['a secret in a misspelt field', 'POST', '/v1/auth/token', { publicKey: 'x', secret_key: SECRET }],
    ['the secret as a header', 'GET', '/v1/transactions', undefined, { 'X-Api-Secret': SECRET }],
    [
      'a card number and its code',
      'POST',
      '/v1/transactions',
      { ...sale, ...card, method: 'CreditCard', cardCvv: '737' },
    ],
    ['a card to be tokenised', 'POST', '/v1/card-tokenize', { ...card, cardCvv: '737' }],
    [
      'a card number that is a number',
      'POST',
      '/v1/card-tokenize',
      { ...card, cardNumber: Number(CARD), cardCvv: 737 },
    ],
    [
      'a card number in a text',
      'POST',
      '/v1/transactions',
      { ...sale, description: `cartao ${CARD} da Ana` },
    ],
    [
      'a card number with spaces',
      'POST',
      '/v1/transactions',
      { ...sale, description: '4111 1111 1111 1111' },
    ],
    [
      'a card number with hyphens',
      'POST',
      '/v1/transactions',
      { ...sale, description: '4111-1111-1111-1111' },
    ],
    ['a card number in metadata', 'POST', '/v1/transactions', { ...sale, metadata: `{"card":"${CARD}"}` }],
    ['a card number as the name of a field', 'POST', '/v1/transactions', { ...sale, [CARD]: 'x' }],
    ['a card number deep down', 'POST', '/v1/transactions', { ...sale, x: [{ y: [[{ z: AMEX }]] }] }],
    ['a card number in the path', 'GET', `/v1/transactions/${CARD}`, undefined],
    ['a card number in the query', 'GET', `/v1/transactions?externalId=${CARD}`, undefined],
    ['a card number in an unknown path', 'GET', `/v1/cards/${CARD}`, undefined],
    ['a secret in the path', 'GET', `/v1/customers/${SECRET}`, undefined],
    ['a secret in the query', 'GET', `/v1/transactions?externalId=${SECRET}`, undefined],
    ['a body that is no JSON', 'POST', '/v1/auth/token', `{"secretKey":"${SECRET}","cardNumber":"${CARD}"`],
    ['a misspelt card field', 'POST', '/v1/card-tokenize', { ...card, cardnumbr: AMEX, cvv: '737' }],
  ]

  test.each(CALLS)('is %s', async (_what, method, path, body, headers = {}) => {
    const sandbox = begin()
    const token = headers['X-Api-Secret'] === undefined ? await sandbox.token() : undefined
    await sandbox.send(method, path, { token, body, headers })
    const { body: found } = await sandbox.control('GET', '/exchanges')
    const text = JSON.stringify(found).replaceAll(/[ -]/g, '')
    for (const hidden of [CARD, AMEX, SECRET, '"737"', ':737', token ?? CARD]) {
      expect(text).not.toContain(hidden)
    }
  })

  test('is hidden from the live feed as well', async () => {
    const sandbox = begin()
    const told: unknown[] = []
    sandbox.world.feed.listen((item) => told.push(item))
    for (const [, method, path, body] of CALLS) await sandbox.send(method, path, { body })
    const text = JSON.stringify(told)
    for (const hidden of [CARD, AMEX, SECRET]) expect(text).not.toContain(hidden)
  })
})

describe('an operation that does not exist', () => {
  test.each([
    ['GET', '/exchanges?operation=createTransactions', undefined],
    ['POST', '/exchanges/wait', { operation: 'createTransactions', wait: '0s' }],
  ])('is refused rather than never found: %s %s', async (method, path, body) => {
    const { status, body: answer } = await begin().control(method, path, body)
    expect([status, answer.error?.code]).toEqual([400, 'sandbox_bad_request'])
  })
})
