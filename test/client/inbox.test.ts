// Checks taking messages from an inbox: each once, by type or in order, and what a wait in vain says.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connectSandbox, startSandbox } from '../../src/index.ts'
import { sell } from './shop.ts'
import type { Sandbox, SandboxWorld } from '../../src/index.ts'

let sandbox: Sandbox
let world: SandboxWorld

beforeAll(async () => {
  sandbox = await startSandbox()
})
afterAll(() => sandbox.close())
beforeEach(async () => {
  world = await sandbox.world()
})

/** A transaction that was paid and then refunded in two parts: three webhooks, all delivered. */
async function threeWebhooks(callbackUrl: string): Promise<string> {
  const id = await sell(world, callbackUrl)
  await world.trigger(id, 'confirm')
  await world.settle()
  await world.trigger(id, 'refund', { amount: 1_000 })
  await world.settle()
  await world.trigger(id, 'refund')
  await world.settle()
  return id
}

describe('next', () => {
  test('takes each message once, in order', async () => {
    await threeWebhooks(world.inbox('shop').url)
    const taken = [
      await world.inbox('shop').next(),
      await world.inbox('shop').next(),
      await world.inbox('shop').next(),
    ]
    expect(taken.map(({ n }) => n)).toEqual([1, 2, 3])
    await expect(world.inbox('shop').next(undefined, { within: '0ms' })).rejects.toMatchObject({
      code: 'no_message',
    })
  })

  test('takes by type and leaves the others for later', async () => {
    const shop = world.inbox('shop')
    await threeWebhooks(shop.url)
    expect((await shop.next('payment.refunded')).n).toBe(3)
    expect((await shop.next()).n).toBe(1)
    await expect(shop.next('payment.completed', { within: '0ms' })).rejects.toMatchObject({
      code: 'no_message',
    })
    expect((await shop.next()).n).toBe(2)
    expect((await shop.messages()).map(({ n }) => n)).toEqual([1, 2, 3])
    expect((await shop.messages('payment.refunded')).map(({ n }) => n)).toEqual([3])
  })

  test('waits past messages that were taken for the one that is still to come', async () => {
    const shop = world.inbox('shop')
    const id = await sell(world, shop.url)
    await world.trigger(id, 'confirm')
    await shop.next()
    const coming = shop.next('payment.partially_refunded')
    await world.trigger(id, 'refund', { amount: 1 })
    expect((await coming).json).toMatchObject({ type: 'payment.partially_refunded' })
  })

  test('keeps inboxes apart', async () => {
    await threeWebhooks(world.inbox('one').url)
    await world.inbox('one').next()
    await expect(world.inbox('two').next(undefined, { within: '0ms' })).rejects.toMatchObject({
      code: 'no_message',
    })
  })

  test('takes again after a reset, a restore and in a fork', async () => {
    await threeWebhooks(world.inbox('shop').url)
    await world.inbox('shop').next('payment.completed')
    await world.reset()
    await threeWebhooks(world.inbox('shop').url)
    expect((await world.inbox('shop').next('payment.completed')).n).toBe(1)
    const { restore } = await world.snapshot()
    await restore()
    await threeWebhooks(world.inbox('shop').url)
    expect((await world.inbox('shop').next('payment.completed')).n).toBe(1)
  })

  test.each(['startSandbox', 'connectSandbox'])(
    'hears again after somebody else reset the world of %s',
    async (door) => {
      const mine = door === 'startSandbox' ? world : await connectSandbox(sandbox.url, { world: world.id })
      const other = await connectSandbox(sandbox.url, { world: world.id })
      const shop = mine.inbox('shop')
      await threeWebhooks(shop.url)
      for (const n of [1, 2, 3]) expect((await shop.next()).n).toBe(n)
      await shop.next('payment.refunded', { within: '0ms' }).catch(() => null)
      await other.reset()
      await threeWebhooks(shop.url)
      expect((await shop.next('payment.refunded', { within: '0ms' })).n).toBe(3)
      const { restore } = await other.snapshot()
      await restore()
      await threeWebhooks(shop.url)
      for (const n of [1, 2, 3]) expect((await shop.next(undefined, { within: '0ms' })).n).toBe(n)
      await expect(shop.next(undefined, { within: '0ms' })).rejects.toMatchObject({ code: 'no_message' })
    },
  )

  test('goes on waiting when somebody else resets the world, and takes each message once', async () => {
    const shop = world.inbox('shop')
    await threeWebhooks(shop.url)
    for (const n of [1, 2, 3]) expect((await shop.next()).n).toBe(n)
    const both = Promise.all([shop.next(), shop.next()])
    await (await connectSandbox(sandbox.url, { world: world.id })).reset()
    await threeWebhooks(shop.url)
    expect(new Set((await both).map(({ n }) => n))).toEqual(new Set([1, 2]))
    expect((await shop.next()).n).toBe(3)
  })

  test('says what came and what was sent when nothing more comes', async () => {
    const shop = world.inbox('shop')
    await expect(shop.next('payment.completed', { within: '1ms' })).rejects.toThrow(
      `No payment.completed came into inbox 'shop' within 1ms that was not taken before. It received: nothing. Nothing was sent to it: use ${shop.url} as callbackUrl`,
    )
    await shop.script([500])
    const id = await sell(world, shop.url)
    await world.trigger(id, 'confirm')
    await world.settle()
    await shop.next()
    await expect(shop.next('payment.completed', { within: '1ms' })).rejects.toThrow(
      'Sent to it: payment.completed (scheduled). A retry waits for the world',
    )
  })

  test('refuses a wait that is no duration', async () => {
    await expect(world.inbox('shop').next(undefined, { within: 'soon' })).rejects.toMatchObject({
      code: 'bad_option',
    })
  })
})

test('an address that is told later is that of inboxes that were there before, too', async () => {
  await using behind = await startSandbox()
  const before = await behind.world()
  await behind.setUrl('http://gateway.invalid:4848')
  const shops = [before, behind].map((each) => each.inbox('shop').url)
  expect(shops).toEqual(
    [before.id, 'default'].map((id) => `http://gateway.invalid:4848/_sandbox/worlds/${id}/inbox/shop`),
  )
})

test('a script answers in order, then 204', async () => {
  const shop = world.inbox('shop')
  await shop.script([500, 503])
  const id = await sell(world, shop.url)
  await world.trigger(id, 'confirm')
  await world.clock.advance('10s')
  expect((await shop.messages()).map(({ answered, attempt }) => [attempt, answered])).toEqual([
    [1, 500],
    [2, 503],
    [3, 204],
  ])
})

test('a script can answer with more than a status, or not at all', async () => {
  const shop = world.inbox('shop')
  await shop.script([{ reset: true }, { status: 503, delayMs: 1 }, { location: '/elsewhere' }])
  const id = await sell(world, shop.url)
  await world.trigger(id, 'confirm')
  await world.clock.advance('10s')
  expect((await shop.messages()).map(({ answered, behaviour }) => [answered, behaviour])).toEqual([
    [null, 'reset'],
    [503, 'delayed'],
    [302, 'redirected'],
  ])
})

test('a script that contradicts itself is refused', async () => {
  const refused = world.inbox('shop').script([{ hang: true, status: 500 }])
  await expect(refused).rejects.toMatchObject({
    code: 'sandbox_bad_request',
    message: expect.stringContaining('status does not go with it'),
  })
})

test('a message says what is wrong with its signature', async () => {
  const shop = world.inbox('shop')
  const headers = { 'X-Service-Signature': 'sha256=00' }
  await world.fetch(shop.url, { method: 'POST', body: '{"data":{"id":"x"}}', headers })
  expect(await shop.next()).toMatchObject({ signature: 'invalid', why: expect.stringContaining('under x') })
})
