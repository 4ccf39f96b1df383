// Owns the table of faults: what each does, to what, at which moment, and the shape it is ordered in.
import { z } from 'zod'
import { GATEWAY_ERRORS } from '../contract/errors.ts'
import { closest } from '../kernel/closest.ts'
import type { OperationId } from '../contract/endpoints.ts'
import type { GatewayErrorCode } from '../contract/errors.ts'

/**
 * The moments at which a fault can befall something; at each moment at most one does.
 * - `dispute`: a dispute is about to be changed
 * - `instead`: instead of the work of a call
 * - `delay`: the work of a call is done, its answer waits
 * - `answer`: how the answer of a call is put on the wire
 * - `making`: the body of a delivery is made, before it is signed
 * - `dispatch`: a delivery is made, and when it is sent is decided
 * - `sending`: an attempt is about to be sent
 * - `landing`: a receiver has answered an attempt with 2xx
 */
export type FaultMoment =
  | 'dispute'
  | 'instead'
  | 'delay'
  | 'answer'
  | 'making'
  | 'dispatch'
  | 'sending'
  | 'landing'

interface FaultRow {
  moment: FaultMoment
  schema: z.ZodType
  summary: string
  /** One that can be ordered as it stands, for the README. */
  recipe: { on: object; do: unknown; times?: number }
}

/** Operations that `dispute_changed` befalls: those that answer for a dispute. */
export const DISPUTE_ANSWERS: readonly OperationId[] = ['respondToDispute', 'addDisputeEvidence']

/** Longest wait that a fault can order, in host milliseconds. */
export const MAX_HOST_WAIT_MS = 600_000

const hostMs = z.int().min(0).max(MAX_HOST_WAIT_MS)
const status = z.int().min(400).max(599)
const code = z.enum(Object.keys(GATEWAY_ERRORS) as GatewayErrorCode[])
const retryAfterS = z.int().min(0).max(86_400).optional()
const refuse = z.union([
  z.strictObject({ status, code: code.optional(), retryAfterS }),
  z.strictObject({ status: status.optional(), code, retryAfterS }),
])

const latency = z.strictObject({
  latencyMs: z.union([
    hostMs,
    z
      .strictObject({ from: hostMs, to: hostMs })
      .refine(({ from, to }) => from <= to, 'goes from the shorter to the longer'),
    z.strictObject({ median: hostMs, sigma: z.number().min(0).max(5) }),
    z.literal('untilReleased'),
  ]),
})

/** Each fault by its name. What is ordered as `do` has exactly the fields of one of them. */
export const FAULTS = {
  dispute_changed: {
    moment: 'dispute',
    schema: z.literal('dispute_changed'),
    summary: 'somebody changes the dispute between the reading and the writing: 409 `conflict`',
    recipe: { on: { operation: 'respondToDispute' }, do: 'dispute_changed' },
  },
  refuse: {
    moment: 'instead',
    schema: refuse,
    summary:
      'refused with a status, a code of the tables, or both, and `Retry-After` when `retryAfterS` is named; nothing is done',
    recipe: { on: { operation: 'createTransaction' }, do: { code: 'rate_limit_exceeded', retryAfterS: 30 } },
  },
  revokeToken: {
    moment: 'instead',
    schema: z.strictObject({ revokeToken: z.literal(true) }),
    summary: 'the token is revoked in mid-flight: 401 now and for every later call with it; nothing is done',
    recipe: { on: { operation: 'createTransaction' }, do: { revokeToken: true } },
  },
  resetBefore: {
    moment: 'instead',
    schema: z.strictObject({ reset: z.literal('before') }),
    summary: 'the connection is reset and nothing is done',
    recipe: { on: { operation: 'createTransaction' }, do: { reset: 'before' } },
  },
  resetAfter: {
    moment: 'answer',
    schema: z.strictObject({ reset: z.literal('after') }),
    summary: 'the work is done and the connection is reset: the answer is lost',
    recipe: { on: { operation: 'createTransaction' }, do: { reset: 'after' } },
  },
  latency: {
    moment: 'delay',
    schema: latency,
    summary:
      'the work is done and the answer waits some host milliseconds: fixed, uniform `{from, to}`, lognormal `{median, sigma}`, or `untilReleased`',
    recipe: { on: {}, do: { latencyMs: { median: 300, sigma: 0.5 } }, times: 100 },
  },
  answerBody: {
    moment: 'answer',
    schema: z.strictObject({ body: z.enum(['truncated', 'malformed', 'empty']) }),
    summary: 'the work is done and the body of the answer breaks off, is no JSON, or is not there',
    recipe: { on: { operation: 'getTransaction' }, do: { body: 'truncated' } },
  },
  dribble: {
    moment: 'answer',
    schema: z.strictObject({
      dribble: z.strictObject({ bytes: z.int().min(1).max(65_536), everyMs: hostMs }),
    }),
    summary: 'the answer comes in small pieces',
    recipe: { on: { operation: 'listTransactions' }, do: { dribble: { bytes: 64, everyMs: 100 } } },
  },
  contentType: {
    moment: 'answer',
    schema: z.strictObject({ contentType: z.string().regex(/^[\x21-\x7e][\x20-\x7e]{0,99}$/) }),
    summary: 'the answer says that it is something else than JSON',
    recipe: { on: { operation: 'getBalance' }, do: { contentType: 'text/html' } },
  },
  beforeResponse: {
    moment: 'dispatch',
    schema: z.strictObject({ send: z.literal('beforeResponse') }),
    summary: 'the first attempt ends before the call that caused it is answered',
    recipe: { on: { delivery: {} }, do: { send: 'beforeResponse' } },
  },
  hold: {
    moment: 'dispatch',
    schema: z.strictObject({ send: z.literal('held') }),
    summary: 'held until it is released',
    recipe: { on: { delivery: { type: 'payment.completed' } }, do: { send: 'held' } },
  },
  drop: {
    moment: 'dispatch',
    schema: z.strictObject({ send: z.literal('dropped') }),
    summary: 'never sent',
    recipe: { on: { delivery: {} }, do: { send: 'dropped' } },
  },
  late: {
    moment: 'dispatch',
    schema: z.strictObject({ late: z.string() }),
    summary: 'the first attempt waits some world time, such as `10m`, in which the record may move on',
    recipe: { on: { delivery: { type: 'payment.completed' } }, do: { late: '10m' } },
  },
  unknownType: {
    moment: 'making',
    schema: z.strictObject({ type: z.string().min(1).max(200) }),
    summary: 'the body and the header name another event type; signed as sent',
    recipe: { on: { delivery: {} }, do: { type: 'payment.teleported' } },
  },
  deliveryBody: {
    moment: 'making',
    schema: z.strictObject({ body: z.enum(['extraFields', 'large']) }),
    summary: 'the body has fields that nobody knows, or is very large (1 MiB); signed as sent',
    recipe: { on: { delivery: {} }, do: { body: 'extraFields' } },
  },
  twice: {
    moment: 'sending',
    schema: z.strictObject({ send: z.literal('twice') }),
    summary: 'two attempts with one number at the same time',
    recipe: { on: { delivery: {} }, do: { send: 'twice' } },
  },
  signature: {
    moment: 'sending',
    schema: z.strictObject({ signature: z.enum(['damaged', 'otherId', 'absent']) }),
    summary: 'the signature of an attempt is damaged, made with the id of another record, or not there',
    recipe: { on: { delivery: {} }, do: { signature: 'damaged' } },
  },
  alteredBody: {
    moment: 'sending',
    schema: z.strictObject({ body: z.enum(['altered', 'malformed']) }),
    summary: 'the body of an attempt is altered after it was signed, or is no JSON (signed as sent)',
    recipe: { on: { delivery: {} }, do: { body: 'altered' } },
  },
  lostAnswer: {
    moment: 'landing',
    schema: z.strictObject({ answer: z.literal('lost') }),
    summary: 'the receiver answered with 2xx and the sender never saw it: the attempt fails and is retried',
    recipe: { on: { delivery: {} }, do: { answer: 'lost' } },
  },
  duplicates: {
    moment: 'landing',
    schema: z.strictObject({ duplicates: z.int().min(1).max(100) }),
    summary: 'sent that many more times, with the same id and number, after it was delivered',
    recipe: { on: { delivery: {} }, do: { duplicates: 1 } },
  },
} as const satisfies Record<string, FaultRow>

/** Name of a fault. */
export type FaultName = keyof typeof FAULTS

/** What is ordered, by the name of the fault. */
export type FaultActionOf<Name extends FaultName> = z.output<(typeof FAULTS)[Name]['schema']>

/** What is ordered of any fault. */
export type FaultAction = { [Name in FaultName]: FaultActionOf<Name> }[FaultName]

const NAMES = Object.keys(FAULTS) as FaultName[]

/** Moments of calls; the others are of deliveries. */
const CALL_MOMENTS: ReadonlySet<FaultMoment> = new Set(['dispute', 'instead', 'delay', 'answer'])

/** What a fault befalls. */
export function befalls(name: FaultName): 'call' | 'delivery' {
  return CALL_MOMENTS.has(FAULTS[name].moment) ? 'call' : 'delivery'
}

/** The fault that something ordered is; null when it is none. */
export function faultNamed(action: unknown, target: 'call' | 'delivery'): FaultName | null {
  return (
    NAMES.find((name) => befalls(name) === target && FAULTS[name].schema.safeParse(action).success) ?? null
  )
}

/** Says of something ordered that is no fault which ones there are. */
export function explainNoFault(action: unknown): string {
  const first = typeof action === 'object' && action !== null ? Object.keys(action)[0] : action
  const known = NAMES.flatMap(fieldsOf)
  const near = typeof first === 'string' && !known.includes(first) ? closest(first, known) : null
  const hint = near === null ? '' : ` Did you mean '${near}'?`
  const shapes = (target: 'call' | 'delivery'): string =>
    NAMES.filter((name) => befalls(name) === target)
      .map(shapeOf)
      .join(', ')
  return `${JSON.stringify(action)} is no fault.${hint} There are, of a call: ${shapes('call')}; of a delivery: ${shapes('delivery')}.`
}

/** The field names of a fault; none where it is a plain word. */
function fieldsOf(name: FaultName): string[] {
  const schema: z.ZodType = FAULTS[name].schema
  const shapes = schema instanceof z.ZodUnion ? schema.options : [schema]
  const fields = shapes.flatMap((each) => (each instanceof z.ZodObject ? Object.keys(each.shape) : []))
  return [...new Set(fields)]
}

/** A fault as it is ordered, in a few characters: its fields with the words that they take. */
function shapeOf(name: FaultName): string {
  const fields = fieldsOf(name)
  if (fields.length === 0) return `'${name}'`
  return `{${fields.map((field) => `${field}${wordsOf(name, field)}`).join(', ')}}`
}

/** The words that a field takes, where it takes only some. */
function wordsOf(name: FaultName, field: string): string {
  const { schema }: { schema: z.ZodType } = FAULTS[name]
  const words: unknown = schema instanceof z.ZodObject ? schema.shape[field] : null
  if (words instanceof z.ZodEnum) return `: ${words.options.join(' | ')}`
  return words instanceof z.ZodLiteral ? `: ${[...words.values].join(' | ')}` : ''
}
