// Owns driving the three machines by name: what each trigger may carry, and the record that an id names.
import { z } from 'zod'
import { MAX_DESCRIPTION_UNITS, MAX_DISPUTE_TEXT_UNITS, MAX_SHORT_TEXT_UNITS } from '../contract/limits.ts'
import { CASHOUT_RULES } from '../domain/cashoutRules.ts'
import { DISPUTE_RULES } from '../domain/disputeRules.ts'
import { parseDocument } from '../domain/documents.ts'
import { recordOf } from '../domain/state.ts'
import { TRANSACTION_RULES } from '../domain/transactionRules.ts'
import { allowedNow, fire } from '../domain/transition.ts'
import type { CashoutTrigger } from '../domain/cashoutMachine.ts'
import type { DisputeTrigger } from '../domain/disputeMachine.ts'
import type { TriggerParameters } from '../domain/effects.ts'
import type { Cashout, Dispute, Transaction } from '../domain/records.ts'
import type { MachineName } from '../domain/trail.ts'
import type { TransactionTrigger } from '../domain/transactionMachine.ts'
import type { Fired, MachineTypes, NotFired, Rules } from '../domain/transition.ts'
import type { World } from '../domain/world.ts'

/** What the triggers of a machine may carry; null for those that only the gateway itself fires. */
export type Parameters<Trigger extends string> = Record<Trigger, z.ZodType<TriggerParameters> | null>

const reason = z.strictObject({ reason: z.string().min(1).max(MAX_DESCRIPTION_UNITS).optional() })
const amount = z.strictObject({ amount: z.int().optional() })
const text = z.strictObject({ text: z.string().min(1).max(MAX_DISPUTE_TEXT_UNITS) })
const shortText = z.string().min(1).max(MAX_SHORT_TEXT_UNITS).optional()
const document = z.string().refine((sent) => parseDocument(sent) !== null, 'must be a CPF or CNPJ')
const payer = z.strictObject({
  payer: z.strictObject({ name: shortText, document: document.optional(), bank: shortText }).optional(),
})
const nothing = z.strictObject({})

/** What each trigger of a transaction may carry; null for those that only the gateway itself fires. */
const TRANSACTION_PARAMETERS: Parameters<TransactionTrigger> = {
  create: null,
  confirm: payer,
  expire: nothing,
  fail: reason,
  cancel: reason,
  refund: amount,
  requestRefund: amount,
  settleRefund: nothing,
  rejectRefund: reason,
  chargeBack: null,
}

/** What each trigger of a cashout may carry. */
const CASHOUT_PARAMETERS: Parameters<CashoutTrigger> = {
  create: null,
  process: nothing,
  complete: nothing,
  fail: reason,
  reject: reason,
  cancel: nothing,
}

/** What each trigger of a dispute may carry. A file goes through the gateway's own endpoint. */
const DISPUTE_PARAMETERS: Parameters<DisputeTrigger> = {
  open: null,
  respond: text,
  addEvidence: null,
  lapse: nothing,
  review: nothing,
  win: nothing,
  lose: nothing,
  cancel: nothing,
}

/** What each trigger may carry, by machine; null for those that only the gateway itself fires. */
export const TRIGGER_PARAMETERS: Record<MachineName, Parameters<string>> = {
  transaction: TRANSACTION_PARAMETERS,
  cashout: CASHOUT_PARAMETERS,
  dispute: DISPUTE_PARAMETERS,
}

/** Every trigger that can be fired from outside, of any machine. */
export const TRIGGER_NAMES: readonly string[] = [
  ...new Set(
    Object.values(TRIGGER_PARAMETERS).flatMap((table) =>
      Object.keys(table).filter((name) => table[name] !== null),
    ),
  ),
]

/** A record of a machine that can be driven from outside. */
export interface Drivable {
  kind: MachineName
  record: Transaction | Cashout | Dispute
  parameters: Parameters<string>
  /** The triggers that would fire now. */
  allowed(): string[]
  fire(trigger: string, parameters: TriggerParameters): Fired | NotFired
}

/** The record of a machine that an id names; null when there is none. */
export function drivable(world: World, id: string): Drivable | null {
  const { transactions, cashouts, disputes } = world.state
  const key = id.toLowerCase()
  return (
    drive(world, TRANSACTION_RULES, recordOf(transactions, key), TRANSACTION_PARAMETERS) ??
    drive(world, CASHOUT_RULES, recordOf(cashouts, key), CASHOUT_PARAMETERS) ??
    drive(world, DISPUTE_RULES, recordOf(disputes, key), DISPUTE_PARAMETERS)
  )
}

function drive<X extends MachineTypes & { record: Drivable['record'] }>(
  world: World,
  rules: Rules<X>,
  record: X['record'] | null,
  parameters: Parameters<X['trigger']>,
): Drivable | null {
  if (!record) return null
  return {
    kind: rules.name,
    record,
    parameters,
    allowed: () => allowedNow(world, rules, record),
    fire: (trigger, carried) => fire(world, rules, record, trigger, carried),
  }
}
