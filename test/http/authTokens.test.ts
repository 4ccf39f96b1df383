// Tests of access tokens: what is in them, how long they hold, and everything that is refused in their place.
import {
  exportJWK,
  exportSPKI,
  generateKeyPair,
  importJWK,
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  jwtVerify,
  SignJWT,
} from 'jose'
import { describe, expect, test } from 'vitest'
import { createPix, START } from '../support/sandbox.ts'
import { advance, askToken, callingFrom, choose, control, fresh, makePair, outcome, shared } from './calls.ts'
import type { JSONWebKeySet, JWTPayload } from 'jose'
import type { Answered, TestSandbox } from '../support/sandbox.ts'

const START_SECONDS = Date.parse(START) / 1000

/** Uses a token, for a call that any credential may make. */
async function use(sandbox: TestSandbox, token: string): Promise<string> {
  return outcome(await sandbox.send('GET', '/v1/customers', { token }))
}

/** The claims of a token that holds, to be changed by a test. */
const CLAIMS = {
  sub: 'pk_sandbox_default',
  iat: START_SECONDS,
  exp: START_SECONDS + 3600,
  jti: '0b7ad78b-7cd4-4a4e-9d3b-5b3f1a0c2f6e',
  environment: 'Sandbox',
  world: 'default',
}

const sign = (payload: JWTPayload, key: Parameters<SignJWT['sign']>[0], alg = 'HS256'): Promise<string> =>
  new SignJWT(payload).setProtectedHeader({ alg, typ: 'JWT' }).sign(key)

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

describe('a token', () => {
  test('is a JWT signed with HS256 whose claims name owner, times, environment and world', async () => {
    const sandbox = fresh()
    const token = await sandbox.token()
    const { payload, protectedHeader } = await jwtVerify(token, sandbox.world.tokenKey, {
      algorithms: ['HS256'],
      currentDate: new Date(START),
    })
    expect(protectedHeader).toEqual({ alg: 'HS256', typ: 'JWT' })
    expect(payload).toEqual({ ...CLAIMS, jti: expect.stringMatching(/^[0-9a-f-]{36}$/) })
  })

  test('of Production says so', async () => {
    const claims = decodeJwt(await fresh().token('pk_production_default'))
    expect(claims).toMatchObject({ sub: 'pk_production_default', environment: 'Production' })
  })

  test('has an id of its own each time, also at the same instant', async () => {
    const sandbox = fresh()
    const ids = [await sandbox.token(), await sandbox.token()].map((token) => decodeJwt(token).jti)
    expect(new Set(ids).size).toBe(2)
  })

  test('never carries the secret key', async () => {
    const [, payload = ''] = (await fresh().token()).split('.')
    expect(Buffer.from(payload, 'base64url').toString()).not.toContain('sk_sandbox')
  })

  // proves: limit TOKEN_LIFETIME_SECONDS, error unauthorized
  test.each([
    ['0s', '200'],
    ['3599s', '200'],
    ['3599999ms', '200'],
    ['3600s', '401 unauthorized'],
    ['3601s', '401 unauthorized'],
    ['7d', '401 unauthorized'],
  ])('is, %s after it was issued on the clock of the world, worth %s', async (by, expected) => {
    const sandbox = fresh()
    const token = await sandbox.token()
    await advance(sandbox, by)
    expect(await use(sandbox, token)).toBe(expected)
  })

  test('that expired can be replaced by a new one', async () => {
    const sandbox = fresh()
    const token = await sandbox.token()
    await advance(sandbox, '1h')
    expect(await use(sandbox, token)).toBe('401 unauthorized')
    expect(await use(sandbox, await sandbox.token())).toBe('200')
  })

  test('that expired is told so in the hint, with the instant', async () => {
    const sandbox = fresh()
    const token = await sandbox.token()
    await advance(sandbox, '2h')
    const { headers } = await sandbox.send('GET', '/v1/customers', { token })
    expect(headers.get('x-sandbox-hint')).toMatch(/expired at 2030-01-01T13:00:00\.000Z/)
  })

  test('that expired in a world is refused in the name of that world, with its time', async () => {
    const sandbox = fresh()
    const { publicKey, secretKey } = await control(sandbox, 'POST', '/worlds', { id: 'later' })
    const token = await sandbox.token(publicKey, secretKey)
    await control(sandbox, 'POST', '/worlds/later/clock/advance', { by: '1h' })
    const { headers } = await sandbox.send('GET', '/v1/customers', { token })
    expect(headers.get('x-sandbox-world')).toBe('later')
    expect(headers.get('x-sandbox-now')).toBe('2030-01-01T13:00:00.000Z')
  })

  test('lives on the clock of its own world, whatever the others show', async () => {
    const sandbox = fresh()
    const { publicKey, secretKey } = await control(sandbox, 'POST', '/worlds', { id: 'other' })
    const token = await sandbox.token(publicKey, secretKey)
    await advance(sandbox, '2h')
    expect(await use(sandbox, token)).toBe('200')
    await control(sandbox, 'POST', '/worlds/other/clock/advance', { by: '1h' })
    expect(await use(sandbox, token)).toBe('401 unauthorized')
  })

  test('picks the world: its records are seen and no others', async () => {
    const sandbox = fresh()
    const { publicKey, secretKey } = await control(sandbox, 'POST', '/worlds', { id: 'other' })
    const { id } = await createPix(sandbox)
    const token = await sandbox.token(publicKey, secretKey)
    const list = await sandbox.send('GET', '/v1/transactions', { token })
    expect([list.headers.get('x-sandbox-world'), list.body.data.totalItems]).toEqual(['other', 0])
    const one = await sandbox.send('GET', `/v1/transactions/${id}`, { token })
    expect(outcome(one)).toBe('404 not_found')
  })

  test('of a world that was deleted is 401 unauthorized', async () => {
    const sandbox = fresh()
    const { publicKey, secretKey } = await control(sandbox, 'POST', '/worlds', { id: 'gone' })
    const token = await sandbox.token(publicKey, secretKey)
    expect(await use(sandbox, token)).toBe('200')
    await control(sandbox, 'DELETE', '/worlds/gone')
    expect(await use(sandbox, token)).toBe('401 unauthorized')
    expect(outcome(await askToken(sandbox, { publicKey, secretKey }))).toBe('401 invalid_credentials')
  })

  test('of another server with another seed is 401 unauthorized', async () => {
    const foreign = await fresh({ seed: 'another' }).token()
    expect(await use(fresh(), foreign)).toBe('401 unauthorized')
  })

  test('survives a reset of its world', async () => {
    const sandbox = fresh()
    const token = await sandbox.token()
    await control(sandbox, 'POST', '/reset')
    expect(await use(sandbox, token)).toBe('200')
  })
})

describe('in place of a token', () => {
  const sandbox = shared()
  const wrongKey = new Uint8Array(32).fill(7)

  test.each<[name: string, change: (payload: JWTPayload) => JWTPayload]>([
    ['another owner', (payload) => ({ ...payload, sub: 'pk_production_default' })],
    ['a later expiry', (payload) => ({ ...payload, exp: START_SECONDS + 1_000_000 })],
    ['another environment', (payload) => ({ ...payload, environment: 'Production' })],
    ['another world', (payload) => ({ ...payload, world: 'other' })],
    ['no change but the order of its claims', ({ world, ...payload }) => ({ world, ...payload })],
  ])('one whose payload was tampered with to have %s is refused', async (_name, change) => {
    const [header, payload = '', signature] = (await sandbox.token()).split('.')
    const changed = encoded(change(JSON.parse(Buffer.from(payload, 'base64url').toString())))
    expect(await use(sandbox, `${header}.${changed}.${signature}`)).toBe('401 unauthorized')
  })

  test('one whose signature was tampered with, cut off, or emptied is refused', async () => {
    const pair = await makePair(sandbox)
    const good = await sandbox.token(pair.publicKey, pair.secretKey)
    const [header, payload, signature = ''] = good.split('.')
    const swapped = signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`
    for (const other of [swapped, signature.slice(0, -2), '', 'AAAA']) {
      expect(await use(sandbox, `${header}.${payload}.${other}`), other).toBe('401 unauthorized')
    }
    expect(await use(sandbox, good)).toBe('200')
  })

  test.each(['none', 'None', 'NONE', 'HS256'])(
    'one without a signature that says alg %s is refused',
    async (alg) => {
      const unsigned = `${encoded({ alg, typ: 'JWT' })}.${encoded(CLAIMS)}.`
      expect(await use(sandbox, unsigned)).toBe('401 unauthorized')
    },
  )

  test('one signed with HS256 and another key is refused', async () => {
    expect(await use(sandbox, await sign(CLAIMS, wrongKey))).toBe('401 unauthorized')
    expect(await use(sandbox, await sign(CLAIMS, sandbox.world.tokenKey))).toBe('200')
  })

  test.each(['HS384', 'HS512'])('one signed with the right key but with %s is refused', async (alg) => {
    const key = new Uint8Array(64)
    key.set(sandbox.world.tokenKey)
    expect(await use(sandbox, await sign(CLAIMS, key, alg))).toBe('401 unauthorized')
  })

  test('one signed by a key pair that it brings along is refused', async () => {
    const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
    const jwk = await exportJWK(publicKey)
    const made = await new SignJWT(CLAIMS).setProtectedHeader({ alg: 'RS256', jwk }).sign(privateKey)
    expect(await use(sandbox, made)).toBe('401 unauthorized')
  })

  test.each(['sub', 'iat', 'exp', 'jti', 'world'])(
    'one signed rightly but without %s is refused',
    async (claim) => {
      const { [claim as 'sub']: _left, ...rest } = CLAIMS
      expect(await use(sandbox, await sign(rest, sandbox.world.tokenKey))).toBe('401 unauthorized')
    },
  )

  test.each<[name: string, claims: Record<string, unknown>]>([
    ['an owner that does not exist', { sub: 'pk_sandbox_nobody' }],
    ['an owner named like a property of objects', { sub: '__proto__' }],
    ['a world that does not exist', { world: 'nowhere' }],
    ['a world that is no text', { world: 1 }],
    ['a world named like a property of objects', { world: '__proto__' }],
    ['a time before which it does not hold', { nbf: START_SECONDS + 1 }],
    ['an expiry that is no number', { exp: 'never' }],
    ['an expiry that is now', { exp: START_SECONDS }],
  ])('one signed rightly that names %s is refused', async (_name, claims) => {
    const made = await sign({ ...CLAIMS, ...claims }, sandbox.world.tokenKey)
    expect(await use(sandbox, made)).toBe('401 unauthorized')
  })

  test('one of another world, signed with the key of that world, opens only that world', async () => {
    const { publicKey } = await control(sandbox, 'POST', '/worlds', { id: 'thief' })
    const thief = sandbox.worlds.get('thief')
    const key = thief?.tokenKey ?? wrongKey
    expect(await use(sandbox, await sign(CLAIMS, key))).toBe('401 unauthorized')
    expect(await use(sandbox, await sign({ ...CLAIMS, world: 'thief' }, key))).toBe('401 unauthorized')
    expect(await use(sandbox, await sign({ ...CLAIMS, world: 'thief', sub: publicKey }, key))).toBe('200')
  })

  test.each<[name: string, authorization: string]>([
    ['the scheme alone', 'Bearer'],
    ['the scheme and a blank', 'Bearer '],
    ['another scheme', 'Basic cGs6c2s='],
    ['a token without a scheme', 'TOKEN'],
    ['a scheme that only begins alike', 'BearerX TOKEN'],
    ['two tokens', 'Bearer TOKEN TOKEN'],
    ['two tokens in one header', 'Bearer TOKEN, Bearer TOKEN'],
    ['a token in quotes', 'Bearer "TOKEN"'],
    ['a token with something after it', 'Bearer TOKEN.x'],
    ['nonsense', 'Bearer nonsense'],
    ['three empty parts', 'Bearer ..'],
    ['three parts that are no base64', 'Bearer !.!.!'],
    ['three parts that are no JSON', 'Bearer YQ.YQ.YQ'],
    ['a payload that is no object', `Bearer ${encoded({ alg: 'HS256' })}.${encoded([1])}.x`],
    ['a payload that is null', `Bearer ${encoded({ alg: 'HS256' })}.${encoded(null)}.x`],
    ['a key pair', 'Bearer pk_sandbox_default:sk_sandbox_default'],
    ['a very long token', `Bearer ${'a'.repeat(100_000)}`],
  ])('%s in the Authorization header is refused', async (_name, authorization) => {
    const own = fresh()
    const token = await own.token()
    const headers = { Authorization: authorization.replaceAll('TOKEN', token) }
    const answered = await own.send('GET', '/v1/customers', { headers })
    expect(outcome(answered)).toBe('401 unauthorized')
    expect(answered.headers.get('x-sandbox-world')).toBe('default')
    expect(own.defects).toEqual([])
  })

  test.each(['Bearer TOKEN', 'bearer TOKEN', 'BEARER TOKEN', 'Bearer   TOKEN', 'Bearer TOKEN '])(
    'the header "%s" is as good as any',
    async (authorization) => {
      const own = fresh()
      const headers = { Authorization: authorization.replace('TOKEN', await own.token()) }
      expect(outcome(await own.send('GET', '/v1/customers', { headers }))).toBe('200')
    },
  )

  test('no header at all is refused, and the hint says what to send', async () => {
    const answered = await sandbox.send('GET', '/v1/customers')
    expect(outcome(answered)).toBe('401 unauthorized')
    expect(answered.headers.get('x-sandbox-hint')).toContain('POST /v1/auth/token')
  })

  test('a token in the query or in a cookie is not looked for', async () => {
    const own = fresh()
    const token = await own.token()
    const asked = await own.send('GET', `/v1/customers?access_token=${token}`, {
      headers: { Cookie: `token=${token}` },
    })
    expect(outcome(asked)).toBe('401 unauthorized')
  })
})

describe('tokens signed with RS256 (AU-09)', () => {
  async function keySet(sandbox: TestSandbox): Promise<JSONWebKeySet> {
    const { status, body } = await sandbox.send('GET', '/.well-known/jwks.json')
    expect(status).toBe(200)
    return body
  }

  test('verify with the published keys', async () => {
    const sandbox = fresh({ silences: { 'AU-09': 'RS256' } })
    const token = await sandbox.token()
    const keys = createLocalJWKSet(await keySet(sandbox))
    const currentDate = new Date(START)
    const { payload } = await jwtVerify(token, keys, { algorithms: ['RS256'], currentDate })
    expect(payload).toMatchObject({ ...CLAIMS, jti: expect.any(String) })
    expect(await use(sandbox, token)).toBe('200')
  })

  test('name their key, one for each world that signs so, and publish nothing private', async () => {
    const sandbox = fresh()
    await control(sandbox, 'POST', '/worlds', { id: 'one', silences: { 'AU-09': 'RS256' } })
    const two = await control(sandbox, 'POST', '/worlds', { id: 'two', silences: { 'AU-09': 'RS256' } })
    const { keys } = await keySet(sandbox)
    expect(keys.map(({ kid }) => String(kid)).toSorted()).toEqual(['one', 'two'])
    const names = ['alg', 'e', 'kid', 'kty', 'n', 'use']
    expect(keys.map((key) => Object.keys(key).toSorted())).toEqual([names, names])
    expect(keys[0]?.n).not.toBe(keys[1]?.n)
    const token = await sandbox.token(two.publicKey, two.secretKey)
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'RS256', typ: 'JWT', kid: 'two' })
  })

  test('are none unless a world chose them: no key is published', async () => {
    expect(await keySet(fresh())).toEqual({ keys: [] })
  })

  test('expire and are tampered with like others', async () => {
    const sandbox = fresh({ silences: { 'AU-09': 'RS256' } })
    const token = await sandbox.token()
    const [header, , signature] = token.split('.')
    const forged = `${header}.${encoded({ ...CLAIMS, sub: 'pk_production_default' })}.${signature}`
    expect(await use(sandbox, forged)).toBe('401 unauthorized')
    await advance(sandbox, '1h')
    expect(await use(sandbox, token)).toBe('401 unauthorized')
  })

  test('do not hold beside HS256: what was signed the other way is refused after a change', async () => {
    const sandbox = fresh()
    const symmetric = await sandbox.token()
    await choose(sandbox, { 'AU-09': 'RS256' })
    const asymmetric = await sandbox.token()
    expect(await use(sandbox, symmetric)).toBe('401 unauthorized')
    expect(await use(sandbox, asymmetric)).toBe('200')
    await choose(sandbox, { 'AU-09': 'HS256' })
    expect(await use(sandbox, asymmetric)).toBe('401 unauthorized')
    expect(await use(sandbox, symmetric)).toBe('200')
  })

  test('are not confused by HS256 with the published key as the secret', async () => {
    const sandbox = fresh({ silences: { 'AU-09': 'RS256' } })
    const [jwk = {}] = (await keySet(sandbox)).keys
    const pem = await exportSPKI(
      (await importJWK(jwk, 'RS256', { extractable: true })) as Parameters<typeof exportSPKI>[0],
    )
    for (const secret of [pem, pem.trim(), jwk.n ?? '', JSON.stringify(jwk)]) {
      const forged = await sign(CLAIMS, new TextEncoder().encode(secret))
      expect(await use(sandbox, forged)).toBe('401 unauthorized')
    }
  })
})

describe('a credential that is switched off while its token lives (AU-11)', () => {
  const off = (sandbox: TestSandbox, active: boolean): Promise<unknown> =>
    control(sandbox, 'PATCH', '/credentials/pk_sandbox_default', { active })

  test('is refused with 401 unauthorized until it is switched on again', async () => {
    const sandbox = fresh()
    const token = await sandbox.token()
    await off(sandbox, false)
    expect(await use(sandbox, token)).toBe('401 unauthorized')
    await off(sandbox, true)
    expect(await use(sandbox, token)).toBe('200')
  })

  test('may go on with the token it has, in a world that chose that, but gets no other', async () => {
    const sandbox = fresh({ silences: { 'AU-11': 'tokenLivesOn' } })
    const token = await sandbox.token()
    await off(sandbox, false)
    expect(await use(sandbox, token)).toBe('200')
    expect(outcome(await askToken(sandbox))).toBe('401 invalid_credentials')
    await advance(sandbox, '1h')
    expect(await use(sandbox, token)).toBe('401 unauthorized')
  })

  test('is refused with the silence that decided it among the named ones', async () => {
    const sandbox = fresh()
    const token = await sandbox.token()
    await off(sandbox, false)
    const { headers } = await sandbox.send('GET', '/v1/customers', { token })
    expect(headers.get('x-sandbox-silences')?.split(', ')).toContain('AU-11')
  })
})

describe('a key pair in headers instead of a token (AU-12)', () => {
  const on = { silences: { 'AU-12': 'on' } }

  function callWithKeys(
    sandbox: Pick<TestSandbox, 'send'>,
    apiKey = 'pk_sandbox_default',
    apiSecret: string | null = 'sk_sandbox_default',
    token?: string,
  ): Promise<Answered> {
    const headers = { 'X-Api-Key': apiKey, ...(apiSecret === null ? {} : { 'X-Api-Secret': apiSecret }) }
    return sandbox.send('GET', '/v1/customers', { headers, token })
  }

  test('is not looked at unless a world chose that', async () => {
    const sandbox = fresh()
    const token = await sandbox.token()
    expect(outcome(await callWithKeys(sandbox))).toBe('401 unauthorized')
    expect(outcome(await callWithKeys(sandbox, 'pk_sandbox_default', 'wrong', token))).toBe('200')
  })

  test.each<[name: string, apiKey: string, apiSecret: string | null, expected: string]>([
    ['the right one', 'pk_sandbox_default', 'sk_sandbox_default', '200'],
    ['the one of Production', 'pk_production_default', 'sk_production_default', '200'],
    ['a wrong secret', 'pk_sandbox_default', 'sk_sandbox_wrong', '401 unauthorized'],
    ['no secret', 'pk_sandbox_default', null, '401 unauthorized'],
    ['an empty secret', 'pk_sandbox_default', '', '401 unauthorized'],
    ['a key that nobody has', 'pk_sandbox_nobody', 'sk_sandbox_nobody', '401 unauthorized'],
    ['a key named like a property of objects', '__proto__', 'x', '401 unauthorized'],
  ])('that is %s gets its answer', async (_name, apiKey, apiSecret, expected) => {
    const sandbox = fresh(on)
    expect(outcome(await callWithKeys(sandbox, apiKey, apiSecret))).toBe(expected)
    expect(sandbox.defects).toEqual([])
  })

  test('works beside tokens, which go on to work', async () => {
    const sandbox = fresh(on)
    expect(await use(sandbox, await sandbox.token())).toBe('200')
  })

  test('is asked again at each call: it does not expire, and does not outlive being switched off', async () => {
    const sandbox = fresh(on)
    await advance(sandbox, '7d')
    expect(outcome(await callWithKeys(sandbox))).toBe('200')
    await control(sandbox, 'PATCH', '/credentials/pk_sandbox_default', { active: false })
    expect(outcome(await callWithKeys(sandbox))).toBe('401 unauthorized')
  })

  test('is bound to addresses and permissions like a token', async () => {
    const sandbox = fresh(on)
    const pair = await makePair(sandbox, { allowedIps: ['10.0.0.1'], permissions: ['customers.write'] })
    const far = callingFrom(sandbox, '10.0.0.2')
    const near = callingFrom(sandbox, '10.0.0.1')
    expect(outcome(await callWithKeys(far, pair.publicKey, pair.secretKey))).toBe('403 ip_not_allowed')
    expect(outcome(await callWithKeys(near, pair.publicKey, pair.secretKey))).toBe('403 forbidden')
  })

  test('counts towards no limit of tokens', async () => {
    const sandbox = fresh(on)
    const outcomes = new Set<string>()
    for (let time = 0; time < 30; time++) outcomes.add(outcome(await callWithKeys(sandbox)))
    expect(outcomes).toEqual(new Set(['200']))
    expect(outcome(await askToken(sandbox))).toBe('200')
  })

  test('is only good in the worlds that chose it', async () => {
    const sandbox = fresh(on)
    const { publicKey, secretKey } = await control(sandbox, 'POST', '/worlds', { id: 'strict' })
    expect(outcome(await callWithKeys(sandbox, publicKey, secretKey))).toBe('401 unauthorized')
  })
})
