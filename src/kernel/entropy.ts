// Owns randomness from the host: the only file that asks for it. Everything else draws from a world's seed.
import { randomBytes } from 'node:crypto'

/** Strong random text of lower-case hexadecimal digits, two for each byte. */
export function strongHex(bytes: number): string {
  return randomBytes(bytes).toString('hex')
}
