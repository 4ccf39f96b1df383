// Owns telling the caller at once that a callbackUrl names a receiver that this server never sends to.
import { isInboxPath, neverAllowed } from '../webhooks/allow.ts'
import type { RunningWorld } from '../world/runningWorld.ts'

/** Why the receiver that the fields of a call name never gets a webhook, in English; null when it may. */
export function callbackHint({ host }: RunningWorld, fields: unknown): string | null {
  if (host.callbackAllow === null || typeof fields !== 'object' || fields === null) return null
  const named = 'callbackUrl' in fields ? fields.callbackUrl : null
  if (typeof named !== 'string' || !URL.canParse(named)) return null
  const receiver = new URL(named)
  // Only the sender knows every address that means this server itself.
  if (isInboxPath(receiver.pathname)) return null
  const never = neverAllowed(host.callbackAllow, receiver)
  return never && `No webhook will reach this callbackUrl: ${never}.`
}
