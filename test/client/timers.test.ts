// Checks that the fake timers of a test process follow a world: renewal and signature age are really tested.
import sinon from 'sinon'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { connectSandbox, startSandbox } from '../../src/index.ts'
import { post, sell, tokenOf } from './shop.ts'
import { builtCommand } from '../cli/command.ts'
import { openReceiver } from '../support/server.ts'
import type { Sandbox, SandboxWorld } from '../../src/index.ts'

const START = '2030-01-01T12:00:00.000Z'
const MINUTE = 60_000

let sandbox: Sandbox
let world: SandboxWorld

beforeAll(async () => {
  sandbox = await startSandbox()
})
afterAll(() => sandbox.close())
beforeEach(async () => {
  world = await sandbox.world({ clock: START })
})
afterEach(() => {
  vi.useRealTimers()
  sinon.restore()
})

/** What an app would have: a token that it renews some time before it expires. */
function createRenewer(): { token: () => string; renewedAt: string[]; failed: unknown[] } {
  let token = ''
  const renewedAt: string[] = []
  const failed: unknown[] = []
  const renew = async (): Promise<void> => {
    const { publicKey, secretKey, url } = world
    const response = await fetch(`${url}/v1/auth/token`, {
      method: 'POST',
      body: JSON.stringify({ publicKey, secretKey }),
    })
    const { data } = (await response.json()) as { data: { accessToken: string; expiresIn: number } }
    token = data.accessToken
    renewedAt.push(new Date().toISOString())
    expect(response.headers.get('x-sandbox-now')).toBe(new Date().toISOString())
    setTimeout(
      () => void renew().catch((error: unknown) => failed.push(error)),
      (data.expiresIn - 300) * 1000,
    )
  }
  setTimeout(() => void renew().catch((error: unknown) => failed.push(error)), 0)
  return { token: () => token, renewedAt, failed }
}

const INSTALLERS = [
  ['vi.useFakeTimers()', (): undefined => void vi.useFakeTimers()],
  ['sinon.useFakeTimers()', () => sinon.useFakeTimers({ toNotFake: ['nextTick', 'queueMicrotask'] })],
] as const

describe.each(INSTALLERS)('with %s', (_, install) => {
  test('the process shows the time of the world at once, and after every advance', async () => {
    install()
    using driven = await world.clock.driveTimers()
    expect(new Date().toISOString()).toBe(START)
    await world.clock.advance('90m')
    expect(new Date().toISOString()).toBe('2030-01-01T13:30:00.000Z')
    await world.clock.advance({ to: '2030-01-02T00:00:00Z' })
    expect(Date.now()).toBe((await world.clock.now()).getTime())
    driven.stop()
    await world.clock.advance('1h')
    expect(new Date().toISOString()).toBe('2030-01-02T00:00:00.000Z')
  })

  test('an app renews its token in time through hours of world time', async () => {
    install()
    await world.clock.driveTimers()
    const app = createRenewer()
    await world.clock.advance('3h')
    expect(app.failed).toEqual([])
    expect(app.renewedAt).toEqual([
      START,
      '2030-01-01T12:55:00.000Z',
      '2030-01-01T13:50:00.000Z',
      '2030-01-01T14:45:00.000Z',
    ])
    await expect(
      post(world, '/v1/transactions', { method: 'Pix', amount: 100 }, app.token()),
    ).resolves.toBeDefined()
  })

  test('an app that does not renew is refused, at the instant at which the token ends', async () => {
    install()
    await world.clock.driveTimers()
    const token = await tokenOf(world)
    const refused: string[] = []
    const timer = setInterval(() => {
      post(world, '/v1/transactions', { method: 'Pix', amount: 100 }, token).catch(() =>
        refused.push(new Date().toISOString()),
      )
    }, 20 * MINUTE)
    await world.clock.advance('1h')
    clearInterval(timer)
    expect(refused).toEqual(['2030-01-01T13:00:00.000Z'])
  })

  test('a webhook and its retries arrive while the process shows their instants', async () => {
    install()
    await world.clock.driveTimers()
    const ages: number[] = []
    const answer =
      (status: number) =>
      (
        request: { headers: Record<string, unknown> },
        response: { writeHead(s: number): { end(): void } },
      ) => {
        ages.push(Date.now() - Date.parse(String(request.headers['x-sandbox-now'])))
        response.writeHead(status).end()
      }
    const receiver = await openReceiver(answer(500), answer(500), answer(204))
    await sell(world, receiver.url)
    const { attempts } = await world.clock.advance('31m')
    await receiver.close()
    expect(attempts.map(({ at }) => at)).toEqual([
      '2030-01-01T12:30:00.000Z',
      '2030-01-01T12:30:02.000Z',
      '2030-01-01T12:30:06.000Z',
    ])
    expect(ages).toEqual([0, 0, 0])
  })

  test('a timer at the instant of a job fires after it', async () => {
    install()
    await world.clock.driveTimers()
    const id = await sell(world)
    const seen: string[] = []
    setTimeout(() => void world.transactions.get(id).then(({ status }) => seen.push(status)), 30 * MINUTE)
    setTimeout(() => void world.transactions.get(id).then(({ status }) => seen.push(status)), 30 * MINUTE - 1)
    await world.clock.advance('31m')
    expect(seen).toEqual(['Pending', 'Expired'])
  })

  test('toNext stops at a timer of the process or a job of the world, whichever is first', async () => {
    install()
    await world.clock.driveTimers()
    await sell(world)
    const fired = vi.fn<() => void>()
    setTimeout(fired, 10 * MINUTE)
    expect((await world.clock.advance({ toNext: true })).to).toBe('2030-01-01T12:10:00.000Z')
    expect(fired).toHaveBeenCalledTimes(1)
    const { ran, to } = await world.clock.advance({ toNext: true })
    expect([to, ran.map(({ job }) => job)]).toEqual(['2030-01-01T12:30:00.000Z', ['expireTransaction']])
  })

  test('gives up on an interval that is too short, and says so', async () => {
    install()
    await world.clock.driveTimers({ maxSteps: 50, quietMs: 0 })
    const timer = setInterval(() => undefined, 1)
    await expect(world.clock.advance('1h')).rejects.toMatchObject({ code: 'sandbox_too_many_jobs' })
    clearInterval(timer)
  })
})

describe('against a server in another process', () => {
  const { started } = builtCommand()

  test.each(INSTALLERS)('%s follows for hours: no timer of the client is among them', async (_, install) => {
    const { told } = await started(['--clock', START])
    const remote = await connectSandbox(told.url)
    install()
    await remote.clock.driveTimers()
    const ticks: string[] = []
    const timer = setInterval(() => {
      ticks.push(new Date().toISOString())
      void remote.transactions.list()
    }, 20 * MINUTE)
    for (const step of ['1m', '59m', '2h']) await remote.clock.advance(step)
    clearInterval(timer)
    expect(ticks).toHaveLength(9)
    expect(new Date().toISOString()).toBe('2030-01-01T15:00:00.000Z')
    expect(await remote.clock.now()).toEqual(new Date())
  })
})

test('the world leads: what the timers did by themselves, a restore and a freeze are put right', async () => {
  vi.useFakeTimers()
  await world.clock.driveTimers()
  const { restore } = await world.snapshot()
  await vi.advanceTimersByTimeAsync(10 * MINUTE)
  expect((await world.clock.advance('1m')).to).toBe('2030-01-01T12:01:00.000Z')
  await world.clock.advance('1h')
  await restore()
  expect((await world.clock.advance('1m')).to).toBe('2030-01-01T12:01:00.000Z')
  expect(new Date().toISOString()).toBe('2030-01-01T12:01:00.000Z')
  await world.clock.freeze('2030-01-02T00:00:00Z')
  expect(new Date().toISOString()).toBe('2030-01-02T00:00:00.000Z')
})

test('timers that are installed anew are followed, and none when there are none', async () => {
  vi.useFakeTimers()
  await world.clock.driveTimers()
  vi.useRealTimers()
  await world.clock.advance('1m')
  vi.useFakeTimers()
  const fired = vi.fn<() => void>()
  await world.clock.advance('1m')
  setTimeout(fired, MINUTE)
  await world.clock.advance('2m')
  expect(fired).toHaveBeenCalledTimes(1)
  expect(new Date().toISOString()).toBe('2030-01-01T12:04:00.000Z')
})

test('two worlds cannot lead the same timers', async () => {
  vi.useFakeTimers()
  const driven = await world.clock.driveTimers()
  const other = await sandbox.world({ clock: START })
  await expect(other.clock.driveTimers()).rejects.toMatchObject({
    code: 'bad_option',
    message: expect.stringContaining(`follow world '${world.id}'`),
  })
  driven.stop()
  await other.clock.driveTimers()
})

test('a Date that alone is fake follows too', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  await world.clock.driveTimers()
  await world.clock.advance('1d')
  expect(new Date().toISOString()).toBe('2030-01-02T12:00:00.000Z')
})

test('the clock of sinon can be named', async () => {
  const clock = sinon.useFakeTimers({ toNotFake: ['nextTick', 'queueMicrotask'] })
  await world.clock.driveTimers({ clock })
  await world.clock.advance('1s')
  expect(clock.now).toBe(Date.parse(START) + 1_000)
})

test('without fake timers, or with a clock that flows, it says what to do', async () => {
  await expect(world.clock.driveTimers()).rejects.toMatchObject({
    code: 'bad_option',
    message: expect.stringContaining('vi.useFakeTimers()'),
  })
  vi.useFakeTimers()
  await world.clock.flow()
  await expect(world.clock.driveTimers()).rejects.toMatchObject({
    code: 'bad_option',
    message: expect.stringContaining('flows'),
  })
})

test('fakes that stop every socket are refused before anything hangs', async () => {
  const clock = sinon.useFakeTimers()
  const refused = world.clock.driveTimers()
  clock.restore()
  await expect(refused).rejects.toMatchObject({
    code: 'bad_option',
    message: expect.stringContaining("toNotFake: ['nextTick', 'queueMicrotask']"),
  })
})

test('a refused advance leaves the process where it was', async () => {
  vi.useFakeTimers()
  await world.clock.driveTimers()
  await expect(world.clock.advance('soon')).rejects.toMatchObject({ code: 'bad_option' })
  await expect(world.clock.advance({ to: '2020-01-01T00:00:00Z' })).rejects.toMatchObject({
    code: 'sandbox_clock_backwards',
  })
  expect(new Date().toISOString()).toBe(START)
})
