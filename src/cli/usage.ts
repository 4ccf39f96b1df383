// Owns wrong usage of the command line, and reading flags from arguments and environment.
import { parseArgs } from 'node:util'
import { closest } from '../kernel/closest.ts'

/** Wrong usage: one clear line and exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** One flag of a verb. Each is also `SANDBOX_<FLAG>` in the environment. */
export interface Flag {
  type: 'string' | 'boolean'
  summary: string
  /** What the value looks like, for the help. */
  value?: string
}

/** Values by flag; missing where neither arguments nor environment name one. */
export type FlagValues<F extends Record<string, Flag>> = {
  [Name in keyof F]?: F[Name]['type'] extends 'boolean' ? boolean : string
}

/**
 * Reads the flags of a verb. Arguments win over the environment.
 * @throws {UsageError} for an unknown flag, a missing value or a stray argument
 */
export function readFlags<const F extends Record<string, Flag>>(
  flags: F,
  args: string[],
  environment: NodeJS.ProcessEnv,
): FlagValues<F> {
  const options = Object.fromEntries(Object.entries(flags).map(([name, { type }]) => [name, { type }]))
  const fromEnvironment = Object.entries(flags).flatMap(([name, { type }]) => {
    const text = environment[`SANDBOX_${name.toUpperCase().replaceAll('-', '_')}`]
    if (text === undefined || text === '') return []
    return [[name, type === 'boolean' ? text !== '0' && text !== 'false' : text]]
  })
  try {
    const { values } = parseArgs({ args, options, strict: true, allowPositionals: false })
    const found: Record<string, unknown> = {
      ...Object.fromEntries<unknown>(fromEnvironment as [string, unknown][]),
      ...values,
    }
    const empty = Object.keys(found).find((name) => found[name] === '')
    if (empty !== undefined) {
      throw new UsageError(
        `--${empty} is empty; it is the ${flags[empty]?.summary ?? 'value'}. Leave it out or give it one.`,
      )
    }
    return found as FlagValues<F>
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(explain(error, Object.keys(flags)))
  }
}

function explain(error: unknown, known: string[]): string {
  const whole = error instanceof Error ? error.message : String(error)
  const message = whole.split(/\n|\. To specify/)[0]?.replace(/\.$/, '') ?? whole
  const unknown = /Unknown option '-+([^']+)'/.exec(message)?.[1]
  const near = unknown === undefined ? null : closest(unknown, known)
  return `${message}.${near === null ? '' : ` Did you mean '--${near}'?`} See --help.`
}

/** The help of a verb. */
export function helpOf(usage: string, flags: Record<string, Flag>): string {
  const lines = Object.entries(flags).map(([name, { value, summary }]) => {
    const flag = value === undefined ? `--${name}` : `--${name} ${value}`
    return `  ${flag.padEnd(26)} ${summary}`
  })
  return [
    `Usage: ${usage}`,
    '',
    ...lines,
    '',
    'Each flag is also an environment variable, such as SANDBOX_PORT.',
  ].join('\n')
}
