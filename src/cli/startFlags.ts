// Owns the flags that tell a server how to serve, as `start` and `exec` take them.
import { delimiter } from 'node:path'
import { formatDuration, parseDuration } from '../kernel/time.ts'
import { parseClockStart } from '../world/clockStart.ts'
import { VARIATION_NAMES } from '../contract/variations.ts'
import {
  checkCallbackAllow,
  checkPublicUrl,
  checkRewriteHost,
  checkSeed,
  checkToken,
} from '../world/hostOptions.ts'
import { Misuse } from '../world/misuse.ts'
import { variationOf } from '../world/variation.ts'
import { DEFAULT_PORT } from '../address.ts'
import { UsageError, variableOf } from './usage.ts'
import { checked, portOf } from './values.ts'
import type { ServerOptions } from '../server.ts'
import type { Millis } from '../kernel/brands.ts'
import type { Flag, FlagValues } from './usage.ts'

/** Flags that tell a server how to serve. */
export const START_FLAGS = {
  port: {
    type: 'string',
    value: 'N',
    summary: `port to listen on, 1 to 65535, or 0 for a free one (${DEFAULT_PORT})`,
  },
  host: { type: 'string', value: 'ADDRESS', summary: 'address to listen on (127.0.0.1)' },
  clock: {
    type: 'string',
    value: 'CLOCK',
    summary: 'flowing, frozen, an instant, or flowing@INSTANT (flowing)',
  },
  seed: { type: 'string', value: 'TEXT', summary: 'seed of chance, for runs that repeat (random)' },
  silences: {
    type: 'string',
    value: 'JSON',
    summary: `choices of the default world, such as '{"WH-04":"firstAttempt"}'`,
  },
  auto: {
    type: 'string',
    value: 'RULE',
    summary: 'confirm=3s pays transactions by themselves, 3 s after they were made',
  },
  vary: {
    type: 'string',
    value: 'SEED',
    summary: 'varies what the interface does not promise, such as the order of fields',
  },
  'vary-without': {
    type: 'string',
    value: 'NAMES',
    summary: `what --vary leaves as it is, with commas: ${VARIATION_NAMES.join(',')}`,
  },
  'rewrite-localhost': {
    type: 'string',
    value: 'HOST',
    summary: 'host that localhost in a callbackUrl means, such as host.docker.internal',
  },
  'callback-allow': {
    type: 'string',
    value: 'HOST...',
    multiple: true,
    separator: ',',
    summary: 'only these take webhooks, with commas: host, *.suffix, host:port, IP, CIDR, loopback, private',
  },
  'public-url': { type: 'string', value: 'URL', summary: 'address that links name (the one listened on)' },
  'control-token': { type: 'string', value: 'TOKEN', summary: 'asks for this token at /_sandbox' },
  data: { type: 'string', value: 'FILE', summary: 'file that keeps the worlds, which go on from it' },
  fsync: {
    type: 'boolean',
    summary: 'with --data, answers wait for the disk itself: safe against the death of the machine',
  },
  scenario: {
    type: 'string',
    value: 'FILE...',
    multiple: true,
    separator: delimiter,
    summary: 'files that set up the default world as scenarios; none of their steps is played',
  },
} as const satisfies Record<string, Flag>

/** Values of the flags above. */
export type StartValues = FlagValues<typeof START_FLAGS>

/** Notes of the verbs that take the flags above. */
export const START_NOTES = [
  'A scenario is a file, a folder of them, or a glob; YAML or JSON. Its clock, seed, silences, given and rules count where no',
  "flag says otherwise. SANDBOX_SCENARIO names several with ':' between them, on Windows with ';'.",
] as const

/**
 * What a server is told by these flags. Says on standard error which steps are left out.
 * @throws {UsageError} for a value that cannot be
 * @throws {ScenarioError} for a file that is no scenario
 */
export async function serverOptionsOf(flags: StartValues): Promise<ServerOptions> {
  if (flags.fsync && flags.data === undefined) throw new UsageError('--fsync goes with --data FILE.')
  return {
    data: flags.data,
    fsync: flags.fsync,
    port: portOf(flags.port),
    host: flags.host,
    clock: checked('clock', flags.clock, parseClockStart),
    seed: checked('seed', flags.seed, checkSeed),
    silences: silencesOf(flags.silences),
    autoConfirm: autoConfirmOf(flags.auto),
    vary: varyOf(flags.vary, flags['vary-without']),
    rewriteLocalhost: checked('rewrite-localhost', flags['rewrite-localhost'], checkRewriteHost),
    callbackAllow: allowOf(flags['callback-allow']),
    publicUrl: checked('public-url', flags['public-url'], checkPublicUrl),
    controlToken: checked('control-token', flags['control-token'], checkToken),
    scenarios: await scenariosTold(flags.scenario),
  }
}

/** Receivers that were named one by one or with commas, or both. */
function allowOf(texts: string[] | undefined): string[] | undefined {
  const named = texts?.flatMap((text) => text.split(',')).map((text) => text.trim())
  checked('callback-allow', named, checkCallbackAllow)
  return named
}

async function scenariosTold(paths: string[] | undefined): Promise<ServerOptions['scenarios']> {
  if (paths === undefined) return undefined
  // Loaded when it is needed: a server without files starts sooner.
  const { scenariosOf } = await import('./scenarioFiles.ts')
  const scenarios = await scenariosOf(paths, { emptyFolders: true })
  const withSteps = scenarios.filter(({ steps }) => steps.length > 0).map(({ file }) => file)
  if (withSteps.length > 0) {
    console.error(
      `gateway-sandbox: left out the steps of ${withSteps.join(', ')}; 'gateway-sandbox run' plays them.`,
    )
  }
  return scenarios
}

/** The port that the health check of the image asks; null outside the image. */
export function healthPort(): number | null {
  return process.env['SANDBOX_IMAGE'] === '1' ? portOf(variableOf('port'), 'SANDBOX_PORT') : null
}

function silencesOf(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined) return undefined
  let value: unknown = null
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new UsageError(
      `--silences is no JSON: ${error instanceof Error ? error.message : String(error)}. Quote it as one argument.`,
    )
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>
  }
  throw new UsageError(
    `--silences ${text} is no JSON object of choices by id; 'gateway-sandbox silences' lists them.`,
  )
}

function autoConfirmOf(text: string | undefined): Millis | undefined {
  if (text === undefined) return undefined
  const [, rule = text, wait = ''] = /^([^=]*)=(.*)$/.exec(text) ?? []
  if (rule !== 'confirm') {
    throw new UsageError(`--auto ${text}: only 'confirm' can happen by itself, such as --auto confirm=3s.`)
  }
  const length = parseDuration(wait)
  if (length !== null) return length
  throw new UsageError(`--auto ${text}: '${wait}' is no duration; use such as confirm=3s, 500ms or 2m.`)
}

function varyOf(seed: string | undefined, names: string | undefined): ServerOptions['vary'] {
  if (seed === undefined) {
    if (names !== undefined) throw new UsageError('--vary-without goes with --vary SEED.')
    return undefined
  }
  const without = names?.split(',').map((name) => name.trim())
  try {
    variationOf(seed, without)
  } catch (error) {
    if (error instanceof Misuse) throw new UsageError(`--vary-without: ${error.message}`)
    throw error
  }
  return { seed, without }
}

/** What happens by itself or elsewhere than an address says, in words, by name; empty when nothing does. */
export function specialtiesOf({
  autoConfirm,
  data,
  rewriteLocalhost,
  callbackAllow,
  vary,
  scenarios = [],
}: ServerOptions): Record<string, string> {
  return {
    ...(data === undefined ? {} : { data }),
    ...(scenarios.length === 0 ? {} : { scenarios: scenarios.map(({ file }) => file).join(', ') }),
    ...(autoConfirm === undefined
      ? {}
      : { auto: `transactions are paid by themselves after ${formatDuration(autoConfirm)}` }),
    ...(vary === undefined
      ? {}
      : { varies: `${variationOf(vary.seed, vary.without).names.join(', ')} (seed ${vary.seed})` }),
    ...(rewriteLocalhost === undefined ? {} : { localhost: `means ${rewriteLocalhost} in a callbackUrl` }),
    ...(callbackAllow === undefined ? {} : { webhooks: `only to ${callbackAllow.join(', ')}` }),
  }
}
