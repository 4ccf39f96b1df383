// Checks knobs over the control API: the list of silences, choosing, refusing, and the effect of a choice.
import { describe, expect, test } from 'vitest'
import { silence, SILENCE_IDS } from '../../src/contract/silences.ts'
import { createPix } from '../support/sandbox.ts'
import { begin } from './transactionSteps.ts'
import type { Answered, TestSandbox } from '../support/sandbox.ts'

interface Shown {
  id: string
  topic: string
  section: string
  choice: unknown
  default: unknown
  alternatives: string | null
  authority: string
  timesUsed: number
}

const choose = (sandbox: TestSandbox, choices: unknown): Promise<Answered> =>
  sandbox.control('PATCH', '/silences', choices)

async function shown(sandbox: TestSandbox, id: string): Promise<Shown | undefined> {
  const { body } = await sandbox.control('GET', '/silences')
  return (body.items as Shown[]).find((item) => item.id === id)
}

describe('the list of silences', () => {
  test('has every row of the table once, sorted, with what it says there', async () => {
    const { body } = await begin().control('GET', '/silences')
    expect(body.total).toBe(SILENCE_IDS.length)
    expect(body.items.map(({ id }: Shown) => id)).toEqual(SILENCE_IDS)
    for (const item of body.items as Shown[]) {
      const row = silence(item.id as (typeof SILENCE_IDS)[number])
      const { topic, section, choice, alternatives, authority } = row
      expect(item).toMatchObject({ topic, section, choice, default: choice, alternatives, authority })
    }
  })

  test('counts how often each was used, per world', async () => {
    const sandbox = begin()
    await sandbox.control('POST', '/worlds', { id: 'other' })
    const before = await shown(sandbox, 'TX-03')
    await createPix(sandbox)
    await createPix(sandbox)
    await createPix(sandbox, { pixExpirationMinutes: 5 })
    const after = await shown(sandbox, 'TX-03')
    expect([before?.timesUsed, after?.timesUsed]).toEqual([0, 2])
    const { body } = await sandbox.control('GET', '/worlds/other/silences')
    expect((body.items as Shown[]).find(({ id }) => id === 'TX-03')?.timesUsed).toBe(0)
  })

  test('counts what an answer names in X-Sandbox-Silences, no more and no less', async () => {
    const sandbox = begin()
    await sandbox.token()
    const counts = async (): Promise<Map<string, number>> => {
      const { body } = await sandbox.control('GET', '/silences')
      return new Map((body.items as Shown[]).map(({ id, timesUsed }) => [id, timesUsed]))
    }
    await createPix(sandbox)
    const before = await counts()
    const { headers } = await sandbox.call('POST', '/v1/transactions', { method: 'Pix', amount: 100 })
    const after = await counts()
    const grown = [...after].filter(([id, times]) => times > (before.get(id) ?? 0)).map(([id]) => id)
    expect(headers.get('x-sandbox-silences')?.split(', ')).toEqual(grown)
  })

  test('is not counted by reading it', async () => {
    const sandbox = begin()
    await sandbox.control('GET', '/silences')
    const { body } = await sandbox.control('GET', '/silences')
    expect(body.items.every(({ timesUsed }: Shown) => timesUsed === 0)).toBe(true)
  })
})

describe('choosing', () => {
  test('answers the rows that were named, with the choice and the default', async () => {
    const { status, body } = await choose(begin(), { 'TX-03': 60, 'AU-02': 'auth_rate_limit_exceeded' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ total: 2, next: null })
    expect(body.items).toMatchObject([
      { id: 'AU-02', choice: 'auth_rate_limit_exceeded', default: 'rate_limit_exceeded' },
      { id: 'TX-03', choice: 60, default: 30 },
    ])
  })

  test('acts on the next call', async () => {
    const sandbox = begin()
    await choose(sandbox, { 'TX-03': 60 })
    expect((await createPix(sandbox)).expiresAt).toBe('2030-01-01T13:00:00.000Z')
    await choose(sandbox, { 'TX-03': null })
    expect((await createPix(sandbox)).expiresAt).toBe('2030-01-01T12:30:00.000Z')
  })

  test('leaves other worlds and earlier choices alone', async () => {
    const sandbox = begin({ 'TX-03': 60 })
    await sandbox.control('POST', '/worlds', { id: 'other' })
    await choose(sandbox, { 'TX-02': 200 })
    expect(sandbox.world.choices.overrides()).toEqual({ 'TX-03': 60, 'TX-02': 200 })
    expect(sandbox.worlds.get('other')?.choices.overrides()).toEqual({})
  })

  test('takes the fields of an object that are named, at every depth, and keeps the others', async () => {
    const sandbox = begin()
    await choose(sandbox, { 'TX-08': { Pix: { fixed: 10 } } })
    const { body } = await choose(sandbox, { 'TX-08': { Boleto: { fixed: 1 } } })
    expect(body.items[0].choice).toEqual({
      Pix: { bps: 150, fixed: 10 },
      Boleto: { bps: 0, fixed: 1 },
      CreditCard: { bps: 399, fixed: 39 },
    })
    expect((await createPix(sandbox, { amount: 10_000 })).fee).toBe(160)
  })

  test('of null goes back to the table, whole', async () => {
    const sandbox = begin({ 'TX-08': { Pix: { bps: 0 } } })
    const { body } = await choose(sandbox, { 'TX-08': null })
    expect(body.items[0].choice).toEqual(body.items[0].default)
    expect(sandbox.world.choices.overrides()).toEqual({})
  })

  test('of nothing changes nothing', async () => {
    const sandbox = begin({ 'TX-03': 60 })
    expect((await choose(sandbox, {})).body).toEqual({ items: [], total: 0, next: null })
    expect(sandbox.world.choices.overrides()).toEqual({ 'TX-03': 60 })
  })

  test('of false is a choice, not its absence', async () => {
    const sandbox = begin({ 'BA-02': true })
    const { body } = await choose(sandbox, { 'BA-02': false })
    expect(body.items[0].choice).toBe(false)
  })

  test.each([
    [{ 'AU-05': 422 }, ['POST', '/v1/transactions', { method: 'Pix', amount: 1 }], 422],
    [{ 'TX-02': 200 }, ['POST', '/v1/transactions', { method: 'Pix', amount: 100 }], 200],
    [{ 'LI-01': 'clamped' }, ['GET', '/v1/transactions?pageSize=1000'], 200],
    [{ 'LI-04': 'notFound' }, ['GET', '/v1/transactions?page=9'], 404],
    [
      { 'CU-05': 'checked' },
      ['POST', '/v1/customers', { name: 'A', email: 'a@b.co', document: '11111111111' }],
      400,
    ],
    [
      { 'TX-19': 'anyText' },
      ['POST', '/v1/transactions', { method: 'Pix', amount: 100, metadata: 'x' }],
      201,
    ],
  ] as const)('%j has its effect on the gateway', async (choices, [method, path, body], expected) => {
    const sandbox = begin()
    expect((await sandbox.call(method, path, body)).status).not.toBe(expected)
    await choose(sandbox, choices)
    expect((await sandbox.call(method, path, body)).status).toBe(expected)
  })

  test('of other wire names is what the gateway then reads', async () => {
    const sandbox = begin()
    await choose(sandbox, { 'TX-01': { pixExpirationMinutes: 'expiresInMinutes' } })
    expect((await createPix(sandbox, { expiresInMinutes: 5 })).expiresAt).toBe('2030-01-01T12:05:00.000Z')
    expect((await createPix(sandbox, { pixExpirationMinutes: 5 })).expiresAt).toBe('2030-01-01T12:30:00.000Z')
  })
})

describe('a choice that cannot be made', () => {
  const WRONG: [unknown, string[]][] = [
    [{ 'TX-3': 60 }, ["'TX-3'", "Did you mean 'TX-03'?"]],
    [{ 'tx-03': 60 }, ["Did you mean 'TX-03'?"]],
    [{ nonsense: 60 }, ["'nonsense'"]],
    [{ 'TX-09': 'Pending to Expired' }, ['TX-09', 'same in every world']],
    [{ 'AU-03': null }, ['AU-03', 'same in every world']],
    [{ 'TX-03': 4 }, ['TX-03', '4', '`5` to `1440`']],
    [{ 'TX-03': '60' }, ['TX-03', '"60"']],
    [{ 'AU-02': 'too_many' }, ['AU-02', 'auth_rate_limit_exceeded']],
    [{ 'TX-08': { Pix: { bps: 1.5 } } }, ['TX-08', 'bps']],
    [{ 'TX-08': { Pics: { bps: 1 } } }, ['TX-08', 'Pics']],
    [{ 'TX-08': 5 }, ['TX-08']],
    [{ 'TX-08': { Pix: null } }, ['TX-08']],
    [{ 'TX-25': { confirmAfterSeconds: -1 } }, ['TX-25']],
    [{ 'AU-13': 0 }, ['AU-13']],
    [{ 'TX-01': { customerEmail: 'customerPhone' } }, ['TX-01', 'customerEmail', 'customerPhone']],
    [{ 'TX-01': { customerEmail: 'amount' } }, ['TX-01', 'amount']],
    [{ 'WH-02': 'X Service' }, ['WH-02']],
    [{ __proto__: null, constructor: 1 }, ["'constructor'"]],
  ]

  test.each(WRONG)('is refused with what to do: %j', async (choices, parts) => {
    const sandbox = begin({ 'AU-05': 422 })
    const { status, body } = await choose(sandbox, choices)
    expect([status, body.error.code]).toEqual([400, 'sandbox_bad_request'])
    for (const part of parts) expect(body.error.message).toContain(part)
    expect(sandbox.world.choices.overrides()).toEqual({ 'AU-05': 422 })
  })

  test('takes none of the others along', async () => {
    const sandbox = begin()
    expect((await choose(sandbox, { 'TX-03': 60, 'TX-02': 999 })).status).toBe(400)
    expect(sandbox.world.choices.overrides()).toEqual({})
  })

  test('two names can change places in one call', async () => {
    const names = { customerEmail: 'customerPhone', customerPhone: 'customerEmail' }
    expect((await choose(begin(), { 'TX-01': names })).status).toBe(200)
  })

  test.each(SILENCE_IDS.filter((id) => silence(id).value === null))('%s is fixed', async (id) => {
    const { status, body } = await choose(begin(), { [id]: 'else' })
    expect([status, body.error.code]).toEqual([400, 'sandbox_bad_request'])
    expect(body.error.message).toContain(id)
  })

  test.each(SILENCE_IDS.filter((id) => silence(id).value !== null))(
    '%s takes its own default, and no nonsense',
    async (id) => {
      const sandbox = begin()
      expect((await choose(sandbox, { [id]: silence(id).choice })).status).toBe(200)
      expect((await choose(sandbox, { [id]: { no: ['such', 'choice'] } })).status).toBe(400)
    },
  )
})
