// Owns running fake timers of the test process and a world's clock in one order of time.
import { SandboxError } from './errors.ts'
import type { Advanced } from './clock.ts'

/** A fake clock of @sinonjs/fake-timers, which vitest, jest and sinon install. Times are milliseconds since 1970. */
export interface FakeClock {
  readonly now: number
  /** Timers by id; each has the instant at which it fires. */
  readonly timers?:
    | Readonly<Record<string, { callAt: number }>>
    | ReadonlyMap<unknown, { callAt: number }>
    | undefined
  tickAsync(length: number): Promise<number>
  setSystemTime(at: number): void
}

/**
 * The fake clock that is installed in this process.
 * @throws {SandboxError} `bad_option` when there is none
 */
export function findFakeClock(): FakeClock {
  const places = [globalThis.setTimeout, globalThis.setInterval, globalThis.Date] as { clock?: unknown }[]
  const found = places.map(({ clock }) => clock).find(isFakeClock)
  if (found) return found
  throw new SandboxError(
    'bad_option',
    'This process has no fake timers that could be driven; call vi.useFakeTimers(), jest.useFakeTimers() or sinon.useFakeTimers() first.',
  )
}

function isFakeClock(value: unknown): value is FakeClock {
  return typeof value === 'object' && value !== null && 'tickAsync' in value && 'setSystemTime' in value
}

/** The instant of the next fake timer; null when none waits. */
function nextTimer({ timers = {} }: FakeClock): number | null {
  const waiting = timers instanceof Map ? [...timers.values()] : Object.values(timers)
  const instants = waiting.map(({ callAt }: { callAt: number }) => callAt)
  return instants.length === 0 ? null : Math.min(...instants)
}

/** Steps that one advance may take before it gives up. */
const MAX_STEPS = 10_000

/**
 * Advances a world and a fake clock together, from one due instant of either to the next. The world is at an instant before
 * the timers of that instant fire, so that their calls meet the same time; where both are due at one instant the world's
 * jobs come first.
 * @param to instant to stop at; null for the next due one of either
 * @throws {SandboxError} what an advance of the world throws; `sandbox_too_many_jobs` past 10,000 steps
 */
export async function advanceBoth({
  clock,
  advance,
  settle,
  nextDue,
  to,
}: {
  clock: FakeClock
  advance: (body: { to: string }) => Promise<Advanced>
  /** Waits until the calls that timers began are answered. */
  settle: () => Promise<void>
  /** The next due instant of the world. */
  nextDue: () => Promise<number | null>
  to: number | null
}): Promise<Advanced> {
  let done: Advanced | null = null
  const moveWorld = async (at: number): Promise<Advanced> => {
    done = joined(done, await advance({ to: new Date(at).toISOString() }))
    return done
  }
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const due = await nextDue()
    const timer = nextTimer(clock)
    const at = earliest(due, timer, to)
    const timersFire = timer !== null && timer <= at
    // Only time passes for the timers here: the world's webhooks of this instant shall meet a receiver that shows it too.
    await clock.tickAsync(Math.max(0, timersFire ? at - 1 - clock.now : at - clock.now))
    const moved = await moveWorld(at)
    if (timersFire) {
      await clock.tickAsync(Math.max(0, at - clock.now))
      await settle()
    }
    if (to === null || at >= to) return moved
  }
  throw new SandboxError(
    'sandbox_too_many_jobs',
    `The advance took more than ${MAX_STEPS} steps; an interval of this process may be very short. Advance in smaller steps.`,
  )

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
