// Owns the handlers without a token: token creation and health.
import { TOKEN_LIFETIME_SECONDS } from '../contract/limits.ts'
import { countRefusedToken, countToken } from '../domain/rateLimits.ts'
import { refuse } from '../domain/refusal.ts'
import { recordOf } from '../domain/state.ts'
import { matchesDigest } from '../world/keys.ts'
import { refuseAddress } from './callers.ts'
import type { Handlers } from './handler.ts'

/** Handlers of the endpoints without a token. */
export const AUTH_HANDLERS: Handlers<'createToken' | 'getHealth'> = {
  /** Order of checks: body, credentials, address, limit. Source: ER-03. */
  async createToken({ world, body, address, tokens }) {
    const { publicKey, secretKey, grantType } = body
    const needed = world.choices.get('AU-01') === 'required'
    if (grantType === undefined ? needed : grantType !== 'client_credentials') {
      return refuse(
        'validation_error',
        `grantType must be 'client_credentials'; it is ${grantType === undefined ? 'missing' : `'${grantType}'`}.`,
        "Campo 'grantType': deve ser 'client_credentials'.",
      )
    }
    const known = recordOf(world.state.credentials, publicKey)
    if (!known) {
      return refuse(
        'invalid_credentials',
        'No credential has this publicKey; GET /_sandbox/credentials lists those of a world.',
      )
    }
    if (!matchesDigest(secretKey, known.secretDigest) || !known.active) {
      countRefusedToken(world, known)
      return refuse(
        'invalid_credentials',
        known.active
          ? 'The secretKey is not the one of this publicKey.'
          : 'The credential is switched off; PATCH /_sandbox/credentials/{publicKey} with active: true.',
      )
    }
    const notHere = refuseAddress(known, address)
    if (notHere) {
      countRefusedToken(world, known)
      return notHere
    }
    const tooMany = countToken(world, known)
    if (tooMany) return tooMany
    const accessToken = await tokens.sign(world, known, world.random.uuid())
    return {
      data: {
        accessToken,
        tokenType: 'Bearer',
        expiresIn: TOKEN_LIFETIME_SECONDS,
        environment: known.environment,
      },
    }
  },

  getHealth: () => ({ data: { status: 'ok' } }),
}
