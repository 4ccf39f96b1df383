// Owns the end of a recording: checks of every record, of every webhook with its attempts, and of balances.
import { ensureKnown } from './lookups.ts'
import { addStep, hasHung, keptAddress, leaveOut } from './recording.ts'
import type { Delivery } from '../client/world.ts'
import type { Recording } from './recording.ts'

type Fields = Record<string, unknown>

/** Fields of each kind of record that are checked; zeros and what is absent say nothing. */
const CHECKED = {
  transactions: ['status', 'amount', 'fee', 'netAmount', 'refundedAmount'],
  cashouts: ['status', 'amount', 'fee', 'netAmount'],
  disputes: ['status', 'amount', 'holdState', 'heldAmount'],
  customers: ['status'],
} as const
const SINGULAR = {
  transactions: 'transaction',
  cashouts: 'cashout',
  disputes: 'dispute',
  customers: 'customer',
} as const
type Kind = keyof typeof CHECKED

/** Adds the checks of how everything ended. */
export function addChecks(recording: Recording): void {
  const { seen, names } = recording
  const at = seen.last
  const check = (expect: Fields): void => addStep(recording, at, { expect })
  for (const kind of Object.keys(CHECKED) as Kind[]) {
    for (const record of seen[kind]) {
      if (!ensureKnown(recording, record.id, at)) {
        leaveOut(recording, `${SINGULAR[kind]} ${record.id} is not checked: nothing here made it.`)
        continue
      }
      const fields: Fields = { ...record }
      const told = CHECKED[kind].map((field): [string, unknown] => [field, fields[field]])
      const telling = told.filter(([field, value]) => field === 'status' || (value !== 0 && value !== 'None'))
      check({ [SINGULAR[kind]]: names.said(record.id), ...Object.fromEntries(telling) })
    }
  }
  for (const { delivery, count } of alike(seen.deliveries)) {
    const { subject, type, status, attempts } = delivery
    if (names.of(subject) === null) continue
    if (seen.flowed && attempts.some(hasHung)) {
      leaveOut(
        recording,
        `${type} of ${String(names.said(subject))} is not checked: an attempt got no answer in time, which took time on the clock that flowed and takes none here; attempts after it may come earlier.`,
      )
      continue
    }
    const tries = attempts.map((attempt) => ({ status: attempt.status }))
    const counted = count === 1 ? {} : { count }
    check({ delivery: { of: names.said(subject), type, status, attempts: tries, ...counted } })
  }
  const homeless = seen.deliveries.filter(
    (each) => each.attempts.length > 0 && !names.hasInboxAt(keptAddress(each)),
  )
  if (homeless.length > 0) {
    leaveOut(
      recording,
      `${homeless.length} webhooks went to addresses that nothing here names; no inbox answers them as their receivers did.`,
    )
  }
  for (const { organizationId, environment, available, pending, reserved, total } of seen.balances) {
    const isMerchant = organizationId === seen.world.organization.id
    const money = { available, pending, reserved, total }
    const isMain = isMerchant && environment === 'Sandbox'
    if (!isMain && Object.values(money).every((amount) => amount === 0)) continue
    const organization = isMerchant ? {} : { organization: names.said(organizationId) }
    check({ balance: { ...organization, ...(environment === 'Sandbox' ? {} : { environment }), ...money } })
  }
}

/** Deliveries that a check cannot tell apart, once with their number. */
function alike(deliveries: readonly Delivery[]): { delivery: Delivery; count: number }[] {
  const found = new Map<string, { delivery: Delivery; count: number }>()
  for (const delivery of deliveries) {
    const { subject, type, status, attempts } = delivery
    const key = JSON.stringify([subject, type, status, attempts.map((each) => each.status)])
    found.set(key, { delivery, count: (found.get(key)?.count ?? 0) + 1 })
  }
  return [...found.values()]
}
