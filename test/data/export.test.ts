// Checks taking a world out and putting it in: the same records, money, time and jobs, under the keys of the other world.
import { describe, expect, test } from 'vitest'
import { control } from '../http/calls.ts'
import { begin, CONFIRM, reach, trigger } from '../control/transactionSteps.ts'
import { createPix, openSandbox } from '../support/sandbox.ts'
import type { Answered, TestSandbox } from '../support/sandbox.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into and spoil what is exported
type Exported = any

const exported = (sandbox: TestSandbox): Promise<Exported> => control(sandbox, 'GET', '/export')

/** A world with records of every kind, a file, a fault, a rule, an added credential and a job that waits. */
async function rich(): Promise<TestSandbox> {
  const sandbox = begin()
  await control(sandbox, 'POST', '/given', {
    customers: [{ name: 'Ana', email: 'ana@example.com', addressCity: 'Recife' }],
    cashouts: [{ amount: 1_000, pixKeyType: 'CPF', pixKey: '12345678909' }],
  })
  await control(sandbox, 'PATCH', '/balance', { requireFullWithdrawal: true })
  await sandbox.call('POST', '/v1/card-tokenize', {
    cardNumber: ['4539', '6206', '5992', '2097'].join(''),
    cardHolderName: 'ANA SOUZA',
    cardExpirationMonth: '12',
    cardExpirationYear: '2031',
    cardCvv: '739',
  })
  const { id: paymentId } = await reach(sandbox, [CONFIRM])
  await createPix(sandbox, { callbackUrl: 'http://shop.test/hook' })
  const { id } = await control(sandbox, 'POST', '/disputes', { paymentId })
  await sandbox.call(
    'POST',
    `/v1/disputes/${id}/evidences`,
    '--edge\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.7\r\n--edge--\r\n',
    { headers: { 'Content-Type': 'multipart/form-data; boundary=edge' } },
  )
  await control(sandbox, 'POST', '/credentials', {})
  await control(sandbox, 'POST', '/faults', { on: { delivery: {} }, do: { send: 'held' } })
  await control(sandbox, 'POST', '/rules', {
    when: { call: 'createTransaction', amount: 700 },
    do: { trigger: 'fail', after: '3s' },
  })
  await control(sandbox, 'PATCH', '/silences', { 'AU-13': 'off' })
  return sandbox
}

describe('a world that was taken out', () => {
  test('is the same in another server, and goes on there', async () => {
    const from = await rich()
    const world = await exported(from)
    expect(JSON.stringify(world)).not.toContain('sk_')
    const to = openSandbox({ seed: 'other', clock: '2040-01-01T00:00:00Z' })
    const { status, body } = await to.control('POST', '/import', world)
    expect(status, JSON.stringify(body)).toBe(200)
    // Whoever comes in begins with all of its tokens of the hour.
    expect(await exported(to)).toEqual({ ...world, state: { ...world.state, rateWindows: {} } })
    const [pair] = body.credentials
    expect(await to.token(pair.publicKey, pair.secretKey)).toBeTypeOf('string')
    expect((await to.control('POST', '/clock/advance', { by: '31m' })).body.ran).toEqual([
      expect.objectContaining({ job: 'expireTransaction' }),
    ])
    const { items } = (await to.call('GET', '/v1/disputes')).body.data
    const [dispute] = items
    const [evidence] = (await to.call('GET', `/v1/disputes/${dispute.id}`)).body.data.evidences
    expect(evidence.fileName).toBe('a.pdf')
    expect(to.world.files.size).toBe(1)
  })

  test('is refused with a rule about a card number, which would never apply', async () => {
    const from = begin()
    const when = { call: 'createTransaction', cardNumber: '4111111111111111' }
    await control(from, 'POST', '/rules', { when, do: { trigger: 'fail' } })
    const { status, body } = await openSandbox().control('POST', '/import', await exported(from))
    expect([status, body.error.message]).toEqual([400, expect.stringContaining('clear this rule')])
  })

  test('gets the keys of the world that it is put into', async () => {
    const from = await rich()
    const world = await exported(from)
    await control(from, 'POST', '/worlds', { id: 'copy' })
    const { body } = await from.control('POST', '/worlds/copy/import', world)
    expect(body).toMatchObject({ id: 'copy', publicKey: 'pk_sandbox_copy' })
    expect(body.credentials).toEqual([{ publicKey: 'pk_sandbox_copy_c4', secretKey: 'sk_sandbox_copy_c4' }])
    const token = await from.token('pk_sandbox_copy')
    const { items } = (await from.send('GET', '/v1/transactions', { token })).body.data
    expect(items).toHaveLength(2)
    expect(await from.token('pk_sandbox_default')).toBeTypeOf('string')
  })

  test('may be larger than what any other call may send', async () => {
    const from = openSandbox()
    const customers = Array.from({ length: 1_000 }, (_, index) => ({
      name: 'x'.repeat(250),
      email: `${index}@example.com`,
      metadata: JSON.stringify({ note: 'y'.repeat(900) }),
    }))
    await control(from, 'POST', '/given', { customers: customers.slice(0, 500) })
    await control(from, 'POST', '/given', { customers: customers.slice(500) })
    const world = await exported(from)
    expect(JSON.stringify(world).length).toBeGreaterThan(1_048_576)
    expect((await openSandbox().control('POST', '/import', world)).status).toBe(200)
  })
})

describe('what is no world', () => {
  test.each([
    'organizations',
    'credentials',
    'customers',
    'transactions',
    'cashouts',
    'disputes',
    'accounts',
    'cardTokens',
    'postings',
    'journal',
    'deliveries',
  ])('with a field too many in one of its %s is refused', async (kind) => {
    const world = await exported(await rich())
    const [record] = Object.values<Exported>(world.state[kind])
    record.surplus = true
    const { status, body } = await openSandbox().control('POST', '/import', world)
    expect(status).toBe(400)
    expect(body.error.message).toMatch(new RegExp(String.raw`"surplus"\s+→ at state\.${kind}\b`))
  })

  test('shows what may happen to records of which nothing is left, and takes documents as they are', async () => {
    const from = begin()
    const { id: spent } = await reach(from, [CONFIRM])
    const { id: waiting } = await createPix(from, { payerName: 'Ana', payerDocument: '12345678909' })
    const world = await exported(from)
    world.state.transactions[spent].refundedAmount = world.state.transactions[spent].amount
    world.state.transactions[waiting].payer.document = 'none'
    const to = openSandbox()
    await control(to, 'POST', '/import', world)
    expect(await trigger(to, spent, 'expire')).toMatchObject({ status: 409 })
    expect(await trigger(to, spent, 'settleRefund')).toMatchObject({ status: 409 })
    await control(to, 'POST', '/trigger', { on: waiting, do: 'confirm' })
    expect(to.world.state.transactions[waiting]?.pix?.payerDocument).toMatch(/^\*/)
  })

  const firstOf = (records: Record<string, unknown>): Exported => Object.values(records)[0]

  test.each<[string, (world: Exported) => void, RegExp]>([
    ['of another form', (world) => (world.format = 2), /format/],
    ['with a field too many', (world) => (world.state.payments = {}), /payments/],
    ['without records', (world) => delete world.state.transactions, /transactions/],
    ['with a wrong record', (world) => (firstOf(world.state.transactions).amount = 1.5), /amount/],
    ['with a record under a strange key', (world) => {
      const [[key, record] = ['', null]] = Object.entries(world.state.transactions)
      delete world.state.transactions[key]
      world.state.transactions['other'] = record
    }, /stands under other/],
    ['with money from nowhere', (world) => (world.state.postings[0].lines[0].amount += 1), /posting 1 does not sum/],
    ['with a posting missing', (world) => world.state.postings.shift(), /posting 2 stands in place 1/],
    ['with a journal entry missing', (world) => world.state.journal.shift(), /journal entry 2/],
    ['with a job about nothing', (world) => (world.scheduler.jobs[0].subject = 'gone'), /job .* gone/],
    ['with an unknown choice', (world) => (world.silences['XX-99'] = 1), /XX-99/],
    ['with a fault by a wrong name', (world) => (world.faults[0].name = 'drop'), /not named after what it does/],
    ['without the first credentials', (world) => (world.state.credentials = {}), /three credentials/],
    ['with another file than it says', (world) => {
      const [digest = ''] = Object.keys(world.files)
      world.files[digest] = 'AAAA'
    }, /other bytes/],
  ])('%s is refused and changes nothing', async (_what, spoil, says) => {
    const from = await rich()
    const world = await exported(from)
    const before = JSON.stringify(await exported(from))
    spoil(world)
    const { status, body }: Answered = await from.control('POST', '/import', world)
    expect(status).toBe(400)
    expect(body.error.message).toMatch(says)
    expect(JSON.stringify(await exported(from))).toBe(before)
  })
})
