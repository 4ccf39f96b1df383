// Owns the verb `start`: serves the gateway until it is told to stop.
import { worldOut } from '../control/worldRoutes.ts'
import { VERSION } from '../app.ts'
import { DEFAULT_HOST, DEFAULT_PORT, startServer } from '../server.ts'
import { parseClockStart } from '../world/clockStart.ts'
import { Misuse } from '../world/misuse.ts'
import { helpOf, readFlags, UsageError } from './usage.ts'
import type { RunningServer, ServerOptions } from '../server.ts'
import type { Flag, FlagValues } from './usage.ts'

const FLAGS = {
  port: {
    type: 'string',
    value: 'N',
    summary: `port to listen on, 1 to 65535, or 0 for a free one (${DEFAULT_PORT})`,
  },
  host: { type: 'string', value: 'ADDRESS', summary: `address to listen on (${DEFAULT_HOST})` },
  clock: {
    type: 'string',
    value: 'CLOCK',
    summary: 'flowing, frozen, an instant, or flowing@INSTANT (flowing)',
  },
  seed: { type: 'string', value: 'TEXT', summary: 'seed of chance, for runs that repeat (random)' },
  'public-url': { type: 'string', value: 'URL', summary: 'address that links name (the one listened on)' },
  'control-token': { type: 'string', value: 'TOKEN', summary: 'asks for this token at /_sandbox' },
  json: { type: 'boolean', summary: 'prints one line of JSON once it listens' },
  data: { type: 'string', value: 'FILE', summary: 'not built yet' },
  scenario: { type: 'string', value: 'FILE', summary: 'not built yet' },
  auto: { type: 'string', value: 'RULE', summary: 'not built yet' },
  help: { type: 'boolean', summary: 'shows this' },
} as const satisfies Record<string, Flag>

const NOT_BUILT = ['data', 'scenario', 'auto'] as const

/** Runs `start`; resolves once it listens. */
export async function start(args: string[]): Promise<void> {
  const flags = readFlags(FLAGS, args, process.env)
  if (flags.help) {
    console.log(helpOf('gateway-sandbox start [options]', FLAGS))
    return
  }
  const server = await listen(optionsOf(flags))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.close())
  console.log(flags.json ? machineLine(server) : greeting(server))
}

function optionsOf(flags: FlagValues<typeof FLAGS>): ServerOptions {
  for (const name of NOT_BUILT) {
    if (flags[name] !== undefined) throw new UsageError(`--${name} is not built yet.`)
  }
  const port = Number(flags.port ?? DEFAULT_PORT)
  if (!/^\d{1,5}$/.test(flags.port ?? '0') || port > 65_535) {
    throw new UsageError(`--port ${JSON.stringify(flags.port)} is no port; use 0 to 65535.`)
  }
  const publicUrl = flags['public-url']?.replace(/\/+$/, '')
  if (publicUrl !== undefined && !(/^https?:/i.test(publicUrl) && URL.canParse(publicUrl))) {
    throw new UsageError(`--public-url ${publicUrl} is no address; use one such as http://gateway.test:4848.`)
  }
  try {
    return {
      port,
      host: flags.host,
      clock: flags.clock === undefined ? undefined : parseClockStart(flags.clock),
      seed: flags.seed,
      controlToken: flags['control-token'],
      publicUrl,
    }
  } catch (error) {
    if (error instanceof Misuse) throw new UsageError(`--clock: ${error.message}`)
    throw error
  }
}

async function listen(options: ServerOptions): Promise<RunningServer> {
  try {
    return await startServer(options)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const where = `${options.host ?? DEFAULT_HOST}:${options.port ?? DEFAULT_PORT}`
    if (code === 'EADDRINUSE') {
      throw new UsageError(`${where} is in use; choose another --port, or 0 for a free one.`)
    }
    if (code === 'EADDRNOTAVAIL' || code === 'EACCES' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
      throw new UsageError(`cannot listen on ${where}: ${code}.`)
    }
    throw error
  }
}

function machineLine({ url, worlds }: RunningServer): string {
  return JSON.stringify({
    ...worldOut(worlds.default),
    control: `${url}/_sandbox`,
    dashboard: null,
    version: VERSION,
  })
}

function greeting({ url, worlds }: RunningServer): string {
  const { clock, publicKey, secretKey } = worldOut(worlds.default)
  return [
    `gateway-sandbox ${VERSION} listens on ${url}`,
    `  public key  ${publicKey}`,
    `  secret key  ${secretKey}`,
    `  clock       ${clock.mode} at ${clock.now}`,
    `  seed        ${worlds.seed}`,
    `  control     ${url}/_sandbox`,
    `  reference   ${url}/openapi.json`,
  ].join('\n')
}
