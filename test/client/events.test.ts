// Checks the live feed: from when it listens, and every way in which it ends.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connectSandbox, startSandbox } from '../../src/index.ts'
import { sell } from './shop.ts'
import { openReceiver } from '../support/server.ts'
import type { Sandbox, SandboxWorld, WorldEvent } from '../../src/index.ts'
import type { ReceiverAnswer } from '../support/server.ts'

const DOORS = ['startSandbox', 'connectSandbox'] as const

let started: Sandbox
let connected: Sandbox
beforeAll(async () => {
  started = await startSandbox()
  connected = await connectSandbox(started.url)
})
afterAll(() => started.close())

/** The kinds of everything that a feed still tells, up to its end. */
async function kindsOf(feed: AsyncIterable<WorldEvent>): Promise<string[]> {
  const kinds: string[] = []
  for await (const { kind } of feed) kinds.push(kind)
  return kinds
}

/** Reads on until a call made a transaction, the last thing that a sale tells. */
async function pastSale(feed: AsyncIterator<WorldEvent>): Promise<void> {
  for (;;) {
    const { done, value } = await feed.next()
    if (done) throw new Error('the feed ended early')
    if (value['operation'] === 'createTransaction') return
  }
}

describe.each(DOORS)('the feed of a world of %s', (door) => {
  let world: SandboxWorld
  beforeEach(async () => {
    world = await (door === 'startSandbox' ? started : connected).world()
  })

  test('tells what happens between the call and the first look, and ends with the world', async () => {
    const feed = world.events()
    const id = await sell(world)
    await world.trigger(id, 'confirm')
    await world.delete()
    expect(await kindsOf(feed)).toEqual(expect.arrayContaining(['call', 'transition']))
  })

  test('ends when it is told to stop while it waits', async () => {
    const stop = new AbortController()
    const feed = world.events(stop.signal)[Symbol.asyncIterator]()
    await sell(world)
    await pastSale(feed)
    const last = feed.next()
    stop.abort()
    expect(await last).toEqual({ done: true, value: undefined })
  })

  test('tells nothing more once it was told to stop', async () => {
    const stop = new AbortController()
    const feed = world.events(stop.signal)
    await sell(world)
    stop.abort()
    expect(await kindsOf(feed)).toEqual([])
  })

  test('ends at once when it was told to stop before, and asks nobody', async () => {
    expect(await kindsOf(world.events(AbortSignal.abort()))).toEqual([])
    const gone = await (door === 'startSandbox' ? started : connected).world()
    await gone.delete()
    expect(await kindsOf(gone.events(AbortSignal.abort()))).toEqual([])
  })

  test('says at the first look why there is none; until then nothing is rejected', async () => {
    await world.delete()
    const feed = world.events()
    await started.info()
    await expect(kindsOf(feed)).rejects.toMatchObject({ code: 'sandbox_not_found' })
  })
})

test.each(DOORS)('the feed of a world of %s ends with its server', async (door) => {
  const server = await startSandbox()
  const sandbox = door === 'startSandbox' ? server : await connectSandbox(server.url)
  const feed = sandbox.events()[Symbol.asyncIterator]()
  await sell(sandbox)
  await pastSale(feed)
  const last = feed.next()
  await server.close()
  expect(await last).toEqual({ done: true, value: undefined })
})

test('a stream that breaks off in the middle is the end', async () => {
  const pass: ReceiverAnswer = async ({ url }, response) => {
    response.end(await (await fetch(`${started.url}${url}`)).text())
  }
  const server = await openReceiver(pass, pass, (_, response) => {
    response.write('event: call\ndata: {"at":"2030-01-01T12:00:00.000Z"}\n\nevent: ca')
  })
  const sandbox = await connectSandbox(new URL(server.url).origin)
  const feed = sandbox.events()[Symbol.asyncIterator]()
  expect((await feed.next()).value?.kind).toBe('call')
  const last = feed.next()
  await server.close()
  expect(await last).toEqual({ done: true, value: undefined })
})
