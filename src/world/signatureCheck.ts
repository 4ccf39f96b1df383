// Owns the check of a received webhook's signature, and saying what differs when it does not hold.
import { recordOf } from '../domain/state.ts'
import { signBody } from '../webhooks/signature.ts'
import type { ChoiceOf } from '../contract/silences.ts'
import type { Delivery } from '../domain/trail.ts'
import type { World } from '../domain/world.ts'
import type { SignatureCheck } from './inboxes.ts'

type Form = ChoiceOf<'WH-01'>

const FORMS: readonly Form[] = ['prefixedHex', 'hex', 'base64']
/** Records, the newest first, whose ids are tried as keys of a signature that does not hold. */
const MAX_TRIED_KEYS = 1_000

/** A webhook as it came. */
export interface SignedMessage {
  /** Value of the signature's header. */
  signature: string | undefined
  bytes: Uint8Array
  /** `data.id` of the body; null when it names none. */
  named: string | null
  /** Id in the delivery's header. */
  delivery: string | null
}

/** Whether a signature holds for the bytes, keyed with the id that the body names, and why not. Source: WH-01. */
export function checkSignature(
  world: World,
  message: SignedMessage,
): { signature: SignatureCheck; why: string | null } {
  const { signature, bytes, named } = message
  if (signature === undefined) return { signature: 'absent', why: null }
  const form = world.choices.get('WH-01')
  if (named !== null && signature === signBody(bytes, named, form)) return { signature: 'valid', why: null }
  return { signature: 'invalid', why: whyInvalid(world, { ...message, signature }, form) }
}

type Signed = SignedMessage & { signature: string }

function whyInvalid(world: World, message: Signed, form: Form): string {
  const { signature, bytes, named, delivery: id } = message
  const otherForm = otherFormOf(signature, bytes, named, form)
  if (otherForm !== null) return otherForm
  const sent = id === null ? null : recordOf(world.state.deliveries, id)
  if (sent) return whyNotAsSent(world, message, sent, form)
  const unknown =
    id === null
      ? `the message names no delivery of this world (${world.choices.get('WH-02')}Delivery)`
      : `${id} is no delivery of this world`
  if (named === null) return `The body is no JSON that names data.id, which is the key; ${unknown}.`
  const key = keyOf(world, message, form, null)
  if (key !== null) {
    return `Signed with another id: the key is ${key}, and the body names ${named} as data.id.`
  }
  return `The signature is not that of these ${bytes.length} bytes under ${named} (data.id): the body was altered, another id is the key, or the signature was damaged. Which of them cannot be told: ${unknown}.`
}

/** What differs from the delivery that the world itself sent. */
function whyNotAsSent(world: World, message: Signed, sent: Delivery, form: Form): string {
  const { signature, bytes, named } = message
  const real = Buffer.from(sent.body, 'utf8')
  const expected = signBody(real, sent.subject, form)
  const at = firstDifference(real, bytes)
  const holdsAnyway = signature === signBody(bytes, sent.subject, form)
  if (at === null) return whyNotKeyedAsSent(world, message, sent, expected)
  const differs = `these ${bytes.length} bytes differ from the ${real.length} that delivery ${sent.id} has, from byte ${at} on`
  if (signature === expected) {
    return `The body was altered after it was signed with ${sent.subject}: ${differs}.`
  }
  if (holdsAnyway && named === null) {
    return `The body names no data.id, so that a receiver has no key; the signature holds for these bytes under ${sent.subject}, and ${differs}.`
  }
  if (holdsAnyway) {
    return `Signed with ${sent.subject}, which is the subject of delivery ${sent.id}; the body names ${String(named)} as data.id, and ${differs}.`
  }
  return `Neither the body nor the signature is as delivery ${sent.id} has it: ${differs}.`
}

/** Why a signature does not hold although the body is as it was sent. */
function whyNotKeyedAsSent(world: World, message: Signed, sent: Delivery, expected: string): string {
  const key = keyOf(world, message, world.choices.get('WH-01'), sent)
  if (key !== null) {
    return `Signed with another id: the key is ${key} instead of ${sent.subject} (data.id). The body is as it was sent.`
  }
  const { signature } = message
  const [given, wanted] = [Buffer.from(signature), Buffer.from(expected)]
  const wrong = given.reduce((count, byte, index) => count + (byte === wanted[index] ? 0 : 1), 0)
  if (given.length === wanted.length && wrong > wanted.length / 2) {
    return `The body is as it was sent, and the key is not ${sent.subject} (data.id) nor any id of this world: another id or a wholly damaged signature.`
  }
  return `The signature was damaged: the body is as it was sent, and under ${sent.subject} (data.id) its signature is ${expected}, not ${signature}.`
}

/** Says so when a signature only is written in another way than the world chose. */
function otherFormOf(signature: string, bytes: Uint8Array, named: string | null, form: Form): string | null {
  if (named === null) return null
  const right = signBody(bytes, named, form)
  if (form !== 'base64' && signature.toLowerCase() === right) {
    return `It is right under ${named} (data.id) but for its letter case: digits are lower-case.`
  }
  const written = FORMS.find((other) => other !== form && signature === signBody(bytes, named, other))
  if (written === undefined) return null
  return `It is right under ${named} (data.id) but written as ${written}; this world writes ${form} (WH-01).`
}

/** The id of this world that a signature was made with; null when it is none of those that are tried. */
function keyOf(
  world: World,
  { signature, bytes, delivery }: Signed,
  form: Form,
  sent: Delivery | null,
): string | null {
  const { transactions, cashouts, disputes } = world.indexes
  const newest = [cashouts, disputes, transactions].flatMap(({ records }) =>
    records.slice(-MAX_TRIED_KEYS).map(({ id }) => id),
  )
  const tried = [...(delivery === null ? [] : [delivery]), ...newest.toReversed().slice(0, MAX_TRIED_KEYS)]
  return tried.find((key) => key !== sent?.subject && signature === signBody(bytes, key, form)) ?? null
}

/** The first index at which bytes differ; null when they are equal. */
function firstDifference(one: Uint8Array, other: Uint8Array): number | null {
  const length = Math.max(one.length, other.length)
  for (let index = 0; index < length; index++) if (one[index] !== other[index]) return index
  return null
}
