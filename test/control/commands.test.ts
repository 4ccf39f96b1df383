// Checks the log of commands: what it keeps and hides, its order among the gateway's calls, its bounds and its lives.
import { describe, expect, test } from 'vitest'
import { KEPT_ROUTES } from '../../src/control/keptCommands.ts'
import { CONTROL_ROUTES } from '../../src/control/routes.ts'
import { present } from '../../src/kernel/assert.ts'
import { MAX_COMMANDS } from '../../src/world/commands.ts'
import { MAX_EXCHANGES } from '../../src/world/exchanges.ts'
import { START, createPix } from '../support/sandbox.ts'
import { begin } from './transactionSteps.ts'
import type { Answered, TestSandbox } from '../support/sandbox.ts'

/** The log of the default world. */
async function log(sandbox: TestSandbox, query = ''): Promise<Answered['body']> {
  return (await sandbox.control('GET', `/commands${query}`)).body
}

/** Routes that change nothing of a world, wait, save, or replace it as a whole. */
const NOT_KEPT = [
  'POST /import',
  'DELETE /snapshots/{name}',
  'POST /exchanges/wait',
  'POST /fork',
  'POST /inbox/{name}',
  'POST /reset',
  'POST /settle',
  'POST /snapshots/{name}/restore',
  'PUT /snapshots/{name}',
]

describe('the log of commands', () => {
  test('decides about every route of a world that may change it', () => {
    const changing = CONTROL_ROUTES.filter(({ scope, method }) => scope === 'world' && method !== 'GET')
    const names = changing.map(({ method, path }) => `${method} ${path}`)
    expect([...KEPT_ROUTES, ...NOT_KEPT].toSorted()).toEqual(names.toSorted())
  })

  test('keeps what succeeded, newest first, with what later commands may name', async () => {
    const sandbox = begin()
    const { id } = await createPix(sandbox)
    await sandbox.control('POST', '/trigger', { on: id, do: 'confirm', payer: { name: 'Ana Souza' } })
    await sandbox.control('POST', '/trigger', { on: id, do: 'confirm' })
    await sandbox.control('POST', '/clock/advance', { by: '1h' })
    const { items, total, began } = await log(sandbox)
    expect(items.map(({ route }: { route: string }) => route)).toEqual([
      'POST /clock/advance',
      'POST /trigger',
    ])
    expect([total, began]).toEqual([2, { at: START, how: 'made', silences: {}, autoConfirm: null }])
    expect(items[1]).toMatchObject({
      at: START,
      body: { on: id, do: 'confirm', payer: { name: 'Ana Souza' } },
      answer: { id, from: 'Pending', to: 'Completed' },
    })
    expect(items[0].answer).toEqual({ from: START, to: '2030-01-01T13:00:00.000Z' })
    expect((await log(sandbox, '?route=POST%20/trigger')).total).toBe(1)
    expect((await log(sandbox, `?limit=1&after=${items[0].order}`)).items).toEqual([items[1]])
  })

  test('has one order with the calls of the gateway, also for what began before and ended after', async () => {
    const sandbox = begin()
    await sandbox.token()
    await sandbox.control('PATCH', '/balance', { fund: 100 })
    await createPix(sandbox)
    await sandbox.control('PATCH', '/balance', { fund: 200 })
    const { items } = await log(sandbox)
    const { body } = await sandbox.control('GET', '/exchanges?operation=createTransaction')
    const [later, earlier] = items
    expect(earlier.order).toBeLessThan(body.items[0].order)
    expect(later.order).toBeGreaterThan(body.items[0].order)
    const late = { ...later, order: later.order + 1_000 }
    sandbox.world.commands.add(late)
    sandbox.world.commands.add({ ...later, order: later.order + 500 })
    expect((await log(sandbox)).items[0]).toEqual(late)
  })

  test('keeps no secret and no card number', async () => {
    const sandbox = begin()
    const number = '4929291898380766'
    const card = {
      cardNumber: number,
      cardHolderName: 'ANA',
      cardExpirationMonth: '12',
      cardExpirationYear: '2099',
    }
    const sale = { as: 'sale', method: 'CreditCard', amount: 1_000, ...card, cardCvv: '987' }
    const made = await sandbox.control('POST', '/given', {
      transactions: [sale],
      credentials: [{ as: 'keys' }],
    })
    expect(made.status).toBe(201)
    await sandbox.control('POST', '/rules', {
      when: { call: 'createTransaction', cardNumber: number },
      do: { trigger: 'fail' },
    })
    const { body: created } = await sandbox.control('POST', '/credentials', {})
    const kept = await log(sandbox)
    const text = JSON.stringify(kept)
    for (const secret of [number, '987', created.secretKey, made.body.names.keys.secretKey]) {
      expect(text).not.toContain(secret)
    }
    expect(kept.items[2].answer.names).toEqual({
      sale: made.body.names.sale.id,
      keys: made.body.names.keys.publicKey,
    })
    expect(kept.items[1].body.rules[0].when.cardNumber).toBe('492929******0766')
  })

  test('hides secrets in every text that is kept: of faults, rules and names', async () => {
    const sandbox = begin()
    const number = '5499120012341239'
    const call = { call: 'createTransaction' }
    const fault = { on: { delivery: { subject: number } }, subject: number, do: { contentType: number } }
    await sandbox.control('POST', '/faults', { ...fault, on: { operation: 'getBalance' } })
    await sandbox.control('POST', '/faults', { ...fault, do: { signature: 'absent' } })
    await sandbox.control('POST', '/rules', {
      when: {
        ...call,
        description: { contains: number },
        'metadata.cvv': '739',
        cardCvv: { startsWith: '739' },
      },
      do: { trigger: 'fail', reason: `card ${number}` },
    })
    await sandbox.control('PUT', `/inboxes/${number}`, { answers: [500] })
    const { items } = await log(sandbox)
    const text = JSON.stringify(items)
    expect(items.map(({ route }: { route: string }) => route).toReversed()).toEqual([
      'POST /faults',
      'POST /faults',
      'POST /rules',
      'PUT /inboxes/{name}',
    ])
    for (const secret of [number, '739']) expect(text).not.toContain(secret)
    expect(text).toContain('"signature":"absent"')
    expect(items[0].params).toEqual({ name: '****1239' })
  })

  test('hides a code inside text that is JSON, as the log of exchanges does', async () => {
    const sandbox = begin()
    const metadata = JSON.stringify({ order: 1, card: { cvv: '739' } })
    const clean = JSON.stringify({ order: 1, card: { cvv: '[hidden]' } })
    await sandbox.control('POST', '/given', {
      transactions: [{ as: 'sale', method: 'Pix', amount: 1_000, metadata }],
    })
    await sandbox.call('POST', '/v1/transactions', { method: 'Pix', amount: 1_000, metadata })
    const { items } = await log(sandbox)
    expect(items[0].body.transactions[0].metadata).toBe(clean)
    const { body } = await sandbox.control('GET', '/exchanges?operation=createTransaction')
    expect(body.items[0].request.body.metadata).toBe(clean)
    expect(JSON.stringify(body)).not.toContain('739')
  })

  test('keeps text that is JSON as it was sent when nothing in it is secret', async () => {
    const sandbox = begin()
    const metadata = '{ "rate": 0.10 }'
    await sandbox.call('POST', '/v1/transactions', { method: 'Pix', amount: 1_000, metadata })
    const { body } = await sandbox.control('GET', '/exchanges?operation=createTransaction')
    expect(body.items[0].request.body.metadata).toBe(metadata)
  })

  test('is asked only for routes that it keeps', async () => {
    const sandbox = begin()
    const { status, body } = await sandbox.control('GET', '/commands?route=POST%20/tigger')
    expect([status, body.error.message]).toEqual([400, expect.stringContaining('POST /trigger')])
  })

  test('keeps what a world was made with', async () => {
    const sandbox = begin()
    const customers = [{ as: 'ana', name: 'Ana Souza', email: 'ana@example.com' }]
    await sandbox.control('POST', '/worlds', { id: 'other', given: { customers } })
    const { body } = await sandbox.control('GET', '/worlds/other/commands')
    expect(body.items).toMatchObject([{ route: 'POST /given', body: { customers }, answer: { names: {} } }])
  })

  test('begins anew with a reset and a restore, and says so', async () => {
    const sandbox = begin()
    await sandbox.control('PATCH', '/silences', { 'TX-03': 60 })
    await sandbox.control('PUT', '/snapshots/s')
    await sandbox.control('POST', '/reset')
    expect(await log(sandbox)).toMatchObject({ total: 0, began: { how: 'reset', silences: { 'TX-03': 60 } } })
    await sandbox.control('PATCH', '/balance', { fund: 100 })
    await sandbox.control('POST', '/snapshots/s/restore')
    expect(await log(sandbox)).toMatchObject({ total: 0, began: { how: 'restored' } })
  })

  test('is bounded, and counts what made room', async () => {
    const sandbox = begin()
    const { commands, exchanges } = sandbox.world
    await sandbox.control('PATCH', '/balance', { fund: 100 })
    const [first] = (await log(sandbox)).items
    for (let order = 1; order < MAX_COMMANDS + 3; order += 1) {
      commands.add({ ...first, order: first.order + order })
    }
    await sandbox.send('GET', '/health')
    const call = present(exchanges.list()[0], 'a call')
    for (let count = 0; count < MAX_EXCHANGES + 1; count += 1) exchanges.add(call)
    const { total, dropped } = await log(sandbox, '?limit=1000')
    expect([total, dropped]).toEqual([MAX_COMMANDS, { commands: 3, exchanges: 2 }])
    exchanges.clear()
    expect((await log(sandbox)).dropped.exchanges).toBe(0)
  })
})
