// Owns the proof that settling says what is true: settled when nothing is due or in flight, and else what is open and why.
import { describe, expect, test } from 'vitest'
import { CONTROL_ROUTES } from '../../src/control/routes.ts'
import { fireByHand } from '../../src/control/triggers.ts'
import { HOUR, later } from '../../src/kernel/time.ts'
import { advance as advanceWorld } from '../../src/world/advance.ts'
import { planWake, runDue } from '../../src/world/run.ts'
import { settle as settleWorld } from '../../src/world/settle.ts'
import { parseClockStart } from '../../src/world/clockStart.ts'
import { fakeHost } from '../support/fakeHost.ts'
import { createPix, START } from '../support/sandbox.ts'
import { openReceiver } from '../support/server.ts'
import {
  advance,
  deliveries,
  openHandReceiver,
  plus,
  roundTrips,
  serve,
  trigger,
  untilEnd,
} from '../webhooks/byHand.ts'
import type { Millis } from '../../src/kernel/brands.ts'
import type { RunningWorld } from '../../src/world/runningWorld.ts'
import type { Settled } from '../../src/world/settle.ts'
import type { Answered } from '../support/sandbox.ts'
import type { TestServer } from '../support/server.ts'

/** Settles the default world; an answer of either kind must fit its schema. */
async function settling(server: TestServer, body: Record<string, unknown> = {}): Promise<Answered> {
  const sent = { method: 'POST', body: JSON.stringify(body) }
  const response = await server.server.fetch(new Request(`${server.url}/_sandbox/settle`, sent))
  const answered = { status: response.status, headers: response.headers, body: await response.json() }
  const row = CONTROL_ROUTES.find(({ id }) => id === 'settle')
  if (answered.status === 200) row?.answer.parse(answered.body)
  if (answered.status === 412) row?.failure?.schema.parse(answered.body)
  return answered
}

describe('settling', () => {
  test('an idle world answers at once that it is settled', async () => {
    const server = await serve()
    const { status, body } = await settling(server)
    expect([status, body]).toEqual([200, { settled: true, waiting: [], unusedFaults: [], held: [] }])
  })

  test('lists what waits for time, the next first, and does not wait for it', async () => {
    const receiver = untilEnd(await openReceiver(500))
    const server = await serve({ silences: { 'TX-23': { Pix: 1 } } })
    const late = await createPix(server, { pixExpirationMinutes: 60 })
    const soon = await createPix(server, { pixExpirationMinutes: 5 })
    const paid = await createPix(server, { callbackUrl: receiver.url })
    const { deliveries: made } = await trigger(server, paid.id, 'confirm')
    const { status, body } = await settling(server)
    expect(status).toBe(200)
    expect(body).toEqual({
      settled: true,
      waiting: [
        {
          at: plus(START, 2_000),
          job: 'attemptDelivery',
          subject: made[0],
          what: `attempt 2 of payment.completed (delivery ${made[0]}) in 2 s of world time`,
        },
        {
          at: plus(START, 300_000),
          job: 'expireTransaction',
          subject: soon.id,
          what: `expireTransaction of ${soon.id} in 5 min of world time`,
        },
        {
          at: plus(START, 3_600_000),
          job: 'expireTransaction',
          subject: late.id,
          what: `expireTransaction of ${late.id} in 1 h of world time`,
        },
        {
          at: plus(START, 86_400_000),
          job: 'settleSale',
          subject: paid.id,
          what: `settleSale of ${paid.id} in 1 d of world time`,
        },
      ],
      unusedFaults: [],
      held: [],
    })
  })

  test('waits until what is in flight has been answered, whatever the answer', async () => {
    const receiver = untilEnd(await openHandReceiver())
    const server = await serve()
    for (const answer of [204, 500]) {
      const { id } = await createPix(server, { callbackUrl: receiver.url })
      await trigger(server, id, 'confirm')
      const settled = settling(server)
      const held = await receiver.next()
      await roundTrips(server)
      held.answer(answer)
      expect((await settled).status).toBe(200)
    }
    const found = (await deliveries(server)).map(({ status }) => status)
    expect(found).toEqual(['delivered', 'scheduled'])
  })

  test('sees work through that causes further work at the same instant', async () => {
    const server = await serve()
    const receiver = untilEnd(
      await openReceiver(async (_, response) => {
        await trigger(server, id, 'refund')
        response.writeHead(204).end()
      }),
    )
    const { id } = await createPix(server, { callbackUrl: receiver.url })
    await trigger(server, id, 'confirm')
    expect((await settling(server)).status).toBe(200)
    expect(receiver.received).toHaveLength(2)
  })

  test('runs what is overdue on a flowing clock first', async () => {
    const time = fakeHost()
    const receiver = untilEnd(await openReceiver())
    const server = await serve({ time, clock: parseClockStart(`flowing@${START}`) })
    await createPix(server, { callbackUrl: receiver.url })
    time.stopwatchAt += 3_600_000
    expect((await settling(server)).body).toMatchObject({ settled: true, waiting: [] })
    expect(receiver.received).toHaveLength(1)
  })

  test('does not move the clock', async () => {
    const server = await serve()
    await createPix(server)
    const { headers } = await settling(server)
    expect(headers.get('x-sandbox-now')).toBe(START)
  })

  test.each([
    { timeoutMs: -1 },
    { timeoutMs: 600_001 },
    { timeoutMs: 0.5 },
    { quietMs: 60_001 },
    { wait: 1 },
  ])('refuses %j', async (body) => {
    const server = await serve()
    expect((await settling(server, body)).body.error.code).toBe('sandbox_bad_request')
  })
})

describe('a world that does not settle in time', () => {
  test('answers 412 with the open attempts, each naming its number, event and receiver', async () => {
    const receiver = untilEnd(await openHandReceiver())
    const server = await serve()
    const first = await createPix(server, { callbackUrl: receiver.url })
    const { deliveries: one } = await trigger(server, first.id, 'confirm')
    const second = await createPix(server, { callbackUrl: `${receiver.url}/other` })
    const { deliveries: two } = await trigger(server, second.id, 'cancel')
    const held = [await receiver.next(), await receiver.next()]
    const { status, body } = await settling(server, { timeoutMs: 50 })
    expect(status).toBe(412)
    expect(body).toEqual({
      settled: false,
      held: [],
      unusedFaults: [],
      open: [
        {
          kind: 'attempt',
          id: one[0],
          why: `attempt 1 of payment.completed to ${receiver.url} has no answer yet`,
          hint: expect.stringContaining('WH-03'),
        },
        {
          kind: 'attempt',
          id: two[0],
          why: `attempt 1 of payment.cancelled to ${receiver.url}/other has no answer yet`,
          hint: expect.stringContaining('WH-03'),
        },
      ],
      waiting: [],
    })
    for (const each of held) each.answer(204)
    expect((await settling(server)).status).toBe(200)
  })

  test('names the number of a later attempt', async () => {
    const receiver = untilEnd(await openHandReceiver())
    const server = await serve()
    const { id } = await createPix(server, { callbackUrl: receiver.url })
    await trigger(server, id, 'confirm')
    ;(await receiver.next()).answer(500)
    const done = advance(server, '2s')
    const held = await receiver.next()
    const { body } = await settling(server, { timeoutMs: 20 })
    expect(body.open.map(({ why }: { why: string }) => why)).toEqual([
      'the clock is being advanced',
      `attempt 2 of payment.completed to ${receiver.url} has no answer yet`,
    ])
    held.answer(204)
    await done
  })

  test('says which attempts wait for a place', async () => {
    const receiver = untilEnd(await openHandReceiver())
    const server = await serve()
    for (let index = 0; index < 34; index++) {
      const { id } = await createPix(server, { callbackUrl: receiver.url })
      await trigger(server, id, 'confirm')
    }
    const { status, body } = await settling(server, { timeoutMs: 50 })
    expect(status).toBe(412)
    expect(body.open).toHaveLength(34)
    expect(body.open.slice(32)).toMatchObject([
      { why: 'waits for other attempts to end' },
      { why: 'waits for other attempts to end' },
    ])
  })

  test('with a time-out of 0 answers what is so now', async () => {
    const receiver = untilEnd(await openHandReceiver())
    const server = await serve()
    expect((await settling(server, { timeoutMs: 0 })).status).toBe(200)
    const { id } = await createPix(server, { callbackUrl: receiver.url })
    await trigger(server, id, 'confirm')
    await receiver.next()
    expect((await settling(server, { timeoutMs: 0 })).status).toBe(412)
  })

  test('keeps nothing from happening afterwards', async () => {
    const receiver = untilEnd(await openHandReceiver())
    const server = await serve()
    const { id } = await createPix(server, { callbackUrl: receiver.url })
    await trigger(server, id, 'confirm')
    const held = await receiver.next()
    await settling(server, { timeoutMs: 1 })
    held.answer(204)
    await settling(server)
    expect((await deliveries(server))[0]).toMatchObject({ status: 'delivered' })
    expect(server.world.watchers.size).toBe(0)
  })
})

describe('settling during an advance', () => {
  test('waits until the advance has ended', async () => {
    const receiver = untilEnd(await openHandReceiver())
    const server = await serve()
    await createPix(server, { callbackUrl: receiver.url })
    const log: string[] = []
    const advanced = advance(server, '31m')
    const held = await receiver.next()
    const settled = settling(server).then(({ status }) => log.push(`settled ${status}`))
    await roundTrips(server)
    expect(log).toEqual([])
    held.answer(500)
    ;(await receiver.next()).answer(204)
    await Promise.all([advanced, settled])
    expect(log).toEqual(['settled 200'])
  })

  test('by a receiver that is being waited for runs into its time-out and disturbs nothing', async () => {
    const found: Answered[] = []
    const server = await serve()
    const receiver = untilEnd(
      await openReceiver(async (_, response) => {
        found.push(await settling(server, { timeoutMs: 20 }))
        response.writeHead(204).end()
      }),
    )
    await createPix(server, { callbackUrl: receiver.url })
    const { attempts } = await advance(server, '31m')
    expect(attempts).toMatchObject([{ status: 204 }])
    expect(found.map(({ status }) => status)).toEqual([412])
  })
})

describe('the quiet time', () => {
  // Calls the world itself: between two requests a busy machine may be quiet for as long as it likes.
  const quietly = (world: RunningWorld, quiet: number, timeout: number): Promise<Settled> =>
    settleWorld(world, timeout as Millis, quiet as Millis)

  test('begins again whenever something happens, so that late work is seen through', async () => {
    const server = await serve()
    const log: string[] = []
    const receiver = untilEnd(
      await openReceiver((_, response) => {
        log.push('arrived')
        response.writeHead(204).end()
      }),
    )
    const { id } = await createPix(server, { callbackUrl: receiver.url })
    const settled = quietly(server.world, 50, 20_000).then((found) => log.push(`settled ${found.settled}`))
    fireByHand(server.world, id, 'confirm', {})
    planWake(server.world)
    await settled
    expect(log).toEqual(['arrived', 'settled true'])
  })

  test('that is longer than the time-out leaves an idle world settled', async () => {
    const server = await serve()
    expect((await settling(server, { timeoutMs: 20, quietMs: 1_000 })).status).toBe(200)
    expect(server.world.watchers.size).toBe(0)
  })

  test('does not end as settled while an attempt is in flight that a request started', async () => {
    const receiver = untilEnd(await openHandReceiver())
    const server = await serve()
    const { id } = await createPix(server, { callbackUrl: receiver.url })
    const settled = quietly(server.world, 50, 300)
    // What two requests do that come together: one causes the event, the other runs what is due.
    fireByHand(server.world, id, 'confirm', {})
    runDue(server.world)
    expect(await settled).toMatchObject({
      settled: false,
      open: [{ kind: 'attempt' }],
    })
  })

  test('does not end as settled while an advance goes on that began meanwhile', async () => {
    const receiver = untilEnd(await openHandReceiver())
    const server = await serve()
    await createPix(server, { callbackUrl: receiver.url })
    const settled = quietly(server.world, 50, 300)
    const advanced = advanceWorld(server.world, ({ clock }) => later(clock.now(), HOUR))
    const held = await receiver.next()
    const found = await settled
    held.answer(204)
    await advanced
    expect(found).toMatchObject({
      settled: false,
      open: [{ kind: 'job' }, { kind: 'attempt' }],
    })
  })
})
