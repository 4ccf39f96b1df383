// Owns the verb `snapshot`: saves a world of a running server under a name, and puts it back.
import { connect, CONNECT_FLAGS } from './connect.ts'
import { printAnswer, printJson, tableOr } from './print.ts'
import { oneOf } from './subverbs.ts'
import { readCommand, UsageError } from './usage.ts'
import type { Connection } from './connect.ts'

const COMMAND = {
  usage: 'snapshot [list | save NAME | restore NAME | show NAME | delete NAME] [options]',
  example: 'snapshot save before-refund',
  flags: CONNECT_FLAGS,
  words: 2,
  notes: ['show prints the saved state as JSON.'],
}

/** Runs `snapshot`. */
export async function snapshot(args: string[]): Promise<void> {
  const read = readCommand(COMMAND, args)
  if (!read) return
  const [word = 'list', name] = read.words
  const action = oneOf('snapshot', ['list', 'save', 'restore', 'show', 'delete'] as const, word)
  if (action === 'list') {
    if (name !== undefined) throw new UsageError(`snapshot list takes no '${name}'.`)
    return list(await connect(read.flags), read.flags.json)
  }
  if (name === undefined) throw new UsageError(`snapshot ${action} needs a name.`)
  const { answer, line } = await carryOut(await connect(read.flags), action, name)
  if (line === null) printJson(answer)
  else printAnswer(read.flags.json, answer, () => line)
}

async function list({ caller, world }: Connection, json: boolean | undefined): Promise<void> {
  const found = await caller.send(world, 'GET /snapshots', { query: { limit: 1_000 } })
  const rows = found.items.map(({ name, now, bytes }) => [name, now, String(bytes)])
  printAnswer(json, found, () => tableOr('no snapshots', ['name', 'saved at', 'bytes'], rows))
}

/** What was answered, and the line that says so to people; null when the answer itself is what they asked for. */
async function carryOut(
  { caller, world }: Connection,
  action: 'save' | 'restore' | 'show' | 'delete',
  name: string,
): Promise<{ answer: unknown; line: string | null }> {
  const params = { name }
  switch (action) {
    case 'save': {
      const answer = await caller.send(world, 'PUT /snapshots/{name}', { params })
      return { answer, line: `world ${world} is saved as ${name}, at ${answer.now} (${answer.bytes} bytes)` }
    }
    case 'restore': {
      const answer = await caller.send(world, 'POST /snapshots/{name}/restore', { params })
      return { answer, line: `world ${world} is ${name} again, at ${answer.clock.now}` }
    }
    case 'delete': {
      const answer = await caller.send(world, 'DELETE /snapshots/{name}', { params })
      return { answer, line: `snapshot ${name} is deleted` }
    }
    default:
      action satisfies 'show'
      return { answer: await caller.send(world, 'GET /snapshots/{name}', { params }), line: null }
  }
}
