// Owns the verb `silences`: shows what a world answers where the interface leaves it open, and changes it.
import { connect, CONNECT_FLAGS } from './connect.ts'
import { facts, printAnswer, shown, tableOr } from './print.ts'
import { guess, jsonOrText, pairsOf, readCommand, UsageError } from './usage.ts'
import type { RouteAnswer } from '../client/call.ts'

const COMMAND = {
  usage: 'silences [ID | set ID=VALUE ...] [options]',
  example: 'silences set WH-04=firstAttempt',
  flags: CONNECT_FLAGS,
  words: Number.POSITIVE_INFINITY,
  notes: [
    'A value that is JSON is taken as JSON, any other as text; null goes back to the default. * marks a change.',
  ],
}

/** Longest choice that fits into the table, in characters; the detail of one silence has all of it. */
const CHOICE_WIDTH = 40

type Silence = RouteAnswer<'GET /silences'>['items'][number]

/** Runs `silences`. */
export async function silences(args: string[]): Promise<void> {
  const read = readCommand(COMMAND, args)
  if (!read) return
  const { words, flags } = read
  const setting = words[0] === 'set'
  if (setting && words.length === 1) {
    throw new UsageError('silences set needs ID=VALUE, such as WH-04=firstAttempt.')
  }
  if (!setting && words.length > 1) {
    throw new UsageError(`Unexpected argument '${words[1]}'. To change one: silences set ID=VALUE.`)
  }
  const body = setting ? choicesOf(words.slice(1)) : null
  const { caller, world } = await connect(flags)
  const found =
    body === null
      ? await caller.send(world, 'GET /silences')
      : await caller.send(world, 'PATCH /silences', { body })
  const [id] = words
  if (setting || id === undefined) {
    printAnswer(flags.json, found, () => listed(found.items))
    return
  }
  const one = silenceOf(found.items, id)
  printAnswer(flags.json, one, () => described(one))
}

function choicesOf(words: string[]): Record<string, unknown> {
  const pairs = pairsOf(words, 'WH-04=firstAttempt')
  return Object.fromEntries(pairs.map(([id, text]) => [id, jsonOrText(text)]))
}

function listed(items: readonly Silence[]): string {
  return tableOr('no silences', ['id', '', 'choice', 'topic'], items.map(rowOf))
}

function silenceOf(items: readonly Silence[], id: string): Silence {
  const found = items.find((each) => each.id.toLowerCase() === id.toLowerCase())
  if (found) return found
  const ids = items.map((each) => each.id)
  throw new UsageError(`No silence '${id}'.${guess(id, ids)}`)
}

function isChanged({ choice, default: usual }: Silence): boolean {
  return JSON.stringify(choice) !== JSON.stringify(usual)
}

function rowOf(silence: Silence): string[] {
  const choice = shown(silence.choice)
  const short = choice.length <= CHOICE_WIDTH ? choice : `${choice.slice(0, CHOICE_WIDTH - 3)}...`
  return [silence.id, isChanged(silence) ? '*' : '', short, silence.topic]
}

function described(silence: Silence): string {
  const { id, topic, section, choice, default: usual, alternatives, authority, timesUsed } = silence
  return facts({
    silence: id,
    topic,
    section,
    choice: shown(choice),
    default: isChanged(silence) ? `${shown(usual)} (changed in this world)` : shown(usual),
    alternatives: alternatives ?? 'none: the same in every world',
    authority,
    'times used': String(timesUsed),
  })
}
