// Checks what refusals say of wrong types, which silences they name, and that ids are found in any letter case.
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

test('an id in upper case finds its record, in paths, in filters and in the control API', async () => {
  const made = await sandbox.call('POST', '/v1/transactions', {
    method: 'Pix',
    amount: 100,
    customerName: 'Ana',
  })
  const { id, customerId } = made.body.data
  const upper = String(id).toUpperCase()
  expect((await sandbox.call('GET', `/v1/transactions/${upper}`)).body.data.id).toBe(id)
  const query = `customerId=${String(customerId).toUpperCase()}`
  expect((await sandbox.call('GET', `/v1/transactions?${query}`)).body.data.totalItems).toBe(1)
  expect((await sandbox.control('GET', `/transactions/${upper}`)).body.id).toBe(id)
  expect((await sandbox.control('POST', '/trigger', { on: upper, do: 'cancel' })).body.id).toBe(id)
})

test('a refusal before the handler names the silences of its endpoint too', async () => {
  const { headers } = await sandbox.send('GET', '/v1/balance')
  expect(headers.get('x-sandbox-silences')).toBe('BA-01, BA-02, BA-03')
})
