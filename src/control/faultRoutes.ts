// Owns the control routes of faults: arming them, seeing how often they fired, releasing and clearing them.
import { z } from 'zod'
import { OPERATION_IDS } from '../contract/endpoints.ts'
import { EVENT_TYPES } from '../contract/events.ts'
import { timestamp } from '../domain/records.ts'
import { later, parseDuration, toTimestamp } from '../kernel/time.ts'
import { explainNoFault, faultNamed, FAULTS } from '../world/faultKinds.ts'
import { armFault } from '../world/faults.ts'
import { releaseCalls } from '../world/heldCalls.ts'
import { Misuse } from '../world/misuse.ts'
import { durationOf, instantOf } from './clockRoutes.ts'
import { listAnswer, listOf, listQuery } from './lists.ts'
import { route } from './route.ts'
import type { OperationId } from '../contract/endpoints.ts'
import type { Timestamp } from '../kernel/brands.ts'
import type { FaultAction } from '../world/faultKinds.ts'
import type { Fault, FaultTarget } from '../world/faults.ts'
import type { RunningWorld } from '../world/runningWorld.ts'

const tag = 'Faults'
const target = z
  .strictObject({
    operation: z
      .enum(OPERATION_IDS as OperationId[])
      .optional()
      .meta({ description: 'calls of this operation; of any without it' }),
    delivery: z
      .strictObject({ type: z.enum(EVENT_TYPES).optional(), subject: z.string().optional() })
      .optional()
      .meta({ description: 'deliveries, of an event type, of a record or of any' }),
  })
  .refine(
    (on) => on.operation === undefined || on.delivery === undefined,
    'is either an operation or a delivery',
  )
const action = z
  .union(
    Object.values(FAULTS).map(({ schema }) => schema) as unknown as [z.ZodType<FaultAction, FaultAction>],
    {
      error: ({ input }) => explainNoFault(input),
    },
  )
  .meta({
    id: 'FaultAction',
    description: Object.values(FAULTS)
      .map(({ summary }) => summary)
      .join('; '),
  })

const faultOut = z
  .strictObject({
    id: z.uuid(),
    on: target,
    subject: z.string().nullable(),
    nth: z.int().nullable(),
    probability: z.number().nullable(),
    do: action,
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

const when = z
  .string()
  .meta({ description: 'an instant, or a duration from now such as 10m, on the clock of the world' })

const faultBody = z.strictObject({
  on: target.default({}),
  subject: z.string().optional().meta({ description: 'id of the one record that it befalls' }),
  nth: z
    .int()
    .min(1)
    .optional()
    .meta({ description: 'it befalls the nth fitting thing, and those after it' }),
  probability: z.number().min(0).max(1).optional().meta({ description: 'drawn from the seed of the world' }),
  do: action,
  times: z.int().min(1).max(1_000_000).default(1),
  after: when.optional(),
  until: when.optional(),
})

const createFault = route({
  id: 'armFault',
  method: 'POST',
  path: '/faults',
  tag,
  summary: 'Arms a fault on calls, or on deliveries with `on: {delivery: {}}`',
  body: faultBody,
  answer: faultOut,
  status: 201,
  handle: ({ world, body }) => faultView(arm(world, body)),
})

function arm(world: RunningWorld, body: z.output<typeof faultBody>): Fault {
  const { on, subject = null, nth = null, probability = null, times } = body
  const befallen = on.delivery ? 'delivery' : 'call'
  const name = faultNamed(body.do, befallen)
  if (name === null) {
    const other = befallen === 'call' ? 'a delivery, not a call' : 'a call, not a delivery'
    const what = JSON.stringify(body.do)
    throw new Misuse(
      'sandbox_bad_request',
      `do ${what} befalls ${other}; ${befallen === 'call' ? 'order it with on: {"delivery": {}}' : 'order it without on.delivery'}.`,
    )
  }
  checkOperation(name, on)
  if (typeof body.do === 'object' && 'late' in body.do) durationOf(body.do.late, 'late')
  const after = body.after === undefined ? null : stampOf(world, body.after, 'after')
  const until = body.until === undefined ? null : stampOf(world, body.until, 'until')
  if (after !== null && until !== null && after >= until) {
    throw new Misuse(
      'sandbox_bad_request',
      `until ${until} is not later than after ${after}: it could never fire.`,
    )
  }
  if (subject !== null && on.delivery?.subject !== undefined && on.delivery.subject !== subject) {
    throw new Misuse('sandbox_bad_request', 'subject and on.delivery.subject name two records; name one.')
  }
  return armFault(world, { name, on, subject, nth, probability, do: body.do, times, after, until })
}

/** Operations that some faults are limited to. */
function checkOperation(name: keyof typeof FAULTS, on: FaultTarget): void {
  const { operation } = on
  const answers: readonly (string | undefined)[] = ['respondToDispute', 'addDisputeEvidence']
  if (name === 'dispute_changed' && !answers.includes(operation)) {
    const named = operation ?? 'any operation'
    throw new Misuse('sandbox_bad_request', `dispute_changed befalls ${answers.join(' or ')}, not ${named}.`)
  }
  if (name === 'revokeToken' && (operation === 'createToken' || operation === 'getHealth')) {
    throw new Misuse('sandbox_bad_request', `${operation} carries no token that could be revoked.`)
  }
}

function stampOf(world: RunningWorld, text: string, field: string): Timestamp {
  const length = parseDuration(text)
  return toTimestamp(length === null ? instantOf(text, field) : later(world.clock.now(), length))
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
    faultOf(world, id)
    return { released: releaseCalls(world, id) }
  },
})

function faultOf(world: RunningWorld, id: string): Fault {
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
    const cleared = id === undefined ? world.faults : [faultOf(world, id)]
    world.faults = world.faults.filter((fault) => !cleared.includes(fault))
    for (const fault of cleared) releaseCalls(world, fault.id)
    const unused = cleared.filter(({ fired }) => fired === 0).map((fault) => fault.id)
    return { cleared: cleared.length, unused }
  },
})

/** Control routes of faults. */
export const FAULT_ROUTES = [createFault, listFaults, releaseFault, clearFaults]
