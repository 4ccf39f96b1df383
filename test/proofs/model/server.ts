// Owns the sandbox under test: without a socket, its receivers answering at once, its worlds kept in a file where a program asks.
import { createApp } from '../../../src/app.ts'
import { ConnectionReset } from '../../../src/http/misanswer.ts'
import { openStore } from '../../../src/world/dataStore.ts'
import { parseClockStart } from '../../../src/world/clockStart.ts'
import { planWake } from '../../../src/world/run.ts'
import { createWorlds } from '../../../src/world/worlds.ts'
import { fakeHost } from '../../support/fakeHost.ts'
import type { DataStore } from '../../../src/world/dataStore.ts'
import type { Worlds } from '../../../src/world/worlds.ts'
import type { Sender } from '../../../src/webhooks/send.ts'
import type { Hook } from './world.ts'

/** Address under which the sandbox believes to be. */
export const URL_OF_SERVER = 'http://sandbox.test'

/** Address of a receiver. */
export function hookUrl(hook: Hook): string {
  return `http://shop.test/${hook}`
}

/** What a defect is planted with: it may change how requests are heard, and is told of every answered one and of every restart. */
export interface Plant {
  heard?(request: Request): Request
  answered?(request: { method: string; path: string }, status: number, worlds: Worlds): void | Promise<void>
  restarted?(worlds: Worlds): void
}

/** A sandbox under test. */
export interface Server {
  worlds(): Worlds
  /** Answers a request; `address` is the one that it comes from. */
  fetch(request: Request, address?: string): Promise<Response>
  /** Webhooks that receivers got so far. */
  received(): number
  /** Defects that the sandbox reported. */
  defects: Error[]
  /** Ends it and starts it again: on its file, or without one. */
  restart(how: 'ended' | 'killed' | 'lost'): Promise<void>
  close(): Promise<void>
}

/** One run of the sandbox, between two restarts. */
interface Running {
  worlds: Worlds
  store: DataStore | null
  answer(request: Request, address?: string): Promise<Response>
}

/** What a caller sees of a connection that is reset. */
function breakOff(): never {
  throw new ConnectionReset('a fault reset the connection')
}

/** The socket of a call that comes from an address. */
function socketOf(remoteAddress: string | undefined): object | undefined {
  return remoteAddress === undefined
    ? undefined
    : { incoming: { socket: { remoteAddress, resetAndDestroy: breakOff, destroySoon: breakOff } } }
}

/** Starts a sandbox; `file` keeps its worlds. */
export async function openServer(file: string | null, plant: Plant = {}): Promise<Server> {
  const defects: Error[] = []
  const report = (defect: unknown): void =>
    void defects.push(defect instanceof Error ? defect : new Error('a defect that is no error'))
  let received = 0
  let running = await run(file)

  /** Receivers outside answer by their address; inboxes of the sandbox itself take what they are sent. */
  const sender: Sender = {
    async send({ url, headers, body }) {
      received += 1
      if (!url.startsWith(URL_OF_SERVER)) return { status: url === hookUrl('good') ? 204 : 500, answer: '' }
      const sent = new Request(url, { method: 'POST', headers, body: new Uint8Array(body) })
      const { status } = await running.answer(sent)
      return { status, answer: '' }
    },
  }

  async function run(path: string | null): Promise<Running> {
    const time = fakeHost()
    const store =
      path === null ? null : await openStore({ path, time, durable: false, say: () => undefined, report })
    const host = {
      time,
      sender: { send: (shipment) => sender.send(shipment) } satisfies Sender,
      publicUrl: URL_OF_SERVER,
      secretStyle: 'byName',
      container: false,
      rewriteLocalhost: null,
      callbackAllow: null,
      autoConfirm: null,
      variation: null,
      keeper: store,
      report,
    } as const
    const clock = parseClockStart('2030-01-01T12:00:00.000Z')
    const worlds = createWorlds(host, { seed: 'model', clock }, store)
    await store?.begin(worlds)
    const app = createApp(worlds, { controlToken: null })
    for (const world of worlds.list()) planWake(world)
    return { worlds, store, answer: async (request, address) => app.fetch(request, socketOf(address)) }
  }

  async function end({ worlds, store }: Running, how: 'ended' | 'killed'): Promise<void> {
    await store?.written()
    if (how === 'killed' && store) return store.drop()
    worlds.close()
    await store?.close()
  }

  return {
    worlds: () => running.worlds,
    async fetch(request, address) {
      const { method, url } = request
      const { pathname } = new URL(url)
      const response = await running.answer(plant.heard?.(request) ?? request, address)
      await plant.answered?.({ method, path: pathname }, response.status, running.worlds)
      return response
    },
    received: () => received,
    defects,
    async restart(how) {
      await end(running, how === 'killed' ? 'killed' : 'ended')
      running = await run(how === 'lost' ? null : file)
      plant.restarted?.(running.worlds)
    },
    close: () => end(running, 'ended'),
  }
}
