// Checks that what a fault holds or sends ends well: with its fault, its caller, its world and its server.
import { request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { sell } from '../client/shop.ts'
import { dataOf, merchant, open, receive } from './support.ts'
import type { ReceiverAnswer } from '../support/server.ts'

const ANY = { delivery: {} }

/** An answer of a receiver that waits until it is told. */
function onCommand(): { answer: ReceiverAnswer; arrived: Promise<void>; say: (status: number) => void } {
  let [arrive, say]: [() => void, (status: number) => void] = [() => undefined, () => undefined]
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve
  })
  return {
    arrived,
    say: (status) => say(status),
    answer: (_, response) => {
      say = (status) => response.writeHead(status).end()
      arrive()
    },
  }
}

describe('a call that is held', () => {
  test('is let go by a fault that ends while its webhook is sent first', async () => {
    for (const end of ['clear', 'reset'] as const) {
      const world = await open()
      const shop = await merchant(world)
      const command = onCommand()
      const receiver = await receive(command.answer)
      const id = String(dataOf(await shop.create({ callbackUrl: receiver.url }))['id'])
      await world.faults.arm({ on: ANY, do: { send: 'beforeResponse' } })
      await world.faults.arm({ on: {}, do: { latencyMs: 'untilReleased' } })
      const simulating = shop.simulate(id)
      await command.arrived
      await (end === 'clear' ? world.faults.clear() : world.reset())
      command.say(204)
      expect((await simulating).status).toBe(200)
    }
  })

  test('does not hold its webhook back: it may overtake a slow answer', async () => {
    const world = await open()
    const shop = await merchant(world)
    const receiver = await receive()
    const id = String(dataOf(await shop.create({ callbackUrl: receiver.url }))['id'])
    const { id: fault } = await world.faults.arm({ on: {}, do: { latencyMs: 'untilReleased' } })
    const simulating = shop.simulate(id)
    const inTime = world.exchanges.next({ operation: 'simulateTransaction', after: 0 })
    await inTime
    const feed = world.events()
    for await (const { kind } of feed) if (kind === 'attempt' || receiver.received.length > 0) break
    expect(receiver.received).toHaveLength(1)
    await world.faults.release(fault)
    expect((await simulating).status).toBe(200)
  })

  test('is forgotten when its caller gives up', async () => {
    const world = await open()
    await world.faults.arm({ on: { operation: 'getHealth' }, do: { latencyMs: 'untilReleased' } })
    const sent = request(`${world.url}/health`, { agent: false })
    sent.on('error', () => undefined)
    sent.end()
    await world.exchanges.next({ operation: 'getHealth', after: 0 })
    sent.destroy()
    expect((await world.settle()).settled).toBe(true)
  })
})

describe('sending first', () => {
  test('goes beside the limit of attempts, as those in flight may wait for it', async () => {
    const world = await open()
    const shop = await merchant(world)
    const inner = await receive()
    const outer = await receive(
      ...Array.from({ length: 40 }, (): ReceiverAnswer => async (_, response) => {
        const { status } = await shop.simulate(waiting.pop() ?? '')
        response.writeHead(status ?? 500).end()
      }),
    )
    const waiting: string[] = []
    for (let count = 0; count < 40; count += 1) {
      const later = { callbackUrl: inner.url, pixExpirationMinutes: 60 }
      waiting.push(String(dataOf(await shop.create(later))['id']))
      await shop.create({ callbackUrl: outer.url })
    }
    await world.faults.arm({
      on: { delivery: { type: 'payment.completed' } },
      times: 100,
      do: { send: 'beforeResponse' },
    })
    const { attempts } = await world.clock.advance('31m')
    const statuses = attempts.filter(({ type }) => type === 'payment.expired').map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([200]))
  })
})

describe('a release', () => {
  test('stops when the world begins anew, and touches nothing of its new life', async () => {
    const world = await open()
    const command = onCommand()
    const receiver = await receive(command.answer)
    await world.deliveries.hold()
    for (let count = 0; count < 2; count += 1) await world.trigger(await sell(world, receiver.url), 'confirm')
    const releasing = Promise.allSettled([world.deliveries.release()])
    await command.arrived
    await world.reset()
    expect(await releasing).toMatchObject([{ status: 'rejected', reason: { code: 'sandbox_not_held' } }])
    expect(await world.deliveries.list()).toEqual([])
    expect(receiver.received).toHaveLength(1)
  })

  test('leaves other holding faults armed', async () => {
    const world = await open()
    const own = await world.faults.arm({
      on: { delivery: { type: 'payment.refunded' } },
      do: { send: 'held' },
    })
    await world.deliveries.hold()
    await world.deliveries.release()
    expect((await world.faults.list()).map(({ id }) => id)).toEqual([own.id])
  })
})

describe('what a fault sends', () => {
  test('very large reaches an inbox, too', async () => {
    const world = await open()
    const shop = world.inbox('shop')
    const id = await sell(world, shop.url, { description: 'Pão de açúcar' })
    await world.faults.arm({ on: ANY, do: { body: 'large' } })
    await world.trigger(id, 'confirm')
    expect(await shop.next()).toMatchObject({ signature: 'valid', answered: 204 })
  })

  test('with a changed body can be held as well', async () => {
    const world = await open()
    const shop = world.inbox('shop')
    const id = await sell(world, shop.url)
    await world.deliveries.hold()
    await world.faults.arm({ on: ANY, do: { type: 'payment.teleported' } })
    await world.trigger(id, 'confirm')
    const { held } = await world.settle()
    expect(held).toHaveLength(1)
    await world.deliveries.release(held)
    expect((await shop.next()).json).toMatchObject({ type: 'payment.teleported' })
  })

  test('many times over never has more than the limit in flight', async () => {
    const world = await open()
    let [now, most] = [0, 0]
    const answer: ReceiverAnswer = (_, response) => {
      now += 1
      most = Math.max(most, now)
      response.on('close', () => {
        now -= 1
      })
      response.writeHead(204).end()
    }
    const receiver = await receive(...Array.from({ length: 310 }, () => answer))
    await world.faults.arm({ on: ANY, times: 3, do: { duplicates: 100 } })
    for (let count = 0; count < 3; count += 1) await world.trigger(await sell(world, receiver.url), 'confirm')
    await world.settle({ timeoutMs: 60_000 })
    expect(receiver.received).toHaveLength(303)
    expect(most).toBeLessThanOrEqual(32)
  })
})

test('chance of a lost answer does not depend on which receiver answers first', async () => {
  const runs: string[][] = []
  for (const order of [0, 1]) {
    const world = await open()
    const [one, two] = [onCommand(), onCommand()]
    const receivers = [await receive(one.answer), await receive(two.answer)]
    await world.faults.arm({ on: ANY, times: 100, probability: 0.5, do: { answer: 'lost' } })
    const ids: string[] = []
    for (const receiver of receivers) ids.push(await sell(world, receiver.url))
    for (const id of ids) await world.trigger(id, 'confirm')
    const commands = order === 0 ? [one, two] : [two, one]
    for (const command of commands) {
      await command.arrived
      command.say(204)
    }
    await world.settle()
    const found = await Promise.all(ids.map(async (id) => (await world.deliveries.list({ subject: id }))[0]))
    runs.push([...found.map((each) => each?.status ?? ''), await sell(world)])
  }
  expect(runs[1]).toEqual(runs[0])
})

test('a world that varies repeats itself after a reset', async () => {
  const sandbox = await open({ vary: 'again' })
  const read = async (): Promise<string[]> => {
    const texts: string[] = []
    for (let count = 0; count < 4; count += 1) texts.push(await (await sandbox.fetch('/health')).text())
    return texts
  }
  await sandbox.reset()
  const first = await read()
  await sandbox.reset()
  expect(await read()).toEqual(first)
  expect(new Set(first).size).toBeGreaterThan(1)
})
