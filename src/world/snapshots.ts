// Owns a world as one value: saving it, putting it back, and beginning it anew.
import { present } from '../kernel/assert.ts'
import { setDeliveryStatus } from '../domain/deliveries.ts'
import { buildIndexes } from '../domain/indexes.ts'
import { fromTimestamp } from '../kernel/time.ts'
import { stamp } from '../domain/world.ts'
import { addFirstRecords } from './firstRecords.ts'
import { beginning, noPictures } from './runningWorld.ts'
import { releaseCalls } from './heldCalls.ts'
import { noRules } from './rules.ts'
import { assemble } from './savedWorld.ts'
import { abortFlights, planWake, wakeWatchers } from './run.ts'
import type { LifeBegin } from './commands.ts'
import type { JobKind } from '../domain/jobs.ts'
import type { Job } from '../kernel/scheduler.ts'
import type { RunningWorld } from './runningWorld.ts'
import type { SavedWorld } from './savedWorld.ts'

/** A world as one JSON value. Equal for equal seed, clock, id, public URL and calls. */
export function saveWorld(world: RunningWorld): SavedWorld {
  return {
    format: 1,
    clock: world.clock.save(),
    random: world.random.save(),
    scheduler: withQueued(world),
    silences: world.choices.overrides(),
    faults: world.faults,
    rules: world.rules,
    state: world.state,
  }
}

/** The jobs of a world, with the attempts that are due and wait only for others to end. */
function withQueued(world: RunningWorld): SavedWorld['scheduler'] {
  const { lastOrder, jobs } = world.scheduler.save()
  const queued = Array.from(world.queue, (id) => queuedJob(world, id))
  return { lastOrder, jobs: [...queued, ...jobs] }
}

/** The job of an attempt that is due and waits only for others to end. */
export function queuedJob({ state }: RunningWorld, subject: string): Job<JobKind> {
  const { nextAttemptAt, order } = present(state.deliveries[subject], `no delivery ${subject}`)
  const dueAt = fromTimestamp(present(nextAttemptAt, 'a queued attempt is due'))
  return { kind: 'attemptDelivery', subject, dueAt, order }
}

/** A saved world as text: the form in which snapshots are kept. */
export function saveText(world: RunningWorld): string {
  return JSON.stringify(saveWorld(world))
}

/** Puts a world back to what was saved. Attempts in flight are dropped; those that were in flight when saved begin anew. */
export function restoreWorld(world: RunningWorld, text: string): void {
  const saved = JSON.parse(text) as SavedWorld
  beginLife(world)
  Object.assign(world, assemble(world.host, saved))
  world.choices.replace(saved.silences)
  world.faults = saved.faults
  world.rules = saved.rules
  requeueInterrupted(world)
  world.changes?.anew()
  planWake(world)
  beginLog(world, 'restored')
}

/**
 * Begins a world anew: records, rate windows, faults, rules, inboxes and deliveries go, the clock and chance return to their
 * start. Id, knobs and keys stay; added organisations and credentials do, too, and the first ones are as at the start.
 */
export function resetWorld(world: RunningWorld): void {
  const { organizations, credentials } = world.state
  beginLife(world)
  if (world.snapshots.size === 0) {
    for (const digest of world.files.keys()) world.changes?.file(digest)
    world.files.clear()
  }
  Object.assign(world, beginning(world.host, world.origin))
  addFirstRecords(world)
  const { state } = world
  const renamed = Object.values(state.credentials).map((fresh) => {
    const { organizationId } = credentials[fresh.publicKey] ?? fresh
    const { id, splitCode } =
      organizations[organizationId] ?? present(state.organizations[fresh.organizationId], 'an owner')
    const organization = { ...present(state.organizations[fresh.organizationId], 'an owner'), id, splitCode }
    return { credential: { ...fresh, organizationId: id }, organization }
  })
  const first = Object.fromEntries(renamed.map(({ organization }) => [organization.id, organization]))
  state.organizations = { ...first, ...withoutKeys(organizations, first) }
  const firstKeys = Object.fromEntries(renamed.map(({ credential }) => [credential.publicKey, credential]))
  state.credentials = { ...firstKeys, ...withoutKeys(credentials, firstKeys) }
  world.indexes = buildIndexes(state)
  world.changes?.anew()
  beginLog(world, 'reset')
}

/** Forgets what was done to a world before. */
function beginLog(world: RunningWorld, how: LifeBegin['how']): void {
  const { autoConfirm } = world
  world.commands.begin({ at: stamp(world), how, silences: world.choices.overrides(), autoConfirm })
}

function withoutKeys<T>(records: Record<string, T>, known: Record<string, unknown>): Record<string, T> {
  return Object.fromEntries(Object.entries(records).filter(([key]) => !Object.hasOwn(known, key)))
}

/** Ends the current life of a world: what is in flight or planned belongs to it no more. */
function beginLife(world: RunningWorld): void {
  world.life += 1
  world.trace = null
  world.callOffWake?.()
  world.callOffWake = null
  abortFlights(world)
  world.inboxes.clear()
  world.faults = []
  world.rules = noRules()
  world.beforeResponse.clear()
  releaseCalls(world)
  world.exchanges.clear()
  // Nobody can ask for those of former records, which they would keep.
  world.pictures = noPictures()
  wakeWatchers(world)
}

/** Attempts that were in flight when a world was saved have no outcome: they are due again under their number. */
export function requeueInterrupted(world: RunningWorld): void {
  for (const delivery of Object.values(world.state.deliveries)) {
    // An attempt beside the delivery's own has an earlier number, or is one of two.
    const open = delivery.attempts.find(
      ({ endedAt, number }) => endedAt === null && number === delivery.nextNumber,
    )
    delivery.attempts = delivery.attempts.filter(({ endedAt }) => endedAt !== null)
    if (delivery.status !== 'sending' || !open) continue
    setDeliveryStatus(world, delivery, 'scheduled')
    delivery.nextAttemptAt = open.at
    world.scheduler.schedule('attemptDelivery', delivery.id, world.clock.now(), delivery.order)
  }
}
