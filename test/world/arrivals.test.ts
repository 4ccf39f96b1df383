// Owns the proof that a call of the gateway keeps its world from being settled from its arrival to its answer.
import { describe, expect, test } from 'vitest'
import { arrive } from '../../src/world/arrivals.ts'
import { settle as settleWorld } from '../../src/world/settle.ts'
import { callRaw, postText } from '../support/rawClient.ts'
import { createPix, openSandbox } from '../support/sandbox.ts'
import { openReceiver } from '../support/server.ts'
import { promised, roundTrips, serve, trigger, untilEnd } from '../webhooks/byHand.ts'
import type { Millis } from '../../src/kernel/brands.ts'
import type { RunningWorld } from '../../src/world/runningWorld.ts'
import type { RawCall } from '../support/rawClient.ts'
import type { Answered } from '../support/sandbox.ts'
import type { TestServer } from '../support/server.ts'

const PIX = '{"method":"Pix","amount":100}'

/** Settles as things are now, or with more time. */
const settle = (server: TestServer, path = '', timeoutMs = 0): Promise<Answered> =>
  server.control('POST', `${path}/settle`, { timeoutMs })

/** Kept once a call has arrived in a world. */
function arrival({ answering }: RunningWorld): Promise<void> {
  return new Promise((resolve) => {
    const add = answering.add.bind(answering)
    answering.add = (call) => {
      resolve()
      return add(call)
    }
  })
}

/** A call with all of its head and half of its body, once it has arrived. */
async function stalled(
  server: TestServer,
  path: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<{ call: RawCall; rest: string }> {
  const arrived = arrival(server.world)
  const half = Math.floor(body.length / 2)
  const announced = Buffer.byteLength(body)
  const call = callRaw(server.url, postText(path, body.slice(0, half), { headers, announced }))
  await arrived
  await roundTrips(server)
  return { call, rest: body.slice(half) }
}

describe('a call whose body is still coming in', () => {
  async function stalledSale(): Promise<{ server: TestServer; call: RawCall; rest: string }> {
    const server = await serve()
    const headers = { Authorization: `Bearer ${await server.token()}` }
    return { server, ...(await stalled(server, '/v1/transactions', PIX, headers)) }
  }

  test('keeps its world from being settled, which says so and what to do', async () => {
    const { server } = await stalledSale()
    const { status, body } = await settle(server)
    expect([status, body]).toEqual([
      412,
      {
        settled: false,
        held: [],
        unusedFaults: [],
        open: [
          {
            kind: 'exchange',
            id: 'POST /v1/transactions',
            why: 'its body is still coming in',
            hint: 'Let the caller send the rest of the body, or end its connection.',
          },
        ],
        waiting: [],
      },
    ])
  })

  test('is waited for until it is answered', async () => {
    const { server, call, rest } = await stalledSale()
    const settled = settle(server, '', 60_000)
    await roundTrips(server)
    call.send(rest)
    expect(await call.until(/"Pending"/)).toMatch(/^HTTP\/1\.1 201 /)
    const { status, body } = await settled
    expect([status, body.waiting.length]).toEqual([200, 1])
  })

  test('is waited for no longer once its caller is gone', async () => {
    const { server, call } = await stalledSale()
    const settled = settle(server, '', 60_000)
    call.leave()
    expect((await settled).status).toBe(200)
    expect((await settle(server)).status).toBe(200)
  })

  test('does not keep another world from being settled', async () => {
    const { server } = await stalledSale()
    await server.control('POST', '/worlds', { id: 'other' })
    expect((await settle(server, '/worlds/other')).status).toBe(200)
  })

  test('is one that a receiver makes because of its webhook', async () => {
    const server = await serve()
    const token = await server.token()
    const refunding = promised<{ call: RawCall; rest: string }>()
    const receiver = untilEnd(
      await openReceiver(async (_, response) => {
        const headers = { Authorization: `Bearer ${token}` }
        refunding.keep(await stalled(server, '/v1/transactions', PIX, headers))
        response.writeHead(204).end()
      }),
    )
    const { id } = await createPix(server, { callbackUrl: receiver.url })
    await trigger(server, id, 'confirm')
    const settled = settle(server, '', 60_000)
    const { call, rest } = await refunding.promise
    await roundTrips(server)
    call.send(rest)
    expect((await settled).body.waiting).toMatchObject([{ job: 'expireTransaction' }])
  })
})

describe('a call for a token, while its keys are not read', () => {
  const KEYS = '{"publicKey":"pk_sandbox_other","secretKey":"sk_sandbox_other"}'

  async function stalledToken(): Promise<{ server: TestServer; call: RawCall; rest: string }> {
    const server = await serve()
    await server.control('POST', '/worlds', { id: 'other' })
    return { server, ...(await stalled(server, '/v1/auth/token', KEYS)) }
  }

  test('keeps every world from being settled', async () => {
    const { server } = await stalledToken()
    for (const path of ['', '/worlds/other']) {
      const { status, body } = await settle(server, path)
      expect([status, body.open]).toEqual([
        412,
        [
          {
            kind: 'exchange',
            id: 'POST /v1/auth/token',
            why: 'its body is still coming in; until it names a key, it may be a call of any world',
            hint: 'Let the caller send the rest of the body, or end its connection.',
          },
        ],
      ])
    }
  })

  test('is waited for by all, and by none once it is answered', async () => {
    const { server, call, rest } = await stalledToken()
    const settled = ['', '/worlds/other'].map((path) => settle(server, path, 60_000))
    await roundTrips(server)
    call.send(rest)
    expect((await Promise.all(settled)).map(({ status }) => status)).toEqual([200, 200])
    expect(await call.until(/accessToken/)).toMatch(/^HTTP\/1\.1 200 /)
  })

  test('is waited for by none once its caller is gone', async () => {
    const { server, call } = await stalledToken()
    const settled = ['', '/worlds/other'].map((path) => settle(server, path, 60_000))
    call.leave()
    expect((await Promise.all(settled)).map(({ status }) => status)).toEqual([200, 200])
  })
})

describe('an arrival', () => {
  const FACTS = { operation: 'createToken', method: 'POST', path: '/v1/auth/token' }

  /** Two worlds, and how often those who wait for a change of each were woken. */
  function twoWorlds() {
    const { worlds, world: first } = untilEnd(openSandbox())
    const second = worlds.create({ id: 'other' })
    const woken = [first, second].map(({ watchers }) => {
      const count = { times: 0 }
      watchers.add(() => {
        count.times += 1
      })
      return count
    })
    const counts = (): number[] => [first, second].map(({ answering }) => answering.size)
    return { worlds, first, second, woken: () => woken.map(({ times }) => times), counts }
  }

  test('stands in every world until one is named, then in that one, then in none', () => {
    const { worlds, second, counts } = twoWorlds()
    const open = arrive(worlds, null, FACTS)
    expect(counts()).toEqual([1, 1])
    open.assign(second)
    expect(counts()).toEqual([0, 1])
    open.leave()
    expect(counts()).toEqual([0, 0])
  })

  test('that turns out to belong elsewhere disturbs nobody', () => {
    const { worlds, second, woken } = twoWorlds()
    const open = arrive(worlds, null, FACTS)
    open.assign(second)
    open.leave()
    expect(woken()).toEqual([0, 1])
  })

  test('that said another world than it is of leaves that world, whose waiters are told', () => {
    const { worlds, first, second, woken, counts } = twoWorlds()
    const open = arrive(worlds, first, FACTS)
    open.assign(second)
    expect([counts(), woken()]).toEqual([
      [0, 1],
      [1, 0],
    ])
  })

  test('lets a world settle as soon as it belongs elsewhere, before it is answered', async () => {
    const { worlds, first, second } = twoWorlds()
    const open = arrive(worlds, null, FACTS)
    const settled = settleWorld(first, 60_000 as Millis, 0 as Millis)
    open.assign(second)
    expect(await settled).toMatchObject({ settled: true })
    expect(await settleWorld(second, 0 as Millis, 0 as Millis)).toMatchObject({ settled: false })
    open.leave()
  })

  test('that goes before its world is known lets every world settle', async () => {
    const { worlds, first } = twoWorlds()
    const open = arrive(worlds, null, FACTS)
    const settled = settleWorld(first, 60_000 as Millis, 0 as Millis)
    open.leave()
    expect(await settled).toMatchObject({ settled: true })
  })

  test.each([
    ['token', 'its token is being checked'],
    ['body', 'its body is still coming in'],
    ['work', 'a call of createToken is being answered'],
  ] as const)('at the stage %s says so, and goes back to work after it', async (stage, why) => {
    const { worlds, first } = twoWorlds()
    const open = arrive(worlds, first, FACTS)
    const done = promised()
    const at = open.at(stage, () => done.promise)
    expect(await settleWorld(first, 0 as Millis, 0 as Millis)).toMatchObject({
      open: [{ kind: 'exchange', id: 'POST /v1/auth/token', why, hint: expect.stringMatching(/\.$/) }],
    })
    done.keep()
    await at
    expect([...first.answering]).toMatchObject([{ stage: 'work' }])
    open.leave()
  })

  test('shows no secret of its path', () => {
    const { worlds, first } = twoWorlds()
    arrive(worlds, first, { ...FACTS, path: '/v1/transactions/sk_sandbox_default' })
    expect(JSON.stringify([...first.answering].map(({ path }) => path))).not.toContain('sk_sandbox_default')
  })
})
