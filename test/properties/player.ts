// Owns playing calls on a sandbox without sockets: each request is settled and checked before the next one.
import { expect } from 'vitest'
import { openSandbox } from '../support/sandbox.ts'
import { leftIn } from './reckoning.ts'
import { createWorldCheck } from './worldCheck.ts'
import type { WorldCheck } from './worldCheck.ts'
import type { Answered, TestSandbox } from '../support/sandbox.ts'
import type { Amount, Call, Caller } from './calls.ts'
import type { Sender } from '../../src/webhooks/send.ts'
import type { Knobs } from './reckoning.ts'

/** The knobs that every world begins with, as the list of silences says. */
const FIRST_KNOBS: Knobs = {
  'TX-08': {
    Pix: { bps: 150, fixed: 0 },
    Boleto: { bps: 0, fixed: 350 },
    CreditCard: { bps: 399, fixed: 39 },
  },
  'TX-23': { Pix: 0, Boleto: 1, CreditCard: 30 },
  'TX-29': 'feeReturned',
  'DI-05': { hold: 'available', debit: 'whole' },
  'DI-10': 'refunded',
  'CO-05': { feeCents: 200, minimumCents: 100 },
}

const HOOK = 'http://shop.test/hook'

const CARD = {
  cardNumber: ['4111', '1111', '1111', '1111'].join(' '),
  cardHolderName: 'ANA SOUZA',
  cardExpirationMonth: '12',
  cardExpirationYear: '2060',
  cardCvv: '123',
}

/** A multipart body with a file that is taken as evidence. */
const EVIDENCE = {
  headers: { 'Content-Type': 'multipart/form-data; boundary=edge' },
  body: [
    '--edge',
    'Content-Disposition: form-data; name="file"; filename="proof.pdf"',
    'Content-Type: application/pdf',
    '',
    '%PDF-1.4 proof',
    '--edge--',
    '',
  ].join('\r\n'),
}

/** A sandbox on which calls are played. */
export interface Player {
  sandbox: TestSandbox
  play(call: Call): Promise<void>
}

/** Receivers that answer at once: of three deliveries one fails for good. */
export const QUIET_SENDER: Sender = {
  send({ headers }) {
    const sum = [...(headers['X-Service-Delivery'] ?? '')].reduce((all, each) => all + each.charCodeAt(0), 0)
    return Promise.resolve({ status: sum % 3 === 0 ? 500 : 204, answer: '' })
  },
}

function openQuietSandbox(): TestSandbox {
  const sandbox = openSandbox({ silences: { 'AU-13': 'off' } })
  sandbox.worlds.host.sender = QUIET_SENDER
  return sandbox
}

/** Nothing is checked: what is withdrawn is a round sum. */
const NO_CHECK: WorldCheck = Object.assign(() => Promise.resolve(), { balanceOf: () => 1_000 })

/** Everything that a refused call must leave as it was. */
function pictureOf({ world }: TestSandbox): string {
  return JSON.stringify([{ ...world.state, rateWindows: null }, world.scheduler.save()])
}

/** Opens a sandbox and plays calls on it; every broken rule fails the test. */
export function openPlayer(): Player {
  const sandbox = openQuietSandbox()
  return playerOn(sandbox, createWorldCheck(sandbox))
}

/** Plays calls on a sandbox; without a check they may meet anything. */
export function playerOn(sandbox: TestSandbox, check: WorldCheck = NO_CHECK): Player {
  const { world } = sandbox
  const knobs = structuredClone(FIRST_KNOBS)
  const { sandbox: first, production, receiver } = world.origin.keys
  const keys = { sandbox: first, production, receiver }

  /** Tokens of the current instant: an hour later they are good for nothing. */
  const tokens = new Map<string, Promise<string>>()
  function tokenOf(by: Caller): Promise<string> {
    const key = `${by} ${world.clock.now()}`
    const known = tokens.get(key) ?? sandbox.token(keys[by].publicKey, keys[by].secretKey)
    tokens.set(key, known)
    return known
  }

  async function request(make: () => Promise<Answered>): Promise<Answered> {
    if (check === NO_CHECK) return make()
    const before = pictureOf(sandbox)
    const answered = await make()
    if (answered.status >= 400) {
      const { code, message } = answered.body.error
      expect(answered.status, message).toBeLessThan(500)
      const after = pictureOf(sandbox)
      if (after !== before) expect(JSON.parse(after), `${code}: ${message}`).toEqual(JSON.parse(before))
    }
    await sandbox.control('POST', '/settle', {})
    await check(knobs, tokenOf)
    return answered
  }

  async function ask(by: Caller, method: string, path: string, body?: unknown): Promise<Answered> {
    const token = await tokenOf(by)
    return request(() => sandbox.send(method, path, { token, body }))
  }

  const order = (method: string, path: string, body?: unknown): Promise<Answered> =>
    request(() => sandbox.control(method, path, body))

  /** A record by its number, counted round, and whose it is. */
  function pick(kind: 'transactions' | 'cashouts' | 'disputes' | 'customers', nth: number) {
    const all = Object.values<{ id: string; organizationId: string; environment: string }>(world.state[kind])
    const record = all.at(-1 - (nth % Math.max(all.length, 1)))
    if (!record) return { id: '00000000-0000-4000-8000-000000000000', by: 'sandbox' as const, left: 0 }
    const isReceiver = record.organizationId === organizations()[1]?.id
    const inSandbox = isReceiver ? ('receiver' as const) : ('sandbox' as const)
    const owner: Caller = record.environment === 'Production' ? 'production' : inSandbox
    const transaction = world.state.transactions[record.id]
    return { id: record.id, by: owner, left: transaction ? leftIn(transaction) : 0 }
  }

  const organizations = (): { id: string; splitCode: string }[] => Object.values(world.state.organizations)

  const sell = async (call: Call & { do: 'sell' }): Promise<void> => {
    const [merchant, other] = organizations()
    const to = { sandbox: merchant?.splitCode, receiver: other?.splitCode }
    const { status, body } = await ask(call.by, 'POST', '/v1/transactions', {
      method: call.method,
      amount: call.amount,
      ...(call.hook ? { callbackUrl: HOOK } : {}),
      ...customerFields(call.customer),
      ...(call.splits.length > 0
        ? { splits: call.splits.map((split) => ({ ...split, splitCode: to[split.to] })) }
        : {}),
      ...(call.method === 'CreditCard' ? CARD : {}),
      ...(call.method === 'Boleto' ? { boletoDueDate: dayIn(world.clock.now(), 5) } : {}),
    })
    if (status === 201 && call.paid) await order('POST', '/trigger', { on: body.data.id, do: 'confirm' })
  }

  const play = async (call: Call): Promise<void> => {
    switch (call.do) {
      case 'sell':
        return sell(call)
      case 'simulate': {
        const { id, by } = pick('transactions', call.nth)
        await ask(by, 'POST', `/v1/transactions/${id}/simulate`, { action: call.action })
        return
      }
      case 'trigger': {
        const { id, left } = pick(call.kind, call.nth)
        const text = call.on === 'respond' ? { text: 'Entregue.' } : {}
        const amount = /refund$/i.test(call.on) && call.on !== 'settleRefund' && call.on !== 'rejectRefund'
        await order('POST', '/trigger', {
          on: id,
          do: call.on,
          ...text,
          ...(amount ? amountField(call.amount, left) : {}),
        })
        return
      }
      case 'withdraw': {
        const available = check.balanceOf(call.by)
        const body = { amount: available, ...amountField(call.amount, available) }
        const key = { pixKeyType: 'CPF', pixKey: '12345678909', ...(call.hook ? { callbackUrl: HOOK } : {}) }
        await ask(call.by, 'POST', '/v1/cashouts', { ...body, ...key })
        return
      }
      case 'cashout': {
        const { id, by } = pick('cashouts', call.nth)
        const isCancel = call.action === 'cancel'
        const path = `/v1/cashouts/${id}/${isCancel ? 'cancel' : 'simulate'}`
        await ask(by, 'POST', path, isCancel ? undefined : { action: call.action })
        return
      }
      case 'fund':
      case 'requireAll': {
        const [merchant, other] = organizations()
        await order('PATCH', '/balance', {
          organization: call.by === 'receiver' ? other?.id : merchant?.id,
          environment: call.by === 'production' ? 'Production' : 'Sandbox',
          ...(call.do === 'fund' ? { fund: call.amount } : { requireFullWithdrawal: call.required }),
        })
        return
      }
      case 'dispute': {
        const { id, left } = pick('transactions', call.nth)
        const deadline = call.deadline === null ? {} : { deadline: call.deadline }
        await order('POST', '/disputes', { paymentId: id, ...amountField(call.amount, left), ...deadline })
        return
      }
      case 'answer': {
        const { id, by } = pick('disputes', call.nth)
        if (!call.file) {
          await ask(by, 'PUT', `/v1/disputes/${id}/response`, { text: 'Entregue.' })
          return
        }
        const token = await tokenOf(by)
        await request(() => sandbox.send('POST', `/v1/disputes/${id}/evidences`, { token, ...EVIDENCE }))
        return
      }
      case 'customer': {
        const { id, by } = pick('customers', call.nth)
        const { customerEmail: email, customerDocument: document } = {
          ...customerFields(call.email),
          ...customerFields(call.document),
        }
        await ask(by, 'PATCH', `/v1/customers/${id}`, { email, document })
        return
      }
      case 'advance':
        await order('POST', '/clock/advance', { by: `${call.minutes}m` })
        return
      case 'choose':
        Object.assign(knobs, call.silences)
        await order('PATCH', '/silences', call.silences)
        return
      default:
        call satisfies never
    }
  }
  return { sandbox, play }
}

/** Payer fields that repeat, so that customers are reused. */
function customerFields(number: number | null): Record<string, string> {
  if (number === null) return {}
  return {
    customerName: `Cliente ${number}`,
    customerDocument: `1234567890${number}`,
    customerEmail: `cliente${number % 2}@example.com`,
  }
}

/** An amount in cents; nothing for what is assumed without one. */
function amountField(amount: Amount, whole: number): { amount?: number } {
  if (amount === null) return {}
  if ('above' in amount) return { amount: whole + amount.above }
  return { amount: 'cents' in amount ? amount.cents : Math.ceil((whole * amount.percent) / 100) }
}

/** A day some days after an instant. */
function dayIn(now: number, days: number): string {
  return new Date(now + days * 86_400_000).toISOString().slice(0, 10)
}
