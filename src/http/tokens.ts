// Owns access tokens: JWTs signed for one world and verified on its clock.
import { TOKEN_LIFETIME_SECONDS } from '../contract/limits.ts'
import { rsaPairOf, strongRsaKey } from '../kernel/entropy.ts'
import { createLatest } from '../kernel/latest.ts'
import { lazy } from '../kernel/lazy.ts'
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

/** Loaded with the first token: a start need not wait for it. */
const jose = lazy(() => import('jose'))

/** Verified tokens that a server remembers. */
const MAX_VERIFIED = 10_000

/** A token that was verified once. Its world may have chosen another signature, or have ended, since then. */
interface Verified {
  /** Held weakly: a token that nobody sends any more must not keep all the records of a world that has ended. */
  world: WeakRef<RunningWorld>
  alg: string
  publicKey: string
  tokenId: string
  /** In seconds since 1970. */
  exp: number
}

/** Tokens of the worlds of a server. */
export function createTokens(worlds: Worlds): Tokens {
  const rsaPairs = new WeakMap<RunningWorld, Promise<RsaPair>>()
  const verified = createLatest<string, Verified>(MAX_VERIFIED)

  function rsaPair(world: RunningWorld): Promise<RsaPair> {
    const known = rsaPairs.get(world)
    if (known) return known
    const made = makeRsaPair(world)
    rsaPairs.set(world, made)
    return made
  }

  return {
    async sign(world, credential, tokenId) {
      const issuedAt = Math.floor(world.clock.now() / SECOND)
      const alg = world.choices.get('AU-09')
      const chance = world.vary('tokenLength', tokenId)
      const padding = chance ? { padding: chance.text('0123456789abcdef', 1 + chance.below(256)) } : {}
      const { SignJWT } = await jose()
      const jwt = new SignJWT({ environment: credential.environment, world: world.id, ...padding })
        .setProtectedHeader({ alg, typ: 'JWT', ...(alg === 'RS256' ? { kid: world.id } : {}) })
        .setSubject(credential.publicKey)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + TOKEN_LIFETIME_SECONDS)
        .setJti(tokenId)
      return jwt.sign(alg === 'HS256' ? world.tokenKey : (await rsaPair(world)).privateKey)
    },
    worldOf(token) {
      const known = verified.get(token)?.world.deref()
      return known && worlds.get(known.id) === known ? known : worldOfToken(worlds, token)
    },
    async verify(world, token) {
      const alg = world.choices.get('AU-09')
      const known = verified.get(token)
      const isHere = known?.world.deref() === world
      if (known && isHere && known.alg === alg && known.exp > Math.floor(world.clock.now() / SECOND)) {
        return known
      }
      const { errors, jwtVerify } = await jose()
      const key = alg === 'HS256' ? world.tokenKey : (await rsaPair(world)).publicKey
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: [alg],
          currentDate: new Date(world.clock.now()),
          requiredClaims: ['sub', 'iat', 'exp', 'jti'],
        })
        const { sub: publicKey = '', jti: tokenId = '', exp = 0, nbf } = payload
        if (nbf === undefined) {
          verified.set(token, { world: new WeakRef(world), alg, publicKey, tokenId, exp })
        }
        return { publicKey, tokenId }
      } catch (error) {
        return explain(error instanceof errors.JWTExpired ? error : null, world)
      }
    },
    async jwks() {
      const { exportJWK } = await jose()
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

/** The pair of a world, whose private key stays with it. */
async function makeRsaPair(world: RunningWorld): Promise<RsaPair> {
  world.rsaKey ??= { ...(await strongRsaKey()) }
  world.changes?.look()
  return rsaPairOf(world.rsaKey)
}

/** The world that a token says it is of; not verified. Or why it says none, in English. */
export function worldOfToken(worlds: Worlds, token: string): RunningWorld | string {
  try {
    const { world: id } = claimsOf(token)
    const world = typeof id === 'string' ? worlds.get(id) : null
    return world ?? 'the token belongs to no world of this server'
  } catch {
    return 'the token is no JWT'
  }
}

/**
 * The claims of a token; not verified.
 * @throws {TypeError | SyntaxError} for what is no JWT
 */
function claimsOf(token: string): Record<string, unknown> {
  const [, payload = '', ...rest] = token.split('.')
  if (rest.length !== 1 || !/^[\w-]+$/.test(payload)) throw new TypeError('not three parts in base64url')
  const bytes = Buffer.from(payload, 'base64url')
  const claims: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  if (typeof claims !== 'object' || claims === null || Array.isArray(claims)) throw new TypeError('no claims')
  return claims as Record<string, unknown>
}

/** Why a token does not hold. Only one that has expired was certainly made by its world. */
function explain(
  expired: { payload: { exp?: number } } | null,
  world: RunningWorld,
): { wrong: string; isOurs: boolean } {
  if (!expired) {
    return {
      wrong: 'its signature or its claims do not hold: it was changed, or another server made it',
      isOurs: false,
    }
  }
  const { exp = 0 } = expired.payload
  const [end, now] = [new Date(exp * SECOND), new Date(world.clock.now())]
  return {
    wrong: `the token expired at ${end.toISOString()} and the clock shows ${now.toISOString()}`,
    isOurs: true,
  }
}
