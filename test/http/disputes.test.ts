// Checks disputes over HTTP: opening, holds, responses up to the deadline, concurrent changes, outcomes and their money.
import { describe, expect, test } from 'vitest'
import { begin, deliveriesOf, jobsOf, moneyOf, reach, stored, trigger } from '../control/transactionSteps.ts'
import { START } from '../support/sandbox.ts'
import { advance, choose, control, makeToken, NO_ID, outcome } from './calls.ts'
import type { DisputeTrigger } from '../../src/domain/disputeMachine.ts'
import type { Transaction } from '../../src/domain/records.ts'
import type { Answered, TestSandbox } from '../support/sandbox.ts'

type Fields = Record<string, unknown>

const SOLD = [['confirm']] as const
const DEADLINE = '2030-01-08T12:00:00.000Z'
const TEXT = 'Entregue em 2030-01-02.'

/** Asks the control API for a dispute. */
const open = (sandbox: TestSandbox, fields: Fields): Promise<Answered> =>
  sandbox.control('POST', '/disputes', fields)

/** A transaction of 10000 cents, of which 9850 are available, with an open dispute on it. */
async function disputed(
  silences: Fields = {},
  fields: Fields = {},
): Promise<{ sandbox: TestSandbox; sale: Transaction; id: string }> {
  const sandbox = begin(silences)
  const sale = await reach(sandbox, SOLD)
  const { status, body } = await open(sandbox, { paymentId: sale.id, ...fields })
  expect(status, JSON.stringify(body)).toBe(201)
  return { sandbox, sale, id: body.id }
}

/** Reads a dispute; with a new token, as the clock may have moved. */
async function read(sandbox: TestSandbox, id: string): Promise<Answered['body']> {
  const { status, body } = await sandbox.send('GET', `/v1/disputes/${id}`, { token: await sandbox.token() })
  expect(status).toBe(200)
  return body.data
}

/** Answers a dispute. */
const respond = async (
  sandbox: TestSandbox,
  id: string,
  body: unknown = { text: TEXT },
  headers: Record<string, string> = {},
): Promise<Answered> =>
  sandbox.send('PUT', `/v1/disputes/${id}/response`, { token: await sandbox.token(), body, headers })

describe('opening a dispute', () => {
  // proves: endpoint getDispute, status dispute Open, row dispute (create) open Open, enum HoldState Held, enum DisputeReason Fraud
  test('holds what is available and shows everything', async () => {
    const { sandbox, sale, id } = await disputed({}, { reasonDescription: 'Não reconheço.' })
    expect(await read(sandbox, id)).toEqual({
      id,
      status: 'Open',
      reason: 'Fraud',
      amount: 10_000,
      currency: 'BRL',
      paymentId: sale.id,
      orderId: null,
      customer: null,
      openedAt: START,
      responseDeadline: DEADLINE,
      hasResponse: false,
      evidencesCount: 0,
      holdState: 'Held',
      heldAmount: 9_850,
      createdAt: START,
      reasonDescription: 'Não reconheço.',
      disputant: { name: sale.pix?.payerName, email: null, phone: null },
      closedAt: null,
      holdAmount: 9_850,
      holdReleasedAt: null,
      holdDebitedAt: null,
      responseText: null,
      respondedAt: null,
      evidences: [],
      events: [{ type: 'Open', actorType: 'Customer', description: 'Disputa aberta.', createdAt: START }],
      updatedAt: START,
    })
    expect(moneyOf(sandbox, sale)).toMatchObject({ available: 0, reserved: 9_850 })
  })

  test('names the customer of the transaction', async () => {
    const sandbox = begin()
    const { body } = await sandbox.call('POST', '/v1/transactions', {
      method: 'Pix',
      amount: 10_000,
      customerName: 'Ana Souza',
      customerEmail: 'ana@example.com',
      customerPhone: '+5511999998888',
    })
    await trigger(sandbox, body.data.id, 'confirm')
    const { body: dispute } = await open(sandbox, { paymentId: body.data.id })
    expect(await read(sandbox, dispute.id)).toMatchObject({
      customer: { id: body.data.customerId, name: 'Ana Souza', email: 'ana@example.com' },
      disputant: { name: 'Ana Souza', email: 'ana@example.com', phone: '5511999998888' },
    })
  })

  test.each([
    ['all is contested', {}, 10_000, 9_850, 'Held'],
    ['a part is contested', { amount: 4_000 }, 4_000, 4_000, 'Held'],
    ['a cent is contested', { amount: 1 }, 1, 1, 'Held'],
  ])('holds the smaller of both: %s', async (_what, fields, amount, heldAmount, holdState) => {
    const { sandbox, sale, id } = await disputed({}, fields)
    expect(await read(sandbox, id)).toMatchObject({ amount, heldAmount, holdAmount: heldAmount, holdState })
    expect(moneyOf(sandbox, sale)).toMatchObject({ available: 9_850 - heldAmount, reserved: heldAmount })
  })

  // proves: enum HoldState None
  test.each([
    ['nothing is available', 9_850],
    ['available is below zero', 9_850],
  ])('holds nothing when %s', async (what, taken) => {
    const sandbox = begin()
    const sale = await reach(sandbox, SOLD)
    await sandbox.call('POST', '/v1/cashouts', { amount: taken, pixKeyType: 'CPF', pixKey: '12345678909' })
    if (what.includes('below')) await trigger(sandbox, sale.id, 'refund', { amount: 1_000 })
    const { body } = await open(sandbox, { paymentId: sale.id })
    expect(await read(sandbox, body.id)).toMatchObject({ holdState: 'None', heldAmount: 0, holdAmount: 0 })
    expect(moneyOf(sandbox, sale).reserved).toBe(taken)
  })

  const statuses = [
    ['Pending', [], 409],
    ['Completed', SOLD, 201],
    ['Expired', [['expire']], 409],
    ['Failed', [['fail']], 409],
    ['Cancelled', [['cancel']], 409],
    ['Refunded', [['confirm'], ['refund']], 409],
    ['PartiallyRefunded', [['confirm'], ['refund', { amount: 4_000 }]], 201],
    ['Processing', [['confirm'], ['requestRefund']], 409],
  ] as const

  test.each(statuses)(
    'on a transaction in status %s: after %j it answers %d',
    async (status, steps, expected) => {
      const sandbox = begin()
      const sale = await reach(sandbox, steps)
      expect(sale.status).toBe(status)
      const answered = await open(sandbox, { paymentId: sale.id })
      expect(outcome(answered)).toBe(expected === 201 ? '201' : '409 sandbox_trigger_refused')
      expect(Object.keys(sandbox.world.state.disputes)).toHaveLength(expected === 201 ? 1 : 0)
    },
  )

  test('of what is left of a partial refund contests no more than that', async () => {
    const sandbox = begin()
    const sale = await reach(sandbox, [['confirm'], ['refund', { amount: 4_000 }]])
    expect(outcome(await open(sandbox, { paymentId: sale.id, amount: 6_001 }))).toBe('400 sandbox_bad_amount')
    expect((await open(sandbox, { paymentId: sale.id })).body.amount).toBe(6_000)
  })

  test.each([
    ['an amount of zero', { amount: 0 }, '400 sandbox_bad_amount'],
    ['a negative amount', { amount: -1 }, '400 sandbox_bad_amount'],
    ['an amount above what is left', { amount: 10_001 }, '400 sandbox_bad_amount'],
    ['half a cent', { amount: 0.5 }, '400 sandbox_bad_request'],
    ['an unknown transaction', { paymentId: NO_ID }, '404 sandbox_not_found'],
    ['an id from the prototype', { paymentId: '__proto__' }, '404 sandbox_not_found'],
    ['no transaction', { paymentId: undefined }, '400 sandbox_bad_request'],
    ['an unknown reason', { reason: 'Anger' }, '400 sandbox_bad_request'],
    ['no duration as deadline', { deadline: 'soon' }, '400 sandbox_bad_request'],
    ['an unknown field', { text: 'x' }, '400 sandbox_bad_request'],
    ['a description too long', { reasonDescription: 'x'.repeat(501) }, '400 sandbox_bad_request'],
  ])('with %s is refused and leaves nothing', async (_what, fields, expected) => {
    const sandbox = begin()
    const sale = await reach(sandbox, SOLD)
    const before = moneyOf(sandbox, sale)
    expect(outcome(await open(sandbox, { paymentId: sale.id, ...fields }))).toBe(expected)
    expect(moneyOf(sandbox, sale)).toEqual(before)
    expect(sandbox.world.state.disputes).toEqual({})
  })

  test('is refused while another is open, and not once that is closed', async () => {
    const { sandbox, sale, id } = await disputed()
    expect(outcome(await open(sandbox, { paymentId: sale.id }))).toBe('409 sandbox_trigger_refused')
    await trigger(sandbox, id, 'cancel')
    expect(outcome(await open(sandbox, { paymentId: sale.id }))).toBe('201')
  })

  test.each(['refund', 'requestRefund'])('forbids a %s until it is closed', async (verb) => {
    const { sandbox, sale, id } = await disputed()
    expect(outcome(await trigger(sandbox, sale.id, verb, { amount: 1 }))).toBe('409 sandbox_trigger_refused')
    await trigger(sandbox, id, 'cancel')
    expect((await trigger(sandbox, sale.id, verb, { amount: 1 })).status).toBe(200)
  })

  test('forbids the simulation of a refund', async () => {
    const { sandbox, sale } = await disputed()
    const answered = await sandbox.call('POST', `/v1/transactions/${sale.id}/simulate`, { action: 'refund' })
    expect(outcome(answered)).toBe('400 invalid_status')
  })
})

describe('a response', () => {
  // proves: endpoint respondToDispute, status dispute MerchantResponded
  // proves: row dispute Open respond MerchantResponded, row dispute MerchantResponded respond MerchantResponded
  test('moves the dispute on, and the next one replaces it', async () => {
    const { sandbox, id } = await disputed()
    const { status, body } = await respond(sandbox, id)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      status: 'MerchantResponded',
      hasResponse: true,
      responseText: TEXT,
      respondedAt: START,
      updatedAt: START,
    })
    await advance(sandbox, '30m')
    await respond(sandbox, id, { text: 'Outro texto.' })
    const now = await read(sandbox, id)
    expect(now).toMatchObject({ responseText: 'Outro texto.', respondedAt: '2030-01-01T12:30:00.000Z' })
    expect(now.events.map(({ type, actorType }: Record<string, string>) => [type, actorType])).toEqual([
      ['Open', 'Customer'],
      ['MerchantResponded', 'Merchant'],
      ['MerchantResponded', 'Merchant'],
    ])
  })

  // proves: row dispute Open respond Open, error dispute_expired
  test('leaves the dispute open in a world that chose so, and ends its lapse', async () => {
    const { sandbox, id } = await disputed({ 'DI-02': 'staysOpen' })
    const { body } = await respond(sandbox, id)
    expect(body.data).toMatchObject({ status: 'Open', hasResponse: true, responseText: TEXT })
    expect(jobsOf(sandbox, id)).toEqual([])
    await advance(sandbox, '8d')
    expect(await read(sandbox, id)).toMatchObject({ status: 'Open', holdState: 'Held' })
    expect(outcome(await respond(sandbox, id))).toBe('400 dispute_expired')
  })

  // proves: limit MAX_DISPUTE_TEXT_UNITS
  test.each([
    ['of one character', 'x', '200'],
    ['of 5000 characters', 'á'.repeat(5_000), '200'],
    ['of 5001 characters', 'x'.repeat(5_001), '400 validation_error'],
    ['of 2500 characters of two units', '😀'.repeat(2_500), '200'],
    ['of 2501 characters of two units', '😀'.repeat(2_501), '400 validation_error'],
    ['that is empty', '', '400 validation_error'],
    ['that is a number', 7, '400 validation_error'],
    ['that is null', null, '400 validation_error'],
    ['that is missing', undefined, '400 validation_error'],
  ])('%s is answered as the limits say', async (_what, text, expected) => {
    const { sandbox, id } = await disputed()
    expect(outcome(await respond(sandbox, id, { text }))).toBe(expected)
  })

  test.each(['{"text": "a"', '[]', '"text"', ''])('is no body such as %j', async (body) => {
    const { sandbox, id } = await disputed()
    expect(outcome(await respond(sandbox, id, body))).toBe('400 validation_error')
  })

  test.each([[{}], [{ 'AU-05': 422 }]])(
    'is refused with 400 in any world, also with %j',
    async (silences) => {
      const { sandbox, id } = await disputed(silences)
      expect(outcome(await respond(sandbox, id, {}))).toBe('400 validation_error')
      expect(outcome(await respond(sandbox, id, '{'))).toBe('400 validation_error')
      await trigger(sandbox, id, 'cancel')
      expect(outcome(await respond(sandbox, id))).toBe('400 dispute_closed')
    },
  )

  test('is taken until a millisecond before the deadline', async () => {
    const { sandbox, id } = await disputed()
    await control(sandbox, 'POST', '/clock/advance', { to: '2030-01-08T11:59:59.999Z' })
    expect(outcome(await respond(sandbox, id))).toBe('200')
  })

  test('is not taken at the deadline: the dispute is closed by its lapse', async () => {
    const { sandbox, id } = await disputed()
    await control(sandbox, 'POST', '/clock/advance', { to: DEADLINE })
    expect(outcome(await respond(sandbox, id))).toMatch(/^400 dispute_(?:closed|expired)$/)
    expect(await read(sandbox, id)).toMatchObject({
      status: 'Expired',
      closedAt: DEADLINE,
      responseText: null,
    })
  })

  test('cannot be replaced from the deadline on', async () => {
    const { sandbox, id } = await disputed()
    await respond(sandbox, id)
    await control(sandbox, 'POST', '/clock/advance', { to: '2030-01-08T11:59:59.999Z' })
    expect(outcome(await respond(sandbox, id, { text: 'Segunda.' }))).toBe('200')
    await advance(sandbox, '1ms')
    expect(outcome(await respond(sandbox, id, { text: 'Terceira.' }))).toBe('400 dispute_expired')
    expect(await read(sandbox, id)).toMatchObject({ status: 'MerchantResponded', responseText: 'Segunda.' })
  })

  // proves: error dispute_closed, status dispute UnderReview, row dispute Open review UnderReview
  test.each([
    ['UnderReview', ['review']],
    ['Won', ['respond', 'win']],
    ['Lost', ['respond', 'lose']],
    ['Expired', ['lapse']],
    ['Cancelled', ['cancel']],
  ] as const)('is not taken in status %s, before the deadline or after it', async (status, steps) => {
    const { sandbox, id } = await disputed()
    for (const step of steps) await trigger(sandbox, id, step, step === 'respond' ? { text: TEXT } : {})
    expect((await read(sandbox, id)).status).toBe(status)
    expect(outcome(await respond(sandbox, id))).toBe('400 dispute_closed')
    await advance(sandbox, '30d')
    expect(outcome(await respond(sandbox, id))).toBe('400 dispute_closed')
  })

  test('is refused to others: another merchant, Production, no token, no permission, unknown ids', async () => {
    const { sandbox, id } = await disputed()
    const { receiver } = await control(sandbox, 'GET', '/worlds/default')
    const put = (token: string | undefined, name = id): Promise<Answered> =>
      sandbox.send('PUT', `/v1/disputes/${name}/response`, { token, body: { text: TEXT } })
    const mine = await sandbox.token()
    expect(outcome(await put(await sandbox.token(receiver.publicKey)))).toBe('404 not_found')
    expect(outcome(await put(await sandbox.token('pk_production_default')))).toBe('404 not_found')
    expect(outcome(await put(undefined))).toBe('401 unauthorized')
    expect(outcome(await put(await makeToken(sandbox, { permissions: ['disputes.read'] })))).toBe(
      '403 forbidden',
    )
    for (const other of [NO_ID, 'x', '__proto__', '%20']) {
      expect(outcome(await put(mine, other))).toBe('404 not_found')
    }
  })

  test('needs its permission, and reading needs another', async () => {
    const { sandbox, id } = await disputed()
    const token = await makeToken(sandbox, { permissions: ['disputes.write'] })
    expect(outcome(await sandbox.send('GET', `/v1/disputes/${id}`, { token }))).toBe('403 forbidden')
    expect(outcome(await sandbox.send('GET', '/v1/disputes', { token }))).toBe('403 forbidden')
    const answered = await sandbox.send('PUT', `/v1/disputes/${id}/response`, { token, body: { text: TEXT } })
    expect(outcome(answered)).toBe('200')
  })
})

describe('the deadline', () => {
  test.each([
    [{ 'DI-03': 10 }, {}, '2030-01-11T12:00:00.000Z'],
    [{ 'DI-03': 'none' }, {}, null],
    [{ 'DI-03': 10 }, { deadline: '36h' }, '2030-01-03T00:00:00.000Z'],
    [{ 'DI-03': 'none' }, { deadline: '1d' }, '2030-01-02T12:00:00.000Z'],
  ])('in a world that chose %j, opened with %j, is %s', async (silences, fields, expected) => {
    const { sandbox, id } = await disputed(silences, fields)
    expect((await read(sandbox, id)).responseDeadline).toBe(expected)
    await advance(sandbox, '20d')
    expect((await read(sandbox, id)).status).toBe(expected === null ? 'Open' : 'Expired')
  })

  test('that is none lets a response in at any time', async () => {
    const { sandbox, id } = await disputed({ 'DI-03': 'none' })
    await advance(sandbox, '400d')
    expect(outcome(await respond(sandbox, id))).toBe('200')
  })

  test.each(['respond', 'review', 'cancel'] as const)('does not lapse once there was a %s', async (verb) => {
    const { sandbox, id } = await disputed()
    await trigger(sandbox, id, verb, verb === 'respond' ? { text: TEXT } : {})
    expect(jobsOf(sandbox, id)).toEqual([])
    await advance(sandbox, '10d')
    expect((await read(sandbox, id)).status).not.toBe('Expired')
  })
})

describe('a dispute that changed meanwhile', () => {
  test('has a tag that each change makes another, the same on reading and on responding', async () => {
    const { sandbox, id } = await disputed()
    const tag = async (): Promise<string | null> =>
      (await sandbox.call('GET', `/v1/disputes/${id}`)).headers.get('etag')
    const first = await tag()
    expect(first).toMatch(/^"\d+"$/)
    const second = (await respond(sandbox, id)).headers.get('etag')
    expect(await tag()).toBe(second)
    expect(second).not.toBe(first)
    await trigger(sandbox, id, 'review')
    expect(await tag()).not.toBe(second)
  })

  test.each([
    ['the tag', (tag: string) => tag, '200'],
    ['the tag, weak', (tag: string) => `W/${tag}`, '200'],
    ['a list with the tag', (tag: string) => `"99", ${tag}`, '200'],
    ['an asterisk', () => '*', '200'],
    ['another tag', () => '"99"', '409 conflict'],
    ['no tag at all', () => 'x', '409 conflict'],
  ])('answers If-Match with %s as it should', async (_what, ifMatch, expected) => {
    const { sandbox, id } = await disputed()
    const tag = (await sandbox.call('GET', `/v1/disputes/${id}`)).headers.get('etag') ?? ''
    expect(outcome(await respond(sandbox, id, { text: TEXT }, { 'If-Match': ifMatch(tag) }))).toBe(expected)
    expect((await read(sandbox, id)).hasResponse).toBe(expected === '200')
  })

  test('refuses a tag of before, and takes the new one', async () => {
    const { sandbox, id } = await disputed()
    const seen = (await sandbox.call('GET', `/v1/disputes/${id}`)).headers.get('etag') ?? ''
    const { headers } = await respond(sandbox, id, { text: 'Primeira.' }, { 'If-Match': seen })
    expect(outcome(await respond(sandbox, id, { text: 'b' }, { 'If-Match': seen }))).toBe('409 conflict')
    const now = headers.get('etag') ?? ''
    expect(outcome(await respond(sandbox, id, { text: 'c' }, { 'If-Match': now }))).toBe('200')
  })
})

describe('the outcome', () => {
  interface Outcome {
    steps: readonly DisputeTrigger[]
    status: string
    hold: string
    money: { available: number; reserved: number; payers: number }
    payment: string
  }
  const kept = { available: 9_850, reserved: 0, payers: -10_000 }
  const lost = { available: -150, reserved: 0, payers: 0 }
  const outcomes: Outcome[] = [
    { steps: ['respond', 'win'], status: 'Won', hold: 'Released', money: kept, payment: 'Completed' },
    { steps: ['review', 'win'], status: 'Won', hold: 'Released', money: kept, payment: 'Completed' },
    { steps: ['respond', 'lose'], status: 'Lost', hold: 'Debited', money: lost, payment: 'Refunded' },
    { steps: ['review', 'lose'], status: 'Lost', hold: 'Debited', money: lost, payment: 'Refunded' },
    { steps: ['cancel'], status: 'Cancelled', hold: 'Released', money: kept, payment: 'Completed' },
    {
      steps: ['respond', 'cancel'],
      status: 'Cancelled',
      hold: 'Released',
      money: kept,
      payment: 'Completed',
    },
    { steps: ['review', 'cancel'], status: 'Cancelled', hold: 'Released', money: kept, payment: 'Completed' },
    { steps: ['lapse'], status: 'Expired', hold: 'Debited', money: lost, payment: 'Refunded' },
  ]

  // proves: status dispute Won, status dispute Lost, status dispute Expired, status dispute Cancelled, enum HoldState Released, enum HoldState Debited
  // proves: row dispute MerchantResponded win Won, row dispute UnderReview win Won, row dispute MerchantResponded lose Lost, row dispute UnderReview lose Lost
  // proves: row dispute Open cancel Cancelled, row dispute MerchantResponded cancel Cancelled, row dispute UnderReview cancel Cancelled, row dispute Open lapse Expired
  test.each(outcomes)('of $steps is $status: $hold, the payment $payment', async (expected) => {
    const { sandbox, sale, id } = await disputed()
    await advance(sandbox, '5m')
    for (const step of expected.steps) {
      const fired = await trigger(sandbox, id, step, step === 'respond' ? { text: TEXT } : {})
      expect(fired.status, JSON.stringify(fired.body)).toBe(200)
    }
    const at = '2030-01-01T12:05:00.000Z'
    const { hold, status, money, payment } = expected
    expect(await read(sandbox, id)).toMatchObject({
      status,
      closedAt: at,
      holdState: hold,
      holdAmount: 9_850,
      heldAmount: 0,
      holdReleasedAt: hold === 'Released' ? at : null,
      holdDebitedAt: hold === 'Debited' ? at : null,
    })
    expect(moneyOf(sandbox, sale)).toMatchObject({ ...money, gateway: 150 })
    const refunded = payment === 'Refunded'
    expect(stored(sandbox, sale.id)).toMatchObject({ status: payment, refundedAt: refunded ? at : null })
    const types = deliveriesOf(sandbox, sale.id).map((each) => sandbox.world.state.deliveries[each]?.type)
    expect(types).toEqual(['payment.completed', ...(refunded ? ['payment.refunded'] : [])])
  })

  test.each([
    ['Open', []],
    ['UnderReview', ['review']],
  ] as const)('is not a respond or a win that the machine has no row for, in %s', async (status, steps) => {
    const { sandbox, id } = await disputed()
    for (const step of steps) await trigger(sandbox, id, step)
    const verb = status === 'Open' ? 'win' : 'respond'
    const answered = await trigger(sandbox, id, verb, verb === 'respond' ? { text: TEXT } : {})
    expect(outcome(answered)).toBe('409 sandbox_trigger_refused')
    expect(answered.headers.get('x-sandbox-allowed')).toBeTruthy()
  })

  test('of a part is a partial refund, and the rest can be refunded then', async () => {
    const { sandbox, sale, id } = await disputed({}, { amount: 4_000 })
    await trigger(sandbox, id, 'lapse')
    expect(stored(sandbox, sale.id)).toMatchObject({ status: 'PartiallyRefunded', refundedAmount: 4_000 })
    expect(outcome(await trigger(sandbox, sale.id, 'refund', { amount: 6_001 }))).toBe(
      '400 sandbox_bad_amount',
    )
    expect((await trigger(sandbox, sale.id, 'refund')).body.to).toBe('Refunded')
    expect(moneyOf(sandbox, sale).payers).toBe(0)
  })

  test('leaves the payment as it was in a world that chose so', async () => {
    const { sandbox, sale, id } = await disputed({ 'DI-10': 'stays' })
    await trigger(sandbox, id, 'lapse')
    expect(stored(sandbox, sale.id)).toMatchObject({ status: 'Completed', refundedAt: null })
    expect(moneyOf(sandbox, sale)).toMatchObject(lost)
    expect(deliveriesOf(sandbox, sale.id)).toHaveLength(1)
  })

  test('of a dispute that held nothing is debited from available', async () => {
    const { sandbox, sale, id } = await disputed({ 'DI-05': { hold: 'none' } })
    expect(await read(sandbox, id)).toMatchObject({ holdState: 'None', heldAmount: 0 })
    await trigger(sandbox, id, 'lapse')
    expect(await read(sandbox, id)).toMatchObject({ holdState: 'Debited', holdAmount: 0 })
    expect(moneyOf(sandbox, sale)).toMatchObject(lost)
  })

  test('of a dispute that held nothing and was cancelled is still None', async () => {
    const { sandbox, id } = await disputed({ 'DI-05': { hold: 'none' } })
    await trigger(sandbox, id, 'cancel')
    expect(await read(sandbox, id)).toMatchObject({ holdState: 'None', holdReleasedAt: null })
  })

  test.each([
    ['what was held, and refunds that part', 'available', 9_850, 'PartiallyRefunded'],
    ['nothing where nothing was held', 'none', 0, 'Completed'],
  ])('takes %s in a world that debits the held part only', async (_what, hold, debited, payment) => {
    const { sandbox, sale, id } = await disputed({ 'DI-05': { hold, debit: 'heldPart' } })
    await trigger(sandbox, id, 'lapse')
    expect(moneyOf(sandbox, sale)).toMatchObject({
      available: 9_850 - debited,
      reserved: 0,
      payers: debited - 10_000,
    })
    expect(stored(sandbox, sale.id).status).toBe(payment)
  })

  test.each(['win', 'lose'] as const)(
    'with pending held, too, is right after the settlement: %s',
    async (verb) => {
      const silences = { 'TX-23': { Pix: 1 }, 'DI-05': { hold: 'availableAndPending' } }
      const { sandbox, sale, id } = await disputed(silences, { amount: 4_000 })
      expect(moneyOf(sandbox, sale)).toMatchObject({ available: 0, pending: 5_850, reserved: 4_000 })
      await trigger(sandbox, id, 'review')
      await advance(sandbox, '1d')
      expect(moneyOf(sandbox, sale)).toMatchObject({ available: 5_850, pending: 0, reserved: 4_000 })
      await trigger(sandbox, id, verb)
      const available = verb === 'win' ? 9_850 : 5_850
      expect(moneyOf(sandbox, sale)).toMatchObject({ available, pending: 0, reserved: 0 })
    },
  )
})

// proves: every event of dispute
test('a world that chose a URL sends every change of a dispute there, and the others send none', async () => {
  const silent = await disputed()
  expect(deliveriesOf(silent.sandbox, silent.id)).toEqual([])
  const told: unknown[] = []
  for (const steps of [['respond', 'win'], ['review', 'lose'], ['lapse'], ['cancel']]) {
    const { sandbox, id } = await disputed()
    await choose(sandbox, { 'DI-09': { url: 'http://shop.test/disputes' } })
    for (const step of steps) await trigger(sandbox, id, step, step === 'respond' ? { text: TEXT } : {})
    const sent = deliveriesOf(sandbox, id).map((each) => sandbox.world.state.deliveries[each])
    expect(sent.map((each) => each?.url)).toEqual(sent.map(() => 'http://shop.test/disputes'))
    const bodies = sent.map((each) => JSON.parse(each?.body ?? '{}'))
    expect(bodies.at(-1).data).toMatchObject({ id, status: (await read(sandbox, id)).status, amount: 10_000 })
    told.push(bodies.map(({ type }) => type))
  }
  expect(told).toEqual([
    ['dispute.responded', 'dispute.won'],
    ['dispute.under_review', 'dispute.lost'],
    ['dispute.expired'],
    ['dispute.cancelled'],
  ])
  const { sandbox, id } = await disputed({ 'DI-09': { url: 'http://shop.test/disputes' } })
  const [opened] = deliveriesOf(sandbox, id)
  expect(sandbox.world.state.deliveries[opened ?? '']?.type).toBe('dispute.opened')
})

describe('the list', () => {
  // proves: endpoint listDisputes, enum DisputeReason Scam
  test('is newest first, filtered and paged, and shows the summary', async () => {
    const sandbox = begin()
    const ids: string[] = []
    const sales: string[] = []
    for (const reason of ['Fraud', 'Scam', 'Scam']) {
      const sale = await reach(sandbox, SOLD)
      sales.push(sale.id)
      ids.push((await open(sandbox, { paymentId: sale.id, reason })).body.id)
      await advance(sandbox, '1m')
    }
    await trigger(sandbox, ids[1] ?? '', 'cancel')
    const list = async (query: string): Promise<number[]> => {
      const { status, body } = await sandbox.call('GET', `/v1/disputes${query}`)
      expect(status, JSON.stringify(body)).toBe(200)
      expect(body.data.totalItems).toBeGreaterThanOrEqual(body.data.items.length)
      return body.data.items.map(({ id }: { id: string }) => ids.indexOf(id))
    }
    const rows: [string, number[]][] = [
      ['', [2, 1, 0]],
      ['?status=Open', [2, 0]],
      ['?status=cancelled', [1]],
      ['?reason=Scam', [2, 1]],
      ['?reason=Scam&status=Open', [2]],
      ['?reason=Other', []],
      [`?paymentId=${sales[0]}`, [0]],
      [`?paymentId=${NO_ID}`, []],
      ['?startDate=2030-01-01T12:01:00Z', [2, 1]],
      ['?endDate=2030-01-01T12:01:00Z', [1, 0]],
      ['?page=2&pageSize=2', [0]],
      ['?pageSize=1', [2]],
    ]
    const found: [string, number[]][] = []
    for (const [query] of rows) found.push([query, await list(query)])
    expect(found).toEqual(rows)
    for (const query of ['?status=Closed', '?reason=Anger', '?page=0', '?pageSize=101', '?startDate=x']) {
      expect(outcome(await sandbox.call('GET', `/v1/disputes${query}`)), query).toBe('400 validation_error')
    }
    const token = await sandbox.token('pk_production_default')
    expect((await sandbox.send('GET', '/v1/disputes', { token })).body.data.totalItems).toBe(0)
    const other = await sandbox.send('GET', `/v1/disputes?paymentId=${sales[0]}`, { token })
    expect(other.body.data.items).toEqual([])
  })
})
