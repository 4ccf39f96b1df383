// Owns what the pages of deliveries read of a world: the list, those that are held, and what each attempt sent.
import { findRecords } from '../domain/recordQuery.ts'
import { recordOf } from '../domain/state.ts'
import { attemptHeaders } from '../webhooks/attempt.ts'
import { withoutCounting } from '../world/choices.ts'
import { checkSignature } from '../world/signatureCheck.ts'
import type { Attempt, Delivery } from '../domain/trail.ts'
import type { Fault } from '../world/faults.ts'
import type { SignatureCheck } from '../world/inboxes.ts'
import type { RunningWorld, SentRequest } from '../world/runningWorld.ts'
import { listed } from './reads.ts'
import type { Listed } from './reads.ts'

/** Held deliveries whose order can be chosen at once. */
const MAX_ORDERED = 50

/** What the list is narrowed to; empty for everything. */
interface DeliveryFilter {
  status: string
  type: string
  /** Part of an id, of the id of a record, or of an address, in any letter case. */
  text: string
}

/** One page of deliveries, from page 1, the newest first. */
export function listDeliveries(
  { indexes }: RunningWorld,
  { status, type, text }: DeliveryFilter,
  page: number,
): Listed<Delivery> {
  const part = text.toLowerCase()
  const isMeant = ({ id, subject, url }: Delivery): boolean =>
    id.includes(part) || subject.includes(part) || url.toLowerCase().includes(part)
  return listed(indexes.deliveries, page, { status, type }, part === '' ? null : isMeant)
}

/** Deliveries that are held: those that a wish names first, in its order, then the others, oldest first. */
export function heldDeliveries(
  { state, indexes }: RunningWorld,
  wish: readonly string[],
): { ordered: Delivery[]; more: number } {
  const wished = [...new Set(wish)].flatMap((id) => recordOf(state.deliveries, id) ?? [])
  const named = wished.filter(({ status }) => status === 'held')
  const held = findRecords(indexes.deliveries, {
    scopes: null,
    filters: { status: 'held' },
    fits: () => true,
  })
  const rest = held
    .page(0, held.total)
    .toReversed()
    .filter((delivery) => !named.includes(delivery))
  const all = [...named, ...rest]
  return { ordered: all.slice(0, MAX_ORDERED), more: Math.max(0, all.length - MAX_ORDERED) }
}

/** The armed faults that hold deliveries back, oldest first. */
export function holds({ faults }: RunningWorld): Fault[] {
  return faults.filter(({ name, fired, times }) => name === 'hold' && fired < times)
}

/** The headers of the latest attempt, or of the first one to come. */
export function headersOf(world: RunningWorld, delivery: Delivery): Readonly<Record<string, string>> {
  return delivery.sentHeaders ?? attemptHeaders(withoutCounting(world), delivery, 1)
}

/** What an attempt sent, and whether its signature holds. */
export interface SentAttempt {
  request: SentRequest
  signature: SignatureCheck
  /** Why a signature does not hold, in English; null for any other. */
  why: string | null
}

/** What an attempt really sent, checked as a receiver would; null when that is not known, as after a restore. */
export function sentBy(world: RunningWorld, delivery: Delivery, attempt: Attempt): SentAttempt | null {
  const request = world.sent.get(attempt)
  if (!request) return null
  const body = request.body ?? delivery.body
  // The prefix may have been chosen anew since.
  const [, signature] = Object.entries(request.headers).find(([name]) => name.endsWith('Signature')) ?? []
  const message = {
    signature,
    bytes: Buffer.from(body, 'utf8'),
    named: namedIn(body),
    delivery: delivery.id,
  }
  return { request, ...checkSignature(withoutCounting(world), message) }
}

/** `data.id` of a body, which is the key of its signature. */
function namedIn(body: string): string | null {
  try {
    const { data } = JSON.parse(body) as { data?: { id?: unknown } | null }
    return typeof data?.id === 'string' ? data.id : null
  } catch {
    return null
  }
}
