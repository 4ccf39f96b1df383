// Owns the silences about tokens, credentials and permissions.
import { z } from 'zod'
import { TOKENS_PER_HOUR } from '../limits.ts'
import { fixed, knob } from './row.ts'

const section = 'Authentication'

/** AU: tokens, credentials, permissions. */
export const AUTHENTICATION_SILENCES = {
  'AU-01': knob({
    topic: 'whether `grantType` is required',
    section,
    value: z.enum(['optional', 'required']),
    choice: 'optional',
    alternatives: '`required`; when present it must be `client_credentials` either way',
    authority: 'published',
  }),
  'AU-02': knob({
    topic: 'code of the 429 on token creation',
    section: 'Errors',
    value: z.enum(['rate_limit_exceeded', 'auth_rate_limit_exceeded']),
    choice: 'rate_limit_exceeded',
    alternatives: '`auth_rate_limit_exceeded`',
    authority: 'the contract names both',
  }),
  'AU-03': fixed({
    topic: 'what `Retry-After` says',
    section,
    choice: 'whole seconds until the next token is allowed',
    authority: 'published',
  }),
  'AU-04': knob({
    topic: 'what counts towards the tokens of an hour, per credential pair, on the clock of the world',
    section,
    value: z.enum(['issuedSlidingHour', 'attemptsSlidingHour', 'issuedFixedHour']),
    choice: 'issuedSlidingHour',
    alternatives: '`attemptsSlidingHour` (refused ones too); `issuedFixedHour` (from the first token on)',
    authority: 'ours',
  }),
  'AU-05': knob({
    topic: 'status of `validation_error`, `invalid_amount` and `invalid_status`',
    section: 'Errors',
    value: z.literal([400, 422]),
    choice: 400,
    alternatives: '`422`',
    authority: 'published',
  }),
  'AU-06': knob({
    topic: 'status of `sandbox_only`',
    section: 'Errors',
    value: z.literal([401, 403, 400]),
    choice: 401,
    alternatives: '`403`, `400`',
    authority: 'published',
  }),
  'AU-07': fixed({
    topic: 'answer to a missing permission',
    section,
    choice: '403 `forbidden`',
    authority: 'ours',
  }),
  'AU-08': knob({
    topic: 'where the allowed addresses of a credential are checked; the code is 403 `ip_not_allowed`',
    section,
    value: z.enum(['everyCall', 'tokenOnly']),
    choice: 'everyCall',
    alternatives: '`tokenOnly`',
    authority: 'ours',
  }),
  'AU-09': knob({
    topic:
      'form of the token: a JWT with `sub`, `iat`, `exp`, `jti`, environment and world, verified on the clock of the world',
    section,
    value: z.enum(['HS256', 'RS256']),
    choice: 'HS256',
    alternatives: '`RS256`, with the public keys at `/.well-known/jwks.json`',
    authority: 'published',
  }),
  'AU-10': fixed({
    topic: 'names of the permissions',
    section,
    choice:
      '`balance.read`, `transactions.read/write`, `customers.read/write/edit`, `cashouts.read/write/allowAnyPixKey`, `disputes.read/write`',
    authority: 'published; `disputes.read` ours',
  }),
  'AU-11': knob({
    topic: 'a credential is switched off while its token lives',
    section,
    value: z.enum(['refused', 'tokenLivesOn']),
    choice: 'refused',
    alternatives: '`tokenLivesOn`; refused is 401 `unauthorized`',
    authority: 'ours',
  }),
  'AU-12': knob({
    topic: 'key pair sent as `X-Api-Key` and `X-Api-Secret` instead of a token',
    section,
    value: z.enum(['off', 'on']),
    choice: 'off',
    alternatives: '`on`',
    authority: 'published',
  }),
  'AU-13': knob({
    topic: 'how many tokens an hour, also on a frozen clock or in a big suite',
    section: 'Limits',
    value: z.union([z.literal('off'), z.int().min(1).max(1_000_000)]),
    choice: TOKENS_PER_HOUR,
    alternatives: '`off`, or any number',
    authority: 'ours',
  }),
}
