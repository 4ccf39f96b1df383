// Owns randomness from the host: the only file that asks for it. Everything else draws from a world's seed.
import { randomBytes } from 'node:crypto'
import { generateKeyPair } from 'jose'

/** Strong random text of lower-case hexadecimal digits, two for each byte. */
export function strongHex(bytes: number): string {
  return randomBytes(bytes).toString('hex')
}

/** A key pair that signs with RS256. */
export type RsaPair = Awaited<ReturnType<typeof generateKeyPair>>

/** A new key pair that signs with RS256; its public half can be exported. */
export function strongRsaPair(): Promise<RsaPair> {
  return generateKeyPair('RS256')
}
