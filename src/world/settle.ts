// Owns settling: waiting on the host until nothing is due, in flight or being answered.
import { after, pause } from '../kernel/timers.ts'
import { waitingJobs } from './advance.ts'
import { isBusy, MAX_TRACED, nextChange, runDue } from './run.ts'
import type { Millis } from '../kernel/brands.ts'
import type { WaitingJob } from './advance.ts'
import type { RunningWorld } from './runningWorld.ts'

/** Something that keeps a world from being settled. */
export interface OpenWork {
  kind: 'job' | 'attempt' | 'exchange'
  id: string
  why: string
}

/** What settling found. */
export type Settled =
  | { settled: true; waiting: WaitingJob[] }
  | { settled: false; open: OpenWork[]; waiting: WaitingJob[] }

/**
 * Waits until nothing is due, in flight or being answered, and stays so for `quiet`.
 * @param timeout host milliseconds after which it answers what is still open
 * @param quiet host milliseconds without new work before a world counts as settled; cut short by the time-out
 */
export async function settle(world: RunningWorld, timeout: Millis, quiet: Millis): Promise<Settled> {
  const expired = new AbortController()
  const callOff = after(timeout, () => expired.abort())
  try {
    while (!expired.signal.aborted) {
      if (!world.trace) runDue(world)
      if (isUnsettled(world)) {
        await nextChange(world, expired.signal)
        continue
      }
      if (quiet === 0 || ((await staysQuiet(world, quiet, expired.signal)) && !isUnsettled(world))) {
        return { settled: true, waiting: waitingJobs(world) }
      }
    }
    return isUnsettled(world)
      ? { settled: false, open: openWork(world), waiting: waitingJobs(world) }
      : { settled: true, waiting: waitingJobs(world) }
  } finally {
    callOff()
  }
}

function isUnsettled(world: RunningWorld): boolean {
  return isBusy(world) || world.trace !== null || world.answering.size > 0
}

/** Whether nothing begins within some host time. */
async function staysQuiet(world: RunningWorld, quiet: Millis, expired: AbortSignal): Promise<boolean> {
  const stop = new AbortController()
  const stopNow = (): void => stop.abort()
  expired.addEventListener('abort', stopNow)
  const changed = nextChange(world, stop.signal).then(() => !stop.signal.aborted)
  const waited = pause(quiet, stop.signal).then(() => false)
  const disturbed = await Promise.race([changed, waited])
  stop.abort()
  expired.removeEventListener('abort', stopNow)
  return !disturbed && !expired.aborted
}

function openWork(world: RunningWorld): OpenWork[] {
  const attempts = [...world.flights].map(({ delivery, attempt }): OpenWork => ({
    kind: 'attempt',
    id: delivery.id,
    why: `attempt ${attempt.number} of ${delivery.type} to ${delivery.url} has no answer yet`,
  }))
  const queued = world.queue.map((id): OpenWork => ({
    kind: 'attempt',
    id,
    why: 'waits for other attempts to end',
  }))
  const now = world.clock.now()
  const due = world.scheduler
    .list(MAX_TRACED)
    .filter(({ dueAt }) => dueAt <= now)
    .map(({ kind, subject }): OpenWork => ({ kind: 'job', id: subject, why: `${kind} is due` }))
  const moving: OpenWork[] = world.trace
    ? [{ kind: 'job', id: world.id, why: 'the clock is being advanced' }]
    : []
  const answering = [...world.answering].map(({ operation }): OpenWork => ({
    kind: 'exchange',
    id: operation,
    why: `a call of ${operation} is being answered`,
  }))
  return [...moving, ...attempts, ...queued, ...due, ...answering]
}
