// Owns the meaning of the transaction machine: its guards, money, notes, jobs and events.
import { cents, proportionFloor, sumCents } from '../kernel/brands.ts'
import { fromTimestamp, later, DAY, SECOND } from '../kernel/time.ts'
import { present } from '../kernel/assert.ts'
import { maskDocument, parseDocument } from './documents.ts'
import { line, merchantAccount, outsideAccount } from './books.ts'
import { scopeKey } from './indexes.ts'
import { post } from './ledger.ts'
import { makeEndToEndId, makePerson, PAYER_BANK } from './people.ts'
import { lastNamed } from './recordIndex.ts'
import { TRANSACTION_MACHINE } from './transactionMachine.ts'
import { stamp } from './world.ts'
import type { Cents, Instant, Millis } from '../kernel/brands.ts'
import type { TransactionStatus } from '../contract/enums.ts'
import type { NamesOf, TriggerParameters } from './effects.ts'
import type { Dispute, Transaction } from './records.ts'
import type { TransactionEffect, TransactionGuard, TransactionTrigger } from './transactionMachine.ts'
import type { Rules } from './transition.ts'
import type { World } from './world.ts'

/** A trigger's parameters with the amount decided. */
interface TransactionParameters extends TriggerParameters {
  amount: Cents
  formerStatus: TransactionStatus
}

/** The names and types of the transaction machine. */
interface TransactionTypes extends NamesOf<TransactionEffect> {
  record: Transaction
  parameters: TransactionParameters
  status: TransactionStatus
  trigger: TransactionTrigger
  guard: TransactionGuard
}

/** What of a transaction was not refunded yet, in cents. */
export function leftOf({ amount, refundedAmount }: Transaction): Cents {
  return cents(amount - refundedAmount)
}

/** The dispute on a transaction that is still open; null when there is none. */
export function openDisputeOn(world: World, transaction: Transaction): Dispute | null {
  // A new one is opened only when all before are closed.
  const last = lastNamed(world.indexes.disputes, scopeKey(transaction), 'transactionId', transaction.id)
  return last?.closedAt === null ? last : null
}

function isDisputed(world: World, record: Transaction): boolean {
  return openDisputeOn(world, record) !== null
}

const guards: Rules<TransactionTypes>['guards'] = {
  latePayerMayPay: (world, { method }) => method === 'Pix' && world.choices.get('TX-30') === 'latePayer',
  nothingLeft: (_world, record, { amount }) => amount === leftOf(record),
  somethingLeft: (_world, record, { amount }) => amount < leftOf(record),
  nothingLeftUndisputed: (world, record, { amount }) =>
    amount === leftOf(record) && !isDisputed(world, record),
  somethingLeftUndisputed: (world, record, { amount }) =>
    amount < leftOf(record) && !isDisputed(world, record),
  undisputed: (world, record) => !isDisputed(world, record),
  wasCompleted: (_world, { pendingRefund }) => pendingRefund?.formerStatus === 'Completed',
  wasPartiallyRefunded: (_world, { pendingRefund }) => pendingRefund?.formerStatus === 'PartiallyRefunded',
}

/** The sale reaches the gateway, the receivers of the splits and the merchant. */
function postSale(world: World, record: Transaction): void {
  const { amount, fee, environment, splits, method } = record
  const shares = splits.map(({ organizationId, shareAmount }) =>
    line(merchantAccount({ organizationId, environment }, 'available'), shareAmount),
  )
  const rest = cents(amount - fee - sumCents(splits.map(({ shareAmount }) => shareAmount)))
  const waits = world.choices.get('TX-23')[method] > 0
  record.unsettledAmount = waits ? rest : cents(0)
  post(world, record, 'sale', [
    line(outsideAccount('payers', environment), -amount),
    line(outsideAccount('gateway', environment), fee),
    ...shares,
    line(merchantAccount(record, waits ? 'pending' : 'available'), rest),
  ])
}

/** The sale goes back in proportion; the merchant bears what fee and shares do not. Source: TX-29. */
function postRefund(world: World, record: Transaction, { amount }: TransactionParameters): void {
  const { environment, splits, refundedAmount: before } = record
  const after = cents(before + amount)
  const back = (whole: Cents): number =>
    proportionFloor(whole, after, record.amount) - proportionFloor(whole, before, record.amount)
  const fee = world.choices.get('TX-29') === 'feeReturned' ? back(record.fee) : 0
  const shares = splits.map(({ organizationId, shareAmount }) =>
    line(merchantAccount({ organizationId, environment }, 'available'), -back(shareAmount)),
  )
  const borne = amount - fee + sumCents(shares.map((share) => share.amount))
  const fromPending = Math.min(record.unsettledAmount, Math.max(borne, 0))
  takeUnsettled(world, record, fromPending)
  record.refundedAmount = after
  post(world, record, 'refund', [
    line(outsideAccount('payers', environment), amount),
    line(outsideAccount('gateway', environment), -fee),
    ...shares,
    line(merchantAccount(record, 'pending'), -fromPending),
    line(merchantAccount(record, 'available'), fromPending - borne),
  ])
}

/** Takes money out of the part of a sale that is not yet available; nothing left, nothing waits. */
export function takeUnsettled(world: World, record: Transaction, amount: number): void {
  record.unsettledAmount = cents(record.unsettledAmount - amount)
  world.changes?.record('transactions', record.id)
  if (record.unsettledAmount === 0) world.scheduler.cancel('settleSale', record.id)
}

/** Moves what is left of a sale from pending to available; the status stays. */
export function settleSale(world: World, record: Transaction): void {
  const amount = record.unsettledAmount
  record.unsettledAmount = cents(0)
  world.changes?.record('transactions', record.id)
  post(world, record, 'settlement', [
    line(merchantAccount(record, 'pending'), -amount),
    line(merchantAccount(record, 'available'), amount),
  ])
}

/** What a confirmation tells of the payer. Source: TX-22. */
function noteConfirmation(world: World, record: Transaction, { payer }: TransactionParameters): void {
  if (record.card) record.card.authorizationCode = world.random.text('0123456789', 6)
  if (!record.pix) return
  const customer = record.customerId === null ? undefined : world.state.customers[record.customerId]
  const known = {
    name: payer?.name ?? customer?.name ?? record.payer.name,
    document: payer?.document ?? customer?.document ?? record.payer.document,
  }
  const made = known.name === null || known.document === null ? makePerson(world.random) : known
  const document = known.document ?? present(made.document, 'a document')
  record.pix.payerName = known.name ?? made.name
  record.pix.payerDocument = maskDocument(parseDocument(document)?.text ?? document)
  record.pix.payerBank = payer?.bank ?? PAYER_BANK
  record.pix.endToEndId = makeEndToEndId(world.random, stamp(world))
}

const DEFAULT_REASONS: Partial<Record<TransactionStatus, string>> = {
  Expired: 'O prazo para pagamento terminou.',
  Failed: 'O pagamento não foi autorizado.',
  Cancelled: 'A cobrança foi cancelada.',
}

const notes: Rules<TransactionTypes>['notes'] = {
  confirmation: noteConfirmation,
  failureReason(_world, record, { reason }) {
    record.failureReason = reason ?? DEFAULT_REASONS[record.status] ?? null
  },
  noFailureReason(_world, record) {
    record.failureReason = null
  },
  refundedAmount(_world, record, { amount }) {
    record.refundedAmount = cents(record.refundedAmount + amount)
  },
  pendingRefund(_world, record, { amount, formerStatus }) {
    record.pendingRefund = { amount, formerStatus }
  },
  noPendingRefund(_world, record) {
    record.pendingRefund = null
  },
}

/** When the money of a sale becomes available; null when it is at once. Source: TX-23. */
function settlementDue(world: World, { method, completedAt, unsettledAmount }: Transaction): Instant | null {
  if (unsettledAmount === 0) return null
  const days = world.choices.get('TX-23')[method]
  return later(fromTimestamp(present(completedAt, 'a sale was completed')), (days * DAY) as Millis)
}

/** When a transaction confirms by itself; null when it does not. Source: TX-25, for cards; any in a demonstration. */
function confirmationDue(world: World, { method }: Transaction): Instant | null {
  const choice = method === 'CreditCard' ? world.choices.get('TX-25') : 'pending'
  if (choice === 'pending') return world.autoConfirm && later(world.clock.now(), world.autoConfirm)
  return later(world.clock.now(), (choice.confirmAfterSeconds * SECOND) as Millis)
}

/** `data` of the events of a transaction. Source: WH-05. */
function eventData(world: World, record: Transaction): Record<string, unknown> {
  const { id, status, amount, netAmount, pix } = record
  if (world.choices.get('WH-05') === 'minimum') return { id, status, amount, netAmount }
  return {
    id,
    externalId: record.externalId,
    amount,
    fee: record.fee,
    netAmount,
    currency: record.currency,
    method: record.method,
    status,
    environment: record.environment,
    description: record.description,
    completedAt: record.completedAt,
    refundedAt: record.refundedAt,
    expiresAt: record.expiresAt,
    failureReason: record.failureReason,
    customerId: record.customerId,
    pix: pix && {
      txId: pix.txId,
      endToEndId: pix.endToEndId,
      payerName: pix.payerName,
      payerDocument: pix.payerDocument,
      payerBank: pix.payerBank,
    },
  }
}

/** The transaction machine with its meaning. */
export const TRANSACTION_RULES: Rules<TransactionTypes> = {
  name: 'transaction',
  machine: TRANSACTION_MACHINE,
  prepare(record, parameters) {
    const formerStatus = record.status
    const left = leftOf(record)
    const amount = record.pendingRefund?.amount ?? parameters.amount ?? left
    const inside = Number.isSafeInteger(amount) && amount >= 1 && amount <= left
    return inside ? { ...parameters, formerStatus, amount: cents(amount) } : null
  },
  guards,
  stamps: {
    completedAt(record, at) {
      record.completedAt = at
    },
    refundedAt(record, at) {
      record.refundedAt = at
    },
  },
  movements: { sale: postSale, refund: postRefund },
  notes,
  due: {
    expireTransaction: (_world, { expiresAt }) => fromTimestamp(expiresAt),
    confirmTransaction: confirmationDue,
    settleSale: settlementDue,
  },
  receiver: (_world, { callbackUrl }) => callbackUrl,
  eventData,
}
