// Owns finding records in an index: which list of places answers a query, how many it leaves, and one page of them.
import { countBelow, slicePlaces } from '../kernel/places.ts'
import { placesNamed } from './recordIndex.ts'
import type { Places } from '../kernel/places.ts'
import type { RecordIndex } from './recordIndex.ts'

/** What is looked for. */
export interface Query<R> {
  /** Scopes to look in; null for all. */
  scopes: readonly string[] | null
  /** Values of facets and look-ups, by their names; undefined asks for nothing. */
  filters: Readonly<Record<string, string | undefined>>
  /** Only records from this place on. */
  from?: number
  /** Only records before this place. */
  to?: number
  /** Whether a record has all that is looked for. Asked only where the lists do not say so themselves. */
  fits(record: R): boolean
  /** Whether `fits` looks at more than the filters do. */
  narrower?: boolean
  /** Places outside of which nothing fits, whatever the filters. */
  within?: readonly Places[] | null
}

/** What was found, newest first. */
export interface Found<R> {
  total: number
  /** Some of them, after so many that are newer. */
  page(skip: number, limit: number): R[]
}

/**
 * Finds records. A query by any facets, or by one look-up alone, is answered from the lengths of lists. Any other walks
 * the shortest list that holds all that fits: at worst the records of one value of its most selective filter.
 */
export function findRecords<R>(index: RecordIndex<R>, query: Query<R>): Found<R> {
  const { from = 0, filters, within = null, narrower = false } = query
  const to = Math.max(from, query.to ?? index.records.length)
  const scopes = query.scopes ?? [...index.groups.keys()]
  const wanted = Object.entries(filters).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const names = wanted.filter(([name]) => !Object.hasOwn(index.keys.facets, name))
  const count = (lists: readonly Places[]): number => countWithin(lists, from, to)
  let best = ofFacets(index, scopes, wanted)
  const lookups = names.filter(([name]) => Object.hasOwn(index.keys.lookups, name))
  for (const [name, value] of lookups) {
    const lists = scopes.flatMap((scope) => placesNamed(index, scope, name, value) ?? [])
    if (count(lists) <= count(best)) best = lists
  }
  if (within && count(within) < count(best)) best = [...within]
  const alone = wanted.length === 1 && lookups.some(([name]) => name !== index.keys.anyCase)
  const isExact = !narrower && (names.length === 0 || alone)
  const { records } = index
  if (isExact) {
    const page = (skip: number, limit: number): R[] => at(records, pageWithin(best, from, to, skip, limit))
    return { total: count(best), page }
  }
  const places = new Set(pageWithin(best, from, to, 0, Infinity))
  const all = at(records, [...places]).filter((record) => query.fits(record))
  return { total: all.length, page: (skip, limit) => all.slice(skip, skip + limit) }
}

/** The records of a scope that were created first of those with a value of a facet. */
export function oldestOf<R>(
  index: RecordIndex<R>,
  scope: string,
  facet: string,
  value: string,
  limit: number,
): R[] {
  const lists = ofFacets(index, [scope], [[facet, value]])
  const places = lists.flatMap((list) => slicePlaces(list, 0, limit))
  return at(index.records, places.toSorted((one, other) => one - other).slice(0, limit))
}

/** The records of any scope that a look-up finds by some values, the oldest first. */
export function allNamed<R>(index: RecordIndex<R>, name: string, values: readonly string[]): R[] {
  const lists = [...index.groups.keys()].flatMap((scope) =>
    values.flatMap((value) => placesNamed(index, scope, name, value) ?? []),
  )
  const places = lists.flatMap((list) => slicePlaces(list, 0, list.size))
  return at(
    index.records,
    places.toSorted((one, other) => one - other),
  )
}

/** The lists of some scopes whose facets have the wanted values. */
function ofFacets<R>(
  { keys, groups }: RecordIndex<R>,
  scopes: readonly string[],
  wanted: readonly (readonly [string, string])[],
): Places[] {
  const facets = Object.keys(keys.facets)
  const byFacet = facets.map((name) => wanted.find(([each]) => each === name)?.[1])
  return scopes.flatMap((scope) =>
    [...(groups.get(scope)?.values() ?? [])].flatMap(({ values, places }) =>
      byFacet.every((value, facet) => value === undefined || value === values[facet]) ? [places] : [],
    ),
  )
}

function at<R>(records: readonly R[], places: readonly number[]): R[] {
  return places.flatMap((place) => records[place] ?? [])
}

function countWithin(lists: readonly Places[], from: number, to: number): number {
  return lists.reduce((sum, list) => sum + countBelow(list, to) - countBelow(list, from), 0)
}

/** Some places of several lists within bounds, in descending order, after so many that are greater. */
function pageWithin(
  lists: readonly Places[],
  from: number,
  to: number,
  skip: number,
  limit: number,
): number[] {
  const end = skip === 0 ? to : placeAfter(lists, from, to, skip)
  const newest = lists.flatMap((list) => {
    const last = countBelow(list, end)
    return slicePlaces(list, Math.max(countBelow(list, from), last - limit), last)
  })
  return newest.toSorted((one, other) => other - one).slice(0, limit)
}

/** The least bound that leaves all but so many of the places before `to`. */
function placeAfter(lists: readonly Places[], from: number, to: number, skip: number): number {
  const left = countWithin(lists, from, to) - skip
  let [low, high] = [from, to]
  while (low < high) {
    const middle = (low + high) >> 1
    if (countWithin(lists, from, middle) < left) low = middle + 1
    else high = middle
  }
  return low
}
