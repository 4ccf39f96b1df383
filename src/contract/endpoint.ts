// Owns the shape of an endpoint row, and the schemas that every endpoint shares.
import { z } from 'zod'
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from './limits.ts'
import type { Permission } from './enums.ts'
import type { GatewayErrorCode } from './errors.ts'
import type { SilenceId } from './silences.ts'

/** One endpoint: everything that router, types, reference and tests need to know of it. */
export interface EndpointRow {
  /** Operation id. */
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  /** Path with `{name}` parameters. */
  path: string
  tag: string
  summary: string
  /** What the credential must be allowed; null for the endpoints that need no token. */
  permission: Permission | null
  /** Whether Production credentials are refused with `sandbox_only`. */
  sandboxOnly: boolean
  /** The kind of record that the path names; it is looked up before the body is read. */
  record: 'transaction' | 'customer' | 'cashout' | 'dispute' | null
  params: z.ZodObject
  query: z.ZodObject
  /** Null when no body is read. */
  body: z.ZodObject | null
  /** How the body is sent. */
  bodyType: 'json' | 'multipart'
  data: z.ZodType
  /** HTTP status of a success. */
  success: 200 | 201 | { choice: 'TX-02' }
  /** The codes that the handler itself answers. Those of every endpoint are in `COMMON_ERRORS`. */
  errors: readonly GatewayErrorCode[]
  /** Silences that the row itself rests on. */
  silences: readonly SilenceId[]
  authority: string
  /** Status of `validation_error`, where the contract states one that AU-05 cannot change. */
  invalidStatus: 400 | null
}

/** Codes that any endpoint with a token can answer before its handler runs. */
export const COMMON_ERRORS = [
  'unauthorized',
  'ip_not_allowed',
  'forbidden',
  'rate_limit_exceeded',
  'internal_error',
] as const satisfies readonly GatewayErrorCode[]

/** No parameters, or no query. */
export const NOTHING = z.object({})

type Defaults = {
  sandboxOnly: false
  record: null
  params: typeof NOTHING
  query: typeof NOTHING
  body: null
  bodyType: 'json'
  success: 200
  silences: readonly []
  invalidStatus: null
}

/** Declares an endpoint; what is left out is what most endpoints have. */
export function endpoint<const E extends Partial<EndpointRow> & Omit<EndpointRow, keyof Defaults>>(
  row: E,
): Omit<Defaults, keyof E> & E {
  const defaults: Defaults = {
    sandboxOnly: false,
    record: null,
    params: NOTHING,
    query: NOTHING,
    body: null,
    bodyType: 'json',
    success: 200,
    silences: [],
    invalidStatus: null,
  }
  return { ...defaults, ...row }
}

/** Any UUID. */
export const uuid = z.uuid()
/** ISO 8601 date-time in UTC. */
export const dateTime = z.iso.datetime()
/** A text of at most `max` UTF-16 units, however many characters that makes. */
export function textUpTo(max: number): z.ZodString {
  return z
    .string()
    .max(max)
    .check(({ value, issues }) => {
      if (value.length <= max) return
      issues.push({ code: 'too_big', origin: 'string', maximum: max, inclusive: true, input: value })
    })
}

/** Whole cents, as answered. */
export const centsOut = z.int()

/** The path parameter of one record. An id that is no UUID is not found, so it is read as text. */
export function idParam<const Name extends string>(name: Name): z.ZodObject<Record<Name, z.ZodString>> {
  return z.object({ [name]: z.string().meta({ format: 'uuid' }) }) as z.ZodObject<Record<Name, z.ZodString>>
}

/** Paging of a list. */
export const paging = {
  page: z.coerce.number().pipe(z.int().min(1)).default(1),
  pageSize: z.coerce.number().pipe(z.int().min(1).max(MAX_PAGE_SIZE)).default(DEFAULT_PAGE_SIZE),
}

/** A filter by date: a date or a date-time, as ISO 8601. */
export const dateFilter = z.string().max(40).meta({ description: 'ISO 8601 date or date-time' })

/** One page of records. Source: contract: Paginated list. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.strictObject({
    items: z.array(item),
    page: z.int(),
    pageSize: z.int(),
    totalItems: z.int(),
    totalPages: z.int(),
    hasNextPage: z.boolean(),
    hasPreviousPage: z.boolean(),
  })
}

/** The envelope of a success. Source: contract: Envelope. */
export function envelopeOf<Data extends z.ZodType>(data: Data) {
  return z.strictObject({ data, message: z.string().nullable(), error: z.null() })
}

/** The envelope of a failure. Source: contract: Errors. */
export const failureEnvelope = z.strictObject({
  data: z.null(),
  message: z.null(),
  error: z.strictObject({ message: z.string(), code: z.string() }),
})
