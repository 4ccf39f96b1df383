// Checks the live feed over a socket: that each kind of thing arrives, in order, and that a client that left is not listened for.
import { expect, test } from 'vitest'
import { createPix, START } from '../support/sandbox.ts'
import { receive, serve } from './servers.ts'
import type { RunningWorld } from '../../src/world/runningWorld.ts'
import type { TestServer } from '../support/server.ts'

interface Told {
  event: string
  data: Record<string, unknown>
}

/** Counts the listeners of a world, and tells when the last one that there is leaves. */
function watchListeners(world: RunningWorld): { open: () => number; left: Promise<void> } {
  const listen = world.feed.listen
  let open = 0
  let leave = (): void => undefined
  const left = new Promise<void>((resolve) => {
    leave = resolve
  })
  world.feed.listen = (listener, closed) => {
    open += 1
    const stop = listen(listener, closed)
    let stopped = false
    return () => {
      stop()
      if (stopped) return
      stopped = true
      open -= 1
      if (open === 0) leave()
    }
  }
  return { open: () => open, left }
}

/** A client of the live feed. */
async function follow({ url }: TestServer, path = '/_sandbox/events') {
  const leaving = new AbortController()
  const response = await fetch(url + path, { signal: leaving.signal })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let text = ''
  const told: Told[] = []
  return {
    told,
    leave: () => leaving.abort(),
    /** Reads on until something is told; answers it. */
    async until(wanted: (item: Told) => boolean): Promise<Told> {
      for (let seen = 0; ;) {
        for (; seen < told.length; seen++) {
          const item = told[seen]
          if (item && wanted(item)) return item
        }
        const { done, value } = await reader.read()
        if (done) throw new Error(`the stream ended after ${JSON.stringify(told)}`)
        text += decoder.decode(value, { stream: true })
        const blocks = text.split('\n\n')
        text = blocks.pop() ?? ''
        for (const block of blocks) {
          const event = /^event: (.*)$/m.exec(block)?.[1] ?? ''
          told.push({ event, data: JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? '{}') })
        }
      }
    },
  }
}

test('the feed delivers calls, transitions, deliveries, attempts and the clock, in order', async () => {
  const server = await serve()
  const receiver = await receive(500)
  const feed = await follow(server)
  expect(await feed.until(({ event }) => event === 'open')).toEqual({
    event: 'open',
    data: { world: 'default' },
  })
  const { id } = await createPix(server, { callbackUrl: receiver.url })
  await server.control('POST', '/trigger', { on: id, do: 'confirm' })
  await server.control('POST', '/settle')
  await server.control('POST', '/clock/advance', { by: '2s' })
  await feed.until(({ event, data }) => event === 'attempt' && data['number'] === 2 && data['status'] === 204)
  const facts = feed.told.map(({ event, data }) => [event, data['operation'] ?? data['on'] ?? data['type']])
  expect(facts.slice(0, 6)).toEqual([
    ['open', undefined],
    ['call', 'createToken'],
    ['transition', 'create'],
    ['call', 'createTransaction'],
    ['transition', 'confirm'],
    ['delivery', 'payment.completed'],
  ])
  const kinds = new Set(feed.told.map(({ event }) => event))
  expect([...kinds].toSorted()).toEqual(['attempt', 'call', 'clock', 'delivery', 'open', 'transition'])
  const call = feed.told.find(({ data }) => data['operation'] === 'createTransaction')
  expect(call?.data).toMatchObject({
    at: START,
    method: 'POST',
    path: '/v1/transactions',
    status: 201,
    code: null,
  })
  const transition = feed.told.find(({ data }) => data['on'] === 'confirm')
  expect(transition?.data).toMatchObject({
    machine: 'transaction',
    subject: id,
    from: 'Pending',
    to: 'Completed',
  })
  feed.leave()
})

test('the feed says that faults, rules, knobs or the whole world were changed', async () => {
  const server = await serve()
  const feed = await follow(server)
  await feed.until(({ event }) => event === 'open')
  const rule = { when: { event: 'payment.completed' }, do: { fault: { on: {}, do: { status: 500 } } } }
  const steps: [method: string, path: string, body: unknown, changed: string[]][] = [
    ['POST', '/faults', { on: {}, do: { status: 500 } }, ['faults']],
    ['DELETE', '/faults', {}, ['faults']],
    ['DELETE', '/faults', {}, []],
    ['POST', '/deliveries/hold', {}, ['faults']],
    ['POST', '/deliveries/release', {}, ['faults']],
    ['POST', '/rules', rule, ['rules']],
    ['DELETE', '/rules', {}, ['rules']],
    ['PATCH', '/silences', { 'TX-25': null }, ['silences']],
    ['PUT', '/snapshots/here', {}, []],
    ['POST', '/snapshots/here/restore', {}, ['world']],
    ['POST', '/reset', {}, ['world']],
  ]
  for (const [method, path, body] of steps) {
    expect((await server.control(method, path, body)).status, `${method} ${path}`).toBeLessThan(300)
  }
  await feed.until(({ data }) => data['changed'] === 'world')
  await server.send('GET', '/health')
  await feed.until(({ event }) => event === 'call')
  const told = feed.told.filter(({ event }) => event === 'setup').map(({ data }) => data['changed'])
  expect(told).toEqual(steps.flatMap(([, , , changed]) => changed))
  feed.leave()
})

test('a client that leaves is not listened for any more, and another one goes on', async () => {
  const server = await serve()
  const listeners = watchListeners(server.world)
  const [one, two] = [await follow(server), await follow(server)]
  for (const each of [one, two]) await each.until(({ event }) => event === 'open')
  expect(listeners.open()).toBe(2)
  one.leave()
  await server.send('GET', '/health')
  await two.until(({ data }) => data['operation'] === 'getHealth')
  two.leave()
  await listeners.left
  expect(listeners.open()).toBe(0)
  expect((await server.send('GET', '/health')).status).toBe(200)
})

test('a client hears of its own world only', async () => {
  const server = await serve()
  const other = (await server.control('POST', '/worlds', { id: 'other' })).body
  const feed = await follow(server, '/_sandbox/worlds/other/events')
  expect((await feed.until(({ event }) => event === 'open')).data).toEqual({ world: 'other' })
  await server.send('GET', '/health')
  await server.token(other.publicKey, other.secretKey)
  await feed.until(({ event }) => event === 'call')
  expect(feed.told.map(({ data }) => data['operation'])).toEqual([undefined, 'createToken'])
  feed.leave()
})

test('a client that reads slowly still gets everything, in order', async () => {
  const server = await serve()
  const feed = await follow(server)
  for (let count = 0; count < 200; count++) await server.send('GET', '/health')
  const wanted = (item: Told): boolean => item.data['id'] === 'x200'
  await feed.until(wanted)
  const ids = feed.told.flatMap(({ event, data }) => (event === 'call' ? [data['id']] : []))
  expect(ids).toEqual(Array.from({ length: 200 }, (_, index) => `x${index + 1}`))
  feed.leave()
})

test('what is told holds no secret', async () => {
  const server = await serve()
  const feed = await follow(server)
  const number = ['4111', '1111', '1111', '1111'].join('')
  await server.call('POST', '/v1/card-tokenize', { cardNumber: number })
  await server.call('GET', `/v1/transactions/${number}`)
  await server.send('GET', '/health')
  await feed.until(({ data }) => data['operation'] === 'getHealth')
  const text = JSON.stringify(feed.told)
  expect(text).not.toContain(number)
  expect(text).not.toContain('sk_sandbox')
  feed.leave()
})

test('a server that closes ends the feed', async () => {
  const server = await serve()
  const feed = await follow(server)
  await feed.until(({ event }) => event === 'open')
  await server.close()
  await expect(feed.until(({ event }) => event === 'never')).rejects.toThrow(/terminated|ended/)
})
