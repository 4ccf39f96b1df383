// Owns a recording at work: what stands in the file so far, its clock, and the inboxes that webhooks go to.
import { redactText } from '../world/redaction.ts'
import { isAddress } from './names.ts'
import type { Delivery } from '../client/world.ts'
import type { StableData } from './data.ts'
import type { RecordedInbox, RecordNames } from './names.ts'
import type { Seen } from './seen.ts'

type Fields = Record<string, unknown>

/** One entry of the file's steps: a step, what is said above it, or only that. */
export interface RecordedStep {
  step: Fields | null
  comment: string | null
}

/** A recording at work. */
export interface Recording {
  readonly seen: Seen
  readonly names: RecordNames
  readonly data: StableData
  readonly warn: (text: string) => void
  readonly given: Record<string, unknown[]>
  readonly rules: unknown[]
  readonly steps: RecordedStep[]
  /** What the clock shows at this place of the file. */
  clock: string
  /** Whether nothing has happened that given records would come too late for. */
  isFresh: boolean
  /** Inboxes that are there at this place of the file. */
  readonly bound: Set<string>
  /** Whether each token is asked for where the merchant did, because it matters when. */
  readonly tokensMatter: boolean
  /** The names of the latest tokens by public key. */
  readonly tokens: Map<string, string>
  /** Card tokens, the oldest first. */
  readonly cardTokens: { name: string; brand: string; lastFour: string; isUsed: boolean }[]
  /** Records, by kind, that no call and no command made: given ones, and what rules opened. */
  readonly unmade: Readonly<Record<string, string[]>>
}

/** Adds a step at its instant. */
export function addStep(recording: Recording, at: string, step: Fields, comment: string | null = null): void {
  moveTo(recording, at)
  recording.steps.push({ step, comment })
}

/** Moves the clock of the file on to an instant; jobs and webhooks in between run by themselves. */
export function moveTo(recording: Recording, at: string): void {
  if (at <= recording.clock) return
  recording.clock = at
  recording.steps.push({ step: { advance: { to: at } }, comment: null })
}

/** Says in the file, at its place, and to whoever records, that something does not stand in it. */
export function leaveOut(recording: Recording, text: string): void {
  tell(recording, `${MISSING}${text}`)
}

const MISSING = 'MISSING: '

/** Whether what was told says that a part of the story does not stand in the file. */
export function isMissing(told: string): boolean {
  return told.startsWith(MISSING)
}

/** Says in the file, at its place, and to whoever records, that something may go otherwise when it is played. */
export function tell(recording: Recording, text: string): void {
  recording.steps.push({ step: null, comment: text })
  recording.warn(text)
}

/** A value of the recorded world as the file says it, with an inbox in the place of each address for webhooks. */
export function saidWithInboxes(recording: Recording, at: string, value: unknown): unknown {
  for (const address of addressesIn(value, recording.seen.wireNames['callbackUrl'])) {
    const inbox = recording.names.inboxAt(address)
    ensureInbox(recording, at, inbox)
    recording.names.bind(address, `$${inbox.name}.url`)
  }
  return recording.names.said(value)
}

function addressesIn(value: unknown, alias = 'callbackUrl'): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, each]) =>
    (key === 'callbackUrl' || key === alias) && isAddress(each) ? [each] : addressesIn(each, alias),
  )
}

/** Adds the step that makes an inbox known, unless one did. One that stands for a receiver outside answers as that did. */
function ensureInbox(recording: Recording, at: string, { name, outside }: RecordedInbox): void {
  if (recording.bound.has(name)) return
  recording.bound.add(name)
  const answers = outside === null ? [] : answersOf(recording.seen.deliveries, outside)
  const told = answers.length === 0 ? {} : { answers }
  const comment = outside === null ? null : `${name} answers as the receiver outside did`
  addStep(recording, at, { inbox: { as: name, ...told } }, comment)
}

/** Status of an inbox whose script is used up. */
const USUAL_STATUS = 204
/** Answers that one script takes. */
const MAX_ANSWERS = 1_000

/** The address of a delivery as the bodies of calls keep it: without what is hidden. */
export function keptAddress({ url }: Delivery): string {
  return redactText(url)
}

/** Whether an attempt got no answer in time. */
export function hasHung({ status, error }: Delivery['attempts'][number]): boolean {
  return status === null && (error === null || error.startsWith('timed out'))
}

/** How a receiver answered all attempts, in their order, as an inbox is told it. */
function answersOf(deliveries: readonly Delivery[], url: string): unknown[] {
  const attempts = deliveries.filter((each) => keptAddress(each) === url).flatMap((each) => each.attempts)
  const answers = attempts
    .toSorted((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)))
    .map(answerOf)
  const used = answers.findLastIndex((each) => each !== USUAL_STATUS) + 1
  return answers.slice(0, Math.min(used, MAX_ANSWERS))
}

function answerOf(attempt: Delivery['attempts'][number]): unknown {
  const { status, error } = attempt
  if (status !== null) return status >= 200 && status <= 599 ? status : 500
  const lost = /a fault lost the answer, which was (\d+)/.exec(error ?? '')?.[1]
  if (lost !== undefined) return Number(lost)
  return hasHung(attempt) ? { hang: true } : { reset: true }
}
