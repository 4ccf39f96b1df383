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
  /** The first jobs in order, at most `limit`. */
  list(limit: number): Job<Kind>[]
  readonly size: number
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
  let lastOrder = saved.lastOrder
  const live = new Map<string, Job<Kind>>()
  const heap: Job<Kind>[] = []
  for (const job of saved.jobs) add({ ...job })

  function add(job: Job<Kind>): void {
    live.set(key(job.kind, job.subject), job)
    push(heap, job)
    if (heap.length > live.size * 2 + MAX_STALE_JOBS) compact()
  }

  /** Drops the jobs that were cancelled or replaced before they reached the top. */
  function compact(): void {
    heap.length = 0
    for (const job of live.values()) push(heap, job)
  }

  /** Drops jobs from the top that were cancelled or replaced, then answers the top. */
  function top(): Job<Kind> | null {
    for (let first = heap[0]; first; first = heap[0]) {
      if (live.get(key(first.kind, first.subject)) === first) return first
      pop(heap)
    }
    return null
  }

  const sorted = (): Job<Kind>[] => [...live.values()].toSorted(before)

  return {
    nextOrder: () => ++lastOrder,
    schedule(kind, subject, dueAt, order = ++lastOrder) {
      add({ kind, subject, dueAt, order })
    },
    cancel: (kind, subject) => live.delete(key(kind, subject)),
    find: (kind, subject) => live.get(key(kind, subject)) ?? null,
    nextDue: () => top()?.dueAt ?? null,
    take(until) {
      const first = top()
      if (!first || first.dueAt > until) return null
      pop(heap)
      live.delete(key(first.kind, first.subject))
      return first
    },
    list: (limit) => sorted().slice(0, limit),
    get size() {
      return live.size
    },
    save: () => ({ lastOrder, jobs: sorted() }),
  }
}

function key(kind: string, subject: string): string {
  return `${kind}:${subject}`
}

function before(a: Job, b: Job): number {
  return a.dueAt - b.dueAt || a.order - b.order
}

/** Binary heap: puts a job in. */
function push<J extends Job>(heap: J[], job: J): void {
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
function pop(heap: Job[]): void {
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
