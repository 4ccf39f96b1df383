// Owns the control routes of faults: arming them, seeing how often they fired, clearing them.
import { z } from 'zod'
import { OPERATION_IDS } from '../contract/endpoints.ts'
import { armFault, FAULT_KINDS } from '../world/faults.ts'
import { Misuse } from '../world/misuse.ts'
import { listAnswer, listOf, listQuery } from './lists.ts'
import { route } from './route.ts'
import type { OperationId } from '../contract/endpoints.ts'
import type { Fault, FaultKind } from '../world/faults.ts'

const tag = 'Faults'
const operation = z.enum(OPERATION_IDS as OperationId[])
const kind = z.enum(Object.keys(FAULT_KINDS) as FaultKind[])

const faultOut = z
  .strictObject({
    id: z.uuid(),
    on: z.strictObject({ operation }),
    subject: z.string().nullable(),
    do: kind,
    times: z.int(),
    fired: z.int(),
  })
  .meta({ id: 'Fault' })

function faultView({
  id,
  operation: operationId,
  subject,
  do: what,
  times,
  fired,
}: Fault): z.input<typeof faultOut> {
  return { id, on: { operation: operationId }, subject, do: what, times, fired }
}

const createFault = route({
  id: 'armFault',
  method: 'POST',
  path: '/faults',
  tag,
  summary:
    'Arms a fault: `dispute_changed` answers a response or evidence with 409, as if somebody had been faster',
  body: z.strictObject({
    on: z.strictObject({ operation }),
    subject: z.string().optional(),
    do: kind,
    times: z.int().min(1).max(1_000_000).default(1),
  }),
  answer: faultOut,
  status: 201,
  handle: ({ world, body: { on, subject = null, do: what, times } }) =>
    faultView(armFault(world, { operation: on.operation, subject, do: what, times })),
})

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

const clearFaults = route({
  id: 'clearFaults',
  method: 'DELETE',
  path: '/faults',
  tag,
  summary: 'Clears all faults, or the one that `id` names',
  query: z.object({ id: z.string().optional() }),
  answer: z.strictObject({ cleared: z.int() }),
  handle({ world, query: { id } }) {
    const kept = id === undefined ? [] : world.faults.filter((fault) => fault.id !== id)
    const cleared = world.faults.length - kept.length
    if (id !== undefined && cleared === 0) {
      throw new Misuse('sandbox_not_found', `No fault ${id} in this world; GET /_sandbox/faults lists them.`)
    }
    world.faults = kept
    return { cleared }
  },
})

/** Control routes of faults. */
export const FAULT_ROUTES = [createFault, listFaults, clearFaults]
