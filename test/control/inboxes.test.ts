// Checks inboxes: scripted answers, delays, messages with their signatures, filters, and waiting for a message.
import { createHmac } from 'node:crypto'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createApp } from '../../src/app.ts'
import { MAX_BODY_BYTES } from '../../src/contract/limits.ts'
import { present } from '../../src/kernel/assert.ts'
import { MAX_INBOX_MESSAGES, MAX_INBOXES } from '../../src/world/inboxes.ts'
import { createPix, START } from '../support/sandbox.ts'
import { serve } from './servers.ts'
import { begin } from './transactionSteps.ts'
import type { RunningWorld } from '../../src/world/runningWorld.ts'
import type { Answered, TestSandbox } from '../support/sandbox.ts'

vi.mock('node:timers', async () => (await import('../support/globalTimers.ts')).globalTimers())

afterEach(() => vi.useRealTimers())

type Asked = Pick<TestSandbox, 'control' | 'send'>

/** Posts something into the inbox `shop`. */
const post = (sandbox: Asked, body: unknown = {}, headers: Record<string, string> = {}): Promise<Answered> =>
  sandbox.send('POST', '/_sandbox/inbox/shop', { body, headers })

/** What an inbox answers to an empty webhook. Asked beside the harness, which knows no script. */
async function answerOf({ worlds }: TestSandbox, path = '/inbox/shop'): Promise<number> {
  const request = new Request(`http://sandbox.test/_sandbox${path}`, { method: 'POST', body: '{}' })
  return (await createApp(worlds, { controlToken: null }).fetch(request)).status
}

const messages = (sandbox: Asked, query = ''): Promise<Answered> =>
  sandbox.control('GET', `/inboxes/shop/messages${query}`)

/** Resolves once somebody waits for a message of the inbox `shop`. */
function somebodyWaits(world: RunningWorld): Promise<void> {
  const { watchers } = present(world.inboxes.ensure('shop'), 'an inbox')
  return new Promise((resolve) => {
    const add = watchers.add.bind(watchers)
    watchers.add = (watcher) => {
      resolve()
      return add(watcher)
    }
  })
}

describe('an inbox', () => {
  test('is there as soon as it is named, and answers 204 without a body', async () => {
    const { status, body } = await post(begin(), { hello: 'there' })
    expect([status, body]).toEqual([204, null])
  })

  test('shows its address, with its world, and what it is to answer', async () => {
    const sandbox = begin()
    const { status, body } = await sandbox.control('PUT', '/inboxes/shop', {
      answers: [500, 204],
      delayMs: 5,
    })
    expect([status, body]).toEqual([
      200,
      {
        name: 'shop',
        url: 'http://sandbox.test/_sandbox/worlds/default/inbox/shop',
        answers: [500, 204],
        delayMs: 5,
        received: 0,
      },
    ])
  })

  test('answers what it is told, in order, and 204 when nothing is left', async () => {
    const sandbox = begin()
    await sandbox.control('PUT', '/inboxes/shop', { answers: [500, 302, 200, 599] })
    const found: number[] = []
    for (let n = 0; n < 6; n++) found.push(await answerOf(sandbox))
    expect(found).toEqual([500, 302, 200, 599, 204, 204])
    const { body } = await messages(sandbox)
    expect(body.items.map(({ answered }: { answered: number }) => answered)).toEqual(found)
  })

  test('forgets what it was told before when it is told anew', async () => {
    const sandbox = begin()
    await sandbox.control('PUT', '/inboxes/shop', { answers: [500, 500], delayMs: 60_000 })
    const { body } = await sandbox.control('PUT', '/inboxes/shop', { answers: [404] })
    expect(body).toMatchObject({ answers: [404], delayMs: 0 })
    expect(await answerOf(sandbox)).toBe(404)
    expect((await sandbox.control('PUT', '/inboxes/shop')).body).toMatchObject({ answers: [], received: 1 })
  })

  test.each([
    { answers: [199] },
    { answers: [600] },
    { answers: ['500'] },
    { answers: 500 },
    { answers: Array.from({ length: 1_001 }, () => 204) },
    { delayMs: -1 },
    { delayMs: 600_001 },
    { delayMs: 0.5 },
    { reply: 204 },
  ])('cannot be told %j', async (body) => {
    const answered = await begin().control('PUT', '/inboxes/shop', body)
    expect([answered.status, answered.body.error.code]).toEqual([400, 'sandbox_bad_request'])
  })

  test.each(['a%20b', 'a%2Fb', 'x'.repeat(65), '%C3%A9', 'a%0Ab'])('has no name such as %s', async (name) => {
    const sandbox = begin()
    for (const [method, path] of [
      ['POST', `/inbox/${name}`],
      ['PUT', `/inboxes/${name}`],
      ['GET', `/inboxes/${name}/messages`],
    ] as const) {
      const { status, body } = await sandbox.control(method, path)
      expect([status, body.error.code]).toEqual([400, 'sandbox_bad_request'])
    }
  })

  test('answers late when it is told to: the message is there before the answer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const sandbox = begin()
    await sandbox.control('PUT', '/inboxes/shop', { delayMs: 3_000 })
    let answered = false
    const posting = post(sandbox).then((answer) => {
      answered = true
      return answer
    })
    const { body } = await messages(sandbox, '?wait=60s')
    expect(body.items).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(2_999)
    expect(answered).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect((await posting).status).toBe(204)
  })

  test('that answers later than an attempt waits makes the attempt fail', async () => {
    const server = await serve({ silences: { 'WH-03': 0.05 } })
    const { body: inbox } = await server.control('PUT', '/inboxes/shop', { delayMs: 200 })
    const { id } = await createPix(server, { callbackUrl: inbox.url })
    await server.control('POST', '/trigger', { on: id, do: 'confirm' })
    await server.control('POST', '/settle')
    const { body } = await server.control('GET', '/deliveries')
    expect(body.items[0]).toMatchObject({
      status: 'scheduled',
      attempts: [{ number: 1, status: null, error: expect.stringContaining('timed out') }],
    })
  })

  test('takes at most 1 MiB', async () => {
    const { status, body } = await post(begin(), 'x'.repeat(MAX_BODY_BYTES + 1))
    expect([status, body.error.code]).toEqual([413, 'sandbox_payload_too_large'])
  })

  test('is listed once it was used or told, newest first', async () => {
    const sandbox = begin()
    await post(sandbox)
    await sandbox.control('PUT', '/inboxes/other', { answers: [500] })
    const { body } = await sandbox.control('GET', '/inboxes')
    expect(body.items).toMatchObject([
      { name: 'other', answers: [500], received: 0 },
      { name: 'shop', answers: [], received: 1 },
    ])
    const { body: first } = await sandbox.control('GET', '/inboxes?limit=1')
    expect([first.items[0].name, first.total, first.next]).toEqual(['other', 2, 'other'])
  })

  test('belongs to one world: one of the same name elsewhere is another', async () => {
    const sandbox = begin()
    await sandbox.control('POST', '/worlds', { id: 'other' })
    await sandbox.control('PUT', '/worlds/other/inboxes/shop', { answers: [500] })
    expect(await answerOf(sandbox)).toBe(204)
    expect(await answerOf(sandbox, '/worlds/other/inbox/shop')).toBe(500)
    expect((await messages(sandbox)).body.items).toHaveLength(1)
  })

  test('is gone after a reset, with its messages and its script', async () => {
    const sandbox = begin()
    await sandbox.control('PUT', '/inboxes/shop', { answers: [500, 500] })
    expect(await answerOf(sandbox)).toBe(500)
    await sandbox.control('POST', '/reset')
    expect((await messages(sandbox)).body.items).toEqual([])
    expect((await post(sandbox)).status).toBe(204)
  })

  test('is one of at most a thousand, and the refusal says what to do', async () => {
    const sandbox = begin()
    for (let n = 0; n < MAX_INBOXES; n++) sandbox.world.inboxes.ensure(`i${n}`)
    const { status, body } = await post(sandbox)
    expect([status, body.error.code]).toEqual([400, 'sandbox_bad_request'])
    expect(body.error.message).toContain('reset')
  })
})

describe('a message', () => {
  test('of a delivery tells everything about it, with a signature that holds', async () => {
    const server = await serve()
    const { body: inbox } = await server.control('PUT', '/inboxes/shop', { answers: [500] })
    const { id } = await createPix(server, { callbackUrl: inbox.url })
    const { body: fired } = await server.control('POST', '/trigger', { on: id, do: 'confirm' })
    await server.control('POST', '/clock/advance', { by: '2s' })
    const { body } = await messages(server)
    const [first, second] = body.items
    expect(first).toMatchObject({
      n: 1,
      receivedAt: START,
      type: 'payment.completed',
      delivery: fired.deliveries[0],
      attempt: 1,
      signature: 'valid',
      why: null,
      answered: 500,
      behaviour: 'answered',
      json: { id: fired.deliveries[0], type: 'payment.completed', data: { id, status: 'Completed' } },
    })
    expect(JSON.parse(first.body)).toEqual(first.json)
    expect(first.headers['x-service-signature']).toBe(
      `sha256=${createHmac('sha256', id).update(first.body).digest('hex')}`,
    )
    expect(second).toMatchObject({
      n: 2,
      receivedAt: '2030-01-01T12:00:02.000Z',
      attempt: 2,
      body: first.body,
      signature: 'valid',
      answered: 204,
    })
  })

  test.each(['prefixedHex', 'hex', 'base64'])(
    'is checked in the form that its world chose: %s',
    async (form) => {
      const server = await serve({ silences: { 'WH-01': form, 'WH-02': 'X-Shop-' } })
      const { body: inbox } = await server.control('PUT', '/inboxes/shop')
      const { id } = await createPix(server, { callbackUrl: inbox.url })
      await server.control('POST', '/trigger', { on: id, do: 'confirm' })
      await server.control('POST', '/settle')
      const [message] = (await messages(server)).body.items
      expect(message).toMatchObject({ signature: 'valid', type: 'payment.completed', attempt: 1 })
      expect(message.headers['x-shop-signature']).toBeTruthy()
    },
  )

  const BODY = '{"id":"d","type":"payment.failed","data":{"id":"the-secret"}}'
  const sign = (body: string, secret: string): string =>
    `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

  test.each([
    ['valid', BODY, sign(BODY, 'the-secret')],
    ['invalid', BODY, sign(BODY, 'another')],
    ['invalid', `${BODY} `, sign(BODY, 'the-secret')],
    ['invalid', BODY, sign(BODY, 'the-secret').toUpperCase()],
    ['invalid', BODY, sign(BODY, 'the-secret').slice('sha256='.length)],
    ['invalid', BODY, ''],
    ['invalid', 'no json', sign('no json', 'the-secret')],
    ['invalid', '{"data":{"id":7}}', sign('{"data":{"id":7}}', '7')],
    ['invalid', '{"data":null}', 'sha256=00'],
    ['invalid', 'null', 'sha256=00'],
    ['absent', BODY, null],
  ])('has a signature that is %s: %s with %s', async (expected, body, signature) => {
    const sandbox = begin()
    await post(sandbox, body, signature === null ? {} : { 'X-Service-Signature': signature })
    const [message] = (await messages(sandbox)).body.items
    expect([message.signature, message.why !== null]).toEqual([expected, expected === 'invalid'])
  })

  test('takes its type from the body when no header tells, and is kept whatever it is', async () => {
    const sandbox = begin()
    await post(sandbox, { type: 'payment.failed' })
    await post(sandbox, { type: 'payment.failed' }, { 'X-Service-Event': 'payment.completed' })
    await post(sandbox, 'olá, not json')
    await post(sandbox, '[1]')
    await post(sandbox, '', { 'X-Service-Attempt': 'first' })
    const { body } = await messages(sandbox)
    expect(body.items).toMatchObject([
      { n: 1, type: 'payment.failed', json: { type: 'payment.failed' }, delivery: null, attempt: null },
      { n: 2, type: 'payment.completed' },
      { n: 3, type: null, json: null, body: 'olá, not json' },
      { n: 4, type: null, json: [1] },
      { n: 5, type: null, json: null, body: '', attempt: null },
    ])
  })

  test('is one of the last thousand, and keeps its number', async () => {
    const sandbox = begin()
    for (let n = 0; n < MAX_INBOX_MESSAGES + 2; n++) await post(sandbox)
    const { body } = await messages(sandbox)
    expect([body.items.length, body.items[0].n, body.items.at(-1).n]).toEqual([1_000, 3, 1_002])
  })
})

describe('the messages of an inbox', () => {
  const numbers = async (sandbox: Asked, query: string): Promise<number[]> =>
    (await messages(sandbox, query)).body.items.map(({ n }: { n: number }) => n)

  async function withMessages(): Promise<TestSandbox> {
    const sandbox = begin()
    for (const type of ['payment.completed', 'payment.refunded', 'payment.completed']) {
      await post(sandbox, { type })
    }
    return sandbox
  }

  test.each([
    ['', [1, 2, 3]],
    ['?type=payment.completed', [1, 3]],
    ['?type=payment.failed', []],
    ['?after=1', [2, 3]],
    ['?after=1&type=payment.completed', [3]],
    ['?after=3', []],
    ['?after=99', []],
    ['?wait=0s', [1, 2, 3]],
    ['?wait=60s&type=payment.refunded', [2]],
  ])('asked with %j are, oldest first, %j', async (query, expected) => {
    expect(await numbers(await withMessages(), query)).toEqual(expected)
  })

  test.each(['?after=-1', '?after=x', '?wait=5', '?wait=soon', '?wait=-1s'])(
    'are not asked with %s',
    async (query) => {
      const { status, body } = await messages(begin(), query)
      expect([status, body.error.code]).toEqual([400, 'sandbox_bad_request'])
    },
  )

  test('are none for an inbox that nobody used', async () => {
    expect((await messages(begin())).body).toEqual({ items: [], life: 0 })
  })
})

describe('waiting for a message', () => {
  test('ends as soon as one is there', async () => {
    const sandbox = begin()
    const waits = somebodyWaits(sandbox.world)
    const waiting = messages(sandbox, '?wait=60s')
    await waits
    await post(sandbox, { type: 'payment.completed' })
    expect((await waiting).body.items).toMatchObject([{ n: 1, type: 'payment.completed' }])
  })

  test('goes on past messages that were not asked for', async () => {
    const sandbox = begin()
    await post(sandbox, { type: 'payment.refunded' })
    const waits = somebodyWaits(sandbox.world)
    const waiting = messages(sandbox, '?wait=60s&after=1&type=payment.refunded')
    await waits
    await post(sandbox, { type: 'payment.completed' })
    await post(sandbox, { type: 'payment.refunded' })
    expect((await waiting).body.items).toMatchObject([{ n: 3 }])
  })

  test('ends for everybody who waits', async () => {
    const sandbox = begin()
    const first = somebodyWaits(sandbox.world)
    const waiting = [messages(sandbox, '?wait=60s')]
    await first
    const second = somebodyWaits(sandbox.world)
    waiting.push(messages(sandbox, '?wait=60s'))
    await second
    await post(sandbox)
    const found = await Promise.all(waiting)
    expect(found.map(({ body }) => body.items.length)).toEqual([1, 1])
  })

  test('ends with nothing when its time is over, and after a minute at most', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const sandbox = begin()
    for (const [wait, length] of [
      ['5s', 5_000],
      ['PT2M', 60_000],
    ] as const) {
      const waits = somebodyWaits(sandbox.world)
      let ended = false
      const waiting = messages(sandbox, `?wait=${wait}`).then((answered) => {
        ended = true
        return answered
      })
      await waits
      await vi.advanceTimersByTimeAsync(length - 1)
      expect(ended).toBe(false)
      await vi.advanceTimersByTimeAsync(1)
      expect((await waiting).body).toEqual({ items: [], life: 0 })
    }
  })

  test('hears of a delivery that another call causes', async () => {
    const server = await serve()
    const { body: inbox } = await server.control('PUT', '/inboxes/shop')
    const { id } = await createPix(server, { callbackUrl: inbox.url })
    const waits = somebodyWaits(server.world)
    const waiting = messages(server, '?wait=60s&type=payment.cancelled')
    await waits
    await server.control('POST', '/trigger', { on: id, do: 'cancel' })
    expect((await waiting).body.items).toMatchObject([{ signature: 'valid', json: { data: { id } } }])
  })

  test('ends with nothing when the world is reset', { timeout: 3_000 }, async () => {
    const sandbox = begin()
    const waits = somebodyWaits(sandbox.world)
    const waiting = messages(sandbox, '?wait=60s')
    await waits
    await sandbox.control('POST', '/reset')
    expect((await waiting).body).toEqual({ items: [], life: 0 })
  })
})
