// Owns a worker thread of vitest that stays alive between runs, so that what was loaded once serves every mutant.
import { ThreadsPoolWorker } from 'vitest/node'
import type { PoolOptions, PoolWorker } from 'vitest/node'

type Listener = (message: unknown) => void

/** The answer to a request to stop: the pool believes it, the thread lives on. */
const STOPPED = { type: 'stopped', __vitest_worker_response__: true }

/** A pool for vitest whose one worker survives the end of a run. */
export interface KeptPool {
  readonly name: string
  createPoolWorker(options: PoolOptions): PoolWorker
  /** Ends the thread; the next run loads everything anew. */
  end(): Promise<void>
}

/** Makes a pool with one thread. */
export function createKeptPool(): KeptPool {
  let thread: ThreadsPoolWorker | null = null

  function createPoolWorker(options: PoolOptions): PoolWorker {
    const isFirst = thread === null
    // The thread is given compiled code: what this process needs to read TypeScript would only slow it down.
    const kept = (thread ??= new ThreadsPoolWorker({ ...options, execArgv: [] }))
    const listeners = new Map<string, Set<Listener>>()
    return {
      name: 'kept',
      on(event, listener) {
        listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
        kept.on(event, listener)
      },
      off(event, listener) {
        listeners.get(event)?.delete(listener)
        kept.off(event, listener)
      },
      send(message) {
        if (message.type !== 'stop') kept.send(message)
        else for (const listener of listeners.get('message') ?? []) listener(STOPPED)
      },
      async start() {
        if (isFirst) await kept.start()
      },
      stop() {
        for (const [event, some] of listeners) for (const listener of some) kept.off(event, listener)
        listeners.clear()
        return Promise.resolve()
      },
      deserialize: (data) => kept.deserialize(data),
    }
  }

  return {
    name: 'kept',
    createPoolWorker,
    async end() {
      const ending = thread
      thread = null
      await ending?.stop()
    },
  }
}
