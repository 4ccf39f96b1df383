// Owns what the model's gateway does for each operation that changes something.
import { accepted, may, refused } from './gateway.ts'
import { createPayout, createSale, fire } from './machines.ts'
import { bucket, feeOf, inAccount, share } from './money.ts'
import { SCOPES } from './world.ts'
import type { Call, Caller } from '../../properties/calls.ts'
import type { Outcome } from './gateway.ts'
import type { Hook, Life, Method, Payout, Person, Sale } from './world.ts'

const [MIN_AMOUNT, MAX_AMOUNT] = [100, 9_999_999_999]
const MINUTE = 60_000
const DAY = 1_440 * MINUTE
/** Sao Paulo is three hours behind UTC, all year. */
const SAO_PAULO = 180 * MINUTE
const CARD_TOKEN_LIFE = 15 * MINUTE

const isAmount = (amount: number): boolean =>
  Number.isSafeInteger(amount) && amount >= MIN_AMOUNT && amount <= MAX_AMOUNT

/** A sale as it is asked for. */
export interface SaleOrder {
  method: Method
  amount: number
  hook: Hook | null
  /** Payer fields as sent. */
  payer: Record<string, string>
  splits: (Call & { do: 'sell' })['splits']
  /** Days until a boleto is due. */
  dueDays: number
  /** Place of a card token; null for raw fields. */
  card: number | null
  externalId: string | null
}

/** Creates a transaction. */
export function createTransaction(life: Life, by: Caller, order: SaleOrder): Outcome {
  const { method, amount, hook, payer, splits } = order
  const scope = SCOPES[by]
  if (!isAmount(amount)) return refused('invalid_amount')
  const first = firstNamed(life, by, order.externalId)
  if (first && life.knobs['TX-04'] === 'rejected') return refused('conflict')
  if (first && life.knobs['TX-04'] === 'returnsFirst') {
    const about = { kind: 'transactions' as const, place: life.transactions.indexOf(first) }
    return accepted({ id: first.id, amount: first.amount, status: first.status }, about, life.knobs['TX-02'])
  }
  if (method === 'Boleto' && payer['customerName'] === undefined) return refused('validation_error')
  if (order.card !== null && !isCardGood(life, by, order.card)) return refused('invalid_card_data')
  if (splits.length > 0 && (method !== 'Pix' || !life.maySplit[scope.org])) return refused('validation_error')
  const fee = feeOf(life, method, amount)
  const shares = splits.map(({ to, type, value }) => ({
    to: to === 'receiver' ? to : ('merchant' as const),
    share: type === 'FIXED' ? value : share(amount, Math.round(value * 100), 10_000),
  }))
  if (shares.reduce((sum, each) => sum + each.share, 0) > amount - fee) return refused('validation_error')
  const place = life.transactions.length
  const card = order.card === null ? null : life.cards[order.card]
  if (card) card.used = true
  const sale: Sale = {
    id: '',
    said: `$sale${place}.id`,
    ...scope,
    status: '',
    createdAt: life.now,
    method,
    amount,
    fee,
    splits: shares,
    externalId: order.externalId,
    hook,
    customer:
      payer['customerName'] === undefined ? null : customerOf(life, by, payer, `$sale${place}.customerId`),
    refunded: 0,
    unsettled: 0,
    asked: null,
    expiresAt: expiryOf(life, order),
    completedAt: null,
    refundedAt: null,
  }
  life.transactions.push(sale)
  createSale(life, place)
  const netAmount = amount - fee
  return accepted(
    { amount, fee, netAmount, status: 'Pending' },
    { kind: 'transactions', place },
    life.knobs['TX-02'],
  )
}

/** The first transaction of a caller that has an `externalId`. */
export function firstNamed({ transactions }: Life, by: Caller, externalId: string | null): Sale | undefined {
  if (externalId === null) return undefined
  const { org, env } = SCOPES[by]
  return transactions.find((one) => one.org === org && one.env === env && one.externalId === externalId)
}

function isCardGood({ cards, now }: Life, by: Caller, place: number): boolean {
  const card = cards[place]
  const { org, env } = SCOPES[by]
  return card !== undefined && !card.used && now < card.until && card.org === org && card.env === env
}

/** PIX: half an hour; card: a day; boleto: the end of its due date in Sao Paulo. */
function expiryOf({ now }: Life, { method, dueDays }: SaleOrder): number {
  if (method === 'Pix') return now + 30 * MINUTE
  if (method === 'CreditCard') return now + DAY
  return Math.floor(now / DAY) * DAY + (dueDays + 1) * DAY + SAO_PAULO
}

/** The place of the customer that payer fields mean: one with the document, else the e-mail, else a new one. */
function customerOf(life: Life, by: Caller, payer: Record<string, string>, said: string): number {
  const { org, env } = SCOPES[by]
  const isMine = (one: Person): boolean => one.org === org && one.env === env
  const { customerDocument: document = '', customerEmail: email = '', customerName: name = '' } = payer
  const byDocument = life.customers.findIndex((one) => isMine(one) && one.document === document)
  if (byDocument >= 0) return byDocument
  const byEmail = life.customers.findIndex((one) => isMine(one) && one.email === email)
  if (byEmail >= 0) return byEmail
  life.customers.push({
    id: '',
    said,
    org,
    env,
    status: 'Active',
    createdAt: life.now,
    name,
    email,
    document,
    externalId: null,
  })
  return life.customers.length - 1
}

/** Makes happen what a payer or a bank would do; only from the one status that an action starts from. */
export function simulateTransaction(life: Life, place: number, action: string): Outcome {
  const ways: Record<string, [on: string, from: string]> = {
    complete: ['confirm', 'Pending'],
    expire: ['expire', 'Pending'],
    fail: ['fail', 'Pending'],
    refund: ['refund', 'Completed'],
  }
  const sale = life.transactions[place] as Sale
  const way = ways[action]
  if (!way) return refused('validation_error')
  const [on, from] = way
  if (sale.status !== from || fire(life, 'transactions', place, on)) return refused('invalid_status')
  return accepted({ status: sale.status, simulatedAction: action }, { kind: 'transactions', place })
}

/** Asks for a cashout. */
export function createCashout(
  life: Life,
  by: Caller,
  amount: number,
  hook: Hook | null,
  key: 'good' | 'bad',
): Outcome {
  const scope = SCOPES[by]
  const { feeCents, minimumCents } = life.knobs['CO-05']
  if (!isAmount(amount)) return refused('invalid_amount')
  if (key === 'bad') return refused('validation_error')
  if (amount < minimumCents || amount <= feeCents) return refused('invalid_amount')
  if (!may(life, by, 'cashouts.allowAnyPixKey')) return refused('forbidden')
  const most = Math.max(0, inAccount(life, bucket(scope, 'available')))
  const isExact = takesAll(life, by) || life.knobs['CO-13'] === 'exact'
  if (isExact && amount !== most) return refused('invalid_amount')
  if (amount > most) return refused('insufficient_balance')
  const place = life.cashouts.length
  const payout: Payout = {
    id: '',
    said: `$cashout${place}.id`,
    ...scope,
    status: '',
    createdAt: life.now,
    amount,
    fee: feeCents,
    hook,
    completedAt: null,
  }
  life.cashouts.push(payout)
  createPayout(life, place)
  const data = { amount, fee: feeCents, netAmount: amount - feeCents, status: 'Pending' }
  return accepted(data, { kind: 'cashouts', place }, life.knobs['TX-02'])
}

/** Whether the next cashout must take everything. */
export function takesAll({ takeAll, knobs }: Life, by: Caller): boolean {
  const { org, env } = SCOPES[by]
  return takeAll[`${org}:${env}`] ?? knobs['BA-02']
}

/** Cancels a cashout, or makes happen to it what a bank would do. */
export function moveCashout(life: Life, place: number, action: string): Outcome {
  if (!['cancel', 'complete', 'fail', 'reject'].includes(action)) return refused('validation_error')
  if (fire(life, 'cashouts', place, action)) return refused('invalid_status')
  return accepted({ status: life.cashouts[place]?.status }, { kind: 'cashouts', place })
}

/** Who a customer is that calls create. */
export function personFields(number: number): { name: string; email: string } {
  return { name: `Pessoa ${number}`, email: `pessoa${number}@example.com` }
}

/** Creates a customer. */
export function createCustomer(
  life: Life,
  by: Caller,
  number: number,
  externalId: string | null,
  isGood: boolean,
): Outcome {
  const { org, env } = SCOPES[by]
  if (!isGood) return refused('validation_error')
  const isTaken = (one: Person): boolean =>
    one.org === org && one.env === env && one.externalId === externalId
  if (externalId !== null && life.customers.some(isTaken)) return refused('conflict')
  const said = `$customer${life.customers.length}.id`
  const facts = { ...personFields(number), document: null, externalId }
  life.customers.push({ id: '', said, org, env, status: 'Active', createdAt: life.now, ...facts })
  return accepted({ ...facts, status: 'Active' }, undefined, life.knobs['TX-02'])
}

/** Changes a customer. */
export function updateCustomer(
  life: Life,
  place: number,
  change: Record<string, string | undefined>,
): Outcome {
  const one = life.customers[place] as Person
  one.email = change['email'] ?? one.email
  one.document = change['document'] ?? one.document
  return accepted({ email: one.email })
}

/** Exchanges a card for a token of one use. */
export function tokenizeCard(life: Life, by: Caller, isGood: boolean): Outcome {
  if (!isGood) return refused('invalid_card_data')
  life.cards.push({ token: '', ...SCOPES[by], until: life.now + CARD_TOKEN_LIFE, used: false })
  return accepted({ last4: '1111', brand: 'visa' })
}
