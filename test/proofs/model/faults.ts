// Owns the model's faults: which armed one befalls something, and what the ones that it knows do.
import type { Armed, Life } from './world.ts'

/** When a fault befalls something; at each moment at most one does. */
export type Moment =
  | 'dispute'
  | 'instead'
  | 'delay'
  | 'answer'
  | 'making'
  | 'dispatch'
  | 'sending'
  | 'landing'

/** An order of a fault that the model knows. */
export interface FaultOrder {
  moment: Moment
  do: unknown
}

/** Faults of calls, each with its moment. */
export const CALL_FAULTS: readonly FaultOrder[] = [
  { moment: 'instead', do: { status: 503 } },
  { moment: 'instead', do: { code: 'rate_limit_exceeded', retryAfterS: 30 } },
  { moment: 'instead', do: { reset: 'before' } },
  { moment: 'instead', do: { revokeToken: true } },
  { moment: 'delay', do: { latencyMs: 0 } },
  { moment: 'answer', do: { reset: 'after' } },
  { moment: 'answer', do: { body: 'truncated' } },
  { moment: 'answer', do: { body: 'malformed' } },
  { moment: 'answer', do: { body: 'empty' } },
  { moment: 'answer', do: { contentType: 'text/html' } },
  { moment: 'answer', do: { dribble: { bytes: 400, everyMs: 0 } } },
]

/** The fault that changes a dispute under a merchant's hands. */
export const DISPUTE_CHANGED: FaultOrder = { moment: 'dispute', do: 'dispute_changed' }

/** Faults of webhooks, each with its moment. */
export const WEBHOOK_FAULTS: readonly FaultOrder[] = [
  { moment: 'making', do: { type: 'payment.teleported' } },
  { moment: 'making', do: { body: 'extraFields' } },
  { moment: 'dispatch', do: { send: 'held' } },
  { moment: 'dispatch', do: { send: 'dropped' } },
  { moment: 'dispatch', do: { send: 'beforeResponse' } },
  { moment: 'dispatch', do: { late: '10m' } },
  { moment: 'sending', do: { send: 'twice' } },
  { moment: 'sending', do: { signature: 'damaged' } },
  { moment: 'sending', do: { body: 'malformed' } },
  { moment: 'landing', do: { answer: 'lost' } },
  { moment: 'landing', do: { duplicates: 2 } },
]

/** Every fault that the model knows. */
export const ALL_FAULTS: readonly FaultOrder[] = [...CALL_FAULTS, DISPUTE_CHANGED, ...WEBHOOK_FAULTS]

/** How often the fault fires that holds every webhook. */
const WITHOUT_END = 1_000_000

/** The armed fault that holds webhooks until they are released. */
export function holding(type: string | null): Armed {
  return arm({ do: { send: 'held' }, operation: null, type: type ?? '', times: WITHOUT_END })
}

/** An armed fault. `type` is null for calls, and empty for webhooks of any type. */
export function arm(order: Pick<Armed, 'do' | 'operation' | 'type' | 'times'> & Partial<Armed>): Armed {
  return { id: '', subject: null, nth: 1, after: null, until: null, seen: 0, fired: 0, ...order }
}

const MINUTE = 60_000

/** Instants, as an order of a fault says them, by what they mean at an instant. */
const WHENS = {
  '0s': (now: number) => now,
  '10m': (now: number) => now + 10 * MINUTE,
  '1h': (now: number) => now + 60 * MINUTE,
  '4d': (now: number) => now + 5_760 * MINUTE,
  '2029-12-31T00:00:00Z': () => Date.UTC(2029, 11, 31),
  '2030-01-01T09:30:00-03:00': () => Date.UTC(2030, 0, 1, 12, 30),
} satisfies Record<string, (now: number) => number>

/** From or until when a fault fires. */
export type When = keyof typeof WHENS

/** Everything that programs say of when a fault fires. */
export const ALL_WHENS = Object.keys(WHENS) as When[]

/** The instant that is meant. */
export function instantOf({ now }: Life, when: When | null): number | null {
  return when === null ? null : WHENS[when](now)
}

/** Takes the faults away that hold all webhooks until they are released. */
export function stopHolding(life: Life): void {
  life.faults = life.faults.filter(({ times }) => times !== WITHOUT_END)
}

function momentOf(armed: Armed): Moment | null {
  const isOfCalls = armed.type === null
  const known = ALL_FAULTS.filter(
    ({ moment }) => isOfCalls === ['dispute', 'instead', 'delay', 'answer'].includes(moment),
  )
  return known.find((each) => JSON.stringify(each.do) === JSON.stringify(armed.do))?.moment ?? null
}

/** What a fault befalls: a call of an operation, or a webhook of a type, about the record of an id. */
interface Happening {
  operation?: string
  type?: string
  subject?: string | undefined
}

/** What befalls something; all that fit and are in time are counted, the first one armed fires. */
export function befall(
  life: Life,
  moment: Moment,
  { operation, type, subject }: Happening,
): Record<string, unknown> | string | null {
  const { now } = life
  let taken: Armed | null = null
  for (const armed of life.faults) {
    const fits =
      armed.type === null
        ? operation !== undefined && (armed.operation ?? operation) === operation
        : type !== undefined && (armed.type === '' || armed.type === type)
    if (armed.subject !== null && armed.subject !== subject) continue
    if (now < (armed.after ?? now) || now >= (armed.until ?? Infinity)) continue
    if (!fits || momentOf(armed) !== moment || armed.fired >= armed.times) continue
    armed.seen += 1
    if (taken || armed.seen < armed.nth) continue
    armed.fired += 1
    taken = armed
  }
  return taken ? (taken.do as Record<string, unknown> | string) : null
}
