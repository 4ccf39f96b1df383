// Owns writing what was done over the control API as steps of a recording: one function for each route.
import { recordGiven, recordOrganization, recordCredential } from './given.ts'
import { recordRule } from './rules.ts'
import { isAllThere } from './data.ts'
import { deliveryNamed, ensureKnown } from './lookups.ts'
import { addStep, leaveOut, saidWithInboxes, tell } from './recording.ts'
import type { Recording } from './recording.ts'
import type { Command } from './seen.ts'

type Fields = Record<string, unknown>
type Write = (recording: Recording, command: Command, body: Fields) => void

/** Adds the step of a command. Moves of the clock stand in the file where something follows them. */
export function recordCommand(recording: Recording, command: Command): void {
  const body = (command.body ?? {}) as Fields
  if ('cut' in body) {
    leaveOut(recording, `${command.route} carried more than is kept.`)
    return
  }
  const write = Object.hasOwn(WRITERS, command.route) ? WRITERS[command.route] : undefined
  if (!WITH_STAND_INS.has(command.route) && !isAllThere([body, command.params])) {
    leaveOut(recording, `part of what ${command.route} carried at ${command.at}, which is never kept.`)
  }
  if (write) write(recording, command, body)
  else leaveOut(recording, `${command.route} at ${command.at}, which no verb of a scenario does.`)
}

/** Routes that say by themselves what stands for what is hidden. */
const WITH_STAND_INS: ReadonlySet<string> = new Set(['POST /given', 'POST /rules'])

const nothing: Write = () => undefined

const WRITERS: Readonly<Record<string, Write>> = {
  'POST /clock/advance': nothing,
  'POST /clock/freeze': nothing,
  'POST /clock/flow': nothing,
  'POST /given': recordGiven,
  'POST /organizations': recordOrganization,
  'POST /credentials': recordCredential,
  'POST /trigger'(recording, { at, answer }, { on, do: trigger, ...parameters }) {
    ensureKnown(recording, String(on), at)
    recording.isFresh = false
    const fired = {
      on: recording.names.said(on),
      do: trigger,
      ...(recording.names.said(parameters) as Fields),
    }
    addStep(recording, at, { trigger: fired, expect: { from: answer['from'], to: answer['to'] } })
  },
  'POST /disputes'(recording, { at, answer }, { paymentId, ...parameters }) {
    ensureKnown(recording, String(paymentId), at)
    recording.isFresh = false
    const { names } = recording
    const opened = { on: names.said(paymentId), do: 'open', ...(names.said(parameters) as Fields) }
    const name = names.fresh('dispute')
    addStep(recording, at, { trigger: opened, as: name, expect: { to: answer['status'] } })
    names.bind(String(answer['id']), `$${name}.id`)
  },
  'POST /faults'(recording, { at, answer }, order) {
    if (clearedUnused(recording).has(String(answer['id']))) return
    const { on, times, do: action, ...rest } = order
    if (isHeldLatency(action)) {
      leaveOut(recording, 'a fault held answers until they were released; here they come at once.')
      return
    }
    if (rest['probability'] !== undefined) {
      tell(recording, 'the next fault befalls things by chance, which falls otherwise in another world.')
    }
    for (const id of [rest['subject'], (on as { delivery?: Fields }).delivery?.['subject']]) {
      if (typeof id === 'string') ensureKnown(recording, id, at)
    }
    const said = recording.names.said({
      ...(Object.keys(on as object).length === 0 ? {} : { on }),
      ...rest,
      do: action,
      ...(times === 1 ? {} : { times }),
    })
    addStep(recording, at, { fault: said })
  },
  'DELETE /faults'(recording, command) {
    const cleared = clearedBy(recording, command)
    const unused = command.answer['unused'] as string[]
    const mayFire = cleared.some(({ answer, body }) => {
      const { times = Number.POSITIVE_INFINITY } = body as { times?: number }
      return times > 1 && !unused.includes(String(answer['id'] ?? answer['fault']))
    })
    const strange = Number(command.answer['cleared']) > cleared.length
    if (mayFire || strange) {
      leaveOut(recording, `faults that may fire more often were cleared at ${command.at}.`)
    }
  },
  'POST /faults/{id}/release'(recording, { at, answer }) {
    if (Number(answer['released']) > 0) {
      leaveOut(recording, `answers that a fault held were released at ${at}.`)
    }
  },
  'PUT /inboxes/{name}'(recording, { at, params }, { answers, delayMs }) {
    const { name } = recording.names.inboxNamed(params['name'] ?? '')
    recording.bound.add(name)
    const delay = delayMs === 0 ? {} : { delayMs }
    addStep(recording, at, { inbox: { as: name, answers: recording.names.said(answers), ...delay } })
  },
  'POST /rules'(recording, { at }, { rules }) {
    if (!recording.isFresh) {
      leaveOut(recording, `rules were added at ${at}, after the story had begun.`)
      return
    }
    for (const rule of rules as Fields[]) recordRule(recording, rule)
  },
  'DELETE /rules'(recording, { at, answer }) {
    if (Number(answer['cleared']) > 0) leaveOut(recording, `rules were cleared at ${at}.`)
  },
  'PATCH /balance'(recording, { at }, { environment, ...rest }) {
    const where = environment === 'Sandbox' ? {} : { environment }
    addStep(recording, at, { balance: { ...where, ...(recording.names.said(rest) as Fields) } })
  },
  'PATCH /credentials/{publicKey}'(recording, { at, params }, change) {
    const name = recording.names.caller(params['publicKey'] ?? '')
    if (name === null) {
      leaveOut(recording, `a credential without a name here was changed at ${at}.`)
      return
    }
    addStep(recording, at, { credential: { of: name, ...change } })
  },
  'PATCH /silences'(recording, { at }, choices) {
    addStep(recording, at, { silences: saidWithInboxes(recording, at, choices) })
  },
  'POST /deliveries/hold'(recording, { at, answer }, { subject, type }) {
    if (clearedUnused(recording).has(String(answer['fault']))) return
    if (typeof subject === 'string') ensureKnown(recording, subject, at)
    const which = {
      ...(subject === undefined ? {} : { of: recording.names.said(subject) }),
      ...(type === undefined ? {} : { type }),
    }
    addStep(recording, at, { hold: Object.keys(which).length === 0 ? true : which })
  },
  'POST /deliveries/release'(recording, { at }, { order }) {
    if (order === undefined) {
      addStep(recording, at, { release: true })
      return
    }
    const named = (order as string[]).map((id) => deliveryNamed(recording, id, at))
    if (!named.includes(null)) addStep(recording, at, { release: named })
  },
  'POST /deliveries/{id}/resend'(recording, { at, params }) {
    const named = deliveryNamed(recording, params['id'] ?? '', at)
    if (named) addStep(recording, at, { resend: named })
  },
  'POST /deliveries/{id}/duplicate'(recording, { at, params }) {
    const named = deliveryNamed(recording, params['id'] ?? '', at)
    if (named) addStep(recording, at, { duplicate: named })
  },
}

function isHeldLatency(action: unknown): boolean {
  return (action as { latencyMs?: unknown } | null)?.latencyMs === 'untilReleased'
}

/** Ids of the faults that were cleared before they ever fired: without them everything is the same. */
function clearedUnused({ seen }: Recording): Set<string> {
  const cleared = seen.happenings.flatMap((each) =>
    each.kind === 'command' && each.command.route === 'DELETE /faults'
      ? (each.command.answer['unused'] as string[])
      : [],
  )
  return new Set(cleared)
}

/** The orders of the faults that a command cleared. */
function clearedBy({ seen }: Recording, { order, query }: Command): Command[] {
  const before = seen.happenings.flatMap((each) =>
    each.kind === 'command' && each.command.order < order ? [each.command] : [],
  )
  const since = before.findLastIndex(
    ({ route, query: of }) => route === 'DELETE /faults' && of['id'] === undefined,
  )
  return before.slice(since + 1).filter(({ route, answer }) => {
    const id = route === 'POST /faults' ? answer['id'] : answer['fault']
    const isArming = route === 'POST /faults' || route === 'POST /deliveries/hold'
    return isArming && (query['id'] === undefined || query['id'] === id)
  })
}
