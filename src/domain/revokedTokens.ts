// Owns tokens that were revoked before their end. They are kept only as long as they would have lived.
import { TOKEN_LIFETIME_SECONDS } from '../contract/limits.ts'
import { SECOND } from '../kernel/time.ts'
import { recordOf } from './state.ts'
import type { World } from './world.ts'

/** Revokes a token by its id, and forgets those whose time is over by itself. */
export function revokeToken({ state: { revokedTokens }, clock, changes }: World, tokenId: string): void {
  const now = clock.now()
  for (const [id, end] of Object.entries(revokedTokens)) {
    if (end >= now) continue
    delete revokedTokens[id]
    changes?.record('revokedTokens', id)
  }
  revokedTokens[tokenId] = now + TOKEN_LIFETIME_SECONDS * SECOND
  changes?.record('revokedTokens', tokenId)
}

/** Whether a token was revoked. */
export function isRevoked({ state }: World, tokenId: string): boolean {
  return recordOf(state.revokedTokens, tokenId) !== null
}
