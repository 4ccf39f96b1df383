// Owns the control routes of the server and its worlds: health, making, forking, resetting, saving and restoring.
import { z } from 'zod'
import { ENDPOINTS } from '../contract/endpoints.ts'
import { stamp } from '../domain/world.ts'
import { Misuse } from '../world/misuse.ts'
import { resetWorld, restoreWorld, saveText } from '../world/snapshots.ts'
import { parseClockStart } from '../world/clockStart.ts'
import { clockAnswer, clockOut } from './clockRoutes.ts'
import { listAnswer, listOf, listQuery } from './lists.ts'
import { NotBuilt } from '../http/notBuilt.ts'
import { route } from './route.ts'
import { present } from '../kernel/assert.ts'
import type { RunningWorld } from '../world/runningWorld.ts'

const tag = 'Worlds'
/** Snapshots of one world. */
const MAX_SNAPSHOTS = 100

const keys = { publicKey: z.string(), secretKey: z.string() }
const organization = { id: z.uuid(), splitCode: z.uuid() }

/** A world, as answered: where it is and its keys. */
export const worldAnswer = z
  .strictObject({
    id: z.string(),
    url: z.url(),
    ...keys,
    production: z.strictObject(keys),
    organization: z.strictObject(organization),
    receiver: z.strictObject({ ...organization, ...keys }),
    clock: clockAnswer,
  })
  .meta({ id: 'World' })

/** A world, as answered. */
export function worldOut(world: RunningWorld): z.input<typeof worldAnswer> {
  const { sandbox, production, receiver } = world.origin.keys
  const ownerOf = (publicKey: string): { id: string; splitCode: string } => {
    const credential = present(world.state.credentials[publicKey], 'a world has its first credentials')
    const { id, splitCode } = present(world.state.organizations[credential.organizationId], 'a credential has an owner')
    return { id, splitCode }
  }
  return {
    id: world.id,
    url: world.publicUrl,
    ...sandbox,
    production,
    organization: ownerOf(sandbox.publicKey),
    receiver: { ...ownerOf(receiver.publicKey), ...receiver },
    clock: clockOut(world),
  }
}

const status = z.strictObject({ status: z.literal('ok') })

const livez = route({
  id: 'livez',
  method: 'GET',
  path: '/livez',
  scope: 'server',
  tag: 'Server',
  summary: 'Says that the process answers',
  answer: status,
  open: true,
  handle: () => ({ status: 'ok' as const }),
})

const readyz = route({
  id: 'readyz',
  method: 'GET',
  path: '/readyz',
  scope: 'server',
  tag: 'Server',
  summary: 'Says that the gateway takes calls',
  answer: status,
  open: true,
  handle: () => ({ status: 'ok' as const }),
})

const info = route({
  id: 'getInfo',
  method: 'GET',
  path: '/info',
  scope: 'server',
  tag: 'Server',
  summary: 'Says what this server is',
  answer: z.strictObject({
    name: z.literal('gateway-sandbox'),
    version: z.string(),
    node: z.string(),
    url: z.url(),
    seed: z.string(),
    worlds: z.int(),
    notBuilt: z.array(z.string()).meta({ description: 'operation ids that answer 501' }),
  }),
  handle: ({ server: { worlds, version } }) => ({
    name: 'gateway-sandbox' as const,
    version,
    node: process.version,
    url: worlds.host.publicUrl,
    seed: worlds.seed,
    worlds: worlds.list().length,
    notBuilt: ENDPOINTS.filter(({ built }) => !built).map(({ id }) => id),
  }),
})

const worldId = z.string().regex(/^[a-z0-9-]{1,40}$/, 'is 1 to 40 lower-case letters, digits or hyphens')

const createWorld = route({
  id: 'createWorld',
  method: 'POST',
  path: '/worlds',
  scope: 'server',
  tag,
  summary: 'Makes a world with keys of its own',
  body: z.strictObject({
    id: worldId.optional(),
    clock: z.string().optional().meta({ description: 'frozen, flowing, an instant (frozen there) or flowing@instant' }),
    seed: z.string().min(1).max(200).optional(),
    silences: z.record(z.string(), z.unknown()).optional(),
    given: z.unknown().optional(),
  }),
  answer: worldAnswer,
  status: 201,
  errors: ['sandbox_world_exists', 'sandbox_too_many_worlds', 'sandbox_not_built'],
  handle({ server, body: { clock, given, ...settings } }) {
    if (given !== undefined) throw new NotBuilt('given is not built yet; create the records through the API.')
    const start = clock === undefined ? undefined : parseClockStart(clock)
    return worldOut(server.worlds.create({ ...settings, clock: start }))
  },
})

const listWorlds = route({
  id: 'listWorlds',
  method: 'GET',
  path: '/worlds',
  scope: 'server',
  tag,
  summary: 'Lists the worlds, newest first',
  query: z.object(listQuery),
  answer: listAnswer(worldAnswer),
  handle({ server, query }) {
    const { items, ...rest } = listOf(server.worlds.list(), query, ({ id }) => id)
    return { items: items.map(worldOut), ...rest }
  },
})

const getWorld = route({
  id: 'getWorld',
  method: 'GET',
  path: '/worlds/{world}',
  scope: 'server',
  tag,
  summary: 'Reads one world',
  params: z.object({ world: z.string() }),
  answer: worldAnswer,
  handle: ({ world }) => worldOut(world),
})

const deleteWorld = route({
  id: 'deleteWorld',
  method: 'DELETE',
  path: '/worlds/{world}',
  scope: 'server',
  tag,
  summary: 'Ends a world',
  params: z.object({ world: z.string() }),
  answer: z.strictObject({ id: z.string(), deleted: z.literal(true) }),
  errors: ['sandbox_world_fixed'],
  handle({ server, world: { id } }) {
    server.worlds.delete(id)
    return { id, deleted: true as const }
  },
})

const forkWorld = route({
  id: 'forkWorld',
  method: 'POST',
  path: '/fork',
  tag,
  summary: 'Copies a world as it is now, under a new id and new keys',
  body: z.strictObject({ id: worldId.optional() }),
  answer: worldAnswer
    .extend({ credentials: z.array(z.strictObject(keys)).meta({ description: 'pairs of the added credentials' }) })
    .meta({ id: 'ForkedWorld' }),
  status: 201,
  errors: ['sandbox_world_exists', 'sandbox_too_many_worlds'],
  handle({ server, world, body }) {
    const { world: made, added } = server.worlds.fork(world, body.id)
    return { ...worldOut(made), credentials: added }
  },
})

const resetRoute = route({
  id: 'resetWorld',
  method: 'POST',
  path: '/reset',
  tag,
  summary: 'Begins a world anew: records go; id, keys and knobs stay',
  answer: worldAnswer,
  handle({ world }) {
    resetWorld(world)
    return worldOut(world)
  },
})

const snapshotName = z.object({
  name: z.string().regex(/^[A-Za-z0-9._-]{1,64}$/, 'is 1 to 64 letters, digits, dots, underscores or hyphens'),
})
const snapshotOut = z
  .strictObject({ name: z.string(), world: z.string(), bytes: z.int(), now: z.iso.datetime() })
  .meta({ id: 'Snapshot' })

function snapshotOf(world: RunningWorld, name: string): string {
  const text = world.snapshots.get(name)
  if (text !== undefined) return text
  const known = [...world.snapshots.keys()].join(', ')
  throw new Misuse('sandbox_not_found', `World '${world.id}' has no snapshot '${name}'; it has: ${known || 'none'}.`)
}

function snapshotView(world: RunningWorld, name: string): z.input<typeof snapshotOut> {
  return { name, world: world.id, bytes: Buffer.byteLength(snapshotOf(world, name)), now: stamp(world) }
}

const listSnapshots = route({
  id: 'listSnapshots',
  method: 'GET',
  path: '/snapshots',
  tag,
  summary: 'Lists the snapshots of a world',
  query: z.object(listQuery),
  answer: listAnswer(snapshotOut),
  handle({ world, query }) {
    const { items, ...rest } = listOf([...world.snapshots.keys()], query, (name) => name)
    return { items: items.map((name) => snapshotView(world, name)), ...rest }
  },
})

const saveSnapshot = route({
  id: 'saveSnapshot',
  method: 'PUT',
  path: '/snapshots/{name}',
  tag,
  summary: 'Saves the world under a name',
  params: snapshotName,
  answer: snapshotOut,
  handle({ world, params: { name } }) {
    if (!world.snapshots.has(name) && world.snapshots.size >= MAX_SNAPSHOTS) {
      throw new Misuse('sandbox_bad_request', `A world keeps ${MAX_SNAPSHOTS} snapshots; delete one.`)
    }
    world.snapshots.set(name, saveText(world))
    return snapshotView(world, name)
  },
})

const getSnapshot = route({
  id: 'getSnapshot',
  method: 'GET',
  path: '/snapshots/{name}',
  tag,
  summary: 'Reads a snapshot: clock, chance, jobs and all records, without secrets',
  params: snapshotName,
  answer: z.record(z.string(), z.unknown()),
  handle: ({ world, params, c }) =>
    c.body(snapshotOf(world, params.name), 200, { 'Content-Type': 'application/json' }),
})

const deleteSnapshot = route({
  id: 'deleteSnapshot',
  method: 'DELETE',
  path: '/snapshots/{name}',
  tag,
  summary: 'Forgets a snapshot',
  params: snapshotName,
  answer: z.strictObject({ name: z.string(), deleted: z.literal(true) }),
  handle({ world, params: { name } }) {
    snapshotOf(world, name)
    world.snapshots.delete(name)
    return { name, deleted: true as const }
  },
})

const restoreSnapshot = route({
  id: 'restoreSnapshot',
  method: 'POST',
  path: '/snapshots/{name}/restore',
  tag,
  summary: 'Puts the world back to a snapshot',
  params: snapshotName,
  answer: worldAnswer,
  handle({ world, params }) {
    restoreWorld(world, snapshotOf(world, params.name))
    return worldOut(world)
  },
})

/** Control routes of the server and its worlds. */
export const WORLD_ROUTES = [
  livez,
  readyz,
  info,
  createWorld,
  listWorlds,
  getWorld,
  deleteWorld,
  forkWorld,
  resetRoute,
  listSnapshots,
  saveSnapshot,
  getSnapshot,
  deleteSnapshot,
  restoreSnapshot,
]
