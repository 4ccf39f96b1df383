// Owns the silences about webhooks, lists, errors, limits and versions.
import { z } from 'zod'
import { fixed, knob } from './row.ts'

/** WH: webhooks. */
export const WEBHOOK_SILENCES = {
  'WH-01': knob({
    topic:
      'signature: HMAC-SHA256 over the exact bytes of the body, keyed with the id of the transaction or cashout',
    section: 'Signature',
    value: z.enum(['prefixedHex', 'hex', 'base64']),
    choice: 'prefixedHex',
    alternatives: '`hex`; `base64`; prefixed is `sha256=` and lower-case hex',
    authority: 'published',
  }),
  'WH-02': knob({
    topic: 'prefix of the header names',
    section: 'Headers sent with each delivery',
    value: z
      .string()
      .regex(/^[A-Za-z](?:[A-Za-z0-9-]{0,38}-)?$/, 'letters, digits and hyphens, ending in a hyphen'),
    choice: 'X-Service-',
    alternatives: 'any prefix',
    authority: 'the contract has a neutral word',
  }),
  'WH-03': knob({
    topic: 'seconds of host time after which an attempt without a 2xx fails; redirects are not followed',
    section: 'Delivery and retries',
    value: z.number().min(0.05).max(600),
    choice: 10,
    alternatives: '`0.05` to `600`',
    authority: 'ours',
  }),
  'WH-04': knob({
    topic: 'what the waits of 2 and 4 seconds count from, on the clock of the world',
    section: 'Delivery and retries',
    value: z.enum(['endOfAttempt', 'firstAttempt']),
    choice: 'endOfAttempt',
    alternatives: '`firstAttempt`: 2 and 4 seconds after attempt 1 began',
    authority: 'published',
  }),
  'WH-05': knob({
    topic: '`data` of payment events',
    section: 'Payload shape',
    value: z.enum(['full', 'minimum']),
    choice: 'full',
    alternatives: '`minimum`: `id`, `status`, `amount`, `netAmount`',
    authority: 'published',
  }),
  'WH-06': knob({
    topic: '`data` of cashout events',
    section: 'Payload shape',
    value: z.enum(['full', 'minimum']),
    choice: 'full',
    alternatives: '`minimum`: the four stated fields',
    authority: 'published',
  }),
  'WH-07': fixed({
    topic: 'a record without a `callbackUrl`',
    section: 'Events',
    choice: 'no delivery',
    authority: 'stated',
  }),
}

/** LI, ER, LM and VE: lists, errors, limits, versions. */
export const WIRE_SILENCES = {
  'LI-01': knob({
    topic: '`page` from 1, `pageSize` 20 unless named, 1 to 100; what happens outside',
    section: 'Limits',
    value: z.enum(['refused', 'clamped']),
    choice: 'refused',
    alternatives: '`clamped` to the nearest; refused is `validation_error`',
    authority: 'published; the refusal ours',
  }),
  'LI-02': fixed({
    topic: 'order of lists',
    section: 'Paginated list',
    choice: 'newest first; of those made at the same instant the one made last comes first',
    authority: 'ours',
  }),
  'LI-03': fixed({
    topic: 'date filters',
    section: 'GET /v1/cashouts',
    choice: 'on `createdAt`, both ends included; a bare date means its whole day in UTC',
    authority: 'ours',
  }),
  'LI-04': knob({
    topic: 'a page past the end',
    section: 'Paginated list',
    value: z.enum(['empty', 'notFound']),
    choice: 'empty',
    alternatives: '`notFound`',
    authority: 'ours',
  }),
  'ER-01': fixed({
    topic: 'statuses of `not_found`, `conflict`, `internal_error`, `unauthorized`',
    section: 'Errors',
    choice: '404, 409, 500, 401',
    authority: 'published',
  }),
  'ER-02': fixed({
    topic: 'unknown path, wrong method, malformed JSON, body over 1 MiB',
    section: 'Errors',
    choice: '404 `not_found`, 405 `method_not_allowed`, 400 `validation_error`, 413 `payload_too_large`',
    authority: 'ours',
  }),
  'ER-03': fixed({
    topic: 'order of checks',
    section: 'Errors',
    choice: 'path and method, token, address, environment, permission, id, body, state',
    authority: 'ours',
  }),
  'ER-04': fixed({
    topic: 'health',
    section: 'Endpoints',
    choice: '`GET /health` answers 200 without a token',
    authority: 'published',
  }),
  'LM-01': knob({
    topic: 'calls a minute to the other endpoints, per credential',
    section: 'Limits',
    value: z.union([z.literal('none'), z.int().min(1).max(1_000_000)]),
    choice: 'none',
    alternatives: 'any number; above it 429 `rate_limit_exceeded`',
    authority: 'ours',
  }),
  'VE-01': fixed({ topic: 'versions', section: 'Versioning', choice: '`/v1` only', authority: 'stated' }),
}
