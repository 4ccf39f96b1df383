#!/usr/bin/env node
// Owns the command line: finds the verb, runs it, and turns wrong usage into one clear line and exit code 2.
import { closest } from '../kernel/closest.ts'
import { start } from './start.ts'
import { UsageError } from './usage.ts'

/** Each verb with what it does. */
const VERBS: Record<string, { run: (args: string[]) => Promise<void>; summary: string }> = {
  start: { run: start, summary: 'serves the gateway' },
}

/** Verbs that are planned and that this version does not have. */
const NOT_BUILT = [
  'exec',
  'run',
  'trigger',
  'advance',
  'settle',
  'tail',
  'deliveries',
  'resend',
  'world',
  'snapshot',
  'silences',
  'health',
  'doctor',
  'explain',
]

function help(): string {
  const verbs = Object.entries(VERBS).map(([verb, { summary }]) => `  ${verb.padEnd(10)} ${summary}`)
  return [
    'Usage: gateway-sandbox <verb> [options]',
    '',
    ...verbs,
    '',
    `Not built yet: ${NOT_BUILT.join(', ')}.`,
    "'gateway-sandbox <verb> --help' lists the options of a verb.",
  ].join('\n')
}

async function main([verb, ...args]: string[]): Promise<void> {
  if (verb === undefined || verb === '--help' || verb === '-h') {
    console.log(help())
    return
  }
  const known = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined
  if (known) return known.run(args)
  if (NOT_BUILT.includes(verb)) {
    throw new UsageError(`'${verb}' is not built yet; the control API at /_sandbox can do it.`)
  }
  const near = closest(verb, [...Object.keys(VERBS), ...NOT_BUILT])
  throw new UsageError(`No verb '${verb}'.${near === null ? '' : ` Did you mean '${near}'?`} See --help.`)
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(`gateway-sandbox: ${error.message}`)
  process.exitCode = 2
}
