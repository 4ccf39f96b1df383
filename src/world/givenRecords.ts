// Owns making one given record each: created as the gateway creates it, then brought into its status by its machine's triggers.
import { PERMISSIONS } from '../contract/enums.ts'
import { merchantAccount } from '../domain/books.ts'
import { fund } from '../domain/balance.ts'
import { createCashout } from '../domain/cashouts.ts'
import { createCustomer, updateCustomer } from '../domain/customers.ts'
import { openDispute } from '../domain/disputes.ts'
import { balanceOf } from '../domain/ledger.ts'
import { addCredential, addOrganization } from '../domain/organizations.ts'
import { isRefusal } from '../domain/refusal.ts'
import { recordOf } from '../domain/state.ts'
import { leftOf } from '../domain/transactionRules.ts'
import { createTransaction } from '../domain/transactions.ts'
import { stamp } from '../domain/world.ts'
import { cents } from '../kernel/brands.ts'
import { present } from '../kernel/assert.ts'
import { parseDuration } from '../kernel/time.ts'
import { drivable } from './drive.ts'
import { digestSecret, makeKeyPair } from './keys.ts'
import { Misuse } from './misuse.ts'
import type { CashoutStatus, DisputeStatus, TransactionStatus } from '../contract/enums.ts'
import type { TriggerParameters } from '../domain/effects.ts'
import type { Credential, Scope } from '../domain/records.ts'
import type { Refusal } from '../domain/refusal.ts'
import type { World } from '../domain/world.ts'
import type { Given } from './givenShapes.ts'
import type { Host } from './runningWorld.ts'

/** A world that is given records. */
export interface GivenWorld extends World {
  host: Host
}

/** The names of entries so far: ids (public keys of credentials), and the secrets of credentials by their public key. */
export interface Naming {
  ids: Map<string, string>
  secrets: Map<string, string>
}

type Entry<Kind extends Exclude<keyof Given, 'balance'>> = Given[Kind][number]
type Step = readonly [trigger: string, parameters: TriggerParameters]

/** What a merchant is taken to have responded where an entry names no text. */
const USUAL_RESPONSE = 'O pedido foi entregue.'

function wrong(path: string, text: string): Misuse {
  return new Misuse('sandbox_bad_request', `${path}: ${text}`)
}

/** A refusal of the gateway, about the field of the entry that its hint names first. */
function refused(path: string, entry: object, { hint }: Refusal): Misuse {
  const words = hint.match(/\w+/g) ?? []
  const field = words.find((word) => Object.hasOwn(entry, word))
  return wrong(field === undefined ? path : `${path}.${field}`, hint)
}

/** The id behind a reference: `ana`, `$ana` and `$ana.id` name an entry; anything else is an id. */
function idOf({ ids }: Naming, reference: string): string {
  const name = /^\$?(\w+)(?:\.(?:id|splitCode|publicKey))?$/.exec(reference)?.[1]
  return (name === undefined ? undefined : ids.get(name)) ?? reference
}

/** Whose records an entry is about; the first organisation when it names none. */
export function scopeOf(
  world: World,
  naming: Naming,
  {
    organization: named,
    environment,
  }: { organization?: string | undefined; environment: Scope['environment'] },
  path: string,
): Scope {
  const first = present(world.indexes.organizations.records[0], 'a world has an organisation')
  const organizationId = named === undefined ? first.id : idOf(naming, named)
  if (recordOf(world.state.organizations, organizationId)) return { organizationId, environment }
  throw wrong(`${path}.organization`, `${named} is no id of an organisation and no name of one before.`)
}

/** Makes an organisation. */
export function organization(world: World, { name, maySplit, pixKeys }: Entry<'organizations'>): string {
  return addOrganization(world, { name, maySplit, pixKeys }).id
}

/** Makes a key pair, named after how many there are. */
export function credential(
  world: GivenWorld,
  naming: Naming,
  entry: Entry<'credentials'>,
  path: string,
): string {
  const scope = scopeOf(world, naming, entry, path)
  const { permissions, allowedIps, active } = entry
  const suffix = `c${world.indexes.credentials.records.length + 1}`
  const { publicKey, secretKey } = makeKeyPair(world.id, scope.environment, world.host.secretStyle, suffix)
  const keys = { publicKey, secretDigest: digestSecret(secretKey) }
  addCredential(world, keys, scope, { permissions, allowedIps, active })
  naming.secrets.set(publicKey, secretKey)
  return publicKey
}

/** Makes a customer. */
export function customer(world: World, naming: Naming, entry: Entry<'customers'>, path: string): string {
  const scope = scopeOf(world, naming, entry, path)
  const made = createCustomer(world, scope, entry)
  if (isRefusal(made)) throw refused(path, entry, made)
  if (entry.status !== undefined) updateCustomer(world, made, { status: entry.status })
  return made.id
}

/** How each status of a transaction is reached. */
const TRANSACTION_WAYS: Record<TransactionStatus, readonly string[]> = {
  Pending: [],
  Completed: ['confirm'],
  Expired: ['expire'],
  Failed: ['fail'],
  Cancelled: ['cancel'],
  Refunded: ['confirm', 'refund'],
  PartiallyRefunded: ['confirm', 'refund'],
  Processing: ['confirm', 'requestRefund'],
}

/** Makes a transaction. */
export function transaction(
  world: World,
  naming: Naming,
  entry: Entry<'transactions'>,
  path: string,
): string {
  const { status, reason, payer } = entry
  const way = TRANSACTION_WAYS[status]
  const partly = status === 'PartiallyRefunded'
  refuseUnused(entry, path, {
    reason: way.includes('fail') || way.includes('cancel'),
    payer: way.includes('confirm'),
    refundAmount: partly || status === 'Processing',
  })
  const scope = scopeOf(world, naming, entry, path)
  const { customerId, splits } = entry
  const { records } = world.indexes.transactions
  const known = records.length
  const made = createTransaction(world, scope, {
    ...entry,
    customerId: customerId === undefined ? undefined : idOf(naming, customerId),
    splits: splits?.map((split) => ({ ...split, splitCode: splitCodeOf(world, naming, split.splitCode) })),
  })
  if (isRefusal(made)) throw refused(path, entry, made)
  if (records.length === known) throw wrong(`${path}.externalId`, `transaction ${made.id} has it already.`)
  const part = entry.refundAmount ?? (partly ? Math.floor(leftOf(made) / 2) : undefined)
  const carried: Record<string, TriggerParameters> = {
    confirm: { payer },
    fail: { reason },
    cancel: { reason },
    refund: { amount: part },
    requestRefund: { amount: part },
  }
  reach(
    world,
    made.id,
    way.map((trigger): Step => [trigger, carried[trigger] ?? {}]),
    status,
    path,
  )
  return made.id
}

function splitCodeOf(world: World, naming: Naming, reference: string): string {
  return recordOf(world.state.organizations, idOf(naming, reference))?.splitCode ?? reference
}

/** How each status of a cashout is reached. */
const CASHOUT_WAYS: Record<CashoutStatus, readonly string[]> = {
  Pending: [],
  Processing: ['process'],
  Completed: ['complete'],
  Failed: ['fail'],
  Rejected: ['reject'],
  Cancelled: ['cancel'],
}

/** Makes a cashout. What available lacks for it is funded first. */
export function cashout(world: World, naming: Naming, entry: Entry<'cashouts'>, path: string): string {
  const { status, reason } = entry
  refuseUnused(entry, path, { reason: status === 'Failed' || status === 'Rejected' })
  const scope = scopeOf(world, naming, entry, path)
  const lacking = entry.amount - balanceOf(world, merchantAccount(scope, 'available'))
  if (lacking > 0) fund(world, scope, cents(lacking))
  const made = createCashout(world, mayAll(world, scope), entry)
  if (isRefusal(made)) throw refused(path, entry, made)
  const parameters = reason === undefined ? {} : { reason }
  reach(
    world,
    made.id,
    CASHOUT_WAYS[status].map((trigger): Step => [trigger, parameters]),
    status,
    path,
  )
  return made.id
}

/** A credential that may do everything; nobody has its keys. */
function mayAll(world: World, scope: Scope): Credential {
  const keys = { publicKey: '', secretDigest: '' }
  return {
    ...keys,
    ...scope,
    permissions: [...PERMISSIONS],
    allowedIps: [],
    active: true,
    createdAt: stamp(world),
  }
}

/** How each status of a dispute is reached; a response comes before, where there is one. */
const DISPUTE_WAYS: Record<DisputeStatus, readonly string[]> = {
  Open: [],
  MerchantResponded: ['respond'],
  UnderReview: ['review'],
  Won: ['review', 'win'],
  Lost: ['review', 'lose'],
  Expired: ['lapse'],
  Cancelled: ['cancel'],
}

/** Opens a dispute on a transaction. */
export function dispute(world: World, naming: Naming, entry: Entry<'disputes'>, path: string): string {
  const { status, text, amount, reason, reasonDescription, deadline } = entry
  refuseUnused(entry, path, { text: status !== 'Open' && status !== 'Expired' })
  const on = recordOf(world.state.transactions, idOf(naming, entry.transaction).toLowerCase())
  if (!on) throw wrong(`${path}.transaction`, `${entry.transaction} is no id and no name of a transaction.`)
  const length =
    deadline === undefined ? undefined : present(parseDuration(deadline), 'a deadline was checked')
  const made = openDispute(world, on, { amount, reason, reasonDescription, deadline: length })
  if ('notOpened' in made) throw wrong(...whyNotOpened(path, made.notOpened, on.status, leftOf(on)))
  const way = DISPUTE_WAYS[status]
  const answered = text === undefined || way.includes('respond') ? way : ['respond', ...way]
  const parameters = { text: text ?? USUAL_RESPONSE }
  reach(
    world,
    made.id,
    answered.map((trigger): Step => [trigger, trigger === 'respond' ? parameters : {}]),
    status,
    path,
  )
  return made.id
}

function whyNotOpened(
  path: string,
  why: 'status' | 'disputed' | 'amount',
  status: string,
  left: number,
): [path: string, text: string] {
  switch (why) {
    case 'status':
      return [`${path}.transaction`, `it must be Completed or PartiallyRefunded, and is ${status}.`]
    case 'disputed':
      return [`${path}.transaction`, 'a dispute on it is open.']
    case 'amount':
      return [`${path}.amount`, `it must be 1 to ${left}, what is left of the transaction in cents.`]
    default:
      return why satisfies never
  }
}

/** Refuses fields that mean nothing for the status of an entry. */
function refuseUnused<E extends { status: string }>(
  entry: E,
  path: string,
  used: { [Field in keyof E]?: boolean },
): void {
  for (const field of Object.keys(used) as (keyof E & string)[]) {
    if (entry[field] === undefined || used[field] === true) continue
    throw wrong(`${path}.${field}`, `it means nothing for status ${entry.status}; leave it out.`)
  }
}

/** Fires triggers on a record one after the other; they must lead to a status. */
function reach(world: World, id: string, steps: readonly Step[], status: string, path: string): void {
  const target = present(drivable(world, id), `no record ${id}`)
  const { kind, record } = target
  for (const [trigger, parameters] of steps) {
    const fired = target.fire(trigger, parameters)
    if (!('refused' in fired)) continue
    if (fired.refused === 'amount') throw wrong(`${path}.refundAmount`, 'it is more than the amount.')
    throw wrong(
      `${path}.status`,
      `this world leads no ${kind} to ${status}: ${trigger} is refused in ${record.status}.`,
    )
  }
  if (record.status === status) return
  throw wrong(
    `${path}.status`,
    `it would be ${record.status}, not ${status}, with these fields in this world.`,
  )
}
