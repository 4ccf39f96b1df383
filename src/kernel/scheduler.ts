// Owns work that waits for time: jobs as data, in the total order (due, order made). Runs nothing itself.
import { invariant } from './assert.ts'
import type { Instant } from './brands.ts'

/** One piece of work that waits. At most one job of a kind exists for a subject. */
export interface Job<Kind extends string = string> {
  kind: Kind
  /** The id of the record that the work is about. */
  subject: string
  dueAt: Instant
  /** Breaks ties between jobs due at the same instant; given out when the job (or what it serves) is made. */
  order: number
}

/** The jobs of one world. */
export interface Scheduler<Kind extends string = string> {
  /** The greatest number given out so far. */
  readonly lastOrder: number
  /** A number greater than all given out before. */
  nextOrder(): number
  /** Adds a job; a job of the same kind and subject is replaced. */
  schedule(kind: Kind, subject: string, dueAt: Instant, order?: number): void
  /** Takes a job away; answers whether there was one. */
  cancel(kind: Kind, subject: string): boolean
  find(kind: Kind, subject: string): Job<Kind> | null
  /** When the next job is due; null when none waits. */
  nextDue(): Instant | null
  /** Takes out the next job that is due at or before an instant; null when there is none. */
  take(until: Instant): Job<Kind> | null
  /** The first jobs in order, or the first after another one, at most `limit`. Costs no more than those before the last. */
  list(limit: number, after?: Job<Kind>): Job<Kind>[]
  readonly size: number
  /** Told of every job that is added, replaced or gone; null for nobody. */
  changed: ((kind: Kind, subject: string) => void) | null
  /** All jobs in order, and the last order given out. */
  save(): SchedulerState<Kind>
}

/** What a scheduler is saved as. */
export interface SchedulerState<Kind extends string = string> {
  lastOrder: number
  jobs: Job<Kind>[]
}

/** Cancelled or replaced jobs that may stay in the heap, besides as many as there are live ones. */
const MAX_STALE_JOBS = 64

/** A scheduler that goes on from a saved state. */
export function createScheduler<Kind extends string>(saved: SchedulerState<Kind>): Scheduler<Kind> {
  const live: LiveJobs<Kind> = new Map()
  let heap: Job<Kind>[] = []

  function add(job: Job<Kind>): void {
    if (put(live, job)) scheduler.size += 1
    push(heap, job)
    if (heap.length > scheduler.size * 2 + MAX_STALE_JOBS) heap = sorted()
  }

  /** The jobs that were neither cancelled nor replaced, in order, which makes them a heap too. */
  const sorted = (): Job<Kind>[] => heap.filter((job) => isLive(live, job)).toSorted(before)

  /** Drops jobs from the top that were cancelled or replaced, then answers the top. */
  function top(): Job<Kind> | null {
    for (let first = heap[0]; first; first = heap[0]) {
      if (isLive(live, first)) return first
      pop(heap)
    }
    return null
  }

  // Plain fields, not getters: an object with getters of its own takes a kilobyte of each world.
  const scheduler: { -readonly [Field in keyof Scheduler<Kind>]: Scheduler<Kind>[Field] } = {
    changed: null,
    size: 0,
    lastOrder: saved.lastOrder,
    nextOrder: () => ++scheduler.lastOrder,
    schedule(kind, subject, dueAt, order = ++scheduler.lastOrder) {
      add({ kind, subject, dueAt, order })
      scheduler.changed?.(kind, subject)
    },
    cancel(kind, subject) {
      if (!live.get(kind)?.delete(subject)) return false
      scheduler.size -= 1
      scheduler.changed?.(kind, subject)
      return true
    },
    find: (kind, subject) => live.get(kind)?.get(subject) ?? null,
    nextDue: () => top()?.dueAt ?? null,
    take(until) {
      const first = top()
      if (!first || first.dueAt > until) return null
      pop(heap)
      live.get(first.kind)?.delete(first.subject)
      scheduler.size -= 1
      scheduler.changed?.(first.kind, first.subject)
      return first
    },
    list: (limit, after) =>
      firstOf(heap, limit, (job) => isLive(live, job) && (!after || before(after, job) < 0)),
    save: () => ({ lastOrder: scheduler.lastOrder, jobs: sorted() }),
  }
  for (const job of saved.jobs) add({ ...job })
  return scheduler
}

/** The jobs that were neither cancelled nor replaced nor taken out, by kind and subject. */
type LiveJobs<Kind extends string> = Map<Kind, Map<string, Job<Kind>>>

function isLive<Kind extends string>(live: LiveJobs<Kind>, job: Job<Kind>): boolean {
  return live.get(job.kind)?.get(job.subject) === job
}

/** Puts a job in; answers whether it is one more than before. */
function put<Kind extends string>(live: LiveJobs<Kind>, job: Job<Kind>): boolean {
  let ofKind = live.get(job.kind)
  if (!ofKind) {
    ofKind = new Map()
    live.set(job.kind, ofKind)
  }
  const isMore = !ofKind.has(job.subject)
  ofKind.set(job.subject, job)
  return isMore
}

/** The first jobs of a heap that are wanted, in order, found by walking down only as far as they are asked for. */
function firstOf<J extends Job>(heap: readonly J[], limit: number, isWanted: (job: J) => boolean): J[] {
  const found: J[] = []
  const reached: (Due & { index: number })[] = []
  const reach = (index: number): void => {
    const job = heap[index]
    if (job) push(reached, { dueAt: job.dueAt, order: job.order, index })
  }
  reach(0)
  for (let next = reached[0]; next && found.length < limit; next = reached[0]) {
    pop(reached)
    reach(next.index * 2 + 1)
    reach(next.index * 2 + 2)
    const job = heap[next.index]
    if (job && isWanted(job)) found.push(job)
  }
  return found
}

/** What orders jobs. */
type Due = Pick<Job, 'dueAt' | 'order'>

function before(a: Due, b: Due): number {
  return a.dueAt - b.dueAt || a.order - b.order
}

/** Binary heap: puts a job in. */
function push<J extends Due>(heap: J[], job: J): void {
  let index = heap.push(job) - 1
  while (index > 0) {
    const parent = (index - 1) >> 1
    const above = heap[parent]
    if (!above || before(above, job) <= 0) break
    heap[index] = above
    index = parent
  }
  heap[index] = job
}

/** Binary heap: takes the first job out. */
function pop(heap: Due[]): void {
  const last = heap.pop()
  invariant(last, 'a heap that is popped is not empty')
  if (heap.length === 0) return
  let index = 0
  for (;;) {
    let child = index * 2 + 1
    const left = heap[child]
    if (!left) break
    const right = heap[child + 1]
    const least = right && before(right, left) < 0 ? right : left
    if (least === right) child += 1
    if (before(last, least) <= 0) break
    heap[index] = least
    index = child
  }
  heap[index] = last
}
