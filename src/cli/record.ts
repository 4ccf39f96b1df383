// Owns the verb `record`: writes what was done to a world of a running server as a scenario file.
import { createWorldHandle } from '../client/world.ts'
import { recordScenario } from '../recorder/record.ts'
import { writeText } from '../world/disk.ts'
import { ADDRESS_FLAGS, connect, CONNECT_FLAGS } from './connect.ts'
import { Failure, readCommand } from './usage.ts'
import type { ControlCaller } from '../client/call.ts'

const COMMAND = {
  usage: 'record [options]',
  example: 'record --out paid.yaml --name "a customer pays"',
  flags: {
    out: { type: 'string', value: 'FILE', summary: 'file to write (standard output)', argumentOnly: true },
    name: {
      type: 'string',
      value: 'TEXT',
      summary: 'name of the scenario (named after the world)',
      argumentOnly: true,
    },
    ...ADDRESS_FLAGS,
    world: CONNECT_FLAGS.world,
  },
  notes: [
    'It writes what was done to the world since it was made or reset: the calls with their answers, triggers, faults, time, and how',
    "the receivers of webhooks answered. 'run' plays it. What a scenario cannot say is told on standard error and in the file.",
  ],
} as const

/** Runs `record`. */
export async function record(args: string[]): Promise<void> {
  const read = readCommand(COMMAND, args)
  if (!read) return
  const { out, name, ...values } = read.flags
  const { caller, world } = await connect(values)
  const text = await recordingOf(caller, world, name)
  if (out === undefined) process.stdout.write(text)
  else await save(out, text)
}

/**
 * What was done to a world, as the text of a scenario. Tells on standard error what it lacks.
 * @throws {SandboxError} `not_recordable`, or a refusal of the server
 */
export async function recordingOf(
  caller: ControlCaller,
  world: string,
  name: string | undefined,
): Promise<string> {
  const facts = await caller.send(null, 'GET /worlds/{world}', { params: { world } })
  return recordScenario(createWorldHandle(caller, facts), {
    ...(name === undefined ? {} : { name }),
    warn: (text) => console.error(`gateway-sandbox: ${text}`),
  })
}

/**
 * Writes a file.
 * @throws {Failure} when it cannot be written
 */
export async function save(file: string, text: string): Promise<void> {
  try {
    await writeText(file, text)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Failure(`cannot write ${file}: ${code ?? String(error)}.`)
  }
}
