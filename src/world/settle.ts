// Owns settling: waiting on the host until nothing is due, in flight or being answered.
import { heldDeliveries } from '../domain/deliveries.ts'
import { after, pause } from '../kernel/timers.ts'
import { waitingJobs } from './advance.ts'
import { isBusy, MAX_FLIGHTS, MAX_TRACED, nextChange, runDue } from './run.ts'
import { describeJob } from './waiting.ts'
import type { Millis } from '../kernel/brands.ts'
import type { Arrival, RunningWorld } from './runningWorld.ts'
import type { DescribedJob } from './waiting.ts'

/** Something that keeps a world from being settled. */
export interface OpenWork {
  kind: 'job' | 'attempt' | 'exchange'
  /** Of the record or delivery; of a call, its method and path. */
  id: string
  why: string
  /** What to do about it. */
  hint: string
}

/** What settling found. */
export type Settled = {
  waiting: DescribedJob[]
  /** Ids of deliveries that are held; they wait for somebody to release them. */
  held: string[]
} & ({ settled: true } | { settled: false; open: OpenWork[] })

/**
 * Waits until nothing is due, in flight or being answered, and stays so for `quiet`. A call of the gateway counts from
 * the moment it reaches the server, also while its world is not known yet.
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
        await nextStep(world, expired.signal)
        continue
      }
      if (quiet === 0 || ((await staysQuiet(world, quiet, expired.signal)) && !isUnsettled(world))) {
        return { settled: true, ...waitsIn(world) }
      }
    }
    return isUnsettled(world)
      ? { settled: false, open: openWork(world), ...waitsIn(world) }
      : { settled: true, ...waitsIn(world) }
  } finally {
    callOff()
  }
}

/** What waits: for time, and to be released. */
function waitsIn(world: RunningWorld): Pick<Settled, 'waiting' | 'held'> {
  return {
    waiting: waitingJobs(world).map((job) => describeJob(world, job)),
    held: heldDeliveries(world, MAX_TRACED).map(({ id }) => id),
  }
}

function isUnsettled(world: RunningWorld): boolean {
  return isBusy(world) || world.trace !== null || world.answering.size > 0
}

/**
 * Resolves when something changed that keeps a world from being settled: in the world itself, or when a call that may
 * have been meant for it turns out to belong elsewhere. The latter wakes nobody else: it disturbs no quiet.
 */
async function nextStep(world: RunningWorld, expired: AbortSignal): Promise<void> {
  const unknown = [...world.answering].filter((arrival) => arrival.world === null)
  await withStop(expired, (stop) =>
    Promise.race([nextChange(world, stop), ...unknown.map(({ assigned }) => assigned)]),
  )
}

/** Whether nothing begins within some host time. */
async function staysQuiet(world: RunningWorld, quiet: Millis, expired: AbortSignal): Promise<boolean> {
  const disturbed = await withStop(expired, (stop) => {
    const changed = nextChange(world, stop).then(() => !stop.aborted)
    const waited = pause(quiet, stop).then(() => false)
    return Promise.race([changed, waited])
  })
  return !disturbed && !expired.aborted
}

/** Waits with a signal that is aborted at the latest when the wait is over, so that it leaves no one waiting. */
async function withStop<T>(expired: AbortSignal, wait: (stop: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController()
  const stopNow = (): void => stop.abort()
  expired.addEventListener('abort', stopNow)
  try {
    return await wait(stop.signal)
  } finally {
    stop.abort()
    expired.removeEventListener('abort', stopNow)
  }
}

function openWork(world: RunningWorld): OpenWork[] {
  const attempts = [...world.flights].map(({ delivery, attempt }): OpenWork => ({
    kind: 'attempt',
    id: delivery.id,
    why: `attempt ${attempt.number} of ${delivery.type} to ${delivery.url} has no answer yet`,
    hint: 'Let the receiver answer; without an answer the attempt ends at its time-out (WH-03), so give timeoutMs more than that.',
  }))
  const queued = Array.from(world.queue, (id): OpenWork => ({
    kind: 'attempt',
    id,
    why: 'waits for other attempts to end',
    hint: `At most ${MAX_FLIGHTS} attempts run together; let the receivers of the others answer.`,
  }))
  const now = world.clock.now()
  const due = world.scheduler
    .list(MAX_TRACED)
    .filter(({ dueAt }) => dueAt <= now)
    .map(({ kind, subject }): OpenWork => ({
      kind: 'job',
      id: subject,
      why: `${kind} is due`,
      hint: 'It runs by itself; settle again.',
    }))
  const moving: OpenWork[] = world.trace
    ? [
        {
          kind: 'job',
          id: world.id,
          why: 'the clock is being advanced',
          hint: 'Wait for the answer of the call that advances it, and do not settle from within a receiver that it waits for.',
        },
      ]
    : []
  return [...moving, ...attempts, ...queued, ...due, ...[...world.answering].map(openCall)]
}

/** An open call and what it is at. */
function openCall({ operation, method, path, stage, world }: Arrival): OpenWork {
  return { kind: 'exchange', id: `${method} ${path}`, ...stageOf(operation, stage, world !== null) }
}

function stageOf(
  operation: string,
  stage: Arrival['stage'],
  isKnown: boolean,
): Pick<OpenWork, 'why' | 'hint'> {
  const whose = isKnown ? '' : '; until it names a key, it may be a call of any world'
  switch (stage) {
    case 'token':
      return { why: `its token is being checked${whose}`, hint: 'It goes on by itself; settle again.' }
    case 'body':
      return {
        why: `its body is still coming in${whose}`,
        hint: 'Let the caller send the rest of the body, or end its connection.',
      }
    case 'work':
      return {
        why: `a call of ${operation} is being answered`,
        hint: 'It ends by itself, unless a fault holds its answer back: then release or clear that fault.',
      }
    default:
      return stage satisfies never
  }
}
