// Owns what faults do to one call of the gateway: which befall it, what they answer instead, and how long it waits.
import { GATEWAY_ERRORS } from '../contract/errors.ts'
import { refuse } from '../domain/refusal.ts'
import { revokeToken } from '../domain/revokedTokens.ts'
import { actionOf, takeFault } from '../world/faults.ts'
import { holdCall, latencyOf } from '../world/heldCalls.ts'
import type { Refusal } from '../domain/refusal.ts'
import type { Random } from '../kernel/random.ts'
import type { FaultName } from '../world/faultKinds.ts'
import type { CallHappening, Fault } from '../world/faults.ts'
import type { HeldCall } from '../world/heldCalls.ts'
import type { RunningWorld } from '../world/runningWorld.ts'

/** The faults that befall one call, at most one at each moment. */
export interface CallFaults {
  instead: Fault | null
  /** Holds the answer back, from now on; null when nothing does. */
  held: HeldCall | null
  answer: Fault | null
  /** Names of all of them. */
  names: FaultName[]
}

/** Nothing befalls a call. */
export const NO_FAULTS: CallFaults = { instead: null, held: null, answer: null, names: [] }

/** Takes the faults that befall a call. An answer that is held back lets go when its caller is gone. */
export function takeCallFaults(world: RunningWorld, happening: CallHappening, request: Request): CallFaults {
  if (world.faults.length === 0) return NO_FAULTS
  const { method, signal } = request
  const instead = takeFault(world, 'instead', happening)
  if (actionOf(instead, 'resetBefore')) return { ...NO_FAULTS, instead, names: ['resetBefore'] }
  const delay = takeFault(world, 'delay', happening)
  const latency = actionOf(delay, 'latency')
  // The answer to HEAD has no body that could come wrongly.
  const answer = instead || method === 'HEAD' ? null : takeFault(world, 'answer', happening)
  const held =
    delay && latency ? holdCall(world, delay.id, latencyOf(chanceFor(world, delay), latency), signal) : null
  const names = [instead, delay, answer].flatMap((fault) => (fault ? [fault.name] : []))
  return { instead, held, answer, names }
}

/** Chance for what a fault draws when it fires, the same in every run. */
function chanceFor(world: RunningWorld, { id, fired }: Fault): Random {
  return world.chance(`fault/${id}/latency/${fired}`)
}

/** What a fault answers instead of the work; null when the connection is reset. */
export function answerInstead(world: RunningWorld, fault: Fault, tokenId: string | null): Refusal | null {
  if (actionOf(fault, 'resetBefore')) return null
  if (actionOf(fault, 'revokeToken')) {
    if (tokenId !== null) revokeToken(world, tokenId)
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
