// Checks snapshots over the control API: saving a world under a name, reading it, and putting it back.
import { describe, expect, test } from 'vitest'
import { createPix, START } from '../support/sandbox.ts'
import { receive, serve } from './servers.ts'
import { begin, reach, trigger } from './transactionSteps.ts'

describe('a snapshot', () => {
  test('is saved under a name, and read as one JSON value without secrets', async () => {
    const sandbox = begin()
    const { id } = await createPix(sandbox)
    const { status, body } = await sandbox.control('PUT', '/snapshots/before')
    expect([status, body]).toEqual([
      200,
      { name: 'before', world: 'default', bytes: expect.any(Number), now: START },
    ])
    const { body: saved } = await sandbox.control('GET', '/snapshots/before')
    expect(saved.format).toBe(1)
    expect(saved.state.transactions[id].status).toBe('Pending')
    expect(saved.scheduler.jobs).toMatchObject([{ kind: 'expireTransaction', subject: id }])
    expect(Buffer.byteLength(JSON.stringify(saved))).toBe(body.bytes)
    expect(JSON.stringify(saved)).not.toContain('sk_sandbox_default')
  })

  test('puts back records, clock, waiting jobs and chance, so that the same calls give the same bytes', async () => {
    const sandbox = begin()
    const record = await reach(sandbox, [])
    await sandbox.control('POST', '/clock/advance', { by: '10m' })
    await sandbox.control('PUT', '/snapshots/s')
    const goOn = async (): Promise<unknown[]> => {
      const { body: fired } = await trigger(sandbox, record.id, 'confirm')
      const { body: moved } = await sandbox.control('POST', '/clock/advance', { by: '1h' })
      const { body: made } = await sandbox.call('POST', '/v1/transactions', { method: 'Pix', amount: 100 })
      return [fired, moved, made]
    }
    const first = await goOn()
    const { status, body } = await sandbox.control('POST', '/snapshots/s/restore')
    expect([status, body.clock.now]).toEqual([200, '2030-01-01T12:10:00.000Z'])
    expect((await sandbox.control('GET', `/transactions/${record.id}`)).body.status).toBe('Pending')
    expect((await sandbox.control('GET', '/jobs')).body.items).toMatchObject([
      { at: record.expiresAt, job: 'expireTransaction', subject: record.id },
    ])
    expect(await goOn()).toEqual(first)
  })

  test('can be put back more than once, and is not changed by what happens afterwards', async () => {
    const sandbox = begin()
    await sandbox.control('PUT', '/snapshots/empty')
    for (let round = 0; round < 2; round++) {
      await createPix(sandbox)
      await sandbox.control('POST', '/snapshots/empty/restore')
      expect((await sandbox.control('GET', '/transactions')).body.total).toBe(0)
    }
  })

  test('moves the clock back, and the mode with it', async () => {
    const sandbox = begin()
    await sandbox.control('PUT', '/snapshots/s')
    await sandbox.control('POST', '/clock/advance', { by: '365d' })
    await sandbox.control('POST', '/clock/flow', { rate: 10 })
    const { body } = await sandbox.control('POST', '/snapshots/s/restore')
    expect(body.clock).toEqual({ mode: 'frozen', now: START, rate: 1 })
  })

  test('takes the place of an earlier one of its name', async () => {
    const sandbox = begin()
    await sandbox.control('PUT', '/snapshots/s')
    await createPix(sandbox)
    await sandbox.control('PUT', '/snapshots/s')
    expect((await sandbox.control('GET', '/snapshots')).body.total).toBe(1)
    await sandbox.control('POST', '/reset')
    await sandbox.control('POST', '/snapshots/s/restore')
    expect((await sandbox.control('GET', '/transactions')).body.total).toBe(1)
  })

  test('outlives a reset, and belongs to one world only', async () => {
    const sandbox = begin()
    await sandbox.control('POST', '/worlds', { id: 'other' })
    await sandbox.control('PUT', '/snapshots/s')
    await sandbox.control('POST', '/reset')
    expect((await sandbox.control('GET', '/snapshots/s')).status).toBe(200)
    expect((await sandbox.control('GET', '/worlds/other/snapshots/s')).status).toBe(404)
  })

  test('keeps the tokens of before good', async () => {
    const sandbox = begin()
    const token = await sandbox.token()
    await sandbox.control('PUT', '/snapshots/s')
    await sandbox.control('POST', '/snapshots/s/restore')
    expect((await sandbox.send('GET', '/v1/transactions', { token })).status).toBe(200)
  })

  test('is forgotten on demand', async () => {
    const sandbox = begin()
    await sandbox.control('PUT', '/snapshots/s')
    const { body } = await sandbox.control('DELETE', '/snapshots/s')
    expect(body).toEqual({ name: 's', deleted: true })
    expect((await sandbox.control('GET', '/snapshots/s')).status).toBe(404)
  })

  test('that is not there is refused with the names of those that are', async () => {
    const sandbox = begin()
    await sandbox.control('PUT', '/snapshots/before')
    for (const [method, path] of [
      ['GET', '/snapshots/after'],
      ['DELETE', '/snapshots/after'],
      ['POST', '/snapshots/after/restore'],
    ] as const) {
      const { status, body } = await sandbox.control(method, path)
      expect([status, body.error.code]).toEqual([404, 'sandbox_not_found'])
      expect(body.error.message).toContain('before')
    }
  })

  test.each(['a%20b', 'a%2Fb', 'x'.repeat(65), '%C3%A9'])('has no name such as %s', async (name) => {
    const { status, body } = await begin().control('PUT', `/snapshots/${name}`)
    expect([status, body.error.code]).toEqual([400, 'sandbox_bad_request'])
  })

  test('is listed newest first, and at most a hundred are kept', async () => {
    const sandbox = begin()
    for (let n = 1; n <= 100; n++) await sandbox.control('PUT', `/snapshots/s${n}`)
    const { body: first } = await sandbox.control('GET', '/snapshots?limit=2')
    expect([first.items.map(({ name }: { name: string }) => name), first.total]).toEqual([
      ['s100', 's99'],
      100,
    ])
    const { body: next } = await sandbox.control('GET', `/snapshots?limit=2&after=${first.next}`)
    expect(next.items[0].name).toBe('s98')
    const { status, body } = await sandbox.control('PUT', '/snapshots/s101')
    expect([status, body.error.code]).toEqual([400, 'sandbox_bad_request'])
    expect((await sandbox.control('PUT', '/snapshots/s100')).status).toBe(200)
  })

  test('shows the instant that it holds, not the one at which it is listed', async () => {
    const sandbox = begin()
    await sandbox.control('PUT', '/snapshots/s')
    await sandbox.control('POST', '/clock/advance', { by: '1h' })
    const { body } = await sandbox.control('GET', '/snapshots')
    expect(body.items[0].now).toBe(START)
  })

  test('taken while an attempt is in flight makes that attempt again, under its number', async () => {
    const server = await serve()
    let arrived = (): void => undefined
    const inFlight = new Promise<void>((resolve) => {
      arrived = resolve
    })
    const receiver = await receive(() => arrived())
    const { id } = await createPix(server, { callbackUrl: receiver.url })
    await server.control('POST', '/trigger', { on: id, do: 'confirm' })
    await inFlight
    await server.control('PUT', '/snapshots/s')
    await server.control('POST', '/snapshots/s/restore')
    expect((await server.control('POST', '/settle')).status).toBe(200)
    const { body } = await server.control('GET', '/deliveries')
    expect(body.items).toMatchObject([{ status: 'delivered', attempts: [{ number: 1, status: 204 }] }])
    expect(receiver.received.map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '1'])
    expect(receiver.received[1]?.body).toEqual(receiver.received[0]?.body)
  })
})
