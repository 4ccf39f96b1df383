// Owns a world at work: the rules' world plus what it needs to run (attempts in flight, inboxes, snapshots, wake-ups).
import { addFirstRecords } from './firstRecords.ts'
import { emptyState } from '../domain/state.ts'
import { stamp } from '../domain/world.ts'
import { strongHex } from '../kernel/entropy.ts'
import { createFifo } from '../kernel/fifo.ts'
import { createLatest } from '../kernel/latest.ts'
import { createRandom, seedState } from '../kernel/random.ts'
import { toTimestamp } from '../kernel/time.ts'
import { createChoices } from './choices.ts'
import { createCommands } from './commands.ts'
import { dispatchDelivery } from './deliveryFaults.ts'
import { createExchanges } from './exchanges.ts'
import { createFeed } from './feed.ts'
import { createHistory } from './history.ts'
import { createInboxes } from './inboxes.ts'
import { chanceOf } from './variation.ts'
import { ruleKey, tokenKey } from './keys.ts'
import { noRules, reactToEvent } from './rules.ts'
import { assemble } from './savedWorld.ts'
import type { Transaction } from '../domain/records.ts'
import type { Attempt, Delivery } from '../domain/trail.ts'
import type { World } from '../domain/world.ts'
import type { ClockMode } from '../kernel/clock.ts'
import type { Fifo } from '../kernel/fifo.ts'
import type { Latest } from '../kernel/latest.ts'
import type { HostTime } from '../kernel/hostTime.ts'
import type { Instant, Millis, Timestamp } from '../kernel/brands.ts'
import type { Random } from '../kernel/random.ts'
import type { JobKind } from '../domain/jobs.ts'
import type { Sender } from '../webhooks/send.ts'
import type { Overrides, WorldChoices } from './choices.ts'
import type { WorldKeys } from './firstRecords.ts'
import type { Commands } from './commands.ts'
import type { Exchanges } from './exchanges.ts'
import type { Fault } from './faults.ts'
import type { HeldCall } from './heldCalls.ts'
import type { Feed, FeedItem, FeedKind } from './feed.ts'
import type { History, Moment } from './history.ts'
import type { AllowList } from '../webhooks/allow.ts'
import type { Inboxes } from './inboxes.ts'
import type { Keeper, WorldChanges } from './keeping.ts'
import type { Variation } from './variation.ts'
import type { SecretStyle } from './keys.ts'
import type { RuleBook } from './rules.ts'
import type { WorldParts } from './savedWorld.ts'

/** How the clock of a world begins: `at: null` means the host's time of that moment. */
export interface ClockStart {
  mode: ClockMode
  at: Instant | null
  rate: number
}

/** QR pictures that a world keeps; each has some 2 kB, and is made anew when it is asked for again. */
const MAX_PICTURES = 1_000

/** No pictures yet. */
export function noPictures(): RunningWorld['pictures'] {
  return createLatest(MAX_PICTURES)
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
  /** Where webhooks may be sent; null for everywhere. */
  callbackAllow: AllowList | null
  /** World time after which transactions are paid by themselves; null for never. */
  autoConfirm: Millis | null
  /** What is varied on purpose; null for nothing. */
  variation: Variation | null
  /** Keeps what changes on disk; null where nothing is kept. */
  keeper: Keeper | null
  /** Told of every defect of ours. */
  report: (defect: unknown) => void
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

/** What one attempt sent. */
export interface SentRequest {
  headers: Readonly<Record<string, string>>
  /** Null where it is the body of its delivery. */
  body: string | null
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
  changes: WorldChanges | null
  /** Signs its tokens. */
  readonly tokenKey: Uint8Array
  /** Signs them where AU-09 asks for RS256, as a private JWK; null until it does. */
  rsaKey: Record<string, unknown> | null
  /** Makes the digests of secrets that its rules keep; never told, and the same in a fork. */
  readonly ruleKey: Uint8Array
  /** Attempts in flight. */
  flights: Set<Flight>
  /** Calls of the gateway that are open here, and those that may turn out to be. */
  answering: Set<Arrival>
  /** Deliveries whose attempt waits because as many as may are in flight. */
  queue: Fifo
  /** Deliveries that are to be sent once more, whose attempt waits for the same. */
  extraQueue: string[]
  /** Host milliseconds that attempts took; not state, because it differs from run to run. */
  latencies: WeakMap<Attempt, number>
  /** What attempts really sent; not state either, and gone after a restore. */
  sent: WeakMap<Attempt, SentRequest>
  /** QR pictures that were asked for; not state, because they follow from it. */
  pictures: Latest<Transaction, string>
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
  /** What the planned wake-up is for, and how often the clock was set before it was planned. */
  wakePlan: { due: Instant; isNow: boolean; moves: number } | null
  closed: boolean
}

/**
 * A new world with its organisations and credentials.
 * @param rule key of the digests of its rules, where it takes over those of another world
 */
export function createRunningWorld(
  host: Host,
  origin: WorldOrigin,
  overrides: Overrides,
  rule: Uint8Array | null,
): RunningWorld {
  const seed = host.secretStyle === 'strong' ? strongHex(32) : origin.seed
  const keys = { token: tokenKey(seed, origin.id), rule: rule ?? ruleKey(seed) }
  const world = raiseWorld(host, origin, overrides, beginning(host, origin), keys)
  addFirstRecords(world)
  return world
}

/** A world at work around a state that is there. */
export function raiseWorld(
  host: Host,
  origin: WorldOrigin,
  overrides: Overrides,
  parts: WorldParts,
  keys: { token: Uint8Array; rule: Uint8Array },
): RunningWorld {
  const { id, seed } = origin
  const feed = createFeed()
  const at = toTimestamp(parts.clock.now())
  const world: RunningWorld = {
    id,
    origin,
    host,
    ...parts,
    choices: createChoices(overrides),
    changes: null,
    tokenKey: keys.token,
    ruleKey: keys.rule,
    rsaKey: null,
    autoConfirm: host.autoConfirm,
    vary: (name, key) => chanceOf(host.variation, id, name, key),
    flights: new Set(),
    answering: new Set(),
    queue: createFifo(),
    extraQueue: [],
    latencies: new WeakMap(),
    sent: new WeakMap(),
    pictures: noPictures(),
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
    emitted(type, record, say) {
      reactToEvent(world, type, record, say)
      return true
    },
    snapshots: new Map(),
    life: 0,
    trace: null,
    watchers: new Set(),
    callOffWake: null,
    wakePlan: null,
    closed: false,
  }
  return world
}

function tell(world: RunningWorld, item: FeedItem, moment?: Moment): void {
  world.history.keep(item, moment ?? world.history.moment(world))
  world.feed.tell(item)
}

/** The parts of a world that begin anew: no records, the clock at its start, chance at its seed. */
export function beginning(host: Host, { seed, clock }: WorldOrigin): WorldParts {
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
