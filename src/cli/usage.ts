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

/** Asks whether somebody meant the nearest of the known words, such as ` Did you mean '--port'?`; empty when none is near. */
export function guess(typed: string, known: readonly string[], prefix = ''): string {
  const near = closest(typed, known)
  return near === null ? '' : ` Did you mean '${prefix}${near}'?`
}

/** One flag of a verb. Each is also `SANDBOX_<FLAG>` in the environment. */
export interface Flag {
  type: 'string' | 'boolean'
  summary: string
  /** What the value looks like, for the help. */
  value?: string
  /** Whether it can be given more than once; the environment names one value a line. */
  multiple?: true
  /** What separates values in the environment besides the end of a line. */
  separator?: string
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
  /** A flag that words are further values of, once it is given: so a shell hands over a glob. */
  wordsOf?: keyof F & string
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
  const fromEnvironment = environmentOf(all)
  const { words: most = 0, wordsOf = '' } = command
  const { values, positionals } = parsed(all, args, most > 0 || wordsOf !== '')
  const given = values[wordsOf]
  if (Array.isArray(given)) values[wordsOf] = [...(given as unknown[]), ...positionals.splice(most)]
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
  const stray = positionals[most]
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

/**
 * What the environment says of a flag; undefined where it says nothing. Kubernetes sets a `SANDBOX_PORT` of its own for a
 * Service that is named `sandbox`, such as `tcp://10.0.0.1:4848`, which says nothing to us.
 */
export function variableOf(flag: string): string | undefined {
  const text = process.env[variableNameOf(flag)] ?? ''
  if (text === '' || (flag === 'port' && /^(?:tcp|udp|sctp):\/\//.test(text))) return undefined
  return text
}

function variableNameOf(flag: string): string {
  return `SANDBOX_${flag.toUpperCase().replaceAll('-', '_')}`
}

function environmentOf(flags: Record<string, Flag>): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  for (const [name, { type, multiple, separator = '\n', argumentOnly }] of Object.entries(flags)) {
    const text = argumentOnly ? undefined : variableOf(name)
    if (text === undefined) continue
    if (type === 'boolean') found[name] = text !== '0' && text !== 'false'
    else found[name] = multiple ? text.replaceAll(separator, '\n').split('\n').filter(Boolean) : text
  }
  return found
}

function explain(error: unknown, known: string[]): string {
  const whole = error instanceof Error ? error.message : String(error)
  const message = whole.split(/\n|\. To specify/)[0]?.replace(/\.$/, '') ?? whole
  const unknown = /Unknown option '-+([^']+)'/.exec(message)?.[1]
  return `${message}.${unknown === undefined ? '' : guess(unknown, known, '--')} See --help.`
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
    ...variablesHelpOf(flags),
  ].join('\n')
}

/** Which flags are variables too. */
function variablesHelpOf(flags: Record<string, Flag>): string[] {
  const names = Object.keys(flags).filter((name) => name !== 'help')
  const typed = names.filter((name) => flags[name]?.argumentOnly)
  const example = names.find((name) => !typed.includes(name)) ?? 'url'
  const also = `Each flag is also an environment variable, such as ${variableNameOf(example)}`
  if (typed.length === 0) return [`${also}.`]
  const list = typed.map((name) => `--${name}`).join(', ')
  return [`Only as an argument, never from the environment: ${list}.`, `${also}, but for these.`]
}

/**
 * Splits words such as `amount=500` into names and texts.
 * @throws {UsageError} for a word without a name and `=`
 */
export function pairsOf(words: string[], example: string): [name: string, text: string][] {
  return words.map((word) => {
    const [, name, text] = /^([^=]+)=([^]*)$/.exec(word) ?? []
    if (name !== undefined && text !== undefined) return [name, text]
    throw new UsageError(`'${word}' is no name=value, such as ${example}.`)
  })
}

/** A value that is JSON as JSON, and any other as text. */
export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
