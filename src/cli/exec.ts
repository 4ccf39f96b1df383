// Owns the verb `exec`: serves the gateway while a command runs, and ends as the command did.
import { foregroundChild } from 'foreground-child'
import { startGuard } from './guard.ts'
import { DEFAULT_HOST } from '../address.ts'
import { createCaller } from '../client/call.ts'
import { tryPort } from './reach.ts'
import { codeOfSignal, firstSignalToEnd } from './signals.ts'
import { healthPort, serverOptionsOf, START_FLAGS, START_NOTES } from './startFlags.ts'
import { Failure, readCommand, UsageError } from './usage.ts'
import type { ChildProcess } from 'node:child_process'
import type { RunningServer, ServerOptions } from '../server.ts'

const COMMAND = {
  usage: 'exec [options] -- COMMAND [ARGUMENTS]',
  example: 'exec --env GATEWAY_URL={url}/v1 -- npm test',
  flags: {
    ...START_FLAGS,
    // Beside a server SANDBOX_PORT says where that one is, and that port is taken.
    port: { ...START_FLAGS.port, summary: 'port to listen on (a free one)', argumentOnly: true },
    record: {
      type: 'string',
      value: 'FILE',
      summary: 'file that gets what the default world saw, as a scenario, once the command ends',
      argumentOnly: true,
    },
    env: {
      type: 'string',
      value: 'NAME=TEXT',
      multiple: true,
      argumentOnly: true,
      summary: 'a variable for the command; {url} {publicKey} {secretKey} {world} are filled in',
    },
  },
  wordsOf: 'scenario',
  notes: [
    'The command finds SANDBOX_URL, SANDBOX_WORLD, SANDBOX_PUBLIC_KEY and SANDBOX_SECRET_KEY in its environment, and',
    'SANDBOX_CONTROL_TOKEN when there is one. It ends with the exit code or the signal of the command; 127 when there is no',
    'such command.',
    '--record keeps the default world only: tests that make worlds of their own leave nothing there. It says which worlds saw',
    "calls; 'record --world ID' writes one of them while its server runs. What the recording lacks changes no exit code.",
    'SANDBOX_PORT is not read here: the port is a free one unless --port names it. Only in the image it is the port that the',
    'health check asks, when nobody has it.',
    ...START_NOTES,
  ],
} as const

/** Exit codes of a shell for a command that is not there, and for one that cannot be run. */
const [NOT_FOUND, NOT_RUNNABLE] = [127, 126]

/** Runs `exec`; resolves once the command runs. */
export async function exec(args: string[], ending = firstSignalToEnd()): Promise<void> {
  const divider = args.indexOf('--')
  if (divider === -1 && !asksForHelp(args)) {
    const typed = args[0]?.startsWith('-') === false ? args.join(' ') : 'npm test'
    throw new UsageError(`exec needs -- before its command, such as: gateway-sandbox exec -- ${typed}.`)
  }
  const own = divider === -1 ? args : args.slice(0, divider)
  const read = readCommand(COMMAND, own)
  if (!read) return
  const [program, ...words] = divider === -1 ? [] : args.slice(divider + 1)
  if (program === undefined || program === '') {
    throw new UsageError('exec needs a command after --, such as: gateway-sandbox exec -- npm test.')
  }
  const templates = (read.flags.env ?? []).map(templateOf)
  await checkRecord(read.flags.record)
  const options = await serverOptionsOf({
    ...read.flags,
    port: read.flags.port ?? (await usualPort(read.flags.host)),
  })
  const { defaultWorldOf, serve } = await import('./serving.ts')
  const server = await serve(options)
  const { id, publicKey, secretKey } = defaultWorldOf(server)
  if (ending.told.aborted) {
    process.exitCode = codeOfSignal(ending.told.reason as NodeJS.Signals)
    return server.close()
  }
  const values = { url: server.url, publicKey, secretKey, world: id }
  const env = {
    ...process.env,
    SANDBOX_URL: server.url,
    SANDBOX_WORLD: id,
    SANDBOX_PUBLIC_KEY: publicKey,
    SANDBOX_SECRET_KEY: secretKey,
    ...(options.controlToken === undefined ? {} : { SANDBOX_CONTROL_TOKEN: options.controlToken }),
    ...Object.fromEntries(templates.map(({ name, text }) => [name, filled(text, values)])),
  }
  try {
    runCommand(server, [program, ...words], env, recorderFor(server, options, read.flags.record))
    // From here on the command gets every signal, and says when it ends.
    ending.leave()
  } catch (error) {
    await server.close()
    throw new Failure(`cannot run '${program}': ${error instanceof Error ? error.message : String(error)}.`)
  }
}

function asksForHelp(args: readonly string[]): boolean {
  return args[0]?.startsWith('-') === true && args.includes('--help')
}

/** A free port, which in the image is the one that the health check asks, unless somebody has it. */
async function usualPort(host = DEFAULT_HOST): Promise<string> {
  const asked = healthPort()
  return String(asked !== null && (await tryPort(host, asked)) === null ? asked : 0)
}

const PLACEHOLDERS = ['url', 'publicKey', 'secretKey', 'world'] as const
type Values = Record<(typeof PLACEHOLDERS)[number], string>

/** One `--env`, checked before anything is started. */
function templateOf(word: string): { name: string; text: string } {
  const [, name, text] = /^([^=]+)=([^]*)$/.exec(word) ?? []
  if (name === undefined || text === undefined) {
    throw new UsageError(`--env ${word} is no NAME=TEXT, such as GATEWAY_URL={url}/v1.`)
  }
  const known: readonly string[] = PLACEHOLDERS
  const stranger = [...text.matchAll(/\{(\w+)\}/g)].find(([, key = '']) => !known.includes(key))
  if (!stranger) return { name, text }
  throw new UsageError(
    `--env ${word}: ${stranger[0]} is not filled in; there are ${PLACEHOLDERS.map((key) => `{${key}}`).join(' ')}.`,
  )
}

function filled(text: string, values: Values): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, key: string) => values[key as keyof Values])
}

/** Says at once, not only when the command has ended, that a recording could not be written. */
async function checkRecord(file: string | undefined): Promise<void> {
  if (file === undefined) return
  const { checkFile } = await import('./record.ts')
  await checkFile(file)
}

/** Writes what the default world saw; answers whether it could. Nothing without a file. */
function recorderFor(
  server: RunningServer,
  { controlToken }: ServerOptions,
  file: string | undefined,
): () => Promise<boolean> {
  return async () => {
    if (file === undefined) return true
    const { recordingOf, save } = await import('./record.ts')
    try {
      const caller = createCaller(server.url, (request) => server.fetch(request), controlToken ?? undefined)
      tellOtherWorlds(server)
      const { text } = await recordingOf(caller, 'default', undefined)
      await save(file, text)
      return true
    } catch (error) {
      console.error(`gateway-sandbox: ${error instanceof Error ? error.message : String(error)}`)
      return false
    }
  }
}

/** Says on standard error which worlds saw calls that are not in the recording, and that it is empty. */
function tellOtherWorlds({ worlds }: RunningServer): void {
  const saw = worlds.list().filter(({ exchanges }) => exchanges.list().length > 0)
  const others = saw.filter((world) => world !== worlds.default).map(({ id }) => id)
  const isEmpty = saw.length === others.length && worlds.default.commands.list().length === 0
  const left = others.length === 0 ? '' : ` Calls to ${others.join(', ')} are not in it.`
  if (isEmpty || left !== '') {
    const what = isEmpty
      ? 'nothing was done to the default world, so its recording is empty'
      : 'only the default world is recorded'
    console.error(`gateway-sandbox: ${what}.${left}`)
  }
}

/**
 * Runs a command in our place: it has our terminal and gets our signals, and we end as it does.
 * @param record is done when it has ended; a command that succeeded ends with 1 when this fails
 */
function runCommand(
  server: RunningServer,
  [program, ...words]: [string, ...string[]],
  env: NodeJS.ProcessEnv,
  record: () => Promise<boolean>,
): void {
  let failed: number | null = null
  const child: ChildProcess = foregroundChild(program, words, { env }, async (code, signal) => {
    guard?.end()
    const isRecorded = await record()
    await server.close()
    if (failed !== null) return failed
    if (!isRecorded && code === 0) return 1
    // Its own signal does not end the first process of a container.
    return signal !== null && process.pid === 1 ? codeOfSignal(signal) : undefined
  })
  child.on('error', (error: NodeJS.ErrnoException) => {
    if (child.pid !== undefined) return
    failed = error.code === 'ENOENT' ? NOT_FOUND : NOT_RUNNABLE
    const reason = error.code === 'ENOENT' ? 'there is no such command' : (error.code ?? error.message)
    console.error(`gateway-sandbox: cannot run '${program}': ${reason}.`)
  })
  const guard = child.pid === undefined ? null : startGuard(child.pid)
}
