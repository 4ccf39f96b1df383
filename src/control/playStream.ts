// Owns telling how a scenario goes while it plays, as server-sent events.
import { pause } from '../kernel/timers.ts'
import { Misuse } from '../world/misuse.ts'
import type { Context } from 'hono'
import type { Millis } from '../kernel/brands.ts'
import type { PlayWatcher, ScenarioPlayer } from './scenarioShapes.ts'

const TYPE = 'text/event-stream'

/** Whether a caller wants to be told while it plays. */
export function asksForStream(c: Context): boolean {
  return (c.req.header('Accept') ?? '').toLowerCase().includes(TYPE)
}

/** What a play that is followed gets. */
type Following = { signal: AbortSignal; watcher: PlayWatcher }

/**
 * Streams a play: `begun` with name and world, `step` with how each one went, and at last `ended` with the whole result. A
 * stream without `ended` broke off. The play stops when its caller leaves or the server ends, also within a pause.
 * @param pauseMs host time between two steps
 * @param report takes defects of the sandbox that come to light once the answer has begun
 * @throws what stopped the play before it began
 */
export async function streamPlay(
  { signal, pauseMs, report }: { signal: AbortSignal; pauseMs: Millis; report: (error: unknown) => void },
  play: (following: Following) => ReturnType<ScenarioPlayer>,
): Promise<Response> {
  const left = new AbortController()
  const stopped = AbortSignal.any([signal, left.signal])
  const events = new TransformStream<string, string>()
  const writer = events.writable.getWriter()
  writer.closed.catch(() => left.abort())
  const tell = (event: string, data: object): void => {
    writer.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).catch(() => left.abort())
  }
  await new Promise<void>((begin, refuse) => {
    const watcher: PlayWatcher = {
      begun(facts) {
        tell('begun', facts)
        begin()
      },
      async stepped(step, stop) {
        tell('step', step)
        if (pauseMs > 0) await pause(pauseMs, stop)
      },
    }
    play({ signal: stopped, watcher })
      .then(async (result) => {
        tell('ended', result)
        begin()
        await writer.close()
      })
      .catch(async (error: unknown) => {
        refuse(error)
        if (!(error instanceof Misuse) && !stopped.aborted) report(error)
        await writer.abort(error)
      })
      .catch(() => undefined)
  })
  return new Response(events.readable.pipeThrough(new TextEncoderStream()), {
    headers: { 'Content-Type': TYPE, 'Cache-Control': 'no-cache' },
  })
}
