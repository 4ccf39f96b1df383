// Checks where webhooks may be sent with --callback-allow, whatever a name turns out to resolve to.
import { afterEach, describe, expect, test, vi } from 'vitest'
import { serverOptionsOf, specialtiesOf, START_FLAGS } from '../../src/cli/startFlags.ts'
import { readCommand } from '../../src/cli/usage.ts'
import { startSandbox } from '../../src/index.ts'
import { createSender } from '../../src/webhooks/send.ts'
import { checkCallbackAllow } from '../../src/world/hostOptions.ts'
import { attempted } from '../client/shop.ts'
import { receive, serve } from '../control/servers.ts'
import type { Millis } from '../../src/kernel/brands.ts'
import type { LookUp } from '../../src/webhooks/send.ts'
import type { Sandbox, StartOptions } from '../../src/index.ts'

const opened: Sandbox[] = []
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close()
})

async function open(options: StartOptions): Promise<Sandbox> {
  const sandbox = await startSandbox(options)
  opened.push(sandbox)
  return sandbox
}

describe('a server with an allow-list', () => {
  test.each([
    [
      '10.0.0.0/8',
      /^the address cannot be sent to: 127\.0\.0\.1:\d+ is not on the list of --callback-allow, which is 10\.0\.0\.0\/8$/,
    ],
    ['shop.test', /--callback-allow, which is shop\.test$/],
  ])('fails an attempt that only %s could let in, and says which flag', async (entry, error) => {
    const receiver = await receive()
    const sandbox = await open({ callbackAllow: [entry] })
    expect(await attempted(sandbox, receiver.url)).toMatchObject({
      status: null,
      error: expect.stringMatching(error),
    })
    expect(receiver.received).toEqual([])
  })

  test('tries again as for any receiver that is not there, and gives up', async () => {
    const sandbox = await open({ callbackAllow: ['shop.test'] })
    await attempted(sandbox, 'http://127.0.0.1:9/hook')
    await sandbox.clock.advance('1d')
    const [delivery] = await sandbox.deliveries.list()
    expect([delivery?.status, delivery?.attempts.length]).toEqual(['exhausted', 3])
  })

  test.each(['loopback', '127.0.0.1', '127.0.0.0/8'])('sends to whom %s lets in', async (entry) => {
    const receiver = await receive()
    const sandbox = await open({ callbackAllow: ['shop.test', entry] })
    expect(await attempted(sandbox, receiver.url)).toMatchObject({ status: 204 })
    expect(await attempted(sandbox, receiver.url.replace('127.0.0.1', 'localhost'))).toMatchObject({
      status: 204,
    })
  })

  test('sends nowhere else of what --rewrite-localhost names than where loopback was let in', async () => {
    const receiver = await receive()
    const local = receiver.url.replace('127.0.0.1', 'localhost')
    const shut = await open({ callbackAllow: ['shop.test'], rewriteLocalhost: '127.0.0.1' })
    expect(await attempted(shut, local)).toMatchObject({ status: null })
    const ajar = await open({ callbackAllow: ['loopback'], rewriteLocalhost: '127.0.0.1' })
    expect(await attempted(ajar, local)).toMatchObject({ status: 204 })
  })

  test('always reaches its own inboxes, by every address of the server', async () => {
    const sandbox = await open({ callbackAllow: ['shop.test'], publicUrl: 'http://gateway.invalid' })
    const world = await sandbox.world()
    expect(await attempted(sandbox, sandbox.inbox('shop').url)).toMatchObject({ status: 204 })
    expect(await attempted(world, world.inbox('shop').url)).toMatchObject({ status: 204 })
    expect(await attempted(sandbox, `${sandbox.url}/_sandbox/inbox/shop`)).toMatchObject({ status: 204 })
    const { port } = new URL(sandbox.url)
    expect(await attempted(sandbox, `http://localhost:${port}/_sandbox/inbox/shop`)).toMatchObject({
      status: 204,
    })
    const inbox = `${(await serve()).url}/_sandbox/inbox/shop`
    // Of another server, it is like any other receiver.
    expect(await attempted(sandbox, inbox)).toMatchObject({ status: null })
  })

  test.each([
    '/_sandbox/reset',
    '/_sandbox/inbox/',
    '/_sandbox/inbox/../reset',
    '/_sandbox/inbox/a/../../reset',
    '/v1/health',
  ])('lets nobody reach %s of the server itself', async (path) => {
    const sandbox = await open({ callbackAllow: ['shop.test'] })
    expect(await attempted(sandbox, `${sandbox.url}${path}`)).toMatchObject({
      status: null,
      error: expect.stringContaining('--callback-allow'),
    })
  })

  test('names what it allows to those who ask', async () => {
    const sandbox = await open({ callbackAllow: ['*.shop.test', 'loopback'] })
    expect((await sandbox.info()).callbackAllow).toEqual(['*.shop.test', 'loopback'])
  })

  test.each([[[]], [['http://shop.test']], [['shop.test', 'a b']]])(
    'refuses the list %j',
    async (callbackAllow) => {
      await expect(startSandbox({ callbackAllow })).rejects.toMatchObject({
        code: 'bad_option',
        message: expect.stringContaining('callbackAllow'),
      })
    },
  )
})

describe('--callback-allow', () => {
  test('can be given more than once, and names several with commas', async () => {
    const told = await serverOptionsOf({ 'callback-allow': ['a.test, loopback', '10.0.0.0/8'] })
    expect(told.callbackAllow).toEqual(['a.test', 'loopback', '10.0.0.0/8'])
    expect(specialtiesOf(told)).toEqual({ webhooks: 'only to a.test, loopback, 10.0.0.0/8' })
    expect((await serverOptionsOf({})).callbackAllow).toBeUndefined()
  })

  test('is refused for what is no receiver', async () => {
    const told = serverOptionsOf({ 'callback-allow': ['a.test,http://b.test'] })
    await expect(told).rejects.toThrow(
      /^--callback-allow: callbackAllow 'http:\/\/b\.test' is no receiver; use /,
    )
  })

  test('is a variable too, with commas', () => {
    vi.stubEnv('SANDBOX_CALLBACK_ALLOW', 'a.test,loopback')
    const read = readCommand({ usage: 'x', example: 'x', flags: START_FLAGS }, [])
    vi.unstubAllEnvs()
    expect(read?.flags['callback-allow']).toEqual(['a.test', 'loopback'])
  })
})

describe('the call that names a callbackUrl', () => {
  const hintOf = async (callbackAllow: string[], callbackUrl: unknown, path = '/v1/transactions') => {
    const server = await serve({ callbackAllow })
    const body =
      path === '/v1/transactions'
        ? { method: 'Pix', amount: 100, callbackUrl }
        : { amount: 100, pixKeyType: 'Email', pixKey: 'a@b.test', callbackUrl }
    const { headers } = await server.call('POST', path, body)
    return headers.get('x-sandbox-hint')
  }

  test('is told when no webhook can ever get there', async () => {
    expect(await hintOf(['*.shop.test'], 'http://10.0.0.1/hook')).toBe(
      'No webhook will reach this callbackUrl: 10.0.0.1 is not on the list of --callback-allow, which is *.shop.test.',
    )
    expect(await hintOf(['*.shop.test'], 'http://evil.test/hook')).toMatch(/^No webhook will reach/)
  })

  test('is told nothing where one may', async () => {
    expect(await hintOf(['*.shop.test'], 'http://a.shop.test/hook')).toBeNull()
    // Whom a name belongs to is seen when something is sent.
    expect(await hintOf(['10.0.0.0/8'], 'http://any.test/hook')).toBeNull()
    expect(await hintOf(['shop.test'], 'http://127.0.0.1:1/_sandbox/inbox/shop')).toBeNull()
  })
})

describe('a name that resolves to a forbidden address', () => {
  /** Finds the given addresses at each question, the last ones for all that follow. */
  const resolvesTo = (...answers: string[][]): { lookUp: LookUp; asked: () => number } => {
    let asked = 0
    const lookUp: LookUp = (_host, _options, callback) => {
      const addresses = answers[Math.min(asked++, answers.length - 1)] ?? []
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      )
    }
    return { lookUp, asked: () => asked }
  }

  const sendTo = (url: string, allow: string[], lookUp: LookUp) =>
    createSender(
      () => ({ rewriteLocalhost: null, self: null, allow: checkCallbackAllow(allow) }),
      lookUp,
    ).send({
      url,
      headers: {},
      body: Buffer.from('{}'),
      timeout: 5_000 as Millis,
      signal: new AbortController().signal,
    })

  test('is refused although its name is allowed', async () => {
    const receiver = await receive()
    const { port } = new URL(receiver.url)
    const { lookUp } = resolvesTo(['127.0.0.1'])
    expect(await sendTo(`http://shop.test:${port}/hook`, ['shop.test'], lookUp)).toEqual({
      error: `the address cannot be sent to: shop.test:${port} is at 127.0.0.1, which no entry of --callback-allow lets in; the list is shop.test`,
    })
    expect(receiver.received).toEqual([])
  })

  test('is connected to only at those of its addresses that are allowed', async () => {
    const receiver = await receive()
    const { port } = new URL(receiver.url)
    const { lookUp } = resolvesTo(['169.254.169.254', '::1', '127.0.0.1'])
    const outcome = await sendTo(`http://shop.test:${port}/hook`, ['127.0.0.1'], lookUp)
    expect(outcome).toMatchObject({ status: 204 })
    expect(receiver.received).toMatchObject([{ headers: { host: `shop.test:${port}` } }])
  })

  test('is asked for once an attempt: what was checked is what is connected to', async () => {
    const receiver = await receive()
    const { port } = new URL(receiver.url)
    const { lookUp, asked } = resolvesTo(['127.0.0.1'], ['169.254.169.254'])
    expect(await sendTo(`http://shop.test:${port}/hook`, ['127.0.0.1'], lookUp)).toMatchObject({
      status: 204,
    })
    expect(asked()).toBe(1)
    // The same name later points elsewhere: the next attempt sees it.
    expect(await sendTo(`http://shop.test:${port}/hook`, ['127.0.0.1'], lookUp)).toMatchObject({
      error: expect.stringContaining('169.254.169.254'),
    })
  })

  test('says so when it has no address', async () => {
    const lookUp: LookUp = (_host, _options, callback) =>
      callback(Object.assign(new Error('gone'), { code: 'ENOTFOUND' }), [])
    expect(await sendTo('http://shop.test/hook', ['shop.test'], lookUp)).toEqual({
      error: 'no such host (ENOTFOUND)',
    })
  })
})
