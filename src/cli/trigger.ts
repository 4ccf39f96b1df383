// Owns the verb `trigger`: fires a trigger of a machine on a record of a running server.
import { connect, CONNECT_FLAGS } from './connect.ts'
import { counted, printAnswer } from './print.ts'
import { readCommand, readPairs, UsageError } from './usage.ts'

const COMMAND = {
  usage: 'trigger ID TRIGGER [NAME=VALUE ...] [options]',
  example: 'trigger 0b8f6f5e-3c1d-4c8e-9f0a-2f8a4c6d1e22 refund amount=500',
  flags: CONNECT_FLAGS,
  words: Number.POSITIVE_INFINITY,
  notes: [
    'ID is a transaction, cashout or dispute. A value that is JSON is taken as JSON: amount=500 is a number,',
    `payer='{"name":"Ana"}' an object. A trigger that cannot fire now is refused with the ones that can.`,
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
  const parameters = readPairs(pairs, 'amount=500')
  const { caller, world } = await connect(read.flags)
  const fired = await caller.send(world, 'POST /trigger', { body: { ...parameters, on, do: name } })
  const { from, to, deliveries } = fired
  const told = deliveries.length === 0 ? 'nobody is told' : counted(deliveries.length, 'webhook')
  printAnswer(read.flags.json, fired, () => `${on} ${name}: ${from} -> ${to}; ${told}`)
}
