// Owns the index of one kind of record: its records in order of creation, and which of them has what value.
import { present } from '../kernel/assert.ts'
import { addPlace, placesOf, removePlace, slicePlaces } from '../kernel/places.ts'
import type { Places } from '../kernel/places.ts'

/** What an index knows of its records. A record's place is how many were created before it; it never changes. */
export interface RecordIndex<R> {
  readonly keys: Keys<R>
  /** By their places. */
  records: R[]
  placeById: Map<string, number>
  /** By the scope of records, then by the values of their facets. */
  groups: Map<string, Map<string, Group>>
  /** By scope and name of a look-up, then by its value. The places of one record are a plain number: most values name only one. */
  named: Map<string, Map<string, number | Places>>
}

/** The records of one scope whose facets have the same values, in the order of `Keys.facets`. */
export interface Group {
  values: readonly string[]
  places: Places
}

/** What records of a kind are looked up by. */
export interface Keys<R> {
  /** Null for records that are numbered from 1 in order of creation. */
  id: ((record: R) => string) | null
  /** What parts the records: those of one merchant are never looked for among all. */
  scope(record: R): string
  /** Fields of few values, which may change, such as a status. */
  facets: Readonly<Record<string, (record: R) => string>>
  /** Fields of many values; null for a record that has none. */
  lookups: Readonly<Record<string, (record: R) => string | null>>
  /** The look-up that does not heed letter case. */
  anyCase?: string
}

/** An index without records. */
export function createRecordIndex<R>(keys: Keys<R>): RecordIndex<R> {
  const none = NONE as Map<string, never>
  return { keys, records: [], placeById: none, groups: none, named: none }
}

/** What every index begins with, never written to: most kinds of records never come to be in most worlds. */
const NONE: ReadonlyMap<string, unknown> = new Map<string, unknown>()

/** A map that may be written to, in place of the one that every index begins with. */
function own<V>(map: Map<string, V>): Map<string, V> {
  return map === NONE ? new Map<string, V>() : map
}

/** Puts a new record behind all others. */
export function addRecord<R>(index: RecordIndex<R>, record: R): void {
  const place = index.records.push(record) - 1
  const { id } = index.keys
  if (id) {
    index.placeById = own(index.placeById)
    index.placeById.set(id(record), place)
  }
  addPlace(groupIn(groupsOf(index, record), index, record).places, place)
  for (const name in index.keys.lookups) {
    const value = index.keys.lookups[name]?.(record) ?? null
    if (value !== null) addNamed(index, record, name, value, place)
  }
}

/** Changes facets of a record, such as its status; its look-ups stay. */
export function changeFacets<R>(index: RecordIndex<R>, record: R, change: () => void): void {
  const ofScope = groupsOf(index, record)
  const before = groupIn(ofScope, index, record)
  change()
  const after = groupIn(ofScope, index, record)
  if (before === after) return
  const place = placeOf(index, record)
  removePlace(before.places, place)
  addPlace(after.places, place)
  if (before.places.size === 0) ofScope.delete(before.values.join('|'))
}

/** Changes anything of a record but its id and its scope. */
export function changeRecord<R>(index: RecordIndex<R>, record: R, change: () => void): void {
  const { lookups } = index.keys
  const before = Object.keys(lookups).map((name) => [name, lookups[name]?.(record) ?? null] as const)
  changeFacets(index, record, change)
  const place = placeOf(index, record)
  for (const [name, value] of before) {
    const changed = lookups[name]?.(record) ?? null
    if (changed === value) continue
    if (value !== null) removeNamed(index, record, name, value, place)
    if (changed !== null) addNamed(index, record, name, changed, place)
  }
}

/** The place of a record that was added. */
export function placeOf<R>({ keys, placeById }: RecordIndex<R>, record: R): number {
  const id = present(keys.id, 'numbered records do not change')(record)
  return present(placeById.get(id), `${id} was never added`)
}

/** What names a record: its id, or its number. */
export function nameOf<R>({ keys }: RecordIndex<R>, record: R): string {
  return keys.id ? keys.id(record) : String((record as { n: number }).n)
}

/** The place of the record that a name means; undefined when it means none. */
export function placeNamed<R>(
  { keys, placeById, records }: RecordIndex<R>,
  name: string,
): number | undefined {
  if (keys.id) return placeById.get(name)
  return /^[1-9]\d*$/.test(name) && Number(name) <= records.length ? Number(name) - 1 : undefined
}

/** The places of the records that a look-up finds in a scope; null when there are none. */
export function placesNamed<R>(
  index: RecordIndex<R>,
  scope: string,
  name: string,
  value: string,
): Places | null {
  const found = named(index, scope, name, value)
  return typeof found === 'number' ? placesOf(found) : (found ?? null)
}

/** The record that was created first of those that a look-up finds in a scope; null when there are none. */
export function firstNamed<R>(index: RecordIndex<R>, scope: string, name: string, value: string): R | null {
  const found = named(index, scope, name, value)
  const place = typeof found === 'number' ? found : found?.chunks[0]?.[0]
  return place === undefined ? null : (index.records[place] ?? null)
}

/** The record that was created last of those that a look-up finds in a scope; null when there are none. */
export function lastNamed<R>(index: RecordIndex<R>, scope: string, name: string, value: string): R | null {
  const found = named(index, scope, name, value)
  const place = typeof found === 'number' ? found : found?.chunks.at(-1)?.at(-1)
  return place === undefined ? null : (index.records[place] ?? null)
}

function named<R>(
  index: RecordIndex<R>,
  scope: string,
  name: string,
  value: string,
): number | Places | undefined {
  return index.named.get(scope + name)?.get(folded(index.keys, name, value))
}

/** A value as it is looked up: in lower case where letter case is not heeded. */
function folded({ anyCase }: { anyCase?: string }, name: string, value: string): string {
  return name === anyCase ? value.toLowerCase() : value
}

/** Whether a record has all of some values, by the names of facets and look-ups; undefined asks for nothing. */
export function hasValues<R>(
  { facets, lookups }: Keys<R>,
  record: R,
  values: Readonly<Record<string, string | undefined>>,
): boolean {
  for (const name in values) {
    const value = values[name]
    if (value !== undefined && (facets[name] ?? lookups[name])?.(record) !== value) return false
  }
  return true
}

/** How many records a scope has. */
export function countIn<R>({ groups }: RecordIndex<R>, scope: string): number {
  let count = 0
  for (const { places } of groups.get(scope)?.values() ?? []) count += places.size
  return count
}

/** The groups of the scope of a record. */
function groupsOf<R>(index: RecordIndex<R>, record: R): Map<string, Group> {
  const scope = index.keys.scope(record)
  const known = index.groups.get(scope)
  if (known) return known
  const made = new Map<string, Group>()
  index.groups = own(index.groups)
  index.groups.set(scope, made)
  return made
}

/** The group of a record among those of its scope; made when it is the first of its kind. */
function groupIn<R>(ofScope: Map<string, Group>, { keys }: RecordIndex<R>, record: R): Group {
  let key = ''
  for (const name in keys.facets) {
    const value = keys.facets[name]?.(record) ?? ''
    key = key === '' ? value : `${key}|${value}`
  }
  const known = ofScope.get(key)
  if (known) return known
  const group = { values: key.split('|'), places: placesOf() }
  ofScope.set(key, group)
  return group
}

function addNamed<R>(index: RecordIndex<R>, record: R, name: string, value: string, place: number): void {
  const key = index.keys.scope(record) + name
  let ofName = index.named.get(key)
  if (!ofName) {
    ofName = new Map()
    index.named = own(index.named)
    index.named.set(key, ofName)
  }
  const kept = folded(index.keys, name, value)
  const known = ofName.get(kept)
  if (known === undefined) ofName.set(kept, place)
  else if (typeof known === 'object') addPlace(known, place)
  else ofName.set(kept, placesOf(Math.min(known, place), Math.max(known, place)))
}

function removeNamed<R>(index: RecordIndex<R>, record: R, name: string, value: string, place: number): void {
  const key = index.keys.scope(record) + name
  const ofName = present(index.named.get(key), `no ${name} was ever added`)
  const kept = folded(index.keys, name, value)
  const known = present(ofName.get(kept), `the ${name} was never added`)
  if (typeof known === 'number') {
    ofName.delete(kept)
    if (ofName.size === 0) index.named.delete(key)
    return
  }
  removePlace(known, place)
  if (known.size === 1) ofName.set(kept, present(slicePlaces(known, 0, 1)[0], 'a list of one has a first'))
}
