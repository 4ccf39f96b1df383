// Owns the endpoints that need no token: token creation and health.
import { z } from 'zod'
import { endpoint, textUpTo } from './endpoint.ts'
import { ENVIRONMENTS } from './enums.ts'
import { TOKEN_LIFETIME_SECONDS } from './limits.ts'

const createToken = endpoint({
  id: 'createToken',
  method: 'POST',
  path: '/v1/auth/token',
  tag: 'Authentication',
  summary: 'Exchanges a key pair for an access token',
  permission: null,
  body: z.object({
    publicKey: textUpTo(200).min(1),
    secretKey: textUpTo(200).min(1),
    grantType: z.string().optional().meta({ description: '`client_credentials`' }),
  }),
  data: z
    .strictObject({
      accessToken: z.string().meta({ description: 'JWT' }),
      tokenType: z.literal('Bearer'),
      expiresIn: z.literal(TOKEN_LIFETIME_SECONDS).meta({ description: 'seconds' }),
      environment: z.enum(ENVIRONMENTS),
    })
    .meta({ id: 'Token' }),
  errors: [
    'validation_error',
    'invalid_credentials',
    'ip_not_allowed',
    'rate_limit_exceeded',
    'auth_rate_limit_exceeded',
    'payload_too_large',
    'internal_error',
  ],
  silences: ['AU-01', 'AU-03'],
  authority: 'contract: POST /v1/auth/token',
})

const getHealth = endpoint({
  id: 'getHealth',
  method: 'GET',
  path: '/health',
  tag: 'Health',
  summary: 'Says that the gateway answers',
  permission: null,
  data: z.strictObject({ status: z.literal('ok') }).meta({ id: 'Health' }),
  errors: ['internal_error'],
  silences: ['ER-04'],
  authority: 'ER-04',
})

/** Endpoints without a token. */
export const AUTH_ENDPOINTS = [createToken, getHealth] as const
