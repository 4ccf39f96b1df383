// Owns what an inbox can be told to answer: the shapes, what contradicts itself, and what each comes to.
import { z } from 'zod'

/** Longest wait that an inbox can be told, in host milliseconds. */
const MAX_INBOX_DELAY_MS = 600_000
/** Longest body that an inbox can be told, in UTF-16 units. */
const MAX_ANSWER_UNITS = 65_536
/** What dribbles when no body is told: a byte a second lasts longer than any sender waits. */
const DRIBBLED_BODY = '.'.repeat(64)
const DRIBBLE = { bytes: 1, everyMs: 1_000 }
/** Status of an inbox whose script is used up. */
const USUAL_STATUS = 204
/** Statuses that never have a body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304])

/** Host milliseconds before something. */
export const inboxDelay = z.int().min(0).max(MAX_INBOX_DELAY_MS)
const status = z.int().min(200).max(599)

const spokenAnswer = z
  .strictObject(
    {
      status: status.optional().meta({ description: '302 with a location, 200 with a body, else 204' }),
      delayMs: inboxDelay.optional().meta({ description: 'host milliseconds before the answer' }),
      body: z.string().max(MAX_ANSWER_UNITS).optional(),
      location: z
        .string()
        .regex(/^[\x21-\x7e]{1,2048}$/, 'is 1 to 2048 printable ASCII characters without blanks')
        .optional()
        .meta({ description: 'a redirect' }),
      slow: z
        .strictObject({
          bytes: z.int().min(1).max(MAX_ANSWER_UNITS).optional().meta({ description: 'at a time; 1' }),
          everyMs: z.int().min(1).max(60_000).optional().meta({ description: 'host milliseconds; 1000' }),
        })
        .optional()
        .meta({ description: 'the headers come at once and the body in small pieces' }),
    },
    { error: ({ code, keys }) => (code === 'unrecognized_keys' ? strangerIn(keys) : undefined) },
  )
  .superRefine((told, context) => {
    const { location } = told
    const code = statusOf(told)
    if (location !== undefined && (code < 300 || code > 399 || code === 304)) {
      const message = `location goes with a redirect, not with status ${code}; leave the status out for 302`
      context.addIssue({ code: 'custom', path: ['location'], message })
    }
    for (const field of ['body', 'slow'] as const) {
      if (told[field] === undefined || !WITHOUT_BODY.has(code)) continue
      const message = `a status ${code} has no body, so ${field} does not go with it; leave one of them out`
      context.addIssue({ code: 'custom', path: [field], message })
    }
  })
const hangingAnswer = z.strictObject({ hang: z.literal(true) })
const resetAnswer = z.strictObject({ reset: z.literal(true), delayMs: inboxDelay.optional() })

/** What an inbox is told to do with one message: a status, or one object. */
export const inboxAnswer = z
  .union([status, spokenAnswer, hangingAnswer, resetAnswer], { error: ({ input }) => explain(input) })
  .meta({
    id: 'InboxAnswer',
    description:
      'A status, or an object: an answer with its status, delay, body, location and dribble; `{hang: true}` never answers; `{reset: true}` resets the connection.',
  })

/** What an inbox is told to do with one message. */
export type InboxAnswer = z.output<typeof inboxAnswer>

/** What an inbox did with a message; of several things the first of this list. */
export const INBOX_BEHAVIOURS = ['hung', 'reset', 'dribbled', 'redirected', 'delayed', 'answered'] as const
/** What an inbox did with a message. */
export type InboxBehaviour = (typeof INBOX_BEHAVIOURS)[number]

/** What one message comes to. */
export interface InboxPlan {
  behaviour: InboxBehaviour
  /** Host milliseconds before the answer. */
  delayMs: number
  /** Null when nothing is answered. */
  answer: {
    status: number
    body: string | null
    location: string | null
    slow: { bytes: number; everyMs: number } | null
  } | null
}

/**
 * What a message comes to.
 * @param told what the script says of it; undefined when it is used up
 * @param usualDelayMs of the inbox, where an answer has none of its own
 */
export function planOf(told: InboxAnswer | undefined, usualDelayMs: number): InboxPlan {
  const spoken = typeof told === 'object' ? told : { status: told }
  if ('hang' in spoken) return { behaviour: 'hung', delayMs: 0, answer: null }
  const { delayMs = usualDelayMs } = spoken
  if ('reset' in spoken) return { behaviour: 'reset', delayMs, answer: null }
  const { body, location = null, slow } = spoken
  const answer = {
    status: statusOf(spoken),
    body: body ?? (slow ? DRIBBLED_BODY : null),
    location,
    slow: slow ? { bytes: slow.bytes ?? DRIBBLE.bytes, everyMs: slow.everyMs ?? DRIBBLE.everyMs } : null,
  }
  return { behaviour: behaviourOf(answer, delayMs), delayMs, answer }
}

function behaviourOf({ slow, location }: NonNullable<InboxPlan['answer']>, delayMs: number): InboxBehaviour {
  if (slow) return 'dribbled'
  if (location !== null) return 'redirected'
  return delayMs > 0 ? 'delayed' : 'answered'
}

function statusOf(told: z.output<typeof spokenAnswer> | { status: number | undefined }): number {
  if (told.status !== undefined) return told.status
  if ('location' in told && told.location !== undefined) return 302
  return 'body' in told || 'slow' in told ? 200 : USUAL_STATUS
}

/** What to say of a field of another kind of answer, which only counts as such when it is true. */
function strangerIn(fields: readonly string[]): string | undefined {
  const field = ['hang', 'reset'].find((each) => fields.includes(each))
  return field === undefined ? undefined : `${field} is true or left out`
}

/** Says what is wrong with something that is no answer. */
function explain(told: unknown): string {
  if (typeof told !== 'object' || told === null || Array.isArray(told)) {
    return 'an answer is a status from 200 to 599, or an object such as {"status": 500, "delayMs": 50}, {"location": "/other"}, {"slow": {}}, {"hang": true} or {"reset": true}'
  }
  const others = (...known: string[]): string =>
    Object.keys(told)
      .filter((key) => !known.includes(key))
      .join(', ')
  if ('hang' in told) {
    return `{"hang": true} answers nothing, ever; ${others('hang')} does not go with it`
  }
  if ('reset' in told) {
    const extra = others('reset', 'delayMs')
    if (extra !== '') return `{"reset": true} answers nothing; only delayMs goes with it, ${extra} does not`
  }
  const { error } = ('reset' in told ? resetAnswer : spokenAnswer).safeParse(told)
  return (error?.issues ?? [])
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
    .join('; ')
}
