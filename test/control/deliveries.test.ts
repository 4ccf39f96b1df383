// Checks deliveries over the control API: lists with their filters, one with its bytes, and sending one again.
import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { MAX_FLIGHTS } from '../../src/world/run.ts'
import { createPix, START } from '../support/sandbox.ts'
import { receive, serve } from './servers.ts'
import { begin, reach, trigger } from './transactionSteps.ts'
import type { Receiver, ReceiverAnswer, TestServer } from '../support/server.ts'

interface Sent {
  server: TestServer
  receiver: Receiver
  /** Id of the transaction. */
  subject: string
  /** Id of its one delivery. */
  id: string
}

/** A confirmed transaction whose first attempt got the first of some answers. */
async function sent(...answers: ReceiverAnswer[]): Promise<Sent> {
  const [server, receiver] = [await serve(), await receive(...answers)]
  const { id: subject } = await createPix(server, { callbackUrl: receiver.url })
  const { body } = await server.control('POST', '/trigger', { on: subject, do: 'confirm' })
  await server.control('POST', '/settle')
  return { server, receiver, subject: String(subject), id: String(body.deliveries[0]) }
}

describe('deliveries', () => {
  test('are listed newest first with their attempts, and without their bytes', async () => {
    const { server, receiver, subject, id } = await sent(204)
    const { body } = await server.control('GET', '/deliveries')
    expect(body).toEqual({
      items: [
        {
          id,
          type: 'payment.completed',
          subject,
          url: receiver.url,
          status: 'delivered',
          createdAt: START,
          nextAttemptAt: null,
          attempts: [
            { number: 1, at: START, endedAt: START, status: 204, error: null, latencyMs: expect.any(Number) },
          ],
        },
      ],
      total: 1,
      next: null,
    })
  })

  test('are filtered by subject, type, status and address', async () => {
    const sandbox = begin()
    const one = await reach(sandbox, [['confirm'], ['refund']])
    const two = await reach(sandbox, [['cancel']])
    await sandbox.control('POST', '/settle')
    const types = async (query: string): Promise<string[]> => {
      const { body } = await sandbox.control('GET', `/deliveries?${query}`)
      return body.items.map(({ type }: { type: string }) => type)
    }
    expect(await types('')).toEqual(['payment.cancelled', 'payment.refunded', 'payment.completed'])
    expect(await types(`subject=${one.id}`)).toEqual(['payment.refunded', 'payment.completed'])
    expect(await types('type=payment.refunded')).toEqual(['payment.refunded'])
    expect(await types(`type=payment.refunded&subject=${two.id}`)).toEqual([])
    expect(await types('status=delivered')).toHaveLength(3)
    expect(await types('status=exhausted')).toEqual([])
    expect(await types('url=http://shop.test/hook')).toHaveLength(3)
    expect(await types('url=http://shop.test/other')).toEqual([])
    expect(await types('limit=1')).toEqual(['payment.cancelled'])
  })

  test.each(['status=lost', 'type=payment.paid', 'limit=0', 'after=none'])(
    'are not asked with %s',
    async (query) => {
      const { status, body } = await begin().control('GET', `/deliveries?${query}`)
      expect([status, body.error.code]).toEqual([400, 'sandbox_bad_request'])
    },
  )

  test('are read one by one with the exact bytes, headers and answers', async () => {
    const { server, receiver, subject, id } = await sent((_request, response) => {
      response.writeHead(500).end('out of order')
    })
    const { body } = await server.control('GET', `/deliveries/${id}`)
    expect(body.body).toBe(receiver.received[0]?.body.toString('utf8'))
    expect(body.attempts).toMatchObject([{ number: 1, status: 500, answer: 'out of order' }])
    expect(body).toMatchObject({ status: 'scheduled', nextAttemptAt: '2030-01-01T12:00:02.000Z' })
    expect(body.headers).toMatchObject({
      'Content-Type': 'application/json',
      'X-Service-Event': 'payment.completed',
      'X-Service-Delivery': id,
      'X-Service-Attempt': '1',
      'X-Service-Signature': `sha256=${createHmac('sha256', subject).update(body.body).digest('hex')}`,
    })
    for (const [name, value] of Object.entries(body.headers)) {
      expect(receiver.received[0]?.headers[name.toLowerCase()], name).toBe(value)
    }
  })

  test('tell why there was no answer', async () => {
    const server = await serve()
    const { id } = await createPix(server, { callbackUrl: 'http://127.0.0.1:1/hook' })
    const { body: fired } = await server.control('POST', '/trigger', { on: id, do: 'confirm' })
    await server.control('POST', '/settle')
    const { body } = await server.control('GET', `/deliveries/${fired.deliveries[0]}`)
    expect(body.attempts).toMatchObject([
      { number: 1, status: null, error: expect.stringContaining('ECONNREFUSED'), answer: null },
    ])
  })

  test('end as exhausted after three attempts', async () => {
    const { server, id } = await sent(500, 500, 500)
    await server.control('POST', '/clock/advance', { by: '1h' })
    const { body } = await server.control('GET', `/deliveries/${id}`)
    expect(body.status).toBe('exhausted')
    expect(body.attempts.map(({ number, at }: { number: number; at: string }) => [number, at])).toEqual([
      [1, START],
      [2, '2030-01-01T12:00:02.000Z'],
      [3, '2030-01-01T12:00:06.000Z'],
    ])
    expect((await server.control('GET', '/jobs')).body.total).toBe(0)
  })

  test('that are not there are refused with the list to look in', async () => {
    const { status, body } = await begin().control('GET', '/deliveries/6f9619ff-8b86-4d01-b42d-00cf4fc964ff')
    expect([status, body.error.code]).toEqual([404, 'sandbox_not_found'])
    expect(body.error.message).toContain('GET /_sandbox/deliveries')
  })
})

describe('sending a delivery again', () => {
  test('keeps its id and bytes, and begins a new round from 1', async () => {
    const { server, receiver, id } = await sent(204)
    await server.control('POST', '/clock/advance', { by: '1h' })
    const { status, body } = await server.control('POST', `/deliveries/${id}/resend`)
    expect([status, body.status, body.nextAttemptAt]).toEqual([200, 'scheduled', '2030-01-01T13:00:00.000Z'])
    await server.control('POST', '/settle')
    const [first, second] = receiver.received
    expect(second?.body).toEqual(first?.body)
    expect(second?.headers['x-service-delivery']).toBe(id)
    expect(second?.headers['x-service-attempt']).toBe('1')
    const { body: after } = await server.control('GET', `/deliveries/${id}`)
    expect(after).toMatchObject({ id, status: 'delivered', attempts: [{ number: 1 }, { number: 1 }] })
    expect((await server.control('GET', '/deliveries')).body.total).toBe(1)
  })

  test('of an exhausted one has three attempts again, at their exact instants', async () => {
    const { server, receiver, id } = await sent(500, 500, 500, 500, 500, 204)
    await server.control('POST', '/clock/advance', { by: '1h' })
    await server.control('POST', `/deliveries/${id}/resend`)
    const { body } = await server.control('POST', '/clock/advance', { by: '1h' })
    const { body: after } = await server.control('GET', `/deliveries/${id}`)
    const round = after.attempts
      .slice(3)
      .map(({ number, at, status }: Record<string, unknown>) => [number, at, status])
    expect(round).toEqual([
      [1, '2030-01-01T13:00:00.000Z', 500],
      [2, '2030-01-01T13:00:02.000Z', 500],
      [3, '2030-01-01T13:00:06.000Z', 204],
    ])
    expect(after.status).toBe('delivered')
    expect(receiver.received).toHaveLength(6)
    expect(body.waiting).toEqual([])
  })

  test('that waits for a retry takes the place of that retry', async () => {
    const { server, receiver, id } = await sent(500, 204)
    await server.control('POST', `/deliveries/${id}/resend`)
    await server.control('POST', '/clock/advance', { by: '1h' })
    const { body } = await server.control('GET', `/deliveries/${id}`)
    expect(body).toMatchObject({ status: 'delivered', attempts: [{ number: 1 }, { number: 1 }] })
    expect(receiver.received).toHaveLength(2)
  })

  test('while an attempt is in flight is refused, and possible afterwards', async () => {
    const server = await serve()
    let arrived = (): void => undefined
    const inFlight = new Promise<void>((resolve) => {
      arrived = resolve
    })
    let letGo = (): void => undefined
    const receiver = await receive((_request, response) => {
      letGo = () => void response.writeHead(204).end()
      arrived()
    })
    const { id: on } = await createPix(server, { callbackUrl: receiver.url })
    const { body: fired } = await server.control('POST', '/trigger', { on, do: 'confirm' })
    const path = `/deliveries/${fired.deliveries[0]}/resend`
    await inFlight
    const { status, body } = await server.control('POST', path)
    expect([status, body.error.code]).toEqual([409, 'sandbox_delivery_busy'])
    letGo()
    await server.control('POST', '/settle')
    expect((await server.control('POST', path)).status).toBe(200)
  })

  test('that waits for others to end makes no second attempt beside the first', async () => {
    const sandbox = begin()
    let begun = 0
    const answers: (() => void)[] = []
    sandbox.world.host.sender.send = () =>
      new Promise((resolve) => {
        begun += 1
        answers.push(() => resolve({ status: 204, answer: '' }))
      })
    let last = ''
    for (let n = 0; n <= MAX_FLIGHTS; n++) {
      const record = await reach(sandbox, [])
      last = (await trigger(sandbox, record.id, 'confirm')).body.deliveries[0]
    }
    // One more control call runs what is due: as many as may are in flight, and the last one waits for them.
    await sandbox.control('GET', '/clock')
    expect(begun).toBe(MAX_FLIGHTS)
    await sandbox.control('POST', `/deliveries/${last}/resend`)
    while (answers.length > 0) {
      for (const answer of answers.splice(0)) answer()
      await sandbox.control('GET', '/clock')
    }
    const { body } = await sandbox.control('GET', `/deliveries/${last}`)
    expect(body).toMatchObject({ status: 'delivered', attempts: [{ number: 1, status: 204 }] })
    expect(body.attempts).toHaveLength(1)
  })

  test('works in the world that the path names only', async () => {
    const { server, id } = await sent(204)
    await server.control('POST', '/worlds', { id: 'other' })
    const { status } = await server.control('POST', `/worlds/other/deliveries/${id}/resend`)
    expect(status).toBe(404)
  })
})
