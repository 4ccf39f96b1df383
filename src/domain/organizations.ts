// Owns organisations and their credentials: who may call, with what permission, for which records.
import { PERMISSIONS } from '../contract/enums.ts'
import { present } from '../kernel/assert.ts'
import { addRecord } from './recordIndex.ts'
import { stamp } from './world.ts'
import type { Permission } from '../contract/enums.ts'
import type { Credential, Organization, Scope } from './records.ts'
import type { World } from './world.ts'

/** Adds an organisation. */
export function addOrganization(
  world: World,
  { name, maySplit, pixKeys }: { name: string; maySplit: boolean; pixKeys: string[] },
): Organization {
  const organization: Organization = {
    id: world.random.uuid(),
    splitCode: world.random.uuid(),
    name,
    maySplit,
    pixKeys,
    createdAt: stamp(world),
  }
  world.state.organizations[organization.id] = organization
  world.changes?.record('organizations', organization.id)
  addRecord(world.indexes.organizations, organization)
  return organization
}

/** The organisation of a scope. */
export function organizationOf(world: World, { organizationId }: Scope): Organization {
  return present(world.state.organizations[organizationId], `no organisation ${organizationId}`)
}

/** Adds a credential; without permissions it has all, without addresses it may be used from anywhere. */
export function addCredential(
  world: World,
  keys: { publicKey: string; secretDigest: string },
  scope: Scope,
  { permissions = [...PERMISSIONS], allowedIps = [], active = true }: CredentialSettings = {},
): Credential {
  const { organizationId, environment } = scope
  const credential: Credential = {
    ...keys,
    organizationId,
    environment,
    permissions,
    allowedIps,
    active,
    createdAt: stamp(world),
  }
  world.state.credentials[keys.publicKey] = credential
  world.changes?.record('credentials', keys.publicKey)
  addRecord(world.indexes.credentials, credential)
  return credential
}

/** What of a credential can be chosen, and changed later. */
export interface CredentialSettings {
  permissions?: Permission[] | undefined
  allowedIps?: string[] | undefined
  active?: boolean | undefined
}

/** Changes a credential; what is left out stays. */
export function changeCredential(world: World, credential: Credential, settings: CredentialSettings): void {
  credential.permissions = settings.permissions ?? credential.permissions
  credential.allowedIps = settings.allowedIps ?? credential.allowedIps
  credential.active = settings.active ?? credential.active
  world.changes?.record('credentials', credential.publicKey)
}
