// Owns the handlers of cashouts.
import { CASHOUT_RULES } from '../domain/cashoutRules.ts'
import { createCashout } from '../domain/cashouts.ts'
import { scopeKey } from '../domain/indexes.ts'
import { maskPixKey } from '../domain/pixKeys.ts'
import { isRefusal, refuse } from '../domain/refusal.ts'
import { fire } from '../domain/transition.ts'
import { pageOf } from './lists.ts'
import type { CashoutTrigger } from '../domain/cashoutMachine.ts'
import type { Cashout } from '../domain/records.ts'
import type { Refusal } from '../domain/refusal.ts'
import type { World } from '../domain/world.ts'
import type { Handlers } from './handler.ts'

/** The trigger behind each action of `simulate`, by name or number. Source: CO-04. */
const SIMULATIONS = {
  complete: 'complete',
  fail: 'fail',
  reject: 'reject',
  1: 'complete',
  2: 'fail',
  3: 'reject',
} as const

/** The flat table of the contract. */
function flatView(cashout: Cashout) {
  const { id, amount, fee, netAmount, status, failureReason, requestedAt, completedAt, createdAt } = cashout
  const facts = {
    id,
    amount,
    fee,
    netAmount,
    status,
    crypto: null,
    failureReason,
    requestedAt,
    completedAt,
    createdAt,
  }
  return { ...facts, ...keyView(cashout) }
}

function keyView({ pixKeyType, pixKey, endToEndId }: Cashout) {
  return { pixKeyType, pixKey: maskPixKey(pixKeyType, pixKey), endToEndId }
}

/** What creation, retrieval, cancellation and simulation answer. Source: CO-02. */
function cashoutView(world: World, cashout: Cashout) {
  const flat = flatView(cashout)
  const form = world.choices.get('CO-02')
  if (form === 'flat') return flat
  const { externalId, currency, environment, processedAt } = cashout
  const whole = { ...flat, pix: keyView(cashout), externalId, currency, environment, processedAt }
  if (form === 'both') return whole
  const { pixKeyType: _type, pixKey: _key, endToEndId: _id, ...nested } = whole
  return nested
}

/** Fires a trigger; only statuses that the trigger has a row for let it. */
function move(
  world: World,
  cashout: Cashout,
  trigger: CashoutTrigger,
  what: string,
): Refusal<'invalid_status'> | null {
  const fired = fire(world, CASHOUT_RULES, cashout, trigger)
  if (!('refused' in fired)) return null
  return refuse(
    'invalid_status',
    `${what} is not possible: cashout ${cashout.id} is ${cashout.status}.`,
    `A operação '${what}' não é permitida no status ${cashout.status}.`,
  )
}

/** Handlers of cashouts. */
export const CASHOUT_HANDLERS: Handlers<
  'createCashout' | 'listCashouts' | 'getCashout' | 'cancelCashout' | 'simulateCashout'
> = {
  createCashout({ world, credential, body }) {
    const created = createCashout(world, credential, body)
    return isRefusal(created)
      ? created
      : { data: cashoutView(world, created), message: 'Saque solicitado com sucesso.' }
  },

  listCashouts({ world, scope, query }) {
    const { status, externalId } = query
    const wanted = { scope: scopeKey(scope), filters: { status, externalId } }
    const page = pageOf(world, world.indexes.cashouts, query, wanted, flatView)
    return isRefusal(page) ? page : { data: page }
  },

  getCashout: ({ world, record }) => ({ data: cashoutView(world, record) }),

  cancelCashout({ world, record }) {
    const refused = move(world, record, 'cancel', 'cancel')
    return refused ?? { data: cashoutView(world, record), message: 'Saque cancelado com sucesso.' }
  },

  simulateCashout({ world, record, body: { action } }) {
    const refused = move(world, record, SIMULATIONS[action], SIMULATIONS[action])
    const message = `Simulação '${SIMULATIONS[action]}' realizada com sucesso.`
    return refused ?? { data: cashoutView(world, record), message }
  },
}
