// Checks what the control API says to paths, methods, bodies and tokens that do not fit.
import { describe, expect, test } from 'vitest'
import { MAX_BODY_BYTES } from '../../src/contract/limits.ts'
import { CONTROL_ROUTES } from '../../src/control/routes.ts'
import { createPix } from '../support/sandbox.ts'
import { begin } from './transactionSteps.ts'
import { serve } from './servers.ts'

const BAD = [400, 'sandbox_bad_request']

describe('a path that no route has', () => {
  test.each([
    ['/clok', '/_sandbox/clock'],
    ['/Clock', '/_sandbox/clock'],
    ['/transaction', '/_sandbox/transactions'],
    ['/clock/advanced', '/_sandbox/clock/advance'],
    ['/inboxes/shop/mesages', '/_sandbox/inboxes/{name}/messages'],
    ['/deliveries/6f9619ff-8b86-4d01-b42d-00cf4fc964ff/resnd', '/_sandbox/deliveries/{id}/resend'],
    ['/delivery', '/_sandbox/deliveries'],
    ['/worlds/default/clok', '/_sandbox/worlds/default/clock'],
  ])('%s is answered with the nearest one', async (path, near) => {
    const { status, body } = await begin().control('GET', path)
    expect([status, body.error.code]).toEqual([404, 'sandbox_not_found'])
    expect(body.error.message).toContain(`Did you mean ${near}`)
  })

  test.each(['', '/', '/something-else-entirely', '/worlds/default/nothing-of-the-kind', '/worlds/default/'])(
    'without a near one, such as %j, names the list of all routes',
    async (path) => {
      const { status, body } = await begin().control('GET', path)
      expect([status, body.error.code]).toEqual([404, 'sandbox_not_found'])
      expect(body.error.message).toContain('/_sandbox/openapi.json')
      expect(body.error.message).not.toContain('//')
    },
  )

  test('outside of /_sandbox belongs to the gateway', async () => {
    const { status, body } = await begin().send('GET', '/_sandboxes')
    expect([status, body.error.code]).toEqual([404, 'not_found'])
  })
})

describe('a method that a path does not take', () => {
  test.each([
    ['DELETE', '/clock', 'GET'],
    ['GET', '/clock/advance', 'POST'],
    ['POST', '/silences', 'GET, PATCH'],
    ['PATCH', '/worlds', 'POST, GET'],
    ['PUT', '/worlds/default', 'GET, DELETE'],
    ['POST', '/worlds/default/clock', 'GET'],
    ['POST', '/snapshots/s', 'PUT, GET, DELETE'],
    ['OPTIONS', '/trigger', 'POST'],
    ['POST', '/livez', 'GET'],
  ])('%s %s is refused and names %s', async (method, path, allowed) => {
    const { status, body, headers } = await begin().control(method, path)
    expect([status, body.error.code]).toEqual([405, 'sandbox_method_not_allowed'])
    const named = headers
      .get('allow')
      ?.split(', ')
      .filter((each) => each !== 'HEAD')
    expect(named?.toSorted()).toEqual(allowed.split(', ').toSorted())
    expect(body.error.message).toContain(method)
  })

  test.each(CONTROL_ROUTES.filter(({ scope, path }) => scope === 'server' && !path.startsWith('/worlds')))(
    '$path of the server, asked below a world, is not refused for its method',
    async ({ method, path }) => {
      const { status } = await begin().control(method, `/worlds/default${path}`)
      expect([200, 404]).toContain(status)
    },
  )

  test('HEAD answers like GET, without a body', async () => {
    const { status, body } = await begin().send('HEAD', '/_sandbox/livez')
    expect([status, body]).toEqual([200, null])
  })
})

describe('a body that does not fit', () => {
  test.each([
    ['no JSON at all', '{"by":'],
    ['a list', '[]'],
    ['a text', '"31m"'],
    ['null', 'null'],
    ['a number', '31'],
    ['bytes that are no text', new Uint8Array([0xff, 0xfe, 0x7b])],
  ])('is refused: %s', async (_what, body) => {
    const answered = await begin().send('POST', '/_sandbox/clock/advance', { body })
    expect([answered.status, answered.body.error.code]).toEqual(BAD)
  })

  test('is refused for an unknown field, which is named', async () => {
    const { status, body } = await begin().control('POST', '/clock/advance', { by: '1m', until: 'noon' })
    expect([status, body.error.code]).toEqual(BAD)
    expect(body.error.message).toContain('until')
  })

  test('is refused for every field at once, in one message', async () => {
    const { body } = await begin().control('POST', '/settle', { timeoutMs: 'long', quietMs: -1 })
    expect(body.error.message).toContain('timeoutMs')
    expect(body.error.message).toContain('quietMs')
  })

  test('is refused above 1 MiB, also when it does not say how long it is', async () => {
    const sandbox = begin()
    const whole = JSON.stringify({ id: 'x'.repeat(MAX_BODY_BYTES) })
    const { status, body } = await sandbox.send('POST', '/_sandbox/worlds', { body: whole })
    expect([status, body.error.code]).toEqual([413, 'sandbox_payload_too_large'])
    const headers = { 'Content-Length': String(whole.length) }
    const told = await sandbox.send('POST', '/_sandbox/worlds', { body: whole, headers })
    expect([told.status, told.body.error.code]).toEqual([413, 'sandbox_payload_too_large'])
  })

  test('may be left out where every field is optional', async () => {
    const { status } = await begin().control('POST', '/settle')
    expect(status).toBe(200)
  })

  test('may say that it is anything: only its bytes count', async () => {
    const headers = { 'Content-Type': 'text/plain' }
    const sent = await begin().send('POST', '/_sandbox/clock/advance', { body: '{"by":"1m"}', headers })
    expect(sent.body.to).toBe('2030-01-01T12:01:00.000Z')
  })

  test('a parameter of the query without a value counts as left out', async () => {
    const { status } = await begin().control('GET', '/transactions?limit=&status=')
    expect(status).toBe(200)
  })
})

/** Routes by whether they answer without the control token. */
const OPEN = ['livez', 'readyz', 'receiveIntoInbox']
const somewhere = (path: string): string => path.replaceAll(/\{\w+\}/g, 'x')

describe('a control token', () => {
  test('is asked for by every route but livez, readyz and the inbox', () => {
    const open = CONTROL_ROUTES.filter((row) => row.open).map(({ id }) => id)
    expect(open.toSorted()).toEqual(OPEN.toSorted())
  })

  test('guards every route: without it, with another one or in another scheme the answer is 401', async () => {
    const { send } = await serve({ controlToken: 'let-me-in' })
    const wrong = ['', 'Bearer let-me-out', 'Basic let-me-in', 'let-me-in', 'Bearer let-me-in2', 'Bearer']
    const found = new Map<string, number>()
    for (const { method, path, id } of CONTROL_ROUTES.filter((row) => !row.open)) {
      for (const authorization of wrong) {
        const headers: Record<string, string> = authorization === '' ? {} : { authorization }
        const { status, body } = await send(method, `/_sandbox${somewhere(path)}`, { headers })
        expect(body.error.code, `${id} with '${authorization}'`).toBe('sandbox_unauthorized')
        expect(body.error.message).toContain('Authorization: Bearer')
        found.set(id, status)
      }
    }
    expect(new Set(found.values())).toEqual(new Set([401]))
  })

  test('opens everything, below a world too', async () => {
    const { send } = await serve({ controlToken: 'let-me-in' })
    for (const path of ['/clock', '/worlds/default/clock', '/worlds', '/info']) {
      const { status } = await send('GET', `/_sandbox${path}`, { token: 'let-me-in' })
      expect(status, path).toBe(200)
    }
    const headers = { authorization: 'bearer   let-me-in' }
    expect((await send('GET', '/_sandbox/clock', { headers })).status).toBe(200)
  })

  test('is not asked for by livez, readyz and the inbox, below a world too', async () => {
    const { send } = await serve({ controlToken: 'let-me-in' })
    const open = [
      await send('GET', '/_sandbox/livez'),
      await send('GET', '/_sandbox/readyz'),
      await send('POST', '/_sandbox/inbox/shop', { body: {} }),
      await send('POST', '/_sandbox/worlds/default/inbox/shop', { body: {} }),
    ]
    expect(open.map(({ status }) => status)).toEqual([200, 200, 204, 204])
  })

  test('hides which routes and worlds exist', async () => {
    const { send } = await serve({ controlToken: 'let-me-in' })
    const asked: [string, string][] = [
      ['GET', '/nothing'],
      ['DELETE', '/clock'],
      ['GET', '/worlds/nowhere/clock'],
      ['GET', ''],
      ['GET', '/inboxes/shop/messages'],
    ]
    for (const [method, path] of asked) {
      const { status } = await send(method, `/_sandbox${path}`)
      expect(status, path).toBe(401)
    }
  })

  test('does not guard the gateway, and is no token of it', async () => {
    const server = await serve({ controlToken: 'let-me-in' })
    expect((await createPix(server)).status).toBe('Pending')
    const { status } = await server.send('GET', '/v1/transactions', { token: 'let-me-in' })
    expect(status).toBe(401)
  })

  test('makes the secrets of new worlds random, while the default world keeps its fixed keys', async () => {
    const server = await serve({ controlToken: 'let-me-in' })
    const make = (): ReturnType<typeof server.send> =>
      server.send('POST', '/_sandbox/worlds', { token: 'let-me-in', body: { seed: 's' } })
    const [one, two] = [await make(), await make()]
    expect(one.body.secretKey).toMatch(/^sk_sandbox_[0-9a-f]{48}$/)
    expect(one.body.production.secretKey).toMatch(/^sk_production_[0-9a-f]{48}$/)
    expect(one.body.receiver.secretKey).toMatch(/^sk_sandbox_[0-9a-f]{48}$/)
    const secrets = [one, two].flatMap(({ body: { secretKey, production, receiver } }) => [
      secretKey,
      production.secretKey,
      receiver.secretKey,
    ])
    expect(new Set(secrets).size).toBe(6)
    expect(await server.token(one.body.publicKey, one.body.secretKey)).toMatch(/\./)
    expect(await server.token('pk_sandbox_default', 'sk_sandbox_default')).toMatch(/\./)
  })
})
