// Owns the steps that a story is told in: one schema each, and how each reads on a line.
import { z } from 'zod'
import { POSTING_REASONS, MACHINE_NAMES, DELIVERY_STATUSES } from '../domain/trail.ts'
import { cents, time, timestamp } from '../domain/records.ts'
import { redactText, redactUrl } from './redaction.ts'
import type { Attempt, Delivery, JournalEntry, Posting } from '../domain/trail.ts'
import type { Timestamp } from '../kernel/brands.ts'
import type { Exchange } from './exchanges.ts'

const text = z.string().meta({ description: 'the step on one line, in English' })
const maybe = z.string().nullable()

const callStep = z.strictObject({
  at: timestamp,
  kind: z.literal('call'),
  text,
  exchange: z.string(),
  operation: maybe,
  method: z.string(),
  path: z.string(),
  status: z.int(),
  code: maybe,
  subject: maybe,
  after: z.uuid().nullable().meta({ description: 'the delivery whose attempt came last before the call' }),
  during: z.int().nullable().meta({ description: 'the number of its attempt, when that was in flight' }),
})
const transitionStep = z.strictObject({
  at: timestamp,
  kind: z.literal('transition'),
  text,
  n: z.int(),
  machine: z.enum(MACHINE_NAMES),
  subject: z.string(),
  from: maybe,
  on: z.string(),
  to: z.string(),
  reason: maybe,
})
const postingStep = z.strictObject({
  at: timestamp,
  kind: z.literal('posting'),
  text,
  n: z.int(),
  subject: z.string(),
  reason: z.enum(POSTING_REASONS),
  lines: z.array(z.strictObject({ account: z.string(), amount: cents })),
})
const deliveryStep = z.strictObject({
  at: timestamp,
  kind: z.literal('delivery'),
  text,
  delivery: z.uuid(),
  type: z.string(),
  url: z.string(),
  subject: z.string(),
  status: z.enum(DELIVERY_STATUSES),
})
const attemptStep = z.strictObject({
  at: timestamp,
  kind: z.literal('attempt'),
  text,
  delivery: z.uuid(),
  type: z.string(),
  subject: z.string(),
  number: z.int(),
  endedAt: time,
  status: z.int().nullable(),
  error: maybe,
})
const clockStep = z.strictObject({ at: timestamp, kind: z.literal('clock'), text, to: timestamp })

/** One step of a story. */
export const storyStep = z
  .discriminatedUnion('kind', [callStep, transitionStep, postingStep, deliveryStep, attemptStep, clockStep])
  .meta({ id: 'StoryStep' })
/** One step of a story. */
export type StoryStep = z.infer<typeof storyStep>
/** A step of one kind. */
export type StepOf<Kind extends StoryStep['kind']> = Extract<StoryStep, { kind: Kind }>

/** A call of the gateway. What it followed is found out when all steps stand in order. */
export function callOf(exchange: Exchange): StepOf<'call'> {
  const { at, id, operation, method, path, status, code, subject, faults } = exchange
  const refused = code === null ? '' : ` ${code}`
  const befallen = faults.length === 0 ? '' : ` (fault: ${faults.join(', ')})`
  return {
    at,
    kind: 'call',
    text: `${method} ${path} -> ${status}${refused}${befallen}`,
    exchange: id,
    operation,
    method,
    path,
    status,
    code,
    subject,
    after: null,
    during: null,
  }
}

/** A fired row. */
export function transitionOf({
  n,
  at,
  machine,
  subject,
  from,
  on,
  to,
  ...entry
}: JournalEntry): StepOf<'transition'> {
  const reason = entry.reason === null ? null : redactText(entry.reason)
  const why = reason === null ? '' : `: ${reason}`
  const said = `${machine} ${on}: ${from ?? 'new'} -> ${to}${why}`
  return { at, kind: 'transition', text: said, n, machine, subject, from, on, to, reason }
}

/** A movement of money. */
export function postingOf({ n, at, subject, reason, lines, organizationId }: Posting): StepOf<'posting'> {
  const moves = lines.map(({ account, amount }) => {
    const [name = '', owner] = account.split(':')
    const isOther = account.split(':').length === 3 && owner !== organizationId
    return `${name}${isOther ? ' of another organisation' : ''} ${amount > 0 ? '+' : ''}${amount}`
  })
  return { at, kind: 'posting', text: `${reason}: ${moves.join(', ')}`, n, subject, reason, lines }
}

/** A webhook that was made. */
export function deliveryOf({
  id,
  type,
  url: address,
  subject,
  status,
  createdAt,
}: Delivery): StepOf<'delivery'> {
  const url = redactUrl(address)
  const still = status === 'held' || status === 'dropped' ? `, ${status}` : ''
  const said = `${type} for ${url}${still}`
  return { at: createdAt, kind: 'delivery', text: said, delivery: id, type, url, subject, status }
}

/** One HTTP try of a webhook, where it began. */
export function attemptOf({ id, type, subject }: Delivery, attempt: Attempt): StepOf<'attempt'> {
  const { number, at, endedAt, status } = attempt
  const error = attempt.error === null ? null : redactText(attempt.error)
  const answered = status === null ? (error ?? 'in flight') : `answered ${status}`
  const said = `attempt ${number} of ${type}: ${answered}`
  return { at, kind: 'attempt', text: said, delivery: id, type, subject, number, endedAt, status, error }
}

/** A move of the clock, where it began. */
export function clockMoveOf(from: Timestamp, to: Timestamp): StepOf<'clock'> {
  return { at: from, kind: 'clock', text: `the clock moves to ${to}`, to }
}
