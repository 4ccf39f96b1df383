// Checks every fault of a delivery over real sockets: what a receiver sees, and what the sender makes of it.
import { describe, expect, test } from 'vitest'
import { verifySignature } from '../../src/index.ts'
import { sell } from '../client/shop.ts'
import { dataOf, merchant, open, receive } from './support.ts'
import type { SandboxWorld, Webhook } from '../../src/index.ts'
import type { Received, Receiver } from '../support/server.ts'

const ANY = { delivery: {} }
type FaultOrder = Parameters<SandboxWorld['faults']['arm']>[0]['do']
const bodyOf = ({ body }: Received): Webhook => JSON.parse(body.toString('utf8')) as Webhook
const numbers = ({ received }: Receiver): string[] =>
  received.map(({ headers }) => String(headers['x-service-attempt']))
const signed = ({ body, headers }: Received, id: string): boolean => verifySignature(body, headers, id)

/** A transaction with a receiver, about to be paid. */
async function sold(world: SandboxWorld, receiver: Receiver): Promise<string> {
  return sell(world, receiver.url)
}

/** Orders a fault of the next delivery, pays a transaction, and answers what its receiver got of it. */
async function paidUnder(
  fault: FaultOrder,
  ...answers: number[]
): Promise<{ world: SandboxWorld; id: string; received: Received[]; receiver: Receiver }> {
  const world = await open()
  const receiver = await receive(...answers)
  const id = await sold(world, receiver)
  await world.faults.arm({ on: ANY, do: fault })
  await world.trigger(id, 'confirm')
  await world.settle()
  return { world, id, receiver, received: receiver.received }
}

/** What became of the only delivery of a record. */
async function delivery(world: SandboxWorld, subject: string) {
  const [found] = await world.deliveries.list({ subject })
  if (!found) throw new Error(`no delivery of ${subject}`)
  return found
}

describe('the moment', () => {
  test('before the response of the call that caused it', async () => {
    const world = await open()
    const shop = await merchant(world)
    const order: string[] = []
    const receiver = await receive((_, response) => {
      order.push('webhook')
      response.writeHead(204).end()
    })
    const id = String(dataOf(await shop.create({ callbackUrl: receiver.url }))['id'])
    await world.faults.arm({ on: ANY, do: { send: 'beforeResponse' } })
    await shop.simulate(id)
    order.push('response')
    expect(order).toEqual(['webhook', 'response'])
    expect((await delivery(world, id)).status).toBe('delivered')
  })

  test('before the response, also of a trigger fired by hand, and when the receiver fails', async () => {
    const world = await open()
    const receiver = await receive(500)
    const id = await sold(world, receiver)
    await world.faults.arm({ on: ANY, do: { send: 'beforeResponse' } })
    await world.trigger(id, 'confirm')
    expect(numbers(receiver)).toEqual(['1'])
    expect((await delivery(world, id)).attempts).toMatchObject([{ status: 500 }])
  })

  test('at once after the response, when nothing is ordered', async () => {
    const world = await open()
    const shop = await merchant(world)
    const order: string[] = []
    const receiver = await receive((_, response) => {
      order.push('webhook')
      response.writeHead(204).end()
    })
    const id = String(dataOf(await shop.create({ callbackUrl: receiver.url }))['id'])
    await shop.simulate(id)
    order.push('response')
    await world.settle()
    expect(order).toEqual(['response', 'webhook'])
  })

  test('late, when the state has moved on', async () => {
    const world = await open()
    const receiver = await receive()
    const id = await sold(world, receiver)
    await world.faults.arm({ on: { delivery: { type: 'payment.completed' } }, do: { late: '10m' } })
    await world.trigger(id, 'confirm')
    await world.settle()
    await world.trigger(id, 'refund')
    await world.settle()
    await world.clock.advance('10m')
    expect(receiver.received.map((each) => bodyOf(each).type)).toEqual([
      'payment.refunded',
      'payment.completed',
    ])
    expect(receiver.received.map((each) => each.headers['x-sandbox-now'])).toEqual([
      '2030-01-01T12:00:00.000Z',
      '2030-01-01T12:10:00.000Z',
    ])
  })

  test('never: dropped', async () => {
    const { world, id, receiver } = await paidUnder({ send: 'dropped' })
    await world.clock.advance('1d')
    expect(receiver.received).toEqual([])
    expect(await delivery(world, id)).toMatchObject({ status: 'dropped', nextAttemptAt: null, attempts: [] })
  })
})

describe('holding', () => {
  test('releases in the order that is named, one after the other', async () => {
    const world = await open()
    const receiver = await receive()
    await world.deliveries.hold()
    const ids: string[] = []
    for (let count = 0; count < 3; count += 1) {
      const id = await sold(world, receiver)
      await world.trigger(id, 'confirm')
      ids.push((await delivery(world, id)).id)
    }
    await world.clock.advance('1h')
    expect(receiver.received).toEqual([])
    expect((await world.deliveries.list({ status: 'held' })).length).toBe(3)
    const reversed = ids.toReversed()
    const released = await world.deliveries.release(reversed)
    expect(released.map(({ status }) => status)).toEqual(['delivered', 'delivered', 'delivered'])
    expect(receiver.received.map(({ headers }) => headers['x-service-delivery'])).toEqual(reversed)
  })

  test('releases all, oldest first, and then holds no more', async () => {
    const world = await open()
    const receiver = await receive()
    await world.deliveries.hold({ type: 'payment.completed' })
    const [one, two] = [await sold(world, receiver), await sold(world, receiver)]
    await world.trigger(one, 'confirm')
    await world.trigger(two, 'confirm')
    await world.trigger(one, 'refund')
    await world.settle()
    expect(receiver.received.map((each) => bodyOf(each).type)).toEqual(['payment.refunded'])
    await world.deliveries.release()
    expect(receiver.received.slice(1).map((each) => bodyOf(each).data.id)).toEqual([one, two])
    const three = await sold(world, receiver)
    await world.trigger(three, 'confirm')
    await world.settle()
    expect((await delivery(world, three)).status).toBe('delivered')
  })

  test('holds those of one record, and the next one only', async () => {
    const world = await open()
    const receiver = await receive()
    const [one, two] = [await sold(world, receiver), await sold(world, receiver)]
    await world.deliveries.hold({ subject: two })
    await world.trigger(one, 'confirm')
    await world.trigger(two, 'confirm')
    expect([(await delivery(world, one)).status, (await delivery(world, two)).status]).not.toContain(
      'exhausted',
    )
    await world.settle()
    expect(receiver.received.map((each) => bodyOf(each).data.id)).toEqual([one])
    await world.deliveries.release()
    await world.faults.arm({ on: ANY, do: { send: 'held' } })
    await world.trigger(one, 'refund', { amount: 1 })
    await world.trigger(two, 'refund', { amount: 1 })
    await world.settle()
    expect(receiver.received.map((each) => bodyOf(each).data.id)).toEqual([one, two, two])
  })

  test('refuses to release what is not held, and changes nothing', async () => {
    const world = await open()
    const receiver = await receive()
    await world.deliveries.hold()
    const id = await sold(world, receiver)
    await world.trigger(id, 'confirm')
    const held = (await delivery(world, id)).id
    await expect(world.deliveries.release([held, held])).rejects.toMatchObject({
      code: 'sandbox_bad_request',
    })
    await expect(world.deliveries.release([held, 'x'])).rejects.toMatchObject({ code: 'sandbox_not_found' })
    await world.deliveries.release([held])
    await expect(world.deliveries.release([held])).rejects.toMatchObject({ code: 'sandbox_not_held' })
    expect(receiver.received).toHaveLength(1)
  })
})

describe('more than once', () => {
  test('two attempts at the same time: both are open before either is answered', async () => {
    const world = await open()
    const open2: (() => void)[] = []
    const both = (_: unknown, response: { writeHead(status: number): { end(): void } }): void => {
      open2.push(() => response.writeHead(204).end())
      if (open2.length === 2) for (const answer of open2) answer()
    }
    const receiver = await receive(both, both)
    const id = await sold(world, receiver)
    await world.faults.arm({ on: ANY, do: { send: 'twice' } })
    await world.trigger(id, 'confirm')
    await world.settle()
    expect(numbers(receiver)).toEqual(['1', '1'])
    expect(await delivery(world, id)).toMatchObject({
      status: 'delivered',
      attempts: [
        { number: 1, status: 204 },
        { number: 1, status: 204 },
      ],
    })
  })

  test('duplicated after it was delivered, with the same id and bytes', async () => {
    const { receiver } = await paidUnder({ duplicates: 2 })
    const [first, ...copies] = receiver.received
    expect(copies).toHaveLength(2)
    for (const copy of copies) {
      expect(copy.body.equals(first?.body ?? Buffer.alloc(0))).toBe(true)
      expect(copy.headers['x-service-delivery']).toBe(first?.headers['x-service-delivery'])
    }
    expect(numbers(receiver)).toEqual(['1', '1', '1'])
  })

  test('duplicated by hand, whatever its status', async () => {
    const world = await open()
    const receiver = await receive(500)
    const id = await sold(world, receiver)
    await world.trigger(id, 'confirm')
    await world.settle()
    await world.deliveries.duplicate((await delivery(world, id)).id)
    await world.settle()
    expect(await delivery(world, id)).toMatchObject({
      status: 'scheduled',
      attempts: [{ status: 500 }, { status: 204 }],
    })
    await world.clock.advance('2s')
    expect(numbers(receiver)).toEqual(['1', '1', '2'])
  })

  test('retried because the answer was lost on the way back', async () => {
    const { world, id, receiver } = await paidUnder({ answer: 'lost' })
    await world.clock.advance('2s')
    expect(numbers(receiver)).toEqual(['1', '2'])
    expect((await delivery(world, id)).attempts).toMatchObject([
      { status: null, error: expect.stringContaining('lost the answer, which was 204') },
      { status: 204 },
    ])
  })
})

describe('what is sent', () => {
  test.each([
    ['damaged', true],
    ['otherId', true],
    ['absent', false],
  ] as const)('with a signature that is %s', async (signature, isThere) => {
    const { world, id, receiver } = await paidUnder({ signature }, 401)
    await world.clock.advance('2s')
    const [wrong, right] = receiver.received
    expect(wrong && 'x-service-signature' in wrong.headers).toBe(isThere)
    expect(wrong && signed(wrong, id)).toBe(false)
    expect(right && signed(right, id)).toBe(true)
  })

  test('altered after it was signed', async () => {
    const { id, received } = await paidUnder({ body: 'altered' })
    const [sent] = received
    expect(sent && bodyOf(sent).data.amount).toBe(12_991)
    expect(sent && signed(sent, id)).toBe(false)
  })

  test('no JSON, signed as it is', async () => {
    const { id, received } = await paidUnder({ body: 'malformed' })
    const [sent] = received
    expect(() => sent && bodyOf(sent)).toThrow(SyntaxError)
    expect(sent && signed(sent, id)).toBe(true)
  })

  test('of an event type that nobody knows, in body and header', async () => {
    const { id, received } = await paidUnder({ type: 'payment.teleported' })
    const [sent] = received
    expect(sent && [bodyOf(sent).type, sent.headers['x-service-event']]).toEqual([
      'payment.teleported',
      'payment.teleported',
    ])
    expect(sent && signed(sent, id)).toBe(true)
  })

  test('with fields that nobody knows', async () => {
    const { id, received } = await paidUnder({ body: 'extraFields' })
    const [sent] = received
    expect(sent && bodyOf(sent)).toMatchObject({ version: 2, data: { id, addedLater: true } })
    expect(sent && signed(sent, id)).toBe(true)
  })

  test('very large', async () => {
    const { id, received } = await paidUnder({ body: 'large' })
    const [sent] = received
    expect(sent?.body.length).toBeGreaterThan(1_000_000)
    expect(sent && signed(sent, id)).toBe(true)
  })
})

describe('which deliveries', () => {
  test('of one event type, of one record, or the nth', async () => {
    const world = await open()
    const receiver = await receive()
    const [one, two] = [await sold(world, receiver), await sold(world, receiver)]
    await world.faults.arm({ on: { delivery: { type: 'payment.refunded' } }, do: { send: 'dropped' } })
    await world.faults.arm({ on: { delivery: { subject: two } }, do: { send: 'dropped' } })
    await world.faults.arm({ on: ANY, nth: 3, do: { type: 'third.one' } })
    await world.trigger(one, 'confirm')
    await world.trigger(two, 'confirm')
    await world.trigger(two, 'refund', { amount: 1 })
    await world.trigger(one, 'refund')
    await world.settle()
    const found = receiver.received.map((each) => [bodyOf(each).data.id, bodyOf(each).type])
    expect(found).toHaveLength(2)
    expect(found).toEqual(
      expect.arrayContaining([
        [one, 'payment.completed'],
        [two, 'third.one'],
      ]),
    )
  })

  test('held and dropped ones survive a snapshot', async () => {
    const world = await open()
    const receiver = await receive()
    await world.deliveries.hold()
    const id = await sold(world, receiver)
    await world.trigger(id, 'confirm')
    const saved = await world.snapshot()
    await world.deliveries.release()
    await saved.restore()
    expect((await delivery(world, id)).status).toBe('held')
    await world.deliveries.release()
    expect(receiver.received).toHaveLength(2)
  })
})
