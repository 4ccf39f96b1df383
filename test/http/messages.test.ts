// Checks what a refusal says of a value that has the wrong type: in Portuguese in the body, in English in the hint.
import { afterAll, expect, test } from 'vitest'
import { openSandbox } from '../support/sandbox.ts'

const sandbox = openSandbox()
afterAll(() => sandbox.close())

test.each([
  ['a text', { amount: '100' }, 'amount', 'recebeu um texto', 'received string'],
  ['a list', { amount: [] }, 'amount', 'recebeu um vetor', 'received array'],
  ['a number', { description: 5 }, 'description', 'recebeu um número', 'received number'],
])('%s where something else is expected is called so', async (_what, fields, field, portuguese, english) => {
  const { body, headers } = await sandbox.call('POST', '/v1/transactions', {
    method: 'Pix',
    amount: 100,
    ...fields,
  })
  expect(body.error.message).toContain(`Campo '${field}': `)
  expect(body.error.message).toContain(portuguese)
  expect(headers.get('x-sandbox-hint')).toContain(english)
})

test('a card number of the wrong type is not repeated', async () => {
  const number = 4_111_111_111_111_111
  const card = { method: 'CreditCard', amount: 100, cardNumber: number }
  const { body, headers } = await sandbox.call('POST', '/v1/transactions', card)
  expect(body.error.code).toBe('validation_error')
  expect(`${JSON.stringify(body)} ${headers.get('x-sandbox-hint')}`).not.toContain(String(number))
})
