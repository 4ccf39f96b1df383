// Owns the clock of a world as tests move it, alone or with the fake timers of the test process.
import { parseDuration, parseInstant } from '../kernel/time.ts'
import { SandboxError } from './errors.ts'
import { advanceBoth, installedFakeClock, lead, letGo, noFakeTimers, refuseFakeTurns } from './fakeTimers.ts'
import { listEntries } from './records.ts'
import type { ControlCaller, RouteAnswer } from './call.ts'
import type { DriveOptions, FakeClock } from './fakeTimers.ts'
import type { Entry, Filters } from './records.ts'

/** What a clock shows: `rate` is world seconds for each host second while flowing. */
export type ClockReading = RouteAnswer<'GET /clock'>
/** What an advance did: the jobs that ran, the attempts that were sent, and what still waits. */
export type Advanced = RouteAnswer<'POST /clock/advance'>
/** Where to move a clock: a duration such as `31m`, an instant, or the next instant at which something is due. */
export type AdvanceTo = string | { by: string } | { to: string | Date } | { toNext: true }

/** Fake timers that follow a world's clock until they are told to stop. */
export interface DrivenTimers extends Disposable {
  stop(): void
}

/** The clock of a world. */
export interface WorldClock {
  /** What the clock shows now. */
  now(): Promise<Date>
  read(): Promise<ClockReading>
  /**
   * Moves forward, stepping through everything that falls due; webhooks and their retries are sent at their instants.
   * @throws {SandboxError} `sandbox_clock_backwards`, `sandbox_clock_busy`, `sandbox_too_many_jobs`
   */
  advance(target: AdvanceTo): Promise<Advanced>
  /** Stops, now or at a later instant. */
  freeze(at?: string | Date): Promise<ClockReading>
  /** Goes on with the host, `rate` world seconds for each host second. */
  flow(rate?: number): Promise<ClockReading>
  /** The work that waits for time, the next first. */
  jobs(filters?: Filters<'GET /jobs'>): Promise<Entry<'GET /jobs'>[]>
  /**
   * Lets the fake timers of this process follow: they show the world's time at once, and every later `advance` through this
   * handle runs their timers and the world's jobs in one order of time. Needs a frozen clock. The world leads: where the
   * two differ, as after a reset or a restore, the timers are set to the world's time before they go on.
   * @param options `clock`: what `sinon.useFakeTimers()` answered; found by itself when left out, also for vitest and jest
   * @throws {SandboxError} `bad_option` when there are no fake timers, when they fake `nextTick`, when another world drives them, or when
   *   the world's clock flows
   */
  driveTimers(options?: DriveOptions & { clock?: FakeClock }): Promise<DrivenTimers>
}

/** The clock of a world. */
export function createClockHandle(caller: ControlCaller, world: string): WorldClock {
  /** How timers are driven: those of a named clock, or of whichever is installed. */
  let driving: (DriveOptions & { named: FakeClock | undefined }) | null = null
  const read = (): Promise<ClockReading> => caller.send(world, 'GET /clock')
  const advance = (body: { by: string } | { to: string } | { toNext: true }): Promise<Advanced> =>
    caller.send(world, 'POST /clock/advance', { body })

  return {
    read,
    now: async () => new Date((await read()).now),
    async advance(target) {
      const body = typeof target === 'string' ? { by: target } : withText(target)
      const clock = driving && (driving.named ?? installedFakeClock())
      if (!driving || !clock) return advance(body)
      const { now } = await read()
      const to = 'toNext' in body ? null : targetOf(body, now)
      if (to !== null && to < Date.parse(now)) return advance(body)
      lead(clock, world, now)
      return advanceBoth({
        ...driving,
        clock,
        advance,
        settle: (quietMs) => settleCalls(caller, world, quietMs),
        nextDue,
        to,
      })
    },
    async freeze(at) {
      const body = at === undefined ? {} : { at: textOf(at) }
      const reading = await caller.send(world, 'POST /clock/freeze', { body })
      const clock = driving && (driving.named ?? installedFakeClock())
      if (clock) lead(clock, world, reading.now)
      return reading
    },
    flow: (rate = 1) => caller.send(world, 'POST /clock/flow', { body: { rate } }),
    jobs: (filters) => listEntries(caller, world, 'GET /jobs', filters),
    async driveTimers({ clock: named, ...options } = {}) {
      refuseFakeTurns()
      const clock = named ?? installedFakeClock()
      if (!clock) throw noFakeTimers()
      const { mode, now } = await read()
      if (mode === 'flowing') {
        throw new SandboxError(
          'bad_option',
          `The clock of world '${world}' flows; freeze it before it drives timers.`,
        )
      }
      lead(clock, world, now)
      driving = { named, ...options }
      const stop = (): void => {
        driving = null
        letGo(clock)
      }
      return { stop, [Symbol.dispose]: stop }
    },
  }

  async function nextDue(): Promise<number | null> {
    const [next] = await listEntries(caller, world, 'GET /jobs', { limit: 1 })
    return next === undefined ? null : Date.parse(next.at)
  }
}

/** Waits for the calls that the timers of a step began. */
async function settleCalls(caller: ControlCaller, world: string, quietMs: number): Promise<void> {
  await caller.send(world, 'POST /settle', { body: { quietMs } })
}

function withText(target: Exclude<AdvanceTo, string>): { by: string } | { to: string } | { toNext: true } {
  return 'to' in target ? { to: textOf(target.to) } : target
}

function textOf(at: string | Date): string {
  return typeof at === 'string' ? at : at.toISOString()
}

/** The instant that a duration or an instant means, in milliseconds. */
function targetOf(body: { by: string } | { to: string }, now: string): number {
  const at = 'to' in body ? parseInstant(body.to) : Date.parse(now) + (parseDuration(body.by) ?? Number.NaN)
  if (at !== null && !Number.isNaN(at)) return at
  throw new SandboxError(
    'bad_option',
    `${JSON.stringify(body)} is nothing to advance by; use 1500ms, 5s, 31m, 25h, 7d, or {to: '2030-01-01T12:00:00Z'}.`,
  )
}
