// Owns firing triggers by hand: what each may carry, and the refusal that names the ones that would fire.
import { z } from 'zod'
import { MAX_DESCRIPTION_UNITS, MAX_DISPUTE_TEXT_UNITS, MAX_SHORT_TEXT_UNITS } from '../contract/limits.ts'
import { CASHOUT_RULES } from '../domain/cashoutRules.ts'
import { DISPUTE_RULES } from '../domain/disputeRules.ts'
import { cashoutRecord, disputeRecord, transactionRecord } from '../domain/records.ts'
import { parseDocument } from '../domain/documents.ts'
import { recordOf } from '../domain/state.ts'
import { leftOf, TRANSACTION_RULES } from '../domain/transactionRules.ts'
import { allowedNow, fire } from '../domain/transition.ts'
import { closest } from '../kernel/closest.ts'
import { Misuse } from '../world/misuse.ts'
import { route } from './route.ts'
import type { CashoutTrigger } from '../domain/cashoutMachine.ts'
import type { DisputeTrigger } from '../domain/disputeMachine.ts'
import type { TriggerParameters } from '../domain/effects.ts'
import type { Cashout, Dispute, Transaction } from '../domain/records.ts'
import type { MachineName } from '../domain/trail.ts'
import type { TransactionTrigger } from '../domain/transactionMachine.ts'
import type { Fired, MachineTypes, NotFired, Rules } from '../domain/transition.ts'
import type { RunningWorld } from '../world/runningWorld.ts'

type Parameters<Trigger extends string> = Record<Trigger, z.ZodType<TriggerParameters> | null>

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

/** A record of a machine that a person can drive. */
interface Drivable {
  kind: MachineName
  record: Transaction | Cashout | Dispute
  parameters: Parameters<string>
  /** The triggers that would fire now. */
  allowed(): string[]
  fire(trigger: string, parameters: TriggerParameters): Fired | NotFired
}

/** The record that an id names, with its machine. */
function drivable(world: RunningWorld, id: string): Drivable {
  const { transactions, cashouts, disputes } = world.state
  const key = id.toLowerCase()
  const found =
    drive(world, TRANSACTION_RULES, recordOf(transactions, key), TRANSACTION_PARAMETERS) ??
    drive(world, CASHOUT_RULES, recordOf(cashouts, key), CASHOUT_PARAMETERS) ??
    drive(world, DISPUTE_RULES, recordOf(disputes, key), DISPUTE_PARAMETERS)
  if (found) return found
  throw new Misuse(
    'sandbox_not_found',
    `No transaction, cashout or dispute ${id} in world '${world.id}'; GET /_sandbox/transactions lists them.`,
  )
}

function drive<X extends MachineTypes & { record: Drivable['record'] }>(
  world: RunningWorld,
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

/** Fires a trigger by hand on the record that an id names; throws `Misuse` when nothing fires. */
export function fireByHand(
  world: RunningWorld,
  id: string,
  trigger: string,
  sent: Record<string, unknown>,
): Fired & Pick<Drivable, 'record'> {
  const target = drivable(world, id)
  const known = Object.keys(target.parameters)
  if (!known.includes(trigger)) {
    const near = closest(trigger, known)
    throw new Misuse(
      'sandbox_bad_request',
      `A ${target.kind} has no trigger '${trigger}'.${near === null ? '' : ` Did you mean '${near}'?`} It has ${known.join(', ')}.`,
    )
  }
  const schema = target.parameters[trigger] ?? null
  if (schema === null) throw refusedTrigger(target, trigger, 'it fires only by itself')
  const parsed = schema.safeParse(sent)
  if (!parsed.success) {
    throw new Misuse('sandbox_bad_request', `Trigger ${trigger}: ${z.prettifyError(parsed.error)}`)
  }
  const fired = target.fire(trigger, parsed.data)
  if (!('refused' in fired)) return { ...fired, record: target.record }
  throw refusal(target, trigger, fired)
}

function refusal(target: Drivable, trigger: string, { refused }: NotFired): Misuse {
  if (refused === 'amount' && 'refundedAmount' in target.record) {
    const left = leftOf(target.record)
    return new Misuse(
      'sandbox_bad_amount',
      `amount must be 1 to ${left}, what is left of the transaction in cents.`,
    )
  }
  const why =
    refused === 'guard' ? 'a deadline, an open dispute or a knob forbids it' : 'no row leads from there'
  return refusedTrigger(target, trigger, why)
}

function refusedTrigger(target: Drivable, trigger: string, why: string): Misuse {
  const { kind, record, parameters } = target
  const byHand = target.allowed().filter((each) => parameters[each] !== null)
  const instead =
    byHand.length === 0 ? 'Nothing can fire on it now.' : `These would fire: ${byHand.join(', ')}.`
  return new Misuse(
    'sandbox_trigger_refused',
    `Trigger ${trigger} on ${kind} ${record.id} in status ${record.status}: ${why}. ${instead}`,
    { 'X-Sandbox-Allowed': byHand.join(', ') },
  )
}

/** The control route that fires triggers. */
export const TRIGGER_ROUTE = route({
  id: 'fireTrigger',
  method: 'POST',
  path: '/trigger',
  tag: 'Records',
  summary: 'Fires a trigger of a machine on a record',
  body: z.looseObject({ on: z.string(), do: z.string() }),
  answer: z
    .strictObject({
      id: z.uuid(),
      from: z.string().nullable(),
      to: z.string(),
      record: z.union([transactionRecord, cashoutRecord, disputeRecord]),
      deliveries: z.array(z.uuid()),
    })
    .meta({ id: 'Fired' }),
  errors: ['sandbox_trigger_refused', 'sandbox_bad_amount'],
  handle({ world, body: { on, do: trigger, ...sent } }) {
    const { from, to, record, deliveries } = fireByHand(world, on, trigger, sent)
    return { id: record.id, from, to, record, deliveries }
  },
})
