// Owns who calls: the token or key pair of a request, and what its credential may do.
import { countCall } from '../domain/rateLimits.ts'
import { refuse } from '../domain/refusal.ts'
import { isRevoked } from '../domain/revokedTokens.ts'
import { recordOf } from '../domain/state.ts'
import { matchesDigest } from '../world/keys.ts'
import { isAllowed, plainAddress } from './addresses.ts'
import type { EndpointRow } from '../contract/endpoint.ts'
import type { SilenceId } from '../contract/silences.ts'
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
  /** Id of the token; null for a key pair in headers. */
  tokenId: string | null
}

/** Nobody: a refusal, in the world that the token told, if it told one. */
export interface Nobody {
  refusal: Refusal<'unauthorized'>
  world: RunningWorld | null
}

/** Finds the caller of a request. `used` collects the silences that decided it. */
export async function identify(
  worlds: Worlds,
  tokens: Tokens,
  headers: CallerHeaders,
  used: Set<SilenceId>,
): Promise<Caller | Nobody> {
  const byKey = identifyByKey(worlds, headers, used)
  if (byKey) return byKey
  const token = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  if (token === undefined) {
    const what = headers.authorization === undefined ? 'is missing' : 'is malformed'
    return nobody(
      null,
      `The Authorization header ${what}; send 'Authorization: Bearer <accessToken>' with a token of POST /v1/auth/token.`,
    )
  }
  const world = tokens.worldOf(token)
  if (typeof world === 'string') return nobody(null, `Get a new token: ${world}.`)
  const owner = await world.choices.watch(used, () => tokens.verify(world, token))
  if ('wrong' in owner) return nobody(owner.isOurs ? world : null, `Get a new token: ${owner.wrong}.`)
  if (isRevoked(world, owner.tokenId)) {
    return nobody(world, 'Get a new token: a fault revoked this one.')
  }
  const credential = recordOf(world.state.credentials, owner.publicKey)
  if (!credential) return nobody(world, `The credential ${owner.publicKey} of this token is gone.`)
  if (!credential.active && world.choices.watch(used, () => world.choices.get('AU-11')) === 'refused') {
    return nobody(world, `The credential ${owner.publicKey} was switched off (AU-11).`)
  }
  return { world, credential, tokenId: owner.tokenId }
}

function nobody(world: RunningWorld | null, hint: string): Nobody {
  return { refusal: refuse('unauthorized', hint), world }
}

/** A key pair in headers, in a world that accepts that. Source: AU-12. */
function identifyByKey(
  worlds: Worlds,
  { apiKey, apiSecret = '' }: CallerHeaders,
  used: Set<SilenceId>,
): Caller | Nobody | null {
  const world = apiKey === undefined ? null : worlds.ofPublicKey(apiKey)
  if (!world || world.choices.watch(used, () => world.choices.get('AU-12')) === 'off') return null
  const credential = recordOf(world.state.credentials, apiKey ?? '')
  const holds = credential?.active && matchesDigest(apiSecret, credential.secretDigest)
  return holds
    ? { world, credential, tokenId: null }
    : nobody(world, 'X-Api-Key and X-Api-Secret are no active key pair.')
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
