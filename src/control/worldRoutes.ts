// Owns the control routes of worlds: making, reading, forking, resetting and ending them.
import { z } from 'zod'
import { resetWorld } from '../world/snapshots.ts'
import { unusedFaults } from '../world/faults.ts'
import { parseClockStart } from '../world/clockStart.ts'
import { clockAnswer } from './clockRoutes.ts'
import { listAnswer, listOf, listQuery } from './lists.ts'
import { given, givenNames } from '../world/givenShapes.ts'
import { planWake } from '../world/run.ts'
import { giveTo } from './givenRoutes.ts'
import { route } from './route.ts'
import { worldOut } from './worldViews.ts'

const tag = 'Worlds'

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

/** A world that was given the state of another, as answered. */
export const forkedWorld = worldAnswer
  .extend({
    credentials: z.array(z.strictObject(keys)).meta({ description: 'pairs of the added credentials' }),
  })
  .meta({ id: 'ForkedWorld' })

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
    clock: z
      .string()
      .optional()
      .meta({ description: 'frozen, flowing, an instant (frozen there) or flowing@instant' }),
    seed: z.string().min(1).max(200).optional(),
    silences: z.record(z.string(), z.unknown()).optional(),
    given: given.optional(),
  }),
  answer: worldAnswer
    .extend({
      names: givenNames.optional().meta({ description: 'the named records, when some were given' }),
    })
    .meta({ id: 'NewWorld' }),
  status: 201,
  errors: ['sandbox_world_exists', 'sandbox_too_many_worlds'],
  handle({ server: { worlds }, body: { clock, given: entries, ...settings } }) {
    const start = clock === undefined ? undefined : parseClockStart(clock)
    const world = worlds.create({ ...settings, clock: start })
    if (entries === undefined) return worldOut(world)
    try {
      const names = world.clock.pin(() => giveTo(worlds, world, entries))
      planWake(world)
      return { ...worldOut(world), names }
    } catch (error) {
      worlds.delete(world.id)
      throw error
    }
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
  answer: forkedWorld,
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
  answer: worldAnswer
    .extend({ unusedFaults: z.array(z.string()).meta({ description: 'ids of the faults that never fired' }) })
    .meta({ id: 'ResetWorld' }),
  handle({ world }) {
    const unused = unusedFaults(world)
    resetWorld(world)
    world.tell('setup', { changed: 'world' })
    return { ...worldOut(world), unusedFaults: unused }
  },
})

/** Control routes of worlds. */
export const WORLD_ROUTES = [createWorld, listWorlds, getWorld, deleteWorld, forkWorld, resetRoute]
