// Owns what the model remembers of a world: records, money, jobs, webhooks, faults and rules, as plain JSON.
import type { Caller } from '../../properties/calls.ts'
import { FIRST_KNOBS } from './knobs.ts'
import type { Range } from './addresses.ts'
import type { Knobs } from './knobs.ts'

/** The two organisations that every world begins with. */
export type Org = 'merchant' | 'receiver'
/** The two environments. */
export type Env = 'Sandbox' | 'Production'
/** How a receiver takes webhooks: always, or never. */
export type Hook = 'good' | 'broken'
/** Ways to pay. */
export type Method = 'Pix' | 'CreditCard' | 'Boleto'
/** Kinds of records that the machines drive. */
export type Kind = 'transactions' | 'cashouts' | 'disputes'

/** Fields that every record has. Ids are learned from the sandbox. */
export interface Known {
  id: string
  org: Org
  env: Env
  status: string
  createdAt: number
  /** How a scenario names its id, such as `$sale0.id`. */
  said: string
}

/** A transaction. Money in cents, time in milliseconds since 1970. */
export interface Sale extends Known {
  method: Method
  amount: number
  fee: number
  splits: { to: Org; share: number }[]
  externalId: string | null
  hook: Hook | null
  customer: number | null
  refunded: number
  /** What of it is pending yet. */
  unsettled: number
  /** A refund that is asked for, and the status before it. */
  asked: { amount: number; former: string } | null
  expiresAt: number
  completedAt: number | null
  refundedAt: number | null
}

/** A cashout. */
export interface Payout extends Known {
  amount: number
  fee: number
  hook: Hook | null
  completedAt: number | null
}

/** A dispute; `sale` is the place of its transaction. */
export interface Contest extends Known {
  sale: number
  amount: number
  taken: number
  held: number
  hold: 'None' | 'Held' | 'Released' | 'Debited'
  deadline: number | null
  responded: boolean
  files: number
  version: number
}

/** A customer. */
export interface Person extends Known {
  name: string
  email: string
  document: string | null
  externalId: string | null
}

/** A movement of money: what each account gets, in cents. */
export interface Move {
  at: number
  reason: string
  /** Such as `transactions/0`, or `funding`. */
  subject: string
  lines: Record<string, number>
}

/** A fired row of a machine. */
export interface Row {
  kind: Kind
  place: number
  from: string | null
  on: string
  to: string
}

/** A webhook: `numbers` are those of its attempts, in order. */
export interface Post {
  id: string
  type: string
  kind: Kind
  place: number
  hook: Hook
  status: string
  order: number
  next: number
  numbers: number[]
}

/** Work that waits for time. */
export interface Job {
  kind: string
  /** Such as `transactions/0`, `deliveries/2` or `planned-3`. */
  subject: string
  due: number
  order: number
}

/** An armed fault. */
export interface Armed {
  id: string
  operation: string | null
  type: string | null
  /** Id of the one record that it befalls; null for any. */
  subject: string | null
  nth: number
  times: number
  /** From when on it fires, and before when. */
  after: number | null
  until: number | null
  seen: number
  fired: number
  do: unknown
}

/** A rule. */
export interface Ruled {
  id: string
  when: { call?: string; event?: string }
  trigger: string
  after: number
  times: number | null
  fired: number
  refused: number
}

/** What a key pair may do. */
export interface Keys {
  active: boolean
  /** Null for everything. */
  permissions: readonly string[] | null
  /** Where it may be used. */
  range: Range
}

/** What goes with a reset, and comes back with a snapshot. */
export interface Life {
  now: number
  knobs: Knobs
  keys: Record<Caller, Keys>
  /** Instants that count towards the tokens of an hour. */
  counted: Record<Caller, number[]>
  maySplit: Record<Org, boolean>
  /** Whether the next cashout must take everything, by scope; left out where nobody said. */
  takeAll: Record<string, boolean | null>
  transactions: Sale[]
  cashouts: Payout[]
  disputes: Contest[]
  customers: Person[]
  cards: { token: string; org: Org; env: Env; until: number; used: boolean }[]
  moves: Move[]
  balances: Record<string, number>
  journal: Row[]
  posts: Post[]
  jobs: Job[]
  order: number
  /** Attempts that were sent. */
  sent: number
  faults: Armed[]
  rules: Ruled[]
  /** Actions that rules planned, by their names. */
  planned: Record<string, { rule: string; kind: Kind; place: number }>
  /** Rules and planned actions so far. */
  made: number
  /** How a scenario names the ids that bodies carry. */
  saidIds: Record<string, string>
  /** Callers whose token a fault revoked in this step. */
  revoked: Caller[]
  /** Whether records are being given: nobody hears of what happens to them. */
  quiet: boolean
  /** The scenario that leads to here. */
  story: Told[]
}

/** A line of the scenario that leads to a state: a step, a rule, or what no step can say. */
export type Told =
  | { step: Record<string, unknown> }
  | { rule: object }
  | { given: Record<string, unknown> }
  | { comment: string }

/** A world. */
export interface ModelWorld {
  id: string
  life: Life
  snapshots: Record<string, Life>
  /** Tokens by caller; nothing that a snapshot keeps. */
  tokens: Partial<Record<Caller, { text: string; until: number }>>
}

/** The instant at which worlds of programs begin. */
export const START = Date.parse('2030-01-01T12:00:00.000Z')

const everything = (): Keys => ({ active: true, permissions: null, range: 'all' })

/** No token was asked for yet. */
export function noTokens(): Life['counted'] {
  return { sandbox: [], production: [], receiver: [] }
}

/** A life in which nothing happened yet. */
export function freshLife(): Life {
  return {
    now: START,
    knobs: structuredClone(FIRST_KNOBS),
    keys: { sandbox: everything(), production: everything(), receiver: everything() },
    counted: noTokens(),
    maySplit: { merchant: true, receiver: true },
    takeAll: {},
    transactions: [],
    cashouts: [],
    disputes: [],
    customers: [],
    cards: [],
    moves: [],
    balances: {},
    journal: [],
    posts: [],
    jobs: [],
    order: 0,
    sent: 0,
    faults: [],
    rules: [],
    planned: {},
    made: 0,
    saidIds: {},
    revoked: [],
    quiet: false,
    story: [],
  }
}

/** Whose records a caller sees. */
export const SCOPES: Readonly<Record<Caller, { org: Org; env: Env }>> = {
  sandbox: { org: 'merchant', env: 'Sandbox' },
  production: { org: 'merchant', env: 'Production' },
  receiver: { org: 'receiver', env: 'Sandbox' },
}

/** The caller that a record belongs to. */
export function ownerOf({ org, env }: { org: Org; env: Env }): Caller {
  if (env === 'Production') return 'production'
  return org === 'receiver' ? 'receiver' : 'sandbox'
}
