// Owns the control routes of records: reading them whole, and making organisations and credentials.
import { z } from 'zod'
import * as enums from '../contract/enums.ts'
import { MAX_SHORT_TEXT_UNITS } from '../contract/limits.ts'
import { addCredential, addOrganization, changeCredential } from '../domain/organizations.ts'
import * as records from '../domain/records.ts'
import { changeRecord } from '../domain/recordIndex.ts'
import { recordOf } from '../domain/state.ts'
import { journalRecord, MACHINE_NAMES } from '../domain/trail.ts'
import { isAddressRange } from '../http/addresses.ts'
import { digestSecret, makeKeyPair } from '../world/keys.ts'
import { Misuse } from '../world/misuse.ts'
import { listAnswer, listIndexed, listQuery } from './lists.ts'
import { route } from './route.ts'
import { TRIGGER_ROUTE } from './triggers.ts'
import type { RecordIndex } from '../domain/recordIndex.ts'
import type { Credential, Organization } from '../domain/records.ts'
import type { RunningWorld } from '../world/runningWorld.ts'

const tag = 'Records'
const text = z.string().optional()
const byId = z.object({ id: z.string() })
const inScope = { organizationId: text, environment: z.enum(enums.ENVIRONMENTS).optional() }

type Kind = 'transactions' | 'customers' | 'cashouts' | 'disputes' | 'organizations'

/** Reading records of one kind: a list with filters, and one by its id. */
function readRoutes<
  K extends Kind,
  S extends z.ZodType<{ id: string }, { id: string }>,
  F extends z.ZodRawShape,
>(kind: K, schema: S, filters: F) {
  const one = kind.slice(0, -1)
  const name = kind.charAt(0).toUpperCase() + kind.slice(1)
  const list = route({
    id: `list${name}AsStored`,
    method: 'GET',
    path: `/${kind}`,
    tag,
    summary: `Lists the ${kind} of the world as stored, newest first`,
    query: z.object({ ...listQuery, ...filters }),
    answer: listAnswer(schema),
    handle: ({ world, query }) =>
      listIndexed(
        world.indexes[kind] as unknown as RecordIndex<unknown>,
        query as { limit: number },
      ) as never,
  })
  const get = route({
    id: `get${name.slice(0, -1)}AsStored`,
    method: 'GET',
    path: `/${kind}/{id}`,
    tag,
    summary: `Reads one ${one} as stored`,
    params: byId,
    answer: schema,
    handle: ({ world, params }) =>
      found(
        recordOf<{ id: string }>(world.state[kind], params.id.toLowerCase()),
        one,
        params.id,
      ) as z.input<S>,
  })
  return [list, get] as const
}

function found<T>(record: T | null, kind: string, name: string): T {
  if (record !== null) return record
  throw new Misuse(
    'sandbox_not_found',
    `No ${kind} ${name} in this world; GET /_sandbox/${kind}s lists them.`,
  )
}

const journal = route({
  id: 'listJournal',
  method: 'GET',
  path: '/journal',
  tag,
  summary: 'Lists the fired rows of all machines, newest first',
  query: z.object({
    ...listQuery,
    subject: text,
    machine: z.enum(MACHINE_NAMES).optional(),
    on: text,
    to: text,
  }),
  answer: listAnswer(journalRecord),
  handle: ({ world, query }) => listIndexed(world.indexes.journal, query),
})

const credentialOut = records.credentialRecord.omit({ secretDigest: true }).meta({ id: 'PublicCredential' })

function withoutDigest(credential: Credential): z.input<typeof credentialOut> {
  const { publicKey, organizationId, environment, permissions, allowedIps, active, createdAt } = credential
  return { publicKey, organizationId, environment, permissions, allowedIps, active, createdAt }
}

const settings = {
  permissions: z.array(z.enum(enums.PERMISSIONS)).optional(),
  allowedIps: z
    .array(z.string().refine(isAddressRange, 'must be an IPv4 or IPv6 address or a CIDR range'))
    .max(100)
    .optional(),
  active: z.boolean().optional(),
}

const listCredentials = route({
  id: 'listCredentials',
  method: 'GET',
  path: '/credentials',
  tag,
  summary: 'Lists the credentials, newest first, without their secrets',
  query: z.object({ ...listQuery, ...inScope }),
  answer: listAnswer(credentialOut),
  handle({ world, query }) {
    const { items, ...rest } = listIndexed(world.indexes.credentials, query)
    return { items: items.map(withoutDigest), ...rest }
  },
})

const getCredential = route({
  id: 'getCredential',
  method: 'GET',
  path: '/credentials/{publicKey}',
  tag,
  summary: 'Reads one credential, without its secret',
  params: z.object({ publicKey: z.string() }),
  answer: credentialOut,
  handle: ({ world, params }) => withoutDigest(credentialOf(world, params.publicKey)),
})

function credentialOf(world: RunningWorld, publicKey: string): Credential {
  return found(recordOf(world.state.credentials, publicKey), 'credential', publicKey)
}

const createCredential = route({
  id: 'createCredential',
  method: 'POST',
  path: '/credentials',
  tag,
  summary: 'Makes a key pair',
  body: z.strictObject({
    organization: text,
    environment: z.enum(enums.ENVIRONMENTS).default('Sandbox'),
    ...settings,
  }),
  answer: credentialOut.extend({ secretKey: z.string() }).meta({ id: 'NewCredential' }),
  status: 201,
  handle({ server, world, body: { organization, environment, ...chosen } }) {
    const organizationId = organizationOf(world, organization).id
    const suffix = `c${world.indexes.credentials.records.length + 1}`
    const { publicKey, secretKey } = makeKeyPair(world.id, environment, world.host.secretStyle, suffix)
    const keys = { publicKey, secretDigest: digestSecret(secretKey) }
    const made = addCredential(world, keys, { organizationId, environment }, chosen)
    server.worlds.claimKey(world, publicKey)
    return { ...withoutDigest(made), secretKey }
  },
})

/** The organisation that an id names; the first one without an id. */
export function organizationOf(world: RunningWorld, id: string | undefined): Organization {
  const { records: all } = world.indexes.organizations
  const named = id === undefined ? (all[0] ?? null) : recordOf(world.state.organizations, id)
  return found(named, 'organization', id ?? '')
}

const updateCredential = route({
  id: 'updateCredential',
  method: 'PATCH',
  path: '/credentials/{publicKey}',
  tag,
  summary: 'Switches a credential on or off, or changes its permissions or addresses',
  params: z.object({ publicKey: z.string() }),
  body: z.strictObject(settings),
  answer: credentialOut,
  handle({ world, params, body }) {
    const credential = credentialOf(world, params.publicKey)
    changeCredential(world, credential, body)
    return withoutDigest(credential)
  },
})

const organizationFields = {
  name: z.string().min(1).max(MAX_SHORT_TEXT_UNITS).optional(),
  maySplit: z.boolean().optional(),
  pixKeys: z.array(z.string().min(1).max(MAX_SHORT_TEXT_UNITS)).max(100).optional(),
}

const createOrganization = route({
  id: 'createOrganization',
  method: 'POST',
  path: '/organizations',
  tag,
  summary: 'Makes an organisation',
  body: z.strictObject(organizationFields),
  answer: records.organizationRecord,
  status: 201,
  handle: ({ world, body: { name = 'Loja Exemplo', maySplit = true, pixKeys = [] } }) =>
    addOrganization(world, { name, maySplit, pixKeys }),
})

const updateOrganization = route({
  id: 'updateOrganization',
  method: 'PATCH',
  path: '/organizations/{id}',
  tag,
  summary: 'Changes an organisation',
  params: byId,
  body: z.strictObject(organizationFields),
  answer: records.organizationRecord,
  handle({ world, params, body }) {
    const organization = organizationOf(world, params.id)
    const changed = {
      name: body.name ?? organization.name,
      maySplit: body.maySplit ?? organization.maySplit,
      pixKeys: body.pixKeys ?? organization.pixKeys,
    } satisfies Partial<Organization>
    changeRecord(world.indexes.organizations, organization, () => Object.assign(organization, changed))
    world.changes?.record('organizations', organization.id)
    return organization
  },
})

/** Control routes of records. */
export const RECORD_ROUTES = [
  ...readRoutes('transactions', records.transactionRecord, {
    ...inScope,
    status: z.enum(enums.TRANSACTION_STATUSES).optional(),
    method: z.enum(enums.METHODS).optional(),
    externalId: text,
    customerId: text,
  }),
  ...readRoutes('customers', records.customerRecord, {
    ...inScope,
    status: z.enum(enums.CUSTOMER_STATUSES).optional(),
    externalId: text,
    document: text,
    email: text,
  }),
  ...readRoutes('cashouts', records.cashoutRecord, {
    ...inScope,
    status: z.enum(enums.CASHOUT_STATUSES).optional(),
    externalId: text,
  }),
  ...readRoutes('disputes', records.disputeRecord, {
    ...inScope,
    status: z.enum(enums.DISPUTE_STATUSES).optional(),
    reason: z.enum(enums.DISPUTE_REASONS).optional(),
    transactionId: text,
  }),
  ...readRoutes('organizations', records.organizationRecord, { splitCode: text, name: text }),
  journal,
  TRIGGER_ROUTE,
  listCredentials,
  getCredential,
  createCredential,
  updateCredential,
  createOrganization,
  updateOrganization,
]
