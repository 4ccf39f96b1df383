// Checks playing a scenario over the control API: its answer, its refusals, its limits, and that it stops with its caller.
import { readFileSync } from 'node:fs'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { describe, expect, test } from 'vitest'
import { createCaller } from '../../src/client/call.ts'
import { networkFetch } from '../../src/client/network.ts'
import { startSandbox } from '../../src/index.ts'
import { serve } from './servers.ts'
import type { Answered } from '../support/sandbox.ts'

const PAID = readFileSync(new URL('../../scenarios/pix/paid.yaml', import.meta.url), 'utf8')
const NOTE = 'name: a note\nsteps: [{ note: x }]\n'
/** A story that waits for an answer that never comes. */
const HANGS = `
name: one that hangs
steps:
  - inbox: { as: shop, answers: [{ hang: true }] }
  - call: createTransaction
    with: { method: Pix, amount: 1000, callbackUrl: $shop.url }
    as: sale
  - trigger: { on: $sale.id, do: confirm }
  - settle: { timeoutMs: 600000 }
`

/** Host time for a hundred stories on a busy machine, in milliseconds. */
const PATIENCE_MS = 60_000

type Server = Awaited<ReturnType<typeof serve>>

const play = (
  { send }: Server,
  body: string | Uint8Array,
  { type = 'application/yaml', query = '' } = {},
): Promise<Answered> =>
  send('POST', `/_sandbox/scenarios${query}`, { body, headers: { 'Content-Type': type } })

const idsOf = ({ server }: Server): string[] => server.worlds.list().map(({ id }) => id)

/** Resolves once as many worlds are there. */
async function worldsAre({ server, control }: Server, count: number): Promise<void> {
  while (server.worlds.list().length !== count) await control('GET', '/livez')
}

/** Resolves once every world but the default one waits in its settle, which is the last that a hanging story does. */
async function allHang({ server, send }: Server): Promise<void> {
  for (const { id } of server.worlds.list()) {
    if (id === 'default') continue
    await send('POST', `/_sandbox/worlds/${id}/exchanges/wait`, {
      body: { operation: 'createTransaction', after: 0 },
    })
  }
}

interface Told {
  event: string
  data: Record<string, unknown>
}

/** The events of a stream, as they come. */
async function* eventsOf(response: Response): AsyncGenerator<Told> {
  const parser = new EventSourceParserStream()
  const body = response.body as ReadableStream<Uint8Array<ArrayBuffer>>
  for await (const { event, data } of body.pipeThrough(new TextDecoderStream()).pipeThrough(parser)) {
    yield { event: event ?? '', data: JSON.parse(data) as Record<string, unknown> }
  }
}

/** All events that are left. */
async function restOf(events: AsyncIterable<Told>): Promise<Told[]> {
  const told: Told[] = []
  for await (const each of events) told.push(each)
  return told
}

const watch = ({ url }: Server, text: string, query = '', signal?: AbortSignal): Promise<Response> =>
  networkFetch(
    new Request(`${url}/_sandbox/scenarios${query}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/yaml', Accept: 'text/event-stream' },
      body: text,
      ...(signal ? { signal } : {}),
    }),
  )

describe('playing a scenario over the control API', () => {
  test.each(['application/yaml', 'text/yaml', 'text/plain', 'application/x-www-form-urlencoded'])(
    'takes YAML as %s, and leaves no world behind',
    async (type) => {
      const server = await serve()
      const { status, body } = await play(server, PAID, { type, query: '?file=pix/paid.yaml' })
      expect(status).toBe(200)
      expect(body).toMatchObject({
        name: 'a PIX is paid',
        file: 'pix/paid.yaml',
        passed: true,
        failure: null,
      })
      expect(body.steps.at(-1)).toMatchObject({ passed: true, line: expect.any(Number) })
      expect(idsOf(server)).toEqual(['default'])
    },
  )

  test('takes JSON, also as an object of the typed client', async () => {
    const server = await serve()
    const scenario = { name: 'a note', steps: [{ note: 'x' }] }
    const { status, body } = await play(server, JSON.stringify(scenario), { type: 'application/json' })
    expect([status, body.passed, body.file]).toEqual([200, true, 'scenario'])
    const caller = createCaller(server.url, networkFetch, undefined)
    for (const sent of [scenario, NOTE]) {
      expect(await caller.send(null, 'POST /scenarios', { body: sent })).toMatchObject({
        name: 'a note',
        passed: true,
      })
    }
  })

  test('answers a failed check with 200, as sandbox.play() does', async () => {
    const text = PAID.replace('netAmount: 12795', 'netAmount: 12796')
    const { status, body } = await play(await serve(), text)
    expect([status, body.passed]).toEqual([200, false])
    await using sandbox = await startSandbox()
    const { failure, steps } = await sandbox.play(text)
    // Ids differ from server to server.
    expect(body).toMatchObject({ failure: { ...failure, actual: expect.anything() }, steps })
    expect(body.failure.diff).toContain('- data.netAmount: 12796\n+ data.netAmount: 12795')
    expect(body.story.length).toBeGreaterThan(3)
  })

  test('plays with the token of a guarded server', async () => {
    const server = await serve({ controlToken: 'let-me-in' })
    expect((await play(server, PAID)).status).toBe(401)
    const headers = { Authorization: 'Bearer let-me-in' }
    const { status, body } = await server.send('POST', '/_sandbox/scenarios', { body: PAID, headers })
    expect([status, body.passed]).toEqual([200, true])
  })

  test('plays only so much of a story that repeats itself for ever', async () => {
    const inner = '{ repeat: { times: 1000, steps: [{ note: x }] } }'
    const { status, body } = await play(
      await serve(),
      `name: x\nsteps: [{ repeat: { times: 1000, steps: [${inner}] } }]`,
    )
    expect([status, body.passed]).toEqual([200, false])
    expect(body.failure.message).toBe('a scenario plays 10000 steps at most, those of each round counted')
  })
})

describe('a text that is no scenario', () => {
  test('is refused with everything that is wrong, and where', async () => {
    const server = await serve()
    const text = 'name: x\nsteps:\n  - cal: getBalance\n  - advance: soon\n'
    const { status, body } = await play(server, text, { query: '?file=sale.yaml' })
    expect([status, body.error.code]).toEqual([400, 'sandbox_bad_scenario'])
    expect(body.error.message).toContain("sale.yaml:3:5: 'cal' is no verb. Did you mean 'call'?")
    expect(body.error.problems).toEqual([
      { line: 3, column: 5, message: expect.stringContaining("'cal' is no verb") },
      { line: 4, column: 14, message: expect.any(String) },
    ])
    expect(idsOf(server)).toEqual(['default'])
  })

  test.each([
    ['nothing', '', 'sandbox_bad_scenario'],
    ['broken JSON', '{"name": ', 'sandbox_bad_scenario'],
    ['broken YAML', 'name: [', 'sandbox_bad_scenario'],
    ['bytes', Uint8Array.of(0xff, 0xfe), 'sandbox_bad_request'],
  ])('is refused: %s', async (_, sent, code) => {
    const { status, body } = await play(await serve(), sent)
    expect([status, body.error.code]).toEqual([400, code])
  })

  test.each([
    ['application/x-www-form-urlencoded', 'name: x steps:  - note: y'],
    ['multipart/form-data; boundary=x', '--x\r\n\r\nname: y\r\n--x--\r\n'],
  ])('is told how to be sent when it came as %s', async (type, sent) => {
    const { status, body } = await play(await serve(), sent, { type })
    expect([status, body.error.code]).toEqual([400, 'sandbox_bad_scenario'])
    expect(body.error.message).toContain(
      "send it with --data-binary @FILE and -H 'Content-Type: application/yaml'",
    )
    expect(body.error.problems.length).toBeGreaterThan(0)
  })

  test('is refused: one that is too long', async () => {
    const { status, body } = await play(await serve(), `${NOTE}#${'x'.repeat(1_048_576)}`)
    expect([status, body.error.code]).toEqual([413, 'sandbox_payload_too_large'])
  })
})

describe('a story that hangs', { timeout: PATIENCE_MS }, () => {
  test('blocks nobody, until there are too many of them, and stops with its caller', async () => {
    const server = await serve()
    const leaving = new AbortController()
    const init = { method: 'POST', body: HANGS, signal: leaving.signal }
    const hanging = Array.from({ length: 100 }, () =>
      fetch(`${server.url}/_sandbox/scenarios`, init).catch(() => 'left'),
    )
    await worldsAre(server, 101)
    await allHang(server)
    const { status, body } = await play(server, NOTE)
    expect([status, body.error.code]).toEqual([409, 'sandbox_too_many_plays'])
    expect((await server.control('GET', '/clock')).status).toBe(200)

    leaving.abort()
    expect(new Set(await Promise.all(hanging))).toEqual(new Set(['left']))
    await worldsAre(server, 1)
    expect((await play(server, NOTE)).body.passed).toBe(true)
  })

  test('does not hold a server that ends', async () => {
    const server = await serve()
    const overSocket = fetch(`${server.url}/_sandbox/scenarios`, { method: 'POST', body: HANGS }).catch(
      () => 'cut',
    )
    const request = new Request(`${server.url}/_sandbox/scenarios`, { method: 'POST', body: HANGS })
    const without = server.server.fetch(request)
    await worldsAre(server, 3)
    await allHang(server)
    await server.close()
    expect(await overSocket).toBe('cut')
    expect((await without).status).toBe(400)
  })
})

describe('watching a scenario while it plays', () => {
  test('tells its world, each step and the result, which is the one of a plain answer', async () => {
    const server = await serve()
    const seen = await restOf(eventsOf(await watch(server, PAID)))
    const plain = (await play(server, PAID)).body
    expect(seen[0]).toEqual({ event: 'begun', data: { name: plain.name, world: expect.any(String) } })
    expect(seen.slice(1, -1).map(({ event }) => event)).toEqual(plain.steps.map(() => 'step'))
    expect(seen.slice(1, -1).map(({ data }) => data)).toEqual(plain.steps)
    expect(seen.at(-1)).toEqual({ event: 'ended', data: { ...plain, tookMs: expect.any(Number) } })
    expect(idsOf(server)).toEqual(['default'])
  })

  test('a step is told before the next one plays, and who leaves ends the play', async () => {
    const server = await serve()
    const caller = new AbortController()
    const text = 'name: slow\nsteps: [{ note: a }, { note: b }]\n'
    const answer = await watch(server, text, '?pauseMs=10000', caller.signal)
    const events = eventsOf(answer)
    expect((await events.next()).value).toMatchObject({ event: 'begun', data: { world: idsOf(server)[1] } })
    expect((await events.next()).value).toMatchObject({ event: 'step', data: { step: '1' } })
    caller.abort()
    await worldsAre(server, 1)
  })

  test('a pause does not hold a server that ends: the stream breaks off and its world is gone', async () => {
    const server = await serve()
    const request = new Request(`${server.url}/_sandbox/scenarios?pauseMs=10000`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/yaml', Accept: 'text/event-stream' },
      body: 'name: slow\nsteps: [{ note: a }, { note: b }]\n',
    })
    const events = eventsOf(await server.server.fetch(request))
    const world = idsOf(server).find((id) => id !== 'default')
    expect((await events.next()).value).toMatchObject({ event: 'begun', data: { world } })
    expect((await events.next()).value).toMatchObject({ event: 'step', data: { step: '1' } })
    const [told] = await Promise.allSettled([restOf(events), server.close()])
    expect(told).toMatchObject({ status: 'rejected', reason: { code: 'sandbox_bad_request' } })
    expect(idsOf(server)).not.toContain(world)
  })

  test('a text that is none is refused as ever, and a pause has its bounds', async () => {
    const server = await serve()
    const refused = await watch(server, 'name: x\nsteps: [{ nothing: 1 }]\n')
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { error: { code: 'sandbox_bad_scenario' } },
    ])
    for (const pauseMs of ['-1', '10001', 'x', '1.5']) {
      expect((await watch(server, PAID, `?pauseMs=${pauseMs}`)).status, pauseMs).toBe(400)
    }
  })

  test('a play that is stopped by the end of its server breaks off', async () => {
    const server = await serve()
    const events = eventsOf(await watch(server, HANGS))
    await events.next()
    await allHang(server)
    const [told] = await Promise.allSettled([restOf(events), server.close()])
    expect(told).toMatchObject({ status: 'rejected', reason: { message: 'aborted' } })
  })
})
