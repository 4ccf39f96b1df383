// Tests of customers: creating, reading and changing them.
import { cnpj, cpf } from 'cpf-cnpj-validator'
import { describe, expect, test } from 'vitest'
import { START } from '../support/sandbox.ts'
import { advance, choose, fresh, makePair, NO_ID, outcome, shared } from './calls.ts'
import type { Answered, TestSandbox } from '../support/sandbox.ts'

const ANA = { name: 'Ana Souza', email: 'ana@example.com' }

const ADDRESS = {
  addressStreet: 'Rua das Flores',
  addressNumber: '10',
  addressComplement: 'apto 3',
  addressNeighborhood: 'Centro',
  addressCity: 'São Paulo',
  addressState: 'SP',
  addressPostalCode: '01001-000',
  addressCountry: 'BR',
}

const create = (sandbox: TestSandbox, fields: Record<string, unknown> = {}): Promise<Answered> =>
  sandbox.call('POST', '/v1/customers', { ...ANA, ...fields })

/** A new customer, as its creation answered it. */
async function made(sandbox: TestSandbox, fields: Record<string, unknown> = {}): Promise<Answered['body']> {
  const { status, body } = await create(sandbox, fields)
  expect(status, JSON.stringify(body)).toBe(201)
  return body.data
}

const change = (sandbox: TestSandbox, id: string, fields: Record<string, unknown>): Promise<Answered> =>
  sandbox.call('PATCH', `/v1/customers/${id}`, fields)

async function read(sandbox: TestSandbox, id: string): Promise<Answered['body']> {
  const { status, body } = await sandbox.call('GET', `/v1/customers/${id}`)
  expect(status).toBe(200)
  return body.data
}

const nested = {
  street: 'Rua das Flores',
  number: '10',
  complement: 'apto 3',
  neighborhood: 'Centro',
  city: 'São Paulo',
  state: 'SP',
  postalCode: '01001-000',
  country: 'BR',
}

describe('creating a customer', () => {
  // proves: endpoint createCustomer, enum CustomerStatus Active
  test('needs no more than name and e-mail; what is not given is null', async () => {
    const { status, body } = await create(fresh())
    expect(status).toBe(201)
    expect(body).toEqual({
      data: {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
        externalId: null,
        ...ANA,
        document: null,
        documentType: null,
        phone: null,
        status: 'Active',
        metadata: null,
        address: null,
        createdAt: START,
      },
      message: expect.any(String),
      error: null,
    })
  })

  // proves: endpoint getCustomer
  test('answers every field that was given, and so does reading it', async () => {
    const sandbox = fresh()
    const customer = await made(sandbox, {
      externalId: 'A-1',
      document: '12345678909',
      documentType: 'CPF',
      phone: '+55 (11) 99999-8888',
      metadata: '{"tier":"gold"}',
      ...ADDRESS,
    })
    expect(customer).toMatchObject({
      externalId: 'A-1',
      document: '123.456.789-09',
      documentType: 'CPF',
      phone: '5511999998888',
      metadata: '{"tier":"gold"}',
      address: nested,
    })
    expect(await read(sandbox, customer.id)).toEqual(customer)
  })

  test('answers 200 in a world that chose it (TX-02)', async () => {
    expect((await create(fresh({ silences: { 'TX-02': 200 } }))).status).toBe(200)
  })

  test.each<[name: string, field: string, fields: Record<string, unknown>]>([
    ['no name', 'name', { name: undefined }],
    ['a null name', 'name', { name: null }],
    ['an empty name', 'name', { name: '' }],
    ['no e-mail', 'email', { email: undefined }],
    ['a null e-mail', 'email', { email: null }],
    ['an e-mail without an at sign', 'email', { email: 'ana.example.com' }],
    ['an e-mail without a domain', 'email', { email: 'ana@' }],
    ['an e-mail with a blank', 'email', { email: 'ana @example.com' }],
    ['two e-mails', 'email', { email: 'ana@example.com,bia@example.com' }],
    ['a document of ten digits', 'document', { document: '1234567890' }],
    ['a document of twelve digits', 'document', { document: '123456789012' }],
    ['a document of letters', 'document', { document: 'abcdefghijk' }],
    ['an empty document', 'document', { document: '' }],
    ['a CPF that is called a CNPJ', 'documentType', { document: '12345678909', documentType: 'CNPJ' }],
    ['a CNPJ that is called a CPF', 'documentType', { document: '11222333000181', documentType: 'CPF' }],
    ['a type without a document', 'documentType', { documentType: 'CPF' }],
    ['an unknown type of document', 'documentType', { document: '12345678909', documentType: 'RG' }],
    ['a phone of letters', 'phone', { phone: 'call me' }],
    ['a phone of seven digits', 'phone', { phone: '5511999' }],
    ['a phone of sixteen digits', 'phone', { phone: '5511999998888777' }],
    ['an empty phone', 'phone', { phone: '' }],
    ['a phone with two pluses', 'phone', { phone: '++5511999998888' }],
    ['a phone with a plus inside', 'phone', { phone: '55+11999998888' }],
    ['metadata that is no JSON', 'metadata', { metadata: 'gold' }],
    ['empty metadata', 'metadata', { metadata: '' }],
    ['an empty externalId', 'externalId', { externalId: '' }],
    ['an externalId of 101 characters', 'externalId', { externalId: 'x'.repeat(101) }],
    ['an empty part of an address', 'addressCity', { addressCity: '' }],
  ])('with %s is a validation_error that names %s, and stores nothing', async (_name, field, fields) => {
    const sandbox = fresh()
    const answered = await create(sandbox, fields)
    expect(outcome(answered)).toBe('400 validation_error')
    expect(answered.body.error.message).toContain(`'${field}'`)
    expect(sandbox.world.state.customers).toEqual({})
  })

  test.each([
    ['5511999998888', '5511999998888'],
    ['+5511999998888', '5511999998888'],
    ['+55 11 99999-8888', '5511999998888'],
    ['+55 (11) 99999.8888', '5511999998888'],
    ['12345678', '12345678'],
    ['+351 912 345 678', '351912345678'],
    ['123456789012345', '123456789012345'],
  ])('normalises the phone %s to %s', async (phone, digits) => {
    expect((await made(fresh(), { phone })).phone).toBe(digits)
  })

  // proves: enum DocumentType CPF, enum DocumentType CNPJ
  test.each([
    ['12345678909', '123.456.789-09', 'CPF'],
    ['123.456.789-09', '123.456.789-09', 'CPF'],
    ['11222333000181', '11.222.333/0001-81', 'CNPJ'],
    ['11.222.333/0001-81', '11.222.333/0001-81', 'CNPJ'],
    ['12ABC34501DE35', '12.ABC.345/01DE-35', 'CNPJ'],
    ['12.abc.345/01de-35', '12.ABC.345/01DE-35', 'CNPJ'],
  ])('answers the document %s as %s of type %s', async (document, formatted, documentType) => {
    expect(await made(fresh(), { document })).toMatchObject({ document: formatted, documentType })
  })

  test.each([
    ['123.456.789-09', '12345678909'],
    ['11.222.333/0001-81', '11222333000181'],
  ])('answers the document %s as %s in a world of bare documents (CU-04)', async (document, digits) => {
    const sandbox = fresh({ silences: { 'CU-04': 'digits' } })
    const customer = await made(sandbox, { document })
    expect(customer.document).toBe(digits)
    expect((await read(sandbox, customer.id)).document).toBe(digits)
  })

  test.each([
    ['12345678900', false],
    ['11111111111', false],
    ['00000000000', false],
    ['11222333000180', false],
    ['12345678909', true],
    ['11222333000181', true],
    ['12ABC34501DE35', true],
    ['12ABC34501DE36', false],
  ])('takes the document %s anyway, and where check digits count (CU-05): %s', async (document, valid) => {
    expect(outcome(await create(fresh(), { document }))).toBe('201')
    const strict = fresh({ silences: { 'CU-05': 'checked' } })
    expect(outcome(await create(strict, { document }))).toBe(valid ? '201' : '400 validation_error')
  })

  test.each([
    ['a CPF', '529982247', (document: string) => cpf.isValid(document)],
    ['a CNPJ', '112223330001', (document: string) => cnpj.isValid(document)],
  ])(
    'agrees with another reader about every pair of check digits of %s (CU-05)',
    async (_name, base, valid) => {
      const sandbox = fresh({ silences: { 'CU-05': 'checked' } })
      const taken: string[] = []
      const expected: string[] = []
      for (let digits = 0; digits < 100; digits++) {
        const document = base + String(digits).padStart(2, '0')
        if ((await create(sandbox, { document })).status === 201) taken.push(document)
        if (valid(document)) expected.push(document)
      }
      expect(taken).toEqual(expected)
      expect(taken).toHaveLength(1)
    },
  )

  test.each(['{"a":1}', '[]', '"text"', '1', 'null', ' { "a" : [ null ] } '])(
    'keeps the metadata %s exactly as it came',
    async (metadata) => {
      expect((await made(fresh(), { metadata })).metadata).toBe(metadata)
    },
  )

  test('takes any text as metadata in a world that chose that (CU-08)', async () => {
    const sandbox = fresh({ silences: { 'CU-08': 'anyText' } })
    expect((await made(sandbox, { metadata: 'gold, not JSON' })).metadata).toBe('gold, not JSON')
  })

  test.each(Object.entries(ADDRESS))('takes %s alone: the other parts are null', async (name, value) => {
    const { address } = await made(fresh(), { [name]: value })
    const part = name.replace(/^address(.)/, (_all, letter: string) => letter.toLowerCase())
    const others = Object.fromEntries(Object.keys(nested).map((each) => [each, null]))
    expect(address).toEqual({ ...others, [part]: value })
  })

  test('ignores an address in its nested form, since only the flat one is read', async () => {
    expect((await made(fresh(), { address: nested })).address).toBeNull()
  })

  test('takes null for absent in every field that may be absent', async () => {
    const absent = ['document', 'documentType', 'phone', 'externalId', 'metadata', ...Object.keys(ADDRESS)]
    const sandbox = fresh()
    const plain = await made(sandbox)
    const nulls = await made(sandbox, Object.fromEntries(absent.map((name) => [name, null])))
    expect({ ...nulls, id: plain.id }).toEqual(plain)
  })

  test.each(['cpf', 'CPF', 'Cpf'])(
    'takes the listed value %s in any letter case (TX-05)',
    async (documentType) => {
      const fields = { document: '12345678909', documentType }
      expect((await made(fresh(), fields)).documentType).toBe('CPF')
      const exact = fresh({ silences: { 'TX-05': 'exact' } })
      expect(outcome(await create(exact, fields))).toBe(
        documentType === 'CPF' ? '201' : '400 validation_error',
      )
    },
  )

  test.each([
    ['externalid', 'externalId'],
    ['external_id', 'externalId'],
    ['documento', 'document'],
    ['phoneNumber', null],
    ['adressCity', 'addressCity'],
    ['zzz', null],
  ])(
    'tells in the hint of the unknown field %s that %s may be meant, and ignores it',
    async (typed, meant) => {
      const answered = await create(fresh(), { [typed]: '12345678909' })
      expect(answered.status).toBe(201)
      const hint = answered.headers.get('x-sandbox-hint')
      expect(hint === null ? null : /'(\w+)' is unknown.*'(\w+)'/.exec(hint)?.slice(1)).toEqual(
        meant === null ? null : [typed, meant],
      )
    },
  )

  test.each([
    ['mail', 'email'],
    ['nome', 'name'],
  ])('that misspells a required field as %s is told of %s', async (typed, meant) => {
    const { [meant as 'name']: value, ...rest } = ANA
    const answered = await fresh().call('POST', '/v1/customers', { ...rest, [typed]: value })
    expect(outcome(answered)).toBe('400 validation_error')
    expect(answered.headers.get('x-sandbox-hint')).toContain(`'${meant}'`)
    expect(answered.headers.get('x-sandbox-hint')).toContain(`'${typed}'`)
  })
})

describe('the externalId of a customer', () => {
  // proves: error conflict
  test('is taken once: the second gets 409 conflict and is not stored', async () => {
    const sandbox = fresh()
    const first = await made(sandbox, { externalId: 'A-1' })
    const second = await create(sandbox, { name: 'Bia', email: 'bia@example.com', externalId: 'A-1' })
    expect(outcome(second)).toBe('409 conflict')
    expect(second.body.error.message).toContain('A-1')
    expect(Object.keys(sandbox.world.state.customers)).toEqual([first.id])
  })

  test('may differ in letter case only, and may be missing many times', async () => {
    const sandbox = fresh()
    const outcomes = []
    for (const externalId of ['A-1', 'a-1', 'A-1 ', null, null]) {
      outcomes.push(outcome(await create(sandbox, { externalId })))
    }
    expect(outcomes).toEqual(['201', '201', '201', '201', '201'])
  })

  test('may be the same for another organisation', async () => {
    const sandbox = fresh()
    await made(sandbox, { externalId: 'A-1' })
    const token = await sandbox.token('pk_sandbox_default_receiver')
    const body = { ...ANA, externalId: 'A-1' }
    expect(outcome(await sandbox.send('POST', '/v1/customers', { token, body }))).toBe('201')
  })

  test.each(['__proto__', 'constructor', 'a|b', 'ünï 😀', 'x'.repeat(100)])(
    'may be %s',
    async (externalId) => {
      const sandbox = fresh()
      const { id } = await made(sandbox, { externalId })
      const query = `externalId=${encodeURIComponent(externalId)}`
      const { body } = await sandbox.call('GET', `/v1/customers?${query}`)
      expect(body.data.items.map((item: { id: string }) => item.id)).toEqual([id])
      expect(outcome(await create(sandbox, { externalId }))).toBe('409 conflict')
    },
  )

  test('cannot be changed, nor given later', async () => {
    const sandbox = fresh()
    const named = await made(sandbox, { externalId: 'A-1' })
    const unnamed = await made(sandbox)
    for (const { id } of [named, unnamed]) {
      const answered = await change(sandbox, id, { externalId: 'A-2', name: 'Bia' })
      expect(outcome(answered)).toBe('400 validation_error')
      expect(answered.body.error.message).toContain("'externalId'")
    }
    expect(await read(sandbox, named.id)).toEqual(named)
    expect(await read(sandbox, unnamed.id)).toEqual(unnamed)
  })

  test('may be sent along with a change when it is the same', async () => {
    const sandbox = fresh()
    const { id } = await made(sandbox, { externalId: 'A-1' })
    expect(outcome(await change(sandbox, id, { externalId: 'A-1', name: 'Bia' }))).toBe('200')
  })
})

describe('reading a customer', () => {
  const sandbox = shared()

  test.each([
    NO_ID,
    'nonsense',
    '1',
    '__proto__',
    'constructor',
    '%00',
    '%F0%9F%98%80',
    'a%2Fb',
    '%zz',
    '..%2F..',
  ])('whose id is %s is 404 not_found, and so is changing it', async (id) => {
    expect(outcome(await sandbox.call('GET', `/v1/customers/${id}`))).toBe('404 not_found')
    expect(outcome(await sandbox.call('PATCH', `/v1/customers/${id}`, {}))).toBe('404 not_found')
    expect(sandbox.defects).toEqual([])
  })

  test('of another organisation, environment or world is 404 not_found, and so is changing it', async () => {
    const own = fresh()
    const { id } = await made(own)
    const other = own.worlds.create({ id: 'other' })
    const tokens = [
      await own.token('pk_sandbox_default_receiver'),
      await own.token('pk_production_default'),
      await own.token(other.origin.keys.sandbox.publicKey),
    ]
    for (const token of tokens) {
      expect(outcome(await own.send('GET', `/v1/customers/${id}`, { token }))).toBe('404 not_found')
      const changed = await own.send('PATCH', `/v1/customers/${id}`, { token, body: { name: 'Bia' } })
      expect(outcome(changed)).toBe('404 not_found')
    }
    expect((await read(own, id)).name).toBe(ANA.name)
  })

  test('by another credential of the same organisation works', async () => {
    const own = fresh()
    const { id } = await made(own)
    const pair = await makePair(own)
    const token = await own.token(pair.publicKey, pair.secretKey)
    expect(outcome(await own.send('GET', `/v1/customers/${id}`, { token }))).toBe('200')
  })
})

describe('changing a customer', () => {
  const full = {
    externalId: 'A-1',
    document: '12345678909',
    phone: '5511999998888',
    metadata: '{}',
    ...ADDRESS,
  }

  // proves: endpoint updateCustomer, enum CustomerStatus Inactive
  test.each<[name: string, fields: Record<string, unknown>, seen: Record<string, unknown>]>([
    ['name', { name: 'Bia' }, { name: 'Bia' }],
    ['email', { email: 'bia@example.com' }, { email: 'bia@example.com' }],
    ['phone', { phone: '+351 912 345 678' }, { phone: '351912345678' }],
    ['metadata', { metadata: '[1]' }, { metadata: '[1]' }],
    ['document', { document: '98765432100' }, { document: '987.654.321-00' }],
    [
      'kind of document',
      { document: '11222333000181' },
      { document: '11.222.333/0001-81', documentType: 'CNPJ' },
    ],
    ['type, when it is right', { documentType: 'CPF' }, {}],
    ['status', { status: 'Inactive' }, { status: 'Inactive' }],
    ['status in another case', { status: 'inactive' }, { status: 'Inactive' }],
    ['part of the address', { addressNumber: '11' }, { address: { ...nested, number: '11' } }],
    ['nothing', {}, {}],
    [
      'nothing, with null for everything',
      { name: null, email: null, phone: null, document: null, addressCity: null },
      {},
    ],
  ])('changes its %s and leaves the rest', async (_name, fields, seen) => {
    const sandbox = fresh()
    const before = await made(sandbox, full)
    await advance(sandbox, '1h')
    const token = await sandbox.token()
    const answered = await sandbox.send('PATCH', `/v1/customers/${before.id}`, { token, body: fields })
    expect(answered.status).toBe(200)
    expect(answered.body.data).toEqual({ ...before, ...seen })
    const after = await sandbox.send('GET', `/v1/customers/${before.id}`, { token })
    expect(after.body.data).toEqual({ ...before, ...seen })
  })

  test('gives it an address when it had none', async () => {
    const sandbox = fresh()
    const { id } = await made(sandbox)
    const { body } = await change(sandbox, id, { addressCity: 'Recife' })
    expect(body.data.address).toMatchObject({ city: 'Recife', street: null })
  })

  test.each<[name: string, fields: Record<string, unknown>]>([
    ['an empty name', { name: '' }],
    ['a bad e-mail', { email: 'nobody' }],
    ['a bad phone', { phone: '1' }],
    ['a bad document', { document: '1' }],
    ['a type that its document has not', { documentType: 'CNPJ' }],
    ['a document that its type has not', { document: '11222333000181', documentType: 'CPF' }],
    ['metadata that is no JSON', { metadata: '{' }],
    ['an unknown status', { status: 'Deleted' }],
    ['a good name and a bad phone', { name: 'Bia', phone: '1' }],
  ])('to %s is a validation_error and changes nothing', async (_name, fields) => {
    const sandbox = fresh()
    const before = await made(sandbox, full)
    expect(outcome(await change(sandbox, before.id, fields))).toBe('400 validation_error')
    expect(await read(sandbox, before.id)).toEqual(before)
  })

  test('checks a new document where check digits count (CU-05)', async () => {
    const sandbox = fresh({ silences: { 'CU-05': 'checked' } })
    const { id } = await made(sandbox)
    expect(outcome(await change(sandbox, id, { document: '12345678900' }))).toBe('400 validation_error')
    expect(outcome(await change(sandbox, id, { document: '12345678909' }))).toBe('200')
  })

  test('does not check the document that it has already, since no request carries it (CU-05)', async () => {
    const sandbox = fresh()
    const { id } = await made(sandbox, { document: '12345678900' })
    await choose(sandbox, { 'CU-05': 'checked' })
    expect(outcome(await change(sandbox, id, { name: 'Bia' }))).toBe('200')
  })

  test('makes it known by its new document and e-mail and no longer by the old ones', async () => {
    const sandbox = fresh()
    const { id } = await made(sandbox, { document: '12345678909' })
    await change(sandbox, id, { document: '98765432100', email: 'new@example.com' })
    const pay = async (fields: Record<string, unknown>): Promise<string> => {
      const body = { method: 'Pix', amount: 100, customerName: 'Ana', ...fields }
      return (await sandbox.call('POST', '/v1/transactions', body)).body.data.customerId
    }
    expect(await pay({ customerDocument: '98765432100' })).toBe(id)
    expect(await pay({ customerEmail: 'NEW@example.com' })).toBe(id)
    expect(await pay({ customerEmail: 'ana@example.com' })).not.toBe(id)
    expect(await pay({ customerDocument: '12345678909' })).not.toBe(id)
  })
})
