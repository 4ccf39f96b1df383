// A shop that takes PIX payments: orders, a webhook endpoint and refunds. Start it with `node shop.mjs`.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { pathToFileURL } from 'node:url'

/** Seconds before its end at which a token is no longer used. */
const TOKEN_MARGIN = 300
const STATUS_BY_EVENT = {
  'payment.completed': 'paid',
  'payment.expired': 'expired',
  'payment.failed': 'failed',
  'payment.cancelled': 'cancelled',
  'payment.refunded': 'refunded',
  'payment.partially_refunded': 'partially refunded',
  'payment.refund_requested': 'refunding',
}

/** Calls the gateway, with one token for as long as it lives. */
function createGateway(env, now) {
  const keys = { publicKey: env.GATEWAY_PUBLIC_KEY, secretKey: env.GATEWAY_SECRET_KEY }
  let token = { text: '', goodUntil: 0 }

  async function post(path, body, headers = {}) {
    const response = await fetch(`${env.GATEWAY_URL}${path}`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    const { data, error } = await response.json()
    if (response.ok) return data
    throw Object.assign(new Error(error.message), { code: error.code, status: response.status })
  }

  async function renew() {
    const { accessToken, expiresIn } = await post('/v1/auth/token', {
      ...keys,
      grantType: 'client_credentials',
    })
    token = { text: accessToken, goodUntil: now() + (expiresIn - TOKEN_MARGIN) * 1000 }
  }

  return async function call(path, body) {
    const authorized = () => post(path, body, { Authorization: `Bearer ${token.text}` })
    if (now() >= token.goodUntil) await renew()
    try {
      return await authorized()
    } catch (error) {
      // The gateway's clock decides, and it may be ahead of ours.
      if (error.status !== 401) throw error
      await renew()
      return authorized()
    }
  }
}

/** Whether the gateway signed these bytes. The id of the payment is the secret. */
function isSigned(bytes, signature = '', paymentId) {
  const expected = Buffer.from(`sha256=${createHmac('sha256', paymentId).update(bytes).digest('hex')}`)
  const actual = Buffer.from(signature)
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}

/** Opens the shop; resolves with its address, and with how to close it, once it listens. */
export async function openShop(env = process.env, now = Date.now) {
  const gateway = createGateway(env, now)
  const orders = new Map()
  const handled = new Set()
  let url = env.SHOP_URL

  const routes = {
    'POST /orders': async ({ body }) => {
      const { amount } = JSON.parse(body)
      const id = String(orders.size + 1)
      const sale = { method: 'Pix', amount, externalId: id, callbackUrl: `${url}/webhooks` }
      const { id: paymentId, pix } = await gateway('/v1/transactions', sale)
      const order = { id, amount, paymentId, pix: pix.copyAndPaste, status: 'awaiting', shipments: 0 }
      orders.set(id, order)
      return [201, order]
    },

    'GET /orders': ({ id }) => (orders.has(id) ? [200, orders.get(id)] : [404]),

    'POST /refunds': async ({ id }) => {
      const order = orders.get(id)
      if (order?.status !== 'paid') return [409]
      // What the interface has for it, and only with keys of its own test environment.
      await gateway(`/v1/transactions/${order.paymentId}/simulate`, { action: 'refund' })
      return [202]
    },

    'POST /webhooks': ({ body, headers }) => {
      const { id: delivery, type, data } = JSON.parse(body)
      const order = [...orders.values()].find(({ paymentId }) => paymentId === data.id)
      if (!order || !isSigned(body, headers['x-service-signature'], order.paymentId)) return [401]
      if (handled.has(delivery)) return [200]
      handled.add(delivery)
      order.status = STATUS_BY_EVENT[type] ?? order.status
      if (type === 'payment.completed') order.shipments += 1
      return [200]
    },
  }

  async function answer(request) {
    const [, resource, id] = request.url.split('/')
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const route = routes[`${request.method} /${resource}`] ?? (() => [404])
    try {
      return await route({ id, headers: request.headers, body: Buffer.concat(chunks) })
    } catch ({ code, message }) {
      return [502, { code, message }]
    }
  }

  const server = createServer(async (request, response) => {
    const [status, body = null] = await answer(request)
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise((resolve) => server.listen(Number(env.PORT ?? 3000), '0.0.0.0', resolve))
  url ??= `http://localhost:${server.address().port}`
  const close = () => new Promise((resolve) => server.close(resolve).closeAllConnections())
  return { url, close }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { url } = await openShop()
  process.stdout.write(`The shop is open at ${url}\n`)
}
