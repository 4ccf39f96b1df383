// Owns the form in which a whole world is kept on disk, and the way back to a world at work.
import { instant, LAST_INSTANT } from '../kernel/time.ts'
import { raiseWorld } from './runningWorld.ts'
import { assemble } from './savedWorld.ts'
import { requeueInterrupted, saveWorld } from './snapshots.ts'
import type { Instant, Timestamp } from '../kernel/brands.ts'
import type { ClockState } from '../kernel/clock.ts'
import type { Host, RunningWorld, WorldOrigin } from './runningWorld.ts'
import type { SavedWorld } from './savedWorld.ts'

/** A snapshot that has a name: a saved world as JSON text, and the instant that it holds. */
export interface NamedSnapshot {
  text: string
  now: Timestamp
}

/** A whole world as it is kept. Plain JSON. */
export interface StoredWorld {
  origin: WorldOrigin
  /** Base64. */
  tokenKey: string
  /** Base64. */
  ruleKey: string
  rsaKey: RunningWorld['rsaKey']
  saved: SavedWorld
  /** The host's time when the clock was saved. */
  savedAt: Instant
  snapshots: [name: string, snapshot: NamedSnapshot][]
  files: [digest: string, base64: string][]
}

/** A world as it is kept now. It shares its records with the world. */
export function storeWorld(world: RunningWorld): StoredWorld {
  return {
    origin: world.origin,
    tokenKey: base64Of(world.tokenKey),
    ruleKey: base64Of(world.ruleKey),
    rsaKey: world.rsaKey,
    saved: saveWorld(world),
    savedAt: world.host.time.wall(),
    snapshots: [...world.snapshots],
    files: Array.from(world.files, ([digest, bytes]): [string, string] => [digest, base64Of(bytes)]),
  }
}

/** Bytes as text. */
export function base64Of(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}

/**
 * A world at work again. A flowing clock has flowed on with the host meanwhile. Attempts that were in flight have no
 * outcome: they are due again under their number.
 */
export function reviveWorld(host: Host, stored: StoredWorld): RunningWorld {
  const { origin, rsaKey, saved, snapshots, files } = stored
  const clock = flowedOn(saved.clock, stored.savedAt, host.time.wall())
  const parts = assemble(host, { ...saved, clock })
  const keys = { token: Buffer.from(stored.tokenKey, 'base64'), rule: Buffer.from(stored.ruleKey, 'base64') }
  const world = raiseWorld(host, origin, saved.silences, parts, keys)
  world.rsaKey = rsaKey
  world.faults = saved.faults
  world.rules = saved.rules
  world.snapshots = new Map(snapshots)
  world.files = new Map(files.map(([digest, base64]) => [digest, Buffer.from(base64, 'base64')]))
  requeueInterrupted(world)
  return world
}

function flowedOn(clock: ClockState, savedAt: Instant, now: Instant): ClockState {
  if (clock.mode === 'frozen') return clock
  const passed = Math.max(0, now - savedAt)
  return { ...clock, at: instant(Math.min(LAST_INSTANT, clock.at + Math.floor(passed * clock.rate))) }
}
