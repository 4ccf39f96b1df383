// Owns the sanity of the contract's tables: nothing missing, nothing too much, and every row fits the others.
import { describe, expect, test } from 'vitest'
import { COMMON_ERRORS } from '../../src/contract/endpoint.ts'
import { ENDPOINTS } from '../../src/contract/endpoints.ts'
import { PERMISSIONS } from '../../src/contract/enums.ts'
import { GATEWAY_ERRORS, SANDBOX_ERRORS } from '../../src/contract/errors.ts'
import { EVENT_TYPES } from '../../src/contract/events.ts'
import { isSilenceId, silence, SILENCE_IDS, SILENCES } from '../../src/contract/silences.ts'
import type { EndpointRow } from '../../src/contract/endpoint.ts'
import type { ErrorRow } from '../../src/contract/errors.ts'

const ROWS: readonly EndpointRow[] = ENDPOINTS
const ERRORS: Readonly<Record<string, ErrorRow>> = GATEWAY_ERRORS
const KNOBS = SILENCE_IDS.filter((id) => silence(id).value !== null)
const FIXED = SILENCE_IDS.filter((id) => silence(id).value === null)

/** `idsOf('AU', 3)` is AU-01, AU-02 and AU-03. */
function idsOf(group: string, last: number): string[] {
  return Array.from({ length: last }, (_, index) => `${group}-${String(index + 1).padStart(2, '0')}`)
}

const LISTED = [
  ...idsOf('AU', 13),
  ...idsOf('TX', 31),
  ...idsOf('CO', 13),
  ...idsOf('CU', 6),
  'CU-08',
  ...idsOf('BA', 3),
  ...idsOf('DI', 10),
  ...idsOf('WH', 7),
  ...idsOf('LI', 4),
  ...idsOf('ER', 4),
  'LM-01',
  'VE-01',
].toSorted()

/** The silences of the list whose alternatives are "-". */
const LISTED_AS_FIXED = [
  ...['AU-03', 'AU-07', 'AU-10'],
  ...['TX-09', 'TX-10', 'TX-11', 'TX-14', 'TX-16', 'TX-18', 'TX-21', 'TX-22', 'TX-24', 'TX-26', 'TX-31'],
  ...['CO-01', 'CO-03', 'CO-04', 'CO-06', 'CO-07', 'CO-08', 'CO-09', 'CO-10', 'CO-11', 'CO-12'],
  ...['CU-01', 'CU-02', 'CU-03', 'CU-06'],
  ...['DI-01', 'DI-04', 'DI-06', 'DI-07', 'DI-08'],
  ...['WH-07', 'LI-02', 'LI-03', 'ER-01', 'ER-02', 'ER-03', 'ER-04', 'VE-01'],
].toSorted()

const TX_01_NAMES = {
  pixExpirationMinutes: 'a',
  customerDocument: 'b',
  customerEmail: 'c',
  customerPhone: 'd',
  boletoDueDate: 'e',
  boletoInstructions: 'f',
  installments: 'g',
}
const NO_FEE = { bps: 0, fixed: 0 }

/** For each knob what else can be chosen, in the order of the list, and what cannot. */
const CHOICES: Readonly<Record<string, { others: unknown[]; wrong: unknown[] }>> = {
  'AU-01': { others: ['required'], wrong: ['Required', true] },
  'AU-02': { others: ['auth_rate_limit_exceeded'], wrong: ['too_many_requests', 429] },
  'AU-04': { others: ['attemptsSlidingHour', 'issuedFixedHour'], wrong: ['attempts', null] },
  'AU-05': { others: [422], wrong: ['422', 409] },
  'AU-06': { others: [403, 400], wrong: ['403', 404] },
  'AU-08': { others: ['tokenOnly'], wrong: ['never', false] },
  'AU-09': { others: ['RS256'], wrong: ['none', 'HS512'] },
  'AU-11': { others: ['tokenLivesOn'], wrong: ['', true] },
  'AU-12': { others: ['on'], wrong: [true, 'ON'] },
  'AU-13': { others: ['off', 1, 1000], wrong: [0, -1, 1.5, '10', 'none'] },
  'BA-01': { others: ['inData'], wrong: ['top', null] },
  'BA-02': { others: [true], wrong: ['true', 1] },
  'BA-03': { others: ['calendar'], wrong: ['week', 7] },
  'CO-02': { others: ['flat', 'nested'], wrong: ['pix', null] },
  'CO-05': {
    others: [
      { feeCents: 0, minimumCents: 100 },
      { feeCents: 350, minimumCents: 5000 },
    ],
    wrong: [
      200,
      { feeCents: 200 },
      { feeCents: -1, minimumCents: 100 },
      { feeCents: 1.5, minimumCents: 100 },
    ],
  },
  'CO-13': { others: ['exact'], wrong: ['floor', true] },
  'CU-04': { others: ['digits'], wrong: ['masked', null] },
  'CU-05': { others: ['checked'], wrong: [true, 'yes'] },
  'CU-08': { others: ['anyText'], wrong: ['text', null] },
  'DI-02': { others: ['staysOpen'], wrong: ['Open', null] },
  'DI-03': { others: ['none', 1, 10, 365], wrong: [0, 366, '7d', null] },
  'DI-05': {
    others: [
      { hold: 'none', debit: 'whole' },
      { hold: 'availableAndPending', debit: 'heldPart' },
    ],
    wrong: ['none', { hold: 'available' }, { hold: 'pending', debit: 'whole' }],
  },
  'DI-09': {
    others: [{ url: 'http://127.0.0.1:1/hook' }],
    wrong: ['http://127.0.0.1:1/hook', { url: 'hook' }],
  },
  'DI-10': { others: ['stays'], wrong: ['Refunded', null] },
  'LI-01': { others: ['clamped'], wrong: ['clamp', 100] },
  'LI-04': { others: ['notFound'], wrong: [404, 'not_found'] },
  'LM-01': { others: [1, 60], wrong: [0, 0.5, '60', 'off'] },
  'TX-01': {
    others: [TX_01_NAMES],
    wrong: [
      { installments: 'g' },
      { ...TX_01_NAMES, method: 'kind' },
      { ...TX_01_NAMES, installments: '' },
      { ...TX_01_NAMES, installments: 'a b' },
    ],
  },
  'TX-02': { others: [200], wrong: ['201', 202] },
  'TX-03': { others: [5, 1440], wrong: [4, 1441, 30.5, '30'] },
  'TX-04': { others: ['rejected', 'returnsFirst'], wrong: ['conflict', false] },
  'TX-05': { others: ['exact'], wrong: ['lower', null] },
  'TX-06': { others: ['specific'], wrong: ['invalid_splits', null] },
  'TX-07': { others: ['validation_error'], wrong: ['invalid_card', 400] },
  'TX-08': {
    others: [{ Pix: NO_FEE, Boleto: NO_FEE, CreditCard: { bps: 10_000, fixed: 100 } }],
    wrong: [{ Pix: NO_FEE }, { Pix: { bps: 1.5, fixed: 0 }, Boleto: NO_FEE, CreditCard: NO_FEE }, 150],
  },
  'TX-12': { others: [1, 30], wrong: [-1, 0.5, '1'] },
  'TX-13': { others: ['businessDays'], wrong: ['working', 2] },
  'TX-15': {
    others: [{ line: 'plain', dueDate: 'date', bank: '001' }],
    wrong: [{ line: 'plain' }, { line: 'plain', dueDate: 'date', bank: '1' }, 'plain'],
  },
  'TX-17': {
    others: [
      { kind: 'static', host: 'pix.example.com' },
      { kind: 'dynamic', host: 'pix.shop.test' },
    ],
    wrong: [
      { kind: 'static' },
      { kind: 'both', host: 'pix.example.com' },
      { kind: 'dynamic', host: 'https://pix.example.com' },
    ],
  },
  'TX-19': { others: ['anyText'], wrong: ['text', null] },
  'TX-20': { others: ['alwaysNew'], wrong: ['new', null] },
  'TX-23': {
    others: [{ Pix: 1, Boleto: 0, CreditCard: 2 }],
    wrong: [{ Pix: 1 }, { Pix: -1, Boleto: 0, CreditCard: 2 }, 30],
  },
  'TX-25': { others: [{ confirmAfterSeconds: 0 }, { confirmAfterSeconds: 3 }], wrong: ['confirm', 3, {}] },
  'TX-27': { others: ['net'], wrong: ['netAmount', null] },
  'TX-28': { others: ['notSupported'], wrong: [422, null] },
  'TX-29': { others: ['feeKept'], wrong: ['kept', null] },
  'TX-30': { others: ['latePayer'], wrong: ['always', true] },
  'WH-01': { others: ['hex', 'base64'], wrong: ['sha256', null] },
  'WH-02': { others: ['X-Shop-', 'Gateway-'], wrong: ['X-Shop', '', 'X Shop-', 'X-Shöp-'] },
  'WH-03': { others: [0.05, 30], wrong: [0, -1, '10', 601] },
  'WH-04': { others: ['firstAttempt'], wrong: ['attempt', 2] },
  'WH-05': { others: ['minimum'], wrong: ['min', null] },
  'WH-06': { others: ['minimum'], wrong: ['min', null] },
}

/** Sections and tables of the contract that a row can point at. */
const SECTIONS = [
  'Authentication',
  'Balance',
  'Cashout',
  'Customer',
  'Delivery and retries',
  'Dispute',
  'Endpoints',
  'Errors',
  'Events',
  'GET /v1/balance',
  'GET /v1/cashouts',
  'GET /v1/customers',
  'GET /v1/transactions/{transactionId}',
  'Headers sent with each delivery',
  'Limits',
  'Other endpoints referenced',
  'POST /v1/auth/token',
  'POST /v1/transactions',
  'POST /v1/transactions/{transactionId}/simulate',
  'PUT /v1/disputes/{id}/response',
  'Paginated list',
  'Payload shape',
  'Pix object',
  'Signature',
  'Split object',
  'States and transitions',
  'Transaction',
  'Versioning',
  'What the service does',
]

/** What an authority is made of: sections of the contract, and ids of silences. */
function unknownAuthorities(authority: string): string[] {
  const [first = '', ...others] = authority.split('; ')
  const section = first.startsWith('contract: ') ? first.slice('contract: '.length) : null
  const ids = section === null ? [first, ...others] : others
  return [
    ...(section === null || SECTIONS.includes(section) ? [] : [section]),
    ...ids.flatMap((list) => list.split(', ')).filter((id) => !isSilenceId(id)),
  ]
}

describe('the table of silences', () => {
  test('has every id of the list, and no other', () => {
    expect(SILENCE_IDS).toEqual(LISTED)
  })

  test('has a knob for each silence with alternatives, and for no other', () => {
    expect(FIXED).toEqual(LISTED_AS_FIXED)
    expect(Object.keys(CHOICES).toSorted()).toEqual(KNOBS)
  })

  test.each(KNOBS)('takes the usual choice and the others of %s, and refuses wrong ones', (id) => {
    const { value, choice, alternatives } = silence(id)
    const { others = [], wrong = [] } = CHOICES[id] ?? {}
    const refused = [choice, ...others].filter((each) => value?.safeParse(each).success !== true)
    const taken = wrong.filter((each) => value?.safeParse(each).success === true)
    expect({ refused, taken }).toEqual({ refused: [], taken: [] })
    expect(value?.parse(choice)).toEqual(choice)
    expect(others).not.toContainEqual(choice)
    expect(alternatives).toBeTruthy()
  })

  test.each(SILENCE_IDS)('says of %s what it is about, where, and who says so', (id) => {
    const { topic, section, authority, choice } = silence(id)
    expect(topic.length).toBeGreaterThan(3)
    expect(SECTIONS).toContain(section)
    expect(authority).not.toBe('')
    expect(JSON.parse(JSON.stringify(choice))).toEqual(choice)
  })

  test('shares no topic between two rows', () => {
    const topics = SILENCE_IDS.map((id) => silence(id).topic)
    expect(new Set(topics).size).toBe(topics.length)
  })

  test.each([
    ['AU-05', 400],
    ['AU-06', 401],
    ['AU-13', 10],
    ['TX-02', 201],
    ['TX-03', 30],
    ['TX-12', 0],
    ['CO-05', { feeCents: 200, minimumCents: 100 }],
    ['DI-03', 7],
    ['WH-02', 'X-Service-'],
    ['WH-03', 10],
    ['LM-01', 'none'],
  ] as const)('answers %s with %j', (id, choice) => {
    expect(SILENCES[id].choice).toEqual(choice)
  })

  test('knows ids from other texts', () => {
    expect(['TX-01', 'CU-07', 'toString', ''].map(isSilenceId)).toEqual([true, false, false, false])
  })
})

describe('the table of errors', () => {
  test.each(Object.entries(ERRORS))(
    'has for %s a status, a message, a reason and an authority',
    (code, row) => {
      const { status, message, when, authority } = row
      const usual: unknown = typeof status === 'number' ? status : silence(status.choice).choice
      expect(code).toMatch(/^[a-z]+(?:_[a-z]+)*$/)
      expect(usual).toBeGreaterThanOrEqual(400)
      expect(usual).toBeLessThan(600)
      expect(message).toMatch(/^\p{Lu}.*\.$/u)
      expect(when).not.toBe('')
      expect(unknownAuthorities(authority)).toEqual([])
    },
  )

  test('starts the codes of the sandbox, and only those, with sandbox_', () => {
    expect(Object.keys(SANDBOX_ERRORS).filter((code) => !code.startsWith('sandbox_'))).toEqual([])
    expect(Object.keys(ERRORS).filter((code) => code.startsWith('sandbox_'))).toEqual(['sandbox_only'])
  })

  test.each(Object.entries(SANDBOX_ERRORS))('has for %s a status and a reason', (_code, { status, when }) => {
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(600)
    expect(when).not.toBe('')
  })

  test('has every code that the contract names', () => {
    expect(Object.keys(ERRORS)).toEqual(
      expect.arrayContaining([
        'validation_error',
        'invalid_credentials',
        'rate_limit_exceeded',
        'auth_rate_limit_exceeded',
        'unauthorized',
        'invalid_amount',
        'invalid_status',
        'sandbox_only',
        'not_found',
        'internal_error',
      ]),
    )
  })
})

/** Operation ids by permission, as the description of the behaviour has them. */
const OPERATIONS: Readonly<Record<string, readonly string[]>> = {
  none: ['createToken', 'getHealth'],
  'transactions.write': ['createTransaction', 'simulateTransaction', 'tokenizeCard'],
  'transactions.read': ['listTransactions', 'getTransaction'],
  'customers.write': ['createCustomer'],
  'customers.edit': ['updateCustomer'],
  'customers.read': ['listCustomers', 'getCustomer'],
  'balance.read': ['getBalance'],
  'cashouts.write': ['createCashout', 'cancelCashout', 'simulateCashout'],
  'cashouts.read': ['listCashouts', 'getCashout'],
  'disputes.write': ['respondToDispute', 'addDisputeEvidence'],
  'disputes.read': ['listDisputes', 'getDispute'],
}

describe('the table of endpoints', () => {
  test('has the operations and permissions of the behaviour, and no other', () => {
    const wanted = Object.entries(OPERATIONS).flatMap(([permission, ids]) =>
      ids.map((id) => `${permission} ${id}`),
    )
    const found = ROWS.map(({ id, permission }) => `${permission ?? 'none'} ${id}`)
    expect(found.toSorted()).toEqual(wanted.toSorted())
  })

  test('needs every permission but the one that is about a key', () => {
    const needed = new Set(ROWS.map(({ permission }) => permission))
    expect(PERMISSIONS.filter((permission) => !needed.has(permission))).toEqual(['cashouts.allowAnyPixKey'])
  })

  test('has each method and path once', () => {
    const places = ROWS.map(({ method, path }) => `${method} ${path}`)
    expect(new Set(places).size).toBe(places.length)
  })

  test('has every path of the contract and of the list of silences', () => {
    expect(ROWS.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
      'GET /health',
      'GET /v1/balance',
      'GET /v1/cashouts',
      'GET /v1/cashouts/{id}',
      'GET /v1/customers',
      'GET /v1/customers/{id}',
      'GET /v1/disputes',
      'GET /v1/disputes/{id}',
      'GET /v1/transactions',
      'GET /v1/transactions/{transactionId}',
      'PATCH /v1/customers/{id}',
      'POST /v1/auth/token',
      'POST /v1/card-tokenize',
      'POST /v1/cashouts',
      'POST /v1/cashouts/{id}/cancel',
      'POST /v1/cashouts/{id}/simulate',
      'POST /v1/customers',
      'POST /v1/disputes/{id}/evidences',
      'POST /v1/transactions',
      'POST /v1/transactions/{transactionId}/simulate',
      'PUT /v1/disputes/{id}/response',
    ])
  })

  test.each(ROWS)('rests $id on silences and codes that exist, each named once', (row) => {
    const { silences, errors, authority } = row
    expect(silences.filter((id) => !isSilenceId(id))).toEqual([])
    expect(errors.filter((code) => !Object.hasOwn(ERRORS, code))).toEqual([])
    expect(new Set(silences).size).toBe(silences.length)
    expect(new Set(errors).size).toBe(errors.length)
    expect(unknownAuthorities(authority)).toEqual([])
  })

  test.each(ROWS)('gives $id the parameters of its path, and a record where it names one', (row) => {
    const named = [...row.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
    expect(Object.keys(row.params.shape)).toEqual(named)
    expect(row.record !== null).toBe(named.length > 0)
    expect(row.errors.includes('not_found')).toBe(named.length > 0 || 'page' in row.query.shape)
  })

  test.each(ROWS)('lets $id refuse what it reads, and only that', (row) => {
    const reads = row.body !== null || Object.keys(row.query.shape).length > 0
    expect(row.errors.includes('validation_error')).toBe(reads)
    expect(row.errors.includes('payload_too_large')).toBe(row.body !== null)
    expect(row.method === 'GET' && row.body !== null).toBe(false)
    expect(row.errors.includes('sandbox_only')).toBe(row.sandboxOnly)
  })

  test('names the silence that decides the status of a creation', () => {
    const deciding = ROWS.filter(({ success }) => typeof success !== 'number')
    expect(deciding.map(({ id }) => id)).toEqual(['createTransaction', 'createCustomer', 'createCashout'])
    expect(deciding.filter(({ silences }) => !silences.includes('TX-02'))).toEqual([])
  })

  test('has codes before the handler that exist', () => {
    expect(COMMON_ERRORS.filter((code) => !Object.hasOwn(ERRORS, code))).toEqual([])
  })
})

describe('the table of events', () => {
  test('has the events of the contract, in its order, and those of DI-09', () => {
    expect(EVENT_TYPES).toEqual([
      'payment.completed',
      'payment.expired',
      'payment.failed',
      'payment.cancelled',
      'payment.refunded',
      'payment.partially_refunded',
      'payment.refund_requested',
      'cashout.completed',
      'cashout.failed',
      'cashout.rejected',
      'cashout.cancelled',
      'dispute.opened',
      'dispute.responded',
      'dispute.under_review',
      'dispute.won',
      'dispute.lost',
      'dispute.expired',
      'dispute.cancelled',
    ])
  })
})
