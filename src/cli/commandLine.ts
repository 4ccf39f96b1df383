// Owns the command line: finds the verb, runs it, and turns what goes wrong into one clear line and an exit code.
import { SandboxError } from '../client/errors.ts'
import { ScenarioError } from '../scenario/problems.ts'
import { exitCodeOf, messageOf } from './connect.ts'
import { oneLine } from './print.ts'
import { Failure, guess, UsageError } from './usage.ts'
import { PACKAGE } from '../version.ts'
import type { Ending } from './signals.ts'

/** Some verbs hear by themselves when they have to end, unless it is heard already. */
type Run = (args: string[], ending?: Ending) => Promise<void>

/** A verb. It is loaded when it runs, so that none waits for the others. */
interface Verb {
  load: () => Promise<Run>
  /** What it does; null for a verb that only this program itself runs. */
  summary: string | null
}

const VERBS: Readonly<Record<string, Verb>> = {
  start: { load: async () => (await import('./start.ts')).start, summary: 'serves the gateway' },
  exec: {
    load: async () => (await import('./exec.ts')).exec,
    summary: 'serves the gateway while a command runs',
  },
  run: { load: async () => (await import('./run.ts')).run, summary: 'plays scenario files' },
  record: {
    load: async () => (await import('./record.ts')).record,
    summary: 'writes what was done to a world as a scenario file',
  },
  trigger: {
    load: async () => (await import('./trigger.ts')).trigger,
    summary: 'fires a trigger on a record',
  },
  advance: { load: async () => (await import('./advance.ts')).advance, summary: 'moves the clock forward' },
  settle: { load: async () => (await import('./settle.ts')).settle, summary: 'waits until nothing is open' },
  tail: { load: async () => (await import('./tail.ts')).tail, summary: 'shows what happens, live' },
  explain: {
    load: async () => (await import('./explain.ts')).explain,
    summary: 'tells what happened to a record, in order',
  },
  deliveries: {
    load: async () => (await import('./deliveries.ts')).deliveries,
    summary: 'lists webhooks, or shows one',
  },
  resend: { load: async () => (await import('./resend.ts')).resend, summary: 'sends a webhook again' },
  world: {
    load: async () => (await import('./world.ts')).world,
    summary: 'lists, makes, forks, resets and deletes worlds',
  },
  snapshot: {
    load: async () => (await import('./snapshot.ts')).snapshot,
    summary: 'saves and restores a world',
  },
  export: {
    load: async () => (await import('./export.ts')).exportWorld,
    summary: 'takes a world out, as one JSON value',
  },
  import: {
    load: async () => (await import('./import.ts')).importWorld,
    summary: 'puts in a world that was taken out',
  },
  silences: {
    load: async () => (await import('./silences.ts')).silences,
    summary: 'shows and changes what the interface leaves open',
  },
  health: {
    load: async () => (await import('./health.ts')).health,
    summary: 'says whether a server takes calls',
  },
  doctor: { load: async () => (await import('./doctor.ts')).doctor, summary: 'finds out what is wrong' },
  guard: { load: async () => (await import('./guard.ts')).guard, summary: null },
}

function help(): string {
  const verbs = Object.entries(VERBS).flatMap(([verb, { summary }]) =>
    summary === null ? [] : [`  ${verb.padEnd(10)} ${summary}`],
  )
  return [
    'Usage: gateway-sandbox <verb> [options]',
    'Example: gateway-sandbox start --port 4848',
    '',
    ...verbs,
    '',
    "'gateway-sandbox <verb> --help' lists the options of a verb; '--version' says which version this is.",
    'Exit codes: 0; 1 a check failed, or the world or the server refused; 2 wrong usage.',
  ].join('\n')
}

async function runVerb([verb, ...args]: string[], ending: Ending | undefined): Promise<void> {
  if (verb === undefined || verb === '--help' || verb === '-h' || verb === 'help') {
    console.log(help())
    return
  }
  if (verb === '--version' || verb === '-v') {
    console.log(PACKAGE.version)
    return
  }
  const found = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined
  if (found) {
    const run = await found.load()
    await run(args, ending)
    return
  }
  const hint = guess(verb, Object.keys(VERBS))
  throw new UsageError(`No verb '${verb}'.${hint} See --help.`)
}

/** Exit code and line of something that went wrong; null for a defect. */
function failureOf(error: unknown): { code: 1 | 2; line: string } | null {
  if (error instanceof UsageError) return { code: 2, line: error.message }
  if (error instanceof Failure) return { code: 1, line: error.message }
  return error instanceof SandboxError ? { code: exitCodeOf(error), line: messageOf(error) } : null
}

/** Runs the verb that the arguments name; resolves once it is done, or goes on by itself. */
export async function runCommandLine(args: string[], ending: Ending | undefined): Promise<void> {
  // Whoever reads our output may stop reading, as `head` does; that is no defect.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  try {
    await runVerb(args, ending)
  } catch (error) {
    if (error instanceof ScenarioError) {
      // Lines that begin with file, line and column, as editors and terminals understand them.
      console.error(error.message)
      process.exitCode = 2
      return
    }
    const failure = failureOf(error)
    if (!failure) throw error
    console.error(`gateway-sandbox: ${oneLine(failure.line)}`)
    process.exitCode = failure.code
  }
}
