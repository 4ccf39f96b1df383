// Owns the meaning of the dispute machine: deadlines, holds, history, and what a lost dispute does to its transaction.
import { invariant, present } from '../kernel/assert.ts'
import { cents } from '../kernel/brands.ts'
import { fromTimestamp } from '../kernel/time.ts'
import { DISPUTE_MACHINE } from './disputeMachine.ts'
import { line, merchantAccount, outsideAccount } from './books.ts'
import { balanceOf, post } from './ledger.ts'
import { takeUnsettled, TRANSACTION_RULES } from './transactionRules.ts'
import { fire } from './transition.ts'
import { stamp } from './world.ts'
import type { DisputeStatus } from '../contract/enums.ts'
import type { Cents } from '../kernel/brands.ts'
import type { DisputeEffect, DisputeGuard, DisputeTrigger } from './disputeMachine.ts'
import type { NamesOf, TriggerParameters } from './effects.ts'
import type { Dispute, Transaction } from './records.ts'
import type { Rules } from './transition.ts'
import type { World } from './world.ts'

/** The names and types of the dispute machine. */
interface DisputeTypes extends NamesOf<DisputeEffect> {
  record: Dispute
  parameters: TriggerParameters
  status: DisputeStatus
  trigger: DisputeTrigger
  guard: DisputeGuard
}

/** What the history says of a status that a dispute reached. */
const HISTORY: Record<DisputeStatus, { actorType: string; description: string }> = {
  Open: { actorType: 'Customer', description: 'Disputa aberta.' },
  MerchantResponded: { actorType: 'Merchant', description: 'Resposta enviada pelo lojista.' },
  UnderReview: { actorType: 'Gateway', description: 'Disputa em análise.' },
  Won: { actorType: 'Gateway', description: 'Disputa encerrada a favor do lojista.' },
  Lost: { actorType: 'Gateway', description: 'Disputa encerrada a favor do pagador.' },
  Expired: { actorType: 'Gateway', description: 'O prazo de resposta terminou sem resposta.' },
  Cancelled: { actorType: 'Customer', description: 'Disputa cancelada.' },
}

/** Writes a line of history. Every change writes one, so the version grows with it. */
function addHistory(
  world: World,
  dispute: Dispute,
  type: string,
  status: DisputeStatus,
  description?: string,
): void {
  const { actorType, description: usual } = HISTORY[status]
  dispute.events.push({ type, actorType, description: description ?? usual, createdAt: stamp(world) })
  dispute.version += 1
}

function isBeforeDeadline(world: World, { responseDeadline }: Dispute): boolean {
  return responseDeadline === null || world.clock.now() < fromTimestamp(responseDeadline)
}

function transactionOf(world: World, { transactionId }: Dispute): Transaction {
  return present(world.state.transactions[transactionId], `no transaction ${transactionId}`)
}

/** Takes what there is of the contested amount, from available first. Source: DI-05. */
function postHold(world: World, dispute: Dispute): void {
  const { hold } = world.choices.get('DI-05')
  const transaction = transactionOf(world, dispute)
  const available = Math.max(0, balanceOf(world, merchantAccount(dispute, 'available')))
  const fromAvailable = hold === 'none' ? 0 : Math.min(dispute.amount, available)
  const fromPending =
    hold === 'availableAndPending' ? Math.min(dispute.amount - fromAvailable, transaction.unsettledAmount) : 0
  const held = cents(fromAvailable + fromPending)
  takeUnsettled(world, transaction, fromPending)
  dispute.holdAmount = held
  dispute.heldAmount = held
  dispute.holdState = held === 0 ? 'None' : 'Held'
  post(world, dispute, 'hold', [
    line(merchantAccount(dispute, 'available'), -fromAvailable),
    line(merchantAccount(dispute, 'pending'), -fromPending),
    line(merchantAccount(dispute, 'reserved'), held),
  ])
}

/** Gives the held money back. A dispute that held nothing stays `None`. */
function postRelease(world: World, dispute: Dispute): void {
  const held = dispute.heldAmount
  if (held === 0) return
  dispute.heldAmount = cents(0)
  dispute.holdState = 'Released'
  dispute.holdReleasedAt = stamp(world)
  post(world, dispute, 'release', [
    line(merchantAccount(dispute, 'reserved'), -held),
    line(merchantAccount(dispute, 'available'), held),
  ])
}

/** What a lost dispute takes from the merchant, in cents. Source: DI-05. */
function debitOf(world: World, { amount, holdAmount }: Dispute): Cents {
  return world.choices.get('DI-05').debit === 'whole' ? amount : holdAmount
}

/** Pays the payer: what is held first, the rest out of available, which may fall below zero. */
function postDebit(world: World, dispute: Dispute): void {
  const held = dispute.heldAmount
  const debit = debitOf(world, dispute)
  if (debit === 0) return
  dispute.heldAmount = cents(0)
  dispute.holdState = 'Debited'
  dispute.holdDebitedAt = stamp(world)
  post(world, dispute, 'debit', [
    line(merchantAccount(dispute, 'reserved'), -held),
    line(merchantAccount(dispute, 'available'), held - debit),
    line(outsideAccount('payers', dispute.environment), debit),
  ])
}

/** The transaction of a lost dispute becomes refunded in whole or in part. Source: DI-10. */
function chargeBack(world: World, dispute: Dispute): string[] {
  const amount = debitOf(world, dispute)
  if (amount === 0 || world.choices.get('DI-10') === 'stays') return []
  const fired = fire(world, TRANSACTION_RULES, transactionOf(world, dispute), 'chargeBack', { amount })
  invariant(!('refused' in fired), 'the transaction of an open dispute can be charged back')
  return fired.deliveries
}

/** `data` of the events of a dispute. Source: DI-09. */
function eventData(_world: World, dispute: Dispute): Record<string, unknown> {
  return {
    id: dispute.id,
    status: dispute.status,
    reason: dispute.reason,
    amount: dispute.amount,
    currency: 'BRL',
    paymentId: dispute.transactionId,
    openedAt: dispute.openedAt,
    responseDeadline: dispute.responseDeadline,
    closedAt: dispute.closedAt,
    holdState: dispute.holdState,
    heldAmount: dispute.heldAmount,
  }
}

/** The dispute machine with its meaning. */
export const DISPUTE_RULES: Rules<DisputeTypes> = {
  name: 'dispute',
  machine: DISPUTE_MACHINE,
  prepare: (_record, parameters) => parameters,
  guards: {
    beforeDeadline: isBeforeDeadline,
    beforeDeadlineAndMoves: (world, record) =>
      isBeforeDeadline(world, record) && world.choices.get('DI-02') === 'MerchantResponded',
    beforeDeadlineAndStaysOpen: (world, record) =>
      isBeforeDeadline(world, record) && world.choices.get('DI-02') === 'staysOpen',
  },
  stamps: {
    openedAt(record, at) {
      record.openedAt = at
    },
    respondedAt(record, at) {
      record.respondedAt = at
    },
    closedAt(record, at) {
      record.closedAt = at
    },
  },
  movements: { hold: postHold, release: postRelease, debit: postDebit },
  notes: {
    history: (world, record) => addHistory(world, record, record.status, record.status),
    response(world, record, { text }) {
      record.responseText = present(text, 'a response has a text')
      addHistory(world, record, 'MerchantResponded', 'MerchantResponded')
    },
    evidence(world, record, { evidence }) {
      const added = present(evidence, 'evidence was attached')
      record.evidences.push(added)
      addHistory(world, record, 'EvidenceAdded', 'MerchantResponded', `Evidência anexada: ${added.fileName}.`)
    },
  },
  due: {
    lapseDispute: (_world, { responseDeadline }) =>
      responseDeadline === null ? null : fromTimestamp(responseDeadline),
  },
  receiver(world) {
    const choice = world.choices.get('DI-09')
    return choice === 'none' ? null : choice.url
  },
  eventData,
  chargeBack,
}
