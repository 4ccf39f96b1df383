// Owns the creation of transactions: what must hold, and what a new one is made of.
import type { z } from 'zod'
import { cents } from '../kernel/brands.ts'
import { later, MINUTE, toTimestamp } from '../kernel/time.ts'
import { invariant } from '../kernel/assert.ts'
import { dynamicBrCode, staticBrCode } from './brCode.ts'
import { checkMetadata, findCustomer, inlineCustomer, readFacts } from './customers.ts'
import { feeOf } from './fees.ts'
import { indexTransaction, scopeKey } from './indexes.ts'
import { organizationOf } from './organizations.ts'
import { makeReference } from './people.ts'
import { isRefusal, refuse } from './refusal.ts'
import { TRANSACTION_RULES } from './transactionRules.ts'
import { recordOf } from './state.ts'
import { fire } from './transition.ts'
import type { createTransactionBody } from '../contract/transactions.ts'
import type { Cents, Instant, Millis } from '../kernel/brands.ts'
import type { Refusal } from './refusal.ts'
import type { InlineCustomer } from './customers.ts'
import type { PixDetails, Scope, Transaction } from './records.ts'
import type { World } from './world.ts'

/** A request of a creation, under canonical names, with its shape checked. */
export type TransactionInput = z.output<typeof createTransactionBody>

/** Codes that a creation is refused with. */
export type CreationRefusal = Refusal<'validation_error' | 'conflict'>

/** What the parts of a new transaction depend on. */
interface Draft {
  scope: Scope
  input: TransactionInput
  amount: Cents
  fee: Cents
}

/** Creates a PIX transaction in Pending. Nothing is stored when it is refused. */
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
  const amount = cents(input.amount)
  return insertTransaction(world, { scope, input, amount, fee: feeOf(world, input.method, amount) }, customer)
}

/** A transaction of a scope by its id; null when it is not there, or not theirs. */
export function findTransaction(world: World, scope: Scope, id: string): Transaction | null {
  const found = recordOf(world.state.transactions, id)
  return found && scopeKey(found) === scopeKey(scope) ? found : null
}

/** What a world does with an `externalId` that was used before: nothing, refuse, or answer the first. Source: TX-04. */
function checkExternalId(
  world: World,
  scope: Scope,
  externalId: string | undefined,
): Transaction | Refusal<'conflict'> | null {
  if (externalId === undefined) return null
  const choice = world.choices.get('TX-04')
  const first = world.indexes.transactionsByExternalId.get(scopeKey(scope, externalId))?.[0]
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
  if (customerId !== undefined) {
    const existing = findCustomer(world, scope, customerId)
    if (existing) return { existing }
    return refuse(
      'validation_error',
      `customerId ${customerId} is no customer of this merchant in this environment.`,
      "O campo 'customerId' não corresponde a um cliente.",
    )
  }
  const inline = {
    name: customerName,
    document: input.customerDocument,
    email: input.customerEmail,
    phone: input.customerPhone,
  }
  const facts = readFacts(world, inline)
  if (isRefusal(facts)) return facts
  return customerName === undefined
    ? null
    : inlineCustomer(world, scope, { ...inline, ...facts, name: customerName })
}

function insertTransaction(world: World, draft: Draft, link: InlineCustomer | null): Transaction {
  const { scope, input, amount, fee } = draft
  const now = world.clock.now()
  const at = toTimestamp(now)
  const id = world.random.uuid()
  const expiresAt = toTimestamp(expiryOf(world, input, now))
  const customer = link && ('existing' in link ? link.existing : link.create())
  const transaction: Transaction = {
    id,
    organizationId: scope.organizationId,
    environment: scope.environment,
    externalId: input.externalId ?? null,
    method: input.method,
    amount,
    fee,
    netAmount: cents(amount - fee),
    currency: 'BRL',
    status: 'Pending',
    description: input.description ?? null,
    failureReason: null,
    metadata: input.metadata ?? null,
    callbackUrl: input.callbackUrl ?? null,
    customerId: customer?.id ?? null,
    payer: { name: input.customerName ?? null, document: input.customerDocument ?? null },
    splits: [],
    pix: makePix(world, draft, expiresAt),
    card: null,
    boleto: null,
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

/** When the time to pay ends. */
function expiryOf(world: World, input: TransactionInput, now: Instant): Instant {
  const minutes = input.pixExpirationMinutes ?? world.choices.get('TX-03')
  return later(now, (minutes * MINUTE) as Millis)
}

/** City of every receiver in a code: the sandbox asks no merchant for one. */
const RECEIVER_CITY = 'SAO PAULO'

/** The PIX part of a new transaction. Source: TX-16, TX-17. */
function makePix(world: World, { scope, amount }: Draft, expiresAt: PixDetails['expiresAt']): PixDetails {
  const txId = makeReference(world.random, 32)
  const receiver = { name: organizationOf(world, scope).name, city: RECEIVER_CITY }
  const { kind, host } = world.choices.get('TX-17')
  const copyAndPaste =
    kind === 'dynamic'
      ? dynamicBrCode(`${host}/qr/v2/cob/${world.random.uuid().replaceAll('-', '')}`, receiver)
      : staticBrCode(world.random.uuid(), amount, receiver, txId.slice(0, 25))
  return {
    txId,
    copyAndPaste,
    expiresAt,
    endToEndId: null,
    payerName: null,
    payerDocument: null,
    payerBank: null,
  }
}
