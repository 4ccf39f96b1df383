// Owns asking a server what it is, and telling a sandbox from anything else that may answer.
import { formatDuration } from '../kernel/time.ts'
import { after } from '../kernel/timers.ts'
import { SandboxError } from './errors.ts'
import type { Millis } from '../kernel/brands.ts'
import type { ControlCaller, RouteAnswer } from './call.ts'

/**
 * What a server says of itself.
 * @param wait host time after which silence counts as an answer
 * @throws {SandboxError} `unreachable`, `not_a_sandbox` or `sandbox_unauthorized`
 */
export async function infoOf(caller: ControlCaller, wait: Millis): Promise<RouteAnswer<'GET /info'>> {
  const silence = new AbortController()
  const callOff = after(wait, () => silence.abort())
  try {
    const info = await caller.send(null, 'GET /info', { signal: silence.signal })
    if ((info.name as string) === 'gateway-sandbox') return info
    throw new SandboxError('not_a_sandbox', `${caller.url} is no gateway-sandbox.`)
  } catch (error) {
    if (!silence.signal.aborted) throw error
    throw new SandboxError(
      'unreachable',
      `Nothing answers at ${caller.url} within ${formatDuration(wait)}.`,
      {
        cause: error,
      },
    )
  } finally {
    callOff()
  }
}
