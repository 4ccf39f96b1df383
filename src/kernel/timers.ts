// Owns waiting on the host: the only file that sets host timers. World time never waits; network time-outs and wake-ups do.
// Imported, not global: a test process may replace the global ones by fake timers while a sandbox runs in it.
import { clearImmediate, clearTimeout, setImmediate, setTimeout } from 'node:timers'
import type { Millis } from './brands.ts'

/** The longest wait that a host timer can take, in milliseconds (about 24.8 days). */
const LONGEST_WAIT = 2_147_483_647 as Millis

/** Calls back after some host time and answers a function that calls it off. Does not keep the process alive. */
export function after(wait: Millis, callback: () => void): () => void {
  const timer = setTimeout(callback, Math.min(Math.max(wait, 0), LONGEST_WAIT))
  timer.unref()
  return () => clearTimeout(timer)
}

/** Calls back once the current turn of the event loop and its answers are out; answers a function that calls it off. */
export function soon(callback: () => void): () => void {
  const handle = setImmediate(callback)
  return () => clearImmediate(handle)
}

/** Resolves after some host time, or at once when the signal is aborted. Does not keep the process alive. */
export function pause(wait: Millis, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const done = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, Math.min(wait, LONGEST_WAIT))
    timer.unref()
    signal?.addEventListener('abort', done)
  })
}
