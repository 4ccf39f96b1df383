// Owns the verb `tail`: shows what happens in a world of a running server, live.
import { SandboxError } from '../client/errors.ts'
import { worldEvents } from '../client/events.ts'
import { connect, CONNECT_FLAGS } from './connect.ts'
import { paintFor, printJson } from './print.ts'
import { firstSignalToEnd } from './signals.ts'
import { eventLine } from './tailLine.ts'
import { guess, readCommand, UsageError } from './usage.ts'
import type { Connection, ConnectValues } from './connect.ts'
import type { WorldEvent } from '../client/events.ts'
import type { FeedKind } from '../world/feed.ts'

const COMMAND = {
  usage: 'tail [options]',
  example: 'tail --kind transition,attempt',
  flags: {
    kind: {
      type: 'string',
      value: 'KINDS',
      summary: 'only these: call, transition, delivery, attempt, clock, setup (all)',
      argumentOnly: true,
    },
    readable: {
      type: 'boolean',
      summary: 'prints lines for people also when this is no terminal',
      argumentOnly: true,
    },
    ...CONNECT_FLAGS,
  },
  notes: [
    'On a terminal it prints lines for people; elsewhere one line of JSON for each event. It ends with the server or Ctrl-C.',
  ],
} as const

const KINDS: readonly FeedKind[] = ['call', 'transition', 'delivery', 'attempt', 'clock', 'setup']

/** Runs `tail`; resolves when the feed ends. */
export async function tail(args: string[], ending = firstSignalToEnd()): Promise<void> {
  const read = readCommand(COMMAND, args)
  if (!read) return
  const kinds = kindsOf(read.flags.kind)
  const stop = new AbortController()
  const end = (): void => stop.abort()
  ending.told.addEventListener('abort', end)
  if (ending.told.aborted) return
  process.stdout.on('error', end)
  const connection = await connectUntil(stop.signal, read.flags)
  if (connection === null) return
  const { caller, world } = connection
  const people = !read.flags.json && (read.flags.readable === true || process.stdout.isTTY)
  const paint = paintFor(process.stdout, process.env)
  const print = (event: WorldEvent): void =>
    people ? console.log(eventLine(event, paint)) : printJson(event)
  if (people) console.error(`Watching world '${world}' of ${caller.url}. Ctrl-C ends it.`)
  try {
    for await (const event of worldEvents(caller, world, stop.signal)) {
      if (kinds.includes(event.kind)) print(event)
    }
  } catch (error) {
    // A stream that breaks off is the end of the server; what the server refuses is not.
    if (error instanceof SandboxError) throw error
  }
}

/** Connects to a server; null when the signal came first. */
async function connectUntil(stop: AbortSignal, values: ConnectValues): Promise<Connection | null> {
  try {
    return await connect(values, { stop })
  } catch (error) {
    if (stop.aborted) return null
    throw error
  }
}

function kindsOf(text: string | undefined): readonly FeedKind[] {
  if (text === undefined) return KINDS
  const known: readonly string[] = KINDS
  return text.split(',').map((word) => {
    const kind = word.trim()
    if (known.includes(kind)) return kind as FeedKind
    throw new UsageError(`--kind '${kind}' is none of ${known.join(', ')}.${guess(kind, known)}`)
  })
}
