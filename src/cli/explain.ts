// Owns the verb `explain`: tells what happened to a record of a running server, in order.
import { connect, CONNECT_FLAGS } from './connect.ts'
import { printJson } from './print.ts'
import { readCommand, UsageError } from './usage.ts'

const FORMATS = ['text', 'json', 'mermaid'] as const
type Format = (typeof FORMATS)[number]

const COMMAND = {
  usage: 'explain ID [options]',
  example: 'explain 0b8f6f5e-3c1d-4c8e-9f0a-2f8a4c6d1e22 --format mermaid',
  flags: {
    format: {
      type: 'string',
      value: 'FORMAT',
      summary: `one of ${FORMATS.join(', ')} (text)`,
      argumentOnly: true,
    },
    ...CONNECT_FLAGS,
  },
  words: 1,
  notes: [
    'ID is a transaction, cashout, dispute, customer or delivery. It lists the calls, transitions, postings, webhooks',
    'and attempts about it in the order in which they happened, and what waits for time.',
  ],
} as const

/** Runs `explain`. */
export async function explain(args: string[]): Promise<void> {
  const read = readCommand(COMMAND, args)
  if (!read) return
  const [id] = read.words
  if (id === undefined) throw new UsageError("explain needs the id of a record, such as 'explain ID'.")
  const format = formatOf(read.flags)
  const { caller, world } = await connect(read.flags)
  const input = { params: { id } }
  if (format === 'json') printJson(await caller.send(world, 'GET /explain/{id}', input))
  else {
    const response = await caller.open(world, 'GET /explain/{id}', { ...input, query: { format } })
    console.log((await response.text()).trimEnd())
  }
}

function formatOf({ format, json }: { format?: string; json?: boolean }): Format {
  if (format === undefined) return json ? 'json' : 'text'
  const known = FORMATS.find((each) => each === format)
  if (known && (!json || known === 'json')) return known
  throw new UsageError(
    known
      ? `--json and --format ${known} say different things.`
      : `--format '${format}' is none of ${FORMATS.join(', ')}.`,
  )
}
