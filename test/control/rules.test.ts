// Checks rules: what they wait for in calls and events, what they then do and when, how often, and what ends them.
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { startSandbox } from '../../src/sandbox.ts'
import { advance, control, outcome } from '../http/calls.ts'
import { createPix } from '../support/sandbox.ts'
import { begin, CONFIRM, deliveriesOf, reach, stored, trigger } from './transactionSteps.ts'
import type { SandboxWorld } from '../../src/client/world.ts'
import type { Answered, TestSandbox } from '../support/sandbox.ts'

const CARD = {
  method: 'CreditCard',
  amount: 5_000,
  cardNumber: '4000000000000010',
  cardHolderName: 'APRO',
  cardExpirationMonth: '12',
  cardExpirationYear: '2035',
  cardCvv: '737',
}
const FAIL = { trigger: 'fail' }
const HOOK = 'http://shop.test/hook'

/** Adds one rule. */
const add = async (sandbox: TestSandbox, rule: object): Promise<Answered['body']> =>
  (await control(sandbox, 'POST', '/rules', rule)).items[0]

/** The rules, oldest first. */
const rules = async (sandbox: TestSandbox): Promise<Answered['body'][]> =>
  (await control(sandbox, 'GET', '/rules')).items.toReversed()

/** The data of what a world answers to a body. */
async function dataOf(
  world: Pick<SandboxWorld, 'fetch'>,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<{ accessToken?: string }> {
  const answer = await world.fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return ((await answer.json()) as { data: object }).data
}

/** The status of a new transaction once everything that is due now has run. */
async function statusAfter(sandbox: TestSandbox, fields: object): Promise<string> {
  const { status, body } = await sandbox.call('POST', '/v1/transactions', { method: 'Pix', ...fields })
  expect(status, JSON.stringify(body)).toBe(201)
  expect(body.data.status).toBe('Pending')
  return statusNow(sandbox, body.data.id)
}

const statusNow = async (sandbox: TestSandbox, id: string): Promise<string> =>
  (await control(sandbox, 'GET', `/transactions/${id}`)).status

describe('a rule on a call', () => {
  test('is answered as it is kept, and acts once the call was answered', async () => {
    const sandbox = begin()
    const order = { when: { call: 'createTransaction', amount: 6_661 }, do: FAIL }
    const { status, body } = await sandbox.control('POST', '/rules', order)
    const counted = { times: null, probability: null, fired: 0, refused: 0, note: null }
    expect([status, body]).toEqual([201, { items: [{ id: 'rule-1', ...order, ...counted }] }])
    expect(await statusAfter(sandbox, { amount: 6_660 })).toBe('Pending')
    expect(await statusAfter(sandbox, { amount: 6_661 })).toBe('Failed')
    expect((await rules(sandbox))[0]).toMatchObject({ fired: 1, refused: 0 })
  })

  test.each([
    ['a band, its ends included', { from: 1_000, to: 10_000 }, [999, 10_001], [1_000, 5_000, 10_000]],
    ['everything above', { from: 50_001 }, [50_000], [50_001, 90_000]],
    ['everything up to', { to: 50_000 }, [50_001], [100, 50_000]],
    ['an ending of its digits', { endsWith: '11' }, [1_100, 1_110], [1_011, 999_911]],
    ['a beginning of its digits', { startsWith: '13' }, [2_130], [1_300, 13_999]],
    ['digits inside', { contains: '666' }, [6_566], [6_660, 16_661]],
    ['one of some', { oneOf: [100, 200] }, [150], [100, 200]],
    ['several conditions at once', { from: 1_000, endsWith: '7' }, [107, 1_006], [1_007]],
  ])('fits an amount by %s', async (_what, amount, others, fitting) => {
    const sandbox = begin()
    await add(sandbox, { when: { call: 'createTransaction', amount }, do: FAIL })
    for (const each of others) expect(await statusAfter(sandbox, { amount: each })).toBe('Pending')
    for (const each of fitting) expect(await statusAfter(sandbox, { amount: each })).toBe('Failed')
  })

  test.each([
    ['a field of the answer', { 'card.lastFour': '0010' }],
    ['a deep field of the record', { 'card.brand': { startsWith: 'V' } }],
    ['a field that only the record has', { unsettledAmount: 0 }],
    ['the name on the card, which nobody keeps', { cardHolderName: 'APRO' }],
    ['the whole number of the card', { cardNumber: '4000 0000 0000 0010' }],
    ['one of some numbers', { cardNumber: { oneOf: ['4111111111111111', '4000000000000010'] } }],
    ['the last digit of the number', { cardNumber: { endsWith: '0' } }],
    ['the first digit of the code', { cardCvv: { startsWith: '7' } }],
    ['a month as a number', { cardExpirationMonth: 12 }],
    ['a field that is not there', { externalId: null }],
    ['several fields', { method: 'CreditCard', amount: { to: 5_000 }, status: 'Pending' }],
  ])('fits by %s', async (_what, fields) => {
    const sandbox = begin()
    await add(sandbox, { when: { call: 'createTransaction', ...fields }, do: FAIL })
    expect(await statusAfter(sandbox, CARD)).toBe('Failed')
    const other = { amount: 7_777, externalId: 'A-1' }
    expect(await statusAfter(sandbox, other)).toBe('unsettledAmount' in fields ? 'Failed' : 'Pending')
  })

  test('is not met by a call that is refused, nor by another operation', async () => {
    const sandbox = begin()
    await add(sandbox, { when: { call: 'createTransaction', amount: 50 }, do: FAIL })
    await add(sandbox, { when: { call: 'getTransaction' }, do: { trigger: 'confirm' } })
    const refused = await sandbox.call('POST', '/v1/transactions', { method: 'Pix', amount: 50 })
    expect(outcome(refused)).toBe('400 invalid_amount')
    const { id } = await createPix(sandbox)
    expect(await statusNow(sandbox, id)).toBe('Pending')
    expect((await sandbox.call('GET', `/v1/transactions/${id}`)).body.data.status).toBe('Pending')
    expect(await statusNow(sandbox, id)).toBe('Completed')
    expect((await rules(sandbox)).map(({ fired }) => fired)).toEqual([0, 1])
  })

  test('goes before a card that would confirm itself at the same instant', async () => {
    const sandbox = begin({ 'TX-25': { confirmAfterSeconds: 0 } })
    await add(sandbox, { when: { call: 'createTransaction', cardHolderName: 'OTHE' }, do: FAIL })
    expect(await statusAfter(sandbox, CARD)).toBe('Completed')
    expect(await statusAfter(sandbox, { ...CARD, cardHolderName: 'OTHE' })).toBe('Failed')
  })

  test('drives cashouts, too', async () => {
    const sandbox = begin()
    await control(sandbox, 'PATCH', '/balance', { fund: 100_000 })
    await control(sandbox, 'POST', '/rules', {
      rules: [
        {
          when: { call: 'createCashout', amount: { endsWith: '11' } },
          do: { trigger: 'fail', reason: 'Conta.' },
        },
        {
          when: { call: 'createCashout', amount: { from: 10_000 } },
          do: { trigger: 'complete', after: '10s' },
        },
      ],
    })
    const pay = async (amount: number): Promise<string> => {
      const body = { amount, pixKeyType: 'Email', pixKey: 'ana@example.com' }
      return (await sandbox.call('POST', '/v1/cashouts', body)).body.data.id
    }
    const ids = [await pay(1_011), await pay(10_000), await pay(1_000)]
    await advance(sandbox, '10s')
    const { cashouts } = sandbox.world.state
    expect(ids.map((id) => cashouts[id]?.status)).toEqual(['Failed', 'Completed', 'Pending'])
    expect(cashouts[ids[0] ?? '']?.failureReason).toBe('Conta.')
  })

  test('arms a fault for the calls that follow, of the same record when it says so', async () => {
    const sandbox = begin()
    const fault = { on: { operation: 'getTransaction' }, subject: 'same', do: { status: 503 } }
    await add(sandbox, { when: { call: 'createTransaction', amount: 6_661 }, do: { fault } })
    const other = await createPix(sandbox)
    const { id } = await createPix(sandbox, { amount: 6_661 })
    const read = async (each: string): Promise<number> =>
      (await sandbox.call('GET', `/v1/transactions/${each}`)).status
    expect([await read(other.id), await read(id), await read(id)]).toEqual([200, 503, 200])
  })

  test('tells an inbox how to answer', async () => {
    const sandbox = begin()
    const action = { inbox: 'shop', answers: [500, 500], delayMs: 5 }
    await add(sandbox, { when: { call: 'createTransaction' }, do: action })
    await createPix(sandbox)
    expect((await control(sandbox, 'GET', '/inboxes')).items).toMatchObject([
      { name: 'shop', answers: [500, 500], delayMs: 5 },
    ])
  })
})

describe('a rule on an event', () => {
  test('acts on the record of the event, with or without a receiver', async () => {
    const sandbox = begin()
    const when = { event: 'payment.completed', amount: { endsWith: '00' } }
    await add(sandbox, { when, do: { trigger: 'refund', amount: 40 } })
    for (const fields of [{ amount: 500 }, { amount: 600, callbackUrl: HOOK }, { amount: 601 }]) {
      const { id } = await createPix(sandbox, fields)
      await trigger(sandbox, id, 'confirm')
      await control(sandbox, 'POST', '/settle', {})
      expect(stored(sandbox, id).refundedAmount).toBe(fields.amount === 601 ? 0 : 40)
    }
  })

  test.each([
    ['somebody listens', { 'DI-09': { url: HOOK } }],
    ['nobody listens', {}],
  ])('looks at what the event says, too, where %s', async (_where, silences) => {
    const sandbox = begin(silences)
    const [first, second] = [await reach(sandbox, [CONFIRM]), await reach(sandbox, [CONFIRM])]
    await add(sandbox, { when: { event: 'dispute.opened', paymentId: second.id }, do: { trigger: 'review' } })
    for (const { id: paymentId } of [first, second]) {
      await control(sandbox, 'POST', '/disputes', { paymentId })
    }
    await control(sandbox, 'POST', '/settle', {})
    const disputes = Object.values(sandbox.world.state.disputes)
    expect(disputes.map(({ status }) => status)).toEqual(['Open', 'UnderReview'])
  })

  test('arms a fault that befalls the delivery of that very event', async () => {
    const sandbox = begin()
    const fault = { on: { delivery: {} }, do: { send: 'held' } }
    await add(sandbox, { when: { event: 'payment.completed', amount: 10_000 }, do: { fault } })
    const { id } = await reach(sandbox, [CONFIRM])
    const [delivery = ''] = deliveriesOf(sandbox, id)
    expect(sandbox.world.state.deliveries[delivery]?.status).toBe('held')
  })

  test('opens a dispute and decides it, all by itself', async () => {
    const sandbox = begin()
    await control(sandbox, 'POST', '/rules', {
      rules: [
        { when: { event: 'payment.completed' }, do: { trigger: 'open', reason: 'Scam', after: '1d' } },
        { when: { event: 'dispute.opened', reason: 'Scam' }, do: { trigger: 'review', after: '1d' } },
        { when: { event: 'dispute.under_review' }, do: { trigger: 'win', after: '1d' } },
      ],
    })
    await reach(sandbox, [CONFIRM])
    await advance(sandbox, '3d')
    expect(Object.values(sandbox.world.state.disputes)).toMatchObject([{ status: 'Won', reason: 'Scam' }])
  })

  test('ends in a note when rules set each other off without end at one instant', async () => {
    const sandbox = begin()
    const when = { event: 'dispute.responded' }
    await add(sandbox, { when, do: { trigger: 'respond', text: 'De novo.' } })
    const { id: paymentId } = await reach(sandbox, [CONFIRM])
    const { id: on } = await control(sandbox, 'POST', '/disputes', { paymentId })
    await trigger(sandbox, on, 'respond', { text: 'Entregue.' })
    const [rule] = await rules(sandbox)
    expect(rule).toMatchObject({ fired: 101, refused: 1, note: expect.stringContaining('one instant') })
  })
})

describe('the time and number of what a rule does', () => {
  test('is a job that waits for world time', async () => {
    const sandbox = begin()
    await add(sandbox, { when: { call: 'createTransaction' }, do: { ...FAIL, after: '3s' } })
    const { id } = await createPix(sandbox)
    const { items } = await control(sandbox, 'GET', '/jobs')
    const job = { job: 'ruleTrigger', at: '2030-01-01T12:00:03.000Z', subject: 'planned-2' }
    expect(items[0]).toMatchObject(job)
    await advance(sandbox, '2999ms')
    expect(await statusNow(sandbox, id)).toBe('Pending')
    const { body } = await sandbox.control('POST', '/clock/advance', { by: '1ms' })
    expect(body.ran).toMatchObject([job])
    expect(stored(sandbox, id).updatedAt).toBe('2030-01-01T12:00:03.000Z')
    expect(sandbox.world.rules.planned).toEqual({})
  })

  test('ends after so many times, and has no end without', async () => {
    const sandbox = begin()
    await add(sandbox, { when: { call: 'createTransaction', amount: 700 }, do: FAIL, times: 2 })
    const found: string[] = []
    for (let count = 0; count < 3; count++) found.push(await statusAfter(sandbox, { amount: 700 }))
    expect(found).toEqual(['Failed', 'Failed', 'Pending'])
    expect((await rules(sandbox))[0]).toMatchObject({ times: 2, fired: 2 })
  })

  test('counts what is planned, so that two that wait are not three', async () => {
    const sandbox = begin()
    await add(sandbox, { when: { call: 'createTransaction' }, do: { ...FAIL, after: '1h' }, times: 2 })
    for (let count = 0; count < 3; count++) await createPix(sandbox, { pixExpirationMinutes: 600 })
    await advance(sandbox, '1h')
    const statuses = Object.values(sandbox.world.state.transactions).map(({ status }) => status)
    expect(statuses).toEqual(['Failed', 'Failed', 'Pending'])
  })

  test('may be left to the chance of the world, which repeats itself', async () => {
    const play = async (): Promise<string[]> => {
      const sandbox = begin()
      await add(sandbox, { when: { call: 'createTransaction' }, do: FAIL, probability: 0.5 })
      const found: string[] = []
      for (let count = 0; count < 20; count++) found.push(await statusAfter(sandbox, { amount: 700 }))
      return found
    }
    const found = await play()
    expect(new Set(found)).toEqual(new Set(['Failed', 'Pending']))
    expect(await play()).toEqual(found)
  })

  test('notes a trigger that is not allowed any more when it is due, and reports no defect', async () => {
    const sandbox = begin()
    await add(sandbox, { when: { call: 'createTransaction' }, do: { ...FAIL, after: '1m' } })
    const { id } = await createPix(sandbox)
    await trigger(sandbox, id, 'confirm')
    await advance(sandbox, '1m')
    expect(await statusNow(sandbox, id)).toBe('Completed')
    const note = `fail on transaction ${id} in status Completed: no row leads from there.`
    expect((await rules(sandbox))[0]).toMatchObject({ fired: 1, refused: 1, note })
    expect(sandbox.defects).toEqual([])
  })
})

describe('the end of rules', () => {
  const LATE = { when: { call: 'createTransaction' }, do: { ...FAIL, after: '1m' } }

  test('is a reset, with what they planned', async () => {
    const sandbox = begin()
    await add(sandbox, LATE)
    await createPix(sandbox)
    await control(sandbox, 'POST', '/reset', {})
    expect(await rules(sandbox)).toEqual([])
    expect(sandbox.world.scheduler.size).toBe(0)
    expect(await statusAfter(sandbox, { amount: 700 })).toBe('Pending')
    expect((await add(sandbox, LATE)).id).toBe('rule-1')
  })

  test('is a DELETE of all or of one, with what it planned', async () => {
    const sandbox = begin()
    const first = await add(sandbox, LATE)
    await add(sandbox, { ...LATE, do: { trigger: 'confirm', after: '2m' } })
    const { id } = await createPix(sandbox)
    expect(await control(sandbox, 'DELETE', `/rules?id=${first.id}`)).toEqual({ cleared: 1 })
    await advance(sandbox, '1m')
    expect(await statusNow(sandbox, id)).toBe('Pending')
    await advance(sandbox, '1m')
    expect(await statusNow(sandbox, id)).toBe('Completed')
    expect(await control(sandbox, 'DELETE', '/rules')).toEqual({ cleared: 1 })
    expect(await rules(sandbox)).toEqual([])
  })

  test('is no snapshot: it keeps rules, their counts and what they planned; so does a fork', async () => {
    const sandbox = begin()
    await add(sandbox, { ...LATE, times: 1 })
    const { id } = await createPix(sandbox)
    await control(sandbox, 'PUT', '/snapshots/s')
    await control(sandbox, 'POST', '/fork', { id: 'copy' })
    await control(sandbox, 'DELETE', '/rules')
    await control(sandbox, 'POST', '/snapshots/s/restore')
    expect((await rules(sandbox))[0]).toMatchObject({ fired: 1, times: 1 })
    await advance(sandbox, '1m')
    expect(await statusNow(sandbox, id)).toBe('Failed')
    await control(sandbox, 'POST', '/worlds/copy/clock/advance', { by: '1m' })
    expect((await control(sandbox, 'GET', `/worlds/copy/transactions/${id}`)).status).toBe('Failed')
  })

  test('leaves the ids of records as they would be without rules', async () => {
    const [with_, without] = [begin(), begin()]
    await add(with_, LATE)
    expect((await createPix(with_)).id).toBe((await createPix(without)).id)
  })
})

describe('a rule that makes no sense', () => {
  const call = 'createTransaction'

  test.each([
    ['neither call nor event', { when: {}, do: FAIL }, 'either a call or an event'],
    ['both', { when: { call, event: 'payment.failed' }, do: FAIL }, 'either a call or an event'],
    ['an operation that is none', { when: { call: 'createTransacton' }, do: FAIL }, 'when.call'],
    ['an event that is none', { when: { event: 'payment.lost' }, do: FAIL }, 'when.event'],
    ['a condition that is none', { when: { call, amount: { above: 1 } }, do: FAIL }, 'when.amount'],
    ['an empty condition', { when: { call, amount: {} }, do: FAIL }, 'when.amount'],
    ['nothing to do', { when: { call }, do: { after: '3s' } }, 'trigger, fault and inbox'],
    ['two things to do', { when: { call }, do: { ...FAIL, inbox: 'shop' } }, 'trigger, fault and inbox'],
    ['a trigger that is none', { when: { call }, do: { trigger: 'explode' } }, 'do.trigger'],
    ['a trigger of another machine', { when: { call }, do: { trigger: 'win' } }, 'It has confirm'],
    ['a trigger where there is no record', { when: { call: 'getBalance' }, do: FAIL }, 'getBalance'],
    ['a parameter of another trigger', { when: { call }, do: { ...FAIL, amount: 5 } }, 'trigger fail'],
    [
      'a trigger without what it needs',
      { when: { event: 'dispute.opened' }, do: { trigger: 'respond' } },
      'text',
    ],
    ['a duration that is none', { when: { call }, do: { ...FAIL, after: 'soon' } }, 'do.after'],
    ['a fault that is none', { when: { call }, do: { fault: { do: 'explode' } } }, 'explode'],
    [
      'a fault of deliveries on calls',
      { when: { call }, do: { fault: { do: { send: 'held' } } } },
      'delivery',
    ],
    [
      'a fault with a time that is none',
      { when: { call }, do: { fault: { do: { status: 500 }, until: 'x' } } },
      'until',
    ],
    [
      'most of a card number',
      { when: { call, cardNumber: { startsWith: '411111111111' } }, do: FAIL },
      'digest',
    ],
    ['no times', { when: { call }, do: FAIL, times: 0 }, 'times'],
    ['a field of its own', { when: { call }, do: FAIL, always: 1 }, 'always'],
  ])('with %s is refused, and says why', async (_what, rule, says) => {
    const sandbox = begin()
    for (const body of [rule, { rules: [{ when: { call }, do: FAIL }, rule] }]) {
      const { status, body: answered } = await sandbox.control('POST', '/rules', body)
      expect([status, answered.error.code]).toEqual([400, 'sandbox_bad_request'])
      expect(answered.error.message).toContain(says)
    }
    expect(await rules(sandbox)).toEqual([])
  })

  test('about a whole card number and a code shows neither, nor a digest, and still meets both', async () => {
    const sandbox = begin()
    const rule = await add(sandbox, { when: { call, cardNumber: CARD.cardNumber, cardCvv: '737' }, do: FAIL })
    const shown = { ...rule, when: { call, cardNumber: '400000******0010', cardCvv: '[hidden]' } }
    expect(rule).toEqual(shown)
    expect(await rules(sandbox)).toEqual([shown])
    await statusAfter(sandbox, CARD)
    await control(sandbox, 'PUT', '/snapshots/s')
    const saved = sandbox.world.snapshots.get('s')?.text ?? ''
    const plain = [CARD.cardNumber, '737'].map((text) => createHash('sha256').update(text).digest('hex'))
    for (const secret of [CARD.cardNumber, ...plain]) expect(saved).not.toContain(secret)
    expect((await rules(sandbox))[0]).toMatchObject({ fired: 1 })
  })

  test('shows no part of a code, and takes no digest', async () => {
    const sandbox = begin()
    const rule = await add(sandbox, { when: { call, cardCvv: { startsWith: '73' } }, do: FAIL })
    expect(rule.when.cardCvv).toBe('[hidden]')
    await statusAfter(sandbox, CARD)
    expect((await rules(sandbox))[0]).toMatchObject({ fired: 1 })
    const when = { call, cardCvv: { digests: ['0'.repeat(64)] } }
    expect((await sandbox.control('POST', '/rules', { when, do: FAIL })).status).toBe(400)
  })

  test.each([
    ['a seed that is told', {}],
    ['a shared server', { controlToken: 'token' }],
  ])('about a code meets it after a restore and in a fork, on %s', async (_, options) => {
    await using sandbox = await startSandbox(options)
    await sandbox.rules.add({ when: { call, cardCvv: '737' }, do: { trigger: 'fail' } })
    await sandbox.snapshot('s')
    await sandbox.restore('s')
    const fork = await sandbox.fork()
    for (const world of [sandbox, fork]) {
      const { accessToken } = await dataOf(world, '/v1/auth/token', {
        publicKey: world.publicKey,
        secretKey: world.secretKey,
      })
      await dataOf(world, '/v1/transactions', CARD, { Authorization: `Bearer ${accessToken}` })
      expect(await world.rules.list()).toMatchObject([{ fired: 1 }])
    }
  })
})

test('the client adds, lists and clears rules', async () => {
  await using sandbox = await startSandbox()
  const [rule] = await sandbox.rules.add({
    when: { call: 'createTransaction', amount: { endsWith: '61' } },
    do: { trigger: 'fail', after: '3s' },
    times: 1,
  })
  expect(await sandbox.rules.list()).toEqual([rule])
  expect(await sandbox.rules.clear(rule?.id)).toBe(1)
  expect(await sandbox.rules.list()).toEqual([])
})
