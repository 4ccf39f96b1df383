// Checks every fault of a call over real sockets: what the client sees, and what the gateway did or did not do.
import { describe, expect, test } from 'vitest'
import { GATEWAY_ERRORS } from '../../src/contract/errors.ts'
import { createRandom, seedState } from '../../src/kernel/random.ts'
import { FAULTS } from '../../src/world/faultKinds.ts'
import { latencyOf } from '../../src/world/heldCalls.ts'
import { codeOf, dataOf, merchant, open, see } from './support.ts'
import type { SandboxWorld } from '../../src/index.ts'

const ON_CREATE = { operation: 'createTransaction' } as const
const stored = async (world: SandboxWorld): Promise<number> => (await world.transactions.list()).length

describe('a refusal', () => {
  test.each(Object.keys(GATEWAY_ERRORS) as (keyof typeof GATEWAY_ERRORS)[])(
    'with the code %s has its status and changes nothing',
    async (code) => {
      const world = await open()
      const shop = await merchant(world)
      await world.faults.arm({ on: ON_CREATE, do: { code } })
      const seen = await shop.create()
      expect(codeOf(seen)).toBe(code)
      expect(seen.status).toBeGreaterThanOrEqual(400)
      expect(seen.headers['x-sandbox-hint']).toContain('nothing was done')
      expect(await stored(world)).toBe(0)
      expect((await shop.create()).status).toBe(201)
    },
  )

  test.each([
    [{ status: 503 }, 503, 'internal_error'],
    [{ status: 409 }, 409, 'conflict'],
    [{ status: 418, code: 'conflict' }, 418, 'conflict'],
  ] as const)('of %j answers %d %s', async (action, status, code) => {
    const world = await open()
    const shop = await merchant(world)
    await world.faults.arm({ on: ON_CREATE, do: action })
    const seen = await shop.create()
    expect([seen.status, codeOf(seen)]).toEqual([status, code])
  })

  test('as a rate limit carries Retry-After', async () => {
    const world = await open()
    const shop = await merchant(world)
    await world.faults.arm({ on: ON_CREATE, do: { code: 'rate_limit_exceeded', retryAfterS: 30 } })
    const seen = await shop.create()
    expect([seen.status, seen.headers['retry-after']]).toEqual([429, '30'])
  })

  test('befalls the making of tokens too', async () => {
    const world = await open()
    await world.faults.arm({ on: { operation: 'createToken' }, do: { status: 500 } })
    const { publicKey, secretKey } = world
    const call = () => see(`${world.url}/v1/auth/token`, { body: { publicKey, secretKey } })
    expect((await call()).status).toBe(500)
    expect((await call()).status).toBe(200)
  })
})

describe('a reset connection', () => {
  test('before the work leaves nothing behind', async () => {
    const world = await open()
    const shop = await merchant(world)
    await world.faults.arm({ on: ON_CREATE, do: { reset: 'before' } })
    expect(await shop.create()).toMatchObject({ status: null, broken: 'ECONNRESET' })
    expect(await stored(world)).toBe(0)
    const [exchange] = await world.exchanges.list()
    expect(exchange).toMatchObject({ operation: 'createTransaction', status: 0, faults: ['resetBefore'] })
  })

  test('after the work loses the answer, but the charge exists', async () => {
    const world = await open()
    const shop = await merchant(world)
    await world.faults.arm({ on: ON_CREATE, do: { reset: 'after' } })
    expect(await shop.create()).toMatchObject({ status: null, broken: 'ECONNRESET' })
    expect(await stored(world)).toBe(1)
    const [exchange] = await world.exchanges.list({ operation: 'createTransaction' })
    expect(exchange).toMatchObject({ status: 201, faults: ['resetAfter'] })
    const { steps } = await world.explain(exchange?.subject ?? '')
    expect(steps[0]?.text).toBe('POST /v1/transactions -> 201 (fault: resetAfter)')
  })

  test('is a fetch that fails where there is no socket', async () => {
    const world = await open()
    await world.faults.arm({ on: { operation: 'getHealth' }, do: { reset: 'before' } })
    await expect(world.fetch('/health')).rejects.toThrow('reset the connection')
    expect((await world.fetch('/health')).status).toBe(200)
  })
})

describe('a broken answer', () => {
  test('breaks off in the middle of the body', async () => {
    const world = await open()
    const shop = await merchant(world)
    await world.faults.arm({ on: ON_CREATE, do: { body: 'truncated' } })
    const seen = await shop.create()
    expect(seen).toMatchObject({ status: 201, broken: expect.any(String) })
    expect(seen.text.length).toBeGreaterThan(0)
    expect(seen.text.length).toBeLessThan(Number(seen.headers['content-length']))
    expect(await stored(world)).toBe(1)
  })

  test('is no JSON', async () => {
    const world = await open()
    const shop = await merchant(world)
    await world.faults.arm({ on: ON_CREATE, do: { body: 'malformed' } })
    const seen = await shop.create()
    expect(seen).toMatchObject({ status: 201, broken: null })
    expect(() => dataOf(seen)).toThrow(SyntaxError)
    expect(await stored(world)).toBe(1)
  })

  test('is empty', async () => {
    const world = await open()
    const shop = await merchant(world)
    await world.faults.arm({ on: ON_CREATE, do: { body: 'empty' } })
    expect(await shop.create()).toMatchObject({ status: 201, text: '', broken: null })
    expect(await stored(world)).toBe(1)
  })

  test('says that it is HTML', async () => {
    const world = await open()
    const shop = await merchant(world)
    await world.faults.arm({ on: ON_CREATE, do: { contentType: 'text/html' } })
    const seen = await shop.create()
    expect(seen.headers['content-type']).toBe('text/html')
    expect(dataOf(seen)['status']).toBe('Pending')
  })

  test('dribbles in small pieces and is whole in the end', async () => {
    const world = await open()
    const shop = await merchant(world)
    await world.faults.arm({ on: ON_CREATE, do: { dribble: { bytes: 100, everyMs: 1 } } })
    const seen = await shop.create()
    expect(seen.pieces).toBeGreaterThan(3)
    expect(dataOf(seen)['status']).toBe('Pending')
  })
})

describe('latency', () => {
  test('holds the answer for the ordered time, after the work was done', async () => {
    const world = await open()
    const shop = await merchant(world)
    await world.faults.arm({ on: ON_CREATE, do: { latencyMs: 40 } })
    const begun = performance.now()
    expect((await shop.create()).status).toBe(201)
    expect(performance.now() - begun).toBeGreaterThanOrEqual(39)
  })

  test('holds the answer until it is released; the charge is there meanwhile', async () => {
    const world = await open()
    const shop = await merchant(world)
    const { id } = await world.faults.arm({ on: ON_CREATE, do: { latencyMs: 'untilReleased' } })
    const creating = shop.create()
    await world.exchanges.next({ operation: 'createTransaction', after: 0 })
    expect(await stored(world)).toBe(1)
    await expect(world.settle({ timeoutMs: 0 })).rejects.toMatchObject({
      code: 'not_settled',
      message: expect.stringContaining('createTransaction'),
    })
    expect(await world.faults.release(id)).toBe(1)
    expect((await creating).status).toBe(201)
    await world.settle()
  })

  test('lets go when the fault is cleared, and when the world begins anew', async () => {
    const world = await open()
    const shop = await merchant(world)
    for (const end of [() => world.faults.clear(), () => world.reset()]) {
      await world.faults.arm({ on: ON_CREATE, do: { latencyMs: 'untilReleased' } })
      const creating = shop.create()
      await world.exchanges.next({ operation: 'createTransaction', after: 0 })
      await end()
      expect((await creating).status).toBe(201)
    }
  })

  test('is drawn from the seed: uniform within its bounds, lognormal around its median', () => {
    const draw = (seed: string, latencyMs: Parameters<typeof latencyOf>[1]['latencyMs']) => {
      const random = createRandom(seedState(seed))
      return Array.from({ length: 999 }, () => latencyOf(random, { latencyMs }) ?? -1)
    }
    const uniform = draw('a', { from: 100, to: 200 })
    expect(Math.min(...uniform)).toBeGreaterThanOrEqual(100)
    expect(Math.max(...uniform)).toBeLessThanOrEqual(200)
    expect(new Set(uniform).size).toBeGreaterThan(50)
    expect(draw('a', { from: 100, to: 200 })).toEqual(uniform)
    expect(draw('b', { from: 100, to: 200 })).not.toEqual(uniform)
    const lognormal = draw('a', { median: 100, sigma: 0.5 }).toSorted((one, two) => one - two)
    expect(lognormal[499]).toBeGreaterThan(90)
    expect(lognormal[499]).toBeLessThan(110)
    expect(draw('a', { median: 100, sigma: 0 })).toEqual(Array.from({ length: 999 }, () => 100))
  })
})

test('a revoked token is refused in mid-flight and ever after, and a new one works', async () => {
  const world = await open()
  const shop = await merchant(world)
  await world.faults.arm({ on: ON_CREATE, do: { revokeToken: true } })
  const seen = await shop.create()
  expect([seen.status, codeOf(seen)]).toEqual([401, 'unauthorized'])
  expect((await shop.create()).status).toBe(401)
  expect(await stored(world)).toBe(0)
  expect((await (await merchant(world)).create()).status).toBe(201)
})

describe('matching', () => {
  test('any operation, when none is named', async () => {
    const world = await open()
    const shop = await merchant(world)
    await world.faults.arm({ do: { status: 500 }, times: 2 })
    expect([
      (await shop.create()).status,
      (await shop.read('x')).status,
      (await shop.create()).status,
    ]).toEqual([500, 500, 201])
  })

  test('the one record that is named', async () => {
    const world = await open()
    const shop = await merchant(world)
    const [one, two] = [String(dataOf(await shop.create())['id']), String(dataOf(await shop.create())['id'])]
    await world.faults.arm({
      on: { operation: 'getTransaction' },
      subject: two.toUpperCase(),
      do: { status: 500 },
    })
    expect([(await shop.read(one)).status, (await shop.read(two)).status]).toEqual([200, 500])
  })

  test('the nth call, and as many after it as `times` says', async () => {
    const world = await open()
    const shop = await merchant(world)
    await world.faults.arm({ on: ON_CREATE, nth: 3, times: 2, do: { status: 500 } })
    const statuses: (number | null)[] = []
    for (let call = 0; call < 6; call += 1) statuses.push((await shop.create()).status)
    expect(statuses).toEqual([201, 201, 500, 500, 201, 201])
    expect(await world.faults.list()).toMatchObject([{ seen: 4, fired: 2 }])
  })

  test('by chance, the same for the same seed', async () => {
    const runs: string[] = []
    for (const seed of ['one', 'one', 'two']) {
      const world = await open({ seed })
      const shop = await merchant(world)
      await world.faults.arm({ on: ON_CREATE, probability: 0.5, times: 1_000, do: { status: 500 } })
      let outcome = ''
      for (let call = 0; call < 20; call += 1) outcome += (await shop.create()).status === 500 ? 'x' : '.'
      runs.push(outcome)
    }
    expect(runs[0]).toMatch(/x/)
    expect(runs[0]).toMatch(/\./)
    expect(runs[1]).toBe(runs[0])
    expect(runs[2]).not.toBe(runs[0])
  })

  test('from and until an instant of the world', async () => {
    const world = await open()
    const shop = await merchant(world)
    await world.faults.arm({
      on: ON_CREATE,
      after: '5m',
      until: '2030-01-01T12:10:00Z',
      times: 100,
      do: { status: 500 },
    })
    const statuses: (number | null)[] = []
    for (const step of ['0ms', '4m', '1m', '4m', '1m']) {
      await world.clock.advance(step)
      statuses.push((await shop.create()).status)
    }
    expect(statuses).toEqual([201, 201, 500, 500, 201])
  })

  test('one fault for each moment: a wait and a lost answer befall one call together', async () => {
    const world = await open()
    const shop = await merchant(world)
    await world.faults.arm({ on: ON_CREATE, do: { latencyMs: 1 } })
    await world.faults.arm({ on: ON_CREATE, do: { reset: 'after' } })
    expect(await shop.create()).toMatchObject({ broken: 'ECONNRESET' })
    expect((await world.faults.list()).map(({ fired }) => fired)).toEqual([1, 1])
  })
})

describe('ordering a fault', () => {
  test.each([
    [{ do: { statuss: 500 } }, "Did you mean 'status'"],
    [{ do: {} }, 'is no fault'],
    [{ do: 'explode' }, 'is no fault'],
    [{ do: { status: 200 } }, '>=400'],
    [{ do: { send: 'twice' } }, 'befalls a delivery, not a call'],
    [{ on: { delivery: {} }, do: { status: 500 } }, 'befalls a call, not a delivery'],
    [{ on: { delivery: {} }, do: { late: 'soon' } }, "late 'soon' is no duration"],
    [{ do: 'dispute_changed' }, 'befalls respondToDispute or addDisputeEvidence'],
    [{ on: { operation: 'createToken' }, do: { revokeToken: true } }, 'carries no token'],
    [{ do: { status: 500 }, times: 0 }, 'times'],
    [{ do: { status: 500 }, probability: 2 }, 'probability'],
    [{ do: { status: 500 }, after: 'later' }, 'after'],
  ])('%j is refused and says why', async (body, why) => {
    const world = await open()
    await expect(world.faults.arm(body as never)).rejects.toMatchObject({
      code: 'sandbox_bad_request',
      message: expect.stringContaining(why),
    })
    expect(await world.faults.list()).toEqual([])
  })
})

describe('a fault that never fired', () => {
  test('is reported by settle, when it is cleared, and at reset', async () => {
    const world = await open()
    const shop = await merchant(world)
    const unused = await world.faults.arm({ on: ON_CREATE, nth: 9, do: { status: 500 } })
    await world.faults.arm({ on: ON_CREATE, do: { status: 500 } })
    await shop.create()
    expect((await world.settle()).unusedFaults).toEqual([unused.id])
    expect((await world.faults.clear(unused.id)).unused).toEqual([unused.id])
    const other = await world.faults.arm({ do: { status: 500 }, after: '1h' })
    expect((await world.reset()).unusedFaults).toEqual([other.id])
  })
})

test('two worlds with opposite faults know nothing of each other', async () => {
  const sandbox = await open()
  const [one, two] = [await sandbox.world(), await sandbox.world()]
  const [here, there] = [await merchant(one), await merchant(two)]
  await one.faults.arm({ on: ON_CREATE, do: { status: 500 }, times: 3 })
  await two.faults.arm({ on: { operation: 'getTransaction' }, do: { status: 500 }, times: 3 })
  const [refused, made] = await Promise.all([here.create(), there.create()])
  expect([refused.status, made.status]).toEqual([500, 201])
  const [gone, broken] = await Promise.all([here.read('x'), there.read(String(dataOf(made)['id']))])
  expect([gone.status, broken.status]).toEqual([404, 500])
})

test.each(Object.entries(FAULTS))('the recipe of %s can be ordered as it stands', async (_, { recipe }) => {
  const world = await open()
  const armed = await world.faults.arm(recipe)
  expect(armed).toMatchObject({ ...recipe, fired: 0 })
})
