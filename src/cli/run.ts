// Owns the verb `run`: plays scenario files in parallel worlds and reports how they went.
import { connectSandbox, startSandbox } from '../sandbox.ts'
import { playScenario } from '../scenario/play.ts'
import { after } from '../kernel/timers.ts'
import { ADDRESS_FLAGS, addressOf } from './connect.ts'
import { paintFor } from './print.ts'
import { REPORTERS } from './runReports.ts'
import { scenariosOf } from './scenarioFiles.ts'
import { codeOfSignal, firstSignalToEnd } from './signals.ts'
import { readCommand, UsageError } from './usage.ts'
import type { Millis } from '../kernel/brands.ts'
import type { Sandbox } from '../sandbox.ts'
import type { Scenario } from '../scenario/parse.ts'
import type { ScenarioResult } from '../scenario/play.ts'
import type { Reporter, ReporterName } from './runReports.ts'

const COMMAND = {
  usage: 'run FILE... [options]',
  example: "run 'scenarios/**/*.yaml' --reporter junit",
  flags: {
    reporter: { type: 'string', value: 'NAME', summary: 'spec, junit or json (spec)' },
    bail: { type: 'boolean', summary: 'plays no further scenario once one has failed' },
    seed: {
      type: 'string',
      value: 'TEXT',
      summary: 'seed of chance, for files that name none (random)',
      argumentOnly: true,
    },
    ...ADDRESS_FLAGS,
    url: { ...ADDRESS_FLAGS.url, summary: 'plays against a running server (one of its own)' },
  },
  words: Number.POSITIVE_INFINITY,
  notes: [
    'FILE is a scenario, a folder of them, or a glob in quotes; YAML or JSON. Each is played in a fresh world of its own.',
    'Ends with 0; 1 when a scenario failed; 2 when a file is no scenario, before any is played.',
  ],
} as const

/** Scenarios that are played at the same time. */
const AT_ONCE = 8
/** Host time for scenarios to stop and their worlds to end, once they were told to. */
const GRACE_MS = 1_000 as Millis

/** Runs `run`. */
export async function run(args: string[]): Promise<void> {
  const read = readCommand(COMMAND, args)
  if (!read) return
  const { reporter = 'spec', bail = false, url, seed, 'control-token': controlToken } = read.flags
  if (!isReporter(reporter)) {
    throw new UsageError(`--reporter ${reporter}: there are ${Object.keys(REPORTERS).join(', ')}.`)
  }
  if (url !== undefined && seed !== undefined) {
    throw new UsageError('--seed goes with a server of its own; a running one (--url) has its seed already.')
  }
  if (read.words.length === 0) {
    throw new UsageError("run needs at least one scenario file, such as: run 'scenarios/**/*.yaml'.")
  }
  const scenarios = await scenariosOf(read.words)
  const { told } = firstSignalToEnd()
  const token = controlToken === undefined ? {} : { controlToken }
  const sandbox =
    url === undefined
      ? await startSandbox(seed === undefined ? {} : { seed })
      : await connectSandbox(addressOf(url), token)
  try {
    const paint = paintFor(process.stdout, process.env)
    const results = await playAll(sandbox, scenarios, { reporter: REPORTERS[reporter](paint), bail, told })
    if (results.some(({ passed }) => !passed)) process.exitCode = 1
  } finally {
    await sandbox.close()
  }
  // What still hangs would hold this process.
  if (told.aborted) process.exit(codeOfSignal(told.reason as NodeJS.Signals))
  if (bail && process.exitCode === 1) process.exit()
}

function isReporter(name: string): name is ReporterName {
  return Object.hasOwn(REPORTERS, name)
}

interface Running {
  reporter: Reporter
  bail: boolean
  /** Aborted when this process is told to end. */
  told: AbortSignal
}

/** Plays scenarios, some at the same time, and reports them in their order. Those that were stopped are told as not played. */
async function playAll(
  sandbox: Sandbox,
  scenarios: readonly Scenario[],
  { reporter, bail, told }: Running,
): Promise<ScenarioResult[]> {
  const failed = new AbortController()
  const stop = AbortSignal.any([told, failed.signal])
  const waiting = [...scenarios.entries()]
  const results = new Map<number, ScenarioResult>()
  let reported = 0
  const reportOne = (): void => {
    const result = results.get(reported)
    const text = result ? reporter.one(result) : null
    if (text !== null) console.log(text)
    reported += 1
  }
  const playSome = async (): Promise<void> => {
    for (let next = waiting.shift(); next && !stop.aborted; next = waiting.shift()) {
      const [index, scenario] = next
      const result = await playOne(sandbox, scenario, stop)
      if (!result) return
      results.set(index, result)
      if (bail && !result.passed) failed.abort()
      showProgress(results.size, scenarios.length)
      while (results.has(reported)) reportOne()
    }
  }
  const playing = Promise.all(Array.from({ length: AT_ONCE }, playSome))
  await Promise.race([playing, graceAfter(stop)])
  while (reported < scenarios.length) reportOne()
  const played = [...results.entries()].toSorted(([one], [other]) => one - other).map(([, result]) => result)
  const leftOut = scenarios
    .filter((_, index) => !results.has(index))
    .map(({ file, head: { name } }) => ({ name, file }))
  console.log(reporter.all(played, leftOut))
  return played
}

/** Plays a scenario; null when it was stopped. */
async function playOne(
  sandbox: Sandbox,
  scenario: Scenario,
  stop: AbortSignal,
): Promise<ScenarioResult | null> {
  try {
    return await playScenario(sandbox, scenario, { signal: stop })
  } catch (error) {
    if (stop.aborted) return null
    throw error
  }
}

/** Resolves some time after everything was told to stop: what hangs is not waited for. */
function graceAfter(stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    stop.addEventListener('abort', () => void after(GRACE_MS, resolve), { once: true })
  })
}

/** Shows on a terminal how many are done. */
function showProgress(done: number, of: number): void {
  if (process.stderr.isTTY) process.stderr.write(done < of ? `\r${done} of ${of}\r` : '\r\u001B[K')
}
