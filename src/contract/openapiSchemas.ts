// Owns turning zod schemas into schemas of an OpenAPI document: the ones with an id once, the others where they stand.
import { z } from 'zod'
import { invariant } from '../kernel/assert.ts'

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
  /** Every schema with an id that was met so far, by its id. */
  named(): Record<string, JsonSchema>
}

/** A reader that has met nothing yet. */
export function createSchemaReader(): SchemaReader {
  const components: Record<string, JsonSchema> = {}
  const read: Record<Direction, Map<z.ZodType, JsonSchema>> = { input: new Map(), output: new Map() }

  function keep(id: string, schema: unknown): void {
    invariant(!id.startsWith('__'), 'a recursive schema needs an id: .meta({ id })')
    const found = resolve(schema) as JsonSchema
    const known = components[id]
    invariant(
      known === undefined || JSON.stringify(known) === JSON.stringify(found),
      `the schema '${id}' has two shapes; what is sent and what is answered need an id each`,
    )
    components[id] = found
  }

  return {
    read(schema, direction) {
      const known = read[direction].get(schema)
      if (known) return known
      const { $defs = {}, ...rest } = toJson(schema, direction)
      for (const [id, part] of Object.entries($defs as Record<string, unknown>)) keep(id, part)
      const found = resolve(rest) as JsonSchema
      read[direction].set(schema, found)
      return found
    },
    named: () => components,
  }
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
