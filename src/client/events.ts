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

type ByteReader = ReadableStreamDefaultReader<Uint8Array>

/** Events that wait here for one who does not read; then the server keeps as many before it ends the feed. */
const MAX_WAITING = 10_000

/**
 * What happens in a world from this call on: the feed is opened at once, and what comes before the first `next()` waits for it.
 * Ends when the world or its server does, also when the stream breaks off, or when the signal is aborted.
 * @throws {SandboxError} at the first `next()`, when the server refused it or nothing answers
 */
export function worldEvents(
  caller: ControlCaller,
  world: string,
  signal: AbortSignal = new AbortController().signal,
): AsyncGenerator<WorldEvent, void, undefined> {
  return untilAborted(feedOf(caller, world, signal), signal)
}

async function* untilAborted(
  feed: ReadableStream<WorldEvent>,
  signal: AbortSignal,
): AsyncGenerator<WorldEvent, void, undefined> {
  for await (const event of feed) {
    if (signal.aborted) return
    yield event
  }
}

/** The events as a stream, which reads ahead by itself and keeps why it could not be opened for the first who asks. */
function feedOf(caller: ControlCaller, world: string, signal: AbortSignal): ReadableStream<WorldEvent> {
  let reader: ByteReader | null = null
  // A sandbox of this process does not see the signal: the body is what ends.
  const leave = (): void => {
    signal.removeEventListener('abort', leave)
    reader?.cancel().catch(() => undefined)
  }
  let arrived: EventSourceMessage[] = []
  const parser = createParser({ onEvent: (message) => arrived.push(message) })
  const decoder = new TextDecoder()
  return new ReadableStream<WorldEvent>(
    {
      async start() {
        reader = await openBody(caller, world, signal)
        signal.addEventListener('abort', leave)
        if (signal.aborted) leave()
      },
      async pull(controller) {
        // The stream asks again only once it was given something.
        for (let told = false; !told;) {
          const chunk = reader && (await nextOf(reader))
          if (!chunk) {
            leave()
            controller.close()
            return
          }
          parser.feed(decoder.decode(chunk, { stream: true }))
          const events = arrived.filter(({ event }) => event !== 'open')
          arrived = []
          for (const event of events) controller.enqueue(eventOf(event))
          told = events.length > 0
        }
      },
      cancel: leave,
    },
    { highWaterMark: MAX_WAITING },
  )
}

function eventOf({ event, data }: EventSourceMessage): WorldEvent {
  return { ...(JSON.parse(data) as Record<string, unknown>), kind: event } as WorldEvent
}

/** The body of the feed; null when the signal was aborted before there was one. */
async function openBody(
  caller: ControlCaller,
  world: string,
  signal: AbortSignal,
): Promise<ByteReader | null> {
  try {
    if (signal.aborted) return null
    const { body } = await caller.open(world, 'GET /events', { signal })
    return body ? (body.getReader() as ByteReader) : null
  } catch (error) {
    if (signal.aborted) return null
    throw error
  }
}

/** The next bytes; null at the end, and when the stream breaks off. */
async function nextOf(reader: ByteReader): Promise<Uint8Array | null> {
  try {
    const { value } = await reader.read()
    return value ?? null
  } catch {
    return null
  }
}
