// Owns the handlers of disputes: reading them, answering them, attaching evidence.
import { addEvidence, respondToDispute } from '../domain/disputes.ts'
import { DISPUTE_RULES } from '../domain/disputeRules.ts'
import { scopeKey } from '../domain/indexes.ts'
import { isRefusal, refuse } from '../domain/refusal.ts'
import { allowedNow } from '../domain/transition.ts'
import { takeFault } from '../world/faults.ts'
import { digestBytes } from '../world/keys.ts'
import { evidenceLink } from './links.ts'
import { pageOf } from './lists.ts'
import { readUpload } from './upload.ts'
import type { Dispute, Evidence } from '../domain/records.ts'
import type { Refusal } from '../domain/refusal.ts'
import type { RunningWorld } from '../world/runningWorld.ts'
import type { Handlers } from './handler.ts'

function summaryView(world: RunningWorld, dispute: Dispute) {
  const customer = dispute.customerId === null ? null : (world.state.customers[dispute.customerId] ?? null)
  return {
    id: dispute.id,
    status: dispute.status,
    reason: dispute.reason,
    amount: dispute.amount,
    currency: 'BRL' as const,
    paymentId: dispute.transactionId,
    orderId: null,
    customer: customer && { id: customer.id, name: customer.name, email: customer.email },
    openedAt: dispute.openedAt,
    responseDeadline: dispute.responseDeadline,
    hasResponse: dispute.responseText !== null,
    evidencesCount: dispute.evidences.length,
    holdState: dispute.holdState,
    heldAmount: dispute.heldAmount,
    createdAt: dispute.createdAt,
  }
}

function evidenceView(world: RunningWorld, evidence: Evidence) {
  const { id, fileName, contentType, size, description, createdAt } = evidence
  return { id, fileName, contentType, size, ...evidenceLink(world, id), description, createdAt }
}

function detailView(world: RunningWorld, dispute: Dispute) {
  const customer = dispute.customerId === null ? null : (world.state.customers[dispute.customerId] ?? null)
  const payer = world.state.transactions[dispute.transactionId]?.pix?.payerName ?? null
  return {
    ...summaryView(world, dispute),
    reasonDescription: dispute.reasonDescription,
    disputant: {
      name: customer?.name ?? payer,
      email: customer?.email ?? null,
      phone: customer?.phone ?? null,
    },
    closedAt: dispute.closedAt,
    holdAmount: dispute.holdAmount,
    holdReleasedAt: dispute.holdReleasedAt,
    holdDebitedAt: dispute.holdDebitedAt,
    responseText: dispute.responseText,
    respondedAt: dispute.respondedAt,
    evidences: dispute.evidences.map((evidence) => evidenceView(world, evidence)),
    events: dispute.events,
    updatedAt: dispute.updatedAt,
  }
}

/** The version of a dispute as an entity tag. Source: DI-08. */
function tagOf({ version }: Dispute): string {
  return `"${version}"`
}

/** Says no, on a dispute that still takes answers, when the caller saw another version or when a fault plays that somebody was faster. Source: DI-08. */
function refuseChanged(
  world: RunningWorld,
  dispute: Dispute,
  operation: 'respondToDispute' | 'addDisputeEvidence',
  ifMatch: string | null,
): Refusal<'conflict'> | null {
  const trigger = operation === 'respondToDispute' ? 'respond' : 'addEvidence'
  if (!allowedNow(world, DISPUTE_RULES, dispute).includes(trigger)) return null
  if (takeFault(world, 'dispute', { call: operation, subject: dispute.id, tokenId: null })) {
    dispute.version += 1
    world.changes?.record('disputes', dispute.id)
    return refuse(
      'conflict',
      `The fault dispute_changed fired: the dispute is now at version ${tagOf(dispute)}.`,
      'A disputa foi alterada por outra operação.',
    )
  }
  const seen = ifMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  if (!seen || seen.includes('*') || seen.includes(tagOf(dispute))) return null
  return refuse(
    'conflict',
    `If-Match is ${ifMatch} and the dispute is at version ${tagOf(dispute)}; read it again.`,
    'A disputa foi alterada por outra operação.',
  )
}

/** Handlers of disputes. */
export const DISPUTE_HANDLERS: Handlers<
  'listDisputes' | 'getDispute' | 'respondToDispute' | 'addDisputeEvidence'
> = {
  listDisputes({ world, scope, query }) {
    const { status, reason, paymentId } = query
    const filters = { status, reason, transactionId: paymentId?.toLowerCase() }
    const wanted = { scope: scopeKey(scope), filters }
    const view = (dispute: Dispute) => summaryView(world, dispute)
    const page = pageOf(world, world.indexes.disputes, query, wanted, view)
    return isRefusal(page) ? page : { data: page }
  },

  getDispute: ({ world, record }) => ({ data: detailView(world, record), headers: { ETag: tagOf(record) } }),

  respondToDispute({ world, record, body, ifMatch }) {
    const refused = refuseChanged(world, record, 'respondToDispute', ifMatch)
    if (refused) return refused
    const answered = respondToDispute(world, record, body.text)
    if (isRefusal(answered)) return answered
    return {
      data: detailView(world, answered),
      message: 'Resposta registrada com sucesso.',
      headers: { ETag: tagOf(answered) },
    }
  },

  addDisputeEvidence({ world, record, body, upload, ifMatch }) {
    const file = readUpload(upload)
    if (isRefusal(file)) return file
    const refused = refuseChanged(world, record, 'addDisputeEvidence', ifMatch)
    if (refused) return refused
    const { bytes, fileName, contentType } = file
    const digest = digestBytes(bytes)
    const facts = { fileName, contentType, size: bytes.length, digest, description: body.description ?? null }
    const evidence = addEvidence(world, record, facts)
    if (isRefusal(evidence)) return evidence
    world.files.set(digest, bytes)
    world.changes?.file(digest)
    return { data: evidenceView(world, evidence), message: 'Evidência anexada com sucesso.' }
  },
}
