// Owns what faults do to one call of the gateway: which befall it, what they answer instead, and how long it waits.
import { GATEWAY_ERRORS } from '../contract/errors.ts'
import { refuse } from '../domain/refusal.ts'
import { actionOf, takeFault } from '../world/faults.ts'
import { holdCall, latencyOf } from '../world/heldCalls.ts'
import type { OperationId } from '../contract/endpoints.ts'
import type { Refusal } from '../domain/refusal.ts'
import type { Fault } from '../world/faults.ts'
import type { RunningWorld } from '../world/runningWorld.ts'

/** The faults that befall one call, at most one at each moment. */
export interface CallFaults {
  instead: Fault | null
  delay: Fault | null
  answer: Fault | null
}

const NO_FAULTS: CallFaults = { instead: null, delay: null, answer: null }

/** Takes the faults that befall a call. */
export function takeCallFaults(
  world: RunningWorld,
  operation: OperationId,
  subject: string | null,
): CallFaults {
  if (world.faults.length === 0) return NO_FAULTS
  const happening = { call: operation, subject }
  const instead = takeFault(world, 'instead', happening)
  return {
    instead,
    delay: takeFault(world, 'delay', happening),
    answer: instead ? null : takeFault(world, 'answer', happening),
  }
}

/** What a fault answers instead of the work; null when the connection is reset. */
export function answerInstead(world: RunningWorld, fault: Fault, tokenId: string | null): Refusal | null {
  if (actionOf(fault, 'resetBefore')) return null
  if (actionOf(fault, 'revokeToken')) {
    if (tokenId !== null) world.state.revokedTokens[tokenId] = true
    return refuse('unauthorized', `The fault ${fault.id} revoked the token of this call; get a new one.`)
  }
  const { status, code = codeOf(status), retryAfterS } = actionOf(fault, 'refuse') ?? { status: 500 }
  const refusal = refuse(code, `The fault ${fault.id} refused this call; nothing was done.`)
  if (status !== undefined) refusal.status = status
  if (retryAfterS !== undefined) refusal.headers = { 'Retry-After': String(retryAfterS) }
  return refusal
}

/** The code that goes with a status when none is ordered: the first of the table that has it. */
function codeOf(status = 500): keyof typeof GATEWAY_ERRORS {
  const codes = Object.keys(GATEWAY_ERRORS) as (keyof typeof GATEWAY_ERRORS)[]
  return codes.find((code) => GATEWAY_ERRORS[code].status === status) ?? 'internal_error'
}

/** Waits as long as a fault holds the answer of a call back. */
export async function holdBack(world: RunningWorld, fault: Fault | null): Promise<void> {
  const latency = actionOf(fault, 'latency')
  if (fault && latency) await holdCall(world, fault.id, latencyOf(world.random, latency))
}
