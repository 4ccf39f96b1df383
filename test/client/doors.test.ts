// Checks that the client does everything the control API can, the same in this process and over the network.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectSandbox, startSandbox } from '../../src/index.ts'
import { post, sell, tokenOf } from './shop.ts'
import type { Sandbox, SandboxWorld } from '../../src/index.ts'

const START = '2030-01-01T12:00:00.000Z'
const DOORS = ['startSandbox', 'connectSandbox'] as const

let started: Sandbox
let connected: Sandbox

beforeAll(async () => {
  started = await startSandbox({ seed: 'doors' })
  connected = await connectSandbox(started.url)
})
afterAll(() => started.close())

describe.each(DOORS)('a sandbox of %s', (door) => {
  const open = (): Promise<SandboxWorld> =>
    (door === 'startSandbox' ? started : connected).world({ clock: START })

  test('makes worlds with keys of their own, and lists them', async () => {
    const sandbox = door === 'startSandbox' ? started : connected
    const [one, two] = [await open(), await open()]
    expect(one.publicKey).toBe(`pk_sandbox_${one.id}`)
    expect(two.publicKey).not.toBe(one.publicKey)
    expect(one.url).toBe(started.url)
    const ids = (await sandbox.worlds()).map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining([one.id, two.id, 'default']))
    await one.delete()
    expect((await sandbox.worlds()).map(({ id }) => id)).not.toContain(one.id)
  })

  test('takes an id, a clock as a Date, a seed and choices', async () => {
    const sandbox = door === 'startSandbox' ? started : connected
    const id = `given-${door.toLowerCase()}`
    await using world = await sandbox.world({
      id,
      clock: new Date(START),
      seed: 'x',
      silences: { 'TX-03': 15 },
    })
    expect(world.id).toBe(id)
    expect(await world.clock.now()).toEqual(new Date(START))
    const changed = (await world.silences.list()).filter((each) => each.choice !== each.default)
    expect(changed.map((each) => [each.id, each.choice])).toContainEqual(['TX-03', 15])
  })

  test('pays a transaction and takes the signed webhook', async () => {
    await using world = await open()
    const shop = world.inbox('shop')
    const id = await sell(world, shop.url)
    const fired = await world.trigger(id, 'confirm', { payer: { name: 'Ana Souza' } })
    expect(fired).toMatchObject({ id, from: 'Pending', to: 'Completed' })
    const message = await shop.next('payment.completed')
    expect(message).toMatchObject({ signature: 'valid', attempt: 1, answered: 204, receivedAt: START })
    expect(message.headers['x-sandbox-now']).toBe(START)
    expect((await world.transactions.get(id)).pix?.payerName).toBe('Ana Souza')
  })

  test('explains what happened to a record, in order', async () => {
    await using world = await open()
    const id = await sell(world, world.inbox('shop').url)
    await world.trigger(id, 'confirm')
    const [delivery] = await world.deliveries.list()
    await world.settle()
    const story = await world.explain(id)
    expect(story.steps.map(({ kind }) => kind)).toEqual([
      'call',
      'transition',
      'transition',
      'posting',
      'delivery',
      'attempt',
    ])
    const attempt = story.steps.find((step) => step.kind === 'attempt')
    expect([story.order, attempt?.status]).toEqual(['exact', 204])
    expect(await world.explain(delivery?.id ?? '')).toEqual(story)
    await expect(world.explain('none')).rejects.toMatchObject({ code: 'sandbox_not_found' })
  })

  test('lists by filters, newest first, and reads the journal, postings and balances', async () => {
    await using world = await open()
    const [first, second] = [await sell(world), await sell(world)]
    await world.trigger(first, 'confirm')
    expect((await world.transactions.list()).map(({ id }) => id)).toEqual([second, first])
    expect((await world.transactions.list({ status: 'Pending' })).map(({ id }) => id)).toEqual([second])
    expect((await world.transactions.list({ limit: 1 })).map(({ id }) => id)).toEqual([second])
    expect((await world.journal({ subject: first })).map(({ on }) => on)).toEqual(['confirm', 'create'])
    const [posting] = await world.postings({ subject: first })
    expect(posting?.lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(0)
    const [balance] = await world.balances({ organizationId: world.organization.id, environment: 'Sandbox' })
    expect(balance?.total).toBe((await world.transactions.get(first)).netAmount)
  })

  test('moves the clock by, to, to the next job, and reads what waits', async () => {
    await using world = await open()
    const id = await sell(world)
    const [job] = await world.clock.jobs()
    expect(job).toMatchObject({ job: 'expireTransaction', subject: id })
    await world.clock.advance('10m')
    await world.clock.advance({ by: '5m' })
    await world.clock.advance({ to: '2030-01-01T12:20:00Z' })
    await world.clock.advance({ to: new Date('2030-01-01T12:21:00Z') })
    const { ran, to } = await world.clock.advance({ toNext: true })
    expect([ran[0]?.job, to]).toEqual(['expireTransaction', job?.at])
    expect((await world.transactions.get(id)).status).toBe('Expired')
    expect(await world.clock.freeze()).toMatchObject({ mode: 'frozen' })
    expect(await world.clock.flow(60)).toMatchObject({ mode: 'flowing', rate: 60 })
    expect(await world.clock.freeze(new Date('2031-01-01T00:00:00Z'))).toMatchObject({
      now: '2031-01-01T00:00:00.000Z',
    })
  })

  test('resets, forks, and goes back to snapshots', async () => {
    await using world = await open()
    const id = await sell(world)
    const pending = await world.snapshot()
    await world.trigger(id, 'confirm')
    const paid = await world.snapshot('paid')
    expect((await world.snapshots.list()).map(({ name }) => name)).toEqual(['paid', pending.name])
    await using fork = await world.fork()
    expect(fork.publicKey).not.toBe(world.publicKey)
    await pending.restore()
    expect((await world.transactions.get(id)).status).toBe('Pending')
    await world.restore(paid.name)
    expect((await world.transactions.get(id)).status).toBe('Completed')
    expect(await world.snapshots.get('paid')).toHaveProperty('state.transactions')
    await world.snapshots.delete('paid')
    await world.reset()
    expect(await world.transactions.list()).toEqual([])
    expect((await fork.transactions.get(id)).status).toBe('Completed')
  })

  test('a snapshot without a name takes none that is there', async () => {
    await using world = await open()
    const other = await connectSandbox(started.url, { world: world.id })
    const [first, second] = await Promise.all([world.snapshot(), other.snapshot()])
    await sell(world)
    await world.snapshots.delete(first.name)
    const third = await world.snapshot()
    const names = (await world.snapshots.list()).map(({ name }) => name)
    expect(names.toSorted()).toEqual([second.name, third.name].toSorted())
    await second.restore()
    expect(await world.transactions.list()).toEqual([])
    await third.restore()
    expect(await world.transactions.list()).toHaveLength(1)
  })

  test('settles, and says what is open when it cannot', async () => {
    await using world = await open()
    const hanging = world.inbox('hanging')
    await hanging.script([], { delayMs: 60_000 })
    const id = await sell(world, hanging.url)
    expect((await world.settle()).waiting).toMatchObject([{ job: 'expireTransaction' }])
    await world.trigger(id, 'confirm')
    await expect(world.settle({ timeoutMs: 1 })).rejects.toMatchObject({
      code: 'not_settled',
      message: expect.stringContaining('attempt 1 of payment.completed'),
      status: 412,
      details: { open: [{ kind: 'attempt' }] },
      cause: { code: 'not_settled' },
    })
  })

  test('reads and resends deliveries', async () => {
    await using world = await open()
    const shop = world.inbox('shop')
    const id = await sell(world, shop.url)
    await world.trigger(id, 'confirm')
    await world.settle()
    const [delivery] = await world.deliveries.list({ subject: id })
    expect(delivery).toMatchObject({ status: 'delivered', attempts: [{ number: 1, status: 204 }] })
    const detail = await world.deliveries.get(delivery?.id ?? '')
    expect(JSON.parse(detail.body)).toMatchObject({ id: delivery?.id, type: 'payment.completed' })
    await world.deliveries.resend(detail.id)
    const again = [await shop.next(), await shop.next()]
    expect(again.map((message) => message.delivery)).toEqual([detail.id, detail.id])
  })

  test('opens disputes, changes balances, organisations and credentials', async () => {
    await using world = await open()
    const id = await sell(world)
    await world.trigger(id, 'confirm')
    const dispute = await world.disputes.open({ paymentId: id, reason: 'Fraud' })
    expect((await world.disputes.list({ status: 'Open' })).map((each) => each.id)).toEqual([dispute.id])
    const before = await world.changeBalance({ requireFullWithdrawal: false })
    const after = await world.changeBalance({ fund: 5_000 })
    expect(after.balance.available).toBe(before.balance.available + 5_000)
    const other = await world.organizations.create({ name: 'Outra' })
    expect(await world.organizations.update(other.id, { maySplit: false })).toMatchObject({ maySplit: false })
    const reader = await world.credentials.create({ permissions: ['transactions.read'] })
    expect(await world.credentials.get(reader.publicKey)).not.toHaveProperty('secretKey')
    await expect(tokenOf({ ...world, ...reader })).resolves.toEqual(expect.any(String))
    expect(await world.credentials.update(reader.publicKey, { active: false })).toMatchObject({
      active: false,
    })
    expect((await world.credentials.list()).map(({ publicKey }) => publicKey)).toContain(reader.publicKey)
    expect(await world.customers.list()).toEqual([])
    expect(await world.cashouts.list()).toEqual([])
  })

  test('arms and clears faults', async () => {
    await using world = await open()
    const fault = await world.faults.arm({ on: { operation: 'respondToDispute' }, do: 'dispute_changed' })
    expect(await world.faults.list()).toEqual([fault])
    await world.faults.clear(fault.id)
    expect(await world.faults.list()).toEqual([])
  })

  test('chooses silences and goes back to the default', async () => {
    await using world = await open()
    expect(await world.silences.choose({ 'TX-03': 15 })).toMatchObject([{ id: 'TX-03', choice: 15 }])
    const [silence] = await world.silences.choose({ 'TX-03': null })
    expect(silence?.choice).toEqual(silence?.default)
  })

  test('sees the calls of the code under test, also one that is still to come', async () => {
    await using world = await open()
    const coming = world.exchanges.next({ operation: 'createTransaction', after: 0 })
    const id = await sell(world)
    expect(await coming).toMatchObject({ operation: 'createTransaction', status: 201, subject: id })
    const [latest] = await world.exchanges.list()
    expect(latest?.subject).toBe(id)
    expect(await world.exchanges.get(latest?.id ?? '')).toEqual(latest)
    await expect(world.exchanges.next({ path: '/v1/nowhere', wait: '1ms' })).rejects.toMatchObject({
      code: 'no_exchange',
      message: expect.stringContaining('POST /v1/transactions 201'),
      cause: { code: 'no_exchange', status: 412 },
    })
  })

  test('leaves a world that is gone already; only delete itself says so', async () => {
    await using world = await open()
    await world.delete()
    await expect(world.delete()).rejects.toMatchObject({ code: 'sandbox_not_found' })
  })

  test('streams what happens until it is told to stop', async () => {
    await using world = await open()
    const stop = new AbortController()
    const kinds: string[] = []
    const listening = (async () => {
      for await (const { kind, at } of world.events(stop.signal)) {
        expect(at).toBe(START)
        kinds.push(kind)
        if (kind === 'transition' && kinds.filter((each) => each === kind).length === 2) break
      }
    })()
    await world.settle()
    const id = await sell(world)
    await world.trigger(id, 'confirm')
    await listening
    stop.abort()
    expect(kinds.filter((kind) => kind === 'transition')).toHaveLength(2)
    expect(kinds).toContain('call')
  })

  test('ends its stream with its world', async () => {
    const world = await open()
    const ended = (async () => {
      for await (const event of world.events()) expect(event.kind).not.toBe('open')
      return 'ended'
    })()
    await world.settle()
    await world.delete()
    expect(await ended).toBe('ended')
  })

  test('throws refusals of the control API with their code and what to do', async () => {
    await using world = await open()
    const id = await sell(world)
    await expect(world.trigger(id, 'win')).rejects.toMatchObject({
      name: 'SandboxError',
      code: 'sandbox_bad_request',
      status: 400,
    })
    await expect(world.trigger(id, 'refund')).rejects.toMatchObject({
      code: 'sandbox_trigger_refused',
      status: 409,
      message: expect.stringContaining('These would fire: confirm'),
    })
    await expect(world.transactions.get('nothing')).rejects.toMatchObject({ code: 'sandbox_not_found' })
    await expect(world.clock.advance({ to: '2020-01-01T00:00:00Z' })).rejects.toMatchObject({
      code: 'sandbox_clock_backwards',
    })
    await expect(world.clock.advance('soon')).rejects.toMatchObject({ code: 'sandbox_bad_request' })
  })

  test('says what it is', async () => {
    const sandbox = door === 'startSandbox' ? started : connected
    expect(await sandbox.info()).toMatchObject({
      name: 'gateway-sandbox',
      url: started.url,
      seed: 'doors',
      container: false,
    })
    expect(sandbox.id).toBe('default')
    expect(sandbox.production.publicKey).toBe('pk_production_default')
    await expect(post(sandbox, '/v1/nowhere', {})).rejects.toThrow('not_found')
  })
})

test('leaves a world whose sandbox was closed before', async () => {
  const sandbox = await startSandbox()
  await using world = await sandbox.world()
  await sandbox.close()
  await expect(world.delete()).rejects.toMatchObject({ code: 'unreachable' })
})

test('a world that cannot be left says so', async () => {
  const sandbox = await startSandbox()
  const connection = await connectSandbox(sandbox.url)
  const world = await connection.world()
  const first = (await connection.worlds()).find(({ id }) => id === 'default')
  await expect(first?.[Symbol.asyncDispose]()).rejects.toMatchObject({ code: 'sandbox_world_fixed' })
  await sandbox.close()
  await expect(world[Symbol.asyncDispose]()).rejects.toMatchObject({ code: 'unreachable' })
})
