// Owns playing calls on a sandbox without sockets: each request is settled and checked before the next one.
import * as bodies from './bodies.ts'
import { openSandbox } from '../support/sandbox.ts'
import type { Answered, TestSandbox } from '../support/sandbox.ts'
import type { Call, Caller } from './calls.ts'
import type { Sender } from '../../src/webhooks/send.ts'

const HOOK = 'http://shop.test/hook'

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

/** Opens a sandbox and plays calls on it; after each one nothing is due or in flight. */
export function openPlayer(): Player {
  const sandbox = openQuietSandbox()
  const { play } = playerOn(sandbox)
  return {
    sandbox,
    async play(call) {
      await play(call)
      await sandbox.control('POST', '/settle', {})
    },
  }
}

/** Plays calls on a sandbox; they may meet anything. */
export function playerOn(sandbox: TestSandbox): Player {
  const { world } = sandbox
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

  async function ask(by: Caller, method: string, path: string, body?: unknown): Promise<Answered> {
    const token = await tokenOf(by)
    return sandbox.send(method, path, { token, body })
  }

  const order = (method: string, path: string, body?: unknown): Promise<Answered> =>
    sandbox.control(method, path, body)

  /** A record by its number, counted round, and whose it is. */
  function pick(kind: 'transactions' | 'cashouts' | 'disputes' | 'customers', nth: number) {
    const all = Object.values<{ id: string; organizationId: string; environment: string }>(world.state[kind])
    const record = all.at(-1 - (nth % Math.max(all.length, 1)))
    if (!record) return { id: '00000000-0000-4000-8000-000000000000', by: 'sandbox' as const, left: 0 }
    const isReceiver = record.organizationId === organizations()[1]?.id
    const inSandbox = isReceiver ? ('receiver' as const) : ('sandbox' as const)
    const owner: Caller = record.environment === 'Production' ? 'production' : inSandbox
    const transaction = world.state.transactions[record.id]
    const left = transaction ? transaction.amount - transaction.refundedAmount : 0
    return { id: record.id, by: owner, left }
  }

  const organizations = (): { id: string; splitCode: string }[] => Object.values(world.state.organizations)

  /** What a caller could withdraw now. */
  function availableOf(by: Caller): number {
    const own = world.state.credentials[keys[by].publicKey]
    const account = `available:${own?.organizationId}:${own?.environment}`
    return Math.max(0, world.books.balances.get(account) ?? 0)
  }

  const sell = async (call: Call & { do: 'sell' }): Promise<void> => {
    const [merchant, other] = organizations()
    const splitCodes = { sandbox: merchant?.splitCode, receiver: other?.splitCode }
    const facts = { hook: HOOK, splitCodes, now: world.clock.now() }
    const { status, body } = await ask(call.by, 'POST', '/v1/transactions', bodies.saleBody(call, facts))
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
        await order('POST', '/trigger', { on: id, do: call.on, ...bodies.triggerFields(call, left) })
        return
      }
      case 'withdraw': {
        const available = availableOf(call.by)
        const body = { amount: available, ...bodies.amountField(call.amount, available) }
        const hook = call.hook ? { callbackUrl: HOOK } : {}
        await ask(call.by, 'POST', '/v1/cashouts', { ...body, ...bodies.PIX_KEY, ...hook })
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
          environment: bodies.environmentOf(call.by),
          ...(call.do === 'fund' ? { fund: call.amount } : { requireFullWithdrawal: call.required }),
        })
        return
      }
      case 'dispute': {
        const { id, left } = pick('transactions', call.nth)
        const deadline = call.deadline === null ? {} : { deadline: call.deadline }
        await order('POST', '/disputes', {
          paymentId: id,
          ...bodies.amountField(call.amount, left),
          ...deadline,
        })
        return
      }
      case 'answer': {
        const { id, by } = pick('disputes', call.nth)
        if (!call.file) {
          await ask(by, 'PUT', `/v1/disputes/${id}/response`, bodies.RESPONSE)
          return
        }
        const token = await tokenOf(by)
        await sandbox.send('POST', `/v1/disputes/${id}/evidences`, { token, ...bodies.EVIDENCE })
        return
      }
      case 'customer': {
        const { id, by } = pick('customers', call.nth)
        await ask(by, 'PATCH', `/v1/customers/${id}`, bodies.customerChange(call))
        return
      }
      case 'advance':
        await order('POST', '/clock/advance', { by: `${call.minutes}m` })
        return
      case 'choose':
        await order('PATCH', '/silences', call.silences)
        return
      default:
        call satisfies never
    }
  }
  return { sandbox, play }
}
