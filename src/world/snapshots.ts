// Owns a world as one value: saving it, putting it back, and beginning it anew.
import { addFirstRecords, assemble, beginning } from './runningWorld.ts'
import { abortFlights, planWake, wakeWatchers } from './run.ts'
import type { RunningWorld, SavedWorld } from './runningWorld.ts'

/** A world as one JSON value. Equal for equal seed, clock, id, public URL and calls. */
export function saveWorld(world: RunningWorld): SavedWorld {
  return {
    format: 1,
    clock: world.clock.save(),
    random: world.random.save(),
    scheduler: world.scheduler.save(),
    state: world.state,
  }
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
  requeueInterrupted(world)
  planWake(world)
}

/**
 * Begins a world anew: records, rate windows, inboxes and deliveries go, the clock and chance return to their start. Id,
 * knobs and keys stay, added organisations and credentials included.
 */
export function resetWorld(world: RunningWorld): void {
  const { organizations, credentials } = world.state
  beginLife(world)
  world.files.clear()
  Object.assign(world, beginning(world.host, world.origin))
  addFirstRecords(world)
  const { state, indexes } = world
  state.organizations = { ...organizations, ...state.organizations }
  state.credentials = { ...credentials, ...state.credentials }
  for (const { id, splitCode } of Object.values(state.organizations)) {
    indexes.organizationBySplitCode.set(splitCode, id)
  }
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
  world.exchanges.clear()
  wakeWatchers(world)
}

/** Attempts that were in flight when a world was saved have no outcome: they are due again under their number. */
function requeueInterrupted(world: RunningWorld): void {
  for (const delivery of Object.values(world.state.deliveries)) {
    const last = delivery.attempts.at(-1)
    if (delivery.status !== 'sending' || last?.endedAt !== null) continue
    delivery.attempts.pop()
    delivery.status = 'scheduled'
    delivery.nextNumber = last.number
    delivery.nextAttemptAt = last.at
    world.scheduler.schedule('attemptDelivery', delivery.id, world.clock.now(), delivery.order)
  }
}
