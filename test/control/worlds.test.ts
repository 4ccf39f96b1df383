// Checks worlds over the control API: making, listing, forking, resetting and ending them.
import { describe, expect, test } from 'vitest'
import { parseClockStart } from '../../src/world/clockStart.ts'
import { createPix, openSandbox, START } from '../support/sandbox.ts'
import { receive, serve } from './servers.ts'
import { begin, trigger } from './transactionSteps.ts'
import type { Answered, TestSandbox } from '../support/sandbox.ts'

type Asked = Pick<TestSandbox, 'control' | 'send' | 'token'>

const make = (sandbox: Asked, body: object = {}): Promise<Answered> =>
  sandbox.control('POST', '/worlds', body)

/** Calls of the gateway with the first key pair of a world. */
function callsOf({ send, token }: Asked, id: string): Pick<TestSandbox, 'call'> {
  return {
    call: async (method, path, body) => send(method, path, { token: await token(`pk_sandbox_${id}`), body }),
  }
}

describe('making a world', () => {
  test('answers where it is, its keys, its organisations and its clock', async () => {
    const { status, body } = await make(begin(), { id: 'shop-1' })
    const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/)
    expect(status).toBe(201)
    expect(body).toEqual({
      id: 'shop-1',
      url: 'http://sandbox.test',
      publicKey: 'pk_sandbox_shop-1',
      secretKey: 'sk_sandbox_shop-1',
      production: { publicKey: 'pk_production_shop-1', secretKey: 'sk_production_shop-1' },
      organization: { id: uuid, splitCode: uuid },
      receiver: {
        id: uuid,
        splitCode: uuid,
        publicKey: expect.stringMatching(/^pk_sandbox_shop-1_/),
        secretKey: expect.stringMatching(/^sk_sandbox_shop-1_/),
      },
      clock: { mode: 'frozen', now: START, rate: 1 },
    })
    expect(body.organization.id).not.toBe(body.receiver.id)
  })

  test('gives keys that work at once, each in the environment that its name says', async () => {
    const sandbox = begin()
    const { body: world } = await make(sandbox, { id: 'shop' })
    for (const { publicKey, secretKey } of [world, world.production, world.receiver]) {
      const sent = await sandbox.send('POST', '/v1/auth/token', { body: { publicKey, secretKey } })
      expect(sent.status).toBe(200)
      expect(sent.headers.get('x-sandbox-world')).toBe('shop')
      expect(sent.body.data.environment).toBe(publicKey.includes('production') ? 'Production' : 'Sandbox')
    }
  })

  test('finds a free id when it is given none', async () => {
    const sandbox = begin()
    await make(sandbox, { id: 'w2' })
    const ids = [await make(sandbox), await make(sandbox), await make(sandbox)].map(({ body }) => body.id)
    expect(new Set([...ids, 'w2']).size).toBe(4)
    for (const id of ids) expect(id).toMatch(/^[a-z0-9-]{1,40}$/)
  })

  test.each(['a', '-', '0', 'a'.repeat(40), 'shop-1-test'])('takes the id %s', async (id) => {
    expect((await make(begin(), { id })).body.id).toBe(id)
  })

  test.each(['', 'A', 'a b', 'a_b', 'a/b', 'é', 'a'.repeat(41), 7, ['a'], ' a', 'a\n'])(
    'refuses the id %j and says what an id is',
    async (id) => {
      const sandbox = begin()
      const { status, body } = await make(sandbox, { id })
      expect([status, body.error.code]).toEqual([400, 'sandbox_bad_request'])
      expect(body.error.message).toContain('id')
      expect(sandbox.worlds.list()).toHaveLength(1)
    },
  )

  test('refuses an id that is taken, the default one included, and leaves that world alone', async () => {
    const sandbox = begin()
    await make(sandbox, { id: 'shop', seed: 'one' })
    const before = sandbox.worlds.get('shop')
    for (const id of ['shop', 'default']) {
      const { status, body } = await make(sandbox, { id, seed: 'two' })
      expect([status, body.error.code]).toEqual([409, 'sandbox_world_exists'])
      expect(body.error.message).toContain(`'${id}'`)
    }
    expect(sandbox.worlds.get('shop')).toBe(before)
  })

  test('takes an id again once its world is gone', async () => {
    const sandbox = begin()
    await make(sandbox, { id: 'shop' })
    await sandbox.control('DELETE', '/worlds/shop')
    expect((await make(sandbox, { id: 'shop' })).status).toBe(201)
  })

  test.each([
    ['2031-05-06T07:08:09Z', { mode: 'frozen', now: '2031-05-06T07:08:09.000Z', rate: 1 }],
    ['2031-05-06T07:08:09.123-03:00', { mode: 'frozen', now: '2031-05-06T10:08:09.123Z', rate: 1 }],
    ['2031-05-06', { mode: 'frozen', now: '2031-05-06T00:00:00.000Z', rate: 1 }],
    [
      'flowing@2031-05-06T07:08:09Z',
      { mode: 'flowing', now: expect.stringMatching(/^2031-05-06T07:08/), rate: 1 },
    ],
    ['frozen', { mode: 'frozen', now: expect.any(String), rate: 1 }],
    ['flowing', { mode: 'flowing', now: expect.any(String), rate: 1 }],
  ])('begins its clock as told: %s', async (clock, expected) => {
    expect((await make(begin(), { clock })).body.clock).toEqual(expected)
  })

  test('takes the mode of its server when it is told no clock', async () => {
    const { control } = await serve({ clock: parseClockStart('flowing') })
    const { body } = await control('POST', '/worlds', {})
    expect(body.clock.mode).toBe('flowing')
  })

  test.each(['noon', '', '2031-02-30', '2031-05-06T07:08:09', 'flowing@', 'stopped@2031-05-06', '12:00'])(
    'refuses the clock %j and says what a clock can be',
    async (clock) => {
      const { status, body } = await make(begin(), { clock })
      expect([status, body.error.code]).toEqual([400, 'sandbox_bad_request'])
      expect(body.error.message).toMatch(/frozen.*flowing/)
    },
  )

  test('repeats itself for the same seed under any id, and only for it', async () => {
    const organizations = async (seed: string, id: string): Promise<string> => {
      const sandbox = openSandbox({ seed: 'server' })
      const { body } = await make(sandbox, { id, seed, clock: START })
      sandbox.close()
      return String(body.organization.id)
    }
    const first = await organizations('s', 'shop')
    expect(await organizations('s', 'shop')).toBe(first)
    expect(await organizations('t', 'shop')).not.toBe(first)
    expect(await organizations('s', 'shop2')).toBe(first)
  })

  test('derives its chance from the server and its id when it has no seed', async () => {
    const organization = async (seed: string, id: string): Promise<string> => {
      const sandbox = openSandbox({ seed })
      const { body } = await make(sandbox, { id })
      sandbox.close()
      return String(body.organization.id)
    }
    const first = await organization('server', 'one')
    expect(await organization('server', 'one')).toBe(first)
    expect(await organization('server', 'two')).not.toBe(first)
    expect(await organization('other', 'one')).not.toBe(first)
  })

  test.each(['', 'x'.repeat(201), 7])('refuses the seed %j', async (seed) => {
    expect((await make(begin(), { seed })).status).toBe(400)
  })

  test('begins with the choices that it is given, and they act', async () => {
    const sandbox = begin()
    await make(sandbox, { id: 'shop', silences: { 'TX-03': 60, 'TX-02': 200 } })
    const { body } = await sandbox.send('POST', '/v1/transactions', {
      token: await sandbox.token('pk_sandbox_shop'),
      body: { method: 'Pix', amount: 100 },
    })
    expect(body.data.expiresAt).toBe('2030-01-01T13:00:00.000Z')
  })

  test.each([
    [{ 'TX-3': 60 }, "Did you mean 'TX-03'?"],
    [{ 'TX-03': 4 }, 'TX-03'],
    [{ 'TX-09': 'else' }, 'TX-09'],
  ])('refuses the choices %j and makes no world', async (silences, message) => {
    const sandbox = begin()
    const { status, body } = await make(sandbox, { id: 'shop', silences })
    expect([status, body.error.code]).toEqual([400, 'sandbox_bad_request'])
    expect(body.error.message).toContain(message)
    expect(sandbox.worlds.get('shop')).toBeNull()
  })

  test('answers the records that it is given by their names, and they are there', async () => {
    const sandbox = begin()
    const sale = { as: 'sale', method: 'Pix', amount: 500, status: 'Completed' }
    const { status, body } = await make(sandbox, { id: 'shop', given: { transactions: [sale] } })
    expect([status, Object.keys(body.names)]).toEqual([201, ['sale']])
    const { items } = (await sandbox.control('GET', '/worlds/shop/transactions')).body
    expect(items).toEqual([body.names.sale])
    expect((await make(sandbox, { id: 'bare' })).body).not.toHaveProperty('names')
  })

  test('that is given something wrong names the entry, and makes no world', async () => {
    const sandbox = begin()
    for (const sale of [
      { method: 'Pix', amount: 5 },
      { method: 'Pix', amount: 500, reason: 'Sim.' },
    ]) {
      const { status, body } = await make(sandbox, { id: 'shop', given: { transactions: [sale] } })
      expect([status, body.error.code]).toEqual([400, 'sandbox_bad_request'])
      expect(body.error.message).toMatch(/given\.transactions\[0\]\.(amount|reason)/)
    }
    expect(sandbox.worlds.list()).toHaveLength(1)
  })
})

describe('the worlds of a server', () => {
  test('are listed newest first, cut by a limit and continued', async () => {
    const sandbox = begin()
    for (const id of ['a', 'b', 'c']) await make(sandbox, { id })
    const { body: all } = await sandbox.control('GET', '/worlds')
    expect(all).toMatchObject({ total: 4, next: null })
    expect(all.items.map(({ id }: { id: string }) => id)).toEqual(['c', 'b', 'a', 'default'])
    const { body: first } = await sandbox.control('GET', '/worlds?limit=3')
    expect([first.items.length, first.total, first.next]).toEqual([3, 4, 'a'])
    const { body: rest } = await sandbox.control('GET', `/worlds?limit=3&after=${first.next}`)
    expect(rest.items.map(({ id }: { id: string }) => id)).toEqual(['default'])
    expect(rest.next).toBeNull()
  })

  test('are read one by one, as they were answered when made', async () => {
    const sandbox = begin()
    const { body } = await make(sandbox, { id: 'shop' })
    expect((await sandbox.control('GET', '/worlds/shop')).body).toEqual(body)
  })

  test('do not meet: a key, a token and a record of one mean nothing in another', async () => {
    const sandbox = begin()
    await make(sandbox, { id: 'shop' })
    const { id } = await createPix(callsOf(sandbox, 'shop'))
    expect((await sandbox.call('GET', `/v1/transactions/${id}`)).status).toBe(404)
    expect((await sandbox.control('GET', `/transactions/${id}`)).status).toBe(404)
    expect((await sandbox.control('GET', `/worlds/shop/transactions/${id}`)).status).toBe(200)
    expect((await sandbox.control('GET', '/credentials/pk_sandbox_shop')).status).toBe(404)
  })

  test('end: their tokens and keys are good for nothing any more', async () => {
    const sandbox = begin()
    await make(sandbox, { id: 'shop' })
    const token = await sandbox.token('pk_sandbox_shop')
    const { body } = await sandbox.control('DELETE', '/worlds/shop')
    expect(body).toEqual({ id: 'shop', deleted: true })
    expect((await sandbox.send('GET', '/v1/transactions', { token })).status).toBe(401)
    const keys = { publicKey: 'pk_sandbox_shop', secretKey: 'sk_sandbox_shop' }
    const { status } = await sandbox.send('POST', '/v1/auth/token', { body: keys })
    expect(status).toBe(401)
    expect((await sandbox.control('GET', '/worlds/shop')).status).toBe(404)
    expect((await sandbox.control('DELETE', '/worlds/shop')).status).toBe(404)
  })

  test('keep the default one: it cannot be deleted, and the refusal says what can be done', async () => {
    const sandbox = begin()
    const { status, body } = await sandbox.control('DELETE', '/worlds/default')
    expect([status, body.error.code]).toEqual([409, 'sandbox_world_fixed'])
    expect(body.error.message).toContain('reset')
    expect((await sandbox.control('GET', '/clock')).status).toBe(200)
  })

  test('end while their clock is advanced: the advance answers and says so', { timeout: 3_000 }, async () => {
    const server = await serve()
    await make(server, { id: 'shop' })
    let arrived = (): void => undefined
    const inFlight = new Promise<void>((resolve) => {
      arrived = resolve
    })
    const { url } = await receive(() => arrived())
    const { id } = await createPix(callsOf(server, 'shop'), { callbackUrl: url })
    await server.control('POST', '/worlds/shop/trigger', { on: id, do: 'confirm' })
    const advancing = Promise.allSettled([server.control('POST', '/worlds/shop/clock/advance', { by: '1h' })])
    await inFlight
    expect((await server.control('DELETE', '/worlds/shop')).status).toBe(200)
    const [answered] = await advancing
    expect(answered).toMatchObject({
      status: 'fulfilled',
      value: { status: 409, body: { error: { code: 'sandbox_clock_busy' } } },
    })
  })
})

describe('forking a world', () => {
  test('copies records, clock and choices under a new id and new keys', async () => {
    const sandbox = begin({ 'TX-03': 60 })
    const { id } = await createPix(sandbox)
    await sandbox.control('POST', '/clock/advance', { by: '10m' })
    const { status, body } = await sandbox.control('POST', '/fork', { id: 'copy' })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      id: 'copy',
      publicKey: 'pk_sandbox_copy',
      secretKey: 'sk_sandbox_copy',
      clock: { mode: 'frozen', now: '2030-01-01T12:10:00.000Z' },
      credentials: [],
    })
    const { body: original } = await sandbox.control('GET', `/transactions/${id}`)
    expect((await sandbox.control('GET', `/worlds/copy/transactions/${id}`)).body).toEqual(original)
    expect(sandbox.worlds.get('copy')?.choices.overrides()).toEqual({ 'TX-03': 60 })
    const read = await callsOf(sandbox, 'copy').call('GET', `/v1/transactions/${id}`)
    expect([read.status, read.headers.get('x-sandbox-world')]).toEqual([200, 'copy'])
  })

  test('keeps what waits: a transaction of the copy expires in the copy', async () => {
    const sandbox = begin()
    const { id } = await createPix(sandbox)
    await sandbox.control('POST', '/fork', { id: 'copy' })
    await sandbox.control('POST', '/worlds/copy/clock/advance', { by: '1h' })
    expect((await sandbox.control('GET', `/worlds/copy/transactions/${id}`)).body.status).toBe('Expired')
    expect((await sandbox.control('GET', `/transactions/${id}`)).body.status).toBe('Pending')
  })

  test('gives every added credential a pair of its own, and the old pairs stay with the original', async () => {
    const sandbox = begin()
    const { body: added } = await sandbox.control('POST', '/credentials', {
      permissions: ['transactions.read'],
    })
    const { body } = await sandbox.control('POST', '/fork', { id: 'copy' })
    expect(body.credentials).toHaveLength(1)
    const [pair] = body.credentials
    expect(pair.publicKey).not.toBe(added.publicKey)
    const token = await sandbox.token(pair.publicKey, pair.secretKey)
    const asked = await sandbox.send('GET', '/v1/transactions', { token })
    expect([asked.status, asked.headers.get('x-sandbox-world')]).toEqual([200, 'copy'])
    const refused = await sandbox.send('POST', '/v1/transactions', {
      token,
      body: { method: 'Pix', amount: 100 },
    })
    expect(refused.body.error.code).toBe('forbidden')
    expect(await sandbox.token(added.publicKey, added.secretKey)).toMatch(/\./)
  })

  test('goes apart from the original: equal calls may differ, and nothing is shared', async () => {
    const sandbox = begin()
    await sandbox.control('POST', '/fork', { id: 'copy' })
    await createPix(callsOf(sandbox, 'copy'))
    await sandbox.control('PATCH', '/worlds/copy/silences', { 'TX-03': 5 })
    await sandbox.control('PATCH', '/worlds/copy/credentials/pk_sandbox_copy', { active: false })
    expect((await sandbox.control('GET', '/transactions')).body.total).toBe(0)
    expect(sandbox.world.choices.overrides()).toEqual({})
    expect((await sandbox.control('GET', '/credentials/pk_sandbox_default')).body.active).toBe(true)
  })

  test('finds a free id by itself', async () => {
    const { status, body } = await begin().control('POST', '/fork')
    expect([status, body.id]).toEqual([201, 'w1'])
  })

  test('has, once reset, one organisation that sells and one to split to, and new keys are of the first', async () => {
    const sandbox = begin()
    await sandbox.control('POST', '/fork', { id: 'copy' })
    const { body: world } = await sandbox.control('POST', '/worlds/copy/reset')
    const { body: credential } = await sandbox.control('POST', '/worlds/copy/credentials')
    expect(credential.organizationId).toBe(world.organization.id)
    const { body: organizations } = await sandbox.control('GET', '/worlds/copy/organizations')
    expect(organizations.total).toBe(2)
  })
})

describe('resetting a world', () => {
  test('clears records and deliveries and sets the clock back; id, keys and choices stay', async () => {
    const sandbox = begin()
    const before = (await sandbox.control('GET', '/worlds/default')).body
    const { id } = await createPix(sandbox, { customerName: 'Ana', callbackUrl: 'http://shop.test/hook' })
    await trigger(sandbox, id, 'confirm')
    await sandbox.control('PATCH', '/silences', { 'TX-03': 60 })
    await sandbox.control('POST', '/clock/advance', { by: '7d' })
    const { status, body } = await sandbox.control('POST', '/reset')
    expect(status).toBe(200)
    expect(body).toEqual({ ...before, unusedFaults: [] })
    const kinds = ['transactions', 'customers', 'journal', 'deliveries', 'jobs', 'inboxes']
    const found = await Promise.all(kinds.map((kind) => sandbox.control('GET', `/${kind}`)))
    expect(found.map((each) => each.body.total)).toEqual(kinds.map(() => 0))
    expect(sandbox.world.choices.overrides()).toEqual({ 'TX-03': 60 })
    expect(sandbox.world.state.postings).toEqual([])
    expect(sandbox.world.books.balances.size).toBe(0)
  })

  test('keeps tokens good: the signing key stays', async () => {
    const sandbox = begin()
    const token = await sandbox.token()
    await sandbox.control('POST', '/reset')
    expect((await sandbox.send('GET', '/v1/transactions', { token })).status).toBe(200)
  })

  test('clears rate windows', async () => {
    const sandbox = begin()
    const keys = { publicKey: 'pk_sandbox_default', secretKey: 'sk_sandbox_default' }
    for (let issued = 0; issued < 10; issued++) await sandbox.token()
    expect((await sandbox.send('POST', '/v1/auth/token', { body: keys })).status).toBe(429)
    await sandbox.control('POST', '/reset')
    expect((await sandbox.send('POST', '/v1/auth/token', { body: keys })).status).toBe(200)
  })

  test('keeps added organisations and credentials', async () => {
    const sandbox = begin()
    const { body: organization } = await sandbox.control('POST', '/organizations', { name: 'Padaria' })
    const { body: credential } = await sandbox.control('POST', '/credentials', {
      organization: organization.id,
    })
    await sandbox.control('POST', '/reset')
    expect(await sandbox.token(credential.publicKey, credential.secretKey)).toMatch(/\./)
    expect((await sandbox.control('GET', `/organizations/${organization.id}`)).body).toEqual(organization)
  })

  test('repeats the same records for the same calls', async () => {
    const sandbox = begin()
    const first = await createPix(sandbox)
    await sandbox.control('POST', '/reset')
    const token = await sandbox.token()
    const { body } = await sandbox.send('POST', '/v1/transactions', {
      token,
      body: { method: 'Pix', amount: 12_990 },
    })
    expect(body.data).toEqual(first)
  })

  test('aborts attempts in flight: the receiver sees the end, the outcome is forgotten', async () => {
    const server = await serve()
    let arrived = (): void => undefined
    const inFlight = new Promise<void>((resolve) => {
      arrived = resolve
    })
    let cut = (): void => undefined
    const ended = new Promise<void>((resolve) => {
      cut = resolve
    })
    const { url } = await receive((_request, response) => {
      response.on('close', () => cut())
      arrived()
    })
    const { id } = await createPix(server, { callbackUrl: url })
    await server.control('POST', '/trigger', { on: id, do: 'confirm' })
    await inFlight
    await server.control('POST', '/reset')
    await ended
    expect((await server.control('GET', '/deliveries')).body.total).toBe(0)
    expect((await server.control('POST', '/settle')).body.waiting).toEqual([])
  })

  test('starts a flowing clock from the host again and a frozen one where it began', async () => {
    const sandbox = begin()
    await make(sandbox, { id: 'cold', clock: '2031-01-01T00:00:00Z' })
    await sandbox.control('POST', '/worlds/cold/clock/flow', { rate: 60 })
    await sandbox.control('POST', '/worlds/cold/clock/advance', { by: '1d' })
    const { body } = await sandbox.control('POST', '/worlds/cold/reset')
    expect(body.clock).toEqual({ mode: 'frozen', now: '2031-01-01T00:00:00.000Z', rate: 1 })
  })
})
