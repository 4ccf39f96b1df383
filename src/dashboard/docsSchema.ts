// Owns reading the schemas of an OpenAPI document for people: their fields with rules, and a value that fits.
import type { JsonSchema } from '../contract/openapiSchemas.ts'

/** Schemas of a document by name. */
export type Schemas = Readonly<Record<string, JsonSchema>>

/** One field of a body, or of an object inside it. */
export interface SchemaField {
  /** Such as `balance.total` or `splits[].value`. */
  path: string
  type: string
  required: boolean
  nullable: boolean
  /** Limits and choices, as short texts. */
  rules: string[]
  /** Markdown; empty for none. */
  description: string
}

/** Levels of objects inside one another that are shown. */
const MAX_DEPTH = 6

/** A schema with its reference followed and its null taken out. */
function open(schema: JsonSchema, schemas: Schemas): { schema: JsonSchema; nullable: boolean } {
  const reference = schema['$ref']
  if (typeof reference === 'string') {
    const name = reference.split('/').at(-1) ?? ''
    return open(schemas[name] ?? {}, schemas)
  }
  const options = optionsOf(schema)
  const others = options.filter(({ type }) => type !== 'null')
  const [only] = others
  if (!only || options.length === others.length || others.length > 1) return { schema, nullable: false }
  const inner = open(only, schemas).schema
  const { description } = schema
  return { schema: description === undefined ? inner : { ...inner, description }, nullable: true }
}

function optionsOf({ anyOf, oneOf }: JsonSchema): JsonSchema[] {
  const options = anyOf ?? oneOf
  return Array.isArray(options) ? (options as JsonSchema[]) : []
}

function propertiesOf({ properties }: JsonSchema): [string, JsonSchema][] {
  return Object.entries((properties ?? {}) as Record<string, JsonSchema>)
}

/** The fields of an object, those of objects inside it after their own. Nothing for any other schema. */
export function fieldsOf(schema: JsonSchema, schemas: Schemas, prefix = '', depth = 0): SchemaField[] {
  const { schema: object } = open(schema, schemas)
  const required = Array.isArray(object['required']) ? (object['required'] as unknown[]) : []
  return propertiesOf(object).flatMap(([name, property]) => {
    const path = prefix + name
    const { schema: inner, nullable } = open(property, schemas)
    const { items } = inner
    const below = items === undefined ? inner : (items as JsonSchema)
    const deeper = items === undefined ? `${path}.` : `${path}[].`
    const described = property['description'] ?? inner['description']
    const field: SchemaField = {
      path,
      type: typeOf(inner, schemas),
      required: required.includes(name),
      nullable,
      rules: rulesOf(inner),
      description: typeof described === 'string' ? described : '',
    }
    return [field, ...(depth < MAX_DEPTH ? fieldsOf(below, schemas, deeper, depth + 1) : [])]
  })
}

/** What kind of value a schema takes, such as `string (uuid)` or `object[]`. */
export function typeOf(schema: JsonSchema, schemas: Schemas): string {
  const { schema: inner } = open(schema, schemas)
  const { type, format, items, const: only, enum: choices } = inner
  const options = optionsOf(inner).map((option) => typeOf(option, schemas))
  if (options.length > 0) return [...new Set(options)].join(' | ')
  if (items !== undefined) return `${typeOf(items as JsonSchema, schemas)}[]`
  if (typeof type === 'string') return typeof format === 'string' ? `${type} (${format})` : type
  const value: unknown = only ?? (Array.isArray(choices) ? (choices as unknown[])[0] : undefined)
  return value === undefined ? 'any' : typeof value
}

/** Keywords of a lower and an upper limit, with what they limit. */
const RANGES = [
  ['minimum', 'maximum', ''],
  ['minLength', 'maxLength', 'length '],
  ['minItems', 'maxItems', 'items '],
] as const

function rangeOf(least: unknown, most: unknown): string | null {
  if (typeof least === 'number' && typeof most === 'number') return `${least}…${most}`
  if (typeof least === 'number') return `≥ ${least}`
  return typeof most === 'number' ? `≤ ${most}` : null
}

/** Limits and choices of a schema. */
export function rulesOf(schema: JsonSchema): string[] {
  const limits = RANGES.flatMap(([least, most, what]) => {
    const range = rangeOf(schema[least], schema[most])
    return range === null ? [] : [what + range]
  })
  const { pattern, default: usual } = schema
  if (typeof pattern === 'string') limits.push(pattern)
  if (typeof usual === 'string' || typeof usual === 'number') limits.push(`default ${usual}`)
  const parts = [schema, ...optionsOf(schema)]
  const choices = parts.flatMap(({ enum: values, const: only }): unknown[] => {
    if (Array.isArray(values)) return values
    return only === undefined ? [] : [only]
  })
  return choices.length === 0 ? limits : [...limits, choices.map(String).join(', ')]
}

const FORMATS: Readonly<Record<string, string>> = {
  uuid: '3f2b8c1e-6f0a-4c58-9d3e-5a1b7c2d4e6f',
  'date-time': '2030-01-01T12:00:00.000Z',
  date: '2030-01-10',
  uri: 'https://shop.example/hooks',
  email: 'ana.souza@example.com',
}
const NAMES: Readonly<Record<string, string | number>> = {
  amount: 12_990,
  fee: 130,
  netAmount: 12_860,
  name: 'Ana Souza',
  description: 'Pedido 1042',
  externalId: 'order-1042',
  document: '52998224725',
  phone: '5511987654321',
  message: 'Transação não encontrada.',
  lastFour: '1111',
  last4: '1111',
  brand: 'Visa',
  fileName: 'comprovante.pdf',
  contentType: 'application/pdf',
  pixKey: '***.982.247-**',
  page: 1,
  pageSize: 20,
  totalItems: 1,
  totalPages: 1,
}

/** A value that fits a schema. With `onlyRequired`, fields that may be left out are. */
export function sampleOf(
  schema: JsonSchema,
  schemas: Schemas,
  onlyRequired = false,
  name = '',
  depth = 0,
): unknown {
  const { schema: inner } = open(schema, schemas)
  const { const: only, enum: choices, items, type, format } = inner
  if (only !== undefined) return only
  if (Array.isArray(choices)) return choices[0] as unknown
  const [option] = optionsOf(inner)
  if (option) return sampleOf(option, schemas, onlyRequired, name, depth)
  if (depth > MAX_DEPTH) return null
  if (items !== undefined) return [sampleOf(items as JsonSchema, schemas, onlyRequired, name, depth + 1)]
  const known = NAMES[name]
  switch (type) {
    case 'object':
      return sampleObject(inner, schemas, onlyRequired, depth)
    case 'integer':
    case 'number':
      return typeof known === 'number' ? known : numberFor(inner)
    case 'boolean':
      return false
    case 'string':
      return FORMATS[String(format)] ?? (typeof known === 'string' ? known : 'text')
    default:
      return null
  }
}

function sampleObject(schema: JsonSchema, schemas: Schemas, onlyRequired: boolean, depth: number): unknown {
  const required = Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : []
  return Object.fromEntries(
    propertiesOf(schema)
      .filter(([field]) => !onlyRequired || required.includes(field))
      .map(([field, property]) => [field, sampleOf(property, schemas, onlyRequired, field, depth + 1)]),
  )
}

function numberFor({ minimum, exclusiveMinimum }: JsonSchema): number {
  if (typeof minimum === 'number') return minimum
  return typeof exclusiveMinimum === 'number' ? exclusiveMinimum + 1 : 0
}
