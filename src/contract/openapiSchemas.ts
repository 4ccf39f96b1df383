// Owns turning zod schemas into schemas of an OpenAPI document: the ones with an id once, the others where they stand.
import { z } from 'zod'
import { invariant } from '../kernel/assert.ts'
import { failureEnvelope } from './endpoint.ts'

/** A JSON Schema of draft 2020-12, which is what OpenAPI 3.1 speaks. */
export type JsonSchema = Record<string, unknown>

/** What a schema describes: what somebody sends (`input`) or what the server answers (`output`). */
export type Direction = 'input' | 'output'

/** Reads zod schemas for one document. */
export interface SchemaReader {
  /**
   * The schema as JSON; parts with an id are references to `#/components/schemas/<id>`.
   * @throws {InvariantError} when one id means two shapes, or a recursive schema has no id.
   */
  read(schema: z.ZodType, direction: Direction): JsonSchema
  /** The envelope of a refusal with one of the codes. */
  refusal(codes: readonly string[]): JsonSchema
  /** Every schema with an id that was met so far, by its id. */
  named(): Record<string, JsonSchema>
}

/** A reader that has met nothing yet. */
export function createSchemaReader(): SchemaReader {
  const components: Record<string, JsonSchema> = {}
  const known: Record<Direction, Map<z.ZodType, JsonSchema>> = { input: new Map(), output: new Map() }
  const refusals = new Map<string, JsonSchema>()

  function keep(id: string, schema: unknown): void {
    invariant(!id.startsWith('__'), 'a recursive schema needs an id: .meta({ id })')
    const found = resolve(schema) as JsonSchema
    const before = components[id]
    invariant(
      before === undefined || JSON.stringify(before) === JSON.stringify(found),
      `the schema '${id}' has two shapes; what is sent and what is answered need an id each`,
    )
    components[id] = found
  }

  function read(schema: z.ZodType, direction: Direction): JsonSchema {
    const { $defs = {}, ...rest } = toJson(schema, direction)
    for (const [id, part] of Object.entries($defs as Record<string, unknown>)) keep(id, part)
    return resolve(rest) as JsonSchema
  }

  return {
    read: (schema, direction) => readOnce(known[direction], schema, () => read(schema, direction)),
    refusal: (codes) =>
      readOnce(refusals, codes.join(), () => {
        const error = failureEnvelope.shape.error.extend({ code: z.enum(codes) })
        return read(failureEnvelope.extend({ error }), 'output')
      }),
    named: () => components,
  }
}

/** What is kept under a key, made when it is asked for the first time. */
function readOnce<Key>(kept: Map<Key, JsonSchema>, key: Key, make: () => JsonSchema): JsonSchema {
  const found = kept.get(key) ?? make()
  kept.set(key, found)
  return found
}

/** Formats that say enough; the patterns that zod adds to them are for machines only, and long. */
const TELLING_FORMATS: ReadonlySet<unknown> = new Set(['uuid', 'date-time', 'date', 'email', 'uri'])

function toJson(schema: z.ZodType, direction: Direction): JsonSchema {
  const json: JsonSchema = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: direction,
    override({ zodSchema, jsonSchema }) {
      // A coerced value comes as text: what it may be is said by what it is coerced to.
      if (direction === 'input' && zodSchema instanceof z.ZodPipe && isCoerced(zodSchema.in)) {
        Object.assign(jsonSchema, toJson(zodSchema.out as z.ZodType, direction))
      }
      if (jsonSchema.format === 'binary') jsonSchema.contentMediaType = 'application/octet-stream'
      if (TELLING_FORMATS.has(jsonSchema.format)) delete jsonSchema.pattern
      // The limits of an integer as such are no limits of ours.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    },
  })
  delete json.$schema
  return json
}

function isCoerced(schema: unknown): boolean {
  const coercible =
    schema instanceof z.ZodNumber || schema instanceof z.ZodBoolean || schema instanceof z.ZodString
  return coercible && schema.def.coerce === true
}

const LOCAL = '#/$defs/'

/** References to definitions of one schema become references to components of the document. */
function resolve(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(resolve)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      key === '$ref' && typeof part === 'string' ? toComponent(part) : resolve(part),
    ]),
  )
}

function toComponent(reference: string): string {
  invariant(reference.startsWith(LOCAL), 'a recursive schema needs an id: .meta({ id })')
  return `#/components/schemas/${reference.slice(LOCAL.length)}`
}
