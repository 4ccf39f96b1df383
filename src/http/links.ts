// Owns links that answers name: where a file or a pay page stands, and the signature that keeps a link from being guessed or changed.
import { EVIDENCE_LINK_MINUTES } from '../contract/limits.ts'
import { later, MINUTE, toTimestamp } from '../kernel/time.ts'
import { signLink } from '../world/keys.ts'
import { DEFAULT_WORLD } from '../world/worlds.ts'
import type { Millis, Timestamp } from '../kernel/brands.ts'
import type { RunningWorld } from '../world/runningWorld.ts'

/** A link to a file of a dispute, good for some minutes of world time from now. Source: DI-06. */
export function evidenceLink(world: RunningWorld, id: string): { url: string; expiresAt: Timestamp } {
  const expiresAt = toTimestamp(later(world.clock.now(), (EVIDENCE_LINK_MINUTES * MINUTE) as Millis))
  const query = `expires=${expiresAt}&signature=${signEvidence(world, id, expiresAt)}`
  return { url: `${world.host.publicUrl}/files/${world.id}/evidence/${id}?${query}`, expiresAt }
}

/** The signature of a link to a file of a dispute. */
export function signEvidence(world: RunningWorld, id: string, expires: string): string {
  return signLink(world.tokenKey, `evidence ${id} until ${expires}`)
}

/** The link to the slip of a boleto, whose name nobody can guess. Source: TX-15. */
export function slipLink(world: RunningWorld, slip: string): string {
  return `${world.host.publicUrl}/files/${world.id}/slips/${slip}.pdf`
}

/** The path below which a world is controlled and shown. */
export function worldPath(id: string): string {
  return id === DEFAULT_WORLD ? '/_sandbox' : `/_sandbox/worlds/${encodeURIComponent(id)}`
}

/** The path of the page that shows a transaction to its payer. */
export function payPath({ id: world }: { id: string }, transactionId: string): string {
  return `${worldPath(world)}/pay/${transactionId}`
}

/** The headers of an answer that shows a transaction: they name its pay page. */
export function payHeaders(world: RunningWorld, { id }: { id: string }): Record<string, string> {
  return { 'X-Sandbox-Pay': world.host.publicUrl + payPath(world, id) }
}
