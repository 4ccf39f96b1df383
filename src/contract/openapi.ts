// Owns the OpenAPI document of the gateway: what its tables say, handed to the neutral builder.
import { z } from 'zod'
import { COMMON_ERRORS, dateTime, envelopeOf, NOTHING, uuid } from './endpoint.ts'
import { ENDPOINTS } from './endpoints.ts'
import { GATEWAY_ERRORS } from './errors.ts'
import { EVENTS, EVENT_TYPES } from './events.ts'
import { DELIVERY_ATTEMPTS, RETRY_WAITS_SECONDS } from './limits.ts'
import { failureAnswers, openApiDocument } from './openapiDocument.ts'
import { isSilenceId, silence, SILENCES } from './silences.ts'
import { cashoutEvent, deliveryBody, disputeEvent, transactionEvent } from './webhookPayloads.ts'
import type { EndpointRow } from './endpoint.ts'
import type { OperationId } from './endpoints.ts'
import type { GatewayErrorCode } from './errors.ts'
import type { EventType } from './events.ts'
import type {
  AnswerSpec,
  FailureSpec,
  HeaderSpec,
  OpenApiDocument,
  OperationSpec,
  WebhookSpec,
} from './openapiDocument.ts'
import type { SilenceId } from './silences.ts'

/** What the document cannot know by itself. */
export interface GatewayOpenApiOptions {
  /** Where the server is reached, without a slash at the end. */
  serverUrl: string
  /** Version of the product. */
  version: string
}

type Tag = (typeof ENDPOINTS)[number]['tag']

const TAGS: Record<Tag, string> = {
  Authentication: 'Exchanging a key pair for an access token.',
  Transactions: 'PIX, boleto and card transactions, their simulation, and card tokens.',
  Customers: 'Customer records of the merchant.',
  Balance: 'The money of the merchant.',
  Cashouts: 'Withdrawals to a PIX key.',
  Disputes: 'Disputes of transactions, the response to them, and its evidence.',
  Health: 'Whether the gateway answers.',
}

const WEBHOOK_TAG = {
  name: 'Webhooks',
  description: 'What is sent to the `callbackUrl` of a transaction or cashout.',
}

const DESCRIPTION = `A sandbox of the payment gateway. Money is whole cents of BRL; timestamps are ISO 8601 in UTC; in a request,
\`null\` means absent and unknown fields are ignored.

Every answer is the envelope \`{data, message, error}\`. Beyond the codes that each operation lists, an unknown path is
404 \`not_found\`, and a known path under another method is 405 \`method_not_allowed\` with \`Allow\`.

Where the contract is silent, this document shows what a world answers that chose nothing; \`GET /_sandbox/silences\`
lists every open point with its alternatives, and \`PATCH /_sandbox/silences\` changes them for one world.`

const SCHEME = 'bearerAuth'

const SECURITY_SCHEMES = {
  [SCHEME]: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'The `accessToken` of `POST /v1/auth/token`. What its credential must be permitted is in the description of each operation. A world can also take the key pair itself, in `X-Api-Key` and `X-Api-Secret` (AU-12).',
  },
}

const SANDBOX_HEADERS = ['X-Sandbox-World', 'X-Sandbox-Now', 'X-Sandbox-Silences'] as const
const HINT = 'X-Sandbox-Hint'

const HEADERS: Readonly<Record<string, HeaderSpec>> = {
  'X-Sandbox-World': { description: 'Id of the world that answered.', schema: z.string(), required: true },
  'X-Sandbox-Now': {
    description: 'The instant on the clock of that world.',
    schema: dateTime,
    required: true,
  },
  'X-Sandbox-Silences': {
    description: 'Ids of the silences that the answer depended on, sorted, separated by commas.',
    schema: z.string(),
    required: true,
  },
  [HINT]: {
    description: 'What to do, in English: on a refusal, and when an ignored field looks like a known one.',
    schema: z.string(),
    required: false,
  },
  'Retry-After': {
    description: 'Whole seconds on the clock of the world until the next call is allowed (AU-03).',
    schema: z.int().min(1),
    required: true,
  },
  'X-Sandbox-Pay': {
    description: 'Address of the page that shows the transaction to its payer.',
    schema: z.url(),
    required: true,
  },
  ETag: {
    description: 'The version of the dispute, for `If-Match` (DI-08).',
    schema: z.string(),
    required: true,
  },
}

const IF_MATCH = z.object({
  'If-Match': z.string().optional().meta({
    description:
      'The `ETag` of the dispute; when it changed meanwhile, the answer is 409 `conflict` (DI-08).',
  }),
})

const REQUEST_HEADERS: Partial<Record<OperationId, z.ZodObject>> = {
  respondToDispute: IF_MATCH,
  addDisputeEvidence: IF_MATCH,
}

const ANSWER_HEADERS: Partial<Record<OperationId, readonly string[]>> = {
  createTransaction: ['X-Sandbox-Pay'],
  getTransaction: ['X-Sandbox-Pay'],
  getDispute: ['ETag'],
  respondToDispute: ['ETag'],
}

/** The OpenAPI 3.1 document of the gateway, for a world that made no choices of its own. */
export function gatewayOpenApi({ serverUrl, version }: GatewayOpenApiOptions): OpenApiDocument {
  return openApiDocument({
    info: {
      title: 'Payment gateway (sandbox)',
      version,
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl }],
    tags: [...Object.entries(TAGS).map(([name, description]) => ({ name, description })), WEBHOOK_TAG],
    securitySchemes: SECURITY_SCHEMES,
    headers: HEADERS,
    operations: ENDPOINTS.map((row) => operationOf(row.id, row)),
    webhooks: EVENT_TYPES.map(webhookOf),
  })
}

/** Every code of the contract that an endpoint can answer, in the order of the table of errors. */
function codesOf(row: EndpointRow): GatewayErrorCode[] {
  const possible = new Set<GatewayErrorCode>([
    ...(row.permission === null ? [] : COMMON_ERRORS),
    ...row.errors,
  ])
  return (Object.keys(GATEWAY_ERRORS) as GatewayErrorCode[]).filter((code) => possible.has(code))
}

function operationOf(id: OperationId, row: EndpointRow): OperationSpec {
  const { method, path, tag, summary, params, query, body, permission } = row
  const headers = REQUEST_HEADERS[id]
  const contentTypes = [row.bodyType === 'json' ? 'application/json' : 'multipart/form-data']
  return {
    id,
    method,
    path,
    tag,
    summary,
    description: describe(row),
    security: permission === null ? [] : [SCHEME],
    params,
    query,
    ...(headers && { headers }),
    body: body && { schema: body, contentTypes, required: true },
    answers: [successOf(id, row), ...failuresOf(row)],
  }
}

function successOf(id: OperationId, { success, data, body, query }: EndpointRow): AnswerSpec {
  const read = body !== null || Object.keys(query.shape).length > 0
  const description =
    typeof success === 'number'
      ? 'Done.'
      : `Done. A world can choose the status ${silence(success.choice).alternatives} (${success.choice}).`
  return {
    status: typeof success === 'number' ? success : SILENCES[success.choice].choice,
    description,
    schema: envelopeOf(data),
    headers: [...SANDBOX_HEADERS, ...(read ? [HINT] : []), ...(ANSWER_HEADERS[id] ?? [])],
  }
}

function failuresOf(row: EndpointRow): AnswerSpec[] {
  const failures = codesOf(row).map(failureOf)
  return failureAnswers(failures, (status) => [
    ...SANDBOX_HEADERS,
    HINT,
    ...(status === GATEWAY_ERRORS.rate_limit_exceeded.status ? ['Retry-After'] : []),
  ])
}

function failureOf(code: GatewayErrorCode): FailureSpec {
  const { status, when } = GATEWAY_ERRORS[code]
  if (typeof status === 'number') return { code, status, when }
  const { choice, alternatives } = SILENCES[status.choice]
  return {
    code,
    status: choice,
    when: `${when} (${status.choice}: a world can choose the status ${alternatives})`,
  }
}

/** What an endpoint needs, on whose authority it is as it is, and the silences that it rests on. */
function describe({ permission, sandboxOnly, authority, silences }: EndpointRow): string {
  const needs = [
    permission === null ? 'Needs no token.' : `Needs the permission \`${permission}\`.`,
    ...(sandboxOnly ? ['Production credentials are refused with `sandbox_only`.'] : []),
  ]
  const source = isSilenceId(authority) ? `silence ${authority} (${silence(authority).authority})` : authority
  const rests =
    silences.length === 0 ? [] : ['', 'Where the contract is silent:', '', ...silences.map(describeSilence)]
  return [needs.join(' '), '', `Authority: ${source}.`, ...rests].join('\n')
}

function describeSilence(id: SilenceId): string {
  const { topic, choice, alternatives } = silence(id)
  const shown = typeof choice === 'string' ? choice : JSON.stringify(choice)
  return alternatives === null
    ? `- ${id}: ${topic}. Answered: ${shown}.`
    : `- ${id}: ${topic}. Answered: \`${shown}\`; a world can choose ${alternatives}.`
}

/** The schema and the silence behind the `data` of each family of events, and where they go. */
const EVENT_FAMILIES = {
  payment: {
    data: transactionEvent,
    kind: 'transaction',
    shape: 'WH-05',
    to: 'Sent to the `callbackUrl` of the transaction; without one nothing is sent (WH-07).',
  },
  cashout: {
    data: cashoutEvent,
    kind: 'cashout',
    shape: 'WH-06',
    to: 'Sent to the `callbackUrl` of the cashout; without one nothing is sent (WH-07).',
  },
  dispute: {
    data: disputeEvent,
    kind: 'dispute',
    shape: 'DI-09',
    to: 'Sent only in a world that chose an address for it (DI-09).',
  },
} as const

function webhookOf(type: EventType): WebhookSpec {
  const { data, kind, shape, to } = EVENT_FAMILIES[type.split('.')[0] as keyof typeof EVENT_FAMILIES]
  return {
    name: type,
    id: `receive_${type.replace('.', '_')}`,
    tag: WEBHOOK_TAG.name,
    summary: `The event ${type}: ${EVENTS[type]}`,
    description: [
      to,
      `An attempt that is not answered with 2xx within ${SILENCES['WH-03'].choice} seconds fails (WH-03); ${DELIVERY_ATTEMPTS} attempts are made, the`,
      `later ones ${RETRY_WAITS_SECONDS.join(' and ')} seconds after the one before (WH-04). A receiver must expect the same delivery twice.`,
      '',
      'Authority: contract: Events. Where the contract is silent:',
      '',
      ...(['WH-01', 'WH-02', shape] as const).map(describeSilence),
    ].join('\n'),
    headers: deliveryHeaders(type, kind),
    body: deliveryBody(type, data),
    answers: [
      { status: '2XX', description: 'Received; the body of the answer does not matter.', schema: null },
      { status: 'default', description: 'Not received; redirects are not followed.', schema: null },
    ],
  }
}

/** Source: contract: Headers sent with each delivery; WH-01, WH-02. */
function deliveryHeaders(type: EventType, kind: string): z.ZodObject {
  const prefix = SILENCES['WH-02'].choice
  return NOTHING.extend({
    [`${prefix}Signature`]: z
      .string()
      .regex(/^sha256=[0-9a-f]{64}$/)
      .meta({ description: `HMAC-SHA256 of the exact bytes of the body, keyed with the id of the ${kind}` }),
    [`${prefix}Event`]: z.literal(type).meta({ description: 'the event type' }),
    [`${prefix}Delivery`]: uuid.meta({ description: 'id of the delivery' }),
    [`${prefix}Attempt`]: z
      .int()
      .min(1)
      .max(DELIVERY_ATTEMPTS)
      .meta({ description: 'number of the attempt, from 1' }),
  })
}
