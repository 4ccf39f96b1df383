// Owns bounded waiting: what must come is waited for by its event, and what never comes ends as a finding instead of a hang.
import { after, soon } from '../../../src/kernel/timers.ts'
import type { Millis } from '../../../src/kernel/brands.ts'

/** Host milliseconds after which something that should have come counts as never coming. Long: a busy machine is no defect. */
export const PATIENCE_MS = 60_000

/** Kept in the next turn of the loop, when sockets and timers have had theirs. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => void soon(resolve))
}

/** Whether something comes; false when it did not for as long as patience lasts. */
export function comes(what: Promise<unknown>, patience: number = PATIENCE_MS): Promise<boolean> {
  return new Promise((resolve) => {
    const callOff = after(patience as Millis, () => resolve(false))
    const settled = (): void => {
      callOff()
      resolve(true)
    }
    what.then(settled, settled)
  })
}

/** Whether a condition comes to hold, looked at once for each turn of the loop. */
export async function comesToHold(
  holds: () => boolean | Promise<boolean>,
  patience: number = PATIENCE_MS,
): Promise<boolean> {
  const over = new AbortController()
  const callOff = after(patience as Millis, () => over.abort())
  try {
    while (!(await holds())) {
      if (over.signal.aborted) return false
      await nextTurn()
    }
    return true
  } finally {
    callOff()
  }
}

/** Some bytes for people, such as `1.5 MiB`. */
export function bytesToText(bytes: number): string {
  return bytes < 1_048_576 ? `${bytes} bytes` : `${(bytes / 1_048_576).toFixed(1)} MiB`
}
