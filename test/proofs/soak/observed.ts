// Owns the server as the command serves it, in a process that also tells what it holds and what is open.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { takeOrders } from '../../bench/programs/orders.ts'
import { openTimers } from './openTimers.ts'
import type * as serving from '../../../src/cli/serving.ts'
import type * as signals from '../../../src/cli/signals.ts'
import type * as startFlags from '../../../src/cli/startFlags.ts'
import type { RunningServer } from '../../../src/server.ts'
import type { Held, LoopDelays } from './judge.ts'

/** What is kept by what is collected goes only with the next collection. */
const SWEEPS = 3

/** Who listens to the default world. */
interface Listening {
  count: number
}

/** Counts who listens to the default world from now on. */
function countListeners({ worlds }: RunningServer): Listening {
  const listening = { count: 0 }
  const { feed } = worlds.default
  const { listen } = feed
  feed.listen = (...words) => {
    const stop = listen(...words)
    let listens = true
    listening.count += 1
    return () => {
      if (listens) listening.count -= 1
      listens = false
      stop()
    }
  }
  return listening
}

/** What is open, by name. What Node does between two turns of the loop is none of it. */
function countsOf({ worlds: all }: RunningServer, listening: Listening): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of process.getActiveResourcesInfo()) {
    if (name !== 'Immediate') counts[name] = (counts[name] ?? 0) + 1
  }
  const worlds = all.list()
  const inWorlds = (size: (world: (typeof worlds)[number]) => number): number =>
    worlds.reduce((sum, world) => sum + size(world), 0)
  return {
    ...counts,
    timers: openTimers(),
    'listeners to the events of the default world': listening.count,
    'listeners of the process': process
      .eventNames()
      .reduce((sum, name) => sum + process.listenerCount(name), 0),
    worlds: worlds.length,
    'snapshots of worlds': inWorlds(({ snapshots }) => snapshots.size),
    'attempts in flight': inWorlds(({ flights }) => flights.size),
    'attempts that wait': inWorlds(({ queue, extraQueue }) => queue.length + extraQueue.length),
    'calls that are being answered': inWorlds(({ answering }) => answering.size),
    'watchers of worlds': inWorlds(({ watchers }) => watchers.size),
  }
}

/**
 * Takes orders. The word behind the program is the folder that is served: `dist` or `src`.
 * @param begun told of the server once it listens
 */
export async function serveObserved(begun: (server: RunningServer) => void = () => undefined): Promise<void> {
  const [, , folder = ''] = process.argv
  const extension = basename(folder) === 'dist' ? 'js' : 'ts'
  const load = <Module>(path: string): Promise<Module> =>
    import(pathToFileURL(join(folder, `${path}.${extension}`)).href) as Promise<Module>
  const { firstSignalToEnd } = await load<typeof signals>('cli/signals')
  const { told } = firstSignalToEnd()
  const { serverOptionsOf } = await load<typeof startFlags>('cli/startFlags')
  const { serve } = await load<typeof serving>('cli/serving')
  takeOrders(ordersOf(told, async (flags) => serve(await serverOptionsOf(flags)), begun))
  // It ends by itself when nothing else is open, as the command does.
  process.channel?.unref()
}

/** What it can be told. `told` says that it is to end. */
function ordersOf(
  told: AbortSignal,
  serve: (flags: startFlags.StartValues) => Promise<RunningServer>,
  begun: (server: RunningServer) => void,
) {
  const loop = monitorEventLoopDelay({ resolution: 10 })
  let counts = (): Record<string, number> => ({})
  return {
    /** Starts with these flags of the command besides a free port, and answers the address. */
    async start(flags: startFlags.StartValues): Promise<string> {
      const server = await serve({ ...flags, port: '0' })
      told.addEventListener('abort', () => void server.close())
      const listening = countListeners(server)
      counts = () => countsOf(server, listening)
      begun(server)
      loop.enable()
      return server.url
    },

    /** What is open, by name. */
    counts: () => counts(),

    /** What is held once the garbage was collected. */
    held(): Omit<Held, 'disk'> {
      for (let sweep = 0; sweep < SWEEPS; sweep += 1) globalThis.gc?.()
      const { heapUsed: heap, external, rss } = process.memoryUsage()
      return { heap, external, rest: rss - external }
    },

    /** How late the loop was since this was asked last. */
    loop(): LoopDelays {
      const delays = { p99: loop.percentile(99) / 1e6, max: loop.max / 1e6 }
      loop.reset()
      return delays
    },
  }
}

/** What an observed server can be told. */
export type ServerOrders = ReturnType<typeof ordersOf>
