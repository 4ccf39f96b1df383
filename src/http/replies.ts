// Owns what an answer of the gateway looks like: status, envelope, and the headers that say where it came from.
import { SANDBOX_ERRORS } from '../contract/errors.ts'
import { toTimestamp } from '../kernel/time.ts'
import { failureBody, headerText, statusOf, successBody } from './envelope.ts'
import type { EndpointRow } from '../contract/endpoint.ts'
import type { SilenceId } from '../contract/silences.ts'
import type { Refusal } from '../domain/refusal.ts'
import type { RunningWorld } from '../world/runningWorld.ts'

/** Silences that one answer names at most. */
const MAX_NAMED_SILENCES = 40

/** One answer, before it becomes a response. */
export interface Reply {
  status: number
  body: string
  headers: Record<string, string>
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
  { success }: EndpointRow,
  { data, message = null, headers }: Omit<AnySuccess, 'message'> & { message?: string | null },
  used: Set<SilenceId>,
): Reply {
  const status = typeof success === 'number' ? success : world.choices.get(success.choice)
  return { status, body: successBody(data, message), headers: { ...sandboxHeaders(world, used), ...headers } }
}

/** A failure of the contract, with its hint. */
export function refusalReply(world: RunningWorld, refusal: Refusal, used: Set<SilenceId>): Reply {
  const { refused, message, hint, headers } = refusal
  const status = world.choices.watch(used, () => statusOf(world.choices, refused))
  return {
    status,
    body: failureBody(refused, message),
    headers: { ...sandboxHeaders(world, used), 'X-Sandbox-Hint': headerText(hint), ...headers },
  }
}

/** The loud answer of what is declared but not built. */
export function notBuiltReply(world: RunningWorld, message: string, used: Set<SilenceId>): Reply {
  return {
    status: SANDBOX_ERRORS.sandbox_not_built.status,
    body: failureBody('sandbox_not_built', message),
    headers: { ...sandboxHeaders(world, used), 'X-Sandbox-Hint': headerText(message) },
  }
}

function sandboxHeaders(world: RunningWorld, used: Set<SilenceId>): Record<string, string> {
  return {
    'X-Sandbox-World': world.id,
    'X-Sandbox-Now': toTimestamp(world.clock.now()),
    'X-Sandbox-Silences': [...used].toSorted().slice(0, MAX_NAMED_SILENCES).join(', '),
  }
}
