// Owns running fake timers of the test process and a world's clock in one order of time.
import { SandboxError } from './errors.ts'
import type { RouteAnswer } from './call.ts'

/** What an advance did. */
type Advanced = RouteAnswer<'POST /clock/advance'>

/** A fake clock of @sinonjs/fake-timers, which vitest, jest and sinon install. Times are milliseconds since 1970. */
export interface FakeClock {
  readonly now: number
  /** Timers by id; each has the instant at which it fires. */
  readonly timers?: object | undefined
  tickAsync(length: number): Promise<number>
  setSystemTime(at: number): void
}

/** The globals by one of which an installed fake clock is found. */
const PLACES = ['setTimeout', 'setInterval', 'Date'] as const

/** The fake clock that is installed in this process; null when there is none. */
export function installedFakeClock(): FakeClock | null {
  const faked = PLACES.map((name) => (globalThis[name] as { clock?: unknown }).clock)
  return faked.find(isFakeClock) ?? null
}

/** Says that there are no fake timers. */
export function noFakeTimers(): SandboxError {
  return new SandboxError(
    'bad_option',
    'This process has no fake timers that could be driven; call vi.useFakeTimers(), jest.useFakeTimers() or sinon.useFakeTimers() first.',
  )
}

/**
 * Refuses fakes with which no socket of the process would ever answer.
 * @throws {SandboxError} `bad_option`
 */
export function refuseFakeTurns(): void {
  const places = [Reflect.get(process, 'nextTick'), Reflect.get(globalThis, 'queueMicrotask')] as object[]
  if (!places.some((place) => 'clock' in place)) return
  throw new SandboxError(
    'bad_option',
    "process.nextTick or queueMicrotask is faked, and without them no call is ever answered; use sinon.useFakeTimers({ toNotFake: ['nextTick', 'queueMicrotask'] }).",
  )
}

function isFakeClock(value: unknown): value is FakeClock {
  return typeof value === 'object' && value !== null && 'tickAsync' in value && 'setSystemTime' in value
}

/** Where a fake clock carries the name of the world that it follows. */
const LEADER = Symbol.for('gateway-sandbox.leader')

/**
 * Sets a fake clock to the time of the world that it follows; its timers keep what they have left.
 * @param now what the world's clock shows
 * @throws {SandboxError} `bad_option` when it follows another world
 */
export function lead(clock: FakeClock & { [LEADER]?: string }, world: string, now: string): void {
  const { [LEADER]: leader = world } = clock
  if (leader !== world) {
    throw new SandboxError(
      'bad_option',
      `These fake timers follow world '${leader}'; stop that before world '${world}' drives them.`,
    )
  }
  clock[LEADER] = world
  const at = Date.parse(now)
  if (clock.now !== at) clock.setSystemTime(at)
}

/** A fake clock follows nobody any more. */
export function letGo(clock: FakeClock & { [LEADER]?: string }): void {
  delete clock[LEADER]
}

/** The instant of the next fake timer; null when none waits. */
function nextTimer({ timers = {} }: FakeClock): number | null {
  const waiting = (timers instanceof Map ? [...timers.values()] : Object.values(timers)) as {
    callAt: number
  }[]
  return waiting.length === 0 ? null : Math.min(...waiting.map(({ callAt }) => callAt))
}

/** How a world and fake timers go together. */
export interface DriveOptions {
  /**
   * Host milliseconds without a call after which those that a timer began count as over; 20 unless told otherwise. An app
   * that takes longer between a timer and its call needs more.
   */
  quietMs?: number
  /** Instants that one advance may stop at before it gives up; 2000 unless told otherwise. */
  maxSteps?: number
}

const DEFAULT_QUIET_MS = 20
const DEFAULT_MAX_STEPS = 2_000

/**
 * Advances a world and a fake clock together, from one due instant of either to the next. The world is at an instant before
 * the timers of that instant fire, so that their calls meet the same time; where both are due at one instant the world's
 * jobs come first.
 * @param to instant to stop at; null for the next due one of either
 * @throws {SandboxError} what an advance of the world throws; `sandbox_too_many_jobs` past `maxSteps`
 */
export async function advanceBoth({
  clock,
  advance,
  settle,
  nextDue,
  to,
  quietMs = DEFAULT_QUIET_MS,
  maxSteps = DEFAULT_MAX_STEPS,
}: DriveOptions & {
  clock: FakeClock
  advance: (body: { to: string }) => Promise<Advanced>
  /** Waits until the calls that timers began are answered. */
  settle: (quietMs: number) => Promise<void>
  /** The next due instant of the world. */
  nextDue: () => Promise<number | null>
  to: number | null
}): Promise<Advanced> {
  let done: Advanced | null = null
  const moveWorld = async (at: number): Promise<Advanced> => {
    done = joined(done, await advance({ to: new Date(at).toISOString() }))
    return done
  }
  for (let step = 0; step < maxSteps; step += 1) {
    const due = await nextDue()
    const timer = nextTimer(clock)
    const at = earliest(due, timer, to)
    const timersFire = timer !== null && timer <= at
    // Only time passes for the timers here: the world's webhooks of this instant shall meet a receiver that shows it too.
    await clock.tickAsync(Math.max(0, timersFire ? at - 1 - clock.now : at - clock.now))
    const moved = await moveWorld(at)
    if (timersFire) {
      await clock.tickAsync(Math.max(0, at - clock.now))
      await settle(quietMs)
    }
    if (to === null || at >= to) return moved
  }
  throw new SandboxError(
    'sandbox_too_many_jobs',
    `The advance took more than ${maxSteps} steps; an interval of this process may be very short. Advance by less, or raise maxSteps of driveTimers.`,
  )

  /** The earliest of some instants, at most `to`, and never in the past. */
  function earliest(...instants: (number | null)[]): number {
    const known = instants.filter((instant) => instant !== null)
    return Math.max(clock.now, Math.min(...(known.length === 0 ? [clock.now] : known)))
  }
}

/** Two advances, one after the other, as one. */
function joined(before: Advanced | null, after: Advanced): Advanced {
  if (!before) return after
  return {
    ...after,
    from: before.from,
    ran: [...before.ran, ...after.ran],
    attempts: [...before.attempts, ...after.attempts],
    totals: { ran: before.totals.ran + after.totals.ran, waiting: after.totals.waiting },
  }
}
