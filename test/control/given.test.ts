// Checks what a world is given: records in every status, as if made by hand, without webhooks, all of them or none.
import { describe, expect, test } from 'vitest'
import { TRANSACTION_STATUSES, CASHOUT_STATUSES, DISPUTE_STATUSES } from '../../src/contract/enums.ts'
import { startSandbox } from '../../src/sandbox.ts'
import { control, NO_ID } from '../http/calls.ts'
import { AMOUNT, begin, CONFIRM, reach, stored, trigger, WAYS } from './transactionSteps.ts'
import type { Answered, TestSandbox } from '../support/sandbox.ts'

const HOOK = 'http://shop.test/hook'
const ANA = { as: 'ana', name: 'Ana Souza', email: 'ana@example.com', document: '12345678909' }
const SALE = { as: 'sale', method: 'Pix', amount: AMOUNT, callbackUrl: HOOK }
const PAID = { ...SALE, status: 'Completed' }
const CASHOUT = {
  as: 'out',
  amount: 4_000,
  pixKeyType: 'Email',
  pixKey: 'ana@example.com',
  callbackUrl: HOOK,
}

/** Gives records; answers the named ones. */
const give = async (sandbox: TestSandbox, entries: object): Promise<Answered['body']> =>
  (await control(sandbox, 'POST', '/given', entries)).names

/** What a merchant sees of the money, and every movement without the ids of records. */
function moneyOf({ world }: TestSandbox): object {
  return {
    balances: Object.fromEntries(world.books.balances),
    moves: world.state.postings.map(({ reason, lines }) => ({ reason, lines })),
    journal: world.state.journal.map(({ machine, from, on, to }) => ({ machine, from, on, to })),
  }
}

function expectBalanced({ world }: TestSandbox): void {
  for (const { lines } of world.state.postings) {
    expect(lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(0)
  }
}

/** A record without what chance made of it. */
function withoutChance(record: object): object {
  const made = /^(id|transactionId|pix|endToEndId)$/
  return Object.fromEntries(Object.entries(record).filter(([name]) => !made.test(name)))
}

describe('a given transaction', () => {
  test.each(TRANSACTION_STATUSES)('is %s with record, ledger and journal as by hand', async (status) => {
    const [given, byHand] = [begin(), begin()]
    const refundAmount = status === 'PartiallyRefunded' ? { refundAmount: 4_000 } : {}
    const { sale } = await give(given, { transactions: [{ ...SALE, status, ...refundAmount }] })
    const same = await reach(byHand, WAYS[status])
    expect(withoutChance(sale)).toEqual(withoutChance(same))
    expect(sale).toEqual(stored(given, sale.id))
    expect(moneyOf(given)).toEqual(moneyOf(byHand))
    expectBalanced(given)
    const waiting = ({ world }: TestSandbox): string[] =>
      world.scheduler.list(100).flatMap(({ kind }) => (kind === 'attemptDelivery' ? [] : [kind]))
    expect(waiting(given)).toEqual(status === 'Pending' ? ['expireTransaction'] : [])
  })

  test('makes no delivery, and goes on as any other', async () => {
    const sandbox = begin()
    const { sale } = await give(sandbox, { transactions: [PAID] })
    expect(sandbox.world.state.deliveries).toEqual({})
    const { body } = await trigger(sandbox, sale.id, 'refund', { amount: 100 })
    expect(body).toMatchObject({ to: 'PartiallyRefunded', deliveries: [expect.any(String)] })
    expect((await sandbox.call('GET', `/v1/transactions/${sale.id}`)).body.data.status).toBe(
      'PartiallyRefunded',
    )
  })

  test('sets off no rule of the world', async () => {
    const sandbox = begin()
    const rule = { when: { event: 'payment.completed' }, do: { trigger: 'refund' } }
    await control(sandbox, 'POST', '/rules', rule)
    const { sale } = await give(sandbox, { transactions: [PAID] })
    await control(sandbox, 'POST', '/settle', {})
    expect(stored(sandbox, sale.id).status).toBe('Completed')
  })

  test('may be by card or boleto, say who paid and why it failed, and be half refunded', async () => {
    const card = {
      cardNumber: '4111111111111111',
      cardHolderName: 'ANA',
      cardExpirationMonth: '12',
      cardExpirationYear: '2035',
      cardCvv: '737',
    }
    const sandbox = begin()
    const names = await give(sandbox, {
      customers: [ANA],
      transactions: [
        { as: 'card', method: 'CreditCard', amount: 5_001, ...card, status: 'PartiallyRefunded' },
        {
          as: 'slip',
          method: 'Boleto',
          amount: 700,
          customerId: 'ana',
          boletoDueDate: '2030-01-20',
          status: 'Failed',
          reason: 'Banco.',
        },
        { ...PAID, payer: { name: 'Bia', document: '12345678909' } },
        { as: 'asked', method: 'Pix', amount: 900, status: 'Processing', refundAmount: 300 },
      ],
    })
    expect(names.card).toMatchObject({ refundedAmount: 2_500, card: { lastFour: '1111' } })
    expect(names.slip).toMatchObject({ failureReason: 'Banco.', customerId: names.ana.id })
    expect(names.sale.pix).toMatchObject({ payerName: 'Bia' })
    expect(names.asked.pendingRefund).toEqual({ amount: 300, formerStatus: 'Completed' })
    expectBalanced(sandbox)
  })
})

describe('a given cashout', () => {
  const TRIGGERS: Record<(typeof CASHOUT_STATUSES)[number], string[]> = {
    Pending: [],
    Processing: ['process'],
    Completed: ['complete'],
    Failed: ['fail'],
    Rejected: ['reject'],
    Cancelled: ['cancel'],
  }

  test.each(CASHOUT_STATUSES)('is %s with record, ledger and journal as by hand', async (status) => {
    const [given, byHand] = [begin(), begin()]
    const { out } = await give(given, { cashouts: [{ ...CASHOUT, status }] })
    await control(byHand, 'PATCH', '/balance', { fund: CASHOUT.amount })
    const { as: _, ...body } = CASHOUT
    const { id } = (await byHand.call('POST', '/v1/cashouts', body)).body.data
    for (const each of TRIGGERS[status]) await trigger(byHand, id, each)
    expect(withoutChance(out)).toEqual(withoutChance(byHand.world.state.cashouts[id] ?? {}))
    expect(moneyOf(given)).toEqual(moneyOf(byHand))
    expectBalanced(given)
    expect(given.world.state.deliveries).toEqual({})
  })

  test('funds only what is lacking', async () => {
    const sandbox = begin()
    await give(sandbox, { balance: { fund: 3_000 }, cashouts: [CASHOUT, { ...CASHOUT, as: 'next' }] })
    const funded = sandbox.world.state.postings.filter(({ reason }) => reason === 'funding')
    expect(funded.map(({ lines }) => lines[1]?.amount)).toEqual([3_000, 1_000, 4_000])
  })
})

describe('a given dispute', () => {
  const TRIGGERS: Record<(typeof DISPUTE_STATUSES)[number], [string, object?][]> = {
    Open: [],
    MerchantResponded: [['respond', { text: 'O pedido foi entregue.' }]],
    UnderReview: [['review']],
    Won: [['review'], ['win']],
    Lost: [['review'], ['lose']],
    Expired: [['lapse']],
    Cancelled: [['cancel']],
  }

  test.each(DISPUTE_STATUSES)('is %s with record, ledger and journal as by hand', async (status) => {
    const [given, byHand] = [begin(), begin()]
    const dispute = { as: 'claim', transaction: 'sale', amount: 6_000, status }
    const { claim, sale } = await give(given, { transactions: [PAID], disputes: [dispute] })
    const { id: paymentId } = await reach(byHand, [CONFIRM])
    const { id } = await control(byHand, 'POST', '/disputes', { paymentId, amount: 6_000 })
    for (const [each, carried] of TRIGGERS[status]) await trigger(byHand, id, each, carried)
    expect(claim.transactionId).toBe(sale.id)
    expect(withoutChance(claim)).toEqual(withoutChance(byHand.world.state.disputes[id] ?? {}))
    expect(withoutChance(sale)).toEqual(withoutChance(stored(byHand, paymentId)))
    expect(moneyOf(given)).toEqual(moneyOf(byHand))
    expectBalanced(given)
  })

  test('sends no webhook in a world that sends those of disputes, and keeps what was responded', async () => {
    const sandbox = begin({ 'DI-09': { url: HOOK } })
    const dispute = { as: 'claim', transaction: '$sale.id', status: 'Won', text: 'Entregue.', deadline: '2d' }
    const { claim } = await give(sandbox, { transactions: [PAID], disputes: [dispute] })
    expect(claim).toMatchObject({ responseText: 'Entregue.', responseDeadline: '2030-01-03T12:00:00.000Z' })
    expect(sandbox.world.state.deliveries).toEqual({})
  })
})

describe('what a world is given', () => {
  test('finds earlier entries by their names, and answers the named ones as they are in the end', async () => {
    const sandbox = begin()
    const names = await give(sandbox, {
      organizations: [
        { as: 'mall', name: 'Shopping' },
        { as: 'shop', name: 'Loja' },
      ],
      credentials: [{ as: 'key', organization: 'mall', permissions: ['balance.read'] }],
      customers: [{ ...ANA, organization: '$mall', status: 'Inactive' }],
      transactions: [
        {
          ...PAID,
          organization: 'mall',
          customerId: '$ana.id',
          splits: [{ splitCode: '$shop.splitCode', type: 'FIXED', value: 1_000 }],
        },
        { method: 'Pix', amount: 100 },
      ],
      disputes: [{ as: 'claim', transaction: 'sale', status: 'Lost' }],
      balance: [{ organization: 'shop', fund: 500, requireFullWithdrawal: true }],
    })
    const { mall, shop, key, ana, sale } = names
    expect(Object.keys(names).toSorted()).toEqual(['ana', 'claim', 'key', 'mall', 'sale', 'shop'])
    expect(ana).toMatchObject({ organizationId: mall.id, status: 'Inactive' })
    expect(sale).toMatchObject({ organizationId: mall.id, customerId: ana.id, status: 'Refunded' })
    expect(sale.splits[0]).toMatchObject({ organizationId: shop.id, shareAmount: 1_000 })
    expect(key).not.toHaveProperty('secretDigest')
    const token = await sandbox.token(key.publicKey, key.secretKey)
    expect((await sandbox.send('GET', '/v1/balance', { token })).status).toBe(200)
    const { items } = await control(sandbox, 'GET', `/balances?organizationId=${shop.id}&environment=Sandbox`)
    expect(items[0].available).toBe(1_500)
  })

  test('is the same for the same seed, and makes the same world', async () => {
    const entries = { customers: [ANA], transactions: [{ ...PAID, customerId: 'ana' }], cashouts: [CASHOUT] }
    const [one, two] = [begin(), begin()]
    expect(await give(one, entries)).toEqual(await give(two, entries))
    expect(one.world.state).toEqual(two.world.state)
    expect(one.world.random.save()).toEqual(two.world.random.save())
  })

  const good = { customers: [ANA], organizations: [{ as: 'mall' }], balance: { fund: 500 } }

  test.each([
    [
      'given.transactions[1].customerId',
      { transactions: [SALE, { method: 'Pix', amount: 100, customerId: 'bia' }] },
    ],
    [
      'given.transactions[0].boletoDueDate',
      { transactions: [{ method: 'Boleto', amount: 100, customerId: 'ana', boletoDueDate: '2030-01-02' }] },
    ],
    ['given.transactions[0].organization', { transactions: [{ ...SALE, organization: 'bia' }] }],
    ['given.transactions[0].reason', { transactions: [{ ...PAID, reason: 'Sim.' }] }],
    [
      'given.transactions[0].refundAmount',
      { transactions: [{ ...SALE, status: 'PartiallyRefunded', refundAmount: AMOUNT + 1 }] },
    ],
    [
      'given.transactions[0].status',
      { transactions: [{ ...SALE, status: 'PartiallyRefunded', refundAmount: AMOUNT }] },
    ],
    ['given.transactions[1].as', { transactions: [SALE, SALE] }],
    [
      'given.customers[1].externalId',
      {
        customers: [
          { ...ANA, externalId: 'A' },
          { ...ANA, as: 'bia', externalId: 'A' },
        ],
      },
    ],
    ['given.customers[0].document', { customers: [{ ...ANA, document: '1' }] }],
    ['given.cashouts[0].pixKey', { cashouts: [{ ...CASHOUT, pixKeyType: 'CPF' }] }],
    ['given.disputes[0].transaction', { disputes: [{ transaction: NO_ID }] }],
    ['given.disputes[0].transaction', { transactions: [SALE], disputes: [{ transaction: 'sale' }] }],
    [
      'given.disputes[0].amount',
      { transactions: [PAID], disputes: [{ transaction: 'sale', amount: AMOUNT + 1 }] },
    ],
    ['given.balance.organization', { balance: { organization: 'bia', fund: 1 } }],
    ['given.credentials[0].allowedIps', { credentials: [{ allowedIps: ['here'] }] }],
    ['transactions[1].amount', { transactions: [SALE, { method: 'Pix', amount: 50 }] }],
    ['transactions[0].status', { transactions: [{ ...SALE, status: 'Paid' }] }],
    ['balance.fund', { balance: { fund: 0 } }],
    ['payments', { payments: [] }],
  ])('is refused whole for %s, and changes nothing', async (path, entries) => {
    const sandbox = begin()
    const before = structuredClone(sandbox.world.state)
    const chance = sandbox.world.random.save()
    const { status, body } = await sandbox.control('POST', '/given', { ...good, ...entries })
    expect([status, body.error?.code]).toEqual([400, 'sandbox_bad_request'])
    expect(body.error.message).toContain(path)
    expect(sandbox.world.state).toEqual(before)
    expect(sandbox.world.random.save()).toEqual(chance)
    expect([sandbox.world.scheduler.size, sandbox.world.books.balances.size]).toEqual([0, 0])
  })

  test('does not reach a status that the choices of the world rule out', async () => {
    const sandbox = begin({ 'DI-02': 'staysOpen' })
    const entries = { transactions: [PAID], disputes: [{ transaction: 'sale', status: 'MerchantResponded' }] }
    const { body } = await sandbox.control('POST', '/given', entries)
    expect(body.error.message).toBe(
      'given.disputes[0].status: it would be Open, not MerchantResponded, with these fields in this world.',
    )
  })

  test('does not take up a transaction that was there, where a repeated externalId answers the first', async () => {
    const sandbox = begin({ 'TX-04': 'returnsFirst' })
    const entry = { ...SALE, externalId: 'A-1' }
    await give(sandbox, { transactions: [entry] })
    const { body } = await sandbox.control('POST', '/given', {
      transactions: [{ ...entry, status: 'Failed' }],
    })
    expect(body.error.message).toContain('given.transactions[0].externalId')
  })

  test('comes on top of what is there, and survives neither reset nor loses itself in a snapshot', async () => {
    const sandbox = begin()
    await give(sandbox, { transactions: [PAID] })
    const { sale } = await give(sandbox, { transactions: [PAID] })
    await control(sandbox, 'PUT', '/snapshots/s')
    await control(sandbox, 'POST', '/reset', {})
    expect((await control(sandbox, 'GET', '/transactions')).total).toBe(0)
    await control(sandbox, 'POST', '/snapshots/s/restore')
    expect(await control(sandbox, 'GET', `/transactions/${sale.id}`)).toEqual(sale)
  })

  test('comes through the client, with a new world and later', async () => {
    await using sandbox = await startSandbox()
    await using world = await sandbox.world({ given: { customers: [ANA] } })
    const { ana } = world.names
    expect(ana).toMatchObject({ name: 'Ana Souza' })
    const names = await world.give({
      transactions: [{ as: 'sale', method: 'Pix', amount: 500, status: 'Completed' }],
    })
    expect(await world.transactions.list()).toEqual([names['sale']])
    expect(sandbox.names).toEqual({})
  })
})
