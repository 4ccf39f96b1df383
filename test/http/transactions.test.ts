// Tests of creating PIX transactions: the rules and limits of every field, fees, and the code that is paid.
import { describe, expect, test } from 'vitest'
import { readBrCode } from '../../src/domain/brCode.ts'
import { createPix, START } from '../support/sandbox.ts'
import { advance, choose, codeOf, control, fresh, outcome, refusedAs, refusedCall, shared } from './calls.ts'
import type { Answered, TestSandbox } from '../support/sandbox.ts'

const PATH = '/v1/transactions'
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const create = (
  sandbox: Pick<TestSandbox, 'call'>,
  fields: Record<string, unknown> = {},
): Promise<Answered> => sandbox.call('POST', PATH, { method: 'Pix', amount: 12_990, ...fields })

const minutesAfterStart = (minutes: number): string =>
  new Date(Date.parse(START) + minutes * 60_000).toISOString()

describe('creating a PIX transaction', () => {
  // proves: endpoint createTransaction, enum Method Pix
  test('needs no more than method and amount, and answers exactly the creation view', async () => {
    const { status, body } = await create(fresh())
    expect(status).toBe(201)
    expect(body).toEqual({
      data: {
        id: expect.stringMatching(UUID),
        externalId: null,
        method: 'Pix',
        amount: 12_990,
        fee: 195,
        netAmount: 12_795,
        currency: 'BRL',
        status: 'Pending',
        description: null,
        environment: 'Sandbox',
        expiresAt: minutesAfterStart(30),
        createdAt: START,
        completedAt: null,
        customerId: null,
        splits: [],
        pix: {
          txId: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
          copyAndPaste: expect.stringMatching(/^000201010212.*6304[0-9A-F]{4}$/),
          qrCode: null,
          expiresAt: minutesAfterStart(30),
          endToEndId: null,
          payerName: null,
          payerDocument: null,
          payerBank: null,
        },
        card: null,
        boleto: null,
      },
      message: expect.any(String),
      error: null,
    })
  })

  test('answers 200 in a world that chose it (TX-02)', async () => {
    expect((await create(fresh({ silences: { 'TX-02': 200 } }))).status).toBe(200)
  })

  test('keeps what it was given', async () => {
    const sandbox = fresh()
    const given = {
      currency: 'BRL',
      description: 'Pedido nº 1 😀',
      externalId: 'order-1',
      callbackUrl: 'https://shop.example.com/hooks?a=1#b',
      metadata: ' {"a": [1, null]} ',
    }
    const { id } = await createPix(sandbox, given)
    const { body } = await sandbox.call('GET', `${PATH}/${id}`)
    expect(body.data).toMatchObject(given)
  })

  test('is in the world’s own present', async () => {
    const sandbox = fresh({ clock: '2031-12-31T23:59:59.123Z' })
    const { createdAt, expiresAt } = await createPix(sandbox)
    expect([createdAt, expiresAt]).toEqual(['2031-12-31T23:59:59.123Z', '2032-01-01T00:29:59.123Z'])
  })
})

describe('a field that is within its rules', () => {
  const sandbox = shared()

  // proves: limit MIN_AMOUNT_CENTS, limit MAX_AMOUNT_CENTS, limit MAX_DESCRIPTION_UNITS, limit MAX_EXTERNAL_ID_UNITS
  // proves: limit MIN_PIX_EXPIRATION_MINUTES, limit MAX_PIX_EXPIRATION_MINUTES
  test.each<[name: string, fields: Record<string, unknown>]>([
    ['the smallest amount', { amount: 100 }],
    ['the largest amount', { amount: 9_999_999_999 }],
    ['an amount written with an exponent', { amount: 1e3 }],
    ['the method in lower case', { method: 'pix' }],
    ['the method in upper case', { method: 'PIX' }],
    ['the currency in lower case', { currency: 'brl' }],
    ['an empty description', { description: '' }],
    ['a description of 500 characters', { description: 'x'.repeat(500) }],
    ['a description of 250 emojis, which are 500 units', { description: '😀'.repeat(250) }],
    ['an externalId of 100 characters', { externalId: 'x'.repeat(100) }],
    ['an externalId of 50 emojis, which are 100 units', { externalId: '😀'.repeat(50) }],
    ['5 minutes to pay', { pixExpirationMinutes: 5 }],
    ['1440 minutes to pay', { pixExpirationMinutes: 1440 }],
    ['metadata that is an object', { metadata: '{}' }],
    ['metadata that is a text', { metadata: '"x"' }],
    ['metadata that is null', { metadata: 'null' }],
    ['a callbackUrl on this machine', { callbackUrl: 'http://127.0.0.1:9/hook' }],
    ['a callbackUrl in upper case', { callbackUrl: 'HTTPS://SHOP.EXAMPLE/HOOK' }],
    ['a callbackUrl of IPv6', { callbackUrl: 'http://[::1]:9/hook' }],
    ['a callbackUrl without dots', { callbackUrl: 'http://shop/hook' }],
    ['an empty list of splits', { splits: [] }],
    ['a field that nobody knows', { whatever: { deep: [1, { er: null }] } }],
    [
      'null for everything that may be absent',
      Object.fromEntries(
        [
          'currency',
          'description',
          'externalId',
          'customerId',
          'callbackUrl',
          'metadata',
          'splits',
          'pixExpirationMinutes',
          'customerName',
          'customerDocument',
          'customerEmail',
          'customerPhone',
          'boletoDueDate',
          'boletoInstructions',
          'cardNumber',
          'cardHolderName',
          'cardExpirationMonth',
          'cardExpirationYear',
          'cardCvv',
          'installments',
          'cardToken',
        ].map((name) => [name, null]),
      ),
    ],
  ])('such as %s is taken', async (_name, fields) => {
    expect(outcome(await create(sandbox, fields))).toBe('201')
  })
})

describe('a field that breaks its rules', () => {
  const sandbox = shared()
  const invalid = '400 validation_error'

  // proves: error invalid_amount, error validation_error
  // proves: limit MIN_AMOUNT_CENTS, limit MAX_AMOUNT_CENTS, limit MAX_DESCRIPTION_UNITS, limit MAX_EXTERNAL_ID_UNITS
  // proves: limit MIN_PIX_EXPIRATION_MINUTES, limit MAX_PIX_EXPIRATION_MINUTES, limit MAX_URL_UNITS, limit MAX_SHORT_TEXT_UNITS
  test.each<[name: string, expected: string, field: string, fields: Record<string, unknown>]>([
    ['99 cents', '400 invalid_amount', 'amount', { amount: 99 }],
    ['no cents', '400 invalid_amount', 'amount', { amount: 0 }],
    ['one cent', '400 invalid_amount', 'amount', { amount: 1 }],
    ['less than nothing', '400 invalid_amount', 'amount', { amount: -100 }],
    ['one cent more than ten digits', '400 invalid_amount', 'amount', { amount: 10_000_000_000 }],
    ['an amount past all whole numbers', '400 invalid_amount', 'amount', { amount: 1e300 }],
    ['an amount far below zero', '400 invalid_amount', 'amount', { amount: -1e300 }],
    ['half a cent', invalid, 'amount', { amount: 100.5 }],
    ['less than half a cent below the least', invalid, 'amount', { amount: 99.9 }],
    ['an amount as text', invalid, 'amount', { amount: '100' }],
    ['an amount that is true', invalid, 'amount', { amount: true }],
    ['no amount', invalid, 'amount', { amount: undefined }],
    ['a null amount', invalid, 'amount', { amount: null }],
    ['no method', invalid, 'method', { method: undefined }],
    ['an unknown method', invalid, 'method', { method: 'Cash' }],
    ['an empty method', invalid, 'method', { method: '' }],
    ['a method with a blank', invalid, 'method', { method: 'Pix ' }],
    ['another currency', invalid, 'currency', { currency: 'USD' }],
    ['a description of 501 characters', invalid, 'description', { description: 'x'.repeat(501) }],
    ['a description of 251 emojis', invalid, 'description', { description: '😀'.repeat(251) }],
    ['an externalId of 101 characters', invalid, 'externalId', { externalId: 'x'.repeat(101) }],
    ['an externalId that is a number', invalid, 'externalId', { externalId: 1 }],
    ['4 minutes', invalid, 'pixExpirationMinutes', { pixExpirationMinutes: 4 }],
    ['1441 minutes', invalid, 'pixExpirationMinutes', { pixExpirationMinutes: 1441 }],
    ['no minutes', invalid, 'pixExpirationMinutes', { pixExpirationMinutes: 0 }],
    ['30.5 minutes', invalid, 'pixExpirationMinutes', { pixExpirationMinutes: 30.5 }],
    ['minutes as text', invalid, 'pixExpirationMinutes', { pixExpirationMinutes: '30' }],
    ['metadata as an object', invalid, 'metadata', { metadata: { a: 1 } }],
    ['metadata that is no JSON', invalid, 'metadata', { metadata: '{a:1}' }],
    ['metadata cut off', invalid, 'metadata', { metadata: '{"a":' }],
    ['empty metadata', invalid, 'metadata', { metadata: '' }],
    ['a callbackUrl without a scheme', invalid, 'callbackUrl', { callbackUrl: 'shop.example/hook' }],
    ['a callbackUrl by ftp', invalid, 'callbackUrl', { callbackUrl: 'ftp://shop.example/hook' }],
    ['a callbackUrl that is a script', invalid, 'callbackUrl', { callbackUrl: 'javascript:alert(1)' }],
    ['a callbackUrl that is a file', invalid, 'callbackUrl', { callbackUrl: 'file:///etc/passwd' }],
    ['a callbackUrl that is a path', invalid, 'callbackUrl', { callbackUrl: '/hook' }],
    ['an empty callbackUrl', invalid, 'callbackUrl', { callbackUrl: '' }],
    ['a callbackUrl without a host', invalid, 'callbackUrl', { callbackUrl: 'http://' }],
    [
      'a callbackUrl of 2049 characters',
      invalid,
      'callbackUrl',
      { callbackUrl: `http://a/${'x'.repeat(2040)}` },
    ],
    [
      'a customerId that is no customer',
      invalid,
      'customerId',
      { customerId: '7d1f1b1e-0000-4000-8000-000000000000' },
    ],
    ['a customerId that is no uuid', invalid, 'customerId', { customerId: 'ana' }],
    ['a customerId named like a property', invalid, 'customerId', { customerId: '__proto__' }],
    ['an empty customerName', invalid, 'customerName', { customerName: '' }],
    ['a customerName of 256 characters', invalid, 'customerName', { customerName: 'x'.repeat(256) }],
    ['a customerDocument of ten digits', invalid, 'customerDocument', { customerDocument: '1234567890' }],
    [
      'a customerDocument of a customer',
      invalid,
      'customerDocument',
      { customerName: 'A', customerDocument: 'x' },
    ],
    ['a customerEmail that is none', invalid, 'customerEmail', { customerEmail: 'ana' }],
    ['a customerPhone that is none', invalid, 'customerPhone', { customerPhone: 'call me' }],
    ['a customerPhone of a customer', invalid, 'customerPhone', { customerName: 'A', customerPhone: '1' }],
  ])(
    'such as %s is refused with %s, names %s, and leaves nothing behind',
    async (_name, expected, field, fields) => {
      const body = { method: 'Pix', amount: 12_990, ...fields }
      const { refused, message } = await refusedCall(sandbox, 'POST', PATH, body)
      expect(refused).toEqual(refusedAs(expected))
      expect(message).toContain(`'${field}'`)
    },
  )

  test.each([
    ['amount', { amount: 99 }, 'invalid_amount'],
    ['method', { method: 'x' }, 'validation_error'],
    ['metadata', { metadata: '{' }, 'validation_error'],
  ])('in %s is 422 in a world that chose that (AU-05)', async (_field, fields, code) => {
    const unprocessable = fresh({ silences: { 'AU-05': 422 } })
    expect(outcome(await create(unprocessable, fields))).toBe(`422 ${code}`)
  })

  // proves: error field_too_long, limit MAX_METADATA_UNITS
  test.each<[name: string, fields: Record<string, unknown>, code: string]>([
    ['description', { description: 'x'.repeat(501) }, 'field_too_long'],
    ['externalId', { externalId: 'x'.repeat(101) }, 'field_too_long'],
    ['metadata', { metadata: 'x'.repeat(10_001) }, 'field_too_long'],
    ['callbackUrl', { callbackUrl: `http://a/${'x'.repeat(2040)}` }, 'field_too_long'],
    ['customerName, too short', { customerName: '' }, 'validation_error'],
    ['pixExpirationMinutes', { pixExpirationMinutes: 1441 }, 'validation_error'],
    ['amount', { amount: 10_000_000_000 }, 'invalid_amount'],
  ])(
    'in %s gets a code of its own where a world chose specific ones (TX-06)',
    async (_name, fields, code) => {
      const specific = fresh({ silences: { 'TX-06': 'specific' } })
      expect(outcome(await create(specific, fields))).toBe(`400 ${code}`)
      expect(codeOf(await create(sandbox, fields))).toBe(
        code === 'field_too_long' ? 'validation_error' : code,
      )
    },
  )

  test('such as a method in another case is refused in a world that is exact (TX-05)', async () => {
    const exact = fresh({ silences: { 'TX-05': 'exact' } })
    expect(outcome(await create(exact, { method: 'pix' }))).toBe('400 validation_error')
    expect(outcome(await create(exact, { currency: 'brl' }))).toBe('400 validation_error')
    expect(outcome(await create(exact))).toBe('201')
  })

  test('is named once more in the hint when it is a required one that was misspelt', async () => {
    const { headers } = await sandbox.call('POST', PATH, { metod: 'Pix', amount: 100 })
    expect(headers.get('x-sandbox-hint')).toContain("'metod'")
  })

  test.each([
    ['method', undefined, true],
    ['method', 1, false],
    ['method', 'Cash', false],
    ['amount', undefined, true],
    ['amount', null, true],
    ['amount', '100', false],
    ['amount', 100.5, false],
    ['description', 1, false],
    ['splits', {}, false],
  ])('such as a %s of %j is called required: %s', async (field, value, required) => {
    const { body, headers } = await create(sandbox, { [field]: value })
    expect(body.error.message.endsWith('campo obrigatório.')).toBe(required)
    expect(headers.get('x-sandbox-hint')?.endsWith('it is required')).toBe(required)
  })
})

describe('other names for hidden fields (TX-01)', () => {
  const names = {
    pixExpirationMinutes: 'expires_in_minutes',
    customerDocument: 'payerTaxId',
    customerEmail: 'payerEmail',
    customerPhone: 'payerPhone',
  }

  test('are read instead of ours', async () => {
    const sandbox = fresh({ silences: { 'TX-01': names } })
    const { customerId, expiresAt } = await createPix(sandbox, {
      customerName: 'Ana',
      payerTaxId: '12345678909',
      payerEmail: 'ana@example.com',
      payerPhone: '+5511999998888',
      expires_in_minutes: 7,
    })
    const { body } = await sandbox.call('GET', `/v1/customers/${customerId}`)
    expect(body.data).toMatchObject({
      document: '123.456.789-09',
      email: 'ana@example.com',
      phone: '5511999998888',
    })
    expect(expiresAt).toBe(minutesAfterStart(7))
  })

  test('make ours unknown: they are ignored', async () => {
    const sandbox = fresh({ silences: { 'TX-01': names } })
    const { expiresAt } = await createPix(sandbox, { pixExpirationMinutes: 7, customerEmail: 'no e-mail' })
    expect(expiresAt).toBe(minutesAfterStart(30))
  })

  test.each([
    ['expires_in_minutes', { expires_in_minutes: 4 }],
    ['payerEmail', { payerEmail: 'nobody' }],
    ['payerTaxId', { payerTaxId: '1' }],
    ['payerPhone', { payerPhone: '1' }],
  ])('appear in refusals: %s', async (name, fields) => {
    const answered = await create(fresh({ silences: { 'TX-01': names } }), fields)
    expect(outcome(answered)).toBe('400 validation_error')
    expect(answered.body.error.message).toContain(`'${name}'`)
  })

  test('appear in the hint of a near miss', async () => {
    const answered = await create(fresh({ silences: { 'TX-01': names } }), { payerTaxID: '12345678909' })
    expect(answered.headers.get('x-sandbox-hint')).toContain("did you mean 'payerTaxId'?")
  })

  test('may be swapped', async () => {
    const swapped = { customerEmail: 'customerPhone', customerPhone: 'customerEmail' }
    const sandbox = fresh({ silences: { 'TX-01': swapped } })
    const { customerId } = await createPix(sandbox, {
      customerName: 'Ana',
      customerPhone: 'ana@example.com',
      customerEmail: '5511999998888',
    })
    const { body } = await sandbox.call('GET', `/v1/customers/${customerId}`)
    expect(body.data).toMatchObject({ email: 'ana@example.com', phone: '5511999998888' })
  })

  test.each([
    ['the name of another field', { customerEmail: 'customerName' }],
    ['one name for two', { customerEmail: 'contact', customerPhone: 'contact' }],
    ['no name', { customerEmail: '' }],
    ['a name with a blank', { customerEmail: 'e mail' }],
    ['a name for a field that is not hidden', { amount: 'value' }],
  ])('cannot be %s', async (_name, chosen) => {
    const answered = await fresh().control('PATCH', '/silences', { 'TX-01': chosen })
    expect(outcome(answered)).toBe('400 sandbox_bad_request')
  })
})

describe('time to pay', () => {
  test.each([
    [{}, {}, 30],
    [{}, { pixExpirationMinutes: 5 }, 5],
    [{}, { pixExpirationMinutes: 1440 }, 1440],
    [{}, { pixExpirationMinutes: null }, 30],
    [{ 'TX-03': 5 }, {}, 5],
    [{ 'TX-03': 1440 }, {}, 1440],
    [{ 'TX-03': 60 }, { pixExpirationMinutes: 5 }, 5],
  ])('with knobs %j and fields %j is %d minutes (TX-03)', async (silences, fields, minutes) => {
    const { expiresAt, pix } = await createPix(fresh({ silences }), fields)
    expect([expiresAt, pix.expiresAt]).toEqual([minutesAfterStart(minutes), minutesAfterStart(minutes)])
  })
})

describe('the same externalId twice (TX-04)', () => {
  test('is allowed: two transactions', async () => {
    const sandbox = fresh()
    const [one, two] = [
      await createPix(sandbox, { externalId: 'A' }),
      await createPix(sandbox, { externalId: 'A' }),
    ]
    expect(one.id).not.toBe(two.id)
    expect(Object.keys(sandbox.world.state.transactions)).toEqual([one.id, two.id])
  })

  test('is asked about only where there is one', async () => {
    const sandbox = fresh()
    const used = async (): Promise<number> => {
      const { items } = await control(sandbox, 'GET', '/silences')
      return items.find(({ id }: { id: string }) => id === 'TX-04').timesUsed
    }
    await createPix(sandbox)
    expect(await used()).toBe(0)
    await createPix(sandbox, { externalId: 'A' })
    expect(await used()).toBe(1)
  })

  test('is 409 conflict in a world that chose that, and stores nothing', async () => {
    const sandbox = fresh({ silences: { 'TX-04': 'rejected' } })
    const { id } = await createPix(sandbox, { externalId: 'A' })
    const answered = await create(sandbox, { externalId: 'A', amount: 500, customerName: 'Ana' })
    expect(outcome(answered)).toBe('409 conflict')
    expect(answered.body.error.message).toContain("'A'")
    expect(Object.keys(sandbox.world.state.transactions)).toEqual([id])
    expect(sandbox.world.state.customers).toEqual({})
  })

  test('answers the first one in a world that chose that, as it is by now, and stores nothing', async () => {
    const sandbox = fresh({ silences: { 'TX-04': 'returnsFirst' } })
    const first = await createPix(sandbox, { externalId: 'A' })
    await control(sandbox, 'POST', '/trigger', { on: first.id, do: 'confirm' })
    const again = await createPix(sandbox, { externalId: 'A', amount: 500, customerName: 'Ana' })
    expect(again).toMatchObject({ id: first.id, amount: 12_990, status: 'Completed' })
    expect(Object.keys(sandbox.world.state.transactions)).toEqual([first.id])
    expect(sandbox.world.state.customers).toEqual({})
  })

  test.each(['rejected', 'returnsFirst'])(
    'matters within one scope only, where a world chose %s',
    async (choice) => {
      const sandbox = fresh({ silences: { 'TX-04': choice } })
      const ids = [(await createPix(sandbox, { externalId: 'A' })).id]
      for (const publicKey of ['pk_production_default', 'pk_sandbox_default_receiver']) {
        const token = await sandbox.token(publicKey)
        const body = { method: 'Pix', amount: 100, externalId: 'A' }
        const answered = await sandbox.send('POST', PATH, { token, body })
        expect(answered.status).toBe(201)
        ids.push(answered.body.data.id)
      }
      expect(new Set(ids).size).toBe(3)
    },
  )

  test.each(['rejected', 'returnsFirst'])(
    'does not stop transactions without one, where a world chose %s',
    async (choice) => {
      const sandbox = fresh({ silences: { 'TX-04': choice } })
      const ids = [await createPix(sandbox), await createPix(sandbox)].map(({ id }) => id)
      expect(new Set(ids).size).toBe(2)
    },
  )
})

describe('the fee (TX-08)', () => {
  const sandbox = shared()

  test.each([
    // 1.5 %, rounded half up.
    [100, 2],
    [133, 2],
    [166, 2],
    [167, 3],
    [233, 3],
    [234, 4],
    [299, 4],
    [300, 5],
    [333, 5],
    [366, 5],
    [367, 6],
    [1_000, 15],
    [12_990, 195],
    [99_999, 1_500],
    [9_999_999_999, 150_000_000],
  ])('of %d cents is %d cents', async (amount, fee) => {
    expect(await createPix(sandbox, { amount })).toMatchObject({ amount, fee, netAmount: amount - fee })
  })

  test.each([
    [{ bps: 0, fixed: 0 }, 12_990, 0],
    [{ bps: 0, fixed: 99 }, 12_990, 99],
    [{ bps: 99, fixed: 1 }, 12_990, 130],
    [{ bps: 1, fixed: 0 }, 5_000, 1],
    [{ bps: 1, fixed: 0 }, 4_999, 0],
    [{ bps: 10_000, fixed: 0 }, 12_990, 12_990],
    [{ bps: 10_000, fixed: 500 }, 12_990, 12_990],
    [{ bps: 0, fixed: 500 }, 100, 100],
    [{ bps: 10_000, fixed: 0 }, 9_999_999_999, 9_999_999_999],
  ])('with %j of %d cents is %d cents, never above the amount', async (fees, amount, fee) => {
    const own = fresh({ silences: { 'TX-08': { Pix: fees } } })
    expect(await createPix(own, { amount })).toMatchObject({ fee, netAmount: amount - fee })
  })

  test('of a transaction that exists does not follow a later change of the table', async () => {
    const own = fresh()
    const { id } = await createPix(own)
    await choose(own, { 'TX-08': { Pix: { bps: 0, fixed: 1 } } })
    expect((await own.call('GET', `${PATH}/${id}`)).body.data.fee).toBe(195)
  })
})

describe('the code that is paid (TX-17)', () => {
  test('is dynamic: used once, with a location of its own, without an amount', async () => {
    const sandbox = fresh()
    const { pix } = await createPix(sandbox)
    const fields = new Map(readBrCode(pix.copyAndPaste))
    expect(fields.get('01')).toBe('12')
    expect(fields.get('26')).toMatch(
      /^0014br\.gov\.bcb\.pix2558pix\.example\.com\/qr\/v2\/cob\/[0-9a-f]{32}$/,
    )
    expect(fields.get('62')).toBe('0503***')
    expect(fields.has('54')).toBe(false)
    expect([...fields.keys()]).toEqual(['00', '01', '26', '52', '53', '58', '59', '60', '62', '63'])
  })

  test('points to a host of the world’s own choice', async () => {
    const sandbox = fresh({ silences: { 'TX-17': { host: 'qr.shop.example' } } })
    const { pix } = await createPix(sandbox)
    expect(pix.copyAndPaste).toContain('qr.shop.example/qr/v2/cob/')
  })

  test.each([
    [100, '1.00'],
    [105, '1.05'],
    [12_990, '129.90'],
    [9_999_999_999, '99999999.99'],
  ])('carries %d cents as %s where a world chose static ones', async (amount, text) => {
    const sandbox = fresh({ silences: { 'TX-17': { kind: 'static' } } })
    const { pix } = await createPix(sandbox, { amount })
    const fields = new Map(readBrCode(pix.copyAndPaste))
    expect(fields.get('54')).toBe(text)
    expect(fields.has('01')).toBe(false)
    expect(fields.get('26')).toMatch(/^0014br\.gov\.bcb\.pix0136[0-9a-f-]{36}$/)
    expect(fields.get('62')).toBe(`0525${pix.txId.slice(0, 25)}`)
  })

  test('shows the name of the organisation without accents, in at most 25 characters', async () => {
    const sandbox = fresh()
    const { items } = await control(sandbox, 'GET', '/organizations')
    for (const { id } of items) {
      await control(sandbox, 'PATCH', `/organizations/${id}`, { name: 'Açaí & Pão de Queijo da Vovó Ltda' })
    }
    const { pix } = await createPix(sandbox)
    expect(new Map(readBrCode(pix.copyAndPaste)).get('59')).toBe('Acai & Pao de Queijo da V')
  })

  test('and its txId differ for each transaction', async () => {
    const sandbox = fresh()
    const made = []
    for (let time = 0; time < 20; time++) made.push((await createPix(sandbox)).pix)
    expect(new Set(made.map(({ copyAndPaste }) => copyAndPaste)).size).toBe(20)
    expect(new Set(made.map(({ txId }) => txId)).size).toBe(20)
  })

  test('is the same for the same seed and the same calls, and another for another seed', async () => {
    const [one, two, three] = [fresh(), fresh(), fresh({ seed: 'another' })]
    const [first, second, third] = [await createPix(one), await createPix(two), await createPix(three)]
    expect(second).toEqual(first)
    expect(third.pix.copyAndPaste).not.toBe(first.pix.copyAndPaste)
  })
})

describe('time and fees', () => {
  test('do not move while the clock is frozen', async () => {
    const sandbox = fresh()
    const first = await createPix(sandbox)
    const second = await createPix(sandbox)
    await advance(sandbox, '1ms')
    const third = await createPix(sandbox)
    expect(second.createdAt).toBe(first.createdAt)
    expect(Date.parse(third.createdAt) - Date.parse(first.createdAt)).toBe(1)
  })
})
