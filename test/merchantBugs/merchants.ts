// Three small merchants, each with a bug that only misbehaviour shows, and each with the same code done right.
import { createServer } from 'node:http'
import { onTestFinished } from 'vitest'
import { verifySignature } from '../../src/index.ts'
import { post, tokenOf } from '../client/shop.ts'
import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SandboxWorld, Webhook } from '../../src/index.ts'

/** What a merchant's handler gets of a webhook. */
interface Arrived {
  webhook: Webhook
  body: Buffer
  headers: IncomingHttpHeaders
}

/** Listens for webhooks; answers 200 when the handler ends, and 401 when it says no. */
async function listen(handle: (arrived: Arrived) => boolean): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      const webhook = JSON.parse(body.toString('utf8')) as Webhook
      response.writeHead(handle({ webhook, body, headers: request.headers }) ? 200 : 401).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook`
}

/** A merchant at work. */
export interface Merchant {
  /** Sells and answers the id of the order. */
  sell(amount: number): Promise<string>
  /** What the merchant believes of an order. */
  isPaid(order: string): boolean
}

/**
 * Takes a payment by card, which the gateway may report before it has answered the call that began it.
 * @param remembers keeps webhooks of payments that it does not know yet; the bug is not to
 */
export async function openShop(
  world: SandboxWorld,
  { remembers }: { remembers: boolean },
): Promise<Merchant> {
  const orderOf = new Map<string, string>()
  const early = new Set<string>()
  const paid = new Set<string>()
  const url = await listen(({ webhook }) => {
    const order = orderOf.get(webhook.data.id)
    if (order !== undefined) paid.add(order)
    else if (remembers) early.add(webhook.data.id)
    return true
  })
  const token = await tokenOf(world)
  const card = {
    cardNumber: '4111111111111111',
    cardHolderName: 'ANA SOUZA',
    cardExpirationMonth: '12',
    cardExpirationYear: '2035',
    cardCvv: '123',
  }
  return {
    async sell(amount) {
      const order = `order-${orderOf.size + 1}`
      const sale = { method: 'CreditCard', amount, callbackUrl: url, ...card }
      const { id } = await post(world, '/v1/transactions', sale, token)
      orderOf.set(String(id), order)
      if (early.has(String(id))) paid.add(order)
      return order
    },
    isPaid: (order) => paid.has(order),
  }
}

/** A merchant that pays its seller whenever a payment is completed. */
export interface Marketplace {
  sell(amount: number): Promise<string>
  /** Cents paid out to the seller. */
  paidOut(): number
}

/** @param once looks whether a webhook came before; the bug is not to */
export async function openMarketplace(
  world: SandboxWorld,
  { once }: { once: boolean },
): Promise<Marketplace> {
  const seen = new Set<string>()
  let cents = 0
  const url = await listen(({ webhook }) => {
    if (once && seen.has(webhook.id)) return true
    seen.add(webhook.id)
    if (webhook.type === 'payment.completed') cents += webhook.data.amount
    return true
  })
  const token = await tokenOf(world)
  return {
    async sell(amount) {
      const sale = { method: 'Pix', amount, callbackUrl: url }
      return String((await post(world, '/v1/transactions', sale, token))['id'])
    },
    paidOut: () => cents,
  }
}

/** A merchant that hands over what was paid for. */
export interface Ticketing {
  sell(amount: number): Promise<string>
  /** Cents that the customer was credited with. */
  credited(): number
}

/** @param verifies checks the signature of each webhook; the bug is not to */
export async function openTicketing(
  world: SandboxWorld,
  { verifies }: { verifies: boolean },
): Promise<Ticketing> {
  const ids = new Set<string>()
  let cents = 0
  const url = await listen(({ webhook, body, headers }) => {
    const { id } = webhook.data
    if (verifies && !(ids.has(id) && verifySignature(body, headers, id))) return false
    if (webhook.type === 'payment.completed') cents += webhook.data.amount
    return true
  })
  const token = await tokenOf(world)
  return {
    async sell(amount) {
      const sale = { method: 'Pix', amount, callbackUrl: url }
      const id = String((await post(world, '/v1/transactions', sale, token))['id'])
      ids.add(id)
      return id
    },
    credited: () => cents,
  }
}
