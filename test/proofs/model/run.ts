// Owns running many programs, and saying of the first that fails what it was: seed, path, and a scenario file.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { createPlaying } from './playing.ts'
import { openServer } from './server.ts'
import { restarts } from './program.ts'
import { playScenario } from './replay.ts'
import { programs } from './steps.ts'
import { scenarioOf } from './story.ts'
import type { Tally } from './asking.ts'
import type { Playing } from './playing.ts'
import type { Plant, Server } from './server.ts'
import type { Step } from './program.ts'

/** What a run is given. */
export interface RunOptions {
  programs: number
  seed: number
  /** Path of a program that failed before: only that one is played. */
  path?: string | undefined
  /** A defect that is planted. */
  plant?: Plant
  /** Called after some programs. */
  told?: (done: number) => void
}

/** A program on which sandbox and model do not agree. */
export interface Failure {
  seed: number
  /** Path of the smaller program, for fast-check. */
  path: string
  program: Step[]
  message: string
  /** The scenario that leads there, as YAML. */
  scenario: string
  /** Whether the scenario fails as well when it is played: what a comment stands for is not played. */
  isShown: boolean
}

/** What a run came to. */
export interface RunResult {
  programs: number
  steps: number
  tally: Tally
  failure: Failure | null
}

/** Programs after which a shared sandbox is replaced by a fresh one. */
const PROGRAMS_OF_A_SERVER = 500
/** Programs between two words about how far a run is. */
const TELL_EVERY = 500

/** What is said of a scenario that does not fail. */
const NOT_SHOWN =
  'this scenario holds when it is played, as no step or check of it can say the cause; a comment may name it.'

/** Runs programs until one fails. */
export async function runPrograms(options: RunOptions): Promise<RunResult> {
  const { seed, plant = {}, told } = options
  const tally: Tally = new Map()
  const [shared, counts] = [createShared(plant), { programs: 0, steps: 0 }]
  try {
    const property = fc.asyncProperty(programs, async (program) => {
      await shared.play(program, tally)
      counts.programs += 1
      counts.steps += program.length
      if (counts.programs % TELL_EVERY === 0) told?.(counts.programs)
    })
    const details = await fc.check(property, { numRuns: options.programs, seed, path: options.path ?? '' })
    const [found] = details.counterexample ?? []
    if (!found) return { ...counts, tally, failure: null }
    const program = await withoutIdleSteps(found, plant)
    const { message, scenarioAbout } = await failureOf(program, plant)
    const path = details.counterexamplePath ?? ''
    const played = await playScenario(scenarioAbout([]), plant).catch(() => null)
    const isShown = played?.passed === false
    const scenario = scenarioAbout([
      `Found by \`${replayOf({ seed, path })}\`: ${isShown ? 'a check says what the model expects.' : NOT_SHOWN}`,
      ...(message ?? '').split('\n'),
    ])
    return { ...counts, tally, failure: { seed, path, program, message: message ?? '', scenario, isShown } }
  } finally {
    await shared.close()
  }
}

/** Sandboxes that programs share; each that fails, and each that restarts, gets one of its own. */
function createShared(plant: Plant) {
  let server: Server | null = null
  let played = 0
  const close = async (): Promise<void> => {
    await server?.close()
    server = null
  }
  return {
    close,
    async play(program: readonly Step[], tally: Tally): Promise<void> {
      if (restarts(program)) {
        await alone(program, plant, tally)
        return
      }
      if (played % PROGRAMS_OF_A_SERVER === 0) await close()
      server ??= await openServer(null, plant)
      played += 1
      try {
        await playAll(createPlaying(server, `p${played}`, tally), program)
      } catch (error) {
        await close()
        throw error
      }
    },
  }
}

/** Plays a program on a sandbox of its own, whose worlds are kept in a file. */
async function alone(program: readonly Step[], plant: Plant, tally: Tally): Promise<void> {
  await inFolder(async (folder) => {
    const server = await openServer(join(folder, 'sandbox.json'), plant)
    try {
      await playAll(createPlaying(server, 'p', tally), program)
    } finally {
      await server.close()
    }
  })
}

async function playAll(playing: Playing, program: readonly Step[]): Promise<void> {
  for (const step of program) await playing.play(step)
  await playing.finish()
}

/** The steps of a program that fails without those that it fails without as well: chains of steps are drawn whole. */
async function withoutIdleSteps(program: readonly Step[], plant: Plant): Promise<Step[]> {
  let least = [...program]
  for (let isSmaller = true; isSmaller;) {
    const before = least.length
    for (let at = least.length - 1; at >= 0; at -= 1) {
      const fewer = least.toSpliced(at, 1)
      if ((await failureOf(fewer, plant)).message !== null) least = fewer
    }
    isSmaller = least.length < before
  }
  return least
}

/** How a program fails: the message, null when it holds, and the scenario of the world where it does, with words about it. */
interface Found {
  message: string | null
  scenarioAbout(about: readonly string[]): string
}

async function failureOf(program: readonly Step[], plant: Plant): Promise<Found> {
  return inFolder(async (folder) => {
    const server = await openServer(restarts(program) ? join(folder, 'sandbox.json') : null, plant)
    const playing = createPlaying(server, 'p', new Map())
    try {
      await playAll(playing, program)
      return { message: null, scenarioAbout: () => '' }
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      const { last } = playing
      const scenarioAbout: Found['scenarioAbout'] = (about) =>
        last ? scenarioOf(last, 'a program that the model does not agree with', about) : ''
      return { message, scenarioAbout }
    } finally {
      await server.close()
    }
  })
}

async function inFolder<T>(run: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-sandbox-model-'))
  try {
    return await run(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The command that plays a failing program again. */
function replayOf({ seed, path }: Pick<Failure, 'seed' | 'path'>): string {
  return `npm run prove:model -- --seed ${seed} --path ${path}`
}

/** A failure as it is printed. */
export function failureToText({ seed, path, program, message, scenario, isShown }: Failure): string {
  const steps = program.map((step, index) => `  ${index + 1}. ${JSON.stringify(step)}`)
  return [
    `The sandbox and the model do not agree: ${message}`,
    `replay: ${replayOf({ seed, path })}`,
    'The shortest program:',
    ...steps,
    isShown ? 'As a scenario, which fails as well:' : `As a scenario; ${NOT_SHOWN}`,
    scenario,
  ].join('\n')
}

/** What was asked how often: a line each, with how often it was accepted and how often refused. */
export function tallyToText(tally: Tally): string {
  const rows = [...tally].toSorted(([one], [other]) => (one < other ? -1 : 1))
  return rows
    .map(
      ([name, { accepted, refused }]) =>
        `  ${String(accepted).padStart(8)} ${String(refused).padStart(8)}  ${name}`,
    )
    .join('\n')
}
