// Owns firing triggers by hand: what each may carry, and the refusal that names the ones that would fire.
import { z } from 'zod'
import { MAX_AMOUNT_CENTS, MAX_DESCRIPTION_UNITS, MAX_SHORT_TEXT_UNITS } from '../contract/limits.ts'
import { closest } from '../kernel/closest.ts'
import { TRANSACTION_RULES } from '../domain/transactionRules.ts'
import { allowedNow, fire } from '../domain/transition.ts'
import { recordOf } from '../domain/state.ts'
import { transactionRecord } from '../domain/records.ts'
import { Misuse } from '../world/misuse.ts'
import { route } from './route.ts'
import type { TriggerParameters } from '../domain/effects.ts'
import type { Transaction } from '../domain/records.ts'
import type { TransactionTrigger } from '../domain/transactionMachine.ts'
import type { Fired } from '../domain/transition.ts'
import type { RunningWorld } from '../world/runningWorld.ts'

const reason = z.strictObject({ reason: z.string().min(1).max(MAX_DESCRIPTION_UNITS).optional() })
const amount = z.strictObject({ amount: z.int().min(-MAX_AMOUNT_CENTS).max(MAX_AMOUNT_CENTS).optional() })
const shortText = z.string().min(1).max(MAX_SHORT_TEXT_UNITS).optional()
const payer = z.strictObject({
  payer: z.strictObject({ name: shortText, document: shortText, bank: shortText }).optional(),
})
const nothing = z.strictObject({})

/** What each trigger may carry; null for those that only the gateway itself fires. */
export const TRANSACTION_PARAMETERS: Record<TransactionTrigger, z.ZodType<TriggerParameters> | null> = {
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

/** Fires a trigger by hand on a record that an id names. */
export function fireByHand(
  world: RunningWorld,
  id: string,
  trigger: string,
  parameters: Record<string, unknown>,
): Fired & { record: Transaction } {
  const record = recordOf(world.state.transactions, id)
  if (!record) {
    throw new Misuse(
      'sandbox_not_found',
      `No transaction ${id} in world '${world.id}'; GET /_sandbox/transactions lists them.`,
    )
  }
  const known = Object.keys(TRANSACTION_PARAMETERS) as TransactionTrigger[]
  const named = known.find((each) => each === trigger)
  if (named === undefined) {
    const near = closest(trigger, known)
    throw new Misuse(
      'sandbox_bad_request',
      `A transaction has no trigger '${trigger}'.${near === null ? '' : ` Did you mean '${near}'?`} It has ${known.join(', ')}.`,
    )
  }
  const schema = TRANSACTION_PARAMETERS[named]
  if (schema === null) throw refusedTrigger(world, record, named, 'it fires only by itself')
  const parsed = schema.safeParse(parameters)
  if (!parsed.success) {
    throw new Misuse('sandbox_bad_request', `Trigger ${trigger}: ${z.prettifyError(parsed.error)}`)
  }
  const fired = fire(world, TRANSACTION_RULES, record, named, parsed.data)
  if (!('refused' in fired)) return { ...fired, record }
  if (fired.refused === 'amount') {
    const left = record.amount - record.refundedAmount
    throw new Misuse(
      'sandbox_bad_amount',
      `amount must be 1 to ${left}, what is left of the transaction in cents.`,
    )
  }
  throw refusedTrigger(
    world,
    record,
    named,
    fired.refused === 'guard' ? 'a dispute on it is open, or a knob forbids it' : 'no row leads from there',
  )
}

function refusedTrigger(world: RunningWorld, record: Transaction, trigger: string, why: string): Misuse {
  const allowed = allowedNow(world, TRANSACTION_RULES, record).filter(
    (each) => TRANSACTION_PARAMETERS[each] !== null,
  )
  const instead =
    allowed.length === 0 ? 'Nothing can fire on it any more.' : `These would fire: ${allowed.join(', ')}.`
  return new Misuse(
    'sandbox_trigger_refused',
    `Trigger ${trigger} on transaction ${record.id} in status ${record.status}: ${why}. ${instead}`,
    { 'X-Sandbox-Allowed': allowed.join(', ') },
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
      record: transactionRecord,
      deliveries: z.array(z.uuid()),
    })
    .meta({ id: 'Fired' }),
  errors: ['sandbox_trigger_refused', 'sandbox_bad_amount'],
  handle({ world, body: { on, do: trigger, ...parameters } }) {
    const { from, to, record, deliveries } = fireByHand(world, on, trigger, parameters)
    return { id: on, from, to, record, deliveries }
  },
})
