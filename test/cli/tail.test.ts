// Checks `tail`: lines for people and for machines, what they show, and how it ends.
import { createServer } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { eventLine } from '../../src/cli/tailLine.ts'
import { paintFor, plain } from '../../src/cli/print.ts'
import { openServer } from '../support/server.ts'
import { builtCommand, PATIENCE_MS } from './command.ts'
import type { AddressInfo } from 'node:net'
import type { WorldEvent } from '../../src/client/events.ts'
import type { Running } from './command.ts'
import type { TestServer } from '../support/server.ts'

const { run, started } = builtCommand()

const opened: TestServer[] = []
afterAll(() => Promise.all(opened.map((each) => each.close())), PATIENCE_MS)

/** A server and a `tail` that watches it. */
async function watching(...args: string[]): Promise<Running & { server: TestServer }> {
  const server = await openServer()
  opened.push(server)
  const { feed } = server.world
  const { listen } = feed
  const listens = new Promise<void>((resolve) => {
    feed.listen = (...given) => {
      resolve()
      return listen(...given)
    }
  })
  const running = run(['tail', ...args], { SANDBOX_URL: server.url })
  await listens
  return { ...running, server }
}

/** A transaction that is paid and told to nobody who listens. */
async function paid({ call, control }: TestServer): Promise<string> {
  const fields = { method: 'Pix', amount: 100, callbackUrl: 'http://127.0.0.1:9/hook' }
  const { body } = await call('POST', '/v1/transactions', fields)
  await control('POST', '/trigger', { on: body.data.id, do: 'confirm' })
  await control('POST', '/settle', {})
  return String(body.data.id)
}

/** Does something again and again until something else has come. */
async function repeatUntil(come: Promise<unknown>, act: () => Promise<unknown>): Promise<void> {
  const state = { over: false }
  const end = come.then(() => {
    state.over = true
  })
  while (!state.over) await act()
  await end
}

describe.concurrent('tail', { timeout: PATIENCE_MS }, () => {
  test('prints one line of JSON for each event where it has no terminal', async () => {
    const { server, lines, child, ended } = await watching()
    const id = await paid(server)
    const events = (await lines(6)).map((line) => JSON.parse(line) as WorldEvent)
    expect(events.map(({ kind }) => kind)).toEqual([
      'call',
      'transition',
      'call',
      'transition',
      'delivery',
      'attempt',
    ])
    expect(events.at(-1)).toMatchObject({ subject: id, number: 1, error: expect.stringContaining('refused') })
    child.kill('SIGINT')
    expect(await ended).toMatchObject({ code: 0, signal: null, stderr: '' })
  })

  test('prints aligned lines for people when it is asked to', async () => {
    const { server, lines, child, ended } = await watching('--readable')
    const id = await paid(server)
    const read = await lines(6)
    expect(read[2]).toBe(
      '2030-01-01 12:00:00.000  call        createTransaction           201  POST /v1/transactions',
    )
    expect(read[3]).toBe(
      `2030-01-01 12:00:00.000  transition  transaction confirm         Pending -> Completed  ${id}`,
    )
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 0, signal: null, stderr: expect.stringMatching(/^Watching/) })
  })

  test('shows only the kinds that are asked for', async () => {
    const { server, lines } = await watching('--kind', 'attempt, clock')
    await paid(server)
    await server.control('POST', '/clock/advance', { by: '1s' })
    const kinds = (await lines(2)).map((line) => (JSON.parse(line) as WorldEvent).kind)
    expect(kinds).toEqual(['attempt', 'clock'])
  })

  test('ends with the server', async () => {
    const { server, lines, ended } = await watching()
    await paid(server)
    await lines(1)
    await server.close()
    expect(await ended).toMatchObject({ code: 0, stderr: '' })
  })

  test('ends also when the server is killed', async () => {
    const { told, child } = await started()
    const { lines, ended } = run(['tail', '--kind', 'clock'], { SANDBOX_URL: told.url })
    await repeatUntil(lines(1), () => fetch(`${told.control}/clock/flow`, { method: 'POST' }))
    child.kill('SIGKILL')
    expect(await ended).toMatchObject({ code: 0, stderr: '' })
  })

  test('ends when nobody reads it any more', async () => {
    const { server, child, ended } = await watching()
    child.stdout?.destroy()
    await repeatUntil(ended, () => server.control('POST', '/clock/flow', {}))
    expect(await ended).toMatchObject({ code: 0, stderr: '' })
  })

  test('ends while it still waits for a server to say what it is', async () => {
    const silent = createServer()
    const reached = new Promise((resolve) => silent.once('connection', resolve))
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as AddressInfo
    const { child, ended } = run(['tail', '--url', `http://127.0.0.1:${port}`])
    await reached
    child.kill('SIGINT')
    expect(await ended).toMatchObject({ code: 0, signal: null, stdout: '', stderr: '' })
    silent.close()
  })

  test('refuses a world that is not there', async () => {
    const server = await openServer()
    opened.push(server)
    const { code, stderr } = await run(['tail', '--world', 'none'], { SANDBOX_URL: server.url }).ended
    expect([code, stderr]).toEqual([2, "gateway-sandbox: No world 'none'.\n"])
  })
})

describe('a line for people', () => {
  const at = '2030-01-01T12:00:00.000Z'
  const subject = 'the-record'

  test.each<[string, WorldEvent, RegExp]>([
    [
      'a refused call with its code',
      { kind: 'call', at, operation: null, method: 'GET', path: '/v2', status: 404, code: 'not_found' },
      /call +unknown +404 {2}GET \/v2 {2}not_found$/,
    ],
    [
      'a transition with its reason',
      { kind: 'transition', at, machine: 'cashout', from: 'A', on: 'fail', to: 'B', reason: 'why', subject },
      /cashout fail +A -> B: why {2}the-record$/,
    ],
    [
      'an attempt with its answer',
      { kind: 'attempt', at, type: 'payment.completed', number: 2, status: 500, error: null, subject },
      /payment\.completed +attempt 2: 500 {2}the-record$/,
    ],
    [
      'a clock that stands',
      { kind: 'clock', at, mode: 'frozen', rate: 1, from: '2029' },
      /frozen +moved from 2029$/,
    ],
  ])('shows %s', (_name, event, line) => {
    expect(eventLine(event, plain)).toMatch(line)
  })

  test('has colours on a terminal, and none where they are not wanted', () => {
    const event: WorldEvent = { kind: 'call', at, operation: 'x', method: 'GET', path: '/', status: 200 }
    const painted = (terminal: { isTTY?: boolean }, environment: NodeJS.ProcessEnv): boolean =>
      eventLine(event, paintFor(terminal, environment)).includes('\u001B[')
    expect(painted({ isTTY: true }, {})).toBe(true)
    expect(painted({ isTTY: true }, { NO_COLOR: '1' })).toBe(false)
    expect(painted({ isTTY: true }, { TERM: 'dumb' })).toBe(false)
    expect(painted({}, {})).toBe(false)
  })
})
