// Owns the creation of transactions: what must hold, and what a new one is made of.
import { invariant } from '../kernel/assert.ts'
import { cents } from '../kernel/brands.ts'
import { toTimestamp } from '../kernel/time.ts'
import { checkMetadata, inlineCustomer, readFacts } from './customers.ts'
import { feeOf } from './fees.ts'
import { indexTransaction, ownRecord, scopeKey } from './indexes.ts'
import { firstNamed } from './recordIndex.ts'
import { isRefusal, refuse, refuseCreation } from './refusal.ts'
import { readSplits } from './splits.ts'
import { partsOf } from './transactionParts.ts'
import { TRANSACTION_RULES } from './transactionRules.ts'
import { fire } from './transition.ts'
import { stamp } from './world.ts'
import type { Cents } from '../kernel/brands.ts'
import type { InlineCustomer } from './customers.ts'
import type { CreationCode, Refusal } from './refusal.ts'
import type { Scope, Transaction } from './records.ts'
import type { Parts, TransactionInput } from './transactionParts.ts'
import type { World } from './world.ts'

/** Codes that a creation is refused with. */
export type CreationRefusal = Refusal<CreationCode | 'invalid_card_data' | 'conflict'>

/** Creates a transaction in Pending. Nothing is stored, and no card token used up, when it is refused. */
export function createTransaction(
  world: World,
  scope: Scope,
  input: TransactionInput,
): Transaction | CreationRefusal {
  const repeated = checkExternalId(world, scope, input.externalId)
  if (repeated) return repeated
  const refused = checkMetadata(world, 'TX-19', input.metadata)
  if (refused) return refused
  const customer = linkCustomer(world, scope, input)
  if (isRefusal(customer)) return customer
  const parts = partsOf(world, scope, input, customer !== null)
  if (isRefusal(parts)) return parts
  const amount = cents(input.amount)
  const fee = feeOf(world, input.method, amount)
  const money = { amount, fee, netAmount: cents(amount - fee) }
  const splits = sharesOf(world, scope, input, money)
  if (isRefusal(splits)) return splits
  return insertTransaction(world, scope, input, { ...money, splits }, parts, customer)
}

/** The shares of a PIX transaction; other methods have none. Source: contract: Split item in the request. */
function sharesOf(
  world: World,
  scope: Scope,
  { method, splits = [] }: TransactionInput,
  money: { amount: Cents; netAmount: Cents },
): Transaction['splits'] | Refusal<CreationCode> {
  if (method === 'Pix' || splits.length === 0) return readSplits(world, scope, money, splits)
  return refuseCreation(
    world,
    'invalid_splits',
    `splits: only a PIX transaction can be split, and this one is ${method}.`,
    "Campo 'splits': a divisão de pagamento está disponível apenas para Pix.",
  )
}

/** What a world does with an `externalId` that was used before: nothing, refuse, or answer the first. Source: TX-04. */
function checkExternalId(
  world: World,
  scope: Scope,
  externalId: string | undefined,
): Transaction | Refusal<'conflict'> | null {
  if (externalId === undefined) return null
  const choice = world.choices.get('TX-04')
  const first = firstNamed(world.indexes.transactions, scopeKey(scope), 'externalId', externalId)
  if (!first || choice === 'allowed') return null
  if (choice === 'returnsFirst') return first
  return refuse(
    'conflict',
    `externalId '${externalId}' was used by transaction ${first.id}; silence TX-04 decides what happens then.`,
    `Já existe uma transação com o externalId '${externalId}'.`,
  )
}

/** The customer of a new transaction, or how to make it. `customerId` wins over inline fields. */
function linkCustomer(
  world: World,
  scope: Scope,
  input: TransactionInput,
): InlineCustomer | null | Refusal<'validation_error'> {
  const { customerId, customerName } = input
  if (customerId !== undefined) return linkExisting(world, scope, customerId)
  const names = world.choices.get('TX-01')
  const inline = {
    name: customerName,
    document: input.customerDocument,
    email: input.customerEmail,
    phone: input.customerPhone,
  }
  const facts = readFacts(world, inline, undefined, {
    document: names.customerDocument,
    phone: names.customerPhone,
  })
  if (isRefusal(facts)) return facts
  return customerName === undefined
    ? null
    : inlineCustomer(world, scope, { ...inline, ...facts, name: customerName })
}

function linkExisting(
  world: World,
  scope: Scope,
  customerId: string,
): InlineCustomer | Refusal<'validation_error'> {
  const existing = ownRecord(world.state.customers, scope, customerId)
  if (existing) return { existing }
  return refuse(
    'validation_error',
    `Field 'customerId': ${customerId} is no customer of this merchant in this environment.`,
    "Campo 'customerId': não corresponde a um cliente.",
  )
}

/** Who pays, as the request says; with a `customerId` that customer does. */
function payerOf({ customerId, customerName, customerDocument }: TransactionInput): Transaction['payer'] {
  if (customerId !== undefined) return { name: null, document: null }
  return { name: customerName ?? null, document: customerDocument ?? null }
}

function insertTransaction(
  world: World,
  scope: Scope,
  input: TransactionInput,
  money: Pick<Transaction, 'amount' | 'fee' | 'netAmount' | 'splits'>,
  parts: Parts,
  link: InlineCustomer | null,
): Transaction {
  const at = stamp(world)
  const id = world.random.uuid()
  const expiresAt = toTimestamp(parts.expiresAt)
  const customer = link && ('existing' in link ? link.existing : link.create())
  const transaction: Transaction = {
    id,
    organizationId: scope.organizationId,
    environment: scope.environment,
    externalId: input.externalId ?? null,
    method: input.method,
    ...money,
    currency: 'BRL',
    status: 'Pending',
    description: input.description ?? null,
    failureReason: null,
    metadata: input.metadata ?? null,
    callbackUrl: input.callbackUrl ?? null,
    customerId: customer?.id ?? null,
    payer: payerOf(input),
    ...parts.make(money.amount, expiresAt),
    refundedAmount: cents(0),
    pendingRefund: null,
    unsettledAmount: cents(0),
    expiresAt,
    completedAt: null,
    refundedAt: null,
    createdAt: at,
    updatedAt: at,
  }
  world.state.transactions[id] = transaction
  indexTransaction(world.indexes, transaction)
  const created = fire(world, TRANSACTION_RULES, transaction, 'create', {}, true)
  invariant(!('refused' in created), 'a transaction can always be created')
  return transaction
}
