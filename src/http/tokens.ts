// Owns access tokens: JWTs signed for one world and verified on its clock.
import { decodeJwt, errors, exportJWK, jwtVerify, SignJWT } from 'jose'
import { TOKEN_LIFETIME_SECONDS } from '../contract/limits.ts'
import { strongRsaPair } from '../kernel/entropy.ts'
import { SECOND } from '../kernel/time.ts'
import type { RsaPair } from '../kernel/entropy.ts'
import type { Credential } from '../domain/records.ts'
import type { RunningWorld } from '../world/runningWorld.ts'
import type { Worlds } from '../world/worlds.ts'

/** Signs and verifies tokens of all worlds of a server. */
export interface Tokens {
  /** A token for a credential, from now on the world's clock. `tokenId` becomes `jti`. */
  sign(world: RunningWorld, credential: Credential, tokenId: string): Promise<string>
  /** The world that a token says it is of; not verified. Or why it says none, in English. */
  worldOf(token: string): RunningWorld | string
  /** The public key that a token of a world was made for with the token's id, or why it does not hold, in English, and whether
   * its signature did. */
  verify(
    world: RunningWorld,
    token: string,
  ): Promise<{ publicKey: string; tokenId: string } | { wrong: string; isOurs: boolean }>
  /** The public keys of the worlds that sign with RS256 (AU-09). */
  jwks(): Promise<{ keys: unknown[] }>
}

/** Tokens of the worlds of a server. */
export function createTokens(worlds: Worlds): Tokens {
  const rsaPairs = new WeakMap<RunningWorld, Promise<RsaPair>>()

  function rsaPair(world: RunningWorld): Promise<RsaPair> {
    const known = rsaPairs.get(world)
    if (known) return known
    const made = strongRsaPair()
    rsaPairs.set(world, made)
    return made
  }

  return {
    async sign(world, credential, tokenId) {
      const issuedAt = Math.floor(world.clock.now() / SECOND)
      const alg = world.choices.get('AU-09')
      const chance = world.vary('tokenLength', tokenId)
      const padding = chance ? { padding: chance.text('0123456789abcdef', 1 + chance.below(256)) } : {}
      const jwt = new SignJWT({ environment: credential.environment, world: world.id, ...padding })
        .setProtectedHeader({ alg, typ: 'JWT', ...(alg === 'RS256' ? { kid: world.id } : {}) })
        .setSubject(credential.publicKey)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + TOKEN_LIFETIME_SECONDS)
        .setJti(tokenId)
      return jwt.sign(alg === 'HS256' ? world.tokenKey : (await rsaPair(world)).privateKey)
    },
    worldOf: (token) => worldOfToken(worlds, token),
    async verify(world, token) {
      const alg = world.choices.get('AU-09')
      const key = alg === 'HS256' ? world.tokenKey : (await rsaPair(world)).publicKey
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: [alg],
          currentDate: new Date(world.clock.now()),
          requiredClaims: ['sub', 'iat', 'exp', 'jti'],
        })
        return { publicKey: payload.sub ?? '', tokenId: payload.jti ?? '' }
      } catch (error) {
        return explain(error, world)
      }
    },
    async jwks() {
      const signing = worlds.list().filter((world) => world.choices.overrides()['AU-09'] === 'RS256')
      const keys = signing.map(async (world) => ({
        ...(await exportJWK((await rsaPair(world)).publicKey)),
        kid: world.id,
        alg: 'RS256',
        use: 'sig',
      }))
      return { keys: await Promise.all(keys) }
    },
  }
}

/** The world that a token says it is of; not verified. Or why it says none, in English. */
export function worldOfToken(worlds: Worlds, token: string): RunningWorld | string {
  try {
    const { world: id } = decodeJwt(token)
    const world = typeof id === 'string' ? worlds.get(id) : null
    return world ?? 'the token belongs to no world of this server'
  } catch {
    return 'the token is no JWT'
  }
}

/** Why a token does not hold. Only one that has expired was certainly made by its world. */
function explain(error: unknown, world: RunningWorld): { wrong: string; isOurs: boolean } {
  if (!(error instanceof errors.JWTExpired)) {
    return {
      wrong: 'its signature or its claims do not hold: it was changed, or another server made it',
      isOurs: false,
    }
  }
  const { exp = 0 } = error.payload
  const [end, now] = [new Date(exp * SECOND), new Date(world.clock.now())]
  return {
    wrong: `the token expired at ${end.toISOString()} and the clock shows ${now.toISOString()}`,
    isOurs: true,
  }
}
