// Owns reaching a server over the network with Node's own HTTP: fake timers of a test process do not reach into it.
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { Readable } from 'node:stream'
import type { IncomingMessage } from 'node:http'

/** Answers a request, each over a connection of its own. Rejects with the system's error when nothing answers. */
export async function networkFetch(request: Request): Promise<Response> {
  const body = Buffer.from(await request.arrayBuffer())
  const headers = { ...Object.fromEntries(request.headers), 'content-length': String(body.length) }
  const { url, method, signal } = request
  const send = url.startsWith('https:') ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const sent = send(url, { method, headers, signal, agent: false })
    sent.on('response', (answer) => resolve(toResponse(answer)))
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Statuses whose answers have no body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304])

function toResponse(answer: IncomingMessage): Response {
  const { statusCode: status = 0, rawHeaders } = answer
  const headers = new Headers()
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '')
  }
  if (WITHOUT_BODY.has(status)) {
    answer.resume()
    return new Response(null, { status, headers })
  }
  return new Response(Readable.toWeb(answer) as ReadableStream<Uint8Array>, { status, headers })
}
