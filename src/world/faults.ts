// Owns faults: misbehaviour that a test arms and that then fires, a number of times. `dispute_changed` is the first.
import { Misuse } from './misuse.ts'
import type { OperationId } from '../contract/endpoints.ts'
import type { Random } from '../kernel/random.ts'

/** Faults that a world holds. */
const MAX_FAULTS = 1_000

/** Each fault by its name, with the operations that it can befall. */
export const FAULT_KINDS = {
  /** Somebody changed the dispute between the merchant's reading and writing: 409 `conflict`. */
  dispute_changed: ['respondToDispute', 'addDisputeEvidence'],
} as const satisfies Record<string, readonly OperationId[]>

/** Name of a fault. */
export type FaultKind = keyof typeof FAULT_KINDS

/** An armed fault. */
export interface Fault {
  id: string
  operation: OperationId
  /** The one record that it befalls; null for any. */
  subject: string | null
  do: FaultKind
  /** How often it fires before it is used up. */
  times: number
  fired: number
}

/** What faults need of a world. */
interface Faulty {
  faults: Fault[]
  random: Random
}

/** Arms a fault. */
export function armFault(world: Faulty, fault: Omit<Fault, 'id' | 'fired'>): Fault {
  const known: readonly OperationId[] = FAULT_KINDS[fault.do]
  if (!known.includes(fault.operation)) {
    throw new Misuse(
      'sandbox_bad_request',
      `${fault.do} befalls ${known.join(' or ')}, not ${fault.operation}.`,
    )
  }
  if (world.faults.length >= MAX_FAULTS) {
    throw new Misuse(
      'sandbox_bad_request',
      `A world holds ${MAX_FAULTS} faults; DELETE /_sandbox/faults clears them.`,
    )
  }
  const armed = { id: world.random.uuid(), ...fault, fired: 0 }
  world.faults.push(armed)
  return armed
}

/** The armed fault that befalls a call, now counted as fired; null when there is none. */
export function takeFault(
  world: Pick<Faulty, 'faults'>,
  operation: OperationId,
  subject: string,
): Fault | null {
  const fault = world.faults.find(
    (each) =>
      each.operation === operation &&
      (each.subject === null || each.subject === subject) &&
      each.fired < each.times,
  )
  if (fault) fault.fired += 1
  return fault ?? null
}

/** Ids of the faults that never fired. */
export function unusedFaults(world: Pick<Faulty, 'faults'>): string[] {
  return world.faults.filter(({ fired }) => fired === 0).map(({ id }) => id)
}
