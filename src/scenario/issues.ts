// Owns how what a schema refuses is told: which field, what is wrong with it, and the nearest word.
import { z } from 'zod'
import { strange } from './words.ts'

/** An issue of a schema in words; `key` is the field that should not be there, when that is what is wrong. */
export function explainIssue(
  schema: z.ZodType,
  value: unknown,
  issue: z.core.$ZodIssue,
): { message: string; key: string | null } {
  const field = issue.path.findLast((part) => typeof part === 'string')
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0] ?? ''
    const known = fieldsOf(schemaAt(schema, issue.path))
    const isTold = issue.message.startsWith("'")
    const of = field === undefined ? 'this' : `'${field}'`
    return {
      message: isTold || known.length === 0 ? issue.message : strange(key, `field of ${of}`, known),
      key,
    }
  }
  if (field === undefined || issue.message.startsWith("'") || issue.message.startsWith('{')) {
    return { message: issue.message, key: null }
  }
  const found = valueAt(value, issue.path)
  if (issue.code === 'invalid_value' && typeof found === 'string' && issue.message.startsWith('Invalid')) {
    return { message: strange(found, field, issue.values.map(String)), key: null }
  }
  const what = issue.code === 'invalid_type' ? wrongType(issue, found) : issue.message
  if (what.startsWith(`${field} `)) return { message: what, key: null }
  const isOwn = what === issue.message && !/^(?:is|must|needs) /.test(what)
  return { message: isOwn ? `${field}: ${what}` : `${field} ${what}`, key: null }
}

/** What is wrong with a value of another type. Own words of a schema stay. */
function wrongType({ expected, message }: z.core.$ZodIssueInvalidType, found: unknown): string {
  if (found === undefined) return 'is missing'
  if (!message.startsWith('Invalid input')) return message
  const isPlain = typeof found === 'number' || typeof found === 'boolean'
  const isNumber = expected === 'number' || expected === 'int'
  if (expected === 'string') {
    if (found === null) return 'needs a text'
    return isPlain ? 'must be a text; put it in quotes' : 'must be a text'
  }
  if (isNumber && typeof found === 'string') return 'must be a number; write it without quotes'
  const written = typeof found === 'object' && found !== null ? '' : `, not ${quoted(found)}`
  const what = isNumber ? 'a number' : (KINDS[expected] ?? `of type ${expected}`)
  return `must be ${what}${written}`
}

const KINDS: Readonly<Record<string, string>> = {
  object: 'a map of fields',
  record: 'a map of fields',
  array: 'a list',
  boolean: 'true or false',
}

function quoted(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value)
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let found: unknown = value
  for (const part of path) {
    found =
      typeof found === 'object' && found !== null ? (found as Record<PropertyKey, unknown>)[part] : undefined
  }
  return found
}

/** The schema of a part of what a schema describes; null where it cannot be told. */
function schemaAt(schema: z.ZodType, path: readonly PropertyKey[]): z.ZodType | null {
  let found: z.ZodType | null = schema
  for (const part of path) {
    found = partOf(unwrapped(found), part)
    if (!found) return null
  }
  return unwrapped(found)
}

function unwrapped(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable
    ? unwrapped(schema.unwrap() as z.ZodType)
    : schema
}

function partOf(schema: z.ZodType, part: PropertyKey): z.ZodType | null {
  if (schema instanceof z.ZodArray) return schema.element as z.ZodType
  if (schema instanceof z.ZodObject) return (schema.shape[String(part)] as z.ZodType | undefined) ?? null
  return null
}

function fieldsOf(schema: z.ZodType | null): string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
}
