// Owns the making of an OpenAPI 3.1 document out of neutral descriptions of operations. Knows no table.
import { invariant } from '../kernel/assert.ts'
import { NOTHING } from './endpoint.ts'
import { createSchemaReader } from './openapiSchemas.ts'
import type { z } from 'zod'
import type { Direction, JsonSchema, SchemaReader } from './openapiSchemas.ts'

/** One endpoint, described for the document. */
export interface OperationSpec {
  /** Operation id, unique in the document. */
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path with `{name}` parameters. */
  path: string
  tag: string
  summary: string
  /** Markdown. */
  description: string
  /** Names of security schemes, any of which opens it; none when it is open to all. */
  security: readonly string[]
  /** Parameters in the path, in the query and in headers; one field each. */
  params: z.ZodObject
  query: z.ZodObject
  headers?: z.ZodObject
  /** Null when no body is read. */
  body: BodySpec | null
  answers: readonly AnswerSpec[]
}

/** A body that is sent. */
export interface BodySpec {
  schema: z.ZodType
  /** Media types in which it can be sent. */
  contentTypes: readonly string[]
  /** Whether it must be sent. */
  required: boolean
}

/** One way to answer. */
export interface AnswerSpec {
  status: number | '2XX' | 'default'
  /** Markdown. */
  description: string
  /** The whole body, envelope included; null when there is none. */
  schema: z.ZodType | null
  /** Codes of which a refusal has one: its body is the envelope then, in place of a schema. */
  codes?: readonly string[]
  /** Media type of the body; JSON unless named. */
  contentType?: string
  /** Media types of texts that it can be asked for as well. */
  textTypes?: readonly string[]
  /** Names out of the document's table of headers. */
  headers?: readonly string[]
}

/** A header of answers. */
export interface HeaderSpec {
  description: string
  schema: z.ZodType
  /** Whether every answer that names it has it. */
  required: boolean
}

/** A call that the server makes itself. */
export interface WebhookSpec {
  /** Key in the document; unique. */
  name: string
  /** Operation id of the receiving side. */
  id: string
  tag: string
  summary: string
  /** Markdown. */
  description: string
  headers: z.ZodObject
  body: z.ZodType
  answers: readonly AnswerSpec[]
}

/** An error code that an operation can answer. */
export interface FailureSpec {
  code: string
  status: number
  /** When it is answered; Markdown. */
  when: string
}

/** What a document is about. */
export interface OpenApiInfo {
  title: string
  version: string
  /** Markdown. */
  description: string
  license: { name: string; identifier: string }
}

/** Everything that a document is made of. */
export interface DocumentSpec {
  info: OpenApiInfo
  servers: readonly { url: string; description?: string }[]
  tags: readonly { name: string; description: string }[]
  securitySchemes: Readonly<Record<string, JsonSchema>>
  /** Headers by name; those that no answer names are left out. */
  headers: Readonly<Record<string, HeaderSpec>>
  operations: readonly OperationSpec[]
  webhooks?: readonly WebhookSpec[]
}

/** A parameter in the document. */
export interface OpenApiParameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: JsonSchema
}

/** Bodies in the document, by media type. */
export type OpenApiContent = Record<string, { schema: JsonSchema }>

/** An answer in the document. */
export interface OpenApiResponse {
  description: string
  headers?: Record<string, { $ref: string }>
  content?: OpenApiContent
}

/** An operation in the document. */
export interface OpenApiOperation {
  operationId: string
  tags: string[]
  summary: string
  description: string
  security: Record<string, string[]>[]
  parameters?: OpenApiParameter[]
  requestBody?: { required: boolean; content: OpenApiContent }
  responses: Record<string, OpenApiResponse>
}

/** An OpenAPI 3.1 document: plain JSON. */
export interface OpenApiDocument {
  openapi: '3.1.0'
  info: OpenApiInfo
  servers: { url: string; description?: string }[]
  tags: { name: string; description: string }[]
  /** Operations by path and lower-case method. */
  paths: Record<string, Record<string, OpenApiOperation>>
  /** Calls to receivers by name; always under `post`. */
  webhooks?: Record<string, Record<string, OpenApiOperation>>
  components: {
    schemas: Record<string, JsonSchema>
    headers: Record<string, JsonSchema>
    securitySchemes: Record<string, JsonSchema>
  }
}

/**
 * Makes a document.
 * @throws {InvariantError} when two operations share path and method, an answer names an unknown header, or one schema
 * id means two shapes.
 */
export function openApiDocument(spec: DocumentSpec): OpenApiDocument {
  const reader = createSchemaReader()
  const paths: OpenApiDocument['paths'] = {}
  for (const operation of spec.operations) {
    const { path, method } = operation
    const methods = (paths[path] ??= {})
    const key = method.toLowerCase()
    invariant(methods[key] === undefined, `two operations have ${method} ${path}`)
    methods[key] = describeOperation(reader, operation, 'input')
  }
  const webhooks = spec.webhooks?.map((webhook) => [webhook.name, { post: describeWebhook(reader, webhook) }])
  const answers = [...spec.operations, ...(spec.webhooks ?? [])].flatMap((operation) => operation.answers)
  const headers = describeHeaders(reader, spec.headers, answers)
  return {
    openapi: '3.1.0',
    info: spec.info,
    servers: [...spec.servers],
    tags: [...spec.tags],
    paths,
    ...(webhooks && { webhooks: Object.fromEntries(webhooks) as typeof paths }),
    components: { schemas: sorted(reader.named()), headers, securitySchemes: { ...spec.securitySchemes } },
  }
}

/**
 * The refusals of an operation as answers: one for each HTTP status, whose `code` is exactly one of the codes.
 * @param headersOf names of the headers of an answer with a status
 */
export function failureAnswers(
  failures: readonly FailureSpec[],
  headersOf: (status: number) => readonly string[],
): AnswerSpec[] {
  const statuses = [...new Set(failures.map(({ status }) => status))].toSorted((a, b) => a - b)
  return statuses.map((status) => {
    const here = failures.filter((failure) => failure.status === status)
    return {
      status,
      description: here.map((failure) => `- \`${failure.code}\`: ${failure.when}`).join('\n'),
      schema: null,
      codes: here.map((failure) => failure.code),
      headers: headersOf(status),
    }
  })
}

function describeOperation(reader: SchemaReader, spec: OperationSpec, sent: Direction): OpenApiOperation {
  const parameters = [
    ...describeParameters(reader, spec.params, 'path'),
    ...describeParameters(reader, spec.query, 'query'),
    ...describeParameters(reader, spec.headers ?? NOTHING, 'header'),
  ]
  const { body } = spec
  return {
    operationId: spec.id,
    tags: [spec.tag],
    summary: spec.summary,
    description: spec.description,
    security: spec.security.map((scheme) => ({ [scheme]: [] })),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: body.required,
        content: Object.fromEntries(
          body.contentTypes.map((type) => [type, { schema: reader.read(body.schema, sent) }]),
        ),
      },
    }),
    responses: Object.fromEntries(
      spec.answers.map((answer) => [String(answer.status), describeAnswer(reader, answer)]),
    ),
  }
}

/** A webhook is an operation of the receiver, whose body is what the server sends. */
function describeWebhook(reader: SchemaReader, spec: WebhookSpec): OpenApiOperation {
  const body = { schema: spec.body, contentTypes: ['application/json'], required: true }
  const operation = {
    ...spec,
    method: 'POST',
    path: '',
    security: [],
    params: NOTHING,
    query: NOTHING,
    body,
  } as const
  return describeOperation(reader, operation, 'output')
}

function describeParameters(
  reader: SchemaReader,
  fields: z.ZodObject,
  place: OpenApiParameter['in'],
): OpenApiParameter[] {
  const { properties = {}, required = [] } = reader.read(fields, 'input') as {
    properties?: Record<string, JsonSchema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(typeof description === 'string' && { description }),
    schema,
  }))
}

function describeAnswer(reader: SchemaReader, answer: AnswerSpec): OpenApiResponse {
  const { description, codes, contentType = 'application/json', textTypes = [], headers = [] } = answer
  const texts = textTypes.map((type) => [type, { schema: { type: 'string' } }] as const)
  const schema = codes ? reader.refusal(codes) : answer.schema && reader.read(answer.schema, 'output')
  const references = headers.map((name) => [name, { $ref: `#/components/headers/${name}` }] as const)
  return {
    description,
    ...(references.length > 0 && { headers: Object.fromEntries(references) }),
    ...(schema && { content: { [contentType]: { schema }, ...Object.fromEntries(texts) } }),
  }
}

function describeHeaders(
  reader: SchemaReader,
  table: DocumentSpec['headers'],
  answers: readonly AnswerSpec[],
): Record<string, JsonSchema> {
  const used = new Set(answers.flatMap(({ headers = [] }) => headers))
  for (const name of used) invariant(Object.hasOwn(table, name), `an answer names an unknown header: ${name}`)
  const kept = Object.entries(table).filter(([name]) => used.has(name))
  return Object.fromEntries(
    kept.map(([name, { description, schema, required }]) => [
      name,
      { description, required, schema: reader.read(schema, 'output') },
    ]),
  )
}

function sorted(record: Record<string, JsonSchema>): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
