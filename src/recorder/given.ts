// Owns writing what a world was given, and organisations and credentials that were added to it, as the `given` of a recording.
import { standInFor } from './cards.ts'
import { leaveOut, saidWithInboxes, tell } from './recording.ts'
import type { Recording } from './recording.ts'
import type { Command } from './seen.ts'

type Fields = Record<string, unknown>

/** The kinds of given records in the order in which they are made, and what an unnamed one is called. */
const KINDS = {
  organizations: 'organization',
  credentials: 'keys',
  customers: 'customer',
  transactions: 'sale',
  disputes: 'dispute',
  cashouts: 'cashout',
} as const
type Kind = keyof typeof KINDS

/** What entries have when they do not say it. */
const USUAL: Readonly<Record<string, unknown>> = { environment: 'Sandbox', maySplit: true }

/** Adds what a world was given. */
export function recordGiven(recording: Recording, { at, answer }: Command, body: Fields): void {
  if (!recording.isFresh) {
    leaveOut(recording, `records were given at ${at}, after the story had begun.`)
    return
  }
  const ids = answer['names'] as Record<string, string>
  for (const kind of Object.keys(KINDS) as Kind[]) {
    for (const entry of (body[kind] ?? []) as Fields[]) {
      const { as: named, ...fields } = entry
      const id = typeof named === 'string' ? ids[named] : recording.unmade[kind]?.[0]
      if (id !== undefined) takeOff(recording, kind, id)
      const name = typeof named === 'string' ? named : recording.names.fresh(KINDS[kind])
      give(recording, kind, name, withoutUsual(verbatim(recording, at, fields, id)))
      if (id !== undefined) bindGiven(recording, kind, name, id)
    }
  }
  const money = [body['balance'] ?? []].flat() as Fields[]
  for (const entry of money) addTo(recording, 'balance', withoutUsual(entry))
}

/** Adds an organisation that was made by hand: there from the beginning, since no verb makes one. */
export function recordOrganization(recording: Recording, { answer }: Command, body: Fields): void {
  const id = String(answer['id'])
  const name = recording.names.fresh(KINDS.organizations)
  takeOff(recording, 'organizations', id)
  give(recording, 'organizations', name, body)
  bindGiven(recording, 'organizations', name, id)
  tell(recording, `organisation ${name} is there from the beginning: no verb of a scenario makes one.`)
}

/** Adds a key pair that was made by hand: there from the beginning, since no verb makes one. */
export function recordCredential(
  recording: Recording,
  { answer, at }: Command,
  { organization, ...body }: Fields,
): void {
  const publicKey = String(answer['publicKey'])
  const { seen, names } = recording
  const owner = typeof organization === 'string' ? names.of(organization) : null
  const isMerchant = organization === undefined || organization === seen.world.organization.id
  if (!isMerchant && (owner === null || owner.startsWith('$world.'))) {
    leaveOut(recording, `a key pair of another organisation was made at ${at}.`)
    return
  }
  const name = names.fresh(KINDS.credentials)
  takeOff(recording, 'credentials', publicKey)
  give(
    recording,
    'credentials',
    name,
    withoutUsual({ ...(isMerchant ? {} : { organization: owner }), ...body }),
  )
  bindGiven(recording, 'credentials', name, publicKey)
  tell(recording, `the key pair ${name} is there from the beginning: no verb of a scenario makes one.`)
}

/** An entry as it was given: its references are those of the file. Addresses become inboxes, and cards stand-ins. */
function verbatim(recording: Recording, at: string, fields: Fields, id: string | undefined): Fields {
  const said = { ...fields }
  for (const [name, value] of Object.entries(fields)) {
    if (name === 'callbackUrl') {
      said[name] = (saidWithInboxes(recording, at, { callbackUrl: value }) as Fields)[name]
    }
  }
  if (fields['cardNumber'] === undefined) return said
  const card = recording.seen.transactions.find((each) => each.id === id)?.card ?? null
  const { number, cvv } = standInFor(card)
  if (card) for (const text of [card.brand, card.lastFour]) recording.data.allow(text)
  return { ...said, cardNumber: number, cardCvv: cvv }
}

function withoutUsual(fields: Fields): Fields {
  const telling = Object.entries(fields).filter(
    ([name, value]) =>
      value !== undefined && USUAL[name] !== value && !(Array.isArray(value) && value.length === 0),
  )
  return Object.fromEntries(telling)
}

function give(recording: Recording, kind: Kind, name: string, fields: Fields): void {
  addTo(recording, kind, { as: name, ...fields })
}

function addTo({ given }: Recording, kind: string, entry: Fields): void {
  given[kind] = [...(given[kind] ?? []), entry]
}

function takeOff({ unmade }: Recording, kind: Kind, id: string): void {
  const ids = unmade[kind] ?? []
  const place = ids.indexOf(id)
  if (place >= 0) ids.splice(place, 1)
}

function bindGiven({ seen, names }: Recording, kind: Kind, name: string, id: string): void {
  if (kind === 'credentials') {
    names.bind(id, `$${name}.publicKey`)
    names.bindCaller(id, name)
    return
  }
  names.bind(id, `$${name}.id`)
  const organization = seen.organizations.find((each) => each.id === id)
  if (organization) names.bind(organization.splitCode, `$${name}.splitCode`)
  const customer = seen.transactions.find((each) => each.id === id)?.customerId ?? null
  if (customer !== null && names.of(customer) === null) names.bind(customer, `$${name}.customerId`)
}
