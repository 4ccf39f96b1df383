// Owns who calls: the token or key pair of a request, and what its credential may do.
import { countCall } from '../domain/rateLimits.ts'
import { isRefusal, refuse } from '../domain/refusal.ts'
import { recordOf } from '../domain/state.ts'
import { matchesDigest } from '../world/keys.ts'
import { isAllowed, plainAddress } from './addresses.ts'
import type { EndpointRow } from '../contract/endpoint.ts'
import type { Refusal } from '../domain/refusal.ts'
import type { Credential } from '../domain/records.ts'
import type { RunningWorld } from '../world/runningWorld.ts'
import type { Worlds } from '../world/worlds.ts'
import type { Tokens } from './tokens.ts'

/** What a request tells of its caller. */
export interface CallerHeaders {
  authorization: string | undefined
  apiKey: string | undefined
  apiSecret: string | undefined
}

/** A world and the credential that called it. */
export interface Caller {
  world: RunningWorld
  credential: Credential
}

/** Finds the caller of a request. A refusal names the world when the token told it. */
export async function identify(
  worlds: Worlds,
  tokens: Tokens,
  headers: CallerHeaders,
): Promise<Caller | Refusal<'unauthorized'>> {
  const byKey = headers.apiKey === undefined ? null : identifyByKey(worlds, headers.apiKey, headers.apiSecret)
  if (byKey) return byKey
  const token = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  if (token === undefined) {
    const what = headers.authorization === undefined ? 'is missing' : 'is malformed'
    return refuse(
      'unauthorized',
      `The Authorization header ${what}; send 'Authorization: Bearer <accessToken>' with a token of POST /v1/auth/token.`,
    )
  }
  const owner = await tokens.verify(token)
  if ('wrong' in owner) return refuse('unauthorized', `Get a new token: ${owner.wrong}.`)
  const { world, publicKey } = owner
  const credential = recordOf(world.state.credentials, publicKey)
  if (!credential) return refuse('unauthorized', `The credential ${publicKey} of this token is gone.`)
  if (!credential.active && world.choices.get('AU-11') === 'refused') {
    return refuse('unauthorized', `The credential ${publicKey} was switched off (AU-11).`)
  }
  return { world, credential }
}

/** A key pair in headers, in a world that accepts that. Source: AU-12. */
function identifyByKey(
  worlds: Worlds,
  publicKey: string,
  secretKey: string | undefined,
): Caller | Refusal<'unauthorized'> | null {
  const world = worlds.ofPublicKey(publicKey)
  if (!world || world.choices.get('AU-12') === 'off') return null
  const credential = recordOf(world.state.credentials, publicKey)
  const holds = credential?.active && matchesDigest(secretKey ?? '', credential.secretDigest)
  return holds
    ? { world, credential }
    : refuse('unauthorized', 'X-Api-Key and X-Api-Secret are no active key pair.')
}

/** Says no to a caller that may not use an endpoint. Source: ER-03 for the order. */
export function refuseCaller(
  { world, credential }: Caller,
  row: EndpointRow,
  address: string,
): Refusal | null {
  const notHere = world.choices.get('AU-08') === 'everyCall' ? refuseAddress(credential, address) : null
  if (notHere) return notHere
  const tooMany = countCall(world, credential)
  if (tooMany) return tooMany
  if (row.sandboxOnly && credential.environment !== 'Sandbox') {
    return refuse('sandbox_only', 'Simulations need Sandbox credentials (pk_sandbox_...).')
  }
  if (row.permission === null || credential.permissions.includes(row.permission)) return null
  return refuse(
    'forbidden',
    `${row.id} needs the permission ${row.permission}; PATCH /_sandbox/credentials/${credential.publicKey} can give it.`,
  )
}

/** Says no to a caller from an address that a credential does not allow. Source: AU-08. */
export function refuseAddress(credential: Credential, address: string): Refusal<'ip_not_allowed'> | null {
  if (isAllowed(address, credential.allowedIps)) return null
  return refuse(
    'ip_not_allowed',
    `The call comes from ${plainAddress(address)}; the credential allows ${credential.allowedIps.join(', ')}.`,
  )
}

/** Whether somebody was identified. */
export function isCaller(result: Caller | Refusal): result is Caller {
  return !isRefusal(result)
}
