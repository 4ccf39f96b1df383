// Owns the format of one step: a verb with what it takes.
import { z } from 'zod'
import { OPERATION_IDS } from '../contract/endpoints.ts'
import { ENVIRONMENTS, PERMISSIONS } from '../contract/enums.ts'
import { EVENT_TYPES } from '../contract/events.ts'
import { CASHOUT_TRIGGERS } from '../domain/cashoutMachine.ts'
import { DISPUTE_TRIGGERS } from '../domain/disputeMachine.ts'
import { TRANSACTION_TRIGGERS } from '../domain/transactionMachine.ts'
import { explainNoFault, faultNamed, FAULTS } from '../world/faultKinds.ts'
import { inboxAnswer, inboxDelay } from '../world/inboxAnswers.ts'
import { answerCheck, CHECKS } from './checkFormat.ts'
import { anyFields, duration, givenName, moment, oneOf, only, reference } from './words.ts'
import type { OperationId } from '../contract/endpoints.ts'
import type { FaultAction } from '../world/faultKinds.ts'

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

/** An operation of the gateway. */
const operation = oneOf('operation', OPERATION_IDS as [OperationId, ...OperationId[]])
/** An event type. */
const eventType = oneOf('event type', EVENT_TYPES as [(typeof EVENT_TYPES)[number]])
/** A trigger. */
const triggerName = oneOf('trigger', FIREABLE)

const named = givenName.optional()
const actions = Object.values(FAULTS).map(({ schema }) => schema) as unknown as [z.ZodType<FaultAction>]
/** What a fault does, as ordered. */
const faultAction = z.union(actions, { error: ({ input }) => explainNoFault(input) })

const fault = only('a fault', {
  on: only('what a fault befalls', {
    operation: operation.optional(),
    delivery: only('the deliveries that a fault befalls', {
      type: eventType.optional(),
      subject: reference.optional(),
    }).optional(),
  }).optional(),
  subject: reference.optional(),
  nth: z.int().min(1).optional(),
  probability: z.number().min(0).max(1).optional(),
  do: faultAction,
  times: z.int().min(1).optional(),
  after: z.string().optional(),
  until: z.string().optional(),
}).superRefine(({ on, do: action }, context) => {
  const target = on?.delivery === undefined ? 'call' : 'delivery'
  if (faultNamed(action, target) !== null) return
  const message = `${JSON.stringify(action)} befalls no ${target}; name the ${target === 'call' ? 'deliveries' : 'operation'} with on. ${explainNoFault(action)}`
  context.addIssue({ code: 'custom', path: ['do'], message })
})

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
    call: operation.meta({ description: 'operation id of the gateway' }),
    id: reference.optional().meta({ description: 'the record that the path names' }),
    with: anyFields.optional().meta({ description: 'the body; the query of an operation that has no body' }),
    headers: z.record(z.string(), z.unknown()).optional(),
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
    expect: answerCheck.optional(),
  }),
  trigger: only('a trigger', {
    trigger: z
      .looseObject({ on: reference, do: triggerName }, { error: 'needs on and do' })
      .meta({ description: 'a trigger of the machines; open opens a dispute on a transaction' }),
    ...shared,
    expect: only('a fired trigger', {
      from: z.unknown().optional(),
      to: z.unknown().optional(),
      record: z.unknown().optional(),
      error: z.string().optional().meta({ description: 'code of the refusal' }),
    }).optional(),
  }),
  advance: only('an advance', {
    advance: z.union(
      [duration, only('an advance', { to: moment }), only('an advance', { toNext: z.literal(true) })],
      {
        error: ({ input }) =>
          `${JSON.stringify(input)} is nothing to advance by; use 31m, {to: '2030-01-01T12:00:00Z'} or {toNext: true}`,
      },
    ),
  }),
  inbox: only('an inbox', {
    inbox: only('an inbox', {
      as: givenName,
      answers: z.array(inboxAnswer).optional(),
      delayMs: inboxDelay.optional(),
    }),
  }),
  fault: only('a fault', { fault, ...shared }),
  settle: only('a settle', {
    settle: z.union([
      ...nothingMore,
      only('a settle', { timeoutMs: z.int().optional(), quietMs: z.int().optional() }),
    ]),
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
      requireFullWithdrawal: z.boolean().nullable().optional(),
    }),
  }),
  credential: only('a change of a credential', {
    credential: only('a change of a credential', {
      of: z
        .string()
        .meta({ description: 'production, receiver, merchant, or the name of given credentials' }),
      active: z.boolean().optional(),
      permissions: z.array(oneOf('permission', PERMISSIONS)).optional(),
      allowedIps: z.array(z.string()).optional(),
    }),
  }),
  silences: only('a choice of silences', {
    silences: anyFields.meta({ description: 'choices by silence id, from now on' }),
  }),
  note: only('a note', { note: z.string() }),
  expect: only('a check', { expect: z.union(Object.values(CHECKS) as unknown as [z.ZodType<object>]) }),
} as const

const repeat = only('a repeat', {
  repeat: only('a repeat', {
    times: z.int().min(1).max(MAX_REPEATS),
    get steps() {
      return z.array(anyStep)
    },
  }),
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
