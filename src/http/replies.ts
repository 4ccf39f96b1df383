// Owns what an answer of the gateway looks like: status, envelope, and the headers that say where it came from.
import { variedBody, variedMessage } from '../world/variation.ts'
import { failure, hintHeader, statusOf, success } from './envelope.ts'
import type { EndpointRow } from '../contract/endpoint.ts'
import type { SilenceId } from '../contract/silences.ts'
import type { Envelope } from './envelope.ts'
import type { Refusal } from '../domain/refusal.ts'
import type { Fault } from '../world/faults.ts'
import type { RunningWorld } from '../world/runningWorld.ts'

/** Silences that one answer names at most. */
const MAX_NAMED_SILENCES = 40

/** One answer, before it becomes a response. */
export interface Reply {
  status: number
  envelope: Envelope
  headers: Record<string, string>
  /** Names of the faults that befell the call. */
  befallen?: readonly string[]
  /** The fault that decides how it is put on the wire. */
  fault?: Fault | null
}

/** What a handler answers, whatever its endpoint. */
export interface AnySuccess {
  data: unknown
  message?: string
  headers?: Record<string, string>
}

/** A success of an endpoint. */
export function successReply(
  world: RunningWorld,
  row: EndpointRow,
  { data, message = null, headers }: Omit<AnySuccess, 'message'> & { message?: string | null },
  used: Set<SilenceId>,
): Reply {
  const status = typeof row.success === 'number' ? row.success : world.choices.get(row.success.choice)
  const envelope = varied(world, success(data, message), row)
  return { status, envelope, headers: { ...sandboxHeaders(world, used), ...headers } }
}

/** An envelope as a server varies it on purpose. */
function varied(world: RunningWorld, envelope: Envelope, row: EndpointRow | null): Envelope {
  if (!world.host.variation) return envelope
  world.state.variedAnswers += 1
  const key = String(world.state.variedAnswers)
  const { error } = envelope
  const worded: Envelope = {
    ...envelope,
    message: variedMessage(world, envelope.message, key),
    error: error && { ...error, message: variedMessage(world, error.message, key) ?? '' },
  }
  const isStated = (): boolean => row === null || row.authority.startsWith('contract')
  return variedBody(world, worded, key, isStated)
}

/** A failure of the contract, with its hint. `row` is the endpoint, when one was found. */
export function refusalReply(
  world: RunningWorld,
  refusal: Refusal,
  used: Set<SilenceId>,
  row: EndpointRow | null = null,
): Reply {
  const { refused, message, hint, headers } = refusal
  const stated = refusal.status ?? (refused === 'validation_error' ? row?.invalidStatus : null)
  const status = stated ?? world.choices.watch(used, () => statusOf(world.choices, refused))
  return {
    status,
    envelope: varied(world, failure(refused, message), row),
    headers: { ...sandboxHeaders(world, used), ...hintHeader(hint), ...headers },
  }
}

function sandboxHeaders(world: RunningWorld, used: Set<SilenceId>): Record<string, string> {
  return {
    'X-Sandbox-World': world.id,
    'X-Sandbox-Now': world.clock.stamp(),
    'X-Sandbox-Silences': [...used].toSorted().slice(0, MAX_NAMED_SILENCES).join(', '),
  }
}
