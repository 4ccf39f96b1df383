// Owns the proof that the model sees defects: each that is planted is found, made small, and told as a scenario that leads to it.
import { expect, test } from 'vitest'
import { createCaller } from '../../../src/client/call.ts'
import { createWorldHandle } from '../../../src/client/world.ts'
import { playText } from '../../../src/scenario/play.ts'
import { PLANTED } from './plants.ts'
import { failureToText, runPrograms } from './run.ts'
import { openServer, URL_OF_SERVER } from './server.ts'
import type { WorldMaker } from '../../../src/scenario/play.ts'
import type { Planted } from './plants.ts'
import type { Failure } from './run.ts'
import type { Plant, Server } from './server.ts'

/** Programs within which each defect must be found. */
const PROGRAMS = 1_000
const SEED = 9

/** Makes the worlds of scenarios on a sandbox under test. */
function makerOn(server: Server): WorldMaker {
  const caller = createCaller(URL_OF_SERVER, (request) => server.fetch(request), undefined)
  return {
    world: async (options) =>
      createWorldHandle(caller, await caller.send(null, 'POST /worlds', { body: options })),
  }
}

async function played(scenario: string, plant: Plant) {
  const server = await openServer(null, plant)
  try {
    return await playText(makerOn(server), scenario)
  } finally {
    await server.close()
  }
}

async function find({ begin }: Planted): Promise<Failure> {
  const { plant, end } = begin()
  try {
    const { failure } = await runPrograms({ programs: PROGRAMS, seed: SEED, plant })
    if (!failure) throw new Error('nothing was found')
    return failure
  } finally {
    end?.()
  }
}

/** Defects that a scenario cannot lead to: they need a restart, a reset or a restore, which it only names. */
const NAMED_ONLY = /restored|reset|starts again/

test.each(Object.entries(PLANTED))(
  'a sandbox that %s is found out, by few steps and a scenario',
  { timeout: 300_000 },
  async (name, planted) => {
    const { message, program, scenario, ...rest } = await find(planted)
    const text = failureToText({ message, program, scenario, ...rest })
    expect(message).toMatch(planted.says)
    expect(program.length, text).toBeLessThanOrEqual(planted.steps)
    expect(text).toMatch(/seed \d+, path \d/)
    expect(scenario).toMatch(planted.scenario)
    const { plant, end } = planted.begin()
    const spoilt = await played(scenario, plant).finally(() => end?.())
    expect(spoilt.passed, text).toBe(NAMED_ONLY.test(name))
    const sound = await played(scenario, {})
    expect(sound.failure, text).toBeNull()
  },
)
