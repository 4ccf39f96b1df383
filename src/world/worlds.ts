// Owns the worlds of one server: making, finding and ending them.
import { checkOverrides } from './choices.ts'
import { releaseCalls } from './heldCalls.ts'
import { digestSecret, makeKeyPair } from './keys.ts'
import { Misuse } from './misuse.ts'
import { abortFlights, wakeWatchers } from './run.ts'
import { createRunningWorld, firstKeys } from './runningWorld.ts'
import { restoreWorld, saveText } from './snapshots.ts'
import type { Environment } from '../contract/enums.ts'
import type { KeyPair, SecretStyle } from './keys.ts'
import type { ClockStart, Host, RunningWorld, SavedWorld, WorldKeys } from './runningWorld.ts'

/** Worlds that one server holds. */
const MAX_WORLDS = 10_000
/** Name of the world that always exists. */
const DEFAULT_WORLD = 'default'

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
  delete(id: string): void
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

/** The worlds of a server, with the default one. */
export function createWorlds(host: Host, { seed, clock, silences = {} }: WorldsOptions): Worlds {
  const byId = new Map<string, RunningWorld>()
  const byKey = new Map<string, RunningWorld>()
  const given = new Set<string>()

  function add(settings: WorldSettings & { id: string }, style: SecretStyle): RunningWorld {
    const { id } = settings
    refuseId(byId, id)
    const overrides = checkOverrides({}, settings.silences ?? {})
    const start = pinned(host, settings.clock ?? clock)
    const origin = {
      id,
      seed: settings.seed ?? `${seed}/${id}`,
      clock: start,
      keys: firstKeys(id, style),
    }
    const world = createRunningWorld(host, origin, overrides)
    byId.set(id, world)
    given.add(id)
    for (const publicKey of Object.keys(world.state.credentials)) byKey.set(publicKey, world)
    return world
  }

  const create = (settings: WorldSettings): RunningWorld =>
    add({ ...settings, id: settings.id ?? freeId(given) }, host.secretStyle)
  const standard = add({ id: DEFAULT_WORLD, silences }, 'byName')

  return {
    host,
    seed,
    default: standard,
    get: (id) => byId.get(id) ?? null,
    list: () => [...byId.values()],
    ofPublicKey: (publicKey) => byKey.get(publicKey) ?? null,
    claimKey: (world, publicKey) => void byKey.set(publicKey, world),
    create,
    fork(from, id) {
      const { clock: start, seed: ownSeed } = from.origin
      const world = create({ id, clock: start, seed: ownSeed, silences: from.choices.overrides() })
      world.files = new Map(from.files)
      return { world, added: adopt(from, world, byKey) }
    },
    delete(id) {
      const world = byId.get(id)
      if (!world) throw new Misuse('sandbox_not_found', `No world '${id}'.`)
      if (world === standard) {
        throw new Misuse('sandbox_world_fixed', 'The default world always exists; reset it instead.')
      }
      byId.delete(id)
      for (const publicKey of Object.keys(world.state.credentials)) byKey.delete(publicKey)
      end(world)
    },
    close() {
      for (const world of byId.values()) end(world)
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

/** An id for a world that is given none: the first of `w1`, `w2` and so on that was never given. */
function freeId(taken: Set<string>): string {
  let number = 1
  while (taken.has(`w${number}`)) number += 1
  return `w${number}`
}

/** A frozen clock without an instant shows the host's time of its creation, also after a reset. */
function pinned(host: Host, start: ClockStart): ClockStart {
  return start.mode === 'frozen' ? { ...start, at: start.at ?? host.time.wall() } : start
}

function end(world: RunningWorld): void {
  world.closed = true
  world.callOffWake?.()
  abortFlights(world)
  releaseCalls(world)
  world.inboxes.clear()
  world.exchanges.close()
  world.feed.close()
  wakeWatchers(world)
}

/** Gives a new world the state of another, with every credential under a key pair of the new one. */
function adopt(from: RunningWorld, to: RunningWorld, byKey: Map<string, RunningWorld>): KeyPair[] {
  const saved = JSON.parse(saveText(from)) as SavedWorld
  const first = renamedFirstKeys(from.origin.keys, to.origin.keys)
  const added: KeyPair[] = []
  const credentials = Object.values(saved.state.credentials).map((credential, index) => {
    const known = first.get(credential.publicKey)
    const keys = known ?? makeAdded(to, credential.environment, index)
    if (!known) added.push(keys)
    byKey.set(keys.publicKey, to)
    const { publicKey, secretKey } = keys
    return [publicKey, { ...credential, publicKey, secretDigest: digestSecret(secretKey) }] as const
  })
  saved.state.credentials = Object.fromEntries(credentials)
  saved.state.rateWindows = {}
  to.ruleKey = from.ruleKey
  restoreWorld(to, JSON.stringify(saved))
  return added
}

function makeAdded(world: RunningWorld, environment: Environment, index: number): KeyPair {
  return makeKeyPair(world.id, environment, world.host.secretStyle, `c${index + 1}`)
}

function renamedFirstKeys(from: WorldKeys, to: WorldKeys): Map<string, KeyPair> {
  return new Map([
    [from.sandbox.publicKey, to.sandbox],
    [from.production.publicKey, to.production],
    [from.receiver.publicKey, to.receiver],
  ])
}
