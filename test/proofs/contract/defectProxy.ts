// Owns planting defects from outside: a proxy that passes calls on and changes what goes through it.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** A call on its way to the target. */
export interface Passing {
  method: string
  path: string
  headers: Headers
  body: Buffer
}

/** An answer on its way back. */
export interface Returning {
  call: Pick<Passing, 'method' | 'path'>
  status: number
  headers: Headers
  // oxlint-disable-next-line typescript/no-explicit-any -- a defect reaches into any answer
  body: any
}

/** What a proxy changes, in place. */
export interface Defect {
  there?: (passing: Passing) => void
  back?: (returning: Returning) => void
}

/** A proxy that runs. */
export interface Proxy {
  url: string
  close(): Promise<void>
}

/** Headers of one connection, which a proxy does not pass on. */
const OWN_HEADERS = ['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive']

function passed(headers: Headers): Headers {
  const kept = new Headers(headers)
  for (const name of OWN_HEADERS) kept.delete(name)
  return kept
}

/** Starts a proxy in front of a base URL. */
export async function openProxy(base: string, defect: Defect): Promise<Proxy> {
  const server = createServer((request, response) => {
    pass(base, defect, request, response).catch((error: unknown) => response.destroy(error as Error))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function pass(
  base: string,
  { there, back }: Defect,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const { method = '', url = '' } = request
  const headers = passed(new Headers(request.headers as Record<string, string>))
  const passing: Passing = { method, path: url, headers, body: Buffer.concat(chunks) }
  there?.(passing)
  const answer = await fetch(base + passing.path, {
    method,
    headers: passing.headers,
    ...(method === 'GET' || method === 'HEAD' ? {} : { body: new Uint8Array(passing.body) }),
  })
  const text = await answer.text()
  const returning: Returning = {
    call: { method, path: url },
    status: answer.status,
    headers: passed(answer.headers),
    body: text === '' ? null : JSON.parse(text),
  }
  back?.(returning)
  response.writeHead(returning.status, Object.fromEntries(returning.headers))
  response.end(text === '' ? undefined : JSON.stringify(returning.body))
}
