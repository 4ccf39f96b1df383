// Owns firing triggers by hand: the refusal that names the ones that would fire.
import { z } from 'zod'
import { cashoutRecord, disputeRecord, transactionRecord } from '../domain/records.ts'
import { leftOf } from '../domain/transactionRules.ts'
import { closest } from '../kernel/closest.ts'
import { drivable } from '../world/drive.ts'
import { Misuse } from '../world/misuse.ts'
import { route } from './route.ts'
import type { Fired, NotFired } from '../domain/transition.ts'
import type { Drivable } from '../world/drive.ts'
import type { RunningWorld } from '../world/runningWorld.ts'

/** The record that an id names, with its machine. */
function targetOf(world: RunningWorld, id: string): Drivable {
  const found = drivable(world, id)
  if (found) return found
  throw new Misuse(
    'sandbox_not_found',
    `No transaction, cashout or dispute ${id} in world '${world.id}'; GET /_sandbox/transactions lists them.`,
  )
}

/** Fires a trigger by hand on the record that an id names; throws `Misuse` when nothing fires. */
export function fireByHand(
  world: RunningWorld,
  id: string,
  trigger: string,
  sent: Record<string, unknown>,
): Fired & Pick<Drivable, 'record'> {
  const target = targetOf(world, id)
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
