// Owns the live feed as an async iterable.
import { createParser } from 'eventsource-parser'
import type { EventSourceMessage } from 'eventsource-parser'
import type { FeedKind } from '../world/feed.ts'
import type { ControlCaller } from './call.ts'

/** One thing that happened in a world. */
export interface WorldEvent {
  kind: FeedKind
  /** ISO 8601, on the world's clock. */
  at: string
  /** Facts of the kind, such as `operation` and `status` of a call. */
  [fact: string]: unknown
}

/** What happens in a world from now on; ends when the world does, or when the signal is aborted. */
export async function* worldEvents(
  caller: ControlCaller,
  world: string,
  signal?: AbortSignal,
): AsyncGenerator<WorldEvent, void, undefined> {
  const { body } = await caller.open(world, 'GET /events', signal === undefined ? {} : { signal })
  if (!body) return
  let arrived: EventSourceMessage[] = []
  const parser = createParser({ onEvent: (message) => arrived.push(message) })
  const decoder = new TextDecoder()
  try {
    for await (const chunk of body) {
      parser.feed(decoder.decode(chunk as Uint8Array, { stream: true }))
      const messages = arrived
      arrived = []
      for (const { event, data } of messages) {
        if (event === 'open') continue
        yield { ...(JSON.parse(data) as Record<string, unknown>), kind: event } as WorldEvent
      }
    }
  } catch (error) {
    if (!signal?.aborted) throw error
  }
}
