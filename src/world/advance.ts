// Owns moving time: stepping from one due instant to the next, so that every job sees its own instant.
import { invariant } from '../kernel/assert.ts'
import { toTimestamp } from '../kernel/time.ts'
import { Misuse } from './misuse.ts'
import { isBusy, MAX_TRACED, nextChange, planWake, runNext, wakeWatchers } from './run.ts'
import type { EventType } from '../contract/events.ts'
import type { JobKind } from '../domain/jobs.ts'
import type { Instant, Timestamp } from '../kernel/brands.ts'
import type { Job } from '../kernel/scheduler.ts'
import type { RunningWorld, Trace } from './runningWorld.ts'

/** Jobs that one advance may run before it gives up. */
const MAX_JOBS_PER_ADVANCE = 1_000_000

/** Work that waits for time. */
export interface WaitingJob {
  at: Timestamp
  job: JobKind
  subject: string
}

/** What an advance did. Lists are cut at 1000 entries; `totals` counts everything. */
export interface Advanced {
  from: Timestamp
  to: Timestamp
  ran: WaitingJob[]
  attempts: {
    delivery: string
    type: EventType
    subject: string
    number: number
    at: Timestamp
    status: number | null
  }[]
  waiting: WaitingJob[]
  totals: { ran: number; waiting: number }
}

/** Where to move the clock; from the instant at which everything due or in flight now is done. */
export type AdvanceTarget = (world: RunningWorld) => Instant

/**
 * Moves the clock of a world forward. First drains what is due or in flight now, then sets the clock to each due instant
 * in turn and waits until the attempts of that instant have ended. Works on frozen and flowing clocks.
 * `freeze` stops it there. `jobLimit` bounds how many jobs run.
 * @throws {Misuse} `sandbox_clock_busy` when an advance is running, `sandbox_clock_backwards` for an earlier target,
 *   `sandbox_too_many_jobs` past the limit of jobs.
 */
export async function advance(
  world: RunningWorld,
  target: AdvanceTarget,
  { jobLimit = MAX_JOBS_PER_ADVANCE, freeze = false }: { jobLimit?: number; freeze?: boolean } = {},
): Promise<Advanced> {
  if (world.trace) {
    throw new Misuse(
      'sandbox_clock_busy',
      `The clock of world '${world.id}' is being advanced by another call; wait for its answer.`,
    )
  }
  const trace: Trace = { ran: [], flights: [...world.flights], count: 0 }
  const { life } = world
  world.trace = trace
  world.clock.hold()
  wakeWatchers(world)
  try {
    const from = world.clock.now()
    const check = (): void => checkProgress(world, trace, life, jobLimit)
    await drain(world, check)
    const to = target(world)
    if (to < world.clock.now()) {
      throw new Misuse(
        'sandbox_clock_backwards',
        `A clock only moves forward: it shows ${toTimestamp(world.clock.now())}, the target is ${toTimestamp(to)}. Use reset or restore to go back.`,
      )
    }
    for (let due = world.scheduler.nextDue(); due !== null && due <= to; due = world.scheduler.nextDue()) {
      if (due > world.clock.now()) world.clock.moveTo(due)
      await drain(world, check)
    }
    world.clock.moveTo(to)
    if (freeze) world.clock.freeze()
    world.tell('clock', { mode: world.clock.mode, rate: world.clock.rate, from: toTimestamp(from) })
    return report(world, from, trace)
  } finally {
    if (world.life === life) {
      world.trace = null
      world.clock.release()
      planWake(world)
    }
    wakeWatchers(world)
  }
}

/** Runs what is due at the current instant until nothing is due or in flight. */
async function drain(world: RunningWorld, check: () => void): Promise<void> {
  while (isBusy(world)) {
    while (runNext(world)) check()
    if (world.flights.size > 0) await nextChange(world)
    check()
  }
}

function checkProgress(world: RunningWorld, trace: Trace, life: number, jobLimit: number): void {
  if (world.life !== life || world.closed) {
    throw new Misuse(
      'sandbox_clock_busy',
      `World '${world.id}' was reset, restored or closed during the advance.`,
    )
  }
  if (trace.count <= jobLimit) return
  const culprit = trace.ran.at(-1)
  const last = culprit ? `; the last one listed was ${culprit.job} of ${culprit.subject}` : ''
  throw new Misuse(
    'sandbox_too_many_jobs',
    `The advance ran more than ${jobLimit} jobs${last}. Advance in smaller steps.`,
  )
}

function report(world: RunningWorld, from: Instant, trace: Trace): Advanced {
  invariant(world.flights.size === 0, 'an advance ends with nothing in flight')
  return {
    from: toTimestamp(from),
    to: toTimestamp(world.clock.now()),
    ran: trace.ran.map(({ at, job, subject }) => ({ at: toTimestamp(at), job, subject })),
    attempts: trace.flights.map(({ delivery, attempt }) => ({
      delivery: delivery.id,
      type: delivery.type,
      subject: delivery.subject,
      number: attempt.number,
      at: attempt.at,
      status: attempt.status,
    })),
    waiting: waitingJobs(world),
    totals: { ran: trace.count, waiting: world.scheduler.size },
  }
}

/** The next jobs that wait for time, at most 1000. */
export function waitingJobs(world: RunningWorld): WaitingJob[] {
  return world.scheduler.list(MAX_TRACED).map(jobView)
}

/** A job, as answered. */
export function jobView({ kind, subject, dueAt }: Job<JobKind>): WaitingJob {
  return { at: toTimestamp(dueAt), job: kind, subject }
}
