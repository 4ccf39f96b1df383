// Checks which scripts an inbox takes and what it says of others, and what it does for calls that have no socket.
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createApp } from '../../src/app.ts'
import { begin } from './transactionSteps.ts'
import type { TestSandbox } from '../support/sandbox.ts'

vi.mock('node:timers', async () => (await import('../support/globalTimers.ts')).globalTimers())

afterEach(() => vi.useRealTimers())

describe('a script', () => {
  test('is shown as it was told', async () => {
    const sandbox = begin()
    const answers = [
      500,
      { status: 503, delayMs: 5, body: 'later' },
      { location: 'https://shop.test/x?y=1' },
      { status: 200, slow: {} },
      { slow: { bytes: 3, everyMs: 10 } },
      { hang: true },
      { reset: true },
      { reset: true, delayMs: 5 },
    ]
    expect((await sandbox.control('PUT', '/inboxes/shop', { answers })).body.answers).toEqual(answers)
    expect((await sandbox.control('GET', '/inboxes')).body.items[0].answers).toEqual(answers)
  })

  test.each([
    [199, 'expected number to be >=200'],
    [600, 'expected number to be <=599'],
    ['hang', 'an answer is a status from 200 to 599, or an object'],
    [null, 'an answer is a status'],
    [[500], 'an answer is a status'],
    [{ status: 199 }, 'at answers[1].status'],
    [{ stauts: 500 }, 'stauts'],
    [{ hang: false }, 'hang is true or left out'],
    [{ reset: 'yes' }, 'reset is true or left out'],
    [{ hang: true, status: 500 }, '{"hang": true} answers nothing, ever; status does not go with it'],
    [{ hang: true, delayMs: 5, body: '' }, 'ever; delayMs, body does not go with it'],
    [{ hang: true, reset: true }, 'ever; reset does not go with it'],
    [{ reset: true, status: 500, delayMs: 1 }, 'only delayMs goes with it, status does not'],
    [{ reset: true, delayMs: -1 }, 'delayMs: Too small'],
    [{ location: '/x', status: 200 }, 'location goes with a redirect, not with status 200'],
    [{ location: '/x', status: 304 }, 'location goes with a redirect, not with status 304'],
    [{ location: 'a b' }, 'is 1 to 2048 printable ASCII'],
    [{ location: '/x\r\nEvil: 1' }, 'is 1 to 2048 printable ASCII'],
    [{ status: 204, body: 'x' }, 'a status 204 has no body, so body does not go with it'],
    [{ status: 304, slow: {} }, 'a status 304 has no body, so slow does not go with it'],
    [{ slow: { bytes: 0 } }, 'at answers[1].slow.bytes'],
    [{ slow: true }, 'slow: Invalid input'],
    [{ delayMs: 600_001 }, 'at answers[1].delayMs'],
  ])('with %j is refused, which says where and why', async (answer, says) => {
    const sandbox = begin()
    await sandbox.control('PUT', '/inboxes/shop', { answers: [503] })
    const { status, body } = await sandbox.control('PUT', '/inboxes/shop', { answers: [500, answer] })
    expect([status, body.error.code]).toEqual([400, 'sandbox_bad_request'])
    expect(body.error.message).toContain(says)
    expect(body.error.message).toContain('answers[1]')
    expect((await sandbox.control('GET', '/inboxes')).body.items[0].answers).toEqual([503])
  })
})

describe('a call without a socket', () => {
  const shop = (signal?: AbortSignal): Request =>
    new Request('http://sandbox.test/_sandbox/inbox/shop', {
      method: 'POST',
      body: '{}',
      ...(signal ? { signal } : {}),
    })

  /** Tells the inbox what to do and posts into it. */
  async function posted(sandbox: TestSandbox, answer: object, signal?: AbortSignal): Promise<Response> {
    await sandbox.control('PUT', '/inboxes/shop', { answers: [answer] })
    return createApp(sandbox.worlds, { controlToken: null }).fetch(shop(signal))
  }

  test('has no connection that could be reset, which the refusal says', async () => {
    const sandbox = begin()
    const answered = await posted(sandbox, { reset: true })
    expect([answered.status, await answered.text()]).toEqual([
      400,
      expect.stringContaining('over the network'),
    ])
    const { body } = await sandbox.control('GET', '/inboxes/shop/messages')
    expect(body.items).toMatchObject([{ answered: null, behaviour: 'reset' }])
  })

  test.each(['reset', 'abort'])('hangs until the %s, without a timer', async (how) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const sandbox = begin()
    const caller = new AbortController()
    const hanging = posted(sandbox, { hang: true }, caller.signal)
    await sandbox.control('GET', '/inboxes/shop/messages?wait=60s')
    expect(vi.getTimerCount()).toBe(0)
    if (how === 'abort') caller.abort()
    else await sandbox.control('POST', '/reset')
    expect((await hanging).status).toBe(400)
  })

  test.each([{ delayMs: 600_000 }, { reset: true, delayMs: 600_000 }])(
    'told %j leaves no timer behind when the caller goes',
    async (told) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      const sandbox = begin()
      const caller = new AbortController()
      const waiting = posted(sandbox, told, caller.signal)
      await sandbox.control('GET', '/inboxes/shop/messages?wait=60s')
      expect(vi.getTimerCount()).toBe(1)
      caller.abort()
      await waiting
      expect(vi.getTimerCount()).toBe(0)
    },
  )

  test('that reads a dribble and stops leaves no timer behind', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { body } = await posted(begin(), { body: 'abc', slow: { everyMs: 60_000 } })
    const reader = body?.getReader()
    const first = reader?.read()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(new TextDecoder().decode((await first)?.value)).toBe('a')
    const second = reader?.read()
    expect(vi.getTimerCount()).toBe(1)
    await reader?.cancel()
    expect([vi.getTimerCount(), (await second)?.done]).toEqual([0, true])
  })

  test('sees a dribble break off when the inbox goes', async () => {
    const sandbox = begin()
    const answered = await posted(sandbox, { slow: { everyMs: 60_000 } })
    const reading = answered.text().catch(String)
    await sandbox.control('POST', '/reset')
    expect(await reading).toContain('cleared away')
  })
})
