// Owns recording: what was done to a world, and what became of it, written as a scenario that plays it again.
import { addAutoConfirm } from './auto.ts'
import { addChecks } from './checks.ts'
import { recordCall } from './calls.ts'
import { recordCommand } from './commands.ts'
import { stableData } from './data.ts'
import { beginNames } from './names.ts'
import { seeWorld } from './seen.ts'
import { recordingText } from './text.ts'
import { leaveOut, moveTo } from './recording.ts'
import type { SandboxWorld } from '../client/world.ts'
import type { Recording } from './recording.ts'
import type { Seen } from './seen.ts'

/** What a recording may be given. */
export interface RecordOptions {
  /** Name of the scenario; named after the world when left out. */
  name?: string
  /** Told of everything that the recording lacks; the file says it too, where it is about a step. */
  warn?: (text: string) => void
}

/**
 * Writes what was done to a world since it was made, reset or restored as a scenario file: the calls of the merchant with their
 * answers, what was done over the control API, time, how the receivers of webhooks answered, and how everything ended. Played
 * in a fresh world it does and expects the same.
 * @returns YAML; without secrets and card numbers
 * @throws {SandboxError} `not_recordable` when more was done than the logs of the world keep
 */
export async function recordScenario(
  world: SandboxWorld,
  { name = `a recording of world ${world.id}`, warn = () => undefined }: RecordOptions = {},
): Promise<string> {
  const seen = await seeWorld(world)
  const recording = begin(seen, warn)
  if (seen.began.how === 'restored') {
    leaveOut(
      recording,
      'the world was put back to a snapshot, or copied from another one; what it held then is not here.',
    )
  }
  addAutoConfirm(recording)
  for (const each of seen.happenings) {
    if (each.kind === 'call') recordCall(recording, each.exchange)
    else recordCommand(recording, each.command)
  }
  moveTo(recording, seen.last)
  addChecks(recording)
  const { given, rules, steps } = recording
  const { at, silences } = seen.began
  return recordingText({
    about: [
      `Recorded from world '${world.id}', whose clock showed ${at} at the beginning and ${seen.now} at the end.`,
      'Play it: npx gateway-sandbox run FILE',
    ],
    head: {
      name,
      clock: at,
      ...(Object.keys(silences).length === 0 ? {} : { silences }),
      ...(Object.keys(given).length === 0 ? {} : { given }),
      ...(rules.length === 0 ? {} : { rules }),
    },
    steps,
  })
}

function begin(seen: Seen, warn: (text: string) => void): Recording {
  const names = beginNames(seen)
  return {
    seen,
    names,
    data: stableData(seen, names),
    warn,
    given: {},
    rules: [],
    steps: [],
    clock: seen.began.at,
    isFresh: true,
    bound: new Set(),
    tokensMatter: doTokensMatter(seen),
    tokens: new Map(),
    cardTokens: [],
    unmade: unmadeOf(seen),
  }
}

/** Whether it matters when tokens were asked for: the player asks for its own at other moments. */
function doTokensMatter({ happenings, began }: Seen): boolean {
  if (began.silences['AU-01'] === 'required') return true
  return happenings.some((each) => {
    if (each.kind === 'call') return each.exchange.code?.endsWith('rate_limit_exceeded') === true
    const { route, body } = each.command
    if (route !== 'POST /faults') return route === 'PATCH /credentials/{publicKey}'
    const { on, do: action } = body as { on?: { operation?: string; delivery?: unknown }; do: unknown }
    if (typeof action === 'object' && action !== null && 'revokeToken' in action) return true
    return on?.delivery === undefined && [undefined, 'createToken'].includes(on?.operation)
  })
}

/** Records that no call made, and no command but the one that gives. */
function unmadeOf({ happenings, world, ...seen }: Seen): Record<string, string[]> {
  const made = new Set<string>([world.organization.id, world.receiver.id])
  for (const key of [world.publicKey, world.production.publicKey, world.receiver.publicKey]) made.add(key)
  for (const each of happenings) {
    if (each.kind === 'command') {
      const { route, answer } = each.command
      if (route === 'POST /disputes') made.add(String(answer['id']))
      continue
    }
    const { data } = (each.exchange.response.body ?? {}) as {
      data?: { id?: string; customerId?: string } | null
    }
    if (each.exchange.operation?.startsWith('create') !== true) continue
    for (const id of [data?.id, data?.customerId]) if (typeof id === 'string') made.add(id)
  }
  const left = (records: readonly { id: string }[]): string[] =>
    records.map(({ id }) => id).filter((id) => !made.has(id))
  return {
    organizations: left(seen.organizations),
    credentials: seen.credentials.map(({ publicKey }) => publicKey).filter((key) => !made.has(key)),
    customers: left(seen.customers),
    transactions: left(seen.transactions),
    cashouts: left(seen.cashouts),
    disputes: left(seen.disputes),
  }
}
