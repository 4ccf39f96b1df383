// Owns reading what a caller sends: bytes to JSON, names and letter case to ours, and the refusal when it does not fit.
import { z } from 'zod'
import { closest } from '../kernel/closest.ts'
import { isRefusal, refuse } from '../domain/refusal.ts'
import type { GatewayErrorCode } from '../contract/errors.ts'
import type { Refusal } from '../domain/refusal.ts'

const PORTUGUESE = z.locales.ptBR().localeError
const ENGLISH = z.locales.en().localeError

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
  anyCase: boolean
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
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>
  }
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
  const named = toOurNames(schema, sent, options.names)
  const fields = withoutNulls(named)
  const parsed = schema.safeParse(options.anyCase ? toOurCase(schema, fields) : fields)
  if (!parsed.success) return refuseIssue(parsed.error.issues[0], options)
  return { value: parsed.data, hint: nearMisses(schema, sent, options.names) }
}

/** Whether a result of `fit` fits. */
export function fits<T>(result: Parsed<T> | Refusal): result is Parsed<T> {
  return !isRefusal(result)
}

function toOurNames(
  schema: z.ZodObject,
  sent: Record<string, unknown>,
  names: Record<string, string>,
): Record<string, unknown> {
  const renamed = Object.entries(names).filter(([ours, theirs]) => ours !== theirs && ours in schema.shape)
  if (renamed.length === 0) return sent
  const hidden = new Set(renamed.map(([ours]) => ours))
  const kept = Object.entries(sent).filter(([key]) => !hidden.has(key))
  const moved = renamed.flatMap(([ours, theirs]) =>
    Object.hasOwn(sent, theirs) ? [[ours, sent[theirs]]] : [],
  )
  return Object.fromEntries([...kept, ...moved]) as Record<string, unknown>
}

/** null is absent, at every depth of objects and lists of objects. */
function withoutNulls(fields: Record<string, unknown>): Record<string, unknown> {
  const present = Object.entries(fields).filter(([, value]) => value !== null)
  return Object.fromEntries(present.map(([key, value]) => [key, deepWithoutNulls(value)]))
}

function deepWithoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(deepWithoutNulls)
  return typeof value === 'object' && value !== null ? withoutNulls(value as Record<string, unknown>) : value
}

/** Listed values in the case of the schema, at the top and in lists of objects. */
function toOurCase(schema: z.ZodObject, fields: Record<string, unknown>): Record<string, unknown> {
  const cased = { ...fields }
  for (const [key, value] of Object.entries(fields)) {
    if (Object.hasOwn(schema.shape, key)) cased[key] = valueInOurCase(schema.shape[key] as z.ZodType, value)
  }
  return cased
}

function valueInOurCase(schema: z.ZodType, value: unknown): unknown {
  const bare = unwrap(schema)
  if (bare instanceof z.ZodEnum && typeof value === 'string') {
    return bare.options.find((option) => String(option).toLowerCase() === value.toLowerCase()) ?? value
  }
  if (bare instanceof z.ZodUnion) {
    return (
      bare.options
        .map((option) => valueInOurCase(option as z.ZodType, value))
        .find((cased) => cased !== value) ?? value
    )
  }
  const item = bare instanceof z.ZodArray ? unwrap(bare.element as z.ZodType) : null
  if (item instanceof z.ZodObject && Array.isArray(value)) {
    return value.map((entry: unknown) =>
      typeof entry === 'object' && entry !== null ? toOurCase(item, entry as Record<string, unknown>) : entry,
    )
  }
  return value
}

function unwrap(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault
    ? unwrap(schema.unwrap() as z.ZodType)
    : schema
}

function refuseIssue(issue: z.core.$ZodIssue | undefined, { names, tooLong }: InputOptions): Refusal {
  if (!issue) return refuse('validation_error', 'The request does not fit.')
  const [first = '', ...rest] = issue.path.map(String)
  const field = [names[first] ?? first, ...rest].join('.')
  const missing = issue.code === 'invalid_type' && issue.input === undefined
  const portuguese = missing ? 'campo obrigatório' : textOf(PORTUGUESE, issue)
  const english = missing ? 'it is required' : textOf(ENGLISH, issue)
  return refuse(
    codeOf(issue, field, tooLong),
    `Field '${field}': ${english}`,
    `Campo '${field}': ${portuguese}.`,
  )
}

function textOf(locale: typeof ENGLISH, issue: z.core.$ZodIssue): string {
  const text = locale(issue as z.core.$ZodRawIssue)
  return (typeof text === 'string' ? text : (text?.message ?? issue.message)).replace(/\.$/, '')
}

function codeOf(issue: z.core.$ZodIssue, field: string, tooLong: () => GatewayErrorCode): GatewayErrorCode {
  const sized = issue.code === 'too_small' || issue.code === 'too_big'
  if (sized && field === 'amount') return 'invalid_amount'
  return issue.code === 'too_big' && issue.origin === 'string' ? tooLong() : 'validation_error'
}

/** Names fields that are unknown and look like known ones that are absent. */
function nearMisses(
  schema: z.ZodObject,
  sent: Record<string, unknown>,
  names: Record<string, string>,
): string | null {
  const known = Object.keys(schema.shape).map((ours) => names[ours] ?? ours)
  const absent = known.filter((name) => !Object.hasOwn(sent, name))
  const misses = Object.keys(sent)
    .filter((name) => !known.includes(name))
    .flatMap((name) => {
      const near = closest(name, absent)
      return near === null ? [] : [`Field '${name}' is unknown and was ignored; did you mean '${near}'?`]
    })
  return misses.length === 0 ? null : misses.slice(0, 3).join(' ')
}
