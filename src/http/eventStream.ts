// Owns telling what happens in a world as server-sent events.
import { streamSSE } from 'hono/streaming'
import type { Context } from 'hono'
import type { FeedItem } from '../world/feed.ts'
import type { RunningWorld } from '../world/runningWorld.ts'

/** Things that a slow listener may be behind before it is cut off. */
const MAX_BACKLOG = 10_000

/** What a listener is told of a thing that happened; null when it is none of its business. */
type Told = (item: FeedItem) => Record<string, unknown> | null

/** Everything, with all its facts. */
const everything: Told = ({ at, facts }) => ({ at, ...facts })

/** Streams what happens from now on, until the listener goes or the world ends. Begins with an event `open`. */
export function streamFeed(c: Context, world: RunningWorld, told: Told = everything): Response {
  return streamSSE(c, async (stream) => {
    const backlog: { event: string; data: string }[] = []
    const listening = new AbortController()
    let wake = (): void => undefined
    const arrival = (): Promise<void> =>
      new Promise((resolve) => {
        wake = resolve
      })
    const end = (): void => {
      listening.abort()
      wake()
    }
    const stop = world.feed.listen((item) => {
      const facts = told(item)
      if (!facts) return
      if (backlog.push({ event: item.kind, data: JSON.stringify(facts) }) > MAX_BACKLOG) end()
      wake()
    }, end)
    listening.signal.addEventListener('abort', stop)
    stream.onAbort(end)
    await stream.writeSSE({ event: 'open', data: JSON.stringify({ world: world.id }) })
    while (!listening.signal.aborted) {
      const message = backlog.shift()
      await (message ? stream.writeSSE(message) : arrival())
    }
  })
}
