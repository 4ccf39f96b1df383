// Owns collecting what changes in one world until it is written.
import { saveWorld } from './snapshots.ts'
import { base64Of, storeWorld } from './storedWorld.ts'
import { jobNow, keptNow } from './worldChange.ts'
import type { KeptKind } from '../domain/changes.ts'
import type { JobKind } from '../domain/jobs.ts'
import type { WorldChanges } from './keeping.ts'
import type { RunningWorld } from './runningWorld.ts'
import type { Scalars, WorldChange } from './worldChange.ts'

/** What changed in one world and is not written yet. */
export interface ChangeLog {
  /** What changed since the last time; null when nothing did. */
  take(): WorldChange | null
  /** Takes everything as written. */
  forget(): void
}

/** What was told of a world since it was last written, and what is compared with how it was then. */
interface Marks {
  /** What is to be written whole: all of the world, or what it remembers. */
  whole: 'world' | 'life' | null
  kept: Map<KeptKind, Set<string>>
  jobs: Map<JobKind, Set<string>>
  windows: NonNullable<WorldChange['windows']>
  snapshots: Set<string>
  files: Set<string>
  before: Compared
}

/** What changes without a word: small values, and lengths of what is only ever appended to. */
interface Compared {
  scalars: Scalars
  clockMoves: number
  postings: number
  journal: number
}

/**
 * Collects what changes in a world from now on.
 * @param isNew whether all of it is still to be written
 * @param wake told whenever something changed
 */
export function keepLog(world: RunningWorld, isNew: boolean, wake: (log: ChangeLog) => void): ChangeLog {
  const marks: Marks = {
    whole: isNew ? 'world' : null,
    kept: new Map(),
    jobs: new Map(),
    windows: [],
    snapshots: new Set(),
    files: new Set(),
    before: comparedOf(world),
  }
  const log: ChangeLog = { take: () => take(world, marks), forget: () => forget(world, marks) }
  const changes = changesOf(world, marks, () => wake(log))
  world.changes = changes
  world.scheduler.changed = changes.job
  if (isNew) wake(log)
  return log
}

function changesOf(world: RunningWorld, marks: Marks, wake: () => void): WorldChanges {
  const changes: WorldChanges = {
    record(kind, key) {
      mark(marks.kept, kind, key)
      wake()
    },
    window(key, dropped, added) {
      if (dropped === 0 && added === null) return
      marks.windows.push([key, dropped, added])
      wake()
    },
    job(kind, subject) {
      mark(marks.jobs, kind, subject)
      wake()
    },
    look() {
      if (hasMoved(marks.before, comparedOf(world))) wake()
    },
    anew() {
      forgetParts(marks)
      marks.whole ??= 'life'
      world.scheduler.changed = changes.job
      wake()
    },
    file(digest) {
      marks.files.add(digest)
      wake()
    },
    snapshot(name) {
      // The one that was saved last stands last.
      marks.snapshots.delete(name)
      marks.snapshots.add(name)
      wake()
    },
  }
  return changes
}

function mark<Kind>(marks: Map<Kind, Set<string>>, kind: Kind, key: string): void {
  const keys = marks.get(kind)
  if (keys) keys.add(key)
  else marks.set(kind, new Set([key]))
}

function forgetParts(marks: Marks): void {
  marks.kept.clear()
  marks.jobs.clear()
  marks.windows = []
}

function forget(world: RunningWorld, marks: Marks): void {
  forgetParts(marks)
  marks.whole = null
  marks.snapshots.clear()
  marks.files.clear()
  marks.before = comparedOf(world)
}

function take(world: RunningWorld, marks: Marks): WorldChange | null {
  const parts = marks.whole === 'world' ? { world: storeWorld(world) } : takeParts(world, marks)
  forget(world, marks)
  return Object.keys(parts).length === 0 ? null : { id: world.id, ...parts }
}

function takeParts(world: RunningWorld, marks: Marks): Omit<WorldChange, 'id'> {
  const { snapshots, files } = marks
  return {
    ...(marks.whole === 'life' ? { life: saveWorld(world) } : takeLife(world, marks)),
    ...withoutEmpty({
      snapshots: Array.from(snapshots, (name) => [name, world.snapshots.get(name) ?? null] as const),
      files: Array.from(files, (digest) => [digest, fileNow(world, digest)] as const),
    }),
  } as Omit<WorldChange, 'id'>
}

/** What changed in a state that was not replaced. */
function takeLife(world: RunningWorld, { kept, jobs, windows, before }: Marks): Omit<WorldChange, 'id'> {
  const now = comparedOf(world)
  const { postings, journal } = world.state
  const lists = withoutEmpty({
    kept: all(kept, (kind, key): [KeptKind, string, unknown] => [kind, key, keptNow(world, kind, key)]),
    windows,
    jobs: all(jobs, (kind, subject) => jobNow(world, kind, subject)),
    postings: now.postings === before.postings ? [] : postings.slice(before.postings),
    journal: now.journal === before.journal ? [] : journal.slice(before.journal),
  })
  if (Object.keys(lists).length === 0 && !hasMoved(before, now)) return {}
  return { ...lists, ...movedScalars(before, now) }
}

function all<Kind, T>(marks: Map<Kind, Set<string>>, read: (kind: Kind, key: string) => T): T[] {
  const found: T[] = []
  for (const [kind, keys] of marks) for (const key of keys) found.push(read(kind, key))
  return found
}

function withoutEmpty<T extends Record<string, readonly unknown[]>>(lists: T): Partial<T> {
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)) as Partial<T>
}

function fileNow(world: RunningWorld, digest: string): string | null {
  const bytes = world.files.get(digest)
  return bytes ? base64Of(bytes) : null
}

function comparedOf(world: RunningWorld): Compared {
  const { clock, random, scheduler, state, rules, choices, rsaKey } = world
  return {
    scalars: {
      clock: clock.save(),
      random: random.save(),
      lastOrder: scheduler.lastOrder,
      variedAnswers: state.variedAnswers,
      rulesMade: rules.made,
      silences: choices.overrides(),
      rsaKey,
    },
    clockMoves: clock.moves,
    postings: state.postings.length,
    journal: state.journal.length,
  }
}

function hasMoved(before: Compared, now: Compared): boolean {
  return (
    before.clockMoves !== now.clockMoves ||
    before.postings !== now.postings ||
    before.journal !== now.journal ||
    SCALARS.some((name) => !isSame(before, now, name))
  )
}

/** All but the clock, which may flow: where it stands is written with whatever else is. */
const SCALARS = ['random', 'lastOrder', 'variedAnswers', 'rulesMade', 'silences', 'rsaKey'] as const

/** Choices and keys are replaced, never changed in place. */
function isSame(before: Compared, now: Compared, name: (typeof SCALARS)[number]): boolean {
  const [one, other] = [before.scalars[name], now.scalars[name]]
  return one === other || (name === 'random' && isSameRandom(before, now))
}

function isSameRandom({ scalars: before }: Compared, { scalars: now }: Compared): boolean {
  return before.random.every((word, index) => word === now.random[index])
}

function movedScalars(before: Compared, now: Compared): Partial<Scalars> {
  const moved: Partial<Record<keyof Scalars, unknown>> = {}
  for (const name of SCALARS) if (!isSame(before, now, name)) moved[name] = now.scalars[name]
  const { clock } = now.scalars
  if (clock.mode === 'flowing' || before.clockMoves !== now.clockMoves) moved.clock = clock
  return moved as Partial<Scalars>
}
