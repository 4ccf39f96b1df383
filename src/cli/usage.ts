// Owns wrong usage of the command line, and reading flags from arguments and environment.
import { parseArgs } from 'node:util'
import { closest } from '../kernel/closest.ts'

/** Wrong usage: one clear line and exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** A check that failed, or something that the world or the server refused: one clear line and exit code 1. */
export class Failure extends Error {
  override readonly name = 'Failure'
}

/** One flag of a verb. Each is also `SANDBOX_<FLAG>` in the environment. */
export interface Flag {
  type: 'string' | 'boolean'
  summary: string
  /** What the value looks like, for the help. */
  value?: string
  /** Whether it can be given more than once; the environment names one value a line. */
  multiple?: true
  /** Not read from the environment. */
  argumentOnly?: true
}

type Value<F extends Flag> = F['type'] extends 'boolean'
  ? boolean
  : F extends { multiple: true }
    ? string[]
    : string

/** Values by flag; missing where neither arguments nor environment name one. */
export type FlagValues<F extends Record<string, Flag>> = { [Name in keyof F]?: Value<F[Name]> }

/** What a verb takes. */
export interface Command<F extends Record<string, Flag>> {
  /** Without the name of the program, such as `advance [DURATION] [options]`. */
  usage: string
  /** A command that works as it stands. */
  example: string
  flags: F
  /** Most words besides flags; none when left out. */
  words?: number
  /** Further lines of the help. */
  notes?: readonly string[]
}

/**
 * Reads the flags and words of a verb. Arguments win over the environment. Prints the help and answers null when it is asked for.
 * @throws {UsageError} for an unknown flag, a missing value or a stray argument
 */
export function readCommand<const F extends Record<string, Flag>>(
  command: Command<F>,
  args: string[],
): { flags: FlagValues<F>; words: string[] } | null {
  const all: Record<string, Flag> = { ...command.flags, help: HELP }
  const fromEnvironment = environmentOf(all, process.env)
  const { values, positionals } = parsed(all, args, (command.words ?? 0) > 0)
  const found: Record<string, unknown> = { ...fromEnvironment, ...values }
  if (found['help'] === true) {
    console.log(helpOf(command, all))
    return null
  }
  const empty = Object.keys(found).find((name) => [found[name]].flat().includes(''))
  if (empty !== undefined) {
    throw new UsageError(
      `--${empty} is empty; it is the ${all[empty]?.summary ?? 'value'}. Leave it out or give it one.`,
    )
  }
  const stray = positionals[command.words ?? 0]
  if (stray !== undefined) throw new UsageError(`Unexpected argument '${stray}'. See --help.`)
  return { flags: found as FlagValues<F>, words: positionals }
}

const HELP: Flag = { type: 'boolean', summary: 'shows this', argumentOnly: true }

function parsed(
  flags: Record<string, Flag>,
  args: string[],
  allowPositionals: boolean,
): { values: Record<string, unknown>; positionals: string[] } {
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, { type, multiple = false }]) => [name, { type, multiple }]),
  )
  try {
    return parseArgs({ args, options, strict: true, allowPositionals })
  } catch (error) {
    throw new UsageError(explain(error, Object.keys(flags)))
  }
}

function environmentOf(flags: Record<string, Flag>, environment: NodeJS.ProcessEnv): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  for (const [name, { type, multiple, argumentOnly }] of Object.entries(flags)) {
    const text = environment[`SANDBOX_${name.toUpperCase().replaceAll('-', '_')}`]
    if (text === undefined || text === '' || argumentOnly) continue
    if (type === 'boolean') found[name] = text !== '0' && text !== 'false'
    else found[name] = multiple ? text.split('\n').filter((line) => line !== '') : text
  }
  return found
}

function explain(error: unknown, known: string[]): string {
  const whole = error instanceof Error ? error.message : String(error)
  const message = whole.split(/\n|\. To specify/)[0]?.replace(/\.$/, '') ?? whole
  const unknown = /Unknown option '-+([^']+)'/.exec(message)?.[1]
  const near = unknown === undefined ? null : closest(unknown, known)
  return `${message}.${near === null ? '' : ` Did you mean '--${near}'?`} See --help.`
}

function helpOf<F extends Record<string, Flag>>(
  { usage, example, notes = [] }: Command<F>,
  flags: Record<string, Flag>,
): string {
  const lines = Object.entries(flags).map(([name, { value, summary }]) => {
    const flag = value === undefined ? `--${name}` : `--${name} ${value}`
    return `  ${flag.padEnd(26)} ${summary}`
  })
  return [
    `Usage: gateway-sandbox ${usage}`,
    `Example: gateway-sandbox ${example}`,
    '',
    ...lines,
    '',
    ...notes,
    'Each flag is also an environment variable, such as SANDBOX_PORT.',
  ].join('\n')
}

/**
 * Reads words such as `amount=500`. A value that is JSON is taken as JSON, and any other as text.
 * @throws {UsageError} for a word without a name and `=`
 */
export function readPairs(words: string[], example: string): Record<string, unknown> {
  return Object.fromEntries(
    words.map((word): [string, unknown] => {
      const [, name, text] = /^([^=]+)=([^]*)$/.exec(word) ?? []
      if (name === undefined || text === undefined) {
        throw new UsageError(`'${word}' is no name=value, such as ${example}.`)
      }
      return [name, jsonOrText(text)]
    }),
  )
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
