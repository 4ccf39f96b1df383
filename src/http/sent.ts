// Owns reading what a call sent: its body in the form that its endpoint takes, and its query.
import { MAX_BODY_BYTES } from '../contract/limits.ts'
import { isRefusal, refuse } from '../domain/refusal.ts'
import { readBody } from './body.ts'
import { fit, parseJsonObject } from './input.ts'
import { readPaging } from './lists.ts'
import { MAX_MULTIPART_BYTES, parseMultipart } from './upload.ts'
import type { Context } from 'hono'
import type { EndpointRow } from '../contract/endpoint.ts'
import type { Refusal } from '../domain/refusal.ts'
import type { RunningWorld } from '../world/runningWorld.ts'
import type { InputOptions } from './input.ts'
import type { Upload } from './upload.ts'

/** What was sent as a body, as far as reading it goes. */
export interface Sent {
  fields: Record<string, unknown> | Refusal
  upload: Upload | null
}

/** Nothing was sent, or nothing of it was read. */
export const NO_BODY: Sent = { fields: {}, upload: null }

/** Reads the body of a call, in the form that its endpoint takes. */
export async function readSent(c: Context, { body, bodyType }: EndpointRow): Promise<Sent> {
  if (body === null) return NO_BODY
  const limit = bodyType === 'json' ? MAX_BODY_BYTES : MAX_MULTIPART_BYTES
  const bytes = await readBody(c.req.raw, limit)
  if (bytes === 'tooLarge') {
    return { ...NO_BODY, fields: refuse('payload_too_large', `A body has at most ${limit} bytes.`) }
  }
  if (bytes === 'brokenOff') {
    return { ...NO_BODY, fields: refuse('validation_error', 'The body ended before its announced end.') }
  }
  if (bodyType === 'json') return { ...NO_BODY, fields: parseJsonObject(bytes) }
  const parts = await parseMultipart(bytes, c.req.header('content-type'))
  return isRefusal(parts) ? { ...NO_BODY, fields: parts } : parts
}

/** The fields of a body as its endpoint takes them. */
export function readFields(row: EndpointRow, { fields }: Sent, options: InputOptions) {
  if (isRefusal(fields)) return fields
  return row.body === null ? { value: null, hint: null } : fit(row.body, fields, options)
}

/** How a world reads what is sent to an endpoint. */
export function inputOptions(world: RunningWorld, row: EndpointRow): InputOptions {
  const declared = row.errors.includes('field_too_long')
  return {
    names: row.id === 'createTransaction' ? world.choices.get('TX-01') : {},
    anyCase: () => world.choices.get('TX-05') === 'any',
    tooLong: () =>
      declared && world.choices.get('TX-06') === 'specific' ? 'field_too_long' : 'validation_error',
  }
}

/** The query, without empty parameters; page and page size clamped where a world does so. */
export function queryOf(c: Context, world: RunningWorld, row: EndpointRow): Record<string, string> {
  const sent = Object.fromEntries(Object.entries(c.req.query()).filter(([, value]) => value !== ''))
  return 'page' in row.query.shape ? readPaging(world, sent) : sent
}
