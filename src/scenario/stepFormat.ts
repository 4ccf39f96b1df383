// Owns the format of one step: a verb with what it takes.
import { z } from 'zod'
import { ENVIRONMENTS, PERMISSIONS } from '../contract/enums.ts'
import { CASHOUT_TRIGGERS } from '../domain/cashoutMachine.ts'
import { DISPUTE_TRIGGERS } from '../domain/disputeMachine.ts'
import { TRANSACTION_TRIGGERS } from '../domain/transactionMachine.ts'
import { inboxAnswer, inboxDelay } from '../world/inboxAnswers.ts'
import { answerCheck, CHECKS } from './checkFormat.ts'
import { fault } from './faultFormat.ts'
import {
  anyFields,
  duration,
  eventType,
  givenName,
  moment,
  oneOf,
  only,
  operation,
  reference,
} from './words.ts'

/** Most times that a step can be repeated. */
const MAX_REPEATS = 1_000
/** Triggers that nobody fires by hand: they come with a call of their own. */
const BY_THEMSELVES: ReadonlySet<string> = new Set(['create', 'chargeBack', 'addEvidence'])

/** Everything that a step can fire on a record. `open` opens a dispute on a transaction. */
const FIREABLE = [
  ...new Set([...TRANSACTION_TRIGGERS, ...CASHOUT_TRIGGERS, ...DISPUTE_TRIGGERS].filter(isFireable)),
] as [string, ...string[]]

function isFireable(trigger: string): boolean {
  return !BY_THEMSELVES.has(trigger)
}

/** A trigger. */
const triggerName = oneOf('trigger', FIREABLE).meta({ id: 'TriggerName' })

const named = givenName.optional()
const shared = { as: named }

/** What tells deliveries apart. */
const which = { of: reference.optional(), type: eventType.optional() }
/** One delivery: the only one of a record, or of a type, or of both. */
const oneDelivery = only('a delivery', which).refine(
  ({ of, type }) => of !== undefined || type !== undefined,
  'names a delivery by the record that it is of, by its type, or by both',
)
const nothingMore = [z.null(), z.literal(true)] as const

/** Every verb with the whole step that it makes. */
const SIMPLE = {
  call: only('a call', {
    call: operation.meta({ description: 'calls the gateway; the player fetches the token' }),
    id: reference.optional().meta({ description: 'the record that the path names' }),
    with: anyFields.optional().meta({ description: 'the body; the query of an operation that has no body' }),
    headers: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: 'further headers of the request' }),
    by: z
      .union([
        z.string(),
        only('a key pair', { publicKey: z.string(), secretKey: z.string() }),
        only('a token', { token: z.string() }),
      ])
      .optional()
      .meta({
        description:
          'who calls: merchant, production, receiver, nobody, the name of given credentials, a key pair or a token; the merchant when left out',
      }),
    ...shared,
    expect: answerCheck
      .optional()
      .meta({ description: 'what the gateway must answer; a success when left out' }),
  }),
  trigger: only('a trigger', {
    trigger: z.looseObject({ on: reference, do: triggerName }, { error: 'needs on and do' }).meta({
      description:
        'fires a trigger on a record, with its parameters, such as amount, reason or payer; open opens a dispute on a transaction',
    }),
    ...shared,
    expect: only('a fired trigger', {
      from: z.unknown().optional().meta({ description: 'the status before' }),
      to: z.unknown().optional().meta({ description: 'the status after' }),
      record: z.unknown().optional().meta({ description: 'fields of the record, as stored' }),
      error: z.string().optional().meta({ description: 'code of the refusal' }),
    })
      .optional()
      .meta({ description: 'what must come of it; that it fires, when left out' }),
  }),
  advance: only('an advance', {
    advance: z
      .union(
        [duration, only('an advance', { to: moment }), only('an advance', { toNext: z.literal(true) })],
        {
          error: ({ input }) =>
            `${JSON.stringify(input)} is nothing to advance by; use 31m, {to: '2030-01-01T12:00:00Z'} or {toNext: true}`,
        },
      )
      .meta({ description: 'moves the clock: by a length of time, to an instant, or to what is due next' }),
  }),
  inbox: only('an inbox', {
    inbox: only('an inbox', {
      as: givenName,
      answers: z
        .array(inboxAnswer)
        .optional()
        .meta({ description: 'what the first messages are answered; 204 after them' }),
      delayMs: inboxDelay.optional().meta({ description: 'host milliseconds before each answer' }),
    }).meta({ description: 'a receiver; its address is $name.url' }),
  }),
  fault: only('a fault', { fault: fault.meta({ description: 'makes something go wrong' }), ...shared }),
  settle: only('a settle', {
    settle: z
      .union([
        ...nothingMore,
        only('a settle', { timeoutMs: z.int().optional(), quietMs: z.int().optional() }),
      ])
      .meta({
        description: 'waits until nothing is due or in flight; every expect but of an answer does so',
      }),
  }),
  hold: only('a hold', {
    hold: z
      .union([...nothingMore, only('the deliveries to hold', which)])
      .meta({ description: 'holds new webhooks: all, or those of a record or a type' }),
  }),
  release: only('a release', {
    release: z
      .union([...nothingMore, z.array(oneDelivery).min(1)])
      .meta({ description: 'sends held webhooks in this order; all, oldest first, when none are named' }),
  }),
  resend: only('a resend', {
    resend: oneDelivery.meta({ description: 'sends a webhook again, as a new round of attempts' }),
  }),
  duplicate: only('a duplicate', {
    duplicate: oneDelivery.meta({ description: 'sends a webhook once more, beside its own attempts' }),
  }),
  balance: only('a change of balance', {
    balance: only('a change of balance', {
      organization: reference.optional().meta({ description: "the merchant's own when left out" }),
      environment: oneOf('environment', ENVIRONMENTS).optional(),
      fund: z.int().min(1).optional().meta({ description: 'cents of test money' }),
      requireFullWithdrawal: z
        .boolean()
        .nullable()
        .optional()
        .meta({ description: 'whether the next cashout must take everything; null as the rules say' }),
    }).meta({ description: 'gives an organisation money, or says what its next cashout must take' }),
  }),
  credential: only('a change of a credential', {
    credential: only('a change of a credential', {
      of: z
        .string()
        .meta({ description: 'production, receiver, merchant, or the name of given credentials' }),
      active: z.boolean().optional().meta({ description: 'whether it still gets tokens' }),
      permissions: z.array(oneOf('permission', PERMISSIONS)).optional(),
      allowedIps: z
        .array(z.string())
        .optional()
        .meta({ description: 'addresses that may call; all when empty' }),
    }).meta({ description: 'changes what a key pair may do' }),
  }),
  silences: only('a choice of silences', {
    silences: anyFields.meta({ description: 'choices by silence id, from now on' }),
  }),
  note: only('a note', { note: z.string().meta({ description: 'words for the reader; does nothing' }) }),
  expect: only('a check', {
    expect: z
      .union(Object.values(CHECKS) as unknown as [z.ZodType<object>])
      .meta({ description: 'what must be so now: one of the checks below' }),
  }),
} as const

const repeat = only('a repeat', {
  repeat: only('a repeat', {
    times: z.int().min(1).max(MAX_REPEATS).meta({ description: 'how often' }),
    get steps() {
      return z.array(anyStep)
    },
  }).meta({ description: 'plays steps several times' }),
})

/** Every verb with the whole step that it makes. */
export const STEPS = { ...SIMPLE, repeat } as const

/** Any step. */
export const anyStep: z.ZodType<Record<string, unknown>> = z.lazy(() =>
  z.union(Object.values(STEPS) as unknown as [z.ZodType<Record<string, unknown>>]),
)

/** A verb. */
export type Verb = keyof typeof STEPS
/** A step, by its verb. */
export type StepOf<Name extends Verb> = z.output<(typeof STEPS)[Name]>
/** All verbs. */
export const VERBS = Object.keys(STEPS) as [Verb, ...Verb[]]
