// Owns the control routes of snapshots: saving a world under a name and putting it back.
import { z } from 'zod'
import { timestamp } from '../domain/records.ts'
import { stamp } from '../domain/world.ts'
import { Misuse } from '../world/misuse.ts'
import { restoreWorld, saveText } from '../world/snapshots.ts'
import { listAnswer, listOf, listQuery } from './lists.ts'
import { route } from './route.ts'
import { worldAnswer } from './worldRoutes.ts'
import { worldOut } from './worldViews.ts'
import type { Timestamp } from '../kernel/brands.ts'
import type { RunningWorld } from '../world/runningWorld.ts'

const tag = 'Worlds'
/** Snapshots of one world. */
const MAX_SNAPSHOTS = 100

const snapshotName = z.object({
  name: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,64}$/, 'is 1 to 64 letters, digits, dots, underscores or hyphens'),
})
const snapshotOut = z
  .strictObject({ name: z.string(), world: z.string(), bytes: z.int(), now: timestamp })
  .meta({ id: 'Snapshot' })

function snapshotOf(world: RunningWorld, name: string): { text: string; now: Timestamp } {
  const saved = world.snapshots.get(name)
  if (saved) return saved
  const known = [...world.snapshots.keys()].join(', ')
  throw new Misuse(
    'sandbox_not_found',
    `World '${world.id}' has no snapshot '${name}'; it has: ${known || 'none'}.`,
  )
}

function snapshotView(world: RunningWorld, name: string): z.input<typeof snapshotOut> {
  const { text, now } = snapshotOf(world, name)
  return { name, world: world.id, bytes: Buffer.byteLength(text), now }
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
    world.snapshots.delete(name)
    world.snapshots.set(name, { text: saveText(world), now: stamp(world) })
    world.changes?.snapshot(name)
    return snapshotView(world, name)
  },
})

const getSnapshot = route({
  id: 'getSnapshot',
  method: 'GET',
  path: '/snapshots/{name}',
  tag,
  summary: 'Reads a snapshot: clock, chance, jobs, knobs, faults and all records, without secret keys',
  params: snapshotName,
  answer: z.record(z.string(), z.unknown()),
  handle: ({ world, params, c }) =>
    c.body(snapshotOf(world, params.name).text, 200, { 'Content-Type': 'application/json' }),
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
    world.changes?.snapshot(name)
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
  handle({ server, world, params }) {
    restoreWorld(world, snapshotOf(world, params.name).text)
    world.tell('setup', { changed: 'world' })
    for (const publicKey of Object.keys(world.state.credentials)) server.worlds.claimKey(world, publicKey)
    return worldOut(world)
  },
})

/** Control routes of snapshots. */
export const SNAPSHOT_ROUTES = [listSnapshots, saveSnapshot, getSnapshot, deleteSnapshot, restoreSnapshot]
