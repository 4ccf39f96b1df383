// Owns playing scenarios for callers of the control API: through the app's own fetch, and only so many at once.
import { createCaller } from './client/call.ts'
import { createWorldHandle } from './client/world.ts'
import { soon } from './kernel/timers.ts'
import { ScenarioError } from './scenario/problems.ts'
import { Misuse } from './world/misuse.ts'
import type { Transport } from './client/call.ts'
import type { ScenarioPlayer } from './control/scenarioShapes.ts'
import type { Host } from './world/runningWorld.ts'

/** Scenarios that one server plays at the same time. */
const MAX_PLAYS = 100

/** What a player needs of its server. */
export interface PlayerOptions {
  host: Host
  /** Answers as the server does, without a socket. */
  answer: Transport
  controlToken: string | null
  /** Aborted when the server ends. */
  ending: AbortSignal
}

/** What plays the scenarios that are sent to a server. */
export function createPlayer({ host, answer, controlToken, ending }: PlayerOptions): ScenarioPlayer {
  let playing = 0
  let turn = Promise.resolve()
  // One call each turn of the event loop: without sockets in between, stories would leave the network and others none.
  const transport: Transport = async (request) => {
    turn = turn.then(() => new Promise<void>(soon))
    await turn
    return answer(request)
  }

  return async (text, { file, signal, watcher }) => {
    if (playing >= MAX_PLAYS) {
      throw new Misuse(
        'sandbox_too_many_plays',
        `This server plays ${MAX_PLAYS} scenarios already; send this one again once some have ended.`,
      )
    }
    playing += 1
    const stop = AbortSignal.any([signal, ending])
    try {
      // Loaded when it is needed: the start of a server does not wait for it.
      const { playText } = await import('./scenario/play.ts')
      const caller = createCaller(host.publicUrl, transport, controlToken ?? undefined)
      const world = async (body: object) =>
        createWorldHandle(caller, await caller.send(null, 'POST /worlds', { body }))
      return await playText({ world }, text, { file, signal: stop, watcher })
    } catch (error) {
      if (error instanceof ScenarioError) {
        throw new Misuse('sandbox_bad_scenario', error.message, {}, error.problems)
      }
      // Nobody waits for this answer any more, and it is no defect.
      if (stop.aborted) {
        throw new Misuse('sandbox_bad_request', 'The play was stopped: its caller left, or the server ends.')
      }
      throw error
    } finally {
      playing -= 1
    }
  }
}
