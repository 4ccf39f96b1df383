// Owns putting an answer on the wire wrongly, as a fault orders: lost, broken off, no JSON, empty, in small pieces.
import { after } from '../kernel/timers.ts'
import { actionOf } from '../world/faults.ts'
import type { Context } from 'hono'
import type { Socket } from 'node:net'
import type { Millis } from '../kernel/brands.ts'
import type { Fault } from '../world/faults.ts'

/** A connection that was reset on purpose. Without a socket it is what the caller's fetch fails with. */
export class ConnectionReset extends Error {
  override readonly name = 'ConnectionReset'
}

/** The socket of a call; undefined when it came without one. */
function socketOf(c: Context): Socket | undefined {
  return (c.env as { incoming?: { socket?: Socket } } | undefined)?.incoming?.socket
}

/** Resets the connection of a call, so that its caller sees no answer. */
export function resetConnection(c: Context): never {
  socketOf(c)?.resetAndDestroy()
  throw new ConnectionReset('a fault reset the connection')
}

/** The answer of a call as a fault puts it on the wire. */
export function misanswered(c: Context, response: Response, text: string, fault: Fault): Response {
  if (actionOf(fault, 'resetAfter')) resetConnection(c)
  const { status } = response
  const headers = new Headers(response.headers)
  const mime = actionOf(fault, 'contentType')
  if (mime) {
    headers.set('Content-Type', mime.contentType)
    return new Response(text, { status, headers })
  }
  const dribble = actionOf(fault, 'dribble')?.dribble
  if (dribble) {
    const { bytes, everyMs } = dribble
    return new Response(inPieces(text, bytes, everyMs as Millis), { status, headers })
  }
  switch (actionOf(fault, 'answerBody')?.body) {
    case 'truncated': {
      headers.set('Content-Length', String(Buffer.byteLength(text)))
      return new Response(brokenOff(c, text), { status, headers })
    }
    case 'malformed':
      return new Response(text.slice(0, -1), { status, headers })
    case 'empty':
      return new Response(null, { status, headers })
    case undefined:
      return response
    default:
      throw new TypeError('a fault at the moment `answer` that is not known here')
  }
}

/** The first half of a text, and then the connection breaks. */
function brokenOff(c: Context, text: string): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  const socket = socketOf(c)
  let sent = false
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    if (!sent) controller.enqueue(bytes.subarray(0, Math.ceil(bytes.length / 2)))
    else if (!socket) controller.error(new ConnectionReset('a fault broke off the answer'))
    else {
      socket.destroySoon()
      controller.close()
    }
    sent = true
  }
  // Asked for piece by piece: the connection ends once the first half was written, not before.
  return new ReadableStream({ pull }, { highWaterMark: 0 })
}

function inPieces(text: string, size: number, every: Millis): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  let at = 0
  let callOff = (): void => undefined
  return new ReadableStream({
    pull: (controller) =>
      new Promise((resolve) => {
        callOff = after(at === 0 ? (0 as Millis) : every, () => {
          controller.enqueue(bytes.subarray(at, at + size))
          at += size
          if (at >= bytes.length) controller.close()
          resolve()
        })
      }),
    cancel: () => callOff(),
  })
}
