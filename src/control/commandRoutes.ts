// Owns the control route that lists what was done to a world besides the gateway's calls.
import { z } from 'zod'
import { timestamp } from '../domain/records.ts'
import { KEPT_ROUTES } from './keptCommands.ts'
import { listAnswer, listOf, listQuery } from './lists.ts'
import { route } from './route.ts'

const fields = z.record(z.string(), z.unknown())

const commandOut = z
  .strictObject({
    order: z.int().meta({ description: 'its place in one order with the calls of the gateway' }),
    at: timestamp,
    route: z.string().meta({ description: 'method and path of the control route' }),
    params: z.record(z.string(), z.string()),
    query: fields,
    body: z.unknown(),
    answer: fields.meta({ description: 'ids that later commands may name, and what changed' }),
  })
  .meta({ id: 'Command', description: 'Secrets and card numbers are hidden before anything is kept.' })

const listCommands = route({
  id: 'listCommands',
  method: 'GET',
  path: '/commands',
  tag: 'Watching',
  summary:
    'Lists what was done to a world over the control API since it was made, reset or restored, newest first: what a recording is made from',
  query: z.object({ ...listQuery, route: z.enum(KEPT_ROUTES).optional() }),
  answer: listAnswer(commandOut)
    .extend({
      began: z
        .strictObject({
          at: timestamp,
          how: z.enum(['made', 'reset', 'restored']),
          silences: fields,
          autoConfirm: z.int().nullable().meta({
            description:
              'milliseconds after which the server pays transactions by itself (--auto); null for never',
          }),
        })
        .meta({ description: 'how the present life of the world began' }),
      dropped: z
        .strictObject({ commands: z.int(), exchanges: z.int() })
        .meta({ description: 'how many made room in the bounded logs since then' }),
    })
    .meta({ id: 'CommandLog' }),
  handle({ world: { commands, exchanges }, query }) {
    const { began, dropped } = commands
    return {
      ...listOf(commands.list(), query, ({ order }) => String(order)),
      began,
      dropped: { commands: dropped, exchanges: exchanges.dropped },
    }
  },
})

/** Control routes of commands. */
export const COMMAND_ROUTES = [listCommands]
