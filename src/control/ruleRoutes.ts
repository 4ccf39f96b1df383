// Owns the control routes of rules: adding them, seeing how often they fired, and clearing them.
import { z } from 'zod'
import { DISPUTE_REASONS } from '../contract/enums.ts'
import { ENDPOINTS } from '../contract/endpoints.ts'
import { MACHINE_NAMES } from '../domain/trail.ts'
import { TRIGGER_PARAMETERS } from '../world/drive.ts'
import { eitherForm } from '../world/forms.ts'
import { Misuse } from '../world/misuse.ts'
import { MAX_PLAIN_CARD_DIGITS, tellsCardNumber } from '../world/ruleFields.ts'
import { addRules, clearRules, shownRule } from '../world/rules.ts'
import { OPEN, ruleOrder, ruleRecord } from '../world/ruleShapes.ts'
import { beginCommand } from './keptCommands.ts'
import { checkFaultOrder } from './faultRoutes.ts'
import { listAnswer, listOf, listQuery } from './lists.ts'
import { route } from './route.ts'
import type { EndpointRow } from '../contract/endpoint.ts'
import type { MachineName } from '../domain/trail.ts'
import type { KeptRule, Rule, RuleAction, RuleCondition, RuleOrder } from '../world/ruleShapes.ts'
import type { RunningWorld } from '../world/runningWorld.ts'

const tag = 'Rules'
/** Rules that one call adds at most. */
const MAX_ADDED = 1_000

const severalRules = z.strictObject({ rules: z.array(ruleOrder).min(1).max(MAX_ADDED) })

const ruleBody = eitherForm(
  ruleOrder,
  severalRules,
  (sent) => typeof sent === 'object' && sent !== null && 'rules' in sent,
)

const addRoute = route({
  id: 'addRules',
  method: 'POST',
  path: '/rules',
  tag,
  summary:
    'Adds rules: what the world does by itself after calls that succeed and after events. Reset clears them; snapshots and forks keep them',
  body: ruleBody,
  answer: z.strictObject({ items: z.array(ruleRecord) }),
  status: 201,
  handle({ world, body }) {
    return { items: addRulesTo(world, ('rules' in body ? body.rules : [body]) as RuleOrder[]) }
  },
})

/**
 * Adds rules to a world; all or none.
 * @throws {Misuse} that says what contradicts itself
 */
export function addRulesTo(world: RunningWorld, orders: readonly RuleOrder[]): Rule[] {
  for (const order of orders) checkRule(order)
  const keep = beginCommand(world, 'POST /rules', {})
  const items = addRules(world, orders).map(shownRule)
  keep({ items })
  return items
}

/**
 * Checks what the shape of a rule does not.
 * @throws {Misuse} that says what contradicts itself
 */
export function checkRule({ when, do: action }: RuleOrder): void {
  if (tellsCardNumber(when)) {
    throw wrong(
      `when.cardNumber: parts of a card number have at most ${MAX_PLAIN_CARD_DIGITS} digits together; a whole number is kept as a digest, which nobody is shown.`,
    )
  }
  const machine = machineOf(when)
  if (action.fault) {
    refuseParameters(action, 'a fault')
    checkFaultOrder(action.fault)
    return
  }
  if (action.inbox !== undefined) return refuseParameters(action, 'an inbox')
  const { trigger = '' } = action
  const cause = when.call ?? when.event ?? ''
  if (machine === null) {
    throw wrong(
      `do.trigger: ${cause} is about no transaction, cashout or dispute that ${trigger} could fire on.`,
    )
  }
  checkTrigger(machine, trigger, action, cause)
}

function checkTrigger(machine: MachineName, trigger: string, action: RuleAction, cause: string): void {
  const carried = parametersOf(action)
  if (trigger === OPEN && machine === 'transaction') {
    const opening = z.strictObject({ amount: z.int().optional(), reason: z.enum(DISPUTE_REASONS).optional() })
    return checkParameters(opening, trigger, carried)
  }
  const table = TRIGGER_PARAMETERS[machine]
  const schema = table[trigger] ?? null
  if (schema !== null) return checkParameters(schema, trigger, carried)
  const fireable = Object.keys(table).filter((name) => table[name] !== null)
  const known = machine === 'transaction' ? [...fireable, OPEN] : fireable
  throw wrong(
    `do.trigger: ${cause} is about a ${machine}, which has no trigger ${trigger}. It has ${known.join(', ')}.`,
  )
}

function checkParameters(schema: z.ZodType, trigger: string, carried: object): void {
  const parsed = schema.safeParse(carried)
  if (!parsed.success) throw wrong(`do: trigger ${trigger}: ${z.prettifyError(parsed.error)}`)
}

function parametersOf({ amount, reason, text, payer }: RuleAction): Record<string, unknown> {
  const all = Object.entries({ amount, reason, text, payer })
  return Object.fromEntries(all.filter(([, value]) => value !== undefined))
}

function refuseParameters(action: RuleAction, what: string): void {
  const [first] = Object.keys(parametersOf(action))
  if (first !== undefined) throw wrong(`do.${first}: it goes with a trigger, not with ${what}.`)
}

/** The machine of the record that a condition is about; null for none. */
function machineOf({ call, event }: RuleCondition): MachineName | null {
  if (event !== undefined) return event.startsWith('payment.') ? 'transaction' : named(event.split('.')[0])
  const row = (ENDPOINTS as readonly EndpointRow[]).find(({ id }) => id === call)
  const made = /^create(\w+)$/.exec(row?.id ?? '')?.[1]
  return named(row?.record ?? made?.toLowerCase())
}

function named(name: string | undefined): MachineName | null {
  return MACHINE_NAMES.find((each) => each === name) ?? null
}

function wrong(message: string): Misuse {
  return new Misuse('sandbox_bad_request', message)
}

const listRoute = route({
  id: 'listRules',
  method: 'GET',
  path: '/rules',
  tag,
  summary: 'Lists the rules with how often each fired, newest first',
  query: z.object(listQuery),
  answer: listAnswer(ruleRecord),
  handle: ({ world, query }) => listOf(world.rules.list.map(shownRule), query, ({ id }) => id),
})

const clearRoute = route({
  id: 'clearRules',
  method: 'DELETE',
  path: '/rules',
  tag,
  summary: 'Clears all rules, or the one that `id` names, with what they have planned',
  query: z.object({ id: z.string().optional() }),
  answer: z.strictObject({ cleared: z.int() }),
  handle({ world, query: { id } }) {
    const cleared = id === undefined ? world.rules.list : [knownRule(world, id)]
    clearRules(world, cleared)
    return { cleared: cleared.length }
  },
})

function knownRule(world: RunningWorld, id: string): KeptRule {
  const found = world.rules.list.find((rule) => rule.id === id)
  if (found) return found
  throw new Misuse('sandbox_not_found', `No rule ${id} in this world; GET /_sandbox/rules lists them.`)
}

/** Control routes of rules. */
export const RULE_ROUTES = [addRoute, listRoute, clearRoute]
