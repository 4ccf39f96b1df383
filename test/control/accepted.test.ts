// Checks that the exchange of a refused call names the rule that refused it and the nearest form that passes.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { GATEWAY_ERRORS } from '../../src/contract/errors.ts'
import { control, NO_ID } from '../http/calls.ts'
import { createPix } from '../support/sandbox.ts'
import { begin } from './transactionSteps.ts'
import type { Answered, TestSandbox } from '../support/sandbox.ts'

/** The latest exchange, read alone and from the list. */
async function latest(sandbox: TestSandbox): Promise<Answered['body']> {
  const { items } = await control(sandbox, 'GET', '/exchanges?limit=1')
  expect(await control(sandbox, 'GET', `/exchanges/${items[0].id}`)).toEqual(items[0])
  return items[0]
}

/** Sends a call that is refused, and answers what would be accepted instead. */
async function acceptedOf(
  sandbox: TestSandbox,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answered['body']> {
  const { status } = await sandbox.call(method, path, body)
  expect(status).toBeGreaterThanOrEqual(400)
  return (await latest(sandbox)).accepted
}

const DUE = '2030-01-03'
const PAYER = { customerName: 'Ana Souza', customerDocument: '12345678909' }
const pix = (fields: object): object => ({ method: 'Pix', amount: 500, ...fields })

const TRANSACTIONS: [what: string, sent: unknown, accepted: object][] = [
  ['nothing sent', {}, { method: 'Pix', amount: 100 }],
  ['no JSON', '{"method":', { method: 'Pix', amount: 100 }],
  ['a misspelt field', { method: 'Pix', ammount: 500 }, pix({})],
  [
    'another style of name',
    { Method: 'Pix', amount: 500, external_id: 'a-1', callback_URL: 'http://shop.test' },
    pix({ externalId: 'a-1', callbackUrl: 'http://shop.test' }),
  ],
  ['a number as a text', { method: 'Pix', amount: '500' }, pix({})],
  ['a number that is none', { method: 'Pix', amount: 'many' }, { method: 'Pix', amount: 100 }],
  ['parts of a cent', { method: 'Pix', amount: 499.9 }, pix({})],
  ['too little', { method: 'Pix', amount: 99 }, { method: 'Pix', amount: 100 }],
  ['too much', { method: 'Pix', amount: 1e12 }, { method: 'Pix', amount: 9_999_999_999 }],
  [
    'a method in another style',
    { method: 'credit_card', amount: 500, cardToken: 7 },
    { method: 'CreditCard', amount: 500, cardToken: '<token>' },
  ],
  [
    'a misspelt method',
    { method: 'Bolto', amount: 500, ...PAYER, boletoDueDate: '2030-02-01' },
    { method: 'Boleto', amount: 500, boletoDueDate: '2030-02-01', ...PAYER },
  ],
  ['a text as a number', pix({ externalId: 12 }), pix({ externalId: '12' })],
  ['a text that is too long', pix({ description: 'x'.repeat(600) }), pix({ description: 'x'.repeat(500) })],
  ['an object as metadata', pix({ metadata: { a: 1 } }), pix({ metadata: '{"a":1}' })],
  ['metadata that is no JSON', pix({ metadata: 'a' }), pix({ metadata: '"a"' })],
  ['another currency', pix({ currency: 'USD' }), pix({ currency: 'BRL' })],
  [
    'an address without a scheme',
    pix({ callbackUrl: 'shop.test/hook' }),
    pix({ callbackUrl: 'http://shop.test/hook' }),
  ],
  ['an e-mail that is none', pix({ customerEmail: 'ana' }), pix({ customerEmail: 'ana@example.com' })],
  ['a document that is none', pix({ customerDocument: '1' }), pix({ customerDocument: '12345678909' })],
  [
    'what another method takes',
    pix({ pixExpirationMinutes: 1, installments: 2, boletoDueDate: DUE }),
    pix({ pixExpirationMinutes: 5 }),
  ],
  [
    'a boleto without customer and date',
    { method: 'Boleto', amount: 500 },
    { method: 'Boleto', amount: 500, boletoDueDate: DUE, ...PAYER },
  ],
  [
    'a boleto that is due too early',
    { method: 'Boleto', amount: 500, ...PAYER, boletoDueDate: '2030-01-01' },
    { method: 'Boleto', amount: 500, boletoDueDate: DUE, ...PAYER },
  ],
  [
    'a date as people write it',
    { method: 'Boleto', amount: 500, ...PAYER, boletoDueDate: '15/01/2030' },
    { method: 'Boleto', amount: 500, boletoDueDate: '2030-01-15', ...PAYER },
  ],
  [
    'a card without its fields',
    { method: 'CreditCard', amount: 500, installments: 13 },
    {
      method: 'CreditCard',
      amount: 500,
      installments: 12,
      cardNumber: '<number>',
      cardHolderName: '<holder>',
      cardExpirationMonth: '<month>',
      cardExpirationYear: '<year>',
      cardCvv: '<cvv>',
    },
  ],
]

describe('a refused creation', () => {
  test.each(TRANSACTIONS)('says what would be accepted instead of %s', async (_what, sent, accepted) => {
    const sandbox = begin()
    expect(await acceptedOf(sandbox, 'POST', '/v1/transactions', sent)).toEqual({ body: accepted })
    if ('cardNumber' in accepted || 'cardToken' in accepted) return
    expect((await sandbox.call('POST', '/v1/transactions', accepted)).status).toBe(201)
  })

  test('is told in the names of its world', async () => {
    const sandbox = begin({ 'TX-01': { boletoDueDate: 'vencimento', customerDocument: 'cpf' } })
    const sent = { method: 'Boleto', amount: 500, customerName: 'Ana Souza', vencimnto: '2030-01-05' }
    const accepted = { method: 'Boleto', amount: 500, customerName: 'Ana Souza', vencimento: '2030-01-05' }
    expect(await acceptedOf(sandbox, 'POST', '/v1/transactions', sent)).toEqual({ body: accepted })
    expect((await sandbox.call('POST', '/v1/transactions', accepted)).status).toBe(201)
  })

  test('in a world with specific codes is told the same', async () => {
    const sandbox = begin({ 'TX-06': 'specific' })
    await sandbox.call('POST', '/v1/transactions', { method: 'Boleto', amount: 500 })
    expect(await latest(sandbox)).toMatchObject({
      rule: { code: 'customer_required', authority: 'TX-06' },
      accepted: { body: { customerName: 'Ana Souza', boletoDueDate: DUE } },
    })
  })

  test('reads splits field by field', async () => {
    const sandbox = begin()
    const { items } = await control(sandbox, 'GET', '/organizations')
    const { splitCode } = items[0]
    const sent = pix({ splits: [{ split_code: splitCode, type: 'percentage', value: '10' }] })
    const accepted = pix({ splits: [{ splitCode, type: 'PERCENTAGE', value: 10 }] })
    expect(await acceptedOf(sandbox, 'POST', '/v1/transactions', sent)).toEqual({ body: accepted })
    expect((await sandbox.call('POST', '/v1/transactions', accepted)).status).toBe(201)
  })
})

describe('other refused calls', () => {
  const CALLS: [what: string, method: string, path: string, sent: unknown, accepted: object][] = [
    [
      'a customer without e-mail',
      'POST',
      '/v1/customers',
      { name: 'Ana' },
      { body: { name: 'Ana', email: 'ana@example.com' } },
    ],
    [
      'a phone that is none',
      'POST',
      '/v1/customers',
      { name: 'Ana', email: 'a@b.com', phone: '1' },
      { body: { name: 'Ana', email: 'a@b.com', phone: '+5511999998888' } },
    ],
    [
      'a key of another kind',
      'POST',
      '/v1/cashouts',
      { amount: 500, pixKeyType: 'CPF', pixKey: 'ana@example.com' },
      { body: { amount: 500, pixKeyType: 'Email', pixKey: 'ana@example.com' } },
    ],
    [
      'a key that is none',
      'POST',
      '/v1/cashouts',
      { amount: '500', pixKeyType: 'phone', pixKey: 'x' },
      { body: { amount: 500, pixKeyType: 'Phone', pixKey: '+5511999998888' } },
    ],
    [
      'a query',
      'GET',
      '/v1/transactions?page=0&pageSize=1000&status=pendin',
      undefined,
      { query: { page: '1', pageSize: '100', status: 'Pending' } },
    ],
    [
      'a filter that fits nothing',
      'GET',
      '/v1/customers?status=xyzzy&search=a',
      undefined,
      { query: { search: 'a' } },
    ],
    [
      'a date that is none',
      'GET',
      '/v1/transactions?startDate=yesterday',
      undefined,
      { query: { startDate: '2030-01-01' } },
    ],
  ]

  test.each(CALLS)('%s', async (_what, method, path, sent, accepted) => {
    const found = await acceptedOf(begin(), method, path, sent)
    expect(found.query === undefined ? found : { query: withoutPaging(found.query, path) }).toEqual(accepted)
  })

  /** Pages stand in an accepted query only where they were sent. */
  const withoutPaging = (query: Record<string, string>, path: string): Record<string, string> =>
    Object.fromEntries(Object.entries(query).filter(([name]) => path.includes(name)))

  test('an action that is misspelt, by word or by number', async () => {
    const sandbox = begin()
    const { id } = await createPix(sandbox)
    const form = await acceptedOf(sandbox, 'POST', `/v1/transactions/${id}/simulate`, { action: 'completed' })
    expect(form).toEqual({ body: { action: 'complete' } })
    await control(sandbox, 'PATCH', '/balance', { fund: 10_000 })
    const asked = { amount: 1_000, pixKeyType: 'Email', pixKey: 'ana@example.com' }
    const cashout = (await sandbox.call('POST', '/v1/cashouts', asked)).body.data
    const path = `/v1/cashouts/${cashout.id}/simulate`
    expect(await acceptedOf(sandbox, 'POST', path, { action: '2' })).toEqual({ body: { action: 2 } })
  })

  test('a key pair without its secret', async () => {
    const sandbox = begin()
    await sandbox.send('POST', '/v1/auth/token', {
      body: { publicKey: 'pk_sandbox_default', secret_key: 'sk_x' },
    })
    expect((await latest(sandbox)).accepted).toEqual({
      body: { publicKey: 'pk_sandbox_default', secretKey: '<secretKey>' },
    })
  })
})

describe('there is no other form', () => {
  test('of a call that succeeds, which no rule refused either', async () => {
    const sandbox = begin()
    await createPix(sandbox)
    expect(await latest(sandbox)).toMatchObject({ rule: null, accepted: null })
  })

  test('where the state refused, and the rule says so', async () => {
    const sandbox = begin()
    const { id } = await createPix(sandbox)
    await sandbox.call('POST', `/v1/transactions/${id}/simulate`, { action: 'refund' })
    const { when, authority } = GATEWAY_ERRORS.invalid_status
    const rule = { code: 'invalid_status', when, authority }
    expect(await latest(sandbox)).toMatchObject({
      rule,
      accepted: null,
      hint: expect.stringContaining('Pending'),
    })
    await sandbox.call('GET', `/v1/transactions/${NO_ID}`)
    expect(await latest(sandbox)).toMatchObject({ rule: { code: 'not_found' }, accepted: null })
  })

  test.each([
    ['a customer that does not exist', pix({ customerId: NO_ID, note: 'x' })],
    ['a receiver that does not exist', pix({ splits: [{ splitCode: NO_ID, type: 'FIXED', value: 1 }] })],
    [
      'a body of which only the start was kept',
      Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`f${n}`, 'y'])),
    ],
  ])('for %s', async (_what, sent) => {
    expect(await acceptedOf(begin(), 'POST', '/v1/transactions', sent)).toBeNull()
  })

  test('for an amount that only the balance decides', async () => {
    const sandbox = begin()
    await control(sandbox, 'PATCH', '/balance', { fund: 10_000, requireFullWithdrawal: true })
    const sent = { amount: 1_000, pixKeyType: 'Email', pixKey: 'ana@example.com' }
    expect(await acceptedOf(sandbox, 'POST', '/v1/cashouts', sent)).toBeNull()
  })
})

describe('what would be accepted holds no secret', () => {
  const CARD = '4111111111111111'
  test.each([
    [
      'card fields',
      { method: 'CreditCard', amount: 1, cardNumber: CARD, cardCvv: '737', cardHolderName: 'ANA' },
    ],
    ['misspelt card fields', { method: 'CreditCard', amount: 1, cardNumbr: CARD, cardCvvv: 737, cv: 737 }],
    ['an unknown field beside a card', { method: 'Pix', amount: 1, cardToken: 'x', installmnts: 737 }],
    ['a card in a text', { method: 'Pix', amount: 1, description: `cartao ${CARD}`, descripton: CARD }],
    ['a secret key in a field that is near', { method: 'Pix', amount: 1, externalid: 'sk_sandbox_default' }],
    ['a card as an amount', { method: 'Pix', amount: Number(CARD) }],
  ])('of %s', async (_what, sent) => {
    const sandbox = begin()
    const form = JSON.stringify(await acceptedOf(sandbox, 'POST', '/v1/transactions', sent))
    expect(form).toContain('"body"')
    for (const hidden of [CARD, '737', 'sk_sandbox_default']) expect(form).not.toContain(hidden)
  })
})

test('explaining a call is no use of a silence', async () => {
  const sandbox = begin()
  await sandbox.call('POST', '/v1/transactions', { method: 'Boleto', amount: 500 })
  const used = async (): Promise<number[]> =>
    (await control(sandbox, 'GET', '/silences')).items.map(
      ({ timesUsed }: { timesUsed: number }) => timesUsed,
    )
  const before = await used()
  await latest(sandbox)
  expect(await used()).toEqual(before)
})

/** Any value that a careless program may put into a field. */
const anything = fc.oneof(
  fc.constantFrom(
    'Pix',
    'boleto',
    'CREDITCARD',
    'BRL',
    'CPF',
    'email',
    'ana@example.com',
    '12345678909',
    '100',
    '',
  ),
  fc.constantFrom<unknown>(null, true, -1, 0, 99, 100.5, 1e30, [], {}, [{ value: '1' }], ['x'], {
    type: 'FIXED',
  }),
  fc.string({ maxLength: 600, unit: 'binary' }),
  fc.integer(),
)
const FIELDS = {
  '/v1/transactions':
    'method amount amonut currency description customerId callbackUrl metadata splits pixExpirationMinutes customerName customerDocument customerEmail customer_phone boletoDueDate installments externalId',
  '/v1/customers': 'name Name email document documentType phone externalId metadata addressCity',
  '/v1/cashouts': 'amount pixKeyType pix_key pixKey externalId callbackUrl',
}

test('what would be accepted is accepted, whatever was sent', async () => {
  const sandbox = begin({ 'LM-01': 1_000_000 })
  await control(sandbox, 'PATCH', '/balance', { fund: 9_999_999_999 })
  const calls = fc.oneof(
    ...Object.entries(FIELDS).map(([path, names]) =>
      fc.tuple(fc.constant(path), fc.dictionary(fc.constantFrom(...names.split(' ')), anything)),
    ),
  )
  await fc.assert(
    fc.asyncProperty(calls, async ([path, sent]) => {
      const first = await sandbox.call('POST', path, sent)
      const { accepted } = await latest(sandbox)
      // Card data are placeholders, so of a card only the shape is told.
      const isWhole = accepted !== null && accepted.body.method !== 'CreditCard'
      const then = isWhole ? await sandbox.call('POST', path, accepted.body) : first
      const code = isWhole ? (then.body.error?.code ?? null) : null
      expect([null, 'insufficient_balance', 'conflict'], JSON.stringify([sent, accepted])).toContain(code)
      expect(first.status < 300 && accepted !== null).toBe(false)
    }),
    { numRuns: 200 },
  )
  expect(sandbox.defects).toEqual([])
})
