// Owns the format of a fault as a step orders it: what it befalls, when, and what it does.
import { z } from 'zod'
import { explainNoFault, faultNamed, FAULTS } from '../world/faultKinds.ts'
import { eventType, only, operation, reference } from './words.ts'
import type { FaultAction } from '../world/faultKinds.ts'

const actions = Object.values(FAULTS).map(({ schema }) => schema) as unknown as [z.ZodType<FaultAction>]
/** What a fault does, as ordered. */
const faultAction = z
  .union(actions, { error: ({ input }) => explainNoFault(input) })
  .meta({ id: 'FaultToDo', description: 'a fault of a call or of a delivery' })

/** A fault as a step orders it. */
export const fault = only('a fault', {
  on: only('what a fault befalls', {
    operation: operation.optional().meta({ description: 'calls of this operation; all when left out' }),
    delivery: only('the deliveries that a fault befalls', {
      type: eventType.optional(),
      subject: reference.optional(),
    })
      .optional()
      .meta({ description: 'deliveries instead of calls; all when it is {}' }),
  }).optional(),
  subject: reference.optional().meta({ description: 'the record that must be concerned' }),
  nth: z.int().min(1).optional().meta({ description: 'only this one of those that fit, from 1' }),
  probability: z.number().min(0).max(1).optional().meta({ description: 'chance of each that fits' }),
  do: faultAction,
  times: z.int().min(1).optional().meta({ description: 'how often at most; once when left out' }),
  after: z.string().optional().meta({ description: 'not before this length of world time, or instant' }),
  until: z.string().optional().meta({ description: 'not after it' }),
}).superRefine(({ on, do: action }, context) => {
  if (typeof action === 'object' && 'latencyMs' in action && action.latencyMs === 'untilReleased') {
    const message =
      "'untilReleased' is no latency of a scenario: no verb lets the call go. Write host milliseconds, or {reset: before}"
    context.addIssue({ code: 'custom', path: ['do', 'latencyMs'], message })
  }
  const target = on?.delivery === undefined ? 'call' : 'delivery'
  if (faultNamed(action, target) !== null) return
  const message = `${JSON.stringify(action)} befalls no ${target}; name the ${target === 'call' ? 'deliveries' : 'operation'} with on. ${explainNoFault(action)}`
  context.addIssue({ code: 'custom', path: ['do'], message })
})
