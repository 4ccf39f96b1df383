// Checks that names, paths, scenario files and headers made to break out lead nowhere.
import { afterEach, describe, expect, test } from 'vitest'
import { SignJWT } from 'jose'
import { parseScenario } from '../../src/scenario/parse.ts'
import { redactText } from '../../src/world/redaction.ts'
import { checkPublicUrl } from '../../src/world/hostOptions.ts'
import { attempted } from '../client/shop.ts'
import { startSandbox } from '../../src/index.ts'
import { receive, serve } from '../control/servers.ts'
import { begin } from '../control/transactionSteps.ts'
import { callRaw } from '../support/rawClient.ts'

afterEach(() => {
  // Whatever was sent: no object of the process has got a field that it had not.
  const polluted: string[] = []
  for (const name in {}) polluted.push(name)
  if (polluted.length > 0) throw new Error(`every object got ${polluted.join(', ')}`)
})

describe('a path that climbs', () => {
  const UP = [
    '..',
    '../..',
    '..%2f..%2fpackage.json',
    '%2e%2e/%2e%2e/package.json',
    String.raw`..\..\package.json`,
    '%00',
    'a%00.css',
    '....//',
    '/etc/passwd',
    'constructor',
    '__proto__',
    'toString',
  ]

  test.each([
    '/_sandbox/ui/assets/NAME',
    '/_sandbox/ui/NAME',
    '/_sandbox/snapshots/NAME',
    '/_sandbox/inboxes/NAME/messages',
    '/_sandbox/worlds/NAME',
    '/_sandbox/worlds/NAME/clock',
    '/_sandbox/exchanges/NAME',
    '/_sandbox/transactions/NAME',
    '/_sandbox/credentials/NAME',
    '/files/NAME/slips/x.pdf',
    '/files/default/slips/NAME',
    '/files/default/evidence/NAME',
    '/_sandbox/pay/NAME',
    '/docs/NAME',
    '/NAME',
  ])('leads nowhere at %s', async (template) => {
    const { url } = await serve()
    for (const name of UP) {
      const path = template.replace('NAME', name)
      const call = callRaw(url, `GET ${path} HTTP/1.1\r\nHost: sandbox.test\r\nConnection: close\r\n\r\n`)
      await call.ended
      expect(call.text, path).toMatch(/^HTTP\/1\.1 (?:200|30[123]|400|401|404|405) /)
      expect(call.text, path).not.toMatch(/"devDependencies"|root:x:|\[native code\]|ENOENT|node_modules/)
    }
  })

  test.each(['..', '.', 'a/b', 'a%2fb', 'A', '__proto__', 'x'.repeat(65), 'a b', 'a_b', ''])(
    "is no id of a world: '%s'",
    async (id) => {
      const { control } = begin()
      expect((await control('POST', '/worlds', { id })).status).toBe(400)
    },
  )
})

describe('a name that objects have', () => {
  const NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']

  test.each(NAMES)('%s is a name like any other in a body', async (name) => {
    const sandbox = begin()
    const inner = `{"${name}":{"polluted":"yes","toString":"x"},"polluted":1}`
    for (const [path, rest] of [
      ['/v1/transactions', '"method":"Pix","amount":100'],
      ['/v1/customers', '"name":"Ana","email":"ana@example.com"'],
      ['/v1/card-tokenize', '"cardNumber":"x"'],
      ['/v1/auth/token', '"publicKey":"x"'],
    ]) {
      const body = `{${rest},"${name}":${inner},"metadata":${JSON.stringify(inner)}}`
      expect((await sandbox.call('POST', String(path), body)).status, path).toBeLessThan(500)
    }
    for (const path of [
      '/silences',
      '/rules',
      '/faults',
      '/given',
      '/worlds',
      '/trigger',
      '/import',
      '/credentials',
    ]) {
      const method = path === '/silences' ? 'PATCH' : 'POST'
      const { status } = await sandbox.send(method, `/_sandbox${path}`, { body: `{"${name}":${inner}}` })
      // A name that no object can have of its own is left out, like an unknown field.
      expect(status, path).toBeLessThan(name === '__proto__' ? 500 : 401)
    }
    for (const path of [
      'transactions',
      'customers',
      'cashouts',
      'disputes',
      'credentials',
      'organizations',
    ]) {
      expect((await sandbox.control('GET', `/${path}/${name}`)).status, path).toBe(404)
    }
    expect((await sandbox.call('GET', `/v1/transactions?${name}=x&${name}[polluted]=1`)).status).toBe(200)
  })

  test.each(NAMES)('%s is a name like any other in a scenario', (name) => {
    const text = `name: x\n${name}: { polluted: yes }\nsteps:\n  - note: y\n    ${name}: { polluted: yes }\n`
    expect(() => parseScenario(text, 'a.yaml')).toThrow(/a\.yaml:/)
    expect(() =>
      parseScenario(`name: x\nsteps:\n  - trigger: { on: $world.${name}, do: confirm }\n`, 'a.yaml'),
    ).not.toThrow(TypeError)
  })

  test('is no field that a reference could reach', async () => {
    await using sandbox = await startSandbox()
    for (const name of NAMES) {
      const { failure } = await sandbox.play(
        `name: x\nsteps:\n  - trigger: { on: $world.${name}, do: confirm }\n`,
      )
      expect(JSON.stringify(failure)).toContain('has no field')
    }
  })
})

describe('a scenario file', () => {
  test.each([
    ['a tag of JavaScript', 'name: !!js/function "function () { return 1 }"\nsteps: []'],
    ['a tag of its own', 'name: !evil x\nsteps: []'],
    ['binary', 'name: !!binary aGk=\nsteps: []'],
    ['a tag that makes objects', 'name: x\nsilences: !!set { a }\nsteps: []'],
    ['aliases that double', `${doubling((n) => `[*a${n}, *a${n}]`)}name: x`],
    ['merged maps that double', `${doubling((n) => `{ <<: [*a${n}, *a${n}], y${n}: 1 }`)}name: x`],
    ['an alias of itself', 'name: x\nsilences: &a { b: *a }'],
    ['a map merged into itself', 'name: x\nsilences: &a { <<: *a }'],
    [
      'aliases in a chain',
      `a0: &a0 [x]\n${Array.from({ length: 5_000 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}]\n`).join('')}name: x`,
    ],
    ['brackets that never close', '['.repeat(400_000)],
    ['braces that never close', '{a: '.repeat(100_000)],
    ['brackets beside quoted ones', '[ "]", '.repeat(1_000)],
    ['lists in lists on one line', `${'- '.repeat(200_000)}x`],
    ['keys in keys on one line', `${'? '.repeat(200_000)}x`],
    [
      'lists in lists on many lines',
      Array.from({ length: 60 }, (_, n) => `${' '.repeat(n * 8)}- - - -`).join('\n'),
    ],
    ['maps in maps', Array.from({ length: 150 }, (_, n) => `${' '.repeat(n)}a:`).join('\n')],
    ['JSON that is deep', `{"name":${'['.repeat(20_000)}${']'.repeat(20_000)}}`],
    ['a second document', 'name: x\nsteps: []\n---\nname: y'],
  ])('with %s is refused with its place', (_what, text) => {
    expect(() => parseScenario(text, 'a.yaml')).toThrow(/^a\.yaml:\d+:\d+: /)
  })

  test('may be nested as deep as anybody writes', () => {
    const deep = (levels: number): string =>
      `name: x\nsilences: { TX-03: ${'['.repeat(levels)}${']'.repeat(levels)} }`
    expect(() => parseScenario(deep(90), 'a.yaml')).toThrow(/Silence TX-03/)
    expect(() => parseScenario(deep(100), 'a.yaml')).toThrow(/nested too deeply: 100 levels/)
    // Brackets in texts are no levels.
    const text = `name: x\nsteps:\n  - note: "${'['.repeat(300)}"\n  - note: |\n      ${'- '.repeat(300)}\n`
    expect(parseScenario(text, 'a.yaml').steps).toHaveLength(2)
  })

  test('reads no other file', () => {
    for (const text of ['name: !include /etc/passwd', 'given: { $ref: "/etc/passwd" }']) {
      expect(() => parseScenario(text, 'a.yaml')).toThrow(/^a\.yaml:/)
    }
  })
})

/** Eighteen lines, each of which stands for the one before it twice. */
function doubling(line: (n: number) => string): string {
  const lines = Array.from({ length: 18 }, (_, n) => `a${n + 1}: &a${n + 1} ${line(n)}\n`)
  return `a0: &a0 { x: 1 }\n${lines.join('')}`
}

describe('a line end', () => {
  test('in a callbackUrl makes no header and no second request', async () => {
    await using sandbox = await startSandbox()
    const receiver = await receive()
    const evil = `${receiver.url}/a\r\nX-Evil: 1\r\n\r\nGET /second HTTP/1.1\r\n\r\n`
    await attempted(sandbox, evil).catch(() => null)
    for (const { path, headers } of receiver.received) {
      expect(path).not.toMatch(/second$/)
      expect(headers).not.toHaveProperty('x-evil')
    }
    expect(receiver.received.length).toBeLessThan(2)
  })

  test.each(['X-A\r\nX-Evil: 1-', 'X-A\n-', 'X A-', 'X-Ä-', ''])(
    "makes no name of a header: '%s'",
    async (prefix) => {
      expect((await begin().control('PATCH', '/silences', { 'WH-02': prefix })).status).toBe(400)
    },
  )

  test('in what a hint repeats makes no header', async () => {
    const sandbox = begin()
    const { headers } = await sandbox.call('POST', '/v1/transactions', {
      method: 'Pix\r\nX-Evil: 1',
      'amuont\r\nX-Evil': 1,
    })
    expect(headers.has('x-evil')).toBe(false)
    expect(headers.get('x-sandbox-hint')).not.toMatch(/[\r\n]/)
  })

  test.each(['http://a.test/\r\nX-Evil: 1', 'http://a.test\n', 'http://a.test\t/b'])(
    'is no part of the address of a server: %j',
    async (url) => {
      const { body } = await begin().control('PATCH', '/info', { url })
      expect(String(body.url)).not.toMatch(/[\r\n\t]/)
    },
  )

  test('in the location of an inbox is refused', async () => {
    const { status } = await begin().control('PUT', '/inboxes/shop', {
      answers: [{ location: '/a\r\nX-Evil: 1' }],
    })
    expect(status).toBe(400)
  })
})

describe('a token that names its own key', () => {
  test.each<[string, Record<string, unknown>]>([
    ['kid of a file', { kid: '../../../../dev/null' }],
    ['kid of a query', { kid: "x' UNION SELECT 'secret" }],
    ['kid of another world', { kid: 'other' }],
    ['jku', { jku: 'http://127.0.0.1:9/jwks.json' }],
    ['x5u', { x5u: 'http://127.0.0.1:9/cert.pem' }],
    ['x5c', { x5c: ['MIIB'] }],
    ['jwk', { jwk: { kty: 'oct', k: 'AAAA' } }],
    ['crit', { crit: ['exp'] }],
    ['b64', { b64: false, crit: ['b64'] }],
    ['cty', { cty: 'JWT' }],
  ])('by %s is verified with none but ours', async (_how, header) => {
    for (const alg of ['HS256', 'RS256']) {
      const sandbox = begin({ 'AU-09': alg })
      const now = Math.floor(sandbox.world.clock.now() / 1000)
      for (const key of ['', '\0', 'secret', 'AAAA']) {
        const made = new SignJWT({ world: 'default', environment: 'Sandbox' })
          .setProtectedHeader({ alg: 'HS256', ...header })
          .setSubject('pk_sandbox_default')
          .setIssuedAt(now)
          .setExpirationTime(now + 600)
          .setJti('x')
        const token = await made.sign(new TextEncoder().encode(key.padEnd(32, '\0'))).catch(() => 'a.b.c')
        expect((await sandbox.send('GET', '/v1/balance', { token })).status).toBe(401)
      }
    }
  })
})

describe('what was quadratic', () => {
  test('is read once: many beginnings of tokens, many slashes', () => {
    // Millions of beginnings would be tried each up to the end; the test would never end.
    expect(redactText('eyJ-'.repeat(1_000_000))).toMatch(/^(?:eyJ-){250}\.\.\.$/)
    expect(() => checkPublicUrl(`http://a.test/${'/'.repeat(4_000_000)}x`)).toThrow(/is no address/)
    expect(redactText('see eyJa.eyJb.c_d-e, and eyJ.txt')).toBe('see [hidden], and eyJ.txt')
  })

  test.each(['sk_', 'ct_', 'ct_a-', 'xsk_-', 'xeyJaaaaaaaaaaaaa', '%25', '%25sk_'])(
    'as are many %s',
    (part) => {
      const text = part.repeat(1_000_000)
      expect(redactText(text).length).toBeLessThanOrEqual(text.length)
    },
  )
})

describe('a secret that stands in a word', () => {
  const head = 'eyJhbGciOiJIUzI1NiJ9'
  const token = `${head}.eyJzdWIiOiJhIn0.c_d-e`
  const cardToken = `ct_${'aB3'.repeat(10)}xy`

  test.each([
    [
      'an address in an address',
      'http%3A%2F%2Fy%3Fkey%3Dsk_sandbox_default',
      'http%3A%2F%2Fy%3Fkey%3D[hidden]',
    ],
    ['a longer word', 'k_sk_sandbox_default', 'k_[hidden]'],
    ['a word of Production', 'ksk_production_shop-1_2 x', 'k[hidden] x'],
    ['what was encoded twice', 'x%253Dsk_sandbox_default', 'x%253D[hidden]'],
    ['an encoded key of another kind', 'x%3Dsk_live_1', 'x%3D[hidden]'],
    ['encoded underscores', 'a sk%5Fsandbox%5fdefault.', 'a [hidden].'],
    ['underscores that were encoded twice', 'sk%255Fsandbox%255Fdefault', '[hidden]'],
    ['a token of a card', `card_${cardToken}`, 'card_[hidden]'],
    ['a token after a space', `a%20${token}`, 'a%20[hidden]'],
    ['a token after an underscore', `token_${token}&b`, 'token_[hidden]&b'],
    ['a token after a name', `see.a.b=${token}`, 'see.a.b=[hidden]'],
  ])('is hidden: %s', (_where, text, shown) => {
    expect(redactText(text)).toBe(shown)
  })

  test.each(['task_list', 'desk_sandbox', 'product_id', 'config.keyJson.value.x', `${head}.txt`])(
    'is not seen in %s',
    (text) => {
      expect(redactText(text)).toBe(text)
    },
  )
})
