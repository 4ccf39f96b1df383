// Owns the story of a record: everything that happened to it, in the true order, and what waits for time for it.
import { JOB_KINDS } from '../domain/jobs.ts'
import { allNamed } from '../domain/recordQuery.ts'
import { recordOf } from '../domain/state.ts'
import { toTimestamp } from '../kernel/time.ts'
import { attemptOf, callOf, clockMoveOf, deliveryOf, postingOf, transitionOf } from './storySteps.ts'
import type { JobKind } from '../domain/jobs.ts'
import type { Attempt, Delivery } from '../domain/trail.ts'
import type { Timestamp } from '../kernel/brands.ts'
import type { WaitingJob } from './advance.ts'
import type { Exchange } from './exchanges.ts'
import type { PastItem } from './history.ts'
import type { RunningWorld } from './runningWorld.ts'
import type { StoryStep } from './storySteps.ts'

/** Kinds of records that have a story. */
export const STORY_KINDS = ['transaction', 'cashout', 'dispute', 'customer'] as const

/** What happened to a record. */
export interface Story {
  id: string
  kind: (typeof STORY_KINDS)[number]
  status: string
  /** The records that it tells of: a transaction's disputes belong to it. */
  about: string[]
  /** `exact` when the history knows the place of every step; `byTime` when steps of one instant may stand in another order. */
  order: 'exact' | 'byTime'
  steps: StoryStep[]
  waiting: (WaitingJob & { text: string })[]
}

/** The story of a transaction, cashout, dispute or customer, or of the record that a delivery tells of; null when an id names none. */
export function storyOf(world: RunningWorld, id: string): Story | null {
  const found = findRecord(world, id.toLowerCase())
  if (!found) return null
  const { record, kind } = found
  const { indexes } = world
  const disputes = kind === 'transaction' ? allNamed(indexes.disputes, 'transactionId', [record.id]) : []
  const about = [record.id, ...disputes.map((dispute) => dispute.id)]
  const deliveries = allNamed(indexes.deliveries, 'subject', about)
  const loose = gather(world, about, deliveries)
  const isExact = loose.every(({ place }) => place !== null)
  return {
    id: record.id,
    kind,
    status: record.status,
    about,
    order: isExact ? 'exact' : 'byTime',
    steps: inOrder(world, loose, isExact),
    waiting: waitingFor(world, about, deliveries),
  }
}

function findRecord(
  world: RunningWorld,
  id: string,
): { record: { id: string; status: string }; kind: Story['kind'] } | null {
  const { transactions, cashouts, disputes, customers, deliveries } = world.state
  const byKind = { transaction: transactions, cashout: cashouts, dispute: disputes, customer: customers }
  const subject = recordOf(deliveries, id)?.subject ?? id
  for (const kind of STORY_KINDS) {
    const record = recordOf<{ id: string; status: string }>(byKind[kind], subject)
    if (record) return { record, kind }
  }
  return null
}

/** A step with its place in the true order, which only the history knows; null when it does not. */
interface LooseStep {
  step: StoryStep
  place: number | null
  /** Breaks ties within a place, and orders steps of one kind. */
  n: number
  /** Attempts in flight when it happened. */
  flying: readonly Attempt[]
  attempt: Attempt | null
}

/** What stands between an item of the history and the next one. */
const [JUST_AFTER, JUST_BEFORE] = [0.25, -0.25]

function gather(world: RunningWorld, about: readonly string[], deliveries: readonly Delivery[]): LooseStep[] {
  const { items, floor } = world.history.read(world)
  const itemOf = new Map(items.map((item) => [keyOf(item), item]))
  const end = (items.at(-1)?.n ?? 0) + 1
  const loose: LooseStep[] = []
  const add = (step: StoryStep, n: number, place: number | null, more: Partial<LooseStep> = {}): void => {
    loose.push({ step, n, place, flying: [], attempt: null, ...more })
  }
  for (const exchange of world.exchanges.list()) {
    if (!isAbout(exchange, about)) continue
    const item = itemOf.get(`call ${exchange.id}`)
    add(callOf(exchange), exchange.n, item?.n ?? null, { flying: item?.flying ?? [] })
  }
  for (const entry of allNamed(world.indexes.journal, 'subject', about)) {
    add(transitionOf(entry), entry.n, itemOf.get(`transition ${entry.n}`)?.n ?? null)
  }
  for (const posting of allNamed(world.indexes.postings, 'subject', about)) {
    const before = items.findLast(({ postings }) => postings < posting.n)
    const place = posting.n > floor && before ? before.n + JUST_AFTER : null
    add(postingOf(posting), posting.n, place)
  }
  const ends = attemptEnds(items, deliveries)
  for (const delivery of deliveries) {
    add(deliveryOf(delivery), delivery.order, itemOf.get(`delivery ${delivery.id}`)?.n ?? null)
    for (const [index, attempt] of delivery.attempts.entries()) {
      const seen = items.find(({ flying }) => flying.includes(attempt)) ?? ends.get(attempt)
      const isFlying = attempt.endedAt === null
      const place = seen ? seen.n + JUST_BEFORE : null
      add(attemptOf(delivery, attempt), delivery.order + index, place ?? (isFlying ? end : null), { attempt })
    }
  }
  return loose
}

/** What an item of the history is about, by kind. */
function keyOf({ kind, facts }: PastItem): string {
  return `${kind} ${String(kind === 'transition' ? facts['n'] : facts['id'])}`
}

/** A call is about a record that its path names, that it made, or that its query or body names. */
function isAbout({ subject, query, request, response }: Exchange, about: readonly string[]): boolean {
  const named = [subject, ...Object.values(query), ...idsIn(request.body), ...idsIn(response.body)]
  return named.some((id) => id !== null && about.includes(id.toLowerCase()))
}

/** The texts of a body's own fields and of those of its `data`. */
function idsIn(body: unknown): string[] {
  if (typeof body !== 'object' || body === null) return []
  const own = Object.values(body).filter((value) => typeof value === 'string')
  return 'data' in body && typeof body.data === 'object' && body.data !== null
    ? [...own, ...Object.values(body.data).filter((value) => typeof value === 'string')]
    : own
}

/** The item that tells of the end of each attempt. Attempts that ended alike at one instant are as good as one another. */
function attemptEnds(items: readonly PastItem[], deliveries: readonly Delivery[]): Map<Attempt, PastItem> {
  const ends = new Map<Attempt, PastItem>()
  const byId = new Map(deliveries.map((delivery) => [delivery.id, delivery]))
  for (const item of items) {
    if (item.kind !== 'attempt') continue
    const { delivery, number, status, error } = item.facts
    const attempt = byId
      .get(String(delivery))
      ?.attempts.find(
        (each) =>
          !ends.has(each) &&
          each.endedAt === item.at &&
          each.number === number &&
          each.status === status &&
          each.error === error,
      )
    if (attempt) ends.set(attempt, item)
  }
  return ends
}

const RANKS: Readonly<Record<StoryStep['kind'], number>> = {
  call: 0,
  transition: 1,
  posting: 2,
  delivery: 3,
  attempt: 4,
  clock: 5,
}

/** The steps in order, with the clock moves between them and what each call followed. */
function inOrder(world: RunningWorld, loose: readonly LooseStep[], isExact: boolean): StoryStep[] {
  const byPlace = (a: LooseStep, b: LooseStep): number => (a.place ?? 0) - (b.place ?? 0) || a.n - b.n
  const byRank = (a: LooseStep, b: LooseStep): number => RANKS[a.step.kind] - RANKS[b.step.kind] || a.n - b.n
  const compare = (a: LooseStep, b: LooseStep): number =>
    byText(a.step.at, b.step.at) || (isExact ? byPlace(a, b) : byRank(a, b))
  const sorted = loose.toSorted(compare)
  followCalls(sorted)
  const [first, last] = [sorted[0]?.step.at, sorted.at(-1)?.step.at]
  if (first === undefined || last === undefined) return []
  const moves = clockMoves(world).filter(({ step }) => step.at >= first && step.at < last)
  return merged([...sorted, ...moves].toSorted(compare).map(({ step }) => step))
}

function byText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** Says of each call which webhook came before it. One that is in flight counts before one that has ended. */
function followCalls(sorted: readonly LooseStep[]): void {
  const begun: LooseStep[] = []
  for (const each of sorted) {
    const { step, flying } = each
    if (step.kind === 'attempt') begun.push(each)
    if (step.kind !== 'call') continue
    const inFlight = begun.findLast(({ attempt }) => attempt && flying.includes(attempt))
    const webhook = (inFlight ?? begun.at(-1))?.step
    if (webhook?.kind !== 'attempt') continue
    step.after = webhook.delivery
    step.during = inFlight ? webhook.number : null
  }
}

function clockMoves(world: RunningWorld): LooseStep[] {
  return world.history.read(world).items.flatMap(({ kind, at, facts, n }) => {
    const { from } = facts
    if (kind !== 'clock' || typeof from !== 'string' || from === at) return []
    return [{ step: clockMoveOf(from as Timestamp, at), place: n, n, flying: [], attempt: null }]
  })
}

/** The steps, with clock moves that follow one another as one move. */
function merged(steps: readonly StoryStep[]): StoryStep[] {
  const told: StoryStep[] = []
  for (const step of steps) {
    const last = told.at(-1)
    if (step.kind === 'clock' && last?.kind === 'clock') told[told.length - 1] = clockMoveOf(last.at, step.to)
    else told.push(step)
  }
  return told
}

/** What waits for time for some records and their deliveries, the earliest first. */
function waitingFor(
  world: RunningWorld,
  about: readonly string[],
  deliveries: readonly Delivery[],
): Story['waiting'] {
  const kinds = Object.keys(JOB_KINDS) as JobKind[]
  const ofRecords = about.flatMap((id) => kinds.map((kind) => world.scheduler.find(kind, id)))
  const ofDeliveries = deliveries.map(({ id }) => world.scheduler.find('attemptDelivery', id))
  const jobs = [...ofRecords, ...ofDeliveries].filter((job) => job !== null)
  return jobs
    .toSorted((a, b) => a.dueAt - b.dueAt || a.order - b.order)
    .map(({ kind, subject, dueAt }) => {
      const delivery = recordOf(world.state.deliveries, subject)
      const next = delivery && `attempt ${delivery.nextNumber} of ${delivery.type}`
      return {
        at: toTimestamp(dueAt),
        job: kind,
        subject,
        text: next ?? `${kind}: ${JOB_KINDS[kind].replaceAll('`', '')}`,
      }
    })
}
