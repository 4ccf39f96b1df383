// Owns the work of a soak: everything that merchants and testers do to a server, each kind with how often it is done.
import { CARD, EVIDENCE, PIX_KEY, RESPONSE } from '../../properties/bodies.ts'
import type { Random } from '../../../src/kernel/random.ts'
import type { Answer, Call } from './client.ts'

/** A merchant in a world, and the last things that it made. */
export interface Shop {
  /** Id of its world. */
  world: string
  publicKey: string
  secretKey: string
  token: string
  sales: string[]
  cashouts: string[]
  disputes: string[]
  /** Whether its world ends with the cycle. */
  isFixed: boolean
}

/** What a piece of work may use. */
export interface Tools {
  shop: Shop
  random: Random
  /** Calls, counts and checks. */
  call(call: Call): Promise<Answer>
  /** Calls as the merchant. */
  ask(method: Call['method'], path: string, body?: unknown): Promise<Answer>
  /** Calls the control API about the world. */
  control(method: Call['method'], path: string, body?: unknown): Promise<Answer>
  /** Calls and goes before the answer. */
  leave(call: Call): Promise<void>
  /** Listens to the events of the world for a while, or leaves them unread. */
  listen(reads: boolean): Promise<void>
  /** Address of a receiver. */
  hook(): string
  /** Ends the world of the shop, if it may, and opens another. */
  move(): Promise<void>
}

/** The last things of a kind that a shop remembers. */
const REMEMBERED = 50

/** A day in which boletos may fall due for as long as a soak lasts, such as `2030-01-01`. */
const dueDate = (): string => new Date(performance.timeOrigin + 200 * 86_400_000).toISOString().slice(0, 10)

/** About 2 kB that a merchant keeps with a sale. */
const METADATA = JSON.stringify({ order: 'x'.repeat(2_000) })

function remember(list: string[], { status, text }: Answer): void {
  if (status >= 300) return
  const body = JSON.parse(text) as { id?: string; data?: { id?: string } }
  const id = body.data?.id ?? body.id
  if (id === undefined) return
  list.push(id)
  if (list.length > REMEMBERED) list.shift()
}

const one = (random: Random, list: readonly string[]): string =>
  list[random.below(list.length)] ?? '00000000-0000-4000-8000-000000000000'

const amountOf = (random: Random): number => 1_000 + random.below(100_000)

/** Makes a PIX sale; its id is remembered. */
export async function sellPix({ shop, random, ask, hook }: Tools): Promise<void> {
  const body = { method: 'Pix', amount: amountOf(random), metadata: METADATA, callbackUrl: hook() }
  remember(shop.sales, await ask('POST', '/v1/transactions', body))
}

async function sellBoleto({ shop, random, ask, hook, call }: Tools): Promise<void> {
  const sold = await ask('POST', '/v1/transactions', {
    method: 'Boleto',
    amount: amountOf(random),
    customerName: `Cliente ${random.below(100)}`,
    boletoDueDate: dueDate(),
    callbackUrl: hook(),
  })
  remember(shop.sales, sold)
  if (sold.status >= 300) return
  const { boleto } = (JSON.parse(sold.text) as { data: { boleto: { pdfUrl: string } } }).data
  await call({ method: 'GET', path: new URL(boleto.pdfUrl).pathname })
}

async function sellByCard({ shop, random, ask, hook }: Tools): Promise<void> {
  const tokenized = random.below(3) === 0 ? await ask('POST', '/v1/card-tokenize', CARD) : null
  const cardToken =
    tokenized && (JSON.parse(tokenized.text) as { data?: { cardToken?: string } }).data?.cardToken
  const card = cardToken === undefined || cardToken === null ? CARD : { cardToken }
  const body = { method: 'CreditCard', amount: amountOf(random), callbackUrl: hook(), ...card }
  remember(shop.sales, await ask('POST', '/v1/transactions', body))
}

async function pay({ shop, random, ask }: Tools): Promise<void> {
  await ask('POST', `/v1/transactions/${one(random, shop.sales)}/simulate`, { action: 'complete' })
}

async function refund({ shop, random, ask, control }: Tools): Promise<void> {
  const sale = one(random, shop.sales)
  if (random.below(2) === 0) await ask('POST', `/v1/transactions/${sale}/simulate`, { action: 'refund' })
  else await control('POST', '/trigger', { on: sale, do: 'refund', amount: 100 })
}

async function withdraw({ shop, random, ask, control, hook }: Tools): Promise<void> {
  await control('PATCH', '/balance', { fund: 1_000_000 })
  const body = { amount: amountOf(random), ...PIX_KEY, callbackUrl: hook() }
  remember(shop.cashouts, await ask('POST', '/v1/cashouts', body))
  const action = ['complete', 'fail', 'reject'][random.below(3)]
  const path = `/v1/cashouts/${one(random, shop.cashouts)}`
  if (random.below(4) === 0) await ask('POST', `${path}/cancel`)
  else await ask('POST', `${path}/simulate`, { action })
}

async function dispute({ shop, random, ask, control, call }: Tools): Promise<void> {
  remember(shop.disputes, await control('POST', '/disputes', { paymentId: one(random, shop.sales) }))
  const path = `/v1/disputes/${one(random, shop.disputes)}`
  await ask('PUT', `${path}/response`, RESPONSE)
  await call({ method: 'POST', path: `${path}/evidences`, token: shop.token, ...EVIDENCE })
  await control('POST', '/trigger', {
    on: one(random, shop.disputes),
    do: random.below(2) === 0 ? 'win' : 'lose',
  })
}

async function read({ shop, random, ask }: Tools): Promise<void> {
  await ask('GET', `/v1/transactions/${one(random, shop.sales)}`)
  const lists = ['transactions', 'cashouts', 'customers', 'disputes']
  await ask('GET', `/v1/${one(random, lists)}?pageSize=${1 + random.below(100)}`)
  await ask('GET', '/v1/balance')
}

async function takeToken({ shop, call }: Tools): Promise<void> {
  const { publicKey, secretKey } = shop
  await call({ method: 'POST', path: '/v1/auth/token', body: { publicKey, secretKey } })
}

async function ask400({ random, call, shop, leave }: Tools): Promise<void> {
  const wrong: Call[] = [
    { method: 'POST', path: '/v1/transactions', token: shop.token, body: '{"method":' },
    { method: 'POST', path: '/v1/transactions', token: shop.token, body: { method: 'Pix', amount: 1 } },
    { method: 'GET', path: '/v1/nothing', token: shop.token },
    { method: 'GET', path: '/v1/balance', token: 'none' },
    { method: 'GET', path: '/_sandbox/nothing' },
    { method: 'POST', path: '/_sandbox/clock/advance', body: { by: 'soon' } },
  ]
  const chosen = wrong[random.below(wrong.length)]
  if (!chosen) return
  await call(chosen)
  await leave(chosen)
}

async function watch({ shop, random, control, call, listen }: Tools): Promise<void> {
  await listen(random.below(4) > 0)
  const lists = ['/deliveries', '/exchanges', '/journal', '/postings', '/jobs', '/inboxes', '/transactions']
  await control('GET', one(random, lists))
  await control('GET', `/explain/${one(random, shop.sales)}`)
  await control('POST', '/exchanges/wait', { method: 'DELETE', wait: '50ms' })
  const pages = [
    '',
    '/transactions',
    '/deliveries',
    '/exchanges',
    '/faults',
    '/silences',
    `/transactions/${one(random, shop.sales)}`,
  ]
  await call({ method: 'GET', path: `/_sandbox/worlds/${shop.world}/ui${one(random, pages)}` })
}

async function moveTime({ random, control }: Tools): Promise<void> {
  const by = ['2s', '10s', '1m', '31m'][random.below(4)]
  await control('POST', '/clock/advance', { by })
  await control('POST', '/settle', { timeoutMs: 100 })
}

async function keepState({ shop, random, control }: Tools): Promise<void> {
  const path = `/snapshots/s${random.below(3)}`
  await control('PUT', path)
  // A key that is younger than the snapshot is gone when that is put back.
  if (!shop.isFixed) await control('POST', '/credentials', {})
  await control('GET', '/snapshots')
  await control('POST', `${path}/restore`)
  if (random.below(2) === 0) await control('DELETE', path)
}

async function copy({ control, call }: Tools): Promise<void> {
  const forked = await control('POST', '/fork', {})
  if (forked.status >= 300) return
  const { id } = JSON.parse(forked.text) as { id: string }
  const exported = await call({ method: 'GET', path: `/_sandbox/worlds/${id}/export` })
  if (exported.status < 300) {
    await call({ method: 'POST', path: `/_sandbox/worlds/${id}/import`, body: exported.text })
  }
  await call({ method: 'DELETE', path: `/_sandbox/worlds/${id}` })
}

async function beginAnew({ control }: Tools): Promise<void> {
  await control('POST', '/reset')
}

async function misbehave({ control }: Tools): Promise<void> {
  await control('POST', '/faults', { on: { operation: 'getBalance' }, do: { delay: 20 } })
  await control('DELETE', '/faults')
}

/** Every kind of work, and how often it is done among all. */
export const WORK: Readonly<Record<string, { often: number; run: (tools: Tools) => Promise<void> }>> = {
  'PIX sales': { often: 240, run: sellPix },
  boletos: { often: 60, run: sellBoleto },
  'card sales': { often: 80, run: sellByCard },
  payments: { often: 160, run: pay },
  refunds: { often: 60, run: refund },
  cashouts: { often: 60, run: withdraw },
  disputes: { often: 40, run: dispute },
  reads: { often: 100, run: read },
  tokens: { often: 30, run: takeToken },
  'wrong calls': { often: 40, run: ask400 },
  'event streams, lists and pages': { often: 40, run: watch },
  'clock moves': { often: 12, run: moveTime },
  'snapshots saved and restored': { often: 6, run: keepState },
  'forks, exports and imports': { often: 3, run: copy },
  resets: { often: 2, run: beginAnew },
  faults: { often: 10, run: misbehave },
  'worlds ended and made': { often: 10, run: ({ move }) => move() },
}
