// Owns disputes: opening one, answering it, and attaching evidence.
import { DAY, later, toTimestamp } from '../kernel/time.ts'
import { invariant } from '../kernel/assert.ts'
import { cents } from '../kernel/brands.ts'
import { MAX_EVIDENCES } from '../contract/limits.ts'
import { DISPUTE_RULES } from './disputeRules.ts'
import { addRecord } from './recordIndex.ts'
import { refuse } from './refusal.ts'
import { leftOf, openDisputeOn } from './transactionRules.ts'
import { allowedNow, fire } from './transition.ts'
import { stamp } from './world.ts'
import type { DisputeReason } from '../contract/enums.ts'
import type { Millis } from '../kernel/brands.ts'
import type { Dispute, Evidence, Transaction } from './records.ts'
import type { Refusal } from './refusal.ts'
import type { World } from './world.ts'

/** What a new dispute is about. */
export interface DisputeInput {
  /** Contested cents; all that is left unless named. */
  amount?: number | undefined
  reason?: DisputeReason | undefined
  reasonDescription?: string | undefined
  /** Time to respond; what DI-03 says unless named. */
  deadline?: Millis | undefined
}

/** Why a dispute cannot be opened. */
export type DisputeNotOpened = { notOpened: 'status' | 'disputed' | 'amount' }

/** Codes that an answer to a dispute is refused with. */
export type DisputeRefusal = Refusal<'dispute_closed' | 'dispute_expired' | 'conflict'>

/** Opens a dispute on a transaction and holds what it can of the money. Nothing is stored when it cannot be opened. */
export function openDispute(
  world: World,
  transaction: Transaction,
  input: DisputeInput,
): Dispute | DisputeNotOpened {
  const { status, organizationId, environment, customerId } = transaction
  if (status !== 'Completed' && status !== 'PartiallyRefunded') return { notOpened: 'status' }
  if (openDisputeOn(world, transaction)) return { notOpened: 'disputed' }
  const left = leftOf(transaction)
  const amount = input.amount ?? left
  if (!Number.isSafeInteger(amount) || amount < 1 || amount > left) return { notOpened: 'amount' }
  const at = stamp(world)
  const dispute: Dispute = {
    id: world.random.uuid(),
    organizationId,
    environment,
    status: 'Open',
    reason: input.reason ?? 'Fraud',
    reasonDescription: input.reasonDescription ?? null,
    amount: cents(amount),
    transactionId: transaction.id,
    customerId,
    responseDeadline: deadlineOf(world, input),
    responseText: null,
    respondedAt: null,
    evidences: [],
    events: [],
    holdState: 'None',
    holdAmount: cents(0),
    heldAmount: cents(0),
    holdReleasedAt: null,
    holdDebitedAt: null,
    closedAt: null,
    version: 0,
    openedAt: at,
    createdAt: at,
    updatedAt: at,
  }
  world.state.disputes[dispute.id] = dispute
  addRecord(world.indexes.disputes, dispute)
  const opened = fire(world, DISPUTE_RULES, dispute, 'open', {}, true)
  invariant(!('refused' in opened), 'a dispute can be opened')
  return dispute
}

/** Until when a merchant can respond; null for ever. Source: DI-03. */
function deadlineOf(world: World, { deadline }: DisputeInput): Dispute['responseDeadline'] {
  if (deadline !== undefined) return toTimestamp(later(world.clock.now(), deadline))
  const days = world.choices.get('DI-03')
  return days === 'none' ? null : toTimestamp(later(world.clock.now(), (days * DAY) as Millis))
}

/** Creates or replaces the text of a merchant. Source: contract: PUT /v1/disputes/{id}/response. */
export function respondToDispute(world: World, dispute: Dispute, text: string): Dispute | DisputeRefusal {
  const fired = fire(world, DISPUTE_RULES, dispute, 'respond', { text })
  return 'refused' in fired ? refuseAnswer(dispute, fired.refused) : dispute
}

/** Attaches a file; its bytes are kept by the caller. Source: DI-06. */
export function addEvidence(
  world: World,
  dispute: Dispute,
  file: Omit<Evidence, 'id' | 'createdAt'>,
): Evidence | DisputeRefusal | Refusal<'validation_error'> {
  if (!allowedNow(world, DISPUTE_RULES, dispute).includes('addEvidence')) {
    const fired = fire(world, DISPUTE_RULES, dispute, 'addEvidence')
    invariant('refused' in fired, 'what is not allowed now does not fire')
    return refuseAnswer(dispute, fired.refused)
  }
  if (dispute.evidences.length >= MAX_EVIDENCES) {
    return refuse(
      'validation_error',
      `A dispute takes ${MAX_EVIDENCES} files; this one has as many.`,
      `Campo 'file': a disputa já possui ${MAX_EVIDENCES} evidências.`,
    )
  }
  const evidence = { id: world.random.uuid(), ...file, createdAt: stamp(world) }
  const fired = fire(world, DISPUTE_RULES, dispute, 'addEvidence', { evidence })
  invariant(!('refused' in fired), 'evidence can be attached to an open dispute')
  world.indexes.evidenceById.set(evidence.id, evidence)
  return evidence
}

/** Under review and closed disputes take no answer, whatever the deadline. Source: DI-07. */
function refuseAnswer(
  { id, status, responseDeadline }: Dispute,
  why: 'status' | 'guard' | 'amount',
): Refusal<'dispute_closed' | 'dispute_expired'> {
  return why === 'guard'
    ? refuse('dispute_expired', `The deadline of dispute ${id} passed at ${responseDeadline ?? 'once'}.`)
    : refuse('dispute_closed', `Dispute ${id} is ${status} and takes no answers any more.`)
}
