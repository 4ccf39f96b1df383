// Owns what scenario files set up in the default world of a server: how it begins, and its records and rules.
import { giveTo } from './control/givenRoutes.ts'
import { addRulesTo } from './control/ruleRoutes.ts'
import { givenPathIn } from './scenario/fileChecks.ts'
import { ScenarioError } from './scenario/problems.ts'
import { resolvedRules, withInboxes } from './scenario/references.ts'
import { parseClockStart } from './world/clockStart.ts'
import { given } from './world/givenShapes.ts'
import { checkSeed } from './world/hostOptions.ts'
import { Misuse } from './world/misuse.ts'
import { planWake } from './world/run.ts'
import type { Scenario } from './scenario/parse.ts'
import type { GivenNames } from './world/givenShapes.ts'
import type { ClockStart } from './world/runningWorld.ts'
import type { Worlds } from './world/worlds.ts'

/** How a default world begins. */
export interface Beginning {
  clock?: ClockStart | undefined
  seed?: string | undefined
  /** Choices by silence id. */
  silences?: Record<string, unknown> | undefined
}

/** Where a setting was read. */
interface Found<T> {
  value: T
  scenario: Scenario
}

/**
 * How a default world begins: as it is told, and where it is told nothing, as files say.
 * @throws {Misuse} for a told seed that cannot be
 * @throws {ScenarioError} for a setting of a file that cannot be, or that another file has otherwise
 */
export function beginningOf(told: Beginning, scenarios: readonly Scenario[]): Beginning {
  const clock = told.clock ?? agreed(scenarios, ['clock'], ({ head }) => checkedClock(head.clock))
  const seed = checkedSeed(told.seed) ?? agreed(scenarios, ['seed'], ({ head }) => head.seed)
  const silences = { ...told.silences }
  const named = scenarios.flatMap(({ head }) => Object.keys(head.silences ?? {}))
  for (const id of new Set(named)) {
    if (Object.hasOwn(silences, id)) continue
    silences[id] = agreed(scenarios, ['silences', id], ({ head }) => head.silences?.[id])
  }
  return { clock, seed, silences }
}

function checkedClock(text: string | undefined): ClockStart | undefined {
  return text === undefined ? undefined : parseClockStart(text)
}

function checkedSeed(seed: string | undefined): string | undefined {
  return seed === undefined ? undefined : checkSeed(seed)
}

/** The one value that files give a setting; undefined when none does. */
function agreed<T>(
  scenarios: readonly Scenario[],
  path: readonly [string, ...string[]],
  read: (scenario: Scenario) => T | undefined,
): T | undefined {
  let first: Found<T> | null = null
  for (const scenario of scenarios) {
    const value = inFile(scenario, path, () => read(scenario))
    if (value === undefined) continue
    if (first && JSON.stringify(first.value) !== JSON.stringify(value)) {
      const message = `${path.join(' ')}: ${first.scenario.file} has another; one world has one of them`
      throw new ScenarioError(scenario.file, [{ ...scenario.placeOf(path), message }])
    }
    first ??= { value, scenario }
  }
  return first?.value
}

/**
 * Gives a default world the records and the rules of files. Steps are left out. What is wrong leaves it half set up.
 * @returns the named records, with the secrets of credentials
 * @throws {ScenarioError} for what cannot be given, and for a name that two files use
 */
export function setUpDefault(worlds: Worlds, scenarios: readonly Scenario[]): GivenNames {
  const world = worlds.default
  const names: GivenNames = {}
  const address = (inbox: string): string =>
    `${world.host.publicUrl}/_sandbox/worlds/${world.id}/inbox/${inbox}`
  world.clock.pin(() => {
    for (const scenario of scenarios) {
      const entries = given.parse(withInboxes(scenario.given ?? {}, address))
      const added = inFile(scenario, ['given'], () => giveTo(worlds, world, entries))
      const twice = Object.keys(added).find((name) => Object.hasOwn(names, name))
      if (twice !== undefined) {
        const message = `'${twice}' names a record of another file already; rename one of them`
        throw new ScenarioError(scenario.file, [{ ...scenario.placeOf(['given']), message }])
      }
      Object.assign(names, added)
      const { rules, dangling } = resolvedRules(scenario.rules, added, address)
      if (dangling.length > 0) {
        const problems = dangling.map(({ path, message }) => ({
          ...scenario.placeOf(['rules', ...path]),
          message,
        }))
        throw new ScenarioError(scenario.file, problems)
      }
      for (const [index, rule] of rules.entries()) {
        inFile(scenario, ['rules', index], () => addRulesTo(world, [rule]))
      }
    }
  })
  planWake(world)
  return names
}

/** Runs something for a part of a file, and says where that stands when it is refused. */
function inFile<T>(scenario: Scenario, path: readonly PropertyKey[], run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof Misuse)) throw error
    const { message } = error
    const where = path[0] === 'given' ? givenPathIn(message) : path
    throw new ScenarioError(scenario.file, [{ ...scenario.placeOf(where), message }])
  }
}
