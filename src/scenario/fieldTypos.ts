// Owns finding fields whose names are nearly those that an operation knows: in the bodies of calls and the conditions of rules.
import { z } from 'zod'
import { ENDPOINTS } from '../contract/endpoints.ts'
import { cashoutEvent, disputeEvent, transactionEvent } from '../contract/webhookPayloads.ts'
import { cashoutRecord, customerRecord, disputeRecord, transactionRecord } from '../domain/records.ts'
import { closest } from '../kernel/closest.ts'
import type { EndpointRow } from '../contract/endpoint.ts'
import type { RuleCondition } from '../world/ruleShapes.ts'
import type { Dangling } from './references.ts'

/** Objects in objects that a condition can look into. */
const MAX_DEPTH = 4

/** The row of an operation; undefined for a strange one. */
export function rowOf(operation: unknown): EndpointRow | undefined {
  return (ENDPOINTS as readonly EndpointRow[]).find(({ id }) => id === operation)
}

/**
 * Fields of a call's body, or query, that are nearly known ones. Others are let through: a gateway is also told strange things.
 * @param spared names that something in the file says, such as the choice of a field's name on the wire
 */
export function bodyTypos(row: EndpointRow, sent: unknown, spared: ReadonlySet<string>): Dangling[] {
  return typosIn(row.body ?? row.query, sent, spared, ['with'])
}

/** Fields of a condition that are nearly known ones. */
export function conditionTypos(
  { call, event, ...fields }: RuleCondition,
  spared: ReadonlySet<string>,
): Dangling[] {
  const row = rowOf(call)
  const known = [...(row ? [row.body, row.query, row.data] : EVENTS), ...RECORDS].flatMap((schema) =>
    schema === null ? [] : pathsOf(schema, '', 0),
  )
  return Object.keys(fields).flatMap((name) =>
    typo(name, known, spared, `field that ${call ?? event ?? 'this'} has`, ['when', name]),
  )
}

const RECORDS: readonly z.ZodType[] = [transactionRecord, cashoutRecord, disputeRecord, customerRecord]
const EVENTS: readonly z.ZodType[] = [transactionEvent, cashoutEvent, disputeEvent]

function typosIn(
  schema: z.ZodType,
  value: unknown,
  spared: ReadonlySet<string>,
  path: PropertyKey[],
): Dangling[] {
  const bare = unwrapped(schema)
  if (bare instanceof z.ZodArray && Array.isArray(value)) {
    return value.flatMap((each, index) => typosIn(bare.element as z.ZodType, each, spared, [...path, index]))
  }
  if (!(bare instanceof z.ZodObject) || typeof value !== 'object' || value === null) return []
  const fields = bare.shape as Record<string, z.ZodType>
  return Object.entries(value).flatMap(([key, each]) => {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined
    if (field) return typosIn(field, each, spared, [...path, key])
    return typo(key, Object.keys(fields), spared, `field of '${String(path.at(-1))}'`, [...path, key])
  })
}

function typo(
  name: string,
  known: readonly string[],
  spared: ReadonlySet<string>,
  what: string,
  path: PropertyKey[],
): Dangling[] {
  if (known.includes(name) || spared.has(name)) return []
  const near = closest(name, known)
  if (near === null) return []
  return [{ path, message: `'${name}' is no ${what}. Did you mean '${near}'?`, part: 'key' }]
}

/** The names of all fields, with dots between them. */
function pathsOf(schema: z.ZodType, prefix: string, depth: number): string[] {
  const bare = unwrapped(schema)
  if (bare instanceof z.ZodUnion) {
    return bare.options.flatMap((each) => pathsOf(each as z.ZodType, prefix, depth))
  }
  if (!(bare instanceof z.ZodObject) || depth >= MAX_DEPTH) return []
  return Object.entries(bare.shape as Record<string, z.ZodType>).flatMap(([name, field]) => [
    `${prefix}${name}`,
    ...pathsOf(field, `${prefix}${name}.`, depth + 1),
  ])
}

function unwrapped(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable
    ? unwrapped(schema.unwrap() as z.ZodType)
    : schema
}
