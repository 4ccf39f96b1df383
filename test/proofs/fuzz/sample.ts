// Owns making values that fit a schema of a document, more or less, so that requests follow what the document says.
import { resolved } from './documents.ts'
import { hostileText, oneIn, pick } from './hostile.ts'
import type { JsonSchema } from '../../../src/contract/openapiSchemas.ts'
import type { Random } from '../../../src/kernel/random.ts'
import type { Operation } from './documents.ts'

type Definitions = Operation['definitions']

/** Levels that are filled; below them optional parts are left out. */
const MAX_DEPTH = 5

/** Texts by format. */
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  uuid: ['5e0b4a60-3c1c-4f3a-9d6f-0b8c3f1f2a11'],
  'date-time': ['2030-01-02T00:00:00.000Z', '2030-01-02T00:00:00Z'],
  date: ['2030-01-10', '2029-12-31'],
  email: ['ana@example.com'],
  uri: ['http://shop.test/hook'],
}

/** Texts that fit many patterns and rules of our schemas. */
const COMMON_TEXTS = [
  'abc',
  'Ana Souza',
  '12345678909',
  '10m',
  '2030-01-02',
  '5',
  'sale',
  'ana@example.com',
] as const

/** A value for a schema. */
export function sampleOf(schema: JsonSchema, definitions: Definitions, random: Random, depth = 0): unknown {
  const meant = resolved(schema, definitions)
  if ('const' in meant) return meant['const']
  const options = meant['enum'] ?? meant['anyOf'] ?? meant['oneOf']
  if (Array.isArray(options) && options.length > 0) {
    const chosen: unknown = pick(random, options)
    return 'enum' in meant ? chosen : sampleOf(chosen as JsonSchema, definitions, random, depth + 1)
  }
  const { type } = meant
  switch (Array.isArray(type) ? pick(random, type as string[]) : type) {
    case 'object':
      return objectOf(meant, definitions, random, depth)
    case 'array': {
      const count = depth > MAX_DEPTH ? 0 : random.below(3)
      const items = (meant['items'] ?? {}) as JsonSchema
      return Array.from({ length: count }, () => sampleOf(items, definitions, random, depth + 1))
    }
    case 'integer':
    case 'number':
      return numberOf(meant, random)
    case 'boolean':
      return oneIn(random, 2)
    case 'null':
      return null
    case 'string':
      return textOf(meant, random)
    default:
      return pick(random, [1, 'abc', true, null])
  }
}

function objectOf(schema: JsonSchema, definitions: Definitions, random: Random, depth: number): unknown {
  const fields = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>)
  const required = new Set((schema['required'] ?? []) as string[])
  const sent = fields.filter(([name]) => required.has(name) || (depth <= MAX_DEPTH && oneIn(random, 3)))
  return Object.fromEntries(
    sent.map(([name, field]) => [name, sampleOf(field, definitions, random, depth + 1)]),
  )
}

function numberOf({ minimum, maximum, default: usual }: JsonSchema, random: Random): number {
  const low = typeof minimum === 'number' ? minimum : 0
  const high = typeof maximum === 'number' ? maximum : low + 1_000
  const inside = low + random.below(Math.max(1, Math.min(high - low, 1_000)))
  return pick(random, [
    low,
    low - 1,
    inside,
    inside,
    high,
    high + 1,
    typeof usual === 'number' ? usual : inside,
  ])
}

function textOf({ format, maxLength }: JsonSchema, random: Random): string {
  const fitting = typeof format === 'string' ? FORMATS[format] : undefined
  if (fitting) return pick(random, fitting)
  if (typeof maxLength === 'number' && oneIn(random, 6)) {
    return 'x'.repeat(Math.min(maxLength, 5_000) + random.below(2))
  }
  return oneIn(random, 5) ? hostileText(random) : pick(random, COMMON_TEXTS)
}
