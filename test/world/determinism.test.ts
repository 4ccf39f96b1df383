// Owns the proof that a world repeats itself: equal seed, clock, id, address and calls give equal bytes.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fireByHand } from '../../src/control/triggers.ts'
import { parseClockStart } from '../../src/world/clockStart.ts'
import { saveText } from '../../src/world/snapshots.ts'
import { startServer } from '../../src/server.ts'
import { clientOf, createPix, openSandbox, START } from '../support/sandbox.ts'
import { fakeHost } from '../support/fakeHost.ts'
import { commands, openSteadyReceiver, perform } from './commands.ts'
import { settle, untilEnd } from '../webhooks/byHand.ts'
import type { ServerOptions } from '../../src/server.ts'
import type { Answered, TestSandbox } from '../support/sandbox.ts'
import type { Told } from './commands.ts'

/** Everything that a server told, from its start to its end: each answer with its headers and its bytes. */
interface Life {
  port: number
  answers: string[]
  snapshot: string
}

/** Makes the same calls to a fresh server, with webhooks over sockets into an inbox of its own. */
async function live(options: ServerOptions): Promise<Life> {
  const server = await startServer({ clock: parseClockStart(START), time: fakeHost(), ...options })
  const answers: string[] = []
  // Without a socket: the pool of the host's fetch would try connections of the server that had the port before.
  const client = clientOf(server.url, async (request) => {
    const response = await server.fetch(request)
    const { status, headers } = response
    answers.push([status, ...[...headers].flat(), await response.clone().text()].join('\n'))
    return response
  })
  try {
    await callsOfADay(client, server.url)
    return { port: Number(new URL(server.url).port), answers, snapshot: saveText(server.worlds.default) }
  } finally {
    await server.close()
  }
}

type Client = Pick<TestSandbox, 'send' | 'control' | 'token'>

async function callsOfADay({ send, control, token }: Client, url: string): Promise<void> {
  const accessToken = await token()
  const call = async (method: string, path: string, body?: unknown): Promise<Answered['body']> =>
    (await send(method, path, { token: accessToken, body })).body

  await control('GET', '/worlds')
  await control('PUT', '/inboxes/shop', { answers: [500, 204, 500, 500, 500, 204, 500] })
  const callbackUrl = `${url}/_sandbox/worlds/default/inbox/shop`
  const ana = await call('POST', '/v1/customers', { name: 'Ana', email: 'ana@example.com' })
  const ids: string[] = []
  for (const [amount, customerId] of [
    [100, ana.data.id],
    [12_990, undefined],
    [777, undefined],
  ]) {
    const made = await call('POST', '/v1/transactions', { method: 'pix', amount, customerId, callbackUrl })
    ids.push(made.data.id)
  }
  await call('GET', `/v1/transactions/${ids[0]}`)
  await call('POST', `/v1/transactions/${ids[0]}/simulate`, { action: 'complete' })
  await control('POST', '/settle', {})
  await control('POST', '/clock/advance', { by: '1m' })
  await control('POST', '/trigger', { on: ids[1], do: 'confirm' })
  await control('POST', '/settle', {})
  await control('POST', '/trigger', { on: ids[1], do: 'refund', amount: 5 })
  await control('POST', '/settle', {})
  await control('POST', '/clock/advance', { by: '31m' })
  await call('POST', `/v1/transactions/${ids[2]}/simulate`, { action: 'complete' })
  await call('GET', '/v1/transactions')
  await call('GET', '/v1/transactions/none')
  await control('GET', '/inboxes/shop/messages')
  await control('GET', '/deliveries')
  await control('GET', '/journal')
  await control('POST', '/worlds', {})
  await control('POST', '/fork', {})
  await control('POST', '/credentials', {})
  await control('GET', '/silences')
  await control('GET', '/jobs')
  await token('pk_sandbox_w1')
  await token('pk_sandbox_w2')
}

describe('two servers with the same seed, clock and address', () => {
  test('give equal bytes to equal calls: answers, headers, tokens, webhooks in an inbox and snapshots', async () => {
    const first = await live({ port: 0, seed: 'one' })
    const second = await live({ port: first.port, seed: 'one' })
    expect(first.answers.length).toBeGreaterThan(25)
    expect(second.answers).toEqual(first.answers)
    expect(second.snapshot).toBe(first.snapshot)
    expect(first.snapshot).toContain('"delivered"')
    expect(first.snapshot).toContain('"exhausted"')
  })

  test('differ in every id and token when their seeds differ', async () => {
    const first = await live({ port: 0, seed: 'one' })
    const second = await live({ port: first.port, seed: 'two' })
    const idsOf = ({ answers, snapshot }: Life): Set<string> =>
      new Set(
        `${answers.join('\n')} ${snapshot}`.match(/[0-9a-f]{8}-[0-9a-f-]{27}|eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+/g),
      )
    const [ones, twos] = [idsOf(first), idsOf(second)]
    expect(ones.size).toBeGreaterThan(15)
    expect([...ones].filter((id) => twos.has(id))).toEqual([])
  })
})

describe('chance', () => {
  const organization = async (seed: string, body: object): Promise<string> => {
    const server = untilEnd(openSandbox({ seed }))
    return (await server.control('POST', '/worlds', body)).body.organization.id
  }

  test('of a world follows from its own seed, whatever its id and the seed of its server', async () => {
    const first = await organization('x', { id: 'a', seed: 's' })
    expect(await organization('y', { id: 'b', seed: 's' })).toBe(first)
    expect(await organization('x', { id: 'a', seed: 't' })).not.toBe(first)
  })

  test('of a world without a seed follows from the seed of its server and its id', async () => {
    expect(await organization('x', { id: 'a' })).toBe(await organization('x', { id: 'a' }))
    expect(await organization('x', { id: 'a' })).not.toBe(await organization('y', { id: 'a' }))
  })

  test('of one world is not touched by what happens in another', async () => {
    const [busy, idle] = [untilEnd(openSandbox()), untilEnd(openSandbox())]
    for (let times = 0; times < 3; times++) await createPix(busy)
    const made: string[] = []
    for (const { control, token, send } of [busy, idle]) {
      const { body } = await control('POST', '/worlds', { id: 'side' })
      const access = await token(body.publicKey, body.secretKey)
      const sale = { method: 'Pix', amount: 100 }
      made.push(JSON.stringify(await send('POST', '/v1/transactions', { token: access, body: sale })))
    }
    expect(made[0]).toBe(made[1])
  })

  test('is not drawn by calls that are refused', async () => {
    const [refusing, quiet] = [untilEnd(openSandbox()), untilEnd(openSandbox())]
    await Promise.all([refusing.token(), quiet.token()])
    const { id } = await createPix(refusing)
    await createPix(quiet)
    const before = saveText(refusing.world)
    await refusing.call('POST', '/v1/transactions', { method: 'Pix', amount: 1 })
    await refusing.call('POST', '/v1/transactions', { method: 'Pix', amount: 100, customerId: id })
    await refusing.call('POST', '/v1/transactions', { method: 'Pix', amount: 100, metadata: '{' })
    await refusing.call('POST', '/v1/transactions', { method: 'Boleto', amount: 100, customerName: 'Ana' })
    await refusing.call('POST', '/v1/customers', { name: 'Ana' })
    await refusing.call('POST', `/v1/transactions/${id}/simulate`, { action: 'refund' })
    await refusing.send('POST', '/v1/auth/token', {
      body: { publicKey: 'pk_sandbox_default', secretKey: 'no' },
    })
    await refusing.control('POST', '/trigger', { on: id, do: 'refund' })
    await refusing.control('POST', '/trigger', { on: id, do: 'dance' })
    await refusing.control('POST', '/credentials', { organization: id })
    await refusing.control('POST', '/clock/advance', { to: '2000-01-01' })
    await refusing.control('PATCH', '/silences', { 'TX-03': 1 })
    await refusing.control('POST', '/worlds', { id: 'default' })
    await refusing.control('POST', '/worlds', { silences: { 'TX-03': 1 } })
    await refusing.control('POST', '/worlds', { clock: 'soon' })
    await refusing.control('POST', '/fork', { id: 'default' })
    expect(saveText(refusing.world)).toBe(before)
    expect(saveText(quiet.world)).toBe(before)
    const next = [refusing, quiet].map(async ({ control }) => (await control('POST', '/worlds', {})).body)
    expect(JSON.stringify(await next[0])).toBe(JSON.stringify(await next[1]))
  })
})

describe('X-Sandbox-Silences', () => {
  test('does not depend on whether other work happened to be due when a request came', async () => {
    const receiver = untilEnd(await openSteadyReceiver())
    const server = untilEnd(openSandbox())
    const { id } = await createPix(server, { callbackUrl: receiver.url })
    const named = async (): Promise<unknown> =>
      (await server.call('GET', `/v1/transactions/${id}`)).headers.get('x-sandbox-silences')
    const before = await named()
    fireByHand(server.world, id, 'confirm', {})
    expect(await named()).toBe(before)
  })
})

const RUNS = { numRuns: 60 }
const SETTINGS = { silences: { 'AU-13': 'off', 'TX-23': { Pix: 1 } } }

/** What an advance ran of what was due before it depends on how soon after the call before it came. */
function steady(answers: Told[]): string[] {
  return answers.map(({ status, headers, body }) => {
    const advanced = typeof body === 'object' && body !== null && 'attempts' in body && 'totals' in body
    return JSON.stringify([status, headers, advanced ? null : body])
  })
}

describe('any calls', () => {
  test('lead to equal answers and equal worlds in two sandboxes', { timeout: 60_000 }, async () => {
    const receiver = untilEnd(await openSteadyReceiver())
    const life = async (calls: Parameters<typeof perform>[1]): Promise<[string[], string]> => {
      const sandbox = openSandbox(SETTINGS)
      try {
        const answers = steady(await perform(sandbox, calls, receiver.url, []))
        await settle(sandbox)
        expect(sandbox.defects).toEqual([])
        return [answers, saveText(sandbox.world)]
      } finally {
        sandbox.close()
      }
    }
    await fc.assert(
      fc.asyncProperty(commands, async (calls) => {
        const [first, second] = [await life(calls), await life(calls)]
        expect(second[0]).toEqual(first[0])
        expect(second[1]).toBe(first[1])
      }),
      RUNS,
    )
  })

  test('lead to the same again after a restore', { timeout: 60_000 }, async () => {
    const receiver = untilEnd(await openSteadyReceiver())
    await fc.assert(
      fc.asyncProperty(commands, commands, async (before, after) => {
        const sandbox = openSandbox(SETTINGS)
        try {
          const known: string[] = []
          await perform(sandbox, before, receiver.url, known)
          await sandbox.control('PUT', '/snapshots/here', {})
          const life = async (): Promise<[string[], string]> => {
            const answers = steady(await perform(sandbox, after, receiver.url, [...known]))
            await settle(sandbox)
            return [answers, saveText(sandbox.world)]
          }
          const first = await life()
          await sandbox.control('POST', '/snapshots/here/restore', {})
          const second = await life()
          expect(second[0]).toEqual(first[0])
          expect(second[1]).toBe(first[1])
          expect(sandbox.defects).toEqual([])
        } finally {
          sandbox.close()
        }
      }),
      RUNS,
    )
  })

  test('lead to the same again after a reset', { timeout: 60_000 }, async () => {
    const receiver = untilEnd(await openSteadyReceiver())
    await fc.assert(
      fc.asyncProperty(commands, async (calls) => {
        const sandbox = openSandbox(SETTINGS)
        try {
          const life = async (): Promise<[string[], string]> => {
            const answers = steady(await perform(sandbox, calls, receiver.url, []))
            await settle(sandbox)
            return [answers, saveText(sandbox.world)]
          }
          const first = await life()
          await sandbox.control('POST', '/reset', {})
          const second = await life()
          expect(second[0]).toEqual(first[0])
          expect(second[1]).toBe(first[1])
        } finally {
          sandbox.close()
        }
      }),
      RUNS,
    )
  })
})
