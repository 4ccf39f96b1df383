// The shop's own tests, against the gateway's sandbox. SANDBOX_URL names a running one; without it they start their own.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { connectSandbox, startSandbox } from 'gateway-sandbox'
import { openShop } from './shop.mjs'

const sandbox = await (process.env.SANDBOX_URL ? connectSandbox() : startSandbox())
after(() => sandbox.close())

/** A shop with a gateway of its own, and what its customers and its tests do. Its clock is the gateway's unless given. */
async function open(t, shopClock) {
  const world = await sandbox.world({ clock: '2030-01-01T12:00:00Z' })
  let time = Date.parse('2030-01-01T12:00:00Z')
  const env = {
    GATEWAY_URL: world.url,
    GATEWAY_PUBLIC_KEY: world.publicKey,
    GATEWAY_SECRET_KEY: world.secretKey,
    PORT: '0',
  }
  const shop = await openShop(env, shopClock ?? (() => time))
  t.after(async () => {
    await shop.close()
    await world.delete()
  })

  const post = async (path, body = {}) => {
    const response = await fetch(`${shop.url}${path}`, { method: 'POST', body: JSON.stringify(body) })
    return { status: response.status, json: await response.json() }
  }
  return {
    world,
    shop,
    post,
    buy: async (amount = 12_990) => (await post('/orders', { amount })).json,
    read: async ({ id }) => (await fetch(`${shop.url}/orders/${id}`)).json(),
    advance: async (by) => {
      time = Date.parse((await world.clock.advance(by)).to)
    },
    pay: async ({ paymentId }) => {
      await world.trigger(paymentId, 'confirm')
      await world.settle()
    },
    tokens: async () => (await world.exchanges.list({ operation: 'createToken' })).length,
  }
}

test('an order is paid by PIX', async (t) => {
  const { buy, pay, read, world } = await open(t)
  const order = await buy()
  assert.match(order.pix, /^000201/)
  assert.equal(order.status, 'awaiting')

  await pay(order)
  const { status, shipments } = await read(order)
  assert.deepEqual({ status, shipments }, { status: 'paid', shipments: 1 })
  const [delivery] = await world.deliveries.list({ subject: order.paymentId })
  assert.equal(delivery.status, 'delivered')
})

test('a webhook with a wrong signature is refused', async (t) => {
  const { buy, read, shop } = await open(t)
  const order = await buy()
  const body = JSON.stringify({ id: 'forged', type: 'payment.completed', data: { id: order.paymentId } })
  for (const headers of [{}, { 'X-Service-Signature': `sha256=${'0'.repeat(64)}` }]) {
    const answer = await fetch(`${shop.url}/webhooks`, { method: 'POST', headers, body })
    assert.equal(answer.status, 401)
  }
  assert.equal((await read(order)).status, 'awaiting')
})

test('a webhook that comes twice counts once', async (t) => {
  const { buy, pay, read, world } = await open(t)
  const order = await buy()
  await pay(order)
  const [delivery] = await world.deliveries.list({ subject: order.paymentId })
  await world.deliveries.resend(delivery.id)
  await world.settle()

  const { attempts } = await world.deliveries.get(delivery.id)
  assert.deepEqual(
    attempts.map(({ status }) => status),
    [200, 200],
  )
  assert.equal((await read(order)).shipments, 1)
})

test('a paid order is refunded', async (t) => {
  const { buy, pay, post, read, world } = await open(t)
  const order = await buy()
  assert.equal((await post(`/refunds/${order.id}`)).status, 409)
  await pay(order)
  assert.equal((await post(`/refunds/${order.id}`)).status, 202)
  await world.settle()
  assert.equal((await read(order)).status, 'refunded')
  assert.equal((await world.transactions.get(order.paymentId)).status, 'Refunded')
})

test('an order that nobody pays expires', async (t) => {
  const { advance, buy, read } = await open(t)
  const order = await buy()
  await advance('29m')
  assert.equal((await read(order)).status, 'awaiting')
  await advance('2m')
  assert.equal((await read(order)).status, 'expired')
})

test('a token is kept, and renewed five minutes before it ends', async (t) => {
  const { advance, buy, tokens } = await open(t)
  await buy()
  await advance('54m')
  await buy()
  assert.equal(await tokens(), 1)
  await advance('1m')
  await buy()
  assert.equal(await tokens(), 2)
})

test('a token that ended before the shop knew is renewed, and the sale goes on', async (t) => {
  const { advance, buy, tokens, world } = await open(t, () => 0)
  await buy()
  await advance('61m')
  assert.equal((await buy()).status, 'awaiting')
  assert.equal(await tokens(), 2)
  assert.equal((await world.exchanges.list({ code: 'unauthorized' })).length, 1)
})

test('an amount that the gateway refuses makes no order', async (t) => {
  const { post, read } = await open(t)
  const { status, json } = await post('/orders', { amount: 99 })
  assert.deepEqual([status, json.code], [502, 'invalid_amount'])
  assert.equal(await read({ id: '1' }), null)
})
