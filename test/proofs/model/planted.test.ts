// Owns the proof that the model sees defects: each that is planted is found, made small, and told as a scenario that leads to it.
import { expect, test } from 'vitest'
import { PLANTED } from './plants.ts'
import { playScenario } from './replay.ts'
import { failureToText, runPrograms } from './run.ts'
import type { Planted } from './plants.ts'
import type { Failure } from './run.ts'

/** Programs within which each defect must be found. */
const PROGRAMS = 1_000
const SEED = 9

async function find({ begin }: Planted, path?: string): Promise<Failure> {
  const { plant, end } = begin()
  try {
    const { failure } = await runPrograms({ programs: PROGRAMS, seed: SEED, path, plant })
    if (!failure) throw new Error('nothing was found')
    return failure
  } finally {
    end?.()
  }
}

/** Defects that a scenario does not show: of a restart, a reset or a restore, which it only names, and of what it cannot see. */
const NOT_SHOWN = /restored|reset|put in|starts again|unseen/

test.each(Object.entries(PLANTED))(
  'a sandbox that %s is found out, by few steps and a scenario',
  { timeout: 300_000 },
  async (name, planted) => {
    const failure = await find(planted)
    const { message, program, scenario, seed, path, isShown } = failure
    const text = failureToText(failure)
    expect(message).toMatch(planted.says)
    expect(program.length, text).toBeLessThanOrEqual(planted.steps)
    expect(text).toContain(`replay: npm run prove:model -- --seed ${seed} --path ${path}\n`)
    expect(await find(planted, path)).toEqual(failure)
    expect(scenario).toMatch(planted.scenario)
    expect(isShown, text).toBe(!NOT_SHOWN.test(name))
    expect(scenario).toMatch(isShown ? /a check says what the model expects/ : /this scenario holds/)
    const { plant, end } = planted.begin()
    const spoilt = await playScenario(scenario, plant).finally(() => end?.())
    expect(spoilt.passed, text).toBe(!isShown)
    const sound = await playScenario(scenario, {})
    expect(sound.failure, text).toBeNull()
  },
)
