// Owns the waits of a world whose vain end says what was still open, or what came instead.
import { SandboxError } from './errors.ts'
import { listEntries } from './records.ts'
import type { CallInput, ControlCaller, RouteAnswer, RouteName } from './call.ts'

type Body<Name extends RouteName> = NonNullable<CallInput<Name>['body']>

/**
 * Waits until nothing is due, in flight or being answered.
 * @throws {SandboxError} `not_settled` at the end of the time-out, with what is still open
 */
export async function settle(
  caller: ControlCaller,
  world: string,
  body: Body<'POST /settle'>,
): Promise<RouteAnswer<'POST /settle'>> {
  try {
    return await caller.send(world, 'POST /settle', { body })
  } catch (error) {
    if (!(error instanceof SandboxError) || error.code !== 'not_settled') throw error
    const { status, details } = error
    const { open } = details as { open: { kind: string; id: string; why: string; hint: string }[] }
    const lines = open.map(({ kind, id, why, hint }) => `\n  ${kind} ${id}: ${why}; ${hint}`)
    throw new SandboxError('not_settled', `World '${world}' did not settle. Still open:${lines.join('')}`, {
      status,
      details,
      cause: error,
    })
  }
}

/**
 * The next call of the gateway that fits.
 * @throws {SandboxError} `no_exchange` when none comes in time, with the latest ones
 */
export async function nextExchange(
  caller: ControlCaller,
  world: string,
  body: Body<'POST /exchanges/wait'>,
): Promise<RouteAnswer<'GET /exchanges/{id}'>> {
  try {
    return await caller.send(world, 'POST /exchanges/wait', { body })
  } catch (error) {
    if (!(error instanceof SandboxError) || error.code !== 'no_exchange') throw error
    const latest = await listEntries(caller, world, 'GET /exchanges', { limit: 5 })
    const calls = latest.map(({ method, path, status }) => `${method} ${path} ${status}`).join(', ')
    throw new SandboxError(
      'no_exchange',
      `No call that fits ${JSON.stringify(body)} came within ${body.wait ?? '5s'}. The latest calls: ${calls || 'none'}.`,
      { status: error.status, details: error.details, cause: error },
    )
  }
}
