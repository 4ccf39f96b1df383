// Owns the verb `trigger`: fires a trigger of a machine on a record of a running server.
import { connect, CONNECT_FLAGS } from './connect.ts'
import { counted, printAnswer } from './print.ts'
import { guess, jsonOrText, pairsOf, readCommand, UsageError } from './usage.ts'

const COMMAND = {
  usage: 'trigger ID TRIGGER [NAME=VALUE ...] [options]',
  example: 'trigger 0b8f6f5e-3c1d-4c8e-9f0a-2f8a4c6d1e22 refund amount=500',
  flags: CONNECT_FLAGS,
  words: Number.POSITIVE_INFINITY,
  notes: [
    'ID is a transaction, cashout or dispute. NAME is amount in cents, reason, text, payer.name, payer.document or payer.bank,',
    `or payer as JSON: payer='{"name":"Ana"}'. A trigger that cannot fire now is refused with the ones that can.`,
  ],
}

/** Runs `trigger`. */
export async function trigger(args: string[]): Promise<void> {
  const read = readCommand(COMMAND, args)
  if (!read) return
  const [on, name, ...pairs] = read.words
  if (on === undefined || name === undefined) {
    throw new UsageError("trigger needs the id of a record and a trigger, such as 'trigger ID confirm'.")
  }
  const parameters = parametersOf(pairs)
  const { caller, world } = await connect(read.flags)
  const fired = await caller.send(world, 'POST /trigger', { body: { ...parameters, on, do: name } })
  const { from, to, deliveries } = fired
  const told = deliveries.length === 0 ? 'nobody is told' : counted(deliveries.length, 'webhook')
  printAnswer(read.flags.json, fired, () => `${on} ${name}: ${from} -> ${to}; ${told}`)
}

/** How each parameter of a trigger is read. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  amount: centsOf,
  reason: String,
  text: String,
  'payer.name': String,
  'payer.document': String,
  'payer.bank': String,
  payer: payerOf,
}

/** What a trigger carries. */
function parametersOf(words: string[]): Record<string, unknown> {
  const pairs = pairsOf(words, 'amount=500').map(([name, text]) => ({ name, value: readerOf(name)(text) }))
  const twice = pairs.find(({ name }, index) => pairs.findIndex((each) => each.name === name) < index)
  if (twice) throw new UsageError(`'${twice.name}' is named twice.`)
  const own = pairs.filter(({ name }) => !name.startsWith('payer'))
  const payer = pairs.flatMap(({ name, value }): [string, unknown][] => {
    if (name === 'payer') return Object.entries(value as object)
    return name.startsWith('payer.') ? [[name.slice('payer.'.length), value]] : []
  })
  return {
    ...Object.fromEntries(own.map(({ name, value }) => [name, value])),
    ...(own.length === pairs.length ? {} : { payer: Object.fromEntries(payer) }),
  }
}

function readerOf(name: string): (text: string) => unknown {
  const reader = Object.hasOwn(READERS, name) ? READERS[name] : undefined
  if (reader) return reader
  if (name === 'on' || name === 'do') {
    throw new UsageError(`'${name}' is no parameter: the record and the trigger are the first two words.`)
  }
  const known = Object.keys(READERS)
  throw new UsageError(`A trigger carries no '${name}'.${guess(name, known)} It can be ${known.join(', ')}.`)
}

function centsOf(text: string): number {
  if (/^-?\d+$/.test(text)) return Number(text)
  throw new UsageError(`amount=${text} is no number of cents, such as amount=500.`)
}

function payerOf(text: string): object {
  const value = jsonOrText(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new UsageError(`payer=${text} is no JSON object; name its parts, such as payer.name=Ana.`)
}
