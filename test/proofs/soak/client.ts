// Owns the client of a soak: calls over kept connections, streams that come and go, and calls that nobody waits for.
import { Agent, request } from 'node:http'
import type { ClientRequest, IncomingMessage } from 'node:http'

/** One call. */
export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  token?: string
  /** Sent as JSON; a text as it is. */
  body?: unknown
  headers?: Record<string, string>
}

/** What a call was answered. */
export interface Answer {
  status: number
  type: string
  text: string
}

/** Calls a server. */
export interface Client {
  /**
   * Calls and waits for the whole answer.
   * @throws {Error} when there is none
   */
  call(call: Call): Promise<Answer>
  /** Calls, and leaves once all is sent. */
  leave(call: Call): Promise<void>
  /** Opens a stream, and answers what closes it once its head is there. Those that do not read leave all with the system. */
  listen(path: string, reads: boolean): Promise<() => void>
  /** Closes all connections. */
  close(): void
}

/** A client with so many connections. */
export function createClient(url: string, connections: number): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const streams = new Set<ClientRequest>()
  const open = ({ method, path, token, body, headers = {} }: Call, kept: Agent | false): ClientRequest => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const all = {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    }
    const sent = request(`${url}${path}`, { method, agent: kept, headers: all })
    sent.end(text)
    return sent
  }
  return {
    call: (call) =>
      new Promise((resolve, reject) => {
        const sent = open(call, agent)
        sent.on('error', reject)
        sent.on('response', (response) => void read(response).then(resolve, reject))
      }),
    leave: (call) =>
      new Promise((resolve) => {
        const sent = open(call, false)
        sent.on('error', () => {})
        sent.on('close', resolve)
        sent.on('finish', () => sent.destroy())
      }),
    listen: (path, reads) =>
      new Promise((resolve, reject) => {
        const sent = open({ method: 'GET', path }, false)
        streams.add(sent)
        sent.on('error', reject)
        sent.on('close', () => streams.delete(sent))
        sent.on('response', (response) => {
          response.on('error', () => {})
          if (reads) response.resume()
          resolve(() => void sent.destroy())
        })
      }),
    close() {
      for (const stream of streams) stream.destroy()
      agent.destroy()
    },
  }
}

async function read(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  const { statusCode: status = 0, headers } = response
  return { status, type: headers['content-type'] ?? '', text: Buffer.concat(chunks).toString() }
}
