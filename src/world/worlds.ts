// Owns the worlds of one server: making, finding and ending them.
import { checkOverrides } from './choices.ts'
import { releaseCalls } from './heldCalls.ts'
import { digestSecret, makeKeyPair } from './keys.ts'
import { Misuse } from './misuse.ts'
import { callBackFlights, wakeWatchers } from './run.ts'
import { firstKeys } from './firstRecords.ts'
import { createRunningWorld } from './runningWorld.ts'
import { restoreWorld, saveText } from './snapshots.ts'
import { reviveWorld } from './storedWorld.ts'
import type { Environment } from '../contract/enums.ts'
import type { KeyPair, SecretStyle } from './keys.ts'
import type { Keeper } from './keeping.ts'
import type { ClockStart, Host, RunningWorld } from './runningWorld.ts'
import type { SavedWorld } from './savedWorld.ts'
import type { StoredWorld } from './storedWorld.ts'

/** Worlds that one server holds. */
const MAX_WORLDS = 10_000
/** Name of the world that always exists. */
export const DEFAULT_WORLD = 'default'

/** What a new world may be given. */
export interface WorldSettings {
  id?: string | undefined
  clock?: ClockStart | undefined
  seed?: string | undefined
  silences?: Record<string, unknown> | undefined
}

/** The worlds of one server. */
export interface Worlds {
  readonly host: Host
  /** Seed that worlds without one of their own derive theirs from. */
  readonly seed: string
  get(id: string): RunningWorld | null
  readonly default: RunningWorld
  list(): RunningWorld[]
  /** The world that a public key belongs to. */
  ofPublicKey(publicKey: string): RunningWorld | null
  /** Makes a key pair known as belonging to a world. */
  claimKey(world: RunningWorld, publicKey: string): void
  create(settings: WorldSettings): RunningWorld
  /** A copy of a world under a new id, with keys of its own; answers also the pairs of its added credentials. */
  fork(world: RunningWorld, id: string | undefined): { world: RunningWorld; added: KeyPair[] }
  /** Gives a world another's state and files, under its own keys; answers the pairs of added credentials. */
  replace(world: RunningWorld, saved: SavedWorld, files: Map<string, Uint8Array>): KeyPair[]
  delete(id: string): void
  /** Which ids were given so far. */
  ids(): GivenIds
  /** Ends every world: nothing is in flight or planned afterwards. */
  close(): void
}

/** What a server's worlds begin with. */
export interface WorldsOptions {
  seed: string
  /** How a world's clock begins unless it is told otherwise. */
  clock: ClockStart
  /** Choices of the default world. */
  silences?: Record<string, unknown> | undefined
}

/** The worlds of a server as they are kept. Plain JSON. */
export interface StoredServer {
  seed: string
  ids: GivenIds
  worlds: StoredWorld[]
}

/** Keeps the worlds of a server. */
export interface WorldKeeper extends Keeper {
  /** What was kept before; null for a server that begins. */
  readonly stored: StoredServer | null
  /** Keeps what changes in a world from now on; all of it when it is new. */
  follow(world: RunningWorld, isNew: boolean): void
  /** A world has ended. */
  ended(id: string): void
}

/** Settings with the id that was found for them. */
type Named = WorldSettings & { id: string }

/** The worlds of a server, with the default one. Those that were kept before go on where they stood. */
export function createWorlds(
  host: Host,
  { seed, clock, silences = {} }: WorldsOptions,
  keeper: WorldKeeper | null = null,
): Worlds {
  const byId = new Map<string, RunningWorld>()
  const keys = createKeyOwners()
  const given = createFreeIds(keeper?.stored?.ids)

  function add(settings: Named, style: SecretStyle, secrets: Uint8Array | null = null): RunningWorld {
    const { id } = settings
    refuseId(byId, id)
    const overrides = checkOverrides({}, settings.silences ?? {})
    const start = pinned(host, settings.clock ?? clock)
    const origin = { id, seed: settings.seed ?? `${seed}/${id}`, clock: start, keys: firstKeys(id, style) }
    given.take(id)
    return enter(createRunningWorld(host, origin, overrides, secrets), true)
  }

  function enter(world: RunningWorld, isNew: boolean): RunningWorld {
    byId.set(world.id, world)
    for (const publicKey of Object.keys(world.state.credentials)) keys.claim(world, publicKey)
    keeper?.follow(world, isNew)
    return world
  }

  const create = (settings: WorldSettings, secrets: Uint8Array | null = null): RunningWorld =>
    add({ ...settings, id: settings.id ?? given.next() }, host.secretStyle, secrets)
  for (const stored of keeper?.stored?.worlds ?? []) enter(reviveWorld(host, stored), false)
  const standard = byId.get(DEFAULT_WORLD) ?? add({ id: DEFAULT_WORLD, silences }, 'byName')

  return {
    host,
    seed,
    default: standard,
    get: (id) => byId.get(id) ?? null,
    list: () => [...byId.values()],
    ofPublicKey: (publicKey) => keys.owner(publicKey),
    claimKey: (world, publicKey) => keys.claim(world, publicKey),
    create: (settings) => create(settings),
    fork(from, id) {
      const { clock: start, seed: ownSeed } = from.origin
      const settings = { id, clock: start, seed: ownSeed, silences: from.choices.overrides() }
      const world = create(settings, from.ruleKey)
      world.files = new Map(from.files)
      return { world, added: adopt(JSON.parse(saveText(from)) as SavedWorld, world, keys) }
    },
    replace(world, saved, files) {
      for (const digest of [...world.files.keys(), ...files.keys()]) world.changes?.file(digest)
      world.files = files
      return adopt(saved, world, keys)
    },
    delete(id) {
      const world = byId.get(id)
      if (!world) throw new Misuse('sandbox_not_found', `No world '${id}'.`)
      if (world === standard) {
        throw new Misuse('sandbox_world_fixed', 'The default world always exists; reset it instead.')
      }
      byId.delete(id)
      keys.release(world)
      end(world)
      keeper?.ended(id)
    },
    ids: () => given.save(),
    close() {
      for (const world of byId.values()) end(world)
    },
  }
}

/** The world that each public key belongs to. */
interface KeyOwners {
  owner(publicKey: string): RunningWorld | null
  claim(world: RunningWorld, publicKey: string): void
  /** Forgets all keys of a world. */
  release(world: RunningWorld): void
}

/**
 * No public key belongs to anybody yet. Kept apart from the state: a snapshot that is put back takes younger keys out of it,
 * and those must not hold a world that has ended.
 */
function createKeyOwners(): KeyOwners {
  const byKey = new Map<string, RunningWorld>()
  const claimed = new WeakMap<RunningWorld, Set<string>>()
  return {
    owner: (publicKey) => byKey.get(publicKey) ?? null,
    claim(world, publicKey) {
      byKey.set(publicKey, world)
      const own = claimed.get(world) ?? new Set()
      claimed.set(world, own.add(publicKey))
    },
    release(world) {
      for (const publicKey of claimed.get(world) ?? []) {
        // A world of the same id may have taken its keys over.
        if (byKey.get(publicKey) === world) byKey.delete(publicKey)
      }
    },
  }
}

function refuseId(byId: Map<string, RunningWorld>, id: string): void {
  if (byId.has(id)) {
    throw new Misuse('sandbox_world_exists', `A world '${id}' exists; leave the id out to get a free one.`)
  }
  if (byId.size >= MAX_WORLDS) {
    throw new Misuse('sandbox_too_many_worlds', `This server holds ${MAX_WORLDS} worlds; delete some.`)
  }
}

/** Which ids of the form `w1` were given: all below a number, and those ahead of it that somebody chose. */
export interface GivenIds {
  number: number
  ahead: string[]
}

/** Ids for worlds that are given none: the first of `w1`, `w2` and so on that was never given. */
function createFreeIds(given: GivenIds = { number: 1, ahead: [] }): {
  take(id: string): void
  next(): string
  save(): GivenIds
} {
  let { number } = given
  const taken = new Set(given.ahead)
  const next = (): string => {
    while (taken.delete(`w${number}`)) number += 1
    return `w${number}`
  }
  return {
    take(id) {
      if (id === next()) number += 1
      else if (/^w[1-9]\d*$/.test(id) && Number(id.slice(1)) > number) taken.add(id)
    },
    next,
    save: () => ({ number, ahead: [...taken] }),
  }
}

/** A frozen clock without an instant shows the host's time of its creation, also after a reset. */
function pinned(host: Host, start: ClockStart): ClockStart {
  return start.mode === 'frozen' ? { ...start, at: start.at ?? host.time.wall() } : start
}

function end(world: RunningWorld): void {
  world.closed = true
  world.callOffWake?.()
  callBackFlights(world)
  releaseCalls(world)
  world.inboxes.clear()
  world.exchanges.close()
  world.feed.close()
  wakeWatchers(world)
}

/** Gives a world a saved state, with every credential under a key pair of its own; answers the pairs of the added ones. */
function adopt(saved: SavedWorld, to: RunningWorld, owners: KeyOwners): KeyPair[] {
  // A world has its first credentials in this order, before all others.
  const { sandbox, production, receiver } = to.origin.keys
  const first = [sandbox, production, receiver]
  const added: KeyPair[] = []
  const credentials = Object.values(saved.state.credentials).map((credential, index) => {
    const known = first[index]
    const keys = known ?? makeAdded(to, credential.environment, index)
    if (!known) added.push(keys)
    owners.claim(to, keys.publicKey)
    const { publicKey, secretKey } = keys
    return [publicKey, { ...credential, publicKey, secretDigest: digestSecret(secretKey) }] as const
  })
  saved.state.credentials = Object.fromEntries(credentials)
  saved.state.rateWindows = {}
  restoreWorld(to, JSON.stringify(saved))
  return added
}

function makeAdded(world: RunningWorld, environment: Environment, index: number): KeyPair {
  return makeKeyPair(world.id, environment, world.host.secretStyle, `c${index + 1}`)
}
