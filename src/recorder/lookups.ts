// Owns finding records that no step of a recording made: with a call that lists them.
import { addStep, leaveOut } from './recording.ts'
import type { Recording } from './recording.ts'

type Listed = Recording['seen']['transactions' | 'cashouts' | 'disputes' | 'customers'][number]

/** The operation that lists records of each kind. */
const LISTS = {
  transactions: 'listTransactions',
  cashouts: 'listCashouts',
  disputes: 'listDisputes',
  customers: 'listCustomers',
} as const
/** Entries of one page of a list. */
const PAGE_SIZE = 100

/**
 * Makes sure that a record has a name at this place of the file, if there is such a record: one that a rule opened, or whose
 * answer got lost, is looked up.
 * @returns whether it has one
 */
export function ensureKnown(recording: Recording, id: string, at: string): boolean {
  const { seen, names } = recording
  const wanted = id.toLowerCase()
  if (names.of(wanted) !== null) return true
  for (const kind of Object.keys(LISTS) as (keyof typeof LISTS)[]) {
    const records: readonly Listed[] = seen[kind]
    const record = records.find((each) => each.id === wanted)
    if (!record) continue
    const isThere = (each: Listed): boolean =>
      each.organizationId === record.organizationId &&
      each.environment === record.environment &&
      each.createdAt <= at
    const place = records.filter(isThere).toReversed().indexOf(record)
    const owner = seen.credentials.find(
      (each) => each.organizationId === record.organizationId && each.environment === record.environment,
    )
    const caller = owner && names.caller(owner.publicKey)
    if (place < 0 || place >= PAGE_SIZE || !caller) break
    const name = names.fresh('found')
    const by = caller === 'merchant' ? {} : { by: caller }
    const step = { call: LISTS[kind], with: { pageSize: PAGE_SIZE }, ...by, as: name }
    addStep(recording, at, step, 'no call here made the record that is meant; this finds it')
    names.bind(wanted, `$${name}.items.${place}.id`)
    return true
  }
  return false
}

/** What names a delivery in a file; null, and told, when its record and its type do not. */
export function deliveryNamed(
  recording: Recording,
  id: string,
  at: string,
): { of: unknown; type: string } | null {
  const { seen, names } = recording
  const delivery = seen.deliveries.find((each) => each.id === id)
  if (!delivery || !ensureKnown(recording, delivery.subject, at)) {
    leaveOut(recording, `something was done to delivery ${id}, which is of no record that this file knows.`)
    return null
  }
  const { subject, type } = delivery
  const alike = seen.deliveries.filter(
    (each) => each.subject === subject && each.type === type && each.createdAt <= at,
  )
  if (alike.length > 1) {
    leaveOut(
      recording,
      `something was done to one of ${alike.length} deliveries of ${type} of one record; a file cannot tell them apart.`,
    )
    return null
  }
  return { of: names.said(subject), type }
}
