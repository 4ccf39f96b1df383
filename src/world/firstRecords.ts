// Owns what every world begins with: two organisations, three credentials and their keys.
import { addCredential, addOrganization } from '../domain/organizations.ts'
import { digestSecret, makeKeyPair } from './keys.ts'
import type { KeyPair, SecretStyle } from './keys.ts'
import type { World } from '../domain/world.ts'

/** The keys that a world begins with. */
export interface WorldKeys {
  sandbox: KeyPair
  production: KeyPair
  receiver: KeyPair
}

/** Every world begins with an organisation that may split, and a second one to split to. */
export function addFirstRecords(world: World & { readonly origin: { keys: WorldKeys } }): void {
  const { sandbox, production, receiver } = world.origin.keys
  const merchant = addOrganization(world, { name: 'Loja Exemplo', maySplit: true, pixKeys: [] })
  const other = addOrganization(world, { name: 'Recebedor Exemplo', maySplit: true, pixKeys: [] })
  const credential = (keys: KeyPair, organizationId: string, environment: 'Sandbox' | 'Production'): void => {
    const { publicKey, secretKey } = keys
    const digest = { publicKey, secretDigest: digestSecret(secretKey) }
    addCredential(world, digest, { organizationId, environment })
  }
  credential(sandbox, merchant.id, 'Sandbox')
  credential(production, merchant.id, 'Production')
  credential(receiver, other.id, 'Sandbox')
}

/** The keys that a world of an id begins with. */
export function firstKeys(id: string, style: SecretStyle): WorldKeys {
  return {
    sandbox: makeKeyPair(id, 'Sandbox', style),
    production: makeKeyPair(id, 'Production', style),
    receiver: makeKeyPair(id, 'Sandbox', style, 'receiver'),
  }
}
