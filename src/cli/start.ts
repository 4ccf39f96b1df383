// Owns the verb `start`: serves the gateway until it is told to stop.
import { facts } from './print.ts'
import { firstSignalToEnd } from './signals.ts'
import { healthPort, serverOptionsOf, specialtiesOf, START_FLAGS, START_NOTES } from './startFlags.ts'
import { readCommand } from './usage.ts'
import { PACKAGE } from '../version.ts'
import type { RunningServer, ServerOptions } from '../server.ts'
import type { defaultWorldOf } from './serving.ts'

const COMMAND = {
  usage: 'start [options]',
  example: 'start --clock 2030-01-01T12:00:00Z --seed monday',
  flags: {
    ...START_FLAGS,
    json: { type: 'boolean', summary: 'prints one line of JSON once it listens' },
  },
  wordsOf: 'scenario',
  notes: START_NOTES,
} as const

type DefaultWorld = ReturnType<typeof defaultWorldOf>

/** Runs `start`; resolves once it listens. */
export async function start(args: string[], ending = firstSignalToEnd()): Promise<void> {
  const read = readCommand(COMMAND, args)
  if (!read) return
  const { told } = ending
  const options = await serverOptionsOf(read.flags)
  const { defaultWorldOf: worldOf, serve } = await import('./serving.ts')
  const server = await serve(options)
  told.addEventListener('abort', () => void server.close())
  if (told.aborted) return server.close()
  const world = worldOf(server)
  const asked = healthPort()
  if (asked !== null && options.port !== asked) {
    console.error(
      `gateway-sandbox: the health check of this image asks port ${asked}: set SANDBOX_PORT instead of --port.`,
    )
  }
  console.log(read.flags.json ? machineLine(server, world) : greeting(server, world, options))
}

function machineLine({ url, names }: RunningServer, world: DefaultWorld): string {
  return JSON.stringify({
    ...world,
    ...(Object.keys(names).length === 0 ? {} : { names }),
    control: `${url}/_sandbox`,
    dashboard: `${url}/_sandbox/ui`,
    version: PACKAGE.version,
  })
}

function greeting(
  { url, worlds, names }: RunningServer,
  world: DefaultWorld,
  options: ServerOptions,
): string {
  const { clock, publicKey, secretKey } = world
  const lines = facts({
    'public key': publicKey,
    'secret key': secretKey,
    clock: `${clock.mode} at ${clock.now}`,
    seed: worlds.seed,
    ...specialtiesOf(options),
    ...givenFacts(names),
    dashboard: `${url}/_sandbox/ui`,
    control: `${url}/_sandbox`,
    reference: `${url}/openapi.json`,
  })
  return `gateway-sandbox ${PACKAGE.version} listens on ${url}\n${lines.replaceAll(/^/gm, '  ')}`
}

/** The named records of scenario files, by id or public key; secrets are only for machines. */
function givenFacts(names: RunningServer['names']): Record<string, string> {
  const given = Object.entries(names).map(
    ([name, record]) => `${name} ${'publicKey' in record ? record.publicKey : record.id}`,
  )
  return given.length === 0 ? {} : { given: given.join(', ') }
}
