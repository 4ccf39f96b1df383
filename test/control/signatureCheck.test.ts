// Checks what a message says of a signature that does not hold: which id is the key, and what differs from what was sent.
import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { signBody } from '../../src/webhooks/signature.ts'
import { begin, reach, trigger } from './transactionSteps.ts'
import type { Answered, TestSandbox } from '../support/sandbox.ts'

const SHOP = 'http://sandbox.test/callback'

interface Sent {
  sandbox: TestSandbox
  /** The delivery, whole. */
  delivery: Answered['body']
  /** Posts something that says it is the delivery, and answers its message. */
  post(body: string, signature: string, named?: string): Promise<Answered['body']>
}

/** A sandbox that sent one delivery, and another transaction. */
async function sent(silences: Record<string, unknown> = {}): Promise<Sent> {
  const sandbox = begin(silences)
  const made = await sandbox.call('POST', '/v1/transactions', {
    method: 'Pix',
    amount: 100,
    callbackUrl: SHOP,
  })
  const { body: fired } = await trigger(sandbox, made.body.data.id, 'confirm')
  await sandbox.control('POST', '/settle')
  const { body: delivery } = await sandbox.control('GET', `/deliveries/${fired.deliveries[0]}`)
  return {
    sandbox,
    delivery,
    async post(body, signature, named = delivery.id) {
      const headers = { 'X-Service-Signature': signature, 'X-Service-Delivery': named }
      await sandbox.send('POST', '/_sandbox/inbox/shop', { body, headers })
      const { body: found } = await sandbox.control('GET', '/inboxes/shop/messages')
      return found.items.at(-1)
    },
  }
}

const sign = (body: string, key: string): string =>
  `sha256=${createHmac('sha256', key).update(body).digest('hex')}`

describe('why a signature does not hold', () => {
  test('is said of nothing else', async () => {
    const { delivery, post, sandbox } = await sent()
    const { body, subject } = delivery
    expect(await post(body, sign(body, subject))).toMatchObject({ signature: 'valid', why: null })
    await sandbox.send('POST', '/_sandbox/inbox/shop', { body })
    const { body: found } = await sandbox.control('GET', '/inboxes/shop/messages')
    expect(found.items.at(-1)).toMatchObject({ signature: 'absent', why: null })
  })

  test('when the body was altered: from which byte on', async () => {
    const { delivery, post } = await sent()
    const { body, subject } = delivery
    const { signature, why } = await post(body.replace('100', '999'), sign(body, subject))
    expect(signature).toBe('invalid')
    expect(why).toBe(
      `The body was altered after it was signed with ${subject}: these ${body.length} bytes differ from the ${body.length} that delivery ${delivery.id} has, from byte ${body.indexOf('100')} on.`,
    )
  })

  test('when bytes were cut off or added', async () => {
    const { delivery, post } = await sent()
    const { body, subject } = delivery
    for (const altered of [body.slice(0, -1), `${body}\n`]) {
      const { why } = await post(altered, sign(body, subject))
      expect(why).toContain(`these ${altered.length} bytes differ`)
      expect(why).toContain(`from byte ${Math.min(altered.length, body.length)} on`)
    }
  })

  test('when the key is another record: which one', async () => {
    const { sandbox, delivery, post } = await sent()
    const other = await reach(sandbox, [])
    const { why } = await post(delivery.body, sign(delivery.body, other.id))
    expect(why).toBe(
      `Signed with another id: the key is ${other.id} instead of ${delivery.subject} (data.id). The body is as it was sent.`,
    )
    const { why: own } = await post(delivery.body, sign(delivery.body, delivery.id))
    expect(own).toContain(`the key is ${delivery.id} instead of`)
  })

  test('when the key is nothing that the world knows', async () => {
    const { delivery, post } = await sent()
    const { why } = await post(delivery.body, sign(delivery.body, 'stranger'))
    expect(why).toContain(`the key is not ${delivery.subject} (data.id) nor any id of this world`)
  })

  test('when the signature was damaged: what it should be', async () => {
    const { delivery, post } = await sent()
    const { body, subject } = delivery
    const right = sign(body, subject)
    const flipped = right.slice(0, -1) + (right.endsWith('0') ? '1' : '0')
    for (const damaged of [flipped, right.slice(0, -1), 'sha256=00', '']) {
      const { why } = await post(body, damaged)
      expect(why).toContain('The signature was damaged: the body is as it was sent')
      expect(why).toContain(right)
    }
  })

  test('when both differ', async () => {
    const { delivery, post } = await sent()
    const { why } = await post(`${delivery.body} `, 'sha256=00')
    expect(why).toMatch(/^Neither the body nor the signature is as delivery \S+ has it: these/)
  })

  test('when the body names another id than it was signed with', async () => {
    const { delivery, post } = await sent()
    const renamed = delivery.body.replaceAll(delivery.subject, 'somebody')
    const { why } = await post(renamed, sign(renamed, delivery.subject))
    expect(why).toContain(`Signed with ${delivery.subject}, which is the subject`)
    expect(why).toContain('the body names somebody as data.id')
  })

  test('when the body is no JSON, though signed as it came', async () => {
    const { delivery, post } = await sent()
    const broken = delivery.body.slice(0, -1)
    const { signature, why } = await post(broken, sign(broken, delivery.subject))
    expect(signature).toBe('invalid')
    expect(why).toContain('The body names no data.id, so that a receiver has no key; the signature holds')
  })

  test('when it only is written in another way', async () => {
    const { delivery, post } = await sent()
    const { body, subject } = delivery
    expect((await post(body, sign(body, subject).toUpperCase())).why).toContain('but for its letter case')
    for (const form of ['hex', 'base64'] as const) {
      const { why } = await post(body, signBody(body, subject, form))
      expect(why).toBe(
        `It is right under ${subject} (data.id) but written as ${form}; this world writes prefixedHex (WH-01).`,
      )
    }
  })

  test('in a world that writes base64, where letter case is not a matter of style', async () => {
    const { delivery, post } = await sent({ 'WH-01': 'base64' })
    const { body, subject } = delivery
    const right = signBody(body, subject, 'base64')
    expect((await post(body, right)).why).toBeNull()
    expect((await post(body, right.toUpperCase())).why).toContain(`its signature is ${right}`)
    expect((await post(body, sign(body, subject))).why).toContain(
      'written as prefixedHex; this world writes base64',
    )
  })

  test('of a message that is no delivery of the world, as far as it can be told', async () => {
    const { sandbox, post } = await sent()
    const other = await reach(sandbox, [])
    const body = '{"data":{"id":"named"}}'
    expect((await post(body, sign(body, 'x'), 'nobody')).why).toBe(
      'The signature is not that of these 23 bytes under named (data.id): the body was altered, another id is the key, or the signature was damaged. Which of them cannot be told: nobody is no delivery of this world.',
    )
    expect((await post(body, sign(body, other.id), 'nobody')).why).toBe(
      `Signed with another id: the key is ${other.id}, and the body names named as data.id.`,
    )
    expect((await post('null', 'sha256=00', 'nobody')).why).toBe(
      'The body is no JSON that names data.id, which is the key; nobody is no delivery of this world.',
    )
    const headers = { 'X-Service-Signature': 'sha256=00' }
    await sandbox.send('POST', '/_sandbox/inbox/bare', { body, headers })
    const { body: bare } = await sandbox.control('GET', '/inboxes/bare/messages')
    expect(bare.items[0].why).toContain('the message names no delivery of this world (X-Service-Delivery)')
  })
})
