// Owns reading what a caller sends: bytes to JSON, names and letter case to ours, and the refusal when it does not fit.
import { z } from 'zod'
import { closest } from '../kernel/closest.ts'
import { lazy } from '../kernel/lazy.ts'
import { isRefusal, refuse } from '../domain/refusal.ts'
import type { GatewayErrorCode } from '../contract/errors.ts'
import type { Refusal } from '../domain/refusal.ts'

const inPortuguese = lazy(() => z.locales.ptBR().localeError)
const inEnglish = lazy(() => z.locales.en().localeError)

/** What a caller sent, as far as it fits. */
export interface Parsed<T> {
  value: T
  /** A hint about fields that were ignored and look like known ones; null when there are none. */
  hint: string | null
}

/** How requests are read in a world. */
export interface InputOptions {
  /** Our names to the caller's, where they differ (TX-01). */
  names: Record<string, string>
  /** Whether listed values may come in any letter case (TX-05). */
  anyCase: () => boolean
  /** Code for a text that is too long (TX-06). */
  tooLong: () => GatewayErrorCode
}

/** Reads a body of JSON text; a refusal when it is no JSON object. */
export function parseJsonObject(bytes: Uint8Array): Record<string, unknown> | Refusal<'validation_error'> {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    const message = 'O corpo da requisição não é um JSON válido.'
    return { ...refuse('validation_error', `The body is no JSON${whereOf(error)}.`, message), status: 400 }
  }
  if (isRecord(value)) return value
  return refuse(
    'validation_error',
    'The body must be a JSON object.',
    'O corpo da requisição deve ser um objeto JSON.',
  )
}

/** Where JSON text goes wrong. The parser's own words quote the text, which may hold a secret, so they are not passed on. */
function whereOf(error: unknown): string {
  if (!(error instanceof SyntaxError)) return ': it is not UTF-8'
  if (error.message.startsWith('Unexpected end')) return ': it is empty or ends too early'
  const position = /position (\d+)/.exec(error.message)?.[1]
  return position === undefined ? '' : `: it goes wrong at character ${position}`
}

/** Fits fields to a schema; a refusal names the first field that does not fit. */
export function fit<S extends z.ZodObject>(
  schema: S,
  sent: Record<string, unknown>,
  options: InputOptions,
): Parsed<z.output<S>> | Refusal {
  const fields = knownFields(schema, sent, options)
  const parsed = schema.safeParse(fields)
  const hint = nearMisses(schema, sent, options.names)
  if (parsed.success) return { value: parsed.data, hint }
  const refusal = refuseIssue(parsed.error.issues[0], fields, options)
  return hint === null ? refusal : { ...refusal, hint: `${refusal.hint}. ${hint}` }
}

/** Whether a result of `fit` fits. */
export function fits<T>(result: Parsed<T> | Refusal): result is Parsed<T> {
  return !isRefusal(result)
}

/** The fields that a schema knows, under our names and in our letter case. null is absent. */
function knownFields(
  schema: z.ZodObject,
  sent: Record<string, unknown>,
  { names, anyCase }: InputOptions,
): Record<string, unknown> {
  const known = Object.entries(schema.shape).flatMap(([ours, field]) => {
    const theirs = names[ours] ?? ours
    const value = Object.hasOwn(sent, theirs) ? sent[theirs] : null
    return value === null ? [] : [[ours, readValue(field as z.ZodType, value, anyCase)] as const]
  })
  return Object.fromEntries(known)
}

/** A value in the letter case of its schema; the objects of a list are read field by field. */
function readValue(schema: z.ZodType, value: unknown, anyCase: () => boolean): unknown {
  const bare = unwrap(schema)
  const item = bare instanceof z.ZodArray ? unwrap(bare.element as z.ZodType) : null
  if (item instanceof z.ZodObject && Array.isArray(value)) {
    return value.map((entry: unknown) =>
      isRecord(entry) ? knownFields(item, entry, { names: {}, anyCase, tooLong: unused }) : entry,
    )
  }
  return typeof value === 'string' && isListed(bare) && anyCase() ? inOurCase(bare, value) : value
}

/** Whether a schema lists its values, or one of its forms does. */
function isListed(schema: z.ZodType): boolean {
  if (schema instanceof z.ZodUnion) return schema.options.some((option) => isListed(option as z.ZodType))
  return schema instanceof z.ZodEnum
}

/** Lists of objects have neither names of their own nor texts that are too long. */
function unused(): GatewayErrorCode {
  return 'validation_error'
}

/** A listed value in the letter case of the list. */
function inOurCase(schema: z.ZodType, value: string): string {
  if (schema instanceof z.ZodEnum) {
    const same = schema.options.find((option) => String(option).toLowerCase() === value.toLowerCase())
    return same === undefined ? value : String(same)
  }
  if (!(schema instanceof z.ZodUnion)) return value
  const cased = schema.options.map((option) => inOurCase(option as z.ZodType, value))
  return cased.find((each) => each !== value) ?? value
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A schema without what makes it optional. */
export function unwrap(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault
    ? unwrap(schema.unwrap() as z.ZodType)
    : schema
}

function refuseIssue(
  issue: z.core.$ZodIssue | undefined,
  fields: Record<string, unknown>,
  { names, tooLong }: InputOptions,
): Refusal {
  if (!issue) return refuse('validation_error', 'The request does not fit.')
  const [first = '', ...rest] = issue.path.map(String)
  const field = [names[first] ?? first, ...rest].join('.')
  const input = valueAt(fields, issue.path)
  const isMissing = input === undefined
  const portuguese = isMissing ? 'campo obrigatório' : textOf(inPortuguese(), issue, input)
  const english = isMissing ? 'it is required' : textOf(inEnglish(), issue, input)
  return refuse(
    codeOf(issue, first, tooLong),
    `Field '${field}': ${english}`,
    `Campo '${field}': ${portuguese}.`,
  )
}

function valueAt(fields: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined,
    fields,
  )
}

function textOf(locale: ReturnType<typeof inEnglish>, issue: z.core.$ZodIssue, input: unknown): string {
  const text = locale({ ...issue, input } as z.core.$ZodRawIssue)
  return (typeof text === 'string' ? text : (text?.message ?? issue.message)).replace(/\.$/, '')
}

function codeOf(issue: z.core.$ZodIssue, field: string, tooLong: () => GatewayErrorCode): GatewayErrorCode {
  const sized = issue.code === 'too_small' || issue.code === 'too_big'
  if (sized && field === 'amount') return 'invalid_amount'
  return issue.code === 'too_big' && issue.origin === 'string' ? tooLong() : 'validation_error'
}

/** Fields of a request that are looked at for misspelling, and misspelt ones that are told. */
const MAX_LOOKED_AT = 100
const MAX_TOLD = 3

/** Names fields that are unknown and look like known ones that are absent. */
function nearMisses(
  schema: z.ZodObject,
  sent: Record<string, unknown>,
  names: Record<string, string>,
): string | null {
  const known = Object.keys(schema.shape).map((ours) => names[ours] ?? ours)
  const absent = known.filter((name) => !Object.hasOwn(sent, name))
  const isKnown = new Set(known)
  const misses: string[] = []
  for (const name of Object.keys(sent).slice(0, MAX_LOOKED_AT)) {
    const near = isKnown.has(name) ? null : nearestName(name, absent)
    if (near !== null) misses.push(`Field '${name}' is unknown and was ignored; did you mean '${near}'?`)
    if (misses.length === MAX_TOLD) break
  }
  return misses.length === 0 ? null : misses.join(' ')
}

/** A name as letters and digits only, so that `grant_type` is `grantType`. */
function plain(name: string): string {
  return name.replace(/[^a-z0-9]/gi, '').toLowerCase()
}

/** The known name that a misspelt one means; null when none is near. */
export function nearestName(name: string, known: readonly string[]): string | null {
  return known.find((each) => plain(each) === plain(name)) ?? closest(name, known)
}
