// Checks the clock over the control API: reading, stopping, flowing, advancing, waiting jobs and settling.
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createApp } from '../../src/app.ts'
import { parseClockStart } from '../../src/world/clockStart.ts'
import { describeJob } from '../../src/world/waiting.ts'
import { createWorlds } from '../../src/world/worlds.ts'
import { fakeHost } from '../support/fakeHost.ts'
import { clientOf, createPix, START } from '../support/sandbox.ts'
import { receive, serve } from './servers.ts'
import { begin, reach, trigger } from './transactionSteps.ts'
import type { Timestamp } from '../../src/kernel/brands.ts'
import type { FakeHost } from '../support/fakeHost.ts'
import type { TestSandbox } from '../support/sandbox.ts'

vi.mock('node:timers', async () => (await import('../support/globalTimers.ts')).globalTimers())

/** A sandbox on a host whose time stands still until it is set. */
function onFakeHost(clock: string): Pick<TestSandbox, 'control' | 'call'> & { host: FakeHost } {
  const host = fakeHost()
  const sender = {
    send: () => Promise.resolve({ status: 204, answer: '' }),
    close: () => undefined,
  }
  const worlds = createWorlds(
    {
      time: host,
      sender,
      publicUrl: 'http://sandbox.test',
      secretStyle: 'byName',
      container: false,
      rewriteLocalhost: null,
      callbackAllow: null,
      autoConfirm: null,
      variation: null,
      keeper: null,
      report: () => undefined,
    },
    { seed: 'test', clock: parseClockStart(clock) },
  )
  const app = createApp(worlds, { controlToken: null })
  const { control, call } = clientOf('http://sandbox.test', (request) => Promise.resolve(app.fetch(request)))
  return { host, control, call }
}

afterEach(() => vi.useRealTimers())

describe('the clock', () => {
  test('is read as mode, instant and rate', async () => {
    const { body } = await begin().control('GET', '/clock')
    expect(body).toEqual({ mode: 'frozen', now: START, rate: 1 })
  })

  test('flows with the host at a rate, from where it stands', async () => {
    const { host, control } = onFakeHost(START)
    const { body: begun } = await control('POST', '/clock/flow', { rate: 60 })
    expect(begun).toEqual({ mode: 'flowing', now: START, rate: 60 })
    host.stopwatchAt += 1_000
    expect((await control('GET', '/clock')).body.now).toBe('2030-01-01T12:01:00.000Z')
  })

  test('flows at rate 1 unless told otherwise, and its rate can change on the way', async () => {
    const { host, control } = onFakeHost(START)
    await control('POST', '/clock/flow')
    host.stopwatchAt += 1_000
    expect((await control('POST', '/clock/flow', { rate: 0.5 })).body.now).toBe('2030-01-01T12:00:01.000Z')
    host.stopwatchAt += 1_000
    expect((await control('GET', '/clock')).body.now).toBe('2030-01-01T12:00:01.500Z')
  })

  test('stops where it stands, and stays there', async () => {
    const { host, control } = onFakeHost(`flowing@${START}`)
    host.stopwatchAt += 1_000
    const stopped = { mode: 'frozen', now: '2030-01-01T12:00:01.000Z', rate: 1 }
    expect((await control('POST', '/clock/freeze')).body).toEqual(stopped)
    host.stopwatchAt += 60_000
    expect((await control('GET', '/clock')).body).toEqual(stopped)
  })

  test('stops at a later instant, after everything that falls due until then', async () => {
    const sandbox = begin()
    const record = await reach(sandbox, [])
    const { body } = await sandbox.control('POST', '/clock/freeze', { at: '2030-01-01T13:00:00Z' })
    expect(body).toEqual({ mode: 'frozen', now: '2030-01-01T13:00:00.000Z', rate: 1 })
    expect(record).toMatchObject({ status: 'Expired', updatedAt: record.expiresAt })
  })

  test('stops exactly at the instant that it is told, also while it flows fast', async () => {
    const { host, control } = onFakeHost(`flowing@${START}`)
    await control('POST', '/clock/flow', { rate: 1_000 })
    host.perReading = 1
    const { body } = await control('POST', '/clock/freeze', { at: '2031-01-01T00:00:00Z' })
    expect(body).toMatchObject({ mode: 'frozen', now: '2031-01-01T00:00:00.000Z' })
  })

  test.each([
    ['/clock/freeze', { at: '2029-12-31T00:00:00Z' }],
    ['/clock/advance', { to: '2030-01-01T11:59:59.999Z' }],
  ])('never goes back: %s %j', async (path, body) => {
    const sandbox = begin()
    const answered = await sandbox.control('POST', path, body)
    expect([answered.status, answered.body.error.code]).toEqual([409, 'sandbox_clock_backwards'])
    expect(answered.body.error.message).toContain(START)
    expect((await sandbox.control('GET', '/clock')).body.now).toBe(START)
  })

  test.each([0, -1, 1_000_001, '2', null])('has no rate such as %j', async (rate) => {
    const { status, body } = await begin().control('POST', '/clock/flow', { rate })
    expect([status, body.error.code]).toEqual([400, 'sandbox_bad_request'])
  })
})

describe('advancing', () => {
  test.each([
    ['1500ms', '2030-01-01T12:00:01.500Z'],
    ['5s', '2030-01-01T12:00:05.000Z'],
    ['31m', '2030-01-01T12:31:00.000Z'],
    ['25h', '2030-01-02T13:00:00.000Z'],
    ['7d', '2030-01-08T12:00:00.000Z'],
    ['1.5h', '2030-01-01T13:30:00.000Z'],
    ['0s', START],
    ['PT31M', '2030-01-01T12:31:00.000Z'],
    ['P1DT2H', '2030-01-02T14:00:00.000Z'],
    ['PT0.5S', '2030-01-01T12:00:00.500Z'],
    ['P2W', '2030-01-15T12:00:00.000Z'],
    ['pt1h', '2030-01-01T13:00:00.000Z'],
  ])('by %s leads to %s', async (by, to) => {
    const { body } = await begin().control('POST', '/clock/advance', { by })
    expect(body).toEqual({
      from: START,
      to,
      ran: [],
      attempts: [],
      waiting: [],
      totals: { ran: 0, waiting: 0 },
    })
  })

  test.each([
    '',
    '31',
    '31 m',
    '31min',
    '31M',
    '-5s',
    '1h30m',
    'PT',
    'P1M',
    'P1Y',
    'PT1H30',
    '1e3s',
    'soon',
    '5S',
  ])('by %j is refused with the durations that there are', async (by) => {
    const { status, body } = await begin().control('POST', '/clock/advance', { by })
    expect([status, body.error.code]).toEqual([400, 'sandbox_bad_request'])
    expect(body.error.message).toContain(`by '${by}'`)
    expect(body.error.message).toContain('31m')
    expect(body.error.message).toContain('PT31M')
  })

  test.each(['2030-01-01T13:00:00Z', '2030-01-01T10:00:00-03:00', '2030-01-01T13:00:00.000000Z'])(
    'to an instant leads there: %s',
    async (to) => {
      const { body } = await begin().control('POST', '/clock/advance', { to })
      expect(body.to).toBe('2030-01-01T13:00:00.000Z')
    },
  )

  test.each(['tomorrow', '2030-01-01 13:00', '2030-01-01T13:00:00', '2030-13-01', '2030-02-30', '31m', ''])(
    'to %j is refused with an instant as it should be',
    async (to) => {
      const { status, body } = await begin().control('POST', '/clock/advance', { to })
      expect([status, body.error.code]).toEqual([400, 'sandbox_bad_request'])
      expect(body.error.message).toContain('2030-01-01T12:00:00Z')
    },
  )

  test.each([{}, { by: '1m', to: START }, { by: '1m', toNext: true }, { toNext: false }, { by: 60 }])(
    'by %j is refused: it is one of by, to and toNext',
    async (body) => {
      const answered = await begin().control('POST', '/clock/advance', body)
      expect([answered.status, answered.body.error.code]).toEqual([400, 'sandbox_bad_request'])
    },
  )

  test('to the next job leads to its instant and no further', async () => {
    const sandbox = begin()
    const record = await reach(sandbox, [])
    await sandbox.control('POST', '/clock/advance', { by: '1m' })
    const later = await reach(sandbox, [])
    const { body } = await sandbox.control('POST', '/clock/advance', { toNext: true })
    const what = `expireTransaction of ${later.id} in 1 min of world time`
    const waiting = [{ at: later.expiresAt, job: 'expireTransaction', subject: later.id, what }]
    expect(body).toMatchObject({
      to: record.expiresAt,
      ran: [{ at: record.expiresAt, job: 'expireTransaction', subject: record.id }],
      waiting,
      totals: { waiting: 1 },
    })
    expect((await sandbox.control('GET', '/jobs')).body).toEqual({ items: waiting, total: 1, next: null })
  })

  test('to the next job stays where it is when nothing waits', async () => {
    const { body } = await begin().control('POST', '/clock/advance', { toNext: true })
    expect([body.from, body.to]).toEqual([START, START])
  })

  test('past the year 9999 is refused, and up to its end it is not', async () => {
    const sandbox = begin()
    const refused = await sandbox.control('POST', '/clock/advance', { by: '2912000d' })
    expect([refused.status, refused.body.error.code]).toEqual([400, 'sandbox_bad_request'])
    const { body } = await sandbox.control('POST', '/clock/advance', { to: '9999-12-31T23:59:59.999Z' })
    expect(body.to).toBe('9999-12-31T23:59:59.999Z')
  })

  test('runs a chain of retries at its exact instants, and tells them in order', async () => {
    const server = await serve()
    const { url } = await receive(500, 500, 204)
    const { id } = await createPix(server, { callbackUrl: url })
    const fired = await server.control('POST', '/trigger', { on: id, do: 'confirm' })
    const { body } = await server.control('POST', '/clock/advance', { by: '10s' })
    const attempt = { delivery: fired.body.deliveries[0], type: 'payment.completed', subject: id }
    expect(body.to).toBe('2030-01-01T12:00:10.000Z')
    // The first attempt left with the answer of the trigger, or was due now: either way it came first.
    const retries = body.attempts.filter(({ number }: { number: number }) => number > 1)
    expect(retries).toEqual([
      { ...attempt, number: 2, at: '2030-01-01T12:00:02.000Z', status: 500 },
      { ...attempt, number: 3, at: '2030-01-01T12:00:06.000Z', status: 204 },
    ])
  })

  test('works on a flowing clock, which flows on afterwards', async () => {
    const { host, control, call } = onFakeHost(`flowing@${START}`)
    const { id } = await createPix({ call })
    const { body } = await control('POST', '/clock/advance', { by: '31m' })
    expect(body).toMatchObject({
      from: START,
      to: '2030-01-01T12:31:00.000Z',
      ran: [{ at: '2030-01-01T12:30:00.000Z', job: 'expireTransaction', subject: id }],
    })
    host.stopwatchAt += 1_000
    const clock = { mode: 'flowing', now: '2030-01-01T12:31:01.000Z', rate: 1 }
    expect((await control('GET', '/clock')).body).toEqual(clock)
  })

  test('by a receiver, while an advance waits for that receiver, is refused', async () => {
    const server = await serve()
    const refusals: unknown[] = []
    const { url } = await receive(async (_request, response) => {
      for (const [path, body] of [
        ['/clock/advance', { by: '1m' }],
        ['/clock/freeze', {}],
        ['/clock/freeze', { at: '2031-01-01' }],
        ['/clock/flow', {}],
      ] as const) {
        const answered = await server.control('POST', path, body)
        refusals.push([answered.status, answered.body.error?.code])
      }
      response.writeHead(204).end()
    })
    const { id } = await createPix(server, { callbackUrl: url })
    // The event is made by the advance itself, so that the receiver is called from within it.
    const { body } = await server.control('POST', '/clock/advance', { by: '31m' })
    expect(body.attempts).toMatchObject([{ subject: id, type: 'payment.expired', status: 204 }])
    expect(refusals).toEqual(Array.from({ length: 4 }, () => [409, 'sandbox_clock_busy']))
    expect(body.to).toBe('2030-01-01T12:31:00.000Z')
  })

  test('lets a receiver read and call the gateway from within', async () => {
    const server = await serve()
    const token = await server.token()
    const found: unknown[] = []
    const { url } = await receive(async (_request, response) => {
      const { body } = await server.control('GET', '/clock')
      const made = await server.send('POST', '/v1/transactions', {
        token,
        body: { method: 'Pix', amount: 100 },
      })
      found.push(body.now, made.status, made.body.data.createdAt)
      response.writeHead(204).end()
    })
    await createPix(server, { callbackUrl: url })
    const { body } = await server.control('POST', '/clock/advance', { by: '31m' })
    const at = '2030-01-01T12:30:00.000Z'
    expect(found).toEqual([at, 201, at])
    expect(body.totals.waiting).toBe(1)
  })
})

describe('jobs', () => {
  test('are listed with the next one first; those made first come first at one instant', async () => {
    const sandbox = begin()
    const late = await createPix(sandbox, { pixExpirationMinutes: 60 })
    const soon = await createPix(sandbox, { pixExpirationMinutes: 5 })
    const second = await createPix(sandbox, { pixExpirationMinutes: 5 })
    const { body } = await sandbox.control('GET', '/jobs')
    expect(body.total).toBe(3)
    expect(body.items).toEqual(
      [soon, second, late].map(({ id, expiresAt }) => ({
        at: expiresAt,
        job: 'expireTransaction',
        subject: id,
        what: `expireTransaction of ${id} in ${id === late.id ? '1 h' : '5 min'} of world time`,
      })),
    )
  })

  test('are cut by a limit and continued, like every list', async () => {
    const sandbox = begin()
    for (let made = 0; made < 3; made++) await createPix(sandbox)
    const { body: whole } = await sandbox.control('GET', '/jobs')
    const { body: first } = await sandbox.control('GET', '/jobs?limit=2')
    expect([first.items.length, first.total]).toEqual([2, 3])
    const { body: rest } = await sandbox.control('GET', `/jobs?limit=2&after=${first.next}`)
    expect([...first.items, ...rest.items]).toEqual(whole.items)
  })

  test('name attempts that wait for their retry', async () => {
    const server = await serve()
    const { url } = await receive(500)
    const { id } = await createPix(server, { callbackUrl: url })
    const { body: fired } = await server.control('POST', '/trigger', { on: id, do: 'fail' })
    await server.control('POST', '/settle')
    const { body } = await server.control('GET', '/jobs')
    const [delivery] = fired.deliveries
    expect(body.items).toEqual([
      {
        at: '2030-01-01T12:00:02.000Z',
        job: 'attemptDelivery',
        subject: delivery,
        what: `attempt 2 of payment.failed (delivery ${delivery}) in 2 s of world time`,
      },
    ])
  })
})

describe('what waits', () => {
  test.each([
    ['0s', '30 min'],
    ['1500ms', '29 min 58.5 s'],
    ['29m', '1 min'],
    ['1799999ms', '0.001 s'],
  ])('after %s is told in %s, alike by advance, settle and the list of jobs', async (by, left) => {
    const sandbox = begin()
    const { id } = await reach(sandbox, [])
    const { body: moved } = await sandbox.control('POST', '/clock/advance', { by })
    const { body: settled } = await sandbox.control('POST', '/settle')
    const { body: jobs } = await sandbox.control('GET', '/jobs')
    const what = `expireTransaction of ${id} in ${left} of world time`
    for (const list of [moved.waiting, settled.waiting, jobs.items]) expect(list).toMatchObject([{ what }])
  })

  test('is told in days, hours and minutes when it is far away', async () => {
    const sandbox = begin()
    const record = await reach(sandbox, [['confirm']])
    await sandbox.control('POST', '/disputes', { paymentId: record.id, deadline: '93784500ms' })
    const { body } = await sandbox.control('GET', '/jobs')
    expect(body.items[0].what).toMatch(/^lapseDispute of \S+ in 1 d 2 h 3 min 4\.5 s of world time$/)
  })

  test('is told as due when it only waits for its turn', () => {
    const { world } = begin()
    const job = { at: START as Timestamp, job: 'settleSale', subject: 'x' } as const
    expect(describeJob(world, job)).toEqual({ ...job, what: 'settleSale of x due now' })
  })
})

describe('settling', () => {
  test('answers at once when nothing is due, with what waits for time', async () => {
    const sandbox = begin()
    const record = await reach(sandbox, [])
    const { status, body } = await sandbox.control('POST', '/settle')
    expect([status, body]).toEqual([
      200,
      {
        settled: true,
        waiting: [
          {
            at: record.expiresAt,
            job: 'expireTransaction',
            subject: record.id,
            what: `expireTransaction of ${record.id} in 30 min of world time`,
          },
        ],
        unusedFaults: [],
        held: [],
      },
    ])
  })

  test('waits for attempts in flight, and for what they make due now', async () => {
    const server = await serve()
    const { url } = await receive(204)
    const { id } = await createPix(server, { callbackUrl: url })
    await server.control('POST', '/trigger', { on: id, do: 'confirm' })
    expect((await server.control('POST', '/settle')).body).toMatchObject({ settled: true, waiting: [] })
    expect((await server.control('GET', '/deliveries')).body.items[0].status).toBe('delivered')
  })

  test('says with 412 what is still open and why, when the time is over', async () => {
    const server = await serve()
    const { url } = await receive(() => undefined)
    const { id } = await createPix(server, { callbackUrl: url })
    const { body: fired } = await server.control('POST', '/trigger', { on: id, do: 'confirm' })
    const { status, body } = await server.control('POST', '/settle', { timeoutMs: 20 })
    expect([status, body]).toEqual([
      412,
      {
        settled: false,
        held: [],
        unusedFaults: [],
        open: [
          {
            kind: 'attempt',
            id: fired.deliveries[0],
            why: expect.stringContaining(url),
            hint: expect.stringContaining('WH-03'),
          },
        ],
        waiting: [],
      },
    ])
  })

  test('does not end while the clock is being advanced', async () => {
    const server = await serve()
    let arrived = (): void => undefined
    const inFlight = new Promise<void>((resolve) => {
      arrived = resolve
    })
    let letGo = (): void => undefined
    const { url } = await receive((_request, response) => {
      letGo = () => void response.writeHead(204).end()
      arrived()
    })
    await createPix(server, { callbackUrl: url })
    const advancing = server.control('POST', '/clock/advance', { by: '31m' })
    await inFlight
    const early = await server.control('POST', '/settle', { timeoutMs: 0 })
    expect([early.status, early.body.open.length > 0]).toEqual([412, true])
    const settling = server.control('POST', '/settle')
    letGo()
    expect((await advancing).status).toBe(200)
    expect((await settling).body.settled).toBe(true)
  })

  test('can ask for quiet: what begins meanwhile makes the quiet begin anew', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const sandbox = begin()
    const record = await reach(sandbox, [])
    const { watchers } = sandbox.world
    const waits = new Promise<void>((resolve) => {
      const add = watchers.add.bind(watchers)
      watchers.add = (watcher) => {
        resolve()
        return add(watcher)
      }
    })
    let ended = false
    const settling = sandbox.control('POST', '/settle', { quietMs: 1_000 }).then((answered) => {
      ended = true
      return answered
    })
    await waits
    await vi.advanceTimersByTimeAsync(900)
    await trigger(sandbox, record.id, 'confirm')
    await sandbox.control('POST', '/settle')
    await vi.advanceTimersByTimeAsync(900)
    expect(ended).toBe(false)
    await vi.advanceTimersByTimeAsync(100)
    expect((await settling).body.settled).toBe(true)
  })

  test.each([
    { timeoutMs: -1 },
    { timeoutMs: 600_001 },
    { timeoutMs: 1.5 },
    { quietMs: -1 },
    { quietMs: 60_001 },
  ])('refuses %j', async (body) => {
    const { status, body: answer } = await begin().control('POST', '/settle', body)
    expect([status, answer.error.code]).toEqual([400, 'sandbox_bad_request'])
  })

  test('of one world does not wait for another', async () => {
    const server = await serve()
    const { url } = await receive(() => undefined)
    const { id } = await createPix(server, { callbackUrl: url })
    await server.control('POST', '/trigger', { on: id, do: 'confirm' })
    await server.control('POST', '/worlds', { id: 'other' })
    expect((await server.control('POST', '/worlds/other/settle')).status).toBe(200)
  })

  test('finds triggers that were fired before it, also without a receiver', async () => {
    const sandbox = begin()
    const record = await reach(sandbox, [])
    await trigger(sandbox, record.id, 'confirm')
    expect((await sandbox.control('POST', '/settle')).status).toBe(200)
    const { body } = await sandbox.control('GET', '/deliveries')
    expect(body.items).toMatchObject([{ status: 'delivered' }])
  })
})
