// Checks the built command as a process: what it prints, how it refuses wrong usage, and how it ends.
import { createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { worldAnswer } from '../../src/control/worldRoutes.ts'
import { present } from '../../src/kernel/assert.ts'
import { builtCommand, PATIENCE_MS } from './command.ts'
import type { AddressInfo } from 'node:net'
import type { Told } from './command.ts'

const { run, started, refusal } = builtCommand()

const get = async (url: string): Promise<{ status: number; body: never }> => {
  const response = await fetch(url)
  return { status: response.status, body: (await response.json()) as never }
}

describe.concurrent('start', { timeout: PATIENCE_MS }, () => {
  test('prints one line for machines once it listens: the default world, and where to control it', async () => {
    const { told, child, ended } = await started()
    const { control, dashboard, version, ...world } = told
    expect(worldAnswer.parse(world)).toMatchObject({
      id: 'default',
      publicKey: 'pk_sandbox_default',
      secretKey: 'sk_sandbox_default',
      production: { publicKey: 'pk_production_default', secretKey: 'sk_production_default' },
      clock: { mode: 'flowing', rate: 1 },
    })
    expect(told.url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/)
    expect([control, dashboard, version]).toEqual([
      `${told.url}/_sandbox`,
      `${told.url}/_sandbox/ui`,
      packageJson.version,
    ])
    expect((await get(`${told.url}/health`)).status).toBe(200)
    expect((await get(`${control}/readyz`)).body).toEqual({ status: 'ok' })
    child.kill('SIGTERM')
    const { stdout, stderr } = await ended
    expect([stdout.split('\n').length, stderr]).toEqual([2, ''])
  })

  test('greets people with the address, the keys, the clock, the seed, and where to read on', async () => {
    const server = run(['start', '--port', '0', '--seed', 'known', '--clock', '2030-01-01T12:00:00Z'])
    const greeting = (await server.lines(8)).join('\n')
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(greeting)?.[0] ?? ''
    for (const part of [
      packageJson.version,
      'pk_sandbox_default',
      'sk_sandbox_default',
      'frozen at 2030-01-01T12:00:00.000Z',
      'known',
      `${url}/_sandbox`,
      `${url}/_sandbox/ui`,
      `${url}/openapi.json`,
    ]) {
      expect(greeting).toContain(part)
    }
    expect((await get(`${url}/openapi.json`)).status).toBe(200)
  })

  test('greets people with what happens by itself, and carries it out', async () => {
    const choices = JSON.stringify({ 'WH-04': 'firstAttempt' })
    const options = ['--auto', 'confirm=3s', '--rewrite-localhost', 'gateway.invalid', '--silences', choices]
    const server = run(['start', '--port', '0', '--clock', '2030-01-01', ...options])
    const greeting = (await server.lines(10)).join('\n')
    expect(greeting).toMatch(/auto +transactions are paid by themselves after 3s\n/)
    expect(greeting).toMatch(/localhost +means gateway\.invalid in a callbackUrl\n/)
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(greeting)?.[0] ?? ''
    const { body } = await get(`${url}/_sandbox/silences`)
    const { items } = body as { items: { id: string; choice: unknown }[] }
    expect(items.find(({ id }) => id === 'WH-04')?.choice).toBe('firstAttempt')
    expect((await get(`${url}/_sandbox/info`)).body).toMatchObject({ rewriteLocalhost: 'gateway.invalid' })
  })

  test('makes up a strong seed when it is told none, and prints it', async () => {
    const seeds = await Promise.all(
      [1, 2].map(async () => {
        const greeting = (await run(['start', '--port', '0']).lines(8)).join('\n')
        return /seed +(\S{16,})/.exec(greeting)?.[1]
      }),
    )
    expect(seeds[0]).toBeDefined()
    expect(seeds[0]).not.toBe(seeds[1])
  })

  test('repeats itself for the same seed, clock and public address', async () => {
    const args = ['--seed', 'known', '--clock', '2030-01-01', '--public-url', 'http://gateway.test']
    const [one, two] = await Promise.all([started(args), started(args)])
    const own = { control: '', dashboard: '' }
    expect({ ...one.told, ...own }).toEqual({ ...two.told, ...own })
  })

  test.each([
    ['frozen', { mode: 'frozen' }],
    ['flowing', { mode: 'flowing' }],
    ['2030-01-01T12:00:00Z', { mode: 'frozen', now: '2030-01-01T12:00:00.000Z' }],
    ['flowing@2030-01-01T12:00:00Z', { mode: 'flowing', now: expect.stringMatching(/^2030-01-01T12:/) }],
  ])('begins its clock as told: --clock %s', async (clock, expected) => {
    expect((await started(['--clock', clock])).told.clock).toMatchObject(expected)
  })

  test('links name the public address, without its last slash', async () => {
    const { told } = await started(['--public-url', 'http://gateway.test:4848/'])
    expect(told.url).toBe('http://gateway.test:4848')
    expect(told.control).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/_sandbox$/)
  })

  test('says in the image when the health check asks another port', async () => {
    const { child, ended, told } = await started([], { SANDBOX_IMAGE: '1', SANDBOX_PORT: '4848' })
    child.kill('SIGTERM')
    expect((await ended).stderr).toBe(
      'gateway-sandbox: the health check of this image asks port 4848: set SANDBOX_PORT instead of --port.\n',
    )
    const { port } = new URL(told.url)
    const same = await started(['--port', port], { SANDBOX_IMAGE: '1', SANDBOX_PORT: port })
    same.child.kill('SIGTERM')
    expect((await same.ended).stderr).toBe('')
  })

  test('asks for the control token that it was given', async () => {
    const { told } = await started(['--control-token', 'let-me-in'])
    expect((await get(`${told.control}/clock`)).status).toBe(401)
    const headers = { authorization: 'Bearer let-me-in' }
    expect((await fetch(`${told.control}/clock`, { headers })).status).toBe(200)
  })

  test('takes every flag from the environment too, and the flag wins', async () => {
    const environment = {
      SANDBOX_PORT: '0',
      SANDBOX_JSON: '1',
      SANDBOX_CLOCK: '2030-01-01',
      SANDBOX_SEED: 'from the environment',
      SANDBOX_PUBLIC_URL: 'http://gateway.test',
      SANDBOX_CONTROL_TOKEN: 'let-me-in',
      SANDBOX_HOST: 'localhost',
    }
    const server = run(['start', '--clock', '2031-01-01'], environment)
    const [line = ''] = await server.lines(1)
    const told = JSON.parse(line) as Told
    expect(told.clock.now).toBe('2031-01-01T00:00:00.000Z')
    expect(told.url).toBe('http://gateway.test')
    const headers = { authorization: 'Bearer let-me-in' }
    const info = (await (await fetch(`${told.control}/info`, { headers })).json()) as { seed: string }
    expect(info.seed).toBe('from the environment')
  })

  test.each(['0', 'false', ''])('a switch in the environment is off when it says %j', async (value) => {
    const server = run(['start', '--port', '0'], { SANDBOX_JSON: value })
    const [line = ''] = await server.lines(1)
    expect(line).toMatch(/^gateway-sandbox .* listens on http/)
  })
})

describe.concurrent('the end of start', { timeout: PATIENCE_MS }, () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('comes with %s and code 0', async (signal) => {
    const { child, ended } = await started()
    child.kill(signal)
    expect(await ended).toMatchObject({ code: 0, signal: null, stderr: '' })
  })

  test('does not wait for connections, attempts in flight or somebody who waits for a message', async () => {
    const { child, ended, told } = await started()
    const receiver = createServer()
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    const inFlight = new Promise((resolve) => receiver.once('connection', resolve))
    const callbackUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
    const send = async (
      path: string,
      body: object,
      token?: string,
    ): Promise<{ data: Record<string, string> }> => {
      const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
      const init = { method: 'POST', headers: { ...authorization }, body: JSON.stringify(body) }
      return (await (await fetch(told.url + path, init)).json()) as { data: Record<string, string> }
    }
    const { publicKey, secretKey } = told
    const { accessToken } = (await send('/v1/auth/token', { publicKey, secretKey })).data
    const sale = { method: 'Pix', amount: 100, callbackUrl }
    const { id } = (await send('/v1/transactions', sale, accessToken)).data
    await send('/_sandbox/trigger', { on: id, do: 'confirm' })
    await inFlight
    const waiting = fetch(`${told.control}/inboxes/shop/messages?wait=60s`).catch(() => 'cut')
    await get(`${told.control}/inboxes`)
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 0, signal: null, stderr: '' })
    expect(await waiting).toBe('cut')
    receiver.close()
  })

  test('does not wait for somebody who watches live', async () => {
    const { child, ended, told } = await started()
    const { body } = await fetch(`${told.control}/events`)
    const reader = present(body, 'a stream').getReader()
    await reader.read()
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 0, signal: null, stderr: '' })
    await reader.read().catch(() => null)
  })

  test('does not wait for an inbox that is told to answer late', { timeout: 10_000 }, async () => {
    const { child, ended, told } = await started()
    const init = { method: 'PUT', body: JSON.stringify({ delayMs: 600_000 }) }
    await fetch(`${told.control}/inboxes/shop`, init)
    const posting = fetch(`${told.control}/inbox/shop`, { method: 'POST' }).catch(() => 'cut')
    await get(`${told.control}/inboxes/shop/messages?wait=60s`)
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 0, signal: null })
    expect(await posting).toBe('cut')
  })

  test('does not wait for somebody who settles and asks for quiet', { timeout: 10_000 }, async () => {
    const { child, ended, told } = await started()
    const body = JSON.stringify({ quietMs: 60_000, timeoutMs: 600_000 })
    const settling = fetch(`${told.control}/settle`, { method: 'POST', body }).catch(() => 'cut')
    await get(`${told.control}/clock`)
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 0, signal: null })
    expect(await settling).toBe('cut')
  })
})

describe.concurrent('wrong usage is one clear line and exit code 2', { timeout: PATIENCE_MS }, () => {
  test('a port that is taken, with what to do', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    const { port } = taken.address() as AddressInfo
    const line = await refusal(['start', '--port', String(port)])
    expect(line).toContain(String(port))
    expect(line).toContain('in use')
    await new Promise((resolve) => taken.close(resolve))
  })

  test.each([
    ['--prot', "Did you mean '--port'?"],
    ['--sede', "Did you mean '--seed'?"],
    ['--controltoken', "Did you mean '--control-token'?"],
    ['--PORT', "Did you mean '--port'?"],
    ['--xyzzy-unlike-anything', '--help'],
  ])('a flag that is not there: %s', async (flag, hint) => {
    const line = await refusal(['start', flag])
    expect(line).toContain(flag)
    expect(line).toContain(hint)
  })

  test.each(['abc', '65536', '1.5', '', ' ', '0x10', '1e3', '80 80'])(
    'a port that is none: %j',
    async (port) => {
      const line = await refusal(['start', '--json', '--port', port])
      expect(line).toContain('--port')
      expect(line).toContain('65535')
    },
  )

  test('a port below zero', async () => {
    expect(await refusal(['start', '--port', '-1'])).toContain('--port')
    expect(await refusal(['start', '--port=-1'])).toContain('65535')
  })

  test.each(['noon', '', '2030-02-30', 'flowing@', '2030-01-01T12:00'])(
    'a clock that is none: %j',
    async (clock) => {
      const line = await refusal(['start', '--clock', clock])
      expect(line).toContain('--clock')
      expect(line).toContain('flowing')
    },
  )

  test.each([
    [['--port'], '--port'],
    [['--clock', '--json'], '--clock'],
    [['8080'], '8080'],
    [['--json=yes'], '--json'],
    [['--public-url', 'gateway'], '--public-url'],
    [['--public-url', ''], '--public-url'],
    [['--host', 'no.such.host.invalid', '--port', '0'], 'no.such.host.invalid'],
    [['--host', '203.0.113.7', '--port', '0'], '203.0.113.7'],
  ])('%j', async (args, named) => {
    expect(await refusal(['start', ...args])).toContain(named)
  })

  test.each([['--host'], ['--control-token'], ['--seed']])(
    'an empty value, as of a variable that is not set: %s',
    async (flag) => {
      expect(await refusal(['start', '--port', '0', flag, ''])).toContain(flag)
    },
  )

  test('a value in the environment that does not fit names the variable or its flag', async () => {
    expect(await refusal(['start'], { SANDBOX_PORT: 'abc' })).toMatch(/--port|SANDBOX_PORT/)
    expect(await refusal(['start'], { SANDBOX_CLOCK: 'noon' })).toMatch(/--clock|SANDBOX_CLOCK/)
  })

  test('but a port that Kubernetes sets for a Service of our name is none of ours', async () => {
    const environment = { SANDBOX_PORT: 'tcp://10.0.0.1:4848' }
    expect(await refusal(['start', '--host', '203.0.113.7'], environment)).toContain('203.0.113.7:4848')
  })

  test.each([
    ['--control-token', 'tok✓'],
    ['--seed', 'x'.repeat(201)],
    ['--public-url', 'http://gateway.test?x'],
  ])('%s as the server would refuse it: %s', async (flag, value) => {
    expect(await refusal(['start', '--port', '0', flag, value])).toMatch(
      new RegExp(`^gateway-sandbox: ${flag}: `),
    )
  })

  test.each([
    [['--silences', '{"WH-04"'], 'no JSON'],
    [['--silences', '[]'], 'no JSON object'],
    [['--silences', '{"WH-4":"firstAttempt"}'], "Did you mean 'WH-04'?"],
    [['--silences', '{"WH-04":"never"}'], 'It can be'],
    [['--auto', 'refund=3s'], "only 'confirm'"],
    [['--auto', 'confirm'], 'confirm=3s'],
    [['--auto', 'confirm=soon'], "'soon' is no duration"],
    [['--rewrite-localhost', 'http://host'], 'without scheme or port'],
    [['--rewrite-localhost', 'host:80'], 'without scheme or port'],
  ])('%j', async ([flag = '', value = ''], hint) => {
    const line = await refusal(['start', '--port', '0', flag, value])
    expect(line).toContain(flag)
    expect(line).toContain(hint)
  })

  test.each([
    ['strat', "Did you mean 'start'?"],
    ['START', "Did you mean 'start'?"],
    ['helth', "Did you mean 'health'?"],
    ['xyzzy-unlike-anything', '--help'],
    ['constructor', '--help'],
    ['--port', '--help'],
    ['', '--help'],
  ])('a verb that is not there: %j', async (verb, hint) => {
    expect(await refusal([verb])).toContain(hint)
  })
})

describe.concurrent('help', { timeout: PATIENCE_MS }, () => {
  test.each([[['--help']], [['-h']], [[]]])('of the command names its verbs: %j', async (args) => {
    const { code, stdout, stderr } = await run(args).ended
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/start {2,}\S/)
    expect(stdout).toContain('exec')
  })

  test('of start names every flag, its variable and what is assumed without it', async () => {
    const { code, stdout, stderr } = await run(['start', '--help']).ended
    expect([code, stderr]).toEqual([0, ''])
    const flags = [
      'port',
      'host',
      'data',
      'fsync',
      'scenario',
      'clock',
      'seed',
      'json',
      'control-token',
      'public-url',
      'auto',
    ]
    for (const flag of flags) expect(stdout).toContain(`--${flag}`)
    for (const part of ['SANDBOX_PORT', '4848', '127.0.0.1', 'flowing']) expect(stdout).toContain(part)
  })
})
