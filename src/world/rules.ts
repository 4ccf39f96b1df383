// Owns the rules of a world: what it does by itself after calls and events, at once or planned as jobs.
import { openDispute } from '../domain/disputes.ts'
import { recordOf } from '../domain/state.ts'
import { later, parseDuration } from '../kernel/time.ts'
import { present } from '../kernel/assert.ts'
import { drivable } from './drive.ts'
import { faultOf } from './faultOrders.ts'
import { armFault } from './faults.ts'
import { Misuse } from './misuse.ts'
import { fieldsFit, keptCondition, shownCondition } from './ruleFields.ts'
import { OPEN } from './ruleShapes.ts'
import type { Random } from '../kernel/random.ts'
import type { OperationId } from '../contract/endpoints.ts'
import type { DisputeReason } from '../contract/enums.ts'
import type { EventType } from '../contract/events.ts'
import type { World } from '../domain/world.ts'
import type { Millis } from '../kernel/brands.ts'
import type { Fault } from './faults.ts'
import type { Inboxes } from './inboxes.ts'
import type { KeptRule, Rule, RuleAction, RuleOrder } from './ruleShapes.ts'

/** Rules that a world holds. */
const MAX_RULES = 1_000
/** Actions that rules may set off one after the other at one instant: past them it is a circle. */
const MAX_CHAIN = 100
/** Rules that act at once go before everything else that is due: their orders stay below 1, the first that is given out. */
const ORDERS_BELOW_ONE = 1e12

/** What a rule does later: the subject of a job. */
interface PlannedAction {
  rule: string
  /** Id of the record that the call or event was about; null for none. */
  subject: string | null
  do: RuleAction
  /** How many actions of rules led to this one at its instant. */
  chain: number
}

/** The rules of a world and what they have planned. Plain JSON, kept in snapshots. */
export interface RuleBook {
  /** Rules and planned actions so far; names the next one. */
  made: number
  list: KeptRule[]
  planned: Record<string, PlannedAction>
  /** The place in a chain of the action that runs now; 0 when none does. */
  chain: number
}

/** What rules need of a world. */
interface Ruled extends World {
  readonly ruleKey: Uint8Array
  rules: RuleBook
  faults: Fault[]
  inboxes: Inboxes
  chance(key: string): Random
}

/** A call that succeeded. Its body lives no longer than the call. */
export interface SucceededCall {
  operation: OperationId
  subject: string | null
  body: unknown
  data: unknown
}

/** No rules. */
export function noRules(): RuleBook {
  return { made: 0, list: [], planned: {}, chain: 0 }
}

/** Adds rules that were checked; all or none. */
export function addRules(world: Ruled, orders: readonly RuleOrder[]): KeptRule[] {
  const { rules } = world
  if (rules.list.length + orders.length > MAX_RULES) {
    throw new Misuse(
      'sandbox_bad_request',
      `A world holds ${MAX_RULES} rules; DELETE /_sandbox/rules clears them.`,
    )
  }
  const added = orders.map((order): KeptRule => {
    rules.made += 1
    const { times = null, probability = null } = order
    const id = `rule-${rules.made}`
    const kept = keptCondition(world.ruleKey, order.when)
    return { id, ...kept, do: order.do, times, probability, fired: 0, refused: 0, note: null }
  })
  rules.list.push(...added)
  for (const { id } of added) world.changes?.record('rules', id)
  world.tell('setup', { changed: 'rules' })
  return added
}

/** A rule as it may be shown. */
export function shownRule(rule: KeptRule): Rule {
  const { id, when, do: action, times, probability, fired, refused, note } = rule
  return { id, when: shownCondition(when), do: action, times, probability, fired, refused, note }
}

/** Clears rules, with what they have planned. */
export function clearRules(world: Ruled, cleared: readonly KeptRule[]): void {
  const { rules, scheduler, changes } = world
  const ids = new Set(cleared.map(({ id }) => id))
  rules.list = rules.list.filter(({ id }) => !ids.has(id))
  for (const id of ids) changes?.record('rules', id)
  for (const [id, { rule }] of Object.entries(rules.planned)) {
    if (!ids.has(rule)) continue
    scheduler.cancel('ruleTrigger', id)
    delete rules.planned[id]
    changes?.record('planned', id)
  }
  if (cleared.length > 0) world.tell('setup', { changed: 'rules' })
}

/** Lets the rules of a world react to a call that succeeded. */
export function reactToCall(world: Ruled, { operation, subject, body, data }: SucceededCall): void {
  for (const rule of world.rules.list) {
    if (rule.when.call !== operation) continue
    if (fieldsFit(world.ruleKey, rule, [body, data, storedRecord(world, subject)])) act(world, rule, subject)
  }
}

/** Lets the rules of a world react to an event of a record, before a delivery of it is made, also where none is. */
export function reactToEvent(
  world: Ruled,
  type: EventType,
  record: { id: string },
  say: () => Record<string, unknown>,
): void {
  for (const rule of world.rules.list) {
    if (rule.when.event !== type) continue
    if (fieldsFit(world.ruleKey, rule, [say(), record])) act(world, rule, record.id)
  }
}

function storedRecord(world: Ruled, id: string | null): unknown {
  if (id === null) return null
  return drivable(world, id)?.record ?? recordOf(world.state.customers, id.toLowerCase())
}

/** Does what a rule says, or plans it. A trigger always fires in a job of its own, so that its cause ends first. */
function act(world: Ruled, rule: KeptRule, subject: string | null): void {
  if (rule.times !== null && rule.fired >= rule.times) return
  if (rule.probability !== null && world.random.fraction() >= rule.probability) return
  rule.fired += 1
  const { rules } = world
  world.changes?.record('rules', rule.id)
  const wait = waitOf(rule.do)
  if (wait === 0 && rule.do.trigger === undefined) return perform(world, rule, rule.do, subject)
  const chain = wait === 0 ? rules.chain + 1 : 0
  if (chain > MAX_CHAIN) {
    return noteRefusal(
      world,
      rule,
      `Rules set each other off ${MAX_CHAIN} times at one instant; the chain ends here.`,
    )
  }
  rules.made += 1
  const id = `planned-${rules.made}`
  rules.planned[id] = { rule: rule.id, subject, do: rule.do, chain }
  world.changes?.record('planned', id)
  const due = later(world.clock.now(), wait)
  const order = wait === 0 ? rules.made / ORDERS_BELOW_ONE : undefined
  world.scheduler.schedule('ruleTrigger', id, due, order)
}

function waitOf({ after }: RuleAction): Millis {
  return after === undefined ? (0 as Millis) : present(parseDuration(after), 'a rule was checked')
}

/** Does what a rule planned; it is due now. */
export function runPlanned(world: Ruled, id: string): void {
  const { rules } = world
  const planned = present(rules.planned[id], `no planned action ${id}`)
  delete rules.planned[id]
  world.changes?.record('planned', id)
  const rule = present(
    rules.list.find((each) => each.id === planned.rule),
    `no rule ${planned.rule}`,
  )
  rules.chain = planned.chain
  try {
    perform(world, rule, planned.do, planned.subject)
  } finally {
    rules.chain = 0
  }
}

function perform(world: Ruled, rule: KeptRule, action: RuleAction, subject: string | null): void {
  if (action.fault) return arm(world, rule, action.fault, subject)
  if (action.inbox !== undefined) return script(world, rule, action.inbox, action)
  const { trigger = '' } = action
  const target = subject === null ? null : drivable(world, subject)
  if (!target) return noteRefusal(world, rule, `${trigger} found no record ${subject ?? ''}.`)
  const refused = trigger === OPEN ? open(world, action, target.record.id) : fireOn(target, trigger, action)
  const { kind, record } = target
  if (!refused) return
  noteRefusal(world, rule, `${trigger} on ${kind} ${record.id} in status ${record.status}: ${refused}.`)
}

/** Fires a trigger; answers why it did not. */
function fireOn(
  target: NonNullable<ReturnType<typeof drivable>>,
  trigger: string,
  { amount, reason, text, payer }: RuleAction,
): string | null {
  const fired = target.fire(trigger, { amount, reason, text, payer })
  if (!('refused' in fired)) return null
  const why = {
    status: 'no row leads from there',
    guard: 'a condition forbids it',
    amount: 'not so much is left',
  }
  return why[fired.refused]
}

/** Opens a dispute; answers why it did not. */
function open(world: Ruled, { amount, reason }: RuleAction, id: string): string | null {
  const transaction = present(recordOf(world.state.transactions, id), 'a dispute is opened on a transaction')
  const opened = openDispute(world, transaction, { amount, reason: reason as DisputeReason | undefined })
  if (!('notOpened' in opened)) return null
  const why = { status: 'it was not paid', disputed: 'a dispute is open', amount: 'not so much is left' }
  return why[opened.notOpened]
}

function arm(
  world: Ruled,
  rule: KeptRule,
  order: NonNullable<RuleAction['fault']>,
  subject: string | null,
): void {
  const meant = order.subject === 'same' ? { ...order, subject: subject ?? undefined } : order
  try {
    armFault(world, faultOf(meant, world.clock.now()))
  } catch (error) {
    if (!(error instanceof Misuse)) throw error
    noteRefusal(world, rule, error.message)
  }
}

function script(world: Ruled, rule: KeptRule, name: string, { answers = [], delayMs = 0 }: RuleAction): void {
  const inbox = world.inboxes.ensure(name)
  if (!inbox) return noteRefusal(world, rule, 'This world has as many inboxes as it may.')
  inbox.answers = [...answers]
  inbox.delayMs = delayMs
}

function noteRefusal({ changes }: Ruled, rule: KeptRule, note: string): void {
  rule.refused += 1
  rule.note = note
  changes?.record('rules', rule.id)
}
