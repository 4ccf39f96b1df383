// Checks who may in: the address that is listened on, the control token on every route, and pages of other sites.
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { describe, expect, test } from 'vitest'
import { CONTROL_ROUTES } from '../../src/control/routes.ts'
import { startSandbox } from '../../src/index.ts'
import { strongHex } from '../../src/kernel/entropy.ts'
import { serve } from '../control/servers.ts'
import { createApp } from '../../src/app.ts'
import { begin } from '../control/transactionSteps.ts'

/** Everything that is open to whoever reaches the server. A route that is added here is a decision. */
const OPEN = ['GET /livez', 'GET /readyz', 'POST /inbox/{name}']

const TOKEN = 'the-control-token'
/** Each route by the path of the default world, and those of a world also by the path of that world. */
const PATHS = CONTROL_ROUTES.flatMap(({ method, path, scope, open }) => {
  const filled = path.replaceAll(/\{\w+\}/g, 'x')
  const bases = scope === 'world' ? ['/_sandbox', '/_sandbox/worlds/default'] : ['/_sandbox']
  return bases.map((base) => ({ method, path: base + filled, name: `${method} ${path}`, open }))
})

/** An app with a control token over a fresh sandbox, and what it answers. */
function guarded(controlToken: string | null = TOKEN) {
  const sandbox = begin()
  const app = createApp(sandbox.worlds, { controlToken })
  const send = async (
    method: string,
    path: string,
    headers: Record<string, string> = {},
  ): Promise<Response> => app.fetch(new Request(`http://sandbox.test${path}`, { method, headers }))
  return { sandbox, send }
}

describe('the control token', () => {
  test('is asked for by every route but those that are open', () => {
    expect(CONTROL_ROUTES.filter(({ open }) => open).map(({ method, path }) => `${method} ${path}`)).toEqual(
      OPEN,
    )
  })

  test.each(PATHS)('$method $path', async ({ method, path, open }) => {
    const { sandbox, send } = guarded()
    const before = JSON.stringify(sandbox.world.state)
    const wrong: Record<string, string>[] = [
      {},
      { Authorization: 'Bearer' },
      { Authorization: `Bearer ${TOKEN}x` },
      { Authorization: `Bearer ${TOKEN.slice(0, -1)}` },
      { Authorization: `Bearer ${TOKEN.toUpperCase()}` },
      { Authorization: `Basic ${Buffer.from(`:${TOKEN}`).toString('base64')}` },
      { Authorization: TOKEN },
      { Cookie: `sandbox_token=${TOKEN}x` },
      { Cookie: `token=${TOKEN}` },
      { 'X-Control-Token': TOKEN },
    ]
    for (const headers of wrong) {
      const { status } = await send(method, path, headers)
      expect(status === 401, JSON.stringify(headers)).toBe(!open)
    }
    const { status } = await send(method, `${path}?token=${TOKEN}`)
    expect(status === 401).toBe(!open)
    expect(JSON.stringify(sandbox.world.state)).toBe(before)
  })

  test.each([
    '/_sandbox',
    '/_sandbox/nowhere',
    '/_sandbox/worlds',
    '/_sandbox/worlds/none/clock',
    '/_sandbox/../_sandbox/info',
    '//_sandbox/info',
    '/_sandbox//info',
    '/_sandbox/%69nfo',
    '/_Sandbox/info',
  ])('tells nothing about the server at %s', async (path) => {
    const response = await guarded().send('GET', path)
    expect([401, 404]).toContain(response.status)
    expect(await response.text()).not.toMatch(/sk_|"seed"|"worlds"/)
  })

  test('makes the keys of new worlds strong', async () => {
    const { control } = await serve()
    expect((await control('POST', '/worlds', { id: 'a' })).body.secretKey).toBe('sk_sandbox_a')
    await using sandbox = await startSandbox({ controlToken: TOKEN })
    const [one, two] = [await sandbox.world(), await sandbox.world()]
    expect(one.secretKey).toMatch(/^sk_sandbox_[0-9a-f]{48}$/)
    expect(one.secretKey).not.toBe(two.secretKey)
  })

  test('is nothing that a world, a fork or a seed gives away', async () => {
    await using sandbox = await startSandbox({ controlToken: TOKEN, seed: 'known' })
    await using other = await startSandbox({ controlToken: TOKEN, seed: 'known' })
    const made = await Promise.all([sandbox, other].map((each) => each.world({ id: 'same', seed: 'same' })))
    expect(made[0]?.secretKey).not.toBe(made[1]?.secretKey)
  })
})

describe('a page of another site', () => {
  const FOREIGN: Record<string, string>[] = [
    { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.test' },
    { 'Sec-Fetch-Site': 'same-site' },
    { Origin: 'https://evil.test' },
    { Origin: 'null' },
    { Origin: 'http://sandbox.test:81' },
  ]

  test.each(PATHS.filter(({ method, open }) => method !== 'GET' && !open))(
    'may not $method $path',
    async ({ method, path }) => {
      for (const headers of FOREIGN) {
        // Neither where nothing guards the server, nor with the cookie that a browser sends along.
        for (const { send } of [guarded(null), guarded()]) {
          const sent = { ...headers, Cookie: `sandbox_token=${TOKEN}` }
          expect((await send(method, path, sent)).status, JSON.stringify(headers)).toBe(403)
        }
      }
    },
  )

  test('is never allowed to read an answer', async () => {
    const { send } = guarded(null)
    for (const { path, method, name } of PATHS) {
      if (method !== 'GET' || name === 'GET /events') continue
      const { headers } = await send(method, path, { Origin: 'https://evil.test' })
      expect(headers.get('access-control-allow-origin'), path).toBeNull()
    }
  })
})

describe('a server that is told no address', () => {
  test('listens on this machine only', async () => {
    const { url } = await serve()
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:/)
    const outer = Object.values(networkInterfaces())
      .flatMap((each) => each ?? [])
      .find(({ internal, family }) => !internal && family === 'IPv4')
    if (!outer) return
    const refused = await new Promise((resolve) => {
      const socket = connect(Number(new URL(url).port), outer.address)
      socket.on('connect', () => resolve('connected')).on('error', ({ message }) => resolve(message))
    })
    expect(refused).toContain('ECONNREFUSED')
  })
})

describe('chance', () => {
  test('that nobody seeded is strong and never the same', () => {
    const drawn = Array.from({ length: 200 }, () => strongHex(16))
    expect(new Set(drawn).size).toBe(200)
    expect(drawn.every((text) => /^[0-9a-f]{32}$/.test(text))).toBe(true)
  })

  test('of servers without a seed gives each its own', async () => {
    const seeds = await Promise.all(
      [1, 2].map(async () => (await serve({ seed: undefined })).server.worlds.seed),
    )
    expect(seeds[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(seeds[0]).not.toBe(seeds[1])
  })
})
