// Owns playing further calls of the gateway: reading, wrong forms, wrong callers, tokens of cards, receivers that fail.
import * as bodies from '../../properties/bodies.ts'
import { tokenCall } from './asking.ts'
import { asked } from './filters.ts'
import { accepted, refused } from './gateway.ts'
import * as operations from './operations.ts'
import { NO_ID, pathOf, pick } from './picking.ts'
import { answerDispute } from './playDispute.ts'
import * as reading from './reading.ts'
import { hookUrl } from './server.ts'
import { wrongSale } from './wrong.ts'
import type { Asking } from './asking.ts'
import type { GatewayCall } from './gateway.ts'
import type { Ask } from './program.ts'
import type { List } from './filters.ts'
import type { ModelWorld } from './world.ts'

const GET: Record<List, string> = {
  transactions: 'getTransaction',
  customers: 'getCustomer',
  cashouts: 'getCashout',
  disputes: 'getDispute',
}

const LIST: Record<List, string> = {
  transactions: 'listTransactions',
  customers: 'listCustomers',
  cashouts: 'listCashouts',
  disputes: 'listDisputes',
}

/** A number whose check digit does not hold. */
const BAD_CARD = { ...bodies.CARD, cardNumber: ['4111', '1111', '1111', '1112'].join('') }
const NO_SPLITS: [] = []

/** Plays one call. */
export async function playAsk(asking: Asking, world: ModelWorld, ask: Ask): Promise<void> {
  if (ask.ask === 'answer') return answerDispute(asking, world, ask.nth, ask.file, ask.form)
  if (ask.ask === 'token') {
    await asking.gateway(world, tokenCall(asking.running(world), ask.by, ask.wrong, ask.from))
    return
  }
  await asking.gateway(world, callOf(world, ask))
}

function callOf({ life }: ModelWorld, ask: Exclude<Ask, { ask: 'answer' | 'token' }>): GatewayCall {
  switch (ask.ask) {
    case 'read': {
      const picked = pick(life, ask.kind, ask.nth)
      const isMine = picked.found && picked.by === ask.by
      const work: GatewayCall['work'] = (at) => reading.read(at, ask.kind, picked.place)
      return { operation: GET[ask.kind], by: ask.by, ...pathOf({ ...picked, found: isMine }), work }
    }
    case 'list': {
      const { page, pageSize } = ask
      const filters = ask.filters.map((filter) => asked(life, ask.kind, filter))
      for (const { text, said } of filters) if (said !== undefined) life.saidIds[text] = said
      const said = Object.fromEntries(filters.map(({ name, text }) => [name, text]))
      const query = { page: String(page), pageSize: String(pageSize), ...said }
      return {
        operation: LIST[ask.kind],
        by: ask.by,
        query,
        work: (at) => reading.list(at, ask.by, ask.kind, { page, pageSize, filters }),
      }
    }
    case 'wrongChange': {
      const picked = pick(life, ask.kind, ask.nth)
      const [operation, body] =
        ask.kind === 'customers'
          ? ['updateCustomer', { email: 'nowhere' }]
          : ['simulateCashout', { action: 'teleport' }]
      return { operation, by: picked.by, ...pathOf(picked), body, work: () => refused('validation_error') }
    }
    case 'balance':
    case 'from':
      return {
        ...{ operation: 'getBalance', by: ask.by },
        ...('from' in ask ? { from: ask.from } : {}),
        work: (at) => reading.balance(at, ask.by),
      }
    case 'health':
      return ask.wrong
        ? {
            operation: 'getHealth',
            by: 'nobody',
            method: 'POST',
            work: () => ({ status: 405, code: 'method_not_allowed' }),
          }
        : { operation: 'getHealth', by: 'nobody', work: () => accepted({ status: 'ok' }) }
    case 'stranger': {
      const id = /^(?:list|create|tokenize|getBalance)/.test(ask.operation) ? {} : { id: NO_ID, said: NO_ID }
      const body = /^(?:list|get|cancel)/.test(ask.operation) ? {} : { body: {} }
      const work = (): ReturnType<typeof refused> => refused('validation_error')
      if (ask.operation.startsWith('list')) {
        const kind = ask.operation.slice(4).toLowerCase() as List
        const all = { page: 0, pageSize: 20, filters: [] }
        const query = { page: '0', pageSize: '20' }
        return {
          operation: ask.operation,
          by: ask.who,
          query,
          work: (at) => reading.list(at, 'sandbox', kind, all),
        }
      }
      if (ask.operation === 'getBalance') {
        const by = ask.who === 'nobody' || ask.who === 'nonsense' ? 'sandbox' : ask.who
        return { operation: 'getBalance', by: ask.who, work: (at) => reading.balance(at, by) }
      }
      if (ask.operation === 'tokenizeCard') {
        return { operation: ask.operation, by: ask.who, ...body, work: () => refused('invalid_card_data') }
      }
      return { operation: ask.operation, by: ask.who, ...id, ...body, found: !('id' in id), work }
    }
    default:
      return makingCall(life, ask)
  }
}

type Making = Extract<
  Ask,
  { ask: 'tokenize' | 'payByToken' | 'wrongSale' | 'wrongKey' | 'brokenHook' | 'namedSale' | 'customer' }
>

function makingCall(life: ModelWorld['life'], ask: Making): GatewayCall {
  const { by } = ask
  const [sale, cashout] = [`sale${life.transactions.length}`, `cashout${life.cashouts.length}`]
  const plain = { payer: {}, splits: NO_SPLITS, dueDays: 0, card: null, externalId: null }
  switch (ask.ask) {
    case 'tokenize':
      return {
        operation: 'tokenizeCard',
        by,
        body: ask.good ? bodies.CARD : BAD_CARD,
        as: `card${life.cards.length}`,
        work: (at) => operations.tokenizeCard(at, by, ask.good),
      }
    case 'payByToken': {
      const place = life.cards.length - 1 - (ask.nth % Math.max(life.cards.length, 1))
      const { token = 'ct_none' } = life.cards[place] ?? {}
      if (place >= 0) life.saidIds[token] = `$card${place}.cardToken`
      return {
        operation: 'createTransaction',
        by,
        body: { method: 'CreditCard', amount: 900, cardToken: token },
        as: sale,
        work: (at) =>
          operations.createTransaction(at, by, {
            ...plain,
            method: 'CreditCard',
            amount: 900,
            hook: null,
            card: place,
          }),
      }
    }
    case 'wrongSale': {
      const { code, body } = wrongSale(ask.wrong, life.now)
      return { operation: 'createTransaction', by, body, work: () => refused(code) }
    }
    case 'wrongKey': {
      const body = { amount: ask.amount, pixKeyType: 'CPF', pixKey: 'nobody@example.com' }
      return {
        operation: 'createCashout',
        by,
        body,
        work: (at) => operations.createCashout(at, by, ask.amount, null, 'bad'),
      }
    }
    case 'brokenHook': {
      const { amount } = ask
      const callbackUrl = hookUrl('broken')
      if (ask.cashout) {
        return {
          operation: 'createCashout',
          by,
          body: { amount, ...bodies.PIX_KEY, callbackUrl },
          as: cashout,
          work: (at) => operations.createCashout(at, by, amount, 'broken', 'good'),
        }
      }
      return {
        operation: 'createTransaction',
        by,
        body: { method: 'Pix', amount, callbackUrl },
        as: sale,
        work: (at) =>
          operations.createTransaction(at, by, { ...plain, method: 'Pix', amount, hook: 'broken' }),
      }
    }
    case 'namedSale': {
      const { externalId } = ask
      const isFirst = !operations.firstNamed(life, by, externalId) || life.knobs['TX-04'] !== 'returnsFirst'
      return {
        operation: 'createTransaction',
        by,
        body: { method: 'Pix', amount: 700, externalId },
        ...(isFirst ? { as: sale } : {}),
        work: (at) =>
          operations.createTransaction(at, by, {
            ...plain,
            method: 'Pix',
            amount: 700,
            hook: null,
            externalId,
          }),
      }
    }
    case 'customer': {
      const { number, externalId, good } = ask
      const wrong = good ? {} : { email: 'nowhere' }
      return {
        operation: 'createCustomer',
        by,
        body: {
          ...operations.personFields(number),
          ...wrong,
          ...(externalId === null ? {} : { externalId }),
        },
        as: `customer${life.customers.length}`,
        work: (at) => operations.createCustomer(at, by, number, externalId, good),
      }
    }
    default:
      return ask satisfies never
  }
}
