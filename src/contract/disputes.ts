// Owns the schemas and endpoints of disputes.
import { z } from 'zod'
import {
  centsOut,
  dateFilter,
  dateTime,
  endpoint,
  idParam,
  pageOf,
  paging,
  uuid,
  textUpTo,
} from './endpoint.ts'
import { DISPUTE_REASONS, DISPUTE_STATUSES, HOLD_STATES } from './enums.ts'
import * as limits from './limits.ts'

const text = z.string().nullable()

const summary = {
  id: uuid,
  status: z.enum(DISPUTE_STATUSES),
  reason: z.enum(DISPUTE_REASONS),
  amount: centsOut,
  currency: z.literal('BRL'),
  paymentId: uuid.nullable(),
  orderId: uuid.nullable(),
  customer: z.strictObject({ id: uuid.nullable(), name: text, email: text }).nullable(),
  openedAt: dateTime,
  responseDeadline: dateTime.nullable(),
  hasResponse: z.boolean(),
  evidencesCount: z.int(),
  holdState: z.enum(HOLD_STATES),
  heldAmount: centsOut,
  createdAt: dateTime,
}

const evidence = z
  .strictObject({
    id: uuid,
    fileName: z.string(),
    contentType: z.string(),
    size: z.int(),
    url: z.url(),
    expiresAt: dateTime.nullable(),
    description: text,
    createdAt: dateTime,
  })
  .meta({ id: 'Evidence' })

const detail = z
  .strictObject({
    ...summary,
    reasonDescription: text,
    disputant: z.strictObject({ name: text, email: text, phone: text }).nullable(),
    closedAt: dateTime.nullable(),
    holdAmount: centsOut,
    holdReleasedAt: dateTime.nullable(),
    holdDebitedAt: dateTime.nullable(),
    responseText: text,
    respondedAt: dateTime.nullable(),
    evidences: z.array(evidence),
    events: z.array(
      z
        .strictObject({
          type: z.string(),
          actorType: z.string(),
          description: z.string(),
          createdAt: dateTime,
        })
        .meta({ id: 'DisputeEvent' }),
    ),
    updatedAt: dateTime,
  })
  .meta({ id: 'DisputeDetail' })

const listDisputes = endpoint({
  id: 'listDisputes',
  method: 'GET',
  path: '/v1/disputes',
  tag: 'Disputes',
  summary: 'Lists disputes, newest first',
  permission: 'disputes.read',
  query: z.object({
    ...paging,
    status: z.enum(DISPUTE_STATUSES).optional(),
    reason: z.enum(DISPUTE_REASONS).optional(),
    paymentId: z.string().optional(),
    startDate: dateFilter.optional(),
    endDate: dateFilter.optional(),
  }),
  data: pageOf(z.strictObject(summary).meta({ id: 'DisputeSummary' })).meta({ id: 'DisputePage' }),
  errors: ['validation_error', 'not_found'],
  silences: ['DI-01', 'LI-02', 'LI-03'],
  authority: 'DI-01',
})

const getDispute = endpoint({
  id: 'getDispute',
  method: 'GET',
  path: '/v1/disputes/{id}',
  tag: 'Disputes',
  summary: 'Reads one dispute with its evidence and history',
  permission: 'disputes.read',
  record: 'dispute',
  params: idParam('id'),
  data: detail,
  errors: ['not_found'],
  silences: ['DI-01', 'DI-08'],
  authority: 'DI-01',
})

const respondToDispute = endpoint({
  id: 'respondToDispute',
  method: 'PUT',
  path: '/v1/disputes/{id}/response',
  tag: 'Disputes',
  summary: 'Creates or replaces the text response to a dispute',
  permission: 'disputes.write',
  record: 'dispute',
  params: idParam('id'),
  body: z.object({ text: textUpTo(limits.MAX_DISPUTE_TEXT_UNITS).min(1) }).meta({ id: 'DisputeResponse' }),
  data: detail,
  errors: [
    'validation_error',
    'dispute_closed',
    'dispute_expired',
    'not_found',
    'conflict',
    'payload_too_large',
  ],
  silences: ['DI-04', 'DI-07', 'DI-08'],
  invalidStatus: 400,
  authority: 'contract: PUT /v1/disputes/{id}/response',
})

const addDisputeEvidence = endpoint({
  id: 'addDisputeEvidence',
  method: 'POST',
  path: '/v1/disputes/{id}/evidences',
  tag: 'Disputes',
  summary: 'Attaches a file to a dispute',
  permission: 'disputes.write',
  record: 'dispute',
  params: idParam('id'),
  body: z
    .object({
      file: z.string().meta({ format: 'binary', description: 'pdf, png or jpeg, at most 10 MiB' }),
      description: textUpTo(limits.MAX_DESCRIPTION_UNITS).optional(),
    })
    .meta({ id: 'DisputeEvidence' }),
  bodyType: 'multipart',
  data: evidence,
  success: 201,
  errors: [
    'validation_error',
    'dispute_closed',
    'dispute_expired',
    'not_found',
    'conflict',
    'payload_too_large',
  ],
  silences: ['DI-06', 'DI-07', 'DI-08'],
  authority: 'DI-06',
})

/** Endpoints of disputes. */
export const DISPUTE_ENDPOINTS = [listDisputes, getDispute, respondToDispute, addDisputeEvidence] as const
