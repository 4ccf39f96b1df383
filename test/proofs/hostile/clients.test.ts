// Checks that the server lives among hostile clients, and that the checks tell a server that does not.
import { createServer } from 'node:http'
import { describe, expect, test, vi } from 'vitest'
import { createPix } from '../../support/sandbox.ts'
import { openServer } from '../../support/server.ts'
import { checkClients, checkCrowd, checkEnd } from './clientChecks.ts'
import { HANGING_CLIENTS, WRONG_CLIENTS } from './clients.ts'
import { comesToHold } from './bounds.ts'
import { statusOf } from './peers.ts'
import type { AddressInfo } from 'node:net'
import type { Patience } from '../../../src/listener.ts'
import type { TestServer } from '../../support/server.ts'
import type { Target } from './clientChecks.ts'

// Longer than the checks are patient, so that they can say what they found.
vi.setConfig({ testTimeout: 240_000 })

/** Connections at once; the script opens thousands. */
const CROWD = 300

/** A server that waits a second for its clients, so that what hangs is ended within a test. */
const IMPATIENT: Patience = {
  headersTimeout: 1_000,
  requestTimeout: 1_500,
  keepAliveTimeout: 1_000,
  connectionsCheckingInterval: 100,
}

/** Handles of this process of one kind; both ends of a connection are here. */
const handles = (kind: RegExp): number =>
  process.getActiveResourcesInfo().filter((each) => kind.test(each)).length

function targetOf({ url, close }: Pick<TestServer, 'url' | 'close'>): Target {
  return { url, sockets: () => handles(/^TCPSocketWrap$/), end: close }
}

/** Runs something with a server, which must have no defect of its own. */
async function withServer(run: (server: TestServer) => Promise<void>, patience?: Patience): Promise<void> {
  const server = await openServer({ patience })
  try {
    await run(server)
  } finally {
    await server.close()
  }
  expect(server.defects).toEqual([])
}

test('slow, broken and endless clients are answered or let go, and others are served after each', () =>
  withServer(async (server) => {
    expect(await checkClients(targetOf(server), WRONG_CLIENTS)).toEqual([])
  }))

test('clients that stop half-way and stay are given up', () =>
  withServer(async (server) => {
    expect(await checkClients(targetOf(server), HANGING_CLIENTS)).toEqual([])
  }, IMPATIENT))

test(`a client is served among ${CROWD} open connections, of which none is left afterwards`, () =>
  withServer(async (server) => {
    const call = async (): Promise<boolean> => (await createPix(server)).status === 'Pending'
    await call()
    const found = await checkCrowd(targetOf(server), { count: CROWD, calls: 30, call })
    expect(found).toEqual({ connections: CROWD, answered: 30, findings: [] })
  }))

test('those of a crowd that never send a head are given up', () =>
  withServer(async (server) => {
    const call = (): Promise<boolean> => Promise.resolve(true)
    const order = { count: 60, calls: 0, call, untilGivenUp: true }
    expect((await checkCrowd(targetOf(server), order)).findings).toEqual([])
  }, IMPATIENT))

test('a server ends while clients of every kind hang on it, and leaves no socket and no timer', async () => {
  const before = handles(/TCP|Timeout/)
  const server = await openServer()
  const clients = [...WRONG_CLIENTS, ...HANGING_CLIENTS]
  expect(await checkEnd(targetOf(server), { count: CROWD, clients })).toEqual([])
  expect(await comesToHold(() => handles(/TCP|Timeout/) <= before)).toBe(true)
  expect(server.defects).toEqual([])
})

describe('the checks tell of a server', () => {
  /** A server of which clients get an answer, and nothing of what protects it. */
  async function withCareless(run: (target: Target) => Promise<void>): Promise<void> {
    const careless = createServer(
      { headersTimeout: 0, requestTimeout: 0, keepAliveTimeout: 0 },
      (_request, response) => response.end('fine'),
    )
    await new Promise<void>((resolve) => careless.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(careless.address() as AddressInfo).port}`
    const end = (): Promise<void> => {
      careless.close()
      return Promise.resolve()
    }
    try {
      await run({ ...targetOf({ url, close: end }) })
    } finally {
      careless.closeAllConnections()
      careless.close()
    }
  }

  const only = (name: string) =>
    [...WRONG_CLIENTS, ...HANGING_CLIENTS].filter((client) => client.name === name)

  test('that never closes a connection', () =>
    withCareless(async (target) => {
      const clients = only('half a head, and silence')
      expect(clients).toHaveLength(1)
      expect(await checkClients(target, clients, { patience: 300 })).toContain(
        'half a head, and silence: the server never closed the connection',
      )
      const left = await checkEnd(target, { count: 10, clients, patience: 300 })
      expect(left).toContainEqual(expect.stringMatching(/^\d+ connections outlived the server$/))
    }))

  test('that does not limit a body', () =>
    withCareless(async (target) => {
      const endless = { ...only('a chunked body without end')[0] } as (typeof WRONG_CLIENTS)[number]
      expect(await checkClients(target, [endless], { patience: 300 })).toContain(
        'a chunked body without end: the server never closed the connection',
      )
    }))

  test('that keeps connections, and finds nothing where no system tells of them', () =>
    withCareless(async (target) => {
      const clients = only('a reset at once')
      let asked = 0
      const growing = { ...target, sockets: () => (asked += 1) }
      expect(await checkClients(growing, clients, { patience: 300 })).toContainEqual(
        expect.stringMatching(/^\d+ connections are left of clients that went$/),
      )
      expect(await checkClients({ ...target, sockets: () => null }, clients)).toEqual([])
    }))

  test('that stops answering others', async () => {
    const busy = createServer((request, response) => {
      if (request.url !== '/health') response.end('fine')
    })
    await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(busy.address() as AddressInfo).port}`
    const target = targetOf({ url, close: () => Promise.resolve() })
    const findings = await checkClients(target, only('a reset at once'), {
      patience: 300,
      othersPatience: 300,
    })
    expect(findings).toContain('a reset at once: the server does not answer others any more')
    expect(await statusOf(url)).toBe(200)
    busy.closeAllConnections()
    busy.close()
  })
})
