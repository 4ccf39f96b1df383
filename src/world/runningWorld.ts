// Owns a world at work: the rules' world plus what it needs to run (attempts in flight, inboxes, snapshots, wake-ups).
import { buildIndexes } from '../domain/indexes.ts'
import { foldBooks } from '../domain/books.ts'
import { addCredential, addOrganization } from '../domain/organizations.ts'
import { emptyState } from '../domain/state.ts'
import { stamp } from '../domain/world.ts'
import { strongHex } from '../kernel/entropy.ts'
import { createClock } from '../kernel/clock.ts'
import { createRandom, seedState } from '../kernel/random.ts'
import { createScheduler } from '../kernel/scheduler.ts'
import { toTimestamp } from '../kernel/time.ts'
import { createChoices } from './choices.ts'
import { createCommands } from './commands.ts'
import { dispatchDelivery } from './deliveryFaults.ts'
import { createExchanges } from './exchanges.ts'
import { createFeed } from './feed.ts'
import { createHistory } from './history.ts'
import { createInboxes } from './inboxes.ts'
import { chanceOf } from './variation.ts'
import { digestSecret, makeKeyPair, ruleKey, tokenKey } from './keys.ts'
import { noRules, reactToEvent } from './rules.ts'
import type { Transaction } from '../domain/records.ts'
import type { Attempt, Delivery } from '../domain/trail.ts'
import type { WorldState } from '../domain/state.ts'
import type { World } from '../domain/world.ts'
import type { ClockMode, ClockState } from '../kernel/clock.ts'
import type { HostTime } from '../kernel/hostTime.ts'
import type { Instant, Millis, Timestamp } from '../kernel/brands.ts'
import type { Random, RandomState } from '../kernel/random.ts'
import type { SchedulerState } from '../kernel/scheduler.ts'
import type { JobKind } from '../domain/jobs.ts'
import type { Sender } from '../webhooks/send.ts'
import type { Overrides, WorldChoices } from './choices.ts'
import type { Commands } from './commands.ts'
import type { Exchanges } from './exchanges.ts'
import type { Fault } from './faults.ts'
import type { HeldCall } from './heldCalls.ts'
import type { Feed, FeedItem, FeedKind } from './feed.ts'
import type { History, Moment } from './history.ts'
import type { Inboxes } from './inboxes.ts'
import type { Variation } from './variation.ts'
import type { KeyPair, SecretStyle } from './keys.ts'
import type { RuleBook } from './rules.ts'

/** How the clock of a world begins: `at: null` means the host's time of that moment. */
export interface ClockStart {
  mode: ClockMode
  at: Instant | null
  rate: number
}

/** What the worlds of one server share. */
export interface Host {
  time: HostTime
  sender: Sender
  /** Address under which the server is reached, without a final slash. Known once it listens. */
  publicUrl: string
  secretStyle: SecretStyle
  /** Whether it runs in the image. */
  container: boolean
  /** Host that takes the place of `localhost` in callback addresses; null for none. */
  rewriteLocalhost: string | null
  /** World time after which transactions are paid by themselves; null for never. */
  autoConfirm: Millis | null
  /** What is varied on purpose; null for nothing. */
  variation: Variation | null
  /** Told of every defect of ours. */
  report: (defect: unknown) => void
}

/** The keys that a world begins with. */
export interface WorldKeys {
  sandbox: KeyPair
  production: KeyPair
  receiver: KeyPair
}

/** What a world is made from; `reset` makes it again from the same. */
export interface WorldOrigin {
  id: string
  /** Seed of its chance: its own, which gives the same in a world of any id, or the server's with its id. */
  seed: string
  clock: ClockStart
  keys: WorldKeys
}

/** An attempt that was sent and not yet answered. */
export interface Flight {
  delivery: Delivery
  attempt: Attempt
  /** Whether it goes beside the delivery's own attempts, and decides nothing. */
  extra: boolean
  abort: AbortController
}

/** What an open call is at: its token is checked, its body is read, or it is worked on. */
export type ArrivalStage = 'token' | 'body' | 'work'

/** A call of the gateway that has arrived and is not answered. */
export interface Arrival {
  operation: string
  method: string
  path: string
  stage: ArrivalStage
  /** Null while any world may be meant. */
  world: RunningWorld | null
  /** Kept once its world is known. */
  readonly assigned: Promise<void>
}

/** What ran during an advance, in order. */
export interface Trace {
  ran: { at: Instant; job: JobKind; subject: string }[]
  flights: Flight[]
  /** Everything that ran, attempts included, also past what is kept here. */
  count: number
}

/** A world at work. */
export interface RunningWorld extends World {
  readonly origin: WorldOrigin
  readonly host: Host
  choices: WorldChoices
  /** Signs its tokens. */
  readonly tokenKey: Uint8Array
  /** Makes the digests of secrets that its rules keep; never told, and the same in a fork. */
  ruleKey: Uint8Array
  /** Attempts in flight. */
  flights: Set<Flight>
  /** Calls of the gateway that are open here, and those that may turn out to be. */
  answering: Set<Arrival>
  /** Deliveries whose attempt waits because as many as may are in flight. */
  queue: string[]
  /** Deliveries that are to be sent once more, whose attempt waits for the same. */
  extraQueue: string[]
  /** Host milliseconds that attempts took; not state, because it differs from run to run. */
  latencies: WeakMap<Attempt, number>
  /** QR pictures that were asked for; not state, because they follow from it. */
  pictures: WeakMap<Transaction, string>
  inboxes: Inboxes
  /** Bytes of evidence by their digest; kept apart from the state, which is text. */
  files: Map<string, Uint8Array>
  faults: Fault[]
  /** What the world does by itself, and what of it is planned. */
  rules: RuleBook
  /** Chance by a key, apart from the chance that makes records. */
  chance(key: string): Random
  /** Calls whose answers a fault holds back. */
  heldCalls: Set<HeldCall>
  /** Deliveries whose first attempt ends before the call that made them is answered. */
  beforeResponse: Set<string>
  exchanges: Exchanges
  feed: Feed
  history: History
  /** What was done to it over the control API. */
  commands: Commands
  /** Tells what happens, and keeps it in the history: at a moment that was taken before, or now. */
  tell(kind: FeedKind, facts: Record<string, unknown>, moment?: Moment): void
  /** Saved states by name, as JSON text, with the instant that each holds. */
  snapshots: Map<string, { text: string; now: Timestamp }>
  /** Grows whenever the state is replaced; what belongs to an earlier life is dropped. */
  life: number
  /** Collects what runs while the clock is being advanced; null otherwise. */
  trace: Trace | null
  /** Called once, at the next change of what is due or in flight. */
  watchers: Set<() => void>
  /** Calls off the planned wake-up. */
  callOffWake: (() => void) | null
  closed: boolean
}

/** A whole world as one JSON value. */
export interface SavedWorld {
  format: 1
  clock: ClockState
  random: RandomState
  scheduler: SchedulerState<JobKind>
  /** Choices that differ from the table. */
  silences: Overrides
  faults: Fault[]
  rules: RuleBook
  state: WorldState
}

/** A new world with its organisations and credentials. */
export function createRunningWorld(host: Host, origin: WorldOrigin, overrides: Overrides): RunningWorld {
  const { id, seed } = origin
  const feed = createFeed()
  const parts = beginning(host, origin)
  const at = toTimestamp(parts.clock.now())
  const world: RunningWorld = {
    id,
    origin,
    host,
    ...parts,
    choices: createChoices(overrides),
    tokenKey: tokenKey(host.secretStyle === 'strong' ? strongHex(32) : seed, id),
    ruleKey: ruleKey(host.secretStyle === 'strong' ? strongHex(32) : seed),
    get publicUrl() {
      return host.publicUrl
    },
    autoConfirm: host.autoConfirm,
    vary: (name, key) => chanceOf(host.variation, id, name, key),
    flights: new Set(),
    answering: new Set(),
    queue: [],
    extraQueue: [],
    latencies: new WeakMap(),
    pictures: new WeakMap(),
    inboxes: createInboxes(),
    files: new Map(),
    faults: [],
    rules: noRules(),
    heldCalls: new Set(),
    beforeResponse: new Set(),
    exchanges: createExchanges(),
    feed,
    history: createHistory(),
    commands: createCommands({ at, how: 'made', silences: overrides, autoConfirm: host.autoConfirm }),
    tell: (kind, facts, moment) => tell(world, { kind, at: stamp(world), facts }, moment),
    chance: (key) => createRandom(seedState(`${seed}/${key}`)),
    dispatch: (delivery) => dispatchDelivery(world, delivery),
    emitted(type, record, data) {
      reactToEvent(world, type, record, data)
      return true
    },
    snapshots: new Map(),
    life: 0,
    trace: null,
    watchers: new Set(),
    callOffWake: null,
    closed: false,
  }
  addFirstRecords(world)
  return world
}

function tell(world: RunningWorld, item: FeedItem, moment?: Moment): void {
  world.history.keep(item, moment ?? world.history.moment(world))
  world.feed.tell(item)
}

/** The parts of a world that begin anew: no records, the clock at its start, chance at its seed. */
export function beginning(
  host: Host,
  { seed, clock }: WorldOrigin,
): Pick<World, 'state' | 'indexes' | 'books' | 'clock' | 'scheduler' | 'random'> {
  const at = clock.at ?? host.time.wall()
  return assemble(host, {
    format: 1,
    clock: { ...clock, at },
    random: seedState(seed),
    scheduler: { lastOrder: 0, jobs: [] },
    silences: {},
    faults: [],
    rules: noRules(),
    state: emptyState(),
  })
}

/** The working parts of a saved world. */
export function assemble(
  host: Host,
  saved: SavedWorld,
): Pick<World, 'state' | 'indexes' | 'books' | 'clock' | 'scheduler' | 'random'> {
  return {
    state: saved.state,
    indexes: buildIndexes(saved.state),
    books: foldBooks(saved.state.postings),
    clock: createClock(host.time, saved.clock),
    scheduler: createScheduler(saved.scheduler),
    random: createRandom(saved.random),
  }
}

/** Every world begins with an organisation that may split, and a second one to split to. */
export function addFirstRecords(world: RunningWorld): void {
  const { sandbox, production, receiver } = world.origin.keys
  const merchant = addOrganization(world, { name: 'Loja Exemplo', maySplit: true, pixKeys: [] })
  const other = addOrganization(world, { name: 'Recebedor Exemplo', maySplit: true, pixKeys: [] })
  const credential = (keys: KeyPair, organizationId: string, environment: 'Sandbox' | 'Production'): void => {
    const { publicKey, secretKey } = keys
    const digest = { publicKey, secretDigest: digestSecret(secretKey) }
    addCredential(world, digest, { organizationId, environment })
  }
  credential(sandbox, merchant.id, 'Sandbox')
  credential(production, merchant.id, 'Production')
  credential(receiver, other.id, 'Sandbox')
}

/** The keys that a world of an id begins with. */
export function firstKeys(id: string, style: SecretStyle): WorldKeys {
  return {
    sandbox: makeKeyPair(id, 'Sandbox', style),
    production: makeKeyPair(id, 'Production', style),
    receiver: makeKeyPair(id, 'Sandbox', style, 'receiver'),
  }
}
