// Tests of the customer of a transaction: linked by its id, made or found again by inline fields, or none at all.
import { describe, expect, test } from 'vitest'
import { createPix } from '../support/sandbox.ts'
import { control, fresh, outcome } from './calls.ts'
import type { Answered, TestSandbox } from '../support/sandbox.ts'

type Fields = Record<string, unknown>

async function customer(sandbox: TestSandbox, fields: Fields = {}): Promise<Answered['body']> {
  const body = { name: 'Ana Souza', email: 'ana@example.com', ...fields }
  const { status, body: answer } = await sandbox.call('POST', '/v1/customers', body)
  expect(status, JSON.stringify(answer)).toBe(201)
  return answer.data
}

async function readCustomer(sandbox: TestSandbox, id: string): Promise<Answered['body']> {
  const { status, body } = await sandbox.call('GET', `/v1/customers/${id}`)
  expect(status).toBe(200)
  return body.data
}

/** Creates a transaction and answers the customer that it is linked to. */
async function linked(sandbox: TestSandbox, fields: Fields): Promise<string | null> {
  return (await createPix(sandbox, fields)).customerId
}

/** The payer fields of a transaction once it is paid. */
async function paid(sandbox: TestSandbox, fields: Fields): Promise<Answered['body']> {
  const { id } = await createPix(sandbox, fields)
  await control(sandbox, 'POST', '/trigger', { on: id, do: 'confirm' })
  return (await sandbox.call('GET', `/v1/transactions/${id}`)).body.data.pix
}

const count = ({ world }: TestSandbox): number => Object.keys(world.state.customers).length

describe('a customer given inline', () => {
  test('is made, with everything that was given', async () => {
    const sandbox = fresh()
    const id = await linked(sandbox, {
      customerName: 'Bia Lima',
      customerDocument: '123.456.789-09',
      customerEmail: 'bia@example.com',
      customerPhone: '+55 11 99999-8888',
    })
    expect(await readCustomer(sandbox, String(id))).toMatchObject({
      externalId: null,
      name: 'Bia Lima',
      document: '123.456.789-09',
      documentType: 'CPF',
      email: 'bia@example.com',
      phone: '5511999998888',
      status: 'Active',
    })
  })

  test('without an e-mail gets a technical one from its document (TX-21)', async () => {
    const sandbox = fresh()
    const id = await linked(sandbox, { customerName: 'Bia', customerDocument: '123.456.789-09' })
    expect((await readCustomer(sandbox, String(id))).email).toBe('12345678909@sandbox.invalid')
  })

  test('without e-mail and document gets a technical e-mail from its id (TX-21)', async () => {
    const sandbox = fresh()
    const id = await linked(sandbox, { customerName: 'Bia' })
    expect((await readCustomer(sandbox, String(id))).email).toBe(`${id}@sandbox.invalid`)
  })

  test('appears in the full view of the transaction', async () => {
    const sandbox = fresh()
    const fields = { customerName: 'Bia', customerDocument: '12345678909', customerPhone: '5511999998888' }
    const { id, customerId } = await createPix(sandbox, fields)
    const { body } = await sandbox.call('GET', `/v1/transactions/${id}`)
    expect(body.data.customer).toEqual({
      id: customerId,
      name: 'Bia',
      email: '12345678909@sandbox.invalid',
      document: '123.456.789-09',
      phone: '5511999998888',
    })
  })

  const known = { document: '12345678909', email: 'ana@example.com', phone: '5511999998888' }

  test.each<[name: string, fields: Fields, reused: boolean]>([
    ['the same document', { customerDocument: '12345678909' }, true],
    ['the same document with punctuation', { customerDocument: '123.456.789-09' }, true],
    [
      'the same document and another e-mail',
      { customerDocument: '12345678909', customerEmail: 'x@example.com' },
      true,
    ],
    ['the same e-mail', { customerEmail: 'ana@example.com' }, true],
    ['the same e-mail in another case', { customerEmail: 'ANA@Example.com' }, true],
    [
      'another document and the same e-mail',
      { customerDocument: '98765432100', customerEmail: 'ana@example.com' },
      true,
    ],
    ['another document', { customerDocument: '98765432100' }, false],
    ['another e-mail', { customerEmail: 'x@example.com' }, false],
    ['the same phone only', { customerPhone: '5511999998888' }, false],
    ['the same name only', { customerName: 'Ana Souza' }, false],
  ])('is, with %s, the one that exists: %s (TX-20)', async (_name, fields, reused) => {
    const sandbox = fresh()
    const { id } = await customer(sandbox, known)
    const customerId = await linked(sandbox, { customerName: 'Somebody', ...fields })
    expect(customerId === id).toBe(reused)
    expect(count(sandbox)).toBe(reused ? 1 : 2)
  })

  test('is found by its document before its e-mail', async () => {
    const sandbox = fresh()
    const byEmail = await customer(sandbox, { email: 'bia@example.com' })
    const byDocument = await customer(sandbox, { document: '12345678909' })
    const fields = { customerName: 'B', customerDocument: '12345678909', customerEmail: 'bia@example.com' }
    expect(await linked(sandbox, fields)).toBe(byDocument.id)
    expect(await linked(sandbox, { ...fields, customerDocument: '98765432100' })).toBe(byEmail.id)
  })

  test('is, of several that fit, the one that was made first', async () => {
    const sandbox = fresh()
    const first = await customer(sandbox, known)
    await customer(sandbox, known)
    expect(await linked(sandbox, { customerName: 'B', customerDocument: '12345678909' })).toBe(first.id)
    await sandbox.call('PATCH', `/v1/customers/${first.id}`, { name: 'Changed' })
    expect(await linked(sandbox, { customerName: 'B', customerDocument: '12345678909' })).toBe(first.id)
  })

  test('is the one that an earlier transaction made', async () => {
    const sandbox = fresh()
    const fields = { customerName: 'Bia', customerEmail: 'bia@example.com' }
    expect(await linked(sandbox, fields)).toBe(await linked(sandbox, fields))
  })

  test('never overwrites the one that exists', async () => {
    const sandbox = fresh()
    const before = await customer(sandbox, { ...known, phone: undefined, metadata: '{}' })
    await linked(sandbox, {
      customerName: 'Somebody Else',
      customerDocument: '12345678909',
      customerEmail: 'else@example.com',
      customerPhone: '351912345678',
    })
    expect(await readCustomer(sandbox, before.id)).toEqual(before)
  })

  test('is also found when it is inactive', async () => {
    const sandbox = fresh()
    const { id } = await customer(sandbox, known)
    await sandbox.call('PATCH', `/v1/customers/${id}`, { status: 'Inactive' })
    expect(await linked(sandbox, { customerName: 'B', customerDocument: '12345678909' })).toBe(id)
    expect((await readCustomer(sandbox, id)).status).toBe('Inactive')
  })

  test('is never one of another organisation or environment', async () => {
    const sandbox = fresh()
    const { id } = await customer(sandbox, known)
    const body = { method: 'Pix', amount: 100, customerName: 'A', customerDocument: '12345678909' }
    for (const publicKey of ['pk_sandbox_default_receiver', 'pk_production_default']) {
      const token = await sandbox.token(publicKey)
      const answered = await sandbox.send('POST', '/v1/transactions', { token, body })
      expect(answered.body.data.customerId).not.toBe(id)
    }
    expect(count(sandbox)).toBe(3)
  })

  test('is always a new one in a world that chose that (TX-20)', async () => {
    const sandbox = fresh({ silences: { 'TX-20': 'alwaysNew' } })
    const fields = { customerName: 'Bia', customerDocument: '12345678909', customerEmail: 'bia@example.com' }
    expect(await linked(sandbox, fields)).not.toBe(await linked(sandbox, fields))
  })

  test('has its check digits checked where a world chose that (CU-05)', async () => {
    const sandbox = fresh({ silences: { 'CU-05': 'checked' } })
    const ask = async (customerDocument: string): Promise<string> => {
      const body = { method: 'Pix', amount: 100, customerName: 'A', customerDocument }
      return outcome(await sandbox.call('POST', '/v1/transactions', body))
    }
    expect(await ask('12345678900')).toBe('400 validation_error')
    expect(await ask('12345678909')).toBe('201')
  })
})

describe('a customer given by its id', () => {
  test('is linked, and wins over inline fields, which change and make nobody', async () => {
    const sandbox = fresh()
    const before = await customer(sandbox, { document: '12345678909' })
    const other = await customer(sandbox, { document: '98765432100', email: 'bia@example.com' })
    const customerId = await linked(sandbox, {
      customerId: before.id,
      customerName: 'Bia',
      customerDocument: '98765432100',
      customerEmail: 'bia@example.com',
    })
    expect(customerId).toBe(before.id)
    expect(await readCustomer(sandbox, before.id)).toEqual(before)
    expect(await readCustomer(sandbox, other.id)).toEqual(other)
    expect(count(sandbox)).toBe(2)
  })

  test('may be inactive', async () => {
    const sandbox = fresh()
    const { id } = await customer(sandbox)
    await sandbox.call('PATCH', `/v1/customers/${id}`, { status: 'Inactive' })
    expect(await linked(sandbox, { customerId: id })).toBe(id)
  })

  test.each(['pk_sandbox_default_receiver', 'pk_production_default'])(
    'is refused when it is not one of %s, even with inline fields',
    async (publicKey) => {
      const sandbox = fresh()
      const { id } = await customer(sandbox)
      const token = await sandbox.token(publicKey)
      const body = { method: 'Pix', amount: 100, customerId: id, customerName: 'Ana' }
      const answered = await sandbox.send('POST', '/v1/transactions', { token, body })
      expect(outcome(answered)).toBe('400 validation_error')
      expect(answered.body.error.message).toContain("'customerId'")
      expect(count(sandbox)).toBe(1)
    },
  )
})

describe('the payer of a payment', () => {
  test('is the linked customer, with a masked document (TX-22)', async () => {
    const sandbox = fresh()
    const { id } = await customer(sandbox, { document: '12345678909' })
    expect(await paid(sandbox, { customerId: id })).toMatchObject({
      payerName: 'Ana Souza',
      payerDocument: '***456789**',
      payerBank: expect.stringMatching(/\S/),
    })
  })

  test('is the customer as it is when it pays, not as it was', async () => {
    const sandbox = fresh()
    const { id } = await customer(sandbox, { document: '12345678909' })
    const transaction = await createPix(sandbox, { customerId: id })
    await sandbox.call('PATCH', `/v1/customers/${id}`, { name: 'Ana Lima', document: '98765432100' })
    await sandbox.call('POST', `/v1/transactions/${transaction.id}/simulate`, { action: 'complete' })
    const { body } = await sandbox.call('GET', `/v1/transactions/${transaction.id}`)
    expect(body.data.pix).toMatchObject({ payerName: 'Ana Lima', payerDocument: '***654321**' })
  })

  test('is the customer that exists, not the one that the request described', async () => {
    const sandbox = fresh()
    await customer(sandbox, { document: '12345678909' })
    const fields = { customerName: 'Somebody Else', customerDocument: '12345678909' }
    expect((await paid(sandbox, fields)).payerName).toBe('Ana Souza')
  })

  test('has the mask of a CNPJ', async () => {
    const sandbox = fresh()
    const { id } = await customer(sandbox, { document: '11222333000181' })
    const { payerDocument } = await paid(sandbox, { customerId: id })
    expect(payerDocument).toBe('***22333000***')
  })

  test('takes fields without a name, which link and make nobody', async () => {
    const sandbox = fresh()
    const existing = await customer(sandbox, { document: '12345678909' })
    const fields = { customerDocument: '12345678909', customerEmail: existing.email }
    const { id } = await createPix(sandbox, fields)
    await sandbox.call('POST', `/v1/transactions/${id}/simulate`, { action: 'complete' })
    const { body } = await sandbox.call('GET', `/v1/transactions/${id}`)
    expect(body.data).toMatchObject({ customerId: null, customer: null })
    expect(body.data.pix.payerDocument).toBe('***456789**')
    expect(body.data.pix.payerName).toMatch(/^\S+ \S+$/)
    expect(count(sandbox)).toBe(1)
  })

  test('without any fields is made up, with a masked document of a CPF', async () => {
    expect(await paid(fresh(), {})).toMatchObject({
      payerName: expect.stringMatching(/^\S+ \S+$/),
      payerDocument: expect.stringMatching(/^\*{3}\d{6}\*{2}$/),
      payerBank: expect.stringMatching(/\S/),
    })
  })

  test('keeps a name alone, with a document made up', async () => {
    expect(await paid(fresh(), { customerName: 'Bia Lima' })).toMatchObject({
      payerName: 'Bia Lima',
      payerDocument: expect.stringMatching(/^\*{3}\d{6}\*{2}$/),
    })
  })

  test.each(['abc', '1', 'x'.repeat(30)])(
    'is not the text "%s" that came as a document beside a customerId: who pays has a document or a made-up one',
    async (customerDocument) => {
      const sandbox = fresh()
      const { id } = await customer(sandbox)
      const { payerDocument } = await paid(sandbox, { customerId: id, customerDocument })
      expect(payerDocument).toMatch(/^\*{3}\d{6}\*{2}$/)
    },
  )

  test('can be told by the trigger', async () => {
    const sandbox = fresh()
    const { id } = await createPix(sandbox, { customerName: 'Ana', customerDocument: '12345678909' })
    const payer = { name: 'Quem Pagou', document: '98765432100', bank: 'Banco do Teste' }
    await control(sandbox, 'POST', '/trigger', { on: id, do: 'confirm', payer })
    const { body } = await sandbox.call('GET', `/v1/transactions/${id}`)
    expect(body.data.pix).toMatchObject({
      payerName: 'Quem Pagou',
      payerDocument: '***654321**',
      payerBank: 'Banco do Teste',
    })
  })
})
