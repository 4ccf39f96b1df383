// Owns the verb `record`: writes what was done to a world of a running server as a scenario file.
import { createWorldHandle } from '../client/world.ts'
import { recordScenario } from '../recorder/record.ts'
import { isMissing } from '../recorder/recording.ts'
import { checkWritable, writeText } from '../world/disk.ts'
import { ADDRESS_FLAGS, connect, CONNECT_FLAGS } from './connect.ts'
import { Failure, readCommand } from './usage.ts'
import type { ControlCaller } from '../client/call.ts'

const COMMAND = {
  usage: 'record [options]',
  example: 'record --out paid.yaml --name "a customer pays"',
  flags: {
    out: {
      type: 'string',
      value: 'FILE',
      summary: 'file that gets the scenario (standard output)',
      argumentOnly: true,
    },
    name: {
      type: 'string',
      value: 'TEXT',
      summary: 'name of the scenario (named after the world)',
      argumentOnly: true,
    },
    partial: { type: 'boolean', summary: 'ends with 0 though parts are missing', argumentOnly: true },
    ...ADDRESS_FLAGS,
    world: CONNECT_FLAGS.world,
  },
  notes: [
    'It writes what was done to the world since it was made or reset: the calls with their answers, triggers, faults, time, and how',
    "the receivers of webhooks answered. 'run' plays it. What a scenario cannot say is told on standard error and in the file.",
    'It ends with exit code 1 when the file lacks parts of the story, which it says as MISSING, unless --partial is given.',
  ],
} as const

/** Runs `record`. */
export async function record(args: string[]): Promise<void> {
  const read = readCommand(COMMAND, args)
  if (!read) return
  const { out, name, partial = false, ...values } = read.flags
  if (out !== undefined) await checkFile(out)
  const { caller, world } = await connect(values)
  const { text, missing } = await recordingOf(caller, world, name)
  if (out === undefined) process.stdout.write(text)
  else await save(out, text)
  if (missing > 0 && !partial) {
    throw new Failure(`the recording is written, but lacks what MISSING says; --partial takes it as it is.`)
  }
}

/** A recording, and how many parts of the story it lacks. */
interface ToldRecording {
  text: string
  missing: number
}

/**
 * What was done to a world, as the text of a scenario. Tells on standard error what it lacks.
 * @throws {SandboxError} `not_recordable`, or a refusal of the server
 */
export async function recordingOf(
  caller: ControlCaller,
  world: string,
  name: string | undefined,
): Promise<ToldRecording> {
  const facts = await caller.send(null, 'GET /worlds/{world}', { params: { world } })
  let missing = 0
  const text = await recordScenario(createWorldHandle(caller, facts), {
    ...(name === undefined ? {} : { name }),
    warn(told) {
      if (isMissing(told)) missing += 1
      console.error(`gateway-sandbox: ${told}`)
    },
  })
  return { text, missing }
}

/**
 * Checks that a file can be written, before anything is done for it.
 * @throws {Failure} when it cannot
 */
export async function checkFile(file: string): Promise<void> {
  await checkWritable(file).catch((error: unknown) => refuseFile(file, error))
}

/**
 * Writes a file.
 * @throws {Failure} when it cannot be written
 */
export async function save(file: string, text: string): Promise<void> {
  await writeText(file, text).catch((error: unknown) => refuseFile(file, error))
}

function refuseFile(file: string, error: unknown): never {
  const { code } = error as NodeJS.ErrnoException
  throw new Failure(`cannot write ${file}: ${code ?? String(error)}.`)
}
