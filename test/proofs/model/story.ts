// Owns the scenario that leads to a state of a world: a step for each call and order, and the file that a failure prints.
import { recordingText } from '../../../src/recorder/text.ts'
import { ADDRESSES } from './addresses.ts'
import { hookUrl } from './server.ts'
import { freshLife, START } from './world.ts'
import type { RecordedStep } from '../../../src/recorder/recording.ts'
import type { Answer, GatewayCall } from './gateway.ts'
import type { Hook, Life, ModelWorld, Told } from './world.ts'

type Step = Record<string, unknown>

const HOOKS: readonly Hook[] = ['good', 'broken']

/** Adds a line. */
export function tell(life: Life, told: Told): void {
  life.story.push(told)
}

/** The silences that a scenario chooses from the beginning: tokens without limit. */
const SILENCES = { 'AU-13': 'off' }

/** The choices that differ from those that every world begins with. */
function chosen({ knobs }: Life): Record<string, unknown> {
  const first: Record<string, unknown> = { ...freshLife().knobs }
  const differs = ([id, value]: [string, unknown]): boolean =>
    JSON.stringify(value) !== JSON.stringify(first[id])
  return Object.fromEntries(Object.entries(knobs).filter(differs))
}

/** Begins the scenario of a world that begins anew: only its choices stay. */
export function tellReset(life: Life): void {
  const silences = chosen(life)
  life.story = [{ comment: 'the world was reset here; what was before it is left out' }]
  if (Object.keys(silences).length > 0) tell(life, { step: { silences } })
}

/** Adds the step of a call, with what the model says of its answer. */
export function tellCall(life: Life, call: GatewayCall, expected: Answer): void {
  const { operation, by, said, as, raw, body, query, headers } = call
  // The player asks for tokens by itself.
  if (call.isOwn && expected.code === null && !expected.befallen) return
  if (call.method !== undefined) {
    return tell(life, { comment: `here ${operation} is called with ${call.method}` })
  }
  if (call.from !== undefined && call.from !== 'home') {
    return tell(life, { comment: `here ${operation} is called from ${ADDRESSES[call.from]}` })
  }
  const sent = saidOf(raw?.said ?? (body === undefined ? query : (body as Step)), life)
  const isBound = as !== undefined && expected.code === null && expected.seen === 'all'
  tell(life, {
    step: {
      call: operation,
      ...(said === undefined ? {} : { id: said }),
      ...(sent === undefined || Object.keys(sent).length === 0 ? {} : { with: sent }),
      ...callerOf(by),
      ...(headers === undefined ? {} : { headers }),
      ...(isBound ? { as } : {}),
      expect: expectedOf(expected),
    },
  })
  if (as !== undefined && expected.code === null && expected.seen !== 'all') {
    tell(life, { comment: `the answer was lost: what '$${as}' stands for below has no name here` })
  }
}

function callerOf(by: GatewayCall['by']): Step {
  if (by === 'sandbox') return {}
  return { by: by === 'nonsense' ? { token: 'a-token-that-is-none' } : by }
}

function expectedOf({ seen, status, code, data }: Answer): Step {
  if (seen === 'nothing') return { none: true }
  if (seen === 'noBody') return { status }
  const plain = Object.entries(data ?? {}).filter(
    ([name]) => !/^(?:id|customerId|paymentId|items)$/.test(name),
  )
  const facts = code === null && plain.length > 0 ? { data: Object.fromEntries(plain) } : {}
  return { status, ...(code === null ? {} : { error: code }), ...facts }
}

/** A body with inboxes in the place of receivers, and names in the place of ids. */
function saidOf(sent: Step | undefined, life: Life): Step | undefined {
  if (sent === undefined) return undefined
  let text = JSON.stringify(sent)
  for (const hook of HOOKS) text = text.replaceAll(hookUrl(hook), `$${hook}.url`)
  for (const [id, said] of Object.entries(life.saidIds)) text = text.replaceAll(id, said)
  return JSON.parse(text) as Step
}

/** What must be so at the end, as the model says: it fails where the sandbox says something else. */
function checksOf(life: Life): Step[] {
  const money = (['Sandbox', 'Production'] as const).flatMap((environment) =>
    (['merchant', 'receiver'] as const).flatMap((org): Step[] => {
      const of = (name: string): number => life.balances[`${name}:${org}:${environment}`] ?? 0
      const [available, pending, reserved] = [of('available'), of('pending'), of('reserved')]
      const organization = org === 'merchant' ? {} : { organization: '$world.receiver.id' }
      const isUsed = environment === 'Sandbox' || available !== 0 || pending !== 0 || reserved !== 0
      return isUsed
        ? [{ expect: { balance: { ...organization, environment, available, pending, reserved } } }]
        : []
    }),
  )
  const records = [
    ...life.transactions.map(({ said, status, refunded, unsettled, fee }) => ({
      expect: { transaction: said, status, fee, refundedAmount: refunded, unsettledAmount: unsettled },
    })),
    ...life.cashouts.map(({ said, status }) => ({ expect: { cashout: said, status } })),
    ...life.disputes.map(({ said, status, held }) => ({
      expect: { dispute: said, status, heldAmount: held },
    })),
  ]
  const webhooks = [...new Set(life.posts.map(({ kind, place, type }) => `${kind} ${place} ${type}`))].map(
    (key) => {
      const [kind, place, type] = key.split(' ') as ['transactions', string, string]
      const of = life[kind][Number(place)]?.said
      const same = life.posts.filter((one) => `${one.kind} ${one.place} ${one.type}` === key)
      const [only] = same
      const more = only && same.length === 1 ? { status: only.status, attempts: only.numbers.length } : {}
      return { expect: { delivery: { of, type, count: same.length, ...more } } }
    },
  )
  return [...records, ...webhooks, ...money]
}

/** The scenario that leads a fresh world to where the model stands, and expects what the model says. */
export function scenarioOf({ life }: ModelWorld, name: string, about: readonly string[]): string {
  const steps: RecordedStep[] = []
  const rules: object[] = []
  let given: Step | undefined
  let comment: string[] = []
  for (const told of [...life.story, ...checksOf(life).map((step): Told => ({ step }))]) {
    if ('comment' in told) comment.push(told.comment)
    else if ('given' in told) {
      // A file gives records before everything else.
      if (steps.length === 0 && !given) given = saidOf(told.given, { ...life, saidIds: {} })
      else comment.push(`here this is given: ${JSON.stringify(told.given)}`)
    } else if ('step' in told) {
      for (const each of comment) steps.push({ step: null, comment: each })
      steps.push({ step: told.step, comment: null })
      comment = []
    } else if (steps.length === 0) rules.push(told.rule)
    else comment.push(`here this rule is added: ${JSON.stringify(told.rule)}`)
  }
  for (const each of comment) steps.push({ step: null, comment: each })
  return recordingText({
    about: [...about, 'Play it: npx gateway-sandbox run FILE'],
    head: {
      name,
      clock: new Date(START).toISOString(),
      seed: 'model',
      silences: SILENCES,
      ...(given === undefined ? {} : { given }),
      ...(rules.length === 0 ? {} : { rules }),
    },
    steps: [...inboxesIn(steps, life), ...steps],
  })
}

/** The steps that make the inboxes known which stand for receivers. */
function inboxesIn(steps: readonly RecordedStep[], { posts }: Life): RecordedStep[] {
  const text = JSON.stringify(steps)
  const failing = posts.filter(({ hook }) => hook === 'broken').length * 6
  return HOOKS.filter((hook) => text.includes(`$${hook}.url`)).map((hook) => {
    const answers =
      hook === 'broken' ? { answers: Array.from({ length: Math.max(failing, 3) }, () => 500) } : {}
    return { step: { inbox: { as: hook, ...answers } }, comment: null }
  })
}
