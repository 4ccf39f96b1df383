// Tests of token creation: what a request must carry, which pairs hold, and how many tokens an hour they get.
import { describe, expect, test } from 'vitest'
import { advance, askToken, codeOf, control, fresh, makePair, outcome, shared } from './calls.ts'
import type { Answered, TestSandbox } from '../support/sandbox.ts'

const PATH = '/v1/auth/token'

/** Asks for tokens one after the other; the outcomes in order. */
async function askOften(
  sandbox: TestSandbox,
  times: number,
  fields: Record<string, unknown> = {},
): Promise<string[]> {
  const outcomes: string[] = []
  for (let time = 0; time < times; time++) outcomes.push(outcome(await askToken(sandbox, fields)))
  return outcomes
}

const all = (times: number, what: string): string[] => Array.from({ length: times }, () => what)

describe('a token request', () => {
  const sandbox = shared()

  // proves: endpoint createToken
  test('is answered with a bearer token of 3600 seconds in the envelope', async () => {
    const { status, body, headers } = await askToken(sandbox, { grantType: 'client_credentials' })
    expect(status).toBe(200)
    expect(body).toEqual({
      data: {
        accessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        tokenType: 'Bearer',
        expiresIn: 3600,
        environment: 'Sandbox',
      },
      message: null,
      error: null,
    })
    expect(headers.get('content-type')).toMatch(/^application\/json/)
  })

  // proves: error validation_error
  test.each<[name: string, field: string, body: Record<string, unknown>]>([
    ['nothing at all', 'publicKey', {}],
    ['no publicKey', 'publicKey', { secretKey: 'sk' }],
    ['no secretKey', 'secretKey', { publicKey: 'pk_sandbox_default' }],
    ['a null publicKey', 'publicKey', { publicKey: null, secretKey: 'sk' }],
    ['a null secretKey', 'secretKey', { publicKey: 'pk', secretKey: null }],
    ['an empty publicKey', 'publicKey', { publicKey: '', secretKey: 'sk' }],
    ['an empty secretKey', 'secretKey', { publicKey: 'pk', secretKey: '' }],
    ['a number as publicKey', 'publicKey', { publicKey: 1, secretKey: 'sk' }],
    ['a number as secretKey', 'secretKey', { publicKey: 'pk', secretKey: 1 }],
    ['a list as publicKey', 'publicKey', { publicKey: ['pk_sandbox_default'], secretKey: 'sk' }],
    ['an object as secretKey', 'secretKey', { publicKey: 'pk', secretKey: {} }],
    ['a boolean as secretKey', 'secretKey', { publicKey: 'pk', secretKey: true }],
    ['names in another case', 'publicKey', { PublicKey: 'pk', SecretKey: 'sk' }],
    ['names in snake case', 'publicKey', { public_key: 'pk', secret_key: 'sk' }],
    ['another grantType', 'grantType', { publicKey: 'pk', secretKey: 'sk', grantType: 'password' }],
    ['an empty grantType', 'grantType', { publicKey: 'pk', secretKey: 'sk', grantType: '' }],
    [
      'a grantType with a blank',
      'grantType',
      { publicKey: 'pk', secretKey: 'sk', grantType: 'client_credentials ' },
    ],
    ['a number as grantType', 'grantType', { publicKey: 'pk', secretKey: 'sk', grantType: 1 }],
    [
      'a list as grantType',
      'grantType',
      { publicKey: 'pk', secretKey: 'sk', grantType: ['client_credentials'] },
    ],
  ])('with %s is a validation_error that names %s', async (_name, field, body) => {
    const answered = await sandbox.send('POST', PATH, { body })
    expect(outcome(answered)).toBe('400 validation_error')
    expect(answered.body.error.message).toContain(`'${field}'`)
    expect(answered.headers.get('x-sandbox-hint')).toContain(field)
  })

  test.each([
    ['is left out', {}],
    ['is null', { grantType: null }],
    ['is client_credentials', { grantType: 'client_credentials' }],
  ])('is fine when grantType %s', async (_name, fields) => {
    expect(outcome(await askToken(fresh(), fields))).toBe('200')
  })

  test.each([
    ['is left out', {}, '400 validation_error'],
    ['is null', { grantType: null }, '400 validation_error'],
    ['is another one', { grantType: 'password' }, '400 validation_error'],
    ['is client_credentials', { grantType: 'client_credentials' }, '200'],
  ])('in a world that requires it (AU-01), when grantType %s: %s', async (_name, fields, expected) => {
    expect(outcome(await askToken(fresh({ silences: { 'AU-01': 'required' } }), fields))).toBe(expected)
  })

  test('with a mistake is 422 in a world that chose that (AU-05)', async () => {
    const unprocessable = fresh({ silences: { 'AU-05': 422 } })
    expect(outcome(await askToken(unprocessable, { secretKey: '' }))).toBe('422 validation_error')
    expect(outcome(await askToken(unprocessable, { grantType: 'x' }))).toBe('422 validation_error')
  })

  test.each(['Grant_Type', 'grant_type', 'granttype'])(
    'that spells grantType as %s is told so in the hint, and the field is ignored',
    async (name) => {
      const answered = await askToken(fresh(), { [name]: 'client_credentials' })
      expect(outcome(answered)).toBe('200')
      expect(answered.headers.get('x-sandbox-hint') ?? 'no hint').toContain("'grantType'")
    },
  )

  test('needs no Authorization header and ignores one that does not hold', async () => {
    const body = { publicKey: 'pk_sandbox_default', secretKey: 'sk_sandbox_default' }
    const answered = await fresh().send('POST', PATH, { body, headers: { Authorization: 'Bearer nonsense' } })
    expect(outcome(answered)).toBe('200')
  })
})

describe('a key pair', () => {
  // proves: error invalid_credentials
  test.each<[name: string, publicKey: string, secretKey: string]>([
    ['that nobody has', 'pk_sandbox_nobody', 'sk_sandbox_nobody'],
    ['with a wrong secret', 'pk_sandbox_default', 'sk_sandbox_wrong'],
    ['with a longer secret', 'pk_sandbox_default', 'sk_sandbox_default '],
    ['with the secret in another case', 'pk_sandbox_default', 'SK_SANDBOX_DEFAULT'],
    ['in another case', 'PK_SANDBOX_DEFAULT', 'sk_sandbox_default'],
    ['with keys swapped', 'sk_sandbox_default', 'pk_sandbox_default'],
    ['of two environments', 'pk_sandbox_default', 'sk_production_default'],
    ['of two environments the other way', 'pk_production_default', 'sk_sandbox_default'],
    ['of two organisations', 'pk_sandbox_default', 'sk_sandbox_default_receiver'],
    ['named like a property of objects', '__proto__', 'constructor'],
    ['named like a method of objects', 'toString', 'toString'],
  ])('%s is 401 invalid_credentials', async (_name, publicKey, secretKey) => {
    const sandbox = fresh()
    const answered = await askToken(sandbox, { publicKey, secretKey })
    expect(outcome(answered)).toBe('401 invalid_credentials')
    expect(answered.body.error.message).toBe('Credenciais inválidas ou inativas.')
    expect(sandbox.defects).toEqual([])
  })

  test('that is switched off is 401 invalid_credentials, and holds again once it is switched on', async () => {
    const sandbox = fresh()
    await control(sandbox, 'PATCH', '/credentials/pk_sandbox_default', { active: false })
    expect(outcome(await askToken(sandbox))).toBe('401 invalid_credentials')
    await control(sandbox, 'PATCH', '/credentials/pk_sandbox_default', { active: true })
    expect(outcome(await askToken(sandbox))).toBe('200')
  })

  test('of an unknown, a wrong and an inactive kind get the same body, so that none can be told apart', async () => {
    const sandbox = fresh()
    const inactive = await makePair(sandbox, { active: false })
    const bodies = [
      await askToken(sandbox, { publicKey: 'pk_sandbox_nobody' }),
      await askToken(sandbox, { secretKey: 'wrong' }),
      await askToken(sandbox, inactive),
    ].map(({ body }) => body)
    expect(bodies[1]).toEqual(bodies[0])
    expect(bodies[2]).toEqual(bodies[0])
  })

  // proves: enum Environment Sandbox, enum Environment Production
  test.each([
    ['pk_sandbox_default', 'Sandbox'],
    ['pk_sandbox_default_receiver', 'Sandbox'],
    ['pk_production_default', 'Production'],
  ])('%s is of the environment %s', async (publicKey, environment) => {
    const secretKey = publicKey.replace('pk_', 'sk_')
    const { body } = await askToken(fresh(), { publicKey, secretKey })
    expect(body.data.environment).toBe(environment)
  })

  test.each(['Sandbox', 'Production'])('made for %s carries its name in both keys', async (environment) => {
    const sandbox = fresh()
    const pair = await makePair(sandbox, { environment })
    const prefix = environment.toLowerCase()
    expect(pair.publicKey).toMatch(new RegExp(`^pk_${prefix}_`))
    expect(pair.secretKey).toMatch(new RegExp(`^sk_${prefix}_`))
    expect((await askToken(sandbox, pair)).body.data.environment).toBe(environment)
  })

  test('of another world is answered by that world', async () => {
    const sandbox = fresh()
    const { publicKey, secretKey } = await control(sandbox, 'POST', '/worlds', { id: 'other' })
    const { status, headers } = await askToken(sandbox, { publicKey, secretKey })
    expect([status, headers.get('x-sandbox-world')]).toEqual([200, 'other'])
  })
})

describe('the limit of 10 tokens an hour', () => {
  // proves: limit TOKENS_PER_HOUR, error rate_limit_exceeded
  test('lets ten through and answers the eleventh with 429 and the seconds until the first is an hour old', async () => {
    const sandbox = fresh()
    expect(await askOften(sandbox, 10)).toEqual(all(10, '200'))
    const refused = await askToken(sandbox)
    expect(outcome(refused)).toBe('429 rate_limit_exceeded')
    expect(refused.headers.get('retry-after')).toBe('3600')
    expect(refused.headers.get('x-sandbox-hint')).toMatch(/AU-13/)
    expect(refused.headers.get('x-sandbox-silences')).toMatch(/AU-02.*AU-13/)
  })

  test.each([
    ['0ms', '3600'],
    ['1ms', '3600'],
    ['999ms', '3600'],
    ['1s', '3599'],
    ['1500ms', '3599'],
    ['59m', '60'],
    ['3598001ms', '2'],
    ['3599s', '1'],
    ['3599999ms', '1'],
  ])('says after %s that %s seconds are left', async (by, seconds) => {
    const sandbox = fresh()
    await askOften(sandbox, 10)
    await advance(sandbox, by)
    const refused = await askToken(sandbox)
    expect(codeOf(refused)).toBe('rate_limit_exceeded')
    expect(refused.headers.get('retry-after')).toBe(seconds)
  })

  test('ends exactly an hour later', async () => {
    const sandbox = fresh()
    await askOften(sandbox, 10)
    await advance(sandbox, '3599999ms')
    expect(outcome(await askToken(sandbox))).toBe('429 rate_limit_exceeded')
    await advance(sandbox, '1ms')
    expect(await askOften(sandbox, 11)).toEqual([...all(10, '200'), '429 rate_limit_exceeded'])
  })

  test('slides: each token makes room for one when it is an hour old', async () => {
    const sandbox = fresh()
    await askOften(sandbox, 4)
    await advance(sandbox, '30m')
    await askOften(sandbox, 6)
    await advance(sandbox, '15m')
    expect((await askToken(sandbox)).headers.get('retry-after')).toBe('900')
    await advance(sandbox, '15m')
    expect(await askOften(sandbox, 5)).toEqual([...all(4, '200'), '429 rate_limit_exceeded'])
    expect((await askToken(sandbox)).headers.get('retry-after')).toBe('1800')
  })

  test('does not count what was refused, neither for its secret nor for the limit itself', async () => {
    const sandbox = fresh()
    expect(await askOften(sandbox, 12, { secretKey: 'wrong' })).toEqual(all(12, '401 invalid_credentials'))
    expect(await askOften(sandbox, 30)).toEqual([...all(10, '200'), ...all(20, '429 rate_limit_exceeded')])
    await advance(sandbox, '1h')
    expect(outcome(await askToken(sandbox))).toBe('200')
  })

  test('is counted for each pair by itself, in each world by itself', async () => {
    const sandbox = fresh()
    const pair = await makePair(sandbox)
    const { publicKey, secretKey } = await control(sandbox, 'POST', '/worlds', {})
    await askOften(sandbox, 11)
    expect(outcome(await askToken(sandbox, pair))).toBe('200')
    expect(outcome(await askToken(sandbox, { publicKey, secretKey }))).toBe('200')
    expect(outcome(await askToken(sandbox))).toBe('429 rate_limit_exceeded')
  })

  test('runs on the clock of the world that the pair belongs to', async () => {
    const sandbox = fresh()
    const { publicKey, secretKey } = await control(sandbox, 'POST', '/worlds', { id: 'slow' })
    await askOften(sandbox, 10, { publicKey, secretKey })
    await advance(sandbox, '2h')
    expect(outcome(await askToken(sandbox, { publicKey, secretKey }))).toBe('429 rate_limit_exceeded')
    await control(sandbox, 'POST', '/worlds/slow/clock/advance', { by: '1h' })
    expect(outcome(await askToken(sandbox, { publicKey, secretKey }))).toBe('200')
  })

  test('does not touch tokens that were issued before', async () => {
    const sandbox = fresh()
    const token = await sandbox.token()
    await askOften(sandbox, 15)
    expect(outcome(await sandbox.send('GET', '/v1/customers', { token }))).toBe('200')
  })

  test('holds when all ask at once: ten of thirty get a token', async () => {
    const sandbox = fresh()
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, async () => outcome(await askToken(sandbox))),
    )
    expect(outcomes.toSorted()).toEqual([...all(10, '200'), ...all(20, '429 rate_limit_exceeded')])
  })

  test('begins anew when the world does', async () => {
    const sandbox = fresh()
    await askOften(sandbox, 11)
    await control(sandbox, 'POST', '/reset')
    expect(outcome(await askToken(sandbox))).toBe('200')
  })

  // proves: error auth_rate_limit_exceeded
  test.each(['rate_limit_exceeded', 'auth_rate_limit_exceeded'])(
    'answers %s in a world that chose it (AU-02)',
    async (code) => {
      const sandbox = fresh({ silences: { 'AU-02': code } })
      expect((await askOften(sandbox, 11)).at(-1)).toBe(`429 ${code}`)
    },
  )

  test.each([
    [1, 1],
    [3, 3],
    [25, 25],
  ])('is %d in a world that chose %d (AU-13)', async (limit) => {
    const sandbox = fresh({ silences: { 'AU-13': limit } })
    const outcomes = await askOften(sandbox, limit + 1)
    expect(outcomes).toEqual([...all(limit, '200'), '429 rate_limit_exceeded'])
  })

  test('is none in a world that switched it off (AU-13)', async () => {
    expect(await askOften(fresh({ silences: { 'AU-13': 'off' } }), 40)).toEqual(all(40, '200'))
  })
})

describe('what counts towards the limit (AU-04)', () => {
  const fixedHour = { 'AU-04': 'issuedFixedHour' }
  const attempts = { 'AU-04': 'attemptsSlidingHour' }

  test('in a fixed hour all room comes back an hour after the first token', async () => {
    const sandbox = fresh({ silences: fixedHour })
    await askToken(sandbox)
    await advance(sandbox, '59m')
    await askOften(sandbox, 9)
    const refused = await askToken(sandbox)
    expect([outcome(refused), refused.headers.get('retry-after')]).toEqual(['429 rate_limit_exceeded', '60'])
    await advance(sandbox, '1m')
    expect(await askOften(sandbox, 11)).toEqual([...all(10, '200'), '429 rate_limit_exceeded'])
    expect((await askToken(sandbox)).headers.get('retry-after')).toBe('3600')
  })

  test('in a fixed hour refused requests do not count', async () => {
    const sandbox = fresh({ silences: fixedHour })
    await askOften(sandbox, 12, { secretKey: 'wrong' })
    expect(await askOften(sandbox, 10)).toEqual(all(10, '200'))
  })

  test('with attempts counted, wrong secrets use up the room but are still told what they are', async () => {
    const sandbox = fresh({ silences: attempts })
    expect(await askOften(sandbox, 12, { secretKey: 'wrong' })).toEqual(all(12, '401 invalid_credentials'))
    expect(outcome(await askToken(sandbox))).toBe('429 rate_limit_exceeded')
  })

  test('with attempts counted, an inactive pair uses up its room', async () => {
    const sandbox = fresh({ silences: attempts })
    const pair = await makePair(sandbox, { active: false })
    await askOften(sandbox, 10, pair)
    await control(sandbox, 'PATCH', `/credentials/${pair.publicKey}`, { active: true })
    expect(outcome(await askToken(sandbox, pair))).toBe('429 rate_limit_exceeded')
  })

  test('with attempts counted, each further attempt puts off the next token', async () => {
    const sandbox = fresh({ silences: attempts })
    await askOften(sandbox, 10)
    await advance(sandbox, '59m')
    await askOften(sandbox, 10)
    await advance(sandbox, '2m')
    expect(outcome(await askToken(sandbox))).toBe('429 rate_limit_exceeded')
    await advance(sandbox, '57m')
    expect(outcome(await askToken(sandbox))).toBe('429 rate_limit_exceeded')
    await advance(sandbox, '1m')
    expect(outcome(await askToken(sandbox))).toBe('200')
  })

  const ways = ['issuedSlidingHour', 'attemptsSlidingHour', 'issuedFixedHour']

  test.each(ways)(
    'with %s, Retry-After is kept: after it a token is issued, a second before it is not',
    async (way) => {
      for (const [early, expected] of [
        [1, '429 rate_limit_exceeded'],
        [0, '200'],
      ] as const) {
        const sandbox = fresh({ silences: { 'AU-04': way } })
        for (let second = 0; second < 10; second++) {
          await askToken(sandbox)
          await advance(sandbox, '1s')
        }
        const wait = Number((await askToken(sandbox)).headers.get('retry-after'))
        await advance(sandbox, `${wait - early}s`)
        expect(outcome(await askToken(sandbox)), `${wait - early} s later`).toBe(expected)
      }
    },
  )
})

describe('a limit of calls a minute (LM-01)', () => {
  test('is none unless a world chose one', async () => {
    const sandbox = fresh()
    const outcomes = new Set<string>()
    for (let time = 0; time < 50; time++) outcomes.add(outcome(await sandbox.call('GET', '/v1/customers')))
    expect(outcomes).toEqual(new Set(['200']))
  })

  test('slides, is counted for each credential, and says in whole seconds when the next call is allowed', async () => {
    const sandbox = fresh({ silences: { 'LM-01': 2 } })
    const pair = await makePair(sandbox)
    const [token, other] = [await sandbox.token(), await sandbox.token(pair.publicKey, pair.secretKey)]
    const ask = (bearer = token): Promise<Answered> => sandbox.send('GET', '/v1/customers', { token: bearer })
    expect(outcome(await ask())).toBe('200')
    await advance(sandbox, '30s')
    expect(outcome(await ask())).toBe('200')
    await advance(sandbox, '500ms')
    const refused = await ask()
    expect([outcome(refused), refused.headers.get('retry-after')]).toEqual(['429 rate_limit_exceeded', '30'])
    expect(outcome(await ask(other))).toBe('200')
    await advance(sandbox, '29500ms')
    expect(outcome(await ask())).toBe('200')
    expect(outcome(await ask())).toBe('429 rate_limit_exceeded')
  })

  test('leaves token creation to its own limit', async () => {
    expect(await askOften(fresh({ silences: { 'LM-01': 1 } }), 10)).toEqual(all(10, '200'))
  })
})
