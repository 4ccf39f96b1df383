// Owns randomness from the host: the only file that asks for it. Everything else draws from a world's seed.
import { randomBytes } from 'node:crypto'
import type { CryptoKey, JWK, JWK_RSA_Public } from 'jose'

/** Strong random text of lower-case hexadecimal digits, two for each byte. */
export function strongHex(bytes: number): string {
  return randomBytes(bytes).toString('hex')
}

/** A key pair that signs with RS256; its public half can be exported. */
export interface RsaPair {
  privateKey: CryptoKey
  publicKey: CryptoKey
}

/** A new private key that signs with RS256, as a JWK. */
export async function strongRsaKey(): Promise<JWK> {
  const { exportJWK, generateKeyPair } = await import('jose')
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return exportJWK(privateKey)
}

/** The pair of a private key. */
export async function rsaPairOf(key: JWK): Promise<RsaPair> {
  const { importJWK } = await import('jose')
  const { n, e } = key as JWK_RSA_Public
  const [privateKey, publicKey] = await Promise.all([
    importJWK(key, 'RS256'),
    importJWK({ kty: 'RSA', n, e }, 'RS256'),
  ])
  return { privateKey: privateKey as CryptoKey, publicKey }
}
