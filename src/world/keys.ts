// Owns the keys of worlds: how key pairs are named, digests of secrets, and the key that signs tokens.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { strongHex } from '../kernel/entropy.ts'
import type { Environment } from '../contract/enums.ts'

/** A key pair as a merchant gets it. */
export interface KeyPair {
  publicKey: string
  secretKey: string
}

/** How the secret keys of a server's worlds are made: by their names, or strong ones for a shared server. */
export type SecretStyle = 'byName' | 'strong'

/**
 * The key pair of a world for an environment. `suffix` tells apart further pairs of the same world; ids of worlds have no
 * underscore, so no two pairs share a name.
 */
export function makeKeyPair(
  worldId: string,
  environment: Environment,
  style: SecretStyle,
  suffix = '',
): KeyPair {
  const name = `${environment.toLowerCase()}_${worldId}${suffix === '' ? '' : `_${suffix}`}`
  const secret = style === 'strong' ? `${environment.toLowerCase()}_${strongHex(24)}` : name
  return { publicKey: `pk_${name}`, secretKey: `sk_${secret}` }
}

/** SHA-256 of some bytes, in hexadecimal. */
export function digestBytes(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Digest of a secret key: what is stored of it. */
export function digestSecret(secretKey: string): string {
  return digestBytes(secretKey)
}

/** Whether a secret key has a digest, compared in constant time. */
export function matchesDigest(secretKey: string, digest: string): boolean {
  return timingSafeEqual(Buffer.from(digestSecret(secretKey), 'hex'), Buffer.from(digest, 'hex'))
}

/** Whether two secrets are the same, compared in constant time. */
export function sameSecret(given: string, expected: string): boolean {
  return matchesDigest(given, digestSecret(expected))
}

/** The signature of a link, so that nobody can guess or change one. 32 hexadecimal digits. */
export function signLink(key: Uint8Array, text: string): string {
  return keyedDigest(key, text).slice(0, 32)
}

/** The key of the digests of secrets that the rules of a world keep, made from its seed or from chance. */
export function ruleKey(seed: string): Uint8Array {
  return createHash('sha256').update(`secrets of rules from ${seed}`).digest()
}

/** The digest of a text under a key, in hexadecimal: without the key nobody can try out what the text was. */
export function keyedDigest(key: Uint8Array, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex')
}

/** The key that signs the tokens of a world with HS256, made from its seed and id. */
export function tokenKey(seed: string, worldId: string): Uint8Array {
  return createHash('sha256').update(`tokens of ${worldId} from ${seed}`).digest()
}
