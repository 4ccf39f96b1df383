// Owns the control routes that take a whole world out of a server and put one in.
import { z } from 'zod'
import { checkExported, exportText } from '../world/exportedWorld.ts'
import { planWake } from '../world/run.ts'
import { route } from './route.ts'
import { forkedWorld } from './worldRoutes.ts'
import { worldOut } from './worldViews.ts'

const tag = 'Worlds'
/** Bytes of a world that is put in. */
const MAX_WORLD_BYTES = 268_435_456

const exportWorld = route({
  id: 'exportWorld',
  method: 'GET',
  path: '/export',
  tag,
  summary: 'Takes the world out as one value: the form of a snapshot, with the files of disputes',
  answer: z.record(z.string(), z.unknown()),
  handle: ({ world, c }) => c.body(exportText(world), 200, { 'Content-Type': 'application/json' }),
})

const importWorld = route({
  id: 'importWorld',
  method: 'POST',
  path: '/import',
  tag,
  summary: 'Puts a world in that was taken out, in place of what this one remembers, under its own keys',
  body: z.record(z.string(), z.unknown()),
  bodyLimit: MAX_WORLD_BYTES,
  answer: forkedWorld,
  handle({ server, world, body }) {
    const { saved, files } = checkExported(body)
    const added = server.worlds.replace(world, saved, files)
    planWake(world)
    return { ...worldOut(world), credentials: added }
  },
})

/** Control routes that take a whole world out and put one in. */
export const EXPORT_ROUTES = [exportWorld, importWorld]
