// Owns what the OpenAPI documents of both interfaces promise: every operation, and how an answer is held against it.
import { z } from 'zod'
import { gatewayOpenApi } from '../../../src/contract/openapi.ts'
import { controlOpenApi } from '../../../src/control/openapi.ts'
import type {
  OpenApiDocument,
  OpenApiOperation,
  OpenApiParameter,
} from '../../../src/contract/openapiDocument.ts'
import type { JsonSchema } from '../../../src/contract/openapiSchemas.ts'

/** Which interface an operation belongs to. */
export type Api = 'gateway' | 'control'

/** What an operation declares of one status. */
export interface DeclaredAnswer {
  /** What is wrong with a parsed body; null when it fits. */
  wrong(body: unknown): string | null
  /** Media types of its body; none when no body is declared. */
  types: readonly string[]
  /** Names of the headers that every such answer has. */
  headers: readonly string[]
}

/** One operation as its document declares it. */
export interface Operation {
  api: Api
  id: string
  method: string
  /** With `{name}` parameters. */
  path: string
  parameters: readonly OpenApiParameter[]
  /** What is sent as JSON or as text; null for nothing. */
  body: JsonSchema | null
  contentTypes: readonly string[]
  /** By status. */
  answers: ReadonlyMap<number, DeclaredAnswer>
  /** Definitions that its schemas refer to. */
  definitions: Readonly<Record<string, JsonSchema>>
}

const COMPONENTS = '#/components/schemas/'
const LOCAL = '#/$defs/'
const ADDRESS = { serverUrl: 'http://sandbox.test', version: '0.0.0' }

/** The operations of both documents. */
export function readOperations(): Operation[] {
  return [
    ...operationsOf('gateway', gatewayOpenApi(ADDRESS)),
    ...operationsOf('control', controlOpenApi(ADDRESS)),
  ]
}

function operationsOf(api: Api, { paths, components }: OpenApiDocument): Operation[] {
  const definitions = localised(components.schemas) as Record<string, JsonSchema>
  const required = Object.entries(components.headers).flatMap(([name, header]) =>
    header['required'] === true || name === 'X-Sandbox-Hint' ? [name] : [],
  )
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, declared]) => ({
      api,
      id: declared.operationId,
      method: method.toUpperCase(),
      path,
      parameters: declared.parameters ?? [],
      ...bodyOf(declared),
      answers: answersOf(declared, definitions, required),
      definitions,
    })),
  )
}

function bodyOf({ requestBody }: OpenApiOperation): Pick<Operation, 'body' | 'contentTypes'> {
  const contentTypes = Object.keys(requestBody?.content ?? {})
  const schema = requestBody?.content[contentTypes[0] ?? '']?.schema
  return { body: schema === undefined ? null : (localised(schema) as JsonSchema), contentTypes }
}

function answersOf(
  { responses }: OpenApiOperation,
  definitions: Record<string, JsonSchema>,
  required: readonly string[],
): Map<number, DeclaredAnswer> {
  const entries = Object.entries(responses).map(([status, { content, headers = {} }]) => {
    const schema = content?.['application/json']?.schema
    // A hint may stand on a success, and stands on every refusal.
    const always = required.filter(
      (name) => name in headers && (name !== 'X-Sandbox-Hint' || Number(status) >= 400),
    )
    const declared: DeclaredAnswer = {
      wrong: (body) => (schema === undefined ? 'no body is declared' : wrongWith(schema, definitions, body)),
      types: Object.keys(content ?? {}),
      headers: always,
    }
    return [Number(status), declared] as const
  })
  return new Map(entries)
}

const validators = new Map<JsonSchema, z.ZodType>()

function wrongWith(
  schema: JsonSchema,
  definitions: Record<string, JsonSchema>,
  body: unknown,
): string | null {
  const known = validators.get(schema)
  const whole = { ...(localised(schema) as JsonSchema), $defs: definitions }
  const validator = known ?? z.fromJSONSchema(whole)
  validators.set(schema, validator)
  const parsed = validator.safeParse(body)
  return parsed.success ? null : z.prettifyError(parsed.error)
}

/** A schema whose references stay inside of it. */
function localised(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema).replaceAll(COMPONENTS, LOCAL))
}

/** The definition that a schema refers to, or itself. */
export function resolved(schema: JsonSchema, definitions: Operation['definitions']): JsonSchema {
  const reference = schema['$ref']
  if (typeof reference !== 'string') return schema
  return definitions[reference.slice(LOCAL.length)] ?? {}
}

/** Finds the operation that a method and a path mean; null for none. */
export function operationFinder(
  operations: readonly Operation[],
): (method: string, path: string) => Operation | null {
  const fixedFirst = operations.toSorted((a, b) => a.path.split('{').length - b.path.split('{').length)
  const rows = fixedFirst.map((operation) => ({
    operation,
    pattern: new RegExp(`^${operation.path.replaceAll('.', String.raw`\.`).replace(/\{\w+\}/g, '[^/]+')}$`),
  }))
  return (method, path) =>
    rows.find(({ operation, pattern }) => operation.method === method && pattern.test(path))?.operation ??
    null
}
