// Owns the verb `import`: puts a world that was taken out into a running server.
import { SandboxError } from '../client/errors.ts'
import { readText } from '../world/disk.ts'
import { connect, CONNECT_FLAGS } from './connect.ts'
import { printAnswer } from './print.ts'
import { readCommand, UsageError } from './usage.ts'
import type { CallInput, RouteAnswer } from '../client/call.ts'
import type { Connection } from './connect.ts'

const COMMAND = {
  usage: 'import FILE [options]',
  example: 'import shop.json --world shop',
  flags: CONNECT_FLAGS,
  words: 1,
  notes: [
    'Takes the place of what the world remembers; a world that is not there is made. It keeps its own keys: added',
    'credentials get new pairs, which are printed.',
  ],
}

/** Runs `import`. */
export async function importWorld(args: string[]): Promise<void> {
  const read = readCommand(COMMAND, args)
  if (!read) return
  const [file] = read.words
  if (file === undefined) throw new UsageError('import needs the name of a file that export wrote.')
  const body = await readWorld(file)
  const connection = await connect(read.flags)
  const answer = await putIn(connection, body)
  printAnswer(read.flags.json, answer, () =>
    [
      `world ${answer.id} is ${file}, at ${answer.clock.now}`,
      ...answer.credentials.map(({ publicKey, secretKey }) => `${publicKey} ${secretKey}`),
    ].join('\n'),
  )
}

type World = NonNullable<CallInput<'POST /import'>['body']>

async function readWorld(file: string): Promise<World> {
  try {
    return JSON.parse(await readText(file)) as World
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}.`)
  }
}

async function putIn({ caller, world }: Connection, body: World): Promise<RouteAnswer<'POST /import'>> {
  try {
    return await caller.send(world, 'POST /import', { body })
  } catch (error) {
    if (!(error instanceof SandboxError) || error.code !== 'sandbox_not_found') throw error
    await caller.send(null, 'POST /worlds', { body: { id: world } })
    try {
      return await caller.send(world, 'POST /import', { body })
    } catch (refusal) {
      await caller.send(null, 'DELETE /worlds/{world}', { params: { world } })
      throw refusal
    }
  }
}
