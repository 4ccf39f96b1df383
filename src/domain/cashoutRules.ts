// Owns the meaning of the cashout machine: its money, notes and events.
import { CASHOUT_MACHINE } from './cashoutMachine.ts'
import { line, merchantAccount, outsideAccount } from './books.ts'
import { post } from './ledger.ts'
import { makeEndToEndId } from './people.ts'
import { maskPixKey } from './pixKeys.ts'
import { stamp } from './world.ts'
import type { CashoutStatus } from '../contract/enums.ts'
import type { CashoutEffect, CashoutTrigger } from './cashoutMachine.ts'
import type { NamesOf, TriggerParameters } from './effects.ts'
import type { Cashout } from './records.ts'
import type { Rules } from './transition.ts'
import type { World } from './world.ts'

/** The names and types of the cashout machine. */
interface CashoutTypes extends NamesOf<CashoutEffect> {
  record: Cashout
  parameters: TriggerParameters
  status: CashoutStatus
  trigger: CashoutTrigger
  guard: never
}

const DEFAULT_REASONS: Partial<Record<CashoutStatus, string>> = {
  Failed: 'O banco não concluiu a transferência.',
  Rejected: 'O saque foi recusado.',
  Cancelled: 'O saque foi cancelado.',
}

/** `data` of the events of a cashout. Source: WH-06. */
function eventData(world: World, cashout: Cashout): Record<string, unknown> {
  const { id, status, amount, netAmount, pixKeyType, endToEndId } = cashout
  if (world.choices.get('WH-06') === 'minimum') return { id, status, amount, netAmount }
  return {
    id,
    externalId: cashout.externalId,
    amount,
    fee: cashout.fee,
    netAmount,
    currency: cashout.currency,
    status,
    environment: cashout.environment,
    requestedAt: cashout.requestedAt,
    processedAt: cashout.processedAt,
    completedAt: cashout.completedAt,
    failureReason: cashout.failureReason,
    pix: { pixKeyType, pixKey: maskPixKey(pixKeyType, cashout.pixKey), endToEndId },
  }
}

/** The cashout machine with its meaning. */
export const CASHOUT_RULES: Rules<CashoutTypes> = {
  name: 'cashout',
  machine: CASHOUT_MACHINE,
  prepare: (_record, parameters) => parameters,
  guards: {},
  stamps: {
    requestedAt(record, at) {
      record.requestedAt = at
    },
    processedAt(record, at) {
      record.processedAt = at
    },
    completedAt(record, at) {
      record.completedAt = at
    },
  },
  movements: {
    reserve: (world, record) =>
      post(world, record, 'reserve', [
        line(merchantAccount(record, 'available'), -record.amount),
        line(merchantAccount(record, 'reserved'), record.amount),
      ]),
    payOut: (world, record) =>
      post(world, record, 'payOut', [
        line(merchantAccount(record, 'reserved'), -record.amount),
        line(outsideAccount('bank', record.environment), record.netAmount),
        line(outsideAccount('gateway', record.environment), record.fee),
      ]),
    giveBack: (world, record) =>
      post(world, record, 'giveBack', [
        line(merchantAccount(record, 'reserved'), -record.amount),
        line(merchantAccount(record, 'available'), record.amount),
      ]),
  },
  notes: {
    endToEndId(world, record) {
      record.endToEndId = makeEndToEndId(world.random, stamp(world))
    },
    processedAtIfNull(world, record) {
      record.processedAt ??= stamp(world)
    },
    failureReason(_world, record, { reason }) {
      record.failureReason = reason ?? DEFAULT_REASONS[record.status] ?? null
    },
  },
  due: {},
  receiver: (_world, { callbackUrl }) => callbackUrl,
  eventData,
}
