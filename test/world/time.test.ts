// Owns the proof that time moves as told: in steps, only forward, frozen or with the host.
import { describe, expect, test } from 'vitest'
import { later, LAST_INSTANT, parseInstant } from '../../src/kernel/time.ts'
import { advance as advanceWorld } from '../../src/world/advance.ts'
import { parseClockStart } from '../../src/world/clockStart.ts'
import { Misuse } from '../../src/world/misuse.ts'
import { nextChange, runDue } from '../../src/world/run.ts'
import { fakeHost } from '../support/fakeHost.ts'
import { createPix, openSandbox, START } from '../support/sandbox.ts'
import { openReceiver } from '../support/server.ts'
import {
  advance,
  choose,
  deliveries,
  openHandReceiver,
  plus,
  promised,
  roundTrips,
  serve,
  settle,
  trigger,
  untilEnd,
} from '../webhooks/byHand.ts'
import type { Millis } from '../../src/kernel/brands.ts'
import type { AdvanceTarget } from '../../src/world/advance.ts'
import type { FakeHost } from '../support/fakeHost.ts'
import type { Answered, TestSandbox } from '../support/sandbox.ts'
import type { Controlled } from '../webhooks/byHand.ts'
import type { TestServer } from '../support/server.ts'

const MINUTE = 60_000

function sandbox(options: Parameters<typeof openSandbox>[0] = {}): TestSandbox {
  return untilEnd(openSandbox(options))
}

async function clockOf(server: Controlled): Promise<Answered['body']> {
  return (await server.control('GET', '/clock')).body
}

/** A server whose flowing clock moves only when the test moves the stopwatch. */
async function flowing(settings: { rate?: number } = {}): Promise<{ server: TestServer; time: FakeHost }> {
  const time = fakeHost()
  const server = await serve({ time, clock: parseClockStart(`flowing@${START}`) })
  if (settings.rate !== undefined) await server.control('POST', '/clock/flow', settings)
  return { server, time }
}

describe('an advance', () => {
  test('steps: a chain that is due at 1, 3 and 7 seconds runs at 1, 3 and 7 within an advance of 10', async () => {
    const receiver = untilEnd(await openReceiver(500, 500, 204))
    const server = await serve()
    const { id } = await createPix(server, { callbackUrl: receiver.url })
    await advance(server, '1799s')
    const { from, to, ran, attempts } = await advance(server, '10s')
    expect([from, to]).toEqual([plus(START, 1_799_000), plus(START, 1_809_000)])
    expect(ran).toEqual([{ at: plus(from, 1_000), job: 'expireTransaction', subject: id }])
    expect(attempts.map(({ at }: { at: string }) => at)).toEqual(
      [1_000, 3_000, 7_000].map((wait) => plus(from, wait)),
    )
  })

  test('runs work in the order (due, order made), and what is due at its end belongs to it', async () => {
    const server = sandbox()
    const made: string[] = []
    for (const pixExpirationMinutes of [20, 10, 20, 5, 10]) {
      made.push((await createPix(server, { pixExpirationMinutes })).id)
    }
    const first = await advance(server, '10m')
    const second = await advance(server, '9m')
    const third = await advance(server, '1m')
    const shown = ({ ran }: Answered['body']): unknown[] =>
      ran.map(({ at, subject }: { at: string; subject: string }) => [
        (Date.parse(at) - Date.parse(START)) / MINUTE,
        made.indexOf(subject),
      ])
    expect(shown(first)).toEqual([
      [5, 3],
      [10, 1],
      [10, 4],
    ])
    expect(shown(second)).toEqual([])
    expect(shown(third)).toEqual([
      [20, 0],
      [20, 2],
    ])
    expect(first.waiting.map(({ subject }: { subject: string }) => made.indexOf(subject))).toEqual([0, 2])
    expect(first.totals).toEqual({ ran: 3, waiting: 2 })
  })

  test('stamps every record with the instant at which its work was due', async () => {
    const server = sandbox({ silences: { 'TX-23': { Pix: 2 } } })
    const [expiring, paid] = [await createPix(server), await createPix(server)]
    await trigger(server, paid.id, 'confirm')
    const { ran } = await advance(server, '7d')
    expect(ran.map(({ at, job }: { at: string; job: string }) => [job, at])).toEqual([
      ['expireTransaction', plus(START, 30 * MINUTE)],
      ['settleSale', plus(START, 2 * 24 * 60 * MINUTE)],
    ])
    const { body } = await server.control('GET', `/transactions/${expiring.id}`)
    expect([body.status, body.updatedAt]).toEqual(['Expired', plus(START, 30 * MINUTE)])
    const { body: journal } = await server.control('GET', '/journal?on=expire')
    expect(journal.items).toMatchObject([{ at: plus(START, 30 * MINUTE) }])
  })

  test('goes by a length, to an instant, or to the next work', async () => {
    const server = sandbox()
    await createPix(server)
    const at = async (body: Record<string, unknown>): Promise<Answered['body']> => {
      const answered = await server.control('POST', '/clock/advance', body)
      expect(answered.status).toBe(200)
      expect(answered.headers.get('x-sandbox-now')).toBe(answered.body.to)
      return [answered.body.to, answered.body.ran.length]
    }
    expect(await at({ by: '1500ms' })).toEqual([plus(START, 1_500), 0])
    expect(await at({ by: 'PT1M' })).toEqual([plus(START, 61_500), 0])
    expect(await at({ to: '2030-01-01T09:10:00-03:00' })).toEqual([plus(START, 10 * MINUTE), 0])
    expect(await at({ toNext: true })).toEqual([plus(START, 30 * MINUTE), 1])
    expect(await at({ toNext: true })).toEqual([plus(START, 30 * MINUTE), 0])
    expect(await at({ by: '0s' })).toEqual([plus(START, 30 * MINUTE), 0])
  })

  test.each([
    [
      'to an earlier instant',
      { to: '2030-01-01T11:59:59.999Z' },
      'sandbox_clock_backwards',
      '2030-01-01T12:00:00.000Z',
    ],
    ['by a length past the year 9999', { by: '9999999d' }, 'sandbox_bad_request', '9999'],
    [
      'to an instant past the year 9999',
      { to: '+010000-01-01T00:00:00Z' },
      'sandbox_bad_request',
      'ISO 8601',
    ],
    ['to no instant', { to: 'tomorrow' }, 'sandbox_bad_request', 'ISO 8601'],
    ['by no length', { by: '-5s' }, 'sandbox_bad_request', '31m'],
    ['nowhere', {}, 'sandbox_bad_request', 'by, to, toNext'],
    ['twice', { by: '1s', toNext: true }, 'sandbox_bad_request', 'by, to, toNext'],
  ])('%s is refused and leaves everything as it was', async (_where, body, code, says) => {
    const server = sandbox()
    await createPix(server)
    const before = await clockOf(server)
    const jobs = await server.control('GET', '/jobs')
    const { body: refused } = await server.control('POST', '/clock/advance', body)
    expect(refused.error.code).toBe(code)
    expect(refused.error.message).toContain(says)
    expect(await clockOf(server)).toEqual(before)
    expect((await server.control('GET', '/jobs')).body).toEqual(jobs.body)
    expect((await advance(server, '31m')).totals).toEqual({ ran: 1, waiting: 0 })
  })

  test('reaches the last instant there is, with everything that is due until then', async () => {
    const server = sandbox({ clock: '9999-12-31T23:45:00Z' })
    const { id, expiresAt } = await createPix(server)
    expect(expiresAt).toBe(new Date(LAST_INSTANT).toISOString())
    const { ran, to } = (await server.control('POST', '/clock/advance', { toNext: true })).body
    expect([to, ran]).toEqual([expiresAt, [{ at: expiresAt, job: 'expireTransaction', subject: id }]])
    const { body } = await server.control('POST', '/clock/advance', { by: '1ms' })
    expect(body.error.code).toBe('sandbox_bad_request')
    await server.control('POST', '/clock/flow', { rate: 1_000_000 })
    expect((await clockOf(server)).now).toBe(expiresAt)
  })

  test('first drains what is due and in flight now', async () => {
    const receiver = untilEnd(await openHandReceiver())
    const server = await serve()
    const { id } = await createPix(server, { callbackUrl: receiver.url })
    await trigger(server, id, 'confirm')
    const held = await receiver.next()
    const done = advance(server, '1h')
    await roundTrips(server)
    expect((await clockOf(server)).now).toBe(START)
    held.answer(204)
    expect(await done).toMatchObject({ from: START, to: plus(START, 3_600_000) })
    const [{ attempts }] = await deliveries(server)
    expect(attempts).toMatchObject([{ at: START, endedAt: START }])
  })

  test('is refused while another one runs, which goes on', async () => {
    const receiver = untilEnd(await openHandReceiver())
    const server = await serve()
    await createPix(server, { callbackUrl: receiver.url })
    const done = advance(server, '31m')
    const held = await receiver.next()
    const second = await server.control('POST', '/clock/advance', { by: '1s' })
    expect([second.status, second.body.error.code]).toEqual([409, 'sandbox_clock_busy'])
    held.answer(204)
    expect((await done).to).toBe(plus(START, 31 * MINUTE))
    expect((await advance(server, '1s')).to).toBe(plus(START, 31 * MINUTE + 1_000))
  })

  test('of a world that is deleted meanwhile is refused, not left without an answer', async () => {
    const receiver = untilEnd(await openHandReceiver())
    const server = await serve()
    const { body: made } = await server.control('POST', '/worlds', { id: 'short' })
    const token = await server.token(made.publicKey, made.secretKey)
    const body = { method: 'Pix', amount: 100, callbackUrl: receiver.url }
    await server.send('POST', '/v1/transactions', { token, body })
    const running = server.control('POST', '/worlds/short/clock/advance', { by: '1h' })
    await receiver.next()
    await server.control('DELETE', '/worlds/short')
    expect((await running).status).toBe(409)
  })

  test.each(['reset', 'snapshots/before/restore'])(
    'of a world that is put back by %s meanwhile is refused, and the new life goes on freely',
    async (how) => {
      const receiver = untilEnd(await openHandReceiver())
      const server = await serve()
      await server.control('PUT', '/snapshots/before', {})
      await createPix(server, { callbackUrl: receiver.url })
      const running = server.control('POST', '/clock/advance', { by: '1h' })
      const held = await receiver.next()
      await server.control('POST', `/${how}`, {})
      await held.closed
      expect((await running).body.error.code).toBe('sandbox_clock_busy')
      expect(await clockOf(server)).toEqual({ mode: 'frozen', now: START, rate: 1 })
      expect((await advance(server, '1s')).to).toBe(plus(START, 1_000))
    },
  )
})

describe('the limit of jobs', () => {
  const inAnHour: AdvanceTarget = ({ clock }) => later(clock.now(), 3_600_000 as Millis)

  test('ends an advance with an error that names the culprit, and the rest can run afterwards', async () => {
    const server = sandbox()
    const made: string[] = []
    for (let index = 0; index < 5; index++) made.push((await createPix(server)).id)
    const refused = await advanceWorld(server.world, inAnHour, { jobLimit: 3 }).catch(
      (error: unknown) => error,
    )
    expect(refused).toBeInstanceOf(Misuse)
    expect(refused).toMatchObject({ code: 'sandbox_too_many_jobs' })
    expect(String(refused)).toMatch(new RegExp(`more than 3 jobs.*expireTransaction of ${made[3]}`))
    expect((await clockOf(server)).now).toBe(plus(START, 30 * MINUTE))
    expect((await advance(server, '1h')).to).toBe(plus(START, 90 * MINUTE))
    const { body } = await server.control('GET', '/transactions?status=Expired')
    expect(body.total).toBe(5)
  })

  test('counts attempts too, and lets as many as it says', async () => {
    const receiver = untilEnd(await openReceiver(500, 500, 500))
    const server = sandbox()
    await createPix(server, { callbackUrl: receiver.url })
    const { totals } = await advanceWorld(server.world, inAnHour, { jobLimit: 4 })
    expect(totals).toEqual({ ran: 4, waiting: 0 })
  })
})

describe('a frozen clock', () => {
  test('stands still however long the host goes on', async () => {
    const time = fakeHost()
    const server = await serve({ time })
    const { id } = await createPix(server)
    time.stopwatchAt += 86_400_000
    time.wallAt += 86_400_000
    expect(await clockOf(server)).toEqual({ mode: 'frozen', now: START, rate: 1 })
    expect((await server.call('GET', `/v1/transactions/${id}`)).body.data.status).toBe('Pending')
  })

  test('shows the time of the host at its creation unless it is told one, also after a reset', async () => {
    const time = fakeHost()
    time.wallAt = Date.parse('2031-05-06T07:08:09.010Z')
    const server = await serve({ time, clock: parseClockStart('frozen') })
    time.wallAt += 1_000
    expect((await clockOf(server)).now).toBe('2031-05-06T07:08:09.010Z')
    await advance(server, '1h')
    await server.control('POST', '/reset', {})
    expect((await clockOf(server)).now).toBe('2031-05-06T07:08:09.010Z')
  })

  test('lets work that is due now run by itself, without any further request', async () => {
    const arrived = promised()
    const receiver = untilEnd(
      await openReceiver((_, response) => {
        response.writeHead(204).end()
        arrived.keep()
      }),
    )
    const server = await serve()
    const { id } = await createPix(server, { callbackUrl: receiver.url })
    await trigger(server, id, 'confirm')
    await arrived.promise
    expect(receiver.received).toHaveLength(1)
  })

  test('keeps later work waiting for time, whatever is asked', async () => {
    const receiver = untilEnd(await openReceiver(500))
    const server = await serve()
    const { id } = await createPix(server, { callbackUrl: receiver.url })
    await trigger(server, id, 'confirm')
    const { waiting } = await settle(server)
    await roundTrips(server)
    expect(waiting).toMatchObject([{ at: plus(START, 2_000), job: 'attemptDelivery' }])
    expect(receiver.received).toHaveLength(1)
  })

  test('becomes a flowing one, which can be frozen again', async () => {
    const time = fakeHost()
    const server = await serve({ time })
    const { body: flows } = await server.control('POST', '/clock/flow', { rate: 10 })
    expect(flows).toEqual({ mode: 'flowing', now: START, rate: 10 })
    time.stopwatchAt += 1_000
    expect((await clockOf(server)).now).toBe(plus(START, 10_000))
    const { body: stands } = await server.control('POST', '/clock/freeze', {})
    expect(stands).toEqual({ mode: 'frozen', now: plus(START, 10_000), rate: 10 })
    time.stopwatchAt += 1_000
    expect((await clockOf(server)).now).toBe(plus(START, 10_000))
  })
})

describe('a flowing clock', () => {
  test.each([1, 0.5, 60, 1_000_000])('flows with the host at the rate %d', async (rate) => {
    const { server, time } = await flowing({ rate })
    time.stopwatchAt += 1_500
    expect(await clockOf(server)).toEqual({ mode: 'flowing', now: plus(START, 1_500 * rate), rate })
  })

  test.each([0, -1, 1_000_001, null])('cannot have the rate %s', async (rate) => {
    const { server } = await flowing()
    const { status } = await server.control('POST', '/clock/flow', { rate })
    expect(status).toBe(400)
    expect((await clockOf(server)).rate).toBe(1)
  })

  test('runs overdue work at the next request, before it answers', async () => {
    const { server, time } = await flowing()
    const { id } = await createPix(server)
    time.stopwatchAt += 30 * MINUTE - 1
    expect((await server.call('GET', `/v1/transactions/${id}`)).body.data.status).toBe('Pending')
    time.stopwatchAt += 1
    expect((await server.call('GET', `/v1/transactions/${id}`)).body.data.status).toBe('Expired')
    expect((await server.control('GET', '/jobs')).body.total).toBe(0)
  })

  test('refuses to pay what is overdue, because that expired first', async () => {
    const { server, time } = await flowing()
    const { id } = await createPix(server)
    time.stopwatchAt += 31 * MINUTE
    const { body } = await server.call('POST', `/v1/transactions/${id}/simulate`, { action: 'complete' })
    expect(body.error.code).toBe('invalid_status')
  })

  test('runs what fell due while the body of a request was still coming, before it answers', async () => {
    const { server, time } = await flowing()
    const { id } = await createPix(server)
    const [begun, ended] = [promised(), promised()]
    const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
    const body = new ReadableStream<Uint8Array>({
      async start(stream) {
        stream.enqueue(encode(`{"on":"${id}",`))
        begun.keep()
        await ended.promise
        stream.enqueue(encode('"do":"confirm"}'))
        stream.close()
      },
    })
    const request = { method: 'POST', body, duplex: 'half' } as RequestInit
    const answered = server.server.fetch(new Request(`${server.url}/_sandbox/trigger`, request))
    await begun.promise
    await roundTrips(server)
    time.stopwatchAt += 31 * MINUTE
    ended.keep()
    expect((await answered).status).toBe(409)
    const { body: record } = await server.control('GET', `/transactions/${id}`)
    expect(record.status).toBe('Expired')
  })

  test('shows one instant to each call, although the stopwatch runs on while it is answered', async () => {
    const receiver = untilEnd(await openReceiver())
    const { server, time } = await flowing()
    time.perReading = 1
    const { id } = await createPix(server, { callbackUrl: receiver.url })
    const stampsOf = async (): Promise<unknown[]> => {
      const { body: record } = await server.control('GET', `/transactions/${id}`)
      const { body: journal } = await server.control('GET', `/journal?subject=${id}&limit=1`)
      return [record.updatedAt, journal.items[0].at, record.completedAt ?? record.createdAt]
    }
    expect(new Set(await stampsOf()).size).toBe(1)
    await server.call('POST', `/v1/transactions/${id}/simulate`, { action: 'complete' })
    const [made] = await deliveries(server)
    const [posting] = server.world.state.postings
    expect(new Set([...(await stampsOf()), made.createdAt, posting?.at]).size).toBe(1)
  })

  test('shows one instant to each job that runs by itself, and counts a wait from the recorded end', async () => {
    const receiver = untilEnd(await openReceiver(500))
    const { server, time } = await flowing()
    const { world } = server
    const { id } = await createPix(server, { callbackUrl: receiver.url })
    time.stopwatchAt += 30 * MINUTE
    time.perReading = 1
    runDue(world)
    const [entry, made] = [world.state.journal.at(-1), Object.values(world.state.deliveries)[0]]
    const stamps = [world.state.transactions[id]?.updatedAt, entry?.at, made?.createdAt]
    expect(new Set(stamps).size).toBe(1)
    runDue(world)
    while (world.flights.size > 0) await nextChange(world)
    expect(made?.nextAttemptAt).toBe(plus(made?.attempts[0]?.endedAt ?? '', 2_000))
  })

  test('never lets a payment be confirmed at or after the end of its window', async () => {
    const { server, time } = await flowing({ rate: 1_000 })
    await choose(server, { 'AU-13': 'off' })
    const call: TestServer['call'] = async (method, path, body) =>
      server.send(method, path, { token: await server.token(), body })
    const late: boolean[] = []
    for (let index = 0; index < 20; index++) {
      const { id, expiresAt } = await createPix({ call })
      const { body: clock } = await server.control('GET', '/clock')
      time.stopwatchAt += Math.floor((Date.parse(expiresAt) - Date.parse(clock.now)) / 1_000) - index
      time.perReading = 1
      await server.control('POST', '/trigger', { on: id, do: 'confirm' })
      time.perReading = 0
      const { body } = await server.control('GET', `/transactions/${id}`)
      late.push(body.completedAt !== null && body.completedAt >= expiresAt)
    }
    expect(late).toEqual(late.map(() => false))
  })

  test('wakes up by itself when work falls due', async () => {
    const arrived = promised()
    const receiver = untilEnd(
      await openReceiver((_, response) => {
        response.writeHead(204).end()
        arrived.keep()
      }),
    )
    const server = await serve()
    await createPix(server, { callbackUrl: receiver.url })
    await server.control('POST', '/clock/flow', { rate: 1_000_000 })
    await arrived.promise
    expect(receiver.received[0]?.headers['x-service-event']).toBe('payment.expired')
  })

  test('is advanced in the same steps, and flows on from where it was taken', async () => {
    const receiver = untilEnd(await openReceiver(500, 204))
    const { server, time } = await flowing()
    await createPix(server, { callbackUrl: receiver.url })
    time.stopwatchAt += 5_000
    const { from, to, attempts } = await advance(server, '31m')
    expect([from, to]).toEqual([plus(START, 5_000), plus(START, 5_000 + 31 * MINUTE)])
    expect(attempts.map(({ at }: { at: string }) => at)).toEqual([
      plus(START, 30 * MINUTE),
      plus(START, 30 * MINUTE + 2_000),
    ])
    time.stopwatchAt += 7
    expect((await clockOf(server)).now).toBe(plus(to, 7))
  })

  test('is held at each instant while attempts of that instant are awaited', async () => {
    const receiver = untilEnd(await openHandReceiver())
    const { server, time } = await flowing()
    await createPix(server, { callbackUrl: receiver.url })
    const done = advance(server, '31m')
    const held = await receiver.next()
    time.stopwatchAt += 3_600_000
    expect((await clockOf(server)).now).toBe(plus(START, 30 * MINUTE))
    held.answer(204)
    expect((await done).to).toBe(plus(START, 31 * MINUTE))
    expect((await clockOf(server)).now).toBe(plus(START, 31 * MINUTE))
  })

  test('can be advanced and frozen although the stopwatch runs on with every reading', async () => {
    const { server, time } = await flowing()
    time.perReading = 1
    const first = await server.control('POST', '/clock/advance', { by: '1m' })
    const second = await server.control('POST', '/clock/advance', { by: '1m' })
    const frozen = await server.control('POST', '/clock/freeze', {})
    expect([first.status, second.status, frozen.status]).toEqual([200, 200, 200])
  })

  test.each([1, 1_000_000])(
    'at the rate %d is frozen exactly at the instant that is asked for',
    async (rate) => {
      const { server, time } = await flowing()
      const at = plus(START, 365 * 24 * 60 * MINUTE)
      await server.control('POST', '/clock/flow', { rate })
      const { world } = server
      // The host goes on by a millisecond between the end of the advance and the freezing that follows it.
      const release = world.clock.release.bind(world.clock)
      world.clock.release = () => {
        release()
        time.stopwatchAt += 1
      }
      const { status, body } = await server.control('POST', '/clock/freeze', { at })
      expect([status, body.now, body.mode]).toEqual([200, at, 'frozen'])
    },
  )

  test('is frozen at a later instant after everything on the way has run', async () => {
    const { server } = await flowing()
    const { id } = await createPix(server)
    const { body } = await server.control('POST', '/clock/freeze', { at: plus(START, 31 * MINUTE) })
    expect(body).toEqual({ mode: 'frozen', now: plus(START, 31 * MINUTE), rate: 1 })
    const { body: journal } = await server.control('GET', `/journal?subject=${id}&on=expire`)
    expect(journal.items).toMatchObject([{ at: plus(START, 30 * MINUTE) }])
  })

  test.each([
    ['an earlier instant', { at: '2029-01-01' }, 'sandbox_clock_backwards'],
    ['no instant', { at: 'noon' }, 'sandbox_bad_request'],
  ])('that is to be frozen at %s goes on flowing', async (_where, body, code) => {
    const { server, time } = await flowing()
    const refused = await server.control('POST', '/clock/freeze', body)
    expect(refused.body.error.code).toBe(code)
    time.stopwatchAt += 1_000
    expect(await clockOf(server)).toEqual({ mode: 'flowing', now: plus(START, 1_000), rate: 1 })
  })

  test('never runs backwards when the calendar of the host does', async () => {
    const { server, time } = await flowing()
    time.stopwatchAt += 1_000
    time.wallAt -= 86_400_000
    expect((await clockOf(server)).now).toBe(plus(START, 1_000))
    expect(parseInstant((await clockOf(server)).now)).not.toBeNull()
  })

  test('counts the waits between attempts in its own time', async () => {
    const receiver = untilEnd(await openReceiver(500, 500, 204))
    const { server, time } = await flowing({ rate: 60 })
    await choose(server, { 'TX-03': 5 })
    await createPix(server, { callbackUrl: receiver.url })
    for (const host of [5_000, 34, 67]) {
      time.stopwatchAt += host
      await settle(server)
    }
    const [{ attempts }] = await deliveries(server)
    expect(attempts.map(({ at }: { at: string }) => Date.parse(at) - Date.parse(START))).toEqual([
      300_000, 302_040, 306_060,
    ])
  })
})
