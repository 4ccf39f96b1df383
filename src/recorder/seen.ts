// Owns what a recording is made from: everything that a world tells of its present life, read over the control API.
import { SandboxError } from '../client/errors.ts'
import { letEnd } from '../scenario/checks.ts'
import type { CommandLog, Delivery, Exchange, SandboxWorld } from '../client/world.ts'

/** One thing that was done to a world over the control API. */
export type Command = CommandLog['items'][number]
type EntryOf<Kind extends 'transactions' | 'customers' | 'cashouts' | 'disputes' | 'organizations'> = Awaited<
  ReturnType<SandboxWorld[Kind]['list']>
>[number]

/** A call of the gateway or a command, in the one order in which they began. */
export type Happening =
  | { kind: 'call'; at: string; exchange: Exchange }
  | { kind: 'command'; at: string; command: Command }

/** What a world tells. Lists hold what is oldest first. */
export interface Seen {
  world: SandboxWorld
  began: CommandLog['began']
  /** What the clock shows. */
  now: string
  /** Whether the clock ever went on by itself, so that jobs ran some milliseconds late. */
  flowed: boolean
  happenings: Happening[]
  /** Names of the fields of a creation, where they differ from the contract's own (TX-01). */
  wireNames: Record<string, string>
  customers: EntryOf<'customers'>[]
  transactions: EntryOf<'transactions'>[]
  cashouts: EntryOf<'cashouts'>[]
  disputes: EntryOf<'disputes'>[]
  organizations: EntryOf<'organizations'>[]
  credentials: Awaited<ReturnType<SandboxWorld['credentials']['list']>>
  deliveries: Delivery[]
  balances: Awaited<ReturnType<SandboxWorld['balances']>>
  /** The last instant at which anything happened. */
  last: string
}

/** Entries of one answer of a list. */
const PAGE = 1_000

/**
 * Reads everything, once what is due and in flight has ended.
 * @throws {SandboxError} `not_recordable` when the bounded logs no longer hold all that was done
 */
export async function seeWorld(world: SandboxWorld): Promise<Seen> {
  await letEnd({ world })
  const log = await world.commands({ limit: PAGE })
  refuseGaps(world, log)
  const exchanges = await world.exchanges.list({ limit: PAGE })
  const { mode, now } = await world.clock.read()
  const deliveries = await pages((page) => world.deliveries.list(page))
  const journal = await world.journal({ limit: 1 })
  const commands = log.items.map((command) => ({ order: command.order, at: command.at, command }))
  const calls = exchanges.map((exchange) => ({ order: exchange.order, at: exchange.at, exchange }))
  const happenings = [...commands, ...calls]
    .toSorted((one, other) => one.order - other.order)
    .map((each): Happening => ('command' in each ? { ...each, kind: 'command' } : { ...each, kind: 'call' }))
  const silences = await world.silences.list()
  const ended = deliveries.flatMap(({ attempts }) => attempts.map(({ endedAt, at }) => endedAt ?? at))
  const times = [log.began.at, ...happenings.map(({ at }) => at), ...ended, ...journal.map(({ at }) => at)]
  const flowed =
    mode === 'flowing' || log.items.some(({ route }) => /^POST \/clock\/(?:flow|freeze)$/.test(route))
  return {
    world,
    began: log.began,
    now,
    flowed,
    happenings,
    wireNames: silences.find(({ id }) => id === 'TX-01')?.choice as Record<string, string>,
    customers: await pages((page) => world.customers.list(page)),
    transactions: await pages((page) => world.transactions.list(page)),
    cashouts: await pages((page) => world.cashouts.list(page)),
    disputes: await pages((page) => world.disputes.list(page)),
    organizations: await pages((page) => world.organizations.list(page)),
    credentials: (await world.credentials.list({ limit: PAGE })).toReversed(),
    deliveries,
    balances: await world.balances({ limit: PAGE }),
    last: flowed ? (times.toSorted().at(-1) ?? now) : now,
  }
}

function refuseGaps({ id }: SandboxWorld, { dropped: { commands, exchanges } }: CommandLog): void {
  if (commands + exchanges === 0) return
  throw new SandboxError(
    'not_recordable',
    `World '${id}' was done more to than its logs keep: the first ${exchanges} calls and ${commands} commands are gone. Record a shorter run: reset the world before it, or give it a world of its own.`,
  )
}

/** All entries of a list, oldest first. */
async function pages<Item extends { id: string }>(
  read: (page: { limit: number; after?: string }) => Promise<Item[]>,
): Promise<Item[]> {
  const all: Item[] = []
  for (let last: Item | undefined; ; last = all.at(-1)) {
    const items = await read({ limit: PAGE, ...(last === undefined ? {} : { after: last.id }) })
    all.push(...items)
    if (items.length < PAGE) return all.toReversed()
  }
}
