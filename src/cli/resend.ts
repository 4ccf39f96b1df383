// Owns the verb `resend`: sends a webhook of a running server again.
import { connect, CONNECT_FLAGS } from './connect.ts'
import { printAnswer } from './print.ts'
import { readCommand, UsageError } from './usage.ts'

const COMMAND = {
  usage: 'resend ID [options]',
  example: 'resend 0b8f6f5e-3c1d-4c8e-9f0a-2f8a4c6d1e22',
  flags: CONNECT_FLAGS,
  words: 1,
  notes: [
    "ID is a delivery, as 'gateway-sandbox deliveries' lists them. Same id, same bytes, attempts from 1.",
  ],
}

/** Runs `resend`. */
export async function resend(args: string[]): Promise<void> {
  const read = readCommand(COMMAND, args)
  if (!read) return
  const [id] = read.words
  if (id === undefined) {
    throw new UsageError("resend needs the id of a delivery; 'gateway-sandbox deliveries' lists them.")
  }
  const { caller, world } = await connect(read.flags)
  const delivery = await caller.send(world, 'POST /deliveries/{id}/resend', { params: { id } })
  const { type, url } = delivery
  printAnswer(read.flags.json, delivery, () => `${id} is sent again: ${type} to ${url}`)
}
