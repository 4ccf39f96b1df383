// Owns playing the scenario of a failure on a sandbox of its own: whether it shows what the program found.
import { createCaller } from '../../../src/client/call.ts'
import { createWorldHandle } from '../../../src/client/world.ts'
import { playText } from '../../../src/scenario/play.ts'
import { openServer, URL_OF_SERVER } from './server.ts'
import type { WorldMaker } from '../../../src/scenario/play.ts'
import type { Plant, Server } from './server.ts'

/** Makes the worlds of scenarios on a sandbox under test. */
function makerOn(server: Server): WorldMaker {
  const caller = createCaller(URL_OF_SERVER, (request) => server.fetch(request), undefined)
  return {
    world: async (options) =>
      createWorldHandle(caller, await caller.send(null, 'POST /worlds', { body: options })),
  }
}

/** Plays a scenario, given as YAML, on a fresh sandbox; answers the report of it. */
export async function playScenario(scenario: string, plant: Plant) {
  const server = await openServer(null, plant)
  try {
    return await playText(makerOn(server), scenario)
  } finally {
    await server.close()
  }
}
