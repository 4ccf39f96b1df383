// Owns the verb `deliveries`: lists the webhooks of a running server, or shows one whole.
import { connect, CONNECT_FLAGS } from './connect.ts'
import { facts, printAnswer, tableOr } from './print.ts'
import { readCommand, UsageError } from './usage.ts'
import type { CallInput, RouteAnswer } from '../client/call.ts'
import type { FlagValues } from './usage.ts'

const FLAGS = {
  status: {
    type: 'string',
    value: 'STATUS',
    summary: 'only these, such as scheduled, delivered or exhausted',
    argumentOnly: true,
  },
  type: {
    type: 'string',
    value: 'TYPE',
    summary: 'only events of this type, such as payment.completed',
    argumentOnly: true,
  },
  subject: { type: 'string', value: 'ID', summary: 'only those about this record', argumentOnly: true },
  limit: {
    type: 'string',
    value: 'N',
    summary: 'most of them to list, at most 1000 (100)',
    argumentOnly: true,
  },
  ...CONNECT_FLAGS,
} as const

const COMMAND = {
  usage: 'deliveries [ID] [options]',
  example: 'deliveries --status exhausted',
  flags: FLAGS,
  words: 1,
  notes: ['With an ID it shows one delivery with its headers, body, attempts and answers.'],
} as const

type Detail = RouteAnswer<'GET /deliveries/{id}'>
type Listed = RouteAnswer<'GET /deliveries'>['items'][number]

/** Runs `deliveries`. */
export async function deliveries(args: string[]): Promise<void> {
  const read = readCommand(COMMAND, args)
  if (!read) return
  const query = queryOf(read.flags)
  const { caller, world } = await connect(read.flags)
  const [id] = read.words
  if (id === undefined) {
    const found = await caller.send(world, 'GET /deliveries', { query })
    printAnswer(read.flags.json, found, () => listed(found))
  } else {
    const found = await caller.send(world, 'GET /deliveries/{id}', { params: { id } })
    printAnswer(read.flags.json, found, () => whole(found))
  }
}

function listed({ items, total }: RouteAnswer<'GET /deliveries'>): string {
  const head = ['id', 'status', 'attempts', 'type', 'subject', 'created', 'url']
  const rest = items.length < total ? `\n${items.length} of ${total}; see --limit` : ''
  return tableOr('no deliveries', head, items.map(rowOf)) + rest
}

function queryOf({
  status,
  type,
  subject,
  limit,
}: FlagValues<typeof FLAGS>): NonNullable<CallInput<'GET /deliveries'>['query']> {
  if (limit !== undefined && !/^[1-9]\d{0,3}$/.test(limit)) {
    throw new UsageError(`--limit ${limit} is no number from 1 to 1000.`)
  }
  const named = { status, type, subject, limit }
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined))
}

function rowOf({ id, status, attempts, type, subject, createdAt, url }: Listed): string[] {
  const tried = attempts.map(outcomeOf).join(', ')
  return [id, status, tried === '' ? 'none' : tried, type, subject, createdAt, url]
}

/** The status of an answer, or in short why there was none. */
function outcomeOf({ status, error }: Listed['attempts'][number]): string {
  if (status !== null) return String(status)
  return error === null ? 'in flight' : (/\((\w+)\)$/.exec(error)?.[1] ?? error)
}

function whole(delivery: Detail): string {
  const { id, type, subject, status, url, createdAt, nextAttemptAt, headers, body, attempts } = delivery
  const next: Record<string, string> = nextAttemptAt === null ? {} : { 'next attempt': nextAttemptAt }
  const tried = attempts.flatMap(({ number, at, status: answered, error, latencyMs, answer }) => [
    `  ${number}  ${at}  ${answered ?? error ?? 'in flight'}${latencyMs === null ? '' : `  ${latencyMs} ms`}`,
    ...(answer === null || answer === '' ? [] : [answer.replaceAll(/^/gm, '       ')]),
  ])
  return [
    facts({ delivery: id, type, subject, status, url, created: createdAt, ...next }),
    'headers',
    facts(headers).replaceAll(/^/gm, '  '),
    'body',
    `  ${body}`,
    'attempts',
    ...(tried.length === 0 ? ['  none'] : tried),
  ].join('\n')
}
