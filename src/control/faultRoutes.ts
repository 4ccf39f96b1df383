// Owns the control routes of faults: arming them, seeing how often they fired, releasing and clearing them.
import { z } from 'zod'
import { timestamp } from '../domain/records.ts'
import { parseDuration } from '../kernel/time.ts'
import { DISPUTE_ANSWERS, faultNamed } from '../world/faultKinds.ts'
import { faultAction, faultOf, faultOrder, faultTarget } from '../world/faultOrders.ts'
import { armFault, dropFaults } from '../world/faults.ts'
import { releaseCalls } from '../world/heldCalls.ts'
import { Misuse } from '../world/misuse.ts'
import { durationOf, instantOf } from './clockRoutes.ts'
import { listAnswer, listOf, listQuery } from './lists.ts'
import { route } from './route.ts'
import type { FaultName } from '../world/faultKinds.ts'
import type { FaultOrder } from '../world/faultOrders.ts'
import type { Fault, FaultTarget } from '../world/faults.ts'
import type { RunningWorld } from '../world/runningWorld.ts'

const tag = 'Faults'
const faultOut = z
  .strictObject({
    id: z.uuid(),
    on: faultTarget,
    subject: z.string().nullable(),
    nth: z.int().nullable(),
    probability: z.number().nullable(),
    do: faultAction,
    times: z.int(),
    after: timestamp.nullable(),
    until: timestamp.nullable(),
    seen: z.int().meta({ description: 'fitting things that came by while it was armed and in time' }),
    fired: z.int(),
  })
  .meta({ id: 'Fault' })

function faultView(fault: Fault): z.input<typeof faultOut> {
  const { id, on, subject, nth, probability, do: what, times, after, until, seen, fired } = fault
  return { id, on, subject, nth, probability, do: what, times, after, until, seen, fired }
}

const createFault = route({
  id: 'armFault',
  method: 'POST',
  path: '/faults',
  tag,
  summary: 'Arms a fault on calls, or on deliveries with `on: {delivery: {}}`',
  body: faultOrder,
  answer: faultOut,
  status: 201,
  handle: ({ world, body }) => faultView(arm(world, body)),
})

function arm(world: RunningWorld, order: FaultOrder): Fault {
  checkFaultOrder(order)
  const fault = faultOf(order, world.clock.now())
  const { after, until, subject, on } = fault
  if (after !== null && until !== null && after >= until) {
    throw new Misuse(
      'sandbox_bad_request',
      `until ${until} is not later than after ${after}: it could never fire.`,
    )
  }
  if (subject !== null && on.delivery?.subject !== undefined && on.delivery.subject !== subject) {
    throw new Misuse('sandbox_bad_request', 'subject and on.delivery.subject name two records; name one.')
  }
  return armFault(world, fault)
}

/**
 * Checks what the shape of an order does not.
 * @throws {Misuse} that says what contradicts itself
 */
export function checkFaultOrder(order: FaultOrder): void {
  const { on } = order
  const befallen = on.delivery ? 'delivery' : 'call'
  const name = faultNamed(order.do, befallen)
  if (name === null) {
    const other = befallen === 'call' ? 'a delivery, not a call' : 'a call, not a delivery'
    const what = JSON.stringify(order.do)
    throw new Misuse(
      'sandbox_bad_request',
      `do ${what} befalls ${other}; ${befallen === 'call' ? 'order it with on: {"delivery": {}}' : 'order it without on.delivery'}.`,
    )
  }
  checkOperation(name, on)
  if (typeof order.do === 'object' && 'late' in order.do) durationOf(order.do.late, 'late')
  for (const field of ['after', 'until'] as const) {
    const text = order[field]
    if (text !== undefined && parseDuration(text) === null) instantOf(text, field)
  }
}

/** Operations that some faults are limited to. */
function checkOperation(name: FaultName, on: FaultTarget): void {
  const { operation } = on
  if (name === 'dispute_changed' && (operation === undefined || !DISPUTE_ANSWERS.includes(operation))) {
    const named = operation ?? 'any operation'
    throw new Misuse(
      'sandbox_bad_request',
      `dispute_changed befalls ${DISPUTE_ANSWERS.join(' or ')}, not ${named}.`,
    )
  }
  if (name === 'revokeToken' && (operation === 'createToken' || operation === 'getHealth')) {
    throw new Misuse('sandbox_bad_request', `${operation} carries no token that could be revoked.`)
  }
}

const listFaults = route({
  id: 'listFaults',
  method: 'GET',
  path: '/faults',
  tag,
  summary: 'Lists the armed faults with how often each fired, newest first',
  query: z.object(listQuery),
  answer: listAnswer(faultOut),
  handle: ({ world, query }) => listOf(world.faults.map(faultView), query, ({ id }) => id),
})

const releaseFault = route({
  id: 'releaseFault',
  method: 'POST',
  path: '/faults/{id}/release',
  tag,
  summary: 'Lets the calls that wait `untilReleased` be answered',
  params: z.object({ id: z.string() }),
  answer: z.strictObject({ released: z.int() }),
  handle({ world, params: { id } }) {
    knownFault(world, id)
    return { released: releaseCalls(world, id) }
  },
})

function knownFault(world: RunningWorld, id: string): Fault {
  const found = world.faults.find((fault) => fault.id === id)
  if (found) return found
  throw new Misuse('sandbox_not_found', `No fault ${id} in this world; GET /_sandbox/faults lists them.`)
}

const clearFaults = route({
  id: 'clearFaults',
  method: 'DELETE',
  path: '/faults',
  tag,
  summary: 'Clears all faults, or the one that `id` names; calls that waited for them are answered',
  query: z.object({ id: z.string().optional() }),
  answer: z.strictObject({
    cleared: z.int(),
    unused: z.array(z.string()).meta({ description: 'ids of the cleared faults that never fired' }),
  }),
  handle({ world, query: { id } }) {
    const meant = id === undefined ? null : knownFault(world, id)
    const cleared = dropFaults(world, (fault) => meant === null || fault === meant)
    for (const fault of cleared) releaseCalls(world, fault.id)
    const unused = cleared.filter(({ fired }) => fired === 0).map((fault) => fault.id)
    return { cleared: cleared.length, unused }
  },
})

/** Control routes of faults. */
export const FAULT_ROUTES = [createFault, listFaults, releaseFault, clearFaults]
