// Owns the verb `export`: takes a world of a running server out, as one JSON value.
import { connect, CONNECT_FLAGS } from './connect.ts'
import { printAnswer, printJson } from './print.ts'
import { Failure, readCommand } from './usage.ts'

const COMMAND = {
  usage: 'export [options]',
  example: 'export --world default --out shop.json',
  flags: {
    out: { type: 'string', value: 'FILE', summary: 'file to write (standard output)', argumentOnly: true },
    ...CONNECT_FLAGS,
  },
  notes: [
    'The form is that of a snapshot. No secret key is in it; import puts it in under the keys of its world.',
  ],
} as const

/** Runs `export`. */
export async function exportWorld(args: string[]): Promise<void> {
  const read = readCommand(COMMAND, args)
  if (!read) return
  const { caller, world } = await connect(read.flags)
  const answer = await caller.send(world, 'GET /export')
  const { out } = read.flags
  if (out === undefined) {
    printJson(answer)
    return
  }
  const text = `${JSON.stringify(answer)}\n`
  const bytes = Buffer.byteLength(text)
  await writeOut(out, text)
  printAnswer(read.flags.json, { world, out, bytes }, () => `world ${world} is in ${out} (${bytes} bytes)`)
}

async function writeOut(path: string, text: string): Promise<void> {
  // Loaded only here: nothing else of the command line writes.
  const { replaceFile } = await import('../world/dataDisk.ts')
  try {
    await replaceFile(path, text, false)
  } catch (error) {
    throw new Failure(`${path} cannot be written: ${error instanceof Error ? error.message : String(error)}.`)
  }
}
