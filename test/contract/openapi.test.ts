// Owns the proof that the OpenAPI document of the gateway is sound and says what the tables say.
import { describe, expect, test } from 'vitest'
import { COMMON_ERRORS } from '../../src/contract/endpoint.ts'
import { ENDPOINTS } from '../../src/contract/endpoints.ts'
import { GATEWAY_ERRORS } from '../../src/contract/errors.ts'
import { EVENT_TYPES } from '../../src/contract/events.ts'
import { gatewayOpenApi } from '../../src/contract/openapi.ts'
import { SILENCES } from '../../src/contract/silences.ts'
import { lintOpenApi, LINT_TIMEOUT_MS } from '../support/openapiLint.ts'
import type { EndpointRow } from '../../src/contract/endpoint.ts'
import type { OpenApiOperation } from '../../src/contract/openapiDocument.ts'

const OPTIONS = { serverUrl: 'http://127.0.0.1:4848', version: '1.2.3' }
const ROWS: readonly EndpointRow[] = ENDPOINTS
const document = gatewayOpenApi(OPTIONS)
const operations = new Map(
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [
      operation.operationId,
      { path, method, operation },
    ]),
  ),
)

/** Nothing can refuse a call of health. Everything else must have a way to refuse. */
const KNOWN = ['warn operation-4xx-response #/paths/~1health/get/responses']

function operationOf(id: string): OpenApiOperation {
  const found = operations.get(id)
  if (!found) throw new Error(`the document has no operation ${id}`)
  return found.operation
}

/** The codes in the body of an answer; none when it is no refusal. */
function codesAt(operation: OpenApiOperation, status: string): string[] {
  const schema = operation.responses[status]?.content?.['application/json']?.schema as
    | { properties: { error: { properties?: { code: { enum: string[] } } } } }
    | undefined
  return schema?.properties.error.properties?.code.enum ?? []
}

/** Every code of an operation as `status code`, sorted. */
function refusalsOf(operation: OpenApiOperation): string[] {
  return Object.keys(operation.responses)
    .flatMap((status) => codesAt(operation, status).map((code) => `${status} ${code}`))
    .toSorted()
}

/** What the tables say about the refusals of a row, as `status code`, sorted. */
function declaredRefusals(row: EndpointRow): string[] {
  const codes = new Set([...(row.permission === null ? [] : COMMON_ERRORS), ...row.errors])
  const declared = [...codes].map((code) => {
    const { status } = GATEWAY_ERRORS[code]
    return `${typeof status === 'number' ? status : SILENCES[status.choice].choice} ${code}`
  })
  return declared.toSorted()
}

/** The name of a component with its kind, such as `schemas/Balance`, of every reference in a value. */
function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) =>
    key === '$ref' ? [String(part).replace('#/components/', '')] : referencesIn(part),
  )
}

function jsonBodyOf({ requestBody }: OpenApiOperation): unknown {
  return requestBody?.content['application/json']?.schema
}

describe('a linter', () => {
  test(
    'finds nothing wrong with the document',
    async () => {
      expect(await lintOpenApi(document)).toEqual(KNOWN)
    },
    LINT_TIMEOUT_MS,
  )

  test(
    'finds a reference that leads nowhere',
    async () => {
      const planted = structuredClone(document)
      delete planted.components.schemas.Balance
      expect((await lintOpenApi(planted)).join('\n')).toContain(
        'error no-unresolved-refs #/paths/~1v1~1balance/get/responses/200',
      )
    },
    LINT_TIMEOUT_MS,
  )

  test(
    'finds two operations with one id',
    async () => {
      const planted = structuredClone(document)
      const { get } = planted.paths['/v1/balance'] ?? {}
      if (get) get.operationId = 'getHealth'
      expect((await lintOpenApi(planted)).join('\n')).toContain('error operation-operationId-unique')
    },
    LINT_TIMEOUT_MS,
  )

  test(
    'finds a path parameter that is not declared',
    async () => {
      const planted = structuredClone(document)
      delete planted.paths['/v1/customers/{id}']?.get?.parameters
      expect((await lintOpenApi(planted)).join('\n')).toContain('error path-parameters-defined')
    },
    LINT_TIMEOUT_MS,
  )
})

describe('the document', () => {
  test('has every endpoint of the table once, and no other', () => {
    const declared = ROWS.map(({ id, method, path }) => `${id} ${method} ${path}`)
    const found = [...operations.values()].map(
      ({ path, method, operation }) => `${operation.operationId} ${method.toUpperCase()} ${path}`,
    )
    expect(found.toSorted()).toEqual(declared.toSorted())
  })

  test.each(ROWS)('says of $id every code that it can be refused with, under its status', (row) => {
    expect(refusalsOf(operationOf(row.id))).toEqual(declaredRefusals(row))
  })

  test('has every code of the contract somewhere; the one of no endpoint is in the introduction', () => {
    const found = new Set([...operations.values()].flatMap(({ operation }) => refusalsOf(operation)))
    const codes = new Set([...found].map((refusal) => refusal.split(' ')[1]))
    const missing = Object.keys(GATEWAY_ERRORS).filter((code) => !codes.has(code))
    expect(missing).toEqual(['method_not_allowed'])
    expect(document.info.description).toContain('405 `method_not_allowed`')
  })

  test.each([
    ['createToken', '200', []],
    ['createToken', '401', ['invalid_credentials']],
    ['createToken', '429', ['rate_limit_exceeded', 'auth_rate_limit_exceeded']],
    ['createTransaction', '201', []],
    ['simulateTransaction', '200', []],
    ['simulateTransaction', '401', ['unauthorized', 'sandbox_only']],
    ['getTransaction', '404', ['not_found']],
    ['tokenizeCard', '422', ['tokenization_not_supported']],
    ['createCustomer', '409', ['conflict']],
    ['updateCustomer', '403', ['forbidden', 'ip_not_allowed']],
    [
      'createCashout',
      '400',
      ['validation_error', 'invalid_amount', 'insufficient_balance', 'field_too_long'],
    ],
    ['respondToDispute', '400', ['validation_error', 'dispute_closed', 'dispute_expired']],
    ['respondToDispute', '409', ['conflict']],
    ['addDisputeEvidence', '201', []],
    ['addDisputeEvidence', '413', ['payload_too_large']],
    ['getHealth', '500', ['internal_error']],
  ])('answers %s with %s and the codes %j', (id, status, codes) => {
    const operation = operationOf(id)
    expect(operation.responses).toHaveProperty(status)
    expect(codesAt(operation, status)).toEqual(codes)
  })

  test('puts every success into the envelope', () => {
    const schema = operationOf('getCustomer').responses['200']?.content?.['application/json']?.schema
    expect(schema).toEqual({
      type: 'object',
      properties: {
        data: { $ref: '#/components/schemas/Customer' },
        message: { type: ['string', 'null'] },
        error: { type: 'null' },
      },
      required: ['data', 'message', 'error'],
      additionalProperties: false,
    })
  })

  test('names the headers of the sandbox at every answer, and a hint at every refusal', () => {
    const lacking = [...operations.values()].flatMap(({ operation }) =>
      Object.entries(operation.responses).flatMap(([status, { headers = {} }]) => {
        const needed = ['X-Sandbox-World', 'X-Sandbox-Now', 'X-Sandbox-Silences']
        if (Number(status) >= 400) needed.push('X-Sandbox-Hint')
        return needed
          .filter((name) => !(name in headers))
          .map((name) => `${operation.operationId} ${status} ${name}`)
      }),
    )
    expect(lacking).toEqual([])
  })

  test('has Retry-After at 429 only, and ETag where a dispute is answered', () => {
    const found = [...operations.values()].flatMap(({ operation }) =>
      Object.entries(operation.responses).flatMap(([status, { headers = {} }]) =>
        Object.keys(headers)
          .filter((name) => !name.startsWith('X-Sandbox-'))
          .map((name) =>
            name === 'ETag' ? `${operation.operationId} ${status} ${name}` : `${status} ${name}`,
          ),
      ),
    )
    expect([...new Set(found)].toSorted()).toEqual([
      '429 Retry-After',
      'getDispute 200 ETag',
      'respondToDispute 200 ETag',
    ])
  })

  test('asks for a bearer token wherever a permission is needed, and names the permission', () => {
    for (const { id, permission } of ROWS) {
      const { security, description } = operationOf(id)
      expect(security, id).toEqual(permission === null ? [] : [{ bearerAuth: [] }])
      expect(description, id).toContain(permission === null ? 'Needs no token' : `\`${permission}\``)
    }
    expect(document.components.securitySchemes).toHaveProperty('bearerAuth.scheme', 'bearer')
  })

  test('names the authority of each endpoint and the silences that it rests on', () => {
    for (const { id, authority, silences } of ROWS) {
      const { description } = operationOf(id)
      expect(description, id).toContain(authority)
      for (const silence of silences) expect(description, id).toContain(`- ${silence}: `)
    }
  })

  test('describes each tag that is used', () => {
    const tags = new Set([...ROWS.map(({ tag }) => tag), 'Webhooks'])
    expect(new Set(document.tags.map(({ name }) => name))).toEqual(tags)
  })

  test('takes server and version from its caller', () => {
    expect(document.servers).toEqual([{ url: OPTIONS.serverUrl }])
    expect(document.info.version).toBe('1.2.3')
  })

  test('is plain JSON, the same each time, and has no reference that leads nowhere', () => {
    expect(JSON.parse(JSON.stringify(document))).toStrictEqual(document)
    expect(gatewayOpenApi(OPTIONS)).toStrictEqual(document)
    const { schemas, headers } = document.components
    const known = new Set([
      ...Object.keys(schemas).map((name) => `schemas/${name}`),
      ...Object.keys(headers).map((name) => `headers/${name}`),
    ])
    expect(new Set(referencesIn(document))).toEqual(known)
  })
})

describe('a request in the document', () => {
  test('names its record by a uuid in the path', () => {
    const id = { name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }
    expect(operationOf('getCustomer').parameters).toEqual([id])
    expect(operationOf('getTransaction').parameters).toEqual([{ ...id, name: 'transactionId' }])
  })

  test('has limits, defaults and listed values in its query', () => {
    const { parameters = [] } = operationOf('listCashouts')
    const schemaOf = (name: string): unknown =>
      parameters.find((parameter) => parameter.name === name)?.schema
    expect(parameters.filter(({ required }) => required)).toEqual([])
    expect(schemaOf('page')).toEqual({ type: 'integer', minimum: 1, default: 1 })
    expect(schemaOf('pageSize')).toEqual({ type: 'integer', minimum: 1, maximum: 100, default: 20 })
    expect(schemaOf('status')).toHaveProperty('enum', [
      'Pending',
      'Processing',
      'Completed',
      'Failed',
      'Rejected',
      'Cancelled',
    ])
    expect(parameters.find(({ name }) => name === 'startDate')).toEqual({
      name: 'startDate',
      in: 'query',
      required: false,
      description: 'ISO 8601 date or date-time',
      schema: { type: 'string', maxLength: 40 },
    })
  })

  test('can carry If-Match when it changes a dispute, and only then', () => {
    const found = [...operations.values()].filter(({ operation }) =>
      operation.parameters?.some((parameter) => parameter.in === 'header' && parameter.name === 'If-Match'),
    )
    expect(found.map(({ operation }) => operation.operationId)).toEqual([
      'respondToDispute',
      'addDisputeEvidence',
    ])
  })

  test('refers to its body by name', () => {
    const body = operationOf('createTransaction')
    expect(jsonBodyOf(body)).toEqual({ $ref: '#/components/schemas/CreateTransaction' })
    expect(body.requestBody?.required).toBe(true)
    expect(document.components.schemas.CreateTransaction).toMatchObject({
      required: ['method', 'amount'],
      properties: { amount: { type: 'integer', minimum: 100, maximum: 9_999_999_999 } },
    })
  })

  test('sends evidence as a file', () => {
    expect(operationOf('addDisputeEvidence').requestBody?.content).toEqual({
      'multipart/form-data': { schema: { $ref: '#/components/schemas/DisputeEvidence' } },
    })
    expect(document.components.schemas.DisputeEvidence).toMatchObject({
      required: ['file'],
      properties: { file: { type: 'string', format: 'binary' } },
    })
  })

  test('has no body where none is read', () => {
    const without = ROWS.filter(({ id }) => operationOf(id).requestBody === undefined).map(({ id }) => id)
    expect(without).toEqual(ROWS.filter(({ body }) => body === null).map(({ id }) => id))
  })
})

describe('the webhooks of the document', () => {
  const webhooks = document.webhooks ?? {}

  test('are one for each event type', () => {
    expect(Object.keys(webhooks)).toEqual(EVENT_TYPES)
  })

  test.each([
    ['payment.refunded', 'TransactionEvent', 'WH-05'],
    ['cashout.rejected', 'CashoutEvent', 'WH-06'],
  ])('send %s with four headers, and a %s as data', (type, schema, silence) => {
    const operation = webhooks[type]?.post
    expect(operation?.description).toContain(silence)
    expect(operation?.security).toEqual([])
    expect(
      operation?.parameters?.map((parameter) => [parameter.in, parameter.name, parameter.required]),
    ).toEqual([
      ['header', 'X-Service-Signature', true],
      ['header', 'X-Service-Event', true],
      ['header', 'X-Service-Delivery', true],
      ['header', 'X-Service-Attempt', true],
    ])
    expect(operation && jsonBodyOf(operation)).toMatchObject({
      properties: {
        id: { type: 'string', format: 'uuid' },
        type: { const: type },
        createdAt: { type: 'string', format: 'date-time' },
        data: { $ref: `#/components/schemas/${schema}` },
      },
      required: ['id', 'type', 'createdAt', 'data'],
      additionalProperties: false,
    })
  })
})
