// Owns playing a scenario: a fresh world, one step after the other, and how it went.
import { SandboxError } from '../client/errors.ts'
import { hostTime } from '../kernel/hostTime.ts'
import { StepFailure } from './failure.ts'
import { givenPathIn } from './fileChecks.ts'
import { parseScenario } from './parse.ts'
import { resolvedRules, withInboxes } from './references.ts'
import { openSession } from './session.ts'
import { listenTo } from './storyLog.ts'
import { act } from './verbs.ts'
import type { SandboxWorld } from '../client/world.ts'
import type { PlayWatcher } from '../control/scenarioShapes.ts'
import type { Millis } from '../kernel/brands.ts'
import type { Scenario, Step } from './parse.ts'
import type { Place } from './problems.ts'
import type { Session } from './session.ts'
import type { Verb } from './stepFormat.ts'

/** Steps that one scenario plays. Repeats in repeats could go on for ever. */
const MAX_STEPS = 10_000

type GivenEntries = Parameters<SandboxWorld['give']>[0]

/** What a scenario needs of a new world. */
export interface ScenarioWorldOptions {
  clock: string
  seed?: string
  silences?: Record<string, unknown>
}

/** Makes fresh worlds; a `Sandbox` does. */
export interface WorldMaker {
  world(options: ScenarioWorldOptions): Promise<SandboxWorld>
}

/** How one step went. */
export interface StepResult {
  /** Number of the step, such as `3`, or `4.2` for the second one inside a `repeat`. */
  step: string
  line: number
  verb: Verb
  /** The step in a few words. */
  says: string
  passed: boolean
}

/** Why a scenario failed. */
export interface ScenarioFailure extends Place {
  /** Number of the step; null before the first one. */
  step: string | null
  says: string
  message: string
  expected: unknown
  actual: unknown
  /** Lines that begin with `-` are expected, with `+` found, and with a blank equal. */
  diff: string
}

/** How a scenario went. */
export interface ScenarioResult {
  name: string
  file: string
  passed: boolean
  steps: StepResult[]
  failure: ScenarioFailure | null
  /** What happened in the world, one line for each thing; empty when the scenario passed. */
  story: string[]
  /** Host milliseconds. */
  tookMs: number
}

/** How a scenario is played. */
export interface PlayOptions {
  /** Ends the world at once, and with it a step that waits for something. */
  signal?: AbortSignal
  /** Longest wait for an answer of the gateway, in host time; a minute when left out. */
  answerLimitMs?: Millis
  watcher?: PlayWatcher | undefined
}

/** Plays a text; see `playScenario`. */
export function playText(
  maker: WorldMaker,
  text: string,
  { file, ...options }: { file?: string } & PlayOptions = {},
): Promise<ScenarioResult> {
  return playScenario(maker, parseScenario(text, file), options)
}

/**
 * Plays a scenario in a world of its own, which ends with it. A failed check is an answer, not an error.
 * @throws the reason of the signal, once the world has ended
 */
export async function playScenario(
  maker: WorldMaker,
  scenario: Scenario,
  { signal, answerLimitMs, watcher }: PlayOptions = {},
): Promise<ScenarioResult> {
  const began = hostTime.stopwatch()
  const { name } = scenario.head
  const steps: StepResult[] = []
  let failure: ScenarioFailure | null = null
  let story: string[] = []
  try {
    signal?.throwIfAborted()
    const world = await maker.world(optionsOf(scenario))
    const log = listenTo(world)
    const end = (): Promise<void> => world.delete().catch(() => undefined)
    const stop = (): void => void end()
    signal?.addEventListener('abort', stop)
    try {
      const begun = await begin(world, scenario, answerLimitMs)
      watcher?.begun({ name, world: world.id })
      const playing = { prefix: '', steps, signal, watcher }
      failure = 'message' in begun ? begun : await playSteps(begun, scenario.steps, playing)
    } finally {
      signal?.removeEventListener('abort', stop)
      await end()
      const lines = await log.lines()
      if (failure) story = lines
    }
    signal?.throwIfAborted()
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error
    failure = { step: null, says: 'the world', ...scenario.placeOf(['silences']), ...toldOf(error) }
  }
  const tookMs = hostTime.stopwatch() - began
  return { name, file: scenario.file, passed: failure === null, steps, failure, story, tookMs }
}

function optionsOf({ head: { clock = 'frozen', seed, silences } }: Scenario): ScenarioWorldOptions {
  return {
    clock,
    ...(seed === undefined ? {} : { seed }),
    ...(silences === undefined ? {} : { silences }),
  }
}

/** Gives a fresh world what the file says; answers why when the server refuses it. */
async function begin(
  world: SandboxWorld,
  scenario: Scenario,
  answerLimitMs: Millis | undefined,
): Promise<Session | ScenarioFailure> {
  const { given, rules } = scenario
  let part = 'given'
  try {
    const filled = withInboxes(given, (name) => world.inbox(name).url) as GivenEntries | null
    const names = filled === null ? {} : await world.give(filled)
    part = 'rules'
    const orders = resolvedRules(rules, names, (name) => world.inbox(name).url)
    const [first] = orders.dangling
    if (first) {
      const failed = new StepFailure(first.message)
      return { step: null, says: part, ...scenario.placeOf([part, ...first.path]), ...toldOf(failed) }
    }
    if (rules.length > 0) await world.rules.add(...(orders.rules as Parameters<SandboxWorld['rules']['add']>))
    return await openSession(world, names, answerLimitMs)
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error
    const where = part === 'given' ? givenPathIn(error.message) : [part]
    return { step: null, says: part, ...scenario.placeOf(where), ...toldOf(error) }
  }
}

interface Playing {
  /** Number of the `repeat` around, with its dot. */
  prefix: string
  steps: StepResult[]
  signal: AbortSignal | undefined
  watcher: PlayWatcher | undefined
}

/** Plays steps until one fails; answers why. */
async function playSteps(
  session: Session,
  steps: readonly Step[],
  { prefix, ...playing }: Playing,
): Promise<ScenarioFailure | null> {
  for (const [index, step] of steps.entries()) {
    const number = `${prefix}${index + 1}`
    if (step.verb === 'repeat') {
      const { times } = step.value['repeat'] as { times: number }
      for (let round = 0; round < times; round += 1) {
        const failure = await playSteps(session, step.steps, { prefix: `${number}.`, ...playing })
        if (failure) return { ...failure, says: `${failure.says} (round ${round + 1} of ${times})` }
      }
    } else {
      const failure = await playStep(session, step, number, playing)
      const { verb, line } = step
      const result = { step: number, line, verb, says: saysOf(step), passed: failure === null }
      playing.steps.push(result)
      await playing.watcher?.stepped(result, playing.signal)
      if (failure) return failure
    }
  }
  return null
}

async function playStep(
  session: Session,
  step: Step,
  number: string,
  { steps, signal }: Pick<Playing, 'steps' | 'signal'>,
): Promise<ScenarioFailure | null> {
  if (step.verb === 'repeat') return null
  try {
    signal?.throwIfAborted()
    if (steps.length >= MAX_STEPS) {
      throw new StepFailure(`a scenario plays ${MAX_STEPS} steps at most, those of each round counted`)
    }
    await act(session, step.verb, step.value)
    return null
  } catch (error) {
    if (!(error instanceof StepFailure) && !(error instanceof SandboxError)) throw error
    const place = step.placeOf(error instanceof StepFailure ? error.path : [])
    const told = toldOf(error)
    const taken = await outsideChange(session)
    return {
      step: number,
      says: saysOf(step),
      ...place,
      ...told,
      ...(taken === null ? {} : { message: taken }),
    }
  }
}

/** What others did to the world of a play, so that it cannot go on; null when they did nothing. */
async function outsideChange({ world }: Session): Promise<string | null> {
  const told = (how: string): string =>
    `the world of this play was ${how} from outside while it played; let nobody else do that to world '${world.id}'`
  try {
    const { how } = (await world.commands({ limit: 1 })).began
    return how === 'made' ? null : told(how)
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error
    return error.code === 'sandbox_not_found' ? told('deleted') : null
  }
}

function toldOf(
  error: StepFailure | SandboxError,
): Pick<ScenarioFailure, 'message' | 'expected' | 'actual' | 'diff'> {
  const { message } = error
  if (error instanceof SandboxError) return { message, expected: null, actual: null, diff: '' }
  return { message, expected: error.expected, actual: error.actual, diff: error.diff }
}

/** A step in a few words, such as `call createTransaction`. */
function saysOf({ verb, value }: Step): string {
  const carried = value[verb]
  if (typeof carried === 'string') return `${verb} ${carried}`
  if (typeof carried !== 'object' || carried === null) return verb
  const fields = carried as Record<string, unknown>
  const [about] = verb === 'expect' ? Object.keys(fields) : [fields['do'] ?? fields['as'] ?? fields['to']]
  return typeof about === 'string' ? `${verb} ${about}` : verb
}
