// Owns the verb `world`: lists, makes, shows, forks, resets and deletes the worlds of a running server.
import { connect, CONNECT_FLAGS } from './connect.ts'
import { facts, printAnswer, tableOr } from './print.ts'
import { oneOf } from './subverbs.ts'
import { readCommand, UsageError } from './usage.ts'
import type { RouteAnswer } from '../client/call.ts'
import type { Connection } from './connect.ts'
import type { FlagValues } from './usage.ts'

const FLAGS = {
  id: {
    type: 'string',
    value: 'ID',
    summary: 'id of the world that new or fork makes (a free one)',
    argumentOnly: true,
  },
  clock: {
    type: 'string',
    value: 'CLOCK',
    summary: "clock of a new world (as the server's)",
    argumentOnly: true,
  },
  seed: {
    type: 'string',
    value: 'TEXT',
    summary: "seed of a new world (derived from the server's)",
    argumentOnly: true,
  },
  ...CONNECT_FLAGS,
} as const

const COMMAND = {
  usage: 'world [list | new | show ID | fork ID | reset ID | delete ID] [options]',
  example: 'world new --id shop --clock frozen',
  flags: FLAGS,
  words: 2,
  notes: ['Where ID is left out, --world counts; delete always needs it.'],
} as const

type Values = FlagValues<typeof FLAGS>
type Facts = RouteAnswer<'GET /worlds/{world}'>

/** Runs `world`. */
export async function world(args: string[]): Promise<void> {
  const read = readCommand(COMMAND, args)
  if (!read) return
  const [word = 'list', named] = read.words
  const action = oneOf('world', ['list', 'new', 'show', 'fork', 'reset', 'delete'] as const, word)
  if (named !== undefined && (action === 'list' || action === 'new')) {
    throw new UsageError(
      `world ${action} takes no '${named}'${action === 'new' ? '; name it with --id' : ''}.`,
    )
  }
  if (named === undefined && action === 'delete') {
    throw new UsageError('world delete needs the id of a world.')
  }
  const connection = await connect(read.flags)
  if (action === 'list') return list(connection, read.flags)
  const id = named ?? connection.world
  if (action === 'delete') {
    const ended = await connection.caller.send(null, 'DELETE /worlds/{world}', { params: { world: id } })
    printAnswer(read.flags.json, ended, () => `world ${id} is deleted`)
    return
  }
  const found = await change(connection, action, id, read.flags)
  printAnswer(read.flags.json, found, () => described(found))
}

async function list({ caller }: Connection, { json }: Values): Promise<void> {
  const found = await caller.send(null, 'GET /worlds', { query: { limit: 1_000 } })
  const rows = found.items.map(({ id, clock, publicKey }) => [id, clock.mode, clock.now, publicKey])
  printAnswer(json, found, () => tableOr('no worlds', ['id', 'clock', 'now', 'public key'], rows))
}

function change(
  { caller }: Connection,
  action: 'new' | 'show' | 'fork' | 'reset',
  id: string,
  { id: wanted, clock, seed }: Values,
): Promise<Facts> {
  const name = wanted === undefined ? {} : { id: wanted }
  switch (action) {
    case 'new': {
      const settings = { ...(clock === undefined ? {} : { clock }), ...(seed === undefined ? {} : { seed }) }
      return caller.send(null, 'POST /worlds', { body: { ...name, ...settings } })
    }
    case 'fork':
      return caller.send(id, 'POST /fork', { body: name })
    case 'reset':
      return caller.send(id, 'POST /reset')
    default:
      action satisfies 'show'
      return caller.send(null, 'GET /worlds/{world}', { params: { world: id } })
  }
}

function described({
  id,
  url,
  publicKey,
  secretKey,
  production,
  organization,
  receiver,
  clock,
}: Facts): string {
  return facts({
    world: id,
    url,
    'public key': publicKey,
    'secret key': secretKey,
    production: `${production.publicKey} ${production.secretKey}`,
    organisation: organization.id,
    receiver: `${receiver.id} (split code ${receiver.splitCode})`,
    clock: `${clock.mode} at ${clock.now}${clock.mode === 'flowing' ? `, rate ${clock.rate}` : ''}`,
  })
}
