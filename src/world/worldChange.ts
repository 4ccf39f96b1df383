// Owns what is written of a world that changed, and how a kept world becomes what it says.
import { queuedJob } from './snapshots.ts'
import type { KeptKind } from '../domain/changes.ts'
import type { JobKind } from '../domain/jobs.ts'
import type { JournalEntry, Posting } from '../domain/trail.ts'
import type { Instant } from '../kernel/brands.ts'
import type { ClockState } from '../kernel/clock.ts'
import type { RandomState } from '../kernel/random.ts'
import type { Job } from '../kernel/scheduler.ts'
import type { Overrides } from './choices.ts'
import type { RunningWorld } from './runningWorld.ts'
import type { SavedWorld } from './savedWorld.ts'
import type { NamedSnapshot, StoredWorld } from './storedWorld.ts'

/** What of a world is one small value, written whole when it differs. */
export interface Scalars {
  clock: ClockState
  random: RandomState
  /** The last order that the scheduler gave out. */
  lastOrder: number
  variedAnswers: number
  /** Rules and planned actions so far. */
  rulesMade: number
  silences: Overrides
  rsaKey: RunningWorld['rsaKey']
}

/** What changed in a world in one turn of the loop. Plain JSON; what is missing did not change. */
export interface WorldChange extends Partial<Scalars> {
  id: string
  /** The whole world: it is new. */
  world?: StoredWorld
  /** All that it remembers: it was reset or restored. */
  life?: SavedWorld
  /** Things by kind and key; null for one that is gone. */
  kept?: [kind: KeptKind, key: string, value: unknown][]
  windows?: [key: string, dropped: number, added: number | null][]
  /** Jobs by kind and subject; null for one that is gone. */
  jobs?: [kind: JobKind, subject: string, dueAt: Instant | null, order: number][]
  /** Only the new ones. */
  postings?: Posting[]
  journal?: JournalEntry[]
  snapshots?: [name: string, snapshot: NamedSnapshot | null][]
  files?: [digest: string, base64: string | null][]
}

/** A kept world while changes are applied to it: what is found by a key is found at a cost that does not grow. */
export interface ChangingWorld {
  stored: StoredWorld
  jobs: Map<string, Job<JobKind>>
  snapshots: Map<string, NamedSnapshot>
  files: Map<string, string>
}

/** A kept world that changes can be applied to. */
export function beginChanging(stored: StoredWorld): ChangingWorld {
  return {
    stored,
    jobs: jobsOf(stored.saved),
    snapshots: new Map(stored.snapshots),
    files: new Map(stored.files),
  }
}

/** The kept world that the changes have led to. */
export function endChanging({ stored, jobs, snapshots, files }: ChangingWorld): StoredWorld {
  const { saved } = stored
  const sorted = [...jobs.values()].toSorted((a, b) => a.dueAt - b.dueAt || a.order - b.order)
  return {
    ...stored,
    saved: { ...saved, scheduler: { lastOrder: saved.scheduler.lastOrder, jobs: sorted } },
    snapshots: [...snapshots],
    files: [...files],
  }
}

function jobsOf({ scheduler }: SavedWorld): Map<string, Job<JobKind>> {
  return new Map(scheduler.jobs.map((job) => [jobKey(job.kind, job.subject), job]))
}

function jobKey(kind: JobKind, subject: string): string {
  return `${kind}:${subject}`
}

/** Applies what changed in one turn; `at` is the host's time of it. */
export function applyChange(changing: ChangingWorld, change: WorldChange, at: Instant): void {
  const { stored } = changing
  if (change.clock || change.life) stored.savedAt = at
  if (change.life) {
    stored.saved = change.life
    changing.jobs = jobsOf(change.life)
  }
  const { state } = stored.saved
  applyScalars(stored, change)
  for (const [kind, key, value] of change.kept ?? []) applyKept(stored.saved, kind, key, value)
  for (const [key, dropped, added] of change.windows ?? []) {
    const window = (state.rateWindows[key] ??= [])
    window.splice(0, dropped)
    if (added !== null) window.push(added)
  }
  for (const [kind, subject, dueAt, order] of change.jobs ?? []) {
    if (dueAt === null) changing.jobs.delete(jobKey(kind, subject))
    else changing.jobs.set(jobKey(kind, subject), { kind, subject, dueAt, order })
  }
  state.postings.push(...(change.postings ?? []))
  state.journal.push(...(change.journal ?? []))
  for (const [name, snapshot] of change.snapshots ?? []) put(changing.snapshots, name, snapshot)
  for (const [digest, base64] of change.files ?? []) put(changing.files, digest, base64)
}

/** Puts a value behind all others, or takes it away. */
function put<V>(map: Map<string, V>, key: string, value: V | null): void {
  map.delete(key)
  if (value !== null) map.set(key, value)
}

function applyScalars(stored: StoredWorld, change: WorldChange): void {
  const { saved } = stored
  saved.clock = change.clock ?? saved.clock
  saved.random = change.random ?? saved.random
  saved.scheduler.lastOrder = change.lastOrder ?? saved.scheduler.lastOrder
  saved.state.variedAnswers = change.variedAnswers ?? saved.state.variedAnswers
  saved.rules.made = change.rulesMade ?? saved.rules.made
  saved.silences = change.silences ?? saved.silences
  stored.rsaKey = change.rsaKey ?? stored.rsaKey
}

function applyKept(saved: SavedWorld, kind: KeptKind, key: string, value: unknown): void {
  switch (kind) {
    case 'faults':
      return putById(saved.faults, key, value as SavedWorld['faults'][number] | null)
    case 'rules':
      return putById(saved.rules.list, key, value as SavedWorld['rules']['list'][number] | null)
    default: {
      const records: Record<string, unknown> = kind === 'planned' ? saved.rules.planned : saved.state[kind]
      if (value === null) delete records[key]
      else records[key] = value
    }
  }
}

/** Puts a thing in the place of the one with its id, or behind all others; or takes that one away. */
function putById<T extends { id: string }>(list: T[], id: string, value: T | null): void {
  const place = list.findIndex((each) => each.id === id)
  if (value === null) {
    if (place >= 0) list.splice(place, 1)
  } else if (place < 0) list.push(value)
  else list[place] = value
}

/** A kept thing of a world as it is now; null when it is gone. */
export function keptNow(world: RunningWorld, kind: KeptKind, key: string): unknown {
  switch (kind) {
    case 'faults':
      return world.faults.find(({ id }) => id === key) ?? null
    case 'rules':
      return world.rules.list.find(({ id }) => id === key) ?? null
    case 'planned':
      return world.rules.planned[key] ?? null
    default:
      return world.state[kind][key] ?? null
  }
}

/** A job of a world as it is now, one that is due and waits for its turn included. */
export function jobNow(
  world: RunningWorld,
  kind: JobKind,
  subject: string,
): NonNullable<WorldChange['jobs']>[number] {
  const isQueued = kind === 'attemptDelivery' && world.queue.has(subject)
  const job = isQueued ? queuedJob(world, subject) : world.scheduler.find(kind, subject)
  return job ? [kind, subject, job.dueAt, job.order] : [kind, subject, null, 0]
}
