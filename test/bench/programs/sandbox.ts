// The sandbox as the command serves it, in a process that can also be told to store transactions at once and to weigh itself.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { takeOrders } from './orders.ts'
import type * as startFlags from '../../../src/cli/startFlags.ts'
import type * as serving from '../../../src/cli/serving.ts'
import type * as transactions from '../../../src/domain/transactions.ts'
import type * as snapshots from '../../../src/world/snapshots.ts'
import type { RunningServer } from '../../../src/server.ts'
import type { RunningWorld } from '../../../src/world/runningWorld.ts'

const [, , package_ = ''] = process.argv

/** A module of the measured package. */
const load = <Module>(path: string): Promise<Module> =>
  import(pathToFileURL(join(package_, 'dist', path)).href) as Promise<Module>

const { serverOptionsOf } = await load<typeof startFlags>('cli/startFlags.js')
const { serve } = await load<typeof serving>('cli/serving.js')
const { createTransaction } = await load<typeof transactions>('domain/transactions.js')
const { saveText } = await load<typeof snapshots>('world/snapshots.js')

let server: RunningServer | null = null

function worldOf(id: string): RunningWorld {
  const world = server?.worlds.get(id)
  if (!world) throw new Error(`no world '${id}'`)
  return world
}

const ORDERS = {
  /** Starts with these flags of the command besides a free port, and answers the address. */
  async start(flags: startFlags.StartValues): Promise<string> {
    server = await serve(await serverOptionsOf({ clock: 'frozen', ...flags, port: '0' }))
    return server.url
  },

  /**
   * Stores PIX transactions of the first merchant of a world by the gateway's own rules, without a call for each.
   * They expire at as many instants as are named, a minute apart.
   * @returns their ids
   */
  store(
    id: string,
    { count, callbackUrl, instants }: { count: number; callbackUrl?: string; instants: number },
  ): string[] {
    const world = worldOf(id)
    const [organizationId = ''] = Object.keys(world.state.organizations)
    const scope = { organizationId, environment: 'Sandbox' } as const
    const storeOne = (number: number): string => {
      const made = createTransaction(world, scope, {
        method: 'Pix',
        amount: 1_990,
        description: 'Pedido',
        pixExpirationMinutes: 30 + (number % instants),
        callbackUrl,
      })
      if (!('id' in made)) throw new Error(`not stored: ${made.hint}`)
      return made.id
    }
    return world.clock.pin(() => Array.from({ length: count }, (_, number) => storeOne(number)))
  },

  /** Bytes of the heap that are in use. */
  heap(): number {
    for (let sweep = 0; sweep < 3; sweep += 1) globalThis.gc?.()
    return process.memoryUsage().heapUsed
  },

  /** Bytes of a world as JSON. */
  saved: (id: string): number => Buffer.byteLength(saveText(worldOf(id))),

  /** How long Node itself takes to copy the state of a world, in milliseconds. */
  clone(id: string): number {
    const { state } = worldOf(id)
    const began = performance.now()
    structuredClone(state)
    return performance.now() - began
  },

  /** Ends the server as a signal would, so that everything is on disk that should be. */
  stop: () => server?.close(),
}

/** What the sandbox can be told. */
export type SandboxOrders = typeof ORDERS

takeOrders(ORDERS)
