// Owns the control routes of time: the clock, the jobs that wait, and settling.
import { z } from 'zod'
import { MAX_CLOCK_RATE } from '../kernel/clock.ts'
import { later, LAST_INSTANT, parseDuration, parseInstant } from '../kernel/time.ts'
import { timestamp } from '../domain/records.ts'
import { JOB_KINDS } from '../domain/jobs.ts'
import { EVENT_TYPES } from '../contract/events.ts'
import { advance, jobView } from '../world/advance.ts'
import { unusedFaults as unusedFaultsOf } from '../world/faults.ts'
import { Misuse } from '../world/misuse.ts'
import { planWake } from '../world/run.ts'
import { settle } from '../world/settle.ts'
import { describeJob } from '../world/waiting.ts'
import { listAnswer, listQuery, strangeEntry } from './lists.ts'
import { route } from './route.ts'
import { clockOut } from './worldViews.ts'
import type { JobKind } from '../domain/jobs.ts'
import type { Instant, Millis } from '../kernel/brands.ts'
import type { AdvanceTarget } from '../world/advance.ts'
import type { RunningWorld } from '../world/runningWorld.ts'

const tag = 'Time'

/** What a clock shows. */
export const clockAnswer = z
  .strictObject({ mode: z.enum(['frozen', 'flowing']), now: timestamp, rate: z.number() })
  .meta({ id: 'Clock' })

const job = { at: timestamp, job: z.enum(Object.keys(JOB_KINDS) as JobKind[]), subject: z.string() }
const ranJob = z.strictObject(job).meta({ id: 'RanJob' })
const waitingJob = z
  .strictObject({
    ...job,
    what: z.string().meta({ description: 'a sentence: what it is and in how much world time it is due' }),
  })
  .meta({ id: 'WaitingJob' })

const advanced = z
  .strictObject({
    from: timestamp,
    to: timestamp,
    ran: z.array(ranJob),
    attempts: z.array(
      z.strictObject({
        delivery: z.uuid(),
        type: z.enum(EVENT_TYPES),
        subject: z.uuid(),
        number: z.int(),
        at: timestamp,
        status: z.int().nullable(),
      }),
    ),
    waiting: z.array(waitingJob),
    totals: z.strictObject({ ran: z.int(), waiting: z.int() }),
  })
  .meta({ id: 'Advanced', description: 'Lists hold the first 1000 entries; `totals` counts everything.' })

/** Milliseconds of a duration that a person typed. */
export function durationOf(text: string, field: string): Millis {
  const length = parseDuration(text)
  if (length !== null) return length
  throw new Misuse(
    'sandbox_bad_request',
    `${field} '${text}' is no duration; use 1500ms, 5s, 31m, 25h, 7d or ISO 8601 such as PT31M.`,
  )
}

/** The instant that a person typed. */
export function instantOf(text: string, field: string): Instant {
  const at = parseInstant(text)
  if (at !== null) return at
  throw new Misuse(
    'sandbox_bad_request',
    `${field} '${text}' is no instant; use ISO 8601 such as 2030-01-01T12:00:00Z.`,
  )
}

const advanceBody = z.strictObject({
  by: z.string().optional().meta({ description: 'a duration such as 31m' }),
  to: z.string().optional().meta({ description: 'an ISO 8601 instant' }),
  toNext: z.literal(true).optional().meta({ description: 'the next instant at which a job is due' }),
})

function targetOf({ by, to, toNext }: z.output<typeof advanceBody>): AdvanceTarget {
  if ([by, to, toNext].filter((part) => part !== undefined).length !== 1) {
    throw new Misuse('sandbox_bad_request', 'Name exactly one of by, to, toNext; for example {"by": "31m"}.')
  }
  if (to !== undefined) {
    const at = instantOf(to, 'to')
    return () => at
  }
  if (by === undefined) return (world) => world.scheduler.nextDue() ?? world.clock.now()
  const length = durationOf(by, 'by')
  return (world) => {
    const now = world.clock.now()
    if (now + length <= LAST_INSTANT) return later(now, length)
    throw new Misuse('sandbox_bad_request', `by '${by}' leads past the year 9999.`)
  }
}

function refuseWhileMoving(world: RunningWorld): void {
  if (!world.trace) return
  throw new Misuse(
    'sandbox_clock_busy',
    `The clock of world '${world.id}' is being advanced by another call.`,
  )
}

const getClock = route({
  id: 'getClock',
  method: 'GET',
  path: '/clock',
  tag,
  summary: 'Reads the clock',
  answer: clockAnswer,
  handle: ({ world }) => clockOut(world),
})

const freezeClock = route({
  id: 'freezeClock',
  method: 'POST',
  path: '/clock/freeze',
  tag,
  summary: 'Stops the clock, now or at a later instant',
  body: z.strictObject({ at: z.string().optional() }),
  answer: clockAnswer,
  errors: ['sandbox_clock_busy', 'sandbox_clock_backwards', 'sandbox_too_many_jobs'],
  async handle({ world, body }) {
    refuseWhileMoving(world)
    if (body.at === undefined) {
      world.clock.freeze()
      world.tell('clock', { mode: 'frozen', rate: world.clock.rate })
    } else {
      const at = instantOf(body.at, 'at')
      await advance(world, () => at, { freeze: true })
    }
    planWake(world)
    return clockOut(world)
  },
})

const flowClock = route({
  id: 'flowClock',
  method: 'POST',
  path: '/clock/flow',
  tag,
  summary: 'Lets the clock go on with the host, at a rate',
  body: z.strictObject({ rate: z.number().positive().max(MAX_CLOCK_RATE).default(1) }),
  answer: clockAnswer,
  errors: ['sandbox_clock_busy'],
  handle({ world, body }) {
    refuseWhileMoving(world)
    world.clock.flow(body.rate)
    world.tell('clock', { mode: 'flowing', rate: body.rate })
    planWake(world)
    return clockOut(world)
  },
})

const advanceClock = route({
  id: 'advanceClock',
  method: 'POST',
  path: '/clock/advance',
  tag,
  summary: 'Moves the clock forward, stepping through everything that falls due',
  body: advanceBody,
  answer: advanced,
  errors: ['sandbox_clock_busy', 'sandbox_clock_backwards', 'sandbox_too_many_jobs'],
  async handle({ world, body }) {
    const moved = await advance(world, targetOf(body))
    return { ...moved, waiting: moved.waiting.map((each) => describeJob(world, each)) }
  },
})

const listJobs = route({
  id: 'listJobs',
  method: 'GET',
  path: '/jobs',
  tag,
  summary: 'Lists the work that waits for time, the next first',
  query: z.object(listQuery),
  answer: listAnswer(waitingJob),
  handle({ world, query }) {
    const { scheduler } = world
    const { limit, after } = query
    const [, kind = '', subject = ''] = /^(\w*):(.*)$/s.exec(after ?? '') ?? []
    const last = after === undefined ? undefined : scheduler.find(kind as JobKind, subject)
    if (last === null) throw strangeEntry(after)
    const jobs = scheduler.list(limit + 1, last)
    const items = jobs.slice(0, limit)
    const end = items.at(-1)
    return {
      items: items.map((each) => describeJob(world, jobView(each))),
      total: scheduler.size,
      next: end && jobs.length > limit ? `${end.kind}:${end.subject}` : null,
    }
  },
})

const held = z.array(z.string()).meta({ description: 'ids of deliveries that wait to be released' })
const unusedFaults = z.array(z.string()).meta({ description: 'ids of the faults that never fired' })

const settleWorld = route({
  id: 'settle',
  method: 'POST',
  path: '/settle',
  tag,
  summary:
    'Waits until nothing is due, in flight or being answered, calls that are still coming in included; answers 412 when it still is at the end of the time-out',
  body: z.strictObject({
    timeoutMs: z.int().min(0).max(600_000).default(5_000),
    quietMs: z.int().min(0).max(60_000).default(0),
  }),
  answer: z
    .strictObject({
      settled: z.literal(true),
      held,
      waiting: z.array(waitingJob),
      unusedFaults,
    })
    .meta({ id: 'Settled' }),
  failure: {
    status: 412,
    description: 'Something is still open at the end of the time-out.',
    schema: z
      .strictObject({
        settled: z.literal(false),
        open: z.array(
          z.strictObject({
            kind: z.enum(['job', 'attempt', 'exchange']),
            id: z.string().meta({ description: 'of a record or delivery; of a call, its method and path' }),
            why: z.string(),
            hint: z.string().meta({ description: 'what to do about it' }),
          }),
        ),
        held,
        waiting: z.array(waitingJob),
        unusedFaults,
      })
      .meta({ id: 'Unsettled' }),
  },
  async handle({ world, body, c }) {
    const found = await settle(world, body.timeoutMs as Millis, body.quietMs as Millis)
    const settled = { ...found, unusedFaults: unusedFaultsOf(world) }
    return settled.settled ? settled : c.json(settled, 412)
  },
})

/** Control routes of time. */
export const CLOCK_ROUTES = [getClock, freezeClock, flowClock, advanceClock, listJobs, settleWorld]
