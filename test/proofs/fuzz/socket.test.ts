// Fuzz over sockets: each check of an answer sees the defect that it is for.
import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { wireProblems } from './check.ts'
import { readOperations } from './documents.ts'
import { fuzzSockets } from './socket.ts'
import type { AddressInfo, Socket } from 'node:net'
import type { WireKind } from './wireDamage.ts'

const OPERATIONS = readOperations()
/** Host milliseconds for what starts servers again and again. */
const LONG = 240_000

/** Sends to a server of bytes that does with each connection as it is told; the app is not asked. */
async function overPlantedSocket(
  handle: (socket: Socket) => void,
  patienceMs = 30_000,
): Promise<string | null> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('data', () => handle(socket))
  })
  await new Promise<void>((begun) => server.listen(0, '127.0.0.1', begun))
  const { port } = server.address() as AddressInfo
  const operations = OPERATIONS.filter(({ id }) => id === 'getBalance')
  try {
    const url = `http://127.0.0.1:${port}`
    return (await fuzzSockets({ seed: 1, requests: 10, operations, url, patienceMs })).failure
  } finally {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
}

/** The bytes of an answer. */
function answerOf(status: number, type: string, body: string): string {
  return `HTTP/1.1 ${status} Planted\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

describe('a planted defect of a socket is told:', () => {
  it.each([
    [
      'an empty 404',
      answerOf(404, 'text/plain', ''),
      /getBalance declares|the body is no JSON|is no envelope/,
    ],
    [
      'a success that is junk',
      answerOf(200, 'application/json', 'junk'),
      /getBalance 200: the body is no JSON|the answer 200 is no JSON: junk/,
    ],
    [
      'a refusal that is a page',
      answerOf(401, 'text/html', '<h1>no</h1>'),
      /the type is 'text\/html'|is of the type 'text\/html'/,
    ],
    ['a 500', answerOf(500, 'application/json', '{}'), /the status is 500/],
  ])(
    '%s',
    async (_name, answer, problem) => {
      const failure = await overPlantedSocket((socket) => socket.end(answer))
      expect(failure).toMatch(problem)
      expect(failure).toMatch(/\nreplay: npm run prove:fuzz -- --seed 1 --requests 0 --sockets \d+$/)
    },
    LONG,
  )

  it(
    'a connection that is closed without an answer',
    async () => {
      const failure = await overPlantedSocket((socket) => socket.destroy())
      expect(failure).toMatch(/there is no answer: the connection was closed/)
    },
    LONG,
  )

  it(
    'a request that is never answered',
    async () => {
      const failure = await overPlantedSocket(() => undefined, 50)
      expect(failure).toMatch(/there is no answer in time, and the connection stays open/)
    },
    LONG,
  )

  const seen = (status: number, type: string, text: string) => ({
    status,
    header: (name: string) => (name === 'content-type' ? type : null),
    text,
  })
  const to = (kind: WireKind | null, path = '/v1/balance') => ({
    kind,
    path,
    isScripted: false,
    isAbandoned: false,
  })

  it('no answer in time, also where none may come', () => {
    expect(wireProblems(to('cutRequest'), 'closed', [])).toEqual([])
    expect(wireProblems(to('cutRequest'), 'timed out', [])).toHaveLength(1)
    expect(wireProblems(to('chunked'), 'closed', [])).toHaveLength(1)
    expect(wireProblems({ ...to('chunked'), isAbandoned: true }, 'closed', [])).toEqual([])
  })

  it('a bare status', () => {
    for (const kind of ['badHost', 'expectation'] as const) {
      expect(wireProblems(to(kind), seen(400, '', ''), [])).toContainEqual(
        expect.stringContaining('is no envelope'),
      )
    }
  })

  it('a page where the gateway answers', () => {
    const page = seen(404, 'text/html', '<h1>no</h1>')
    expect(wireProblems(to('twiceHeader', '/docs/none'), page, [])).toEqual([])
    for (const path of ['/v1/balance', '/payments', '/filesX']) {
      expect(wireProblems(to('twiceHeader', path), page, [])).toContainEqual(
        expect.stringContaining("is of the type 'text/html'"),
      )
    }
  })
})
