// Checks the index of records and its queries against a plain list that is searched from end to end.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { InvariantError } from '../../src/kernel/assert.ts'
import { slicePlaces } from '../../src/kernel/places.ts'
import {
  addRecord,
  changeFacets,
  changeRecord,
  countIn,
  createRecordIndex,
  firstNamed,
  hasValues,
  lastNamed,
  nameOf,
  placeNamed,
  placeOf,
  placesNamed,
} from '../../src/domain/recordIndex.ts'
import { allNamed, findRecords, oldestOf } from '../../src/domain/recordQuery.ts'
import type { Keys, RecordIndex } from '../../src/domain/recordIndex.ts'

interface Parcel {
  id: string
  owner: string
  status: string
  size: string
  email: string | null
  code: string | null
}

const KEYS: Keys<Parcel> = {
  id: ({ id }) => id,
  scope: ({ owner }) => owner,
  facets: { status: ({ status }) => status, size: ({ size }) => size },
  lookups: { email: ({ email }) => email, code: ({ code }) => code },
  anyCase: 'email',
}

const OWNERS = ['o1|', 'o2|']
const STATUSES = ['sent', 'lost', 'found']
const SIZES = ['S', 'L']
const EMAILS = ['a@x', 'A@x', 'b@x', null]
const CODES = ['c1', 'c2', 'C1', null]

const fields = fc.record({
  status: fc.constantFrom(...STATUSES),
  size: fc.constantFrom(...SIZES),
  email: fc.constantFrom(...EMAILS),
  code: fc.constantFrom(...CODES),
})

const anyStep = fc.oneof(
  { weight: 2, arbitrary: fc.record({ owner: fc.constantFrom(...OWNERS), fields }) },
  { weight: 1, arbitrary: fc.record({ nth: fc.nat(20), status: fc.constantFrom(...STATUSES) }) },
  { weight: 1, arbitrary: fc.record({ nth: fc.nat(20), fields }) },
)
type Step = typeof anyStep extends fc.Arbitrary<infer S> ? S : never
const steps = fc.array(anyStep, { maxLength: 24 })
const manySteps = fc.array(anyStep, { maxLength: 40, size: 'max' })

function indexOf(records: readonly Parcel[]): RecordIndex<Parcel> {
  const index = createRecordIndex(KEYS)
  for (const record of records) addRecord(index, record)
  return index
}

/** What an index knows, without what it looks like inside: places in plain arrays, in one order. */
function knownBy({ groups, named, placeById }: RecordIndex<Parcel>): unknown {
  const inGroups = [...groups].flatMap(([scope, ofScope]) =>
    [...ofScope].map(([key, { values, places }]) => [
      scope,
      key,
      values,
      slicePlaces(places, 0, places.size),
    ]),
  )
  const byName = [...named].flatMap(([name, ofName]) =>
    [...ofName].map(([value, one]) => [
      name,
      value,
      typeof one === 'number' ? [one] : slicePlaces(one, 0, one.size),
    ]),
  )
  const text = (rows: unknown[]): string[] => rows.map((row) => JSON.stringify(row)).toSorted()
  return { groups: text(inGroups), named: text(byName), ids: text([...placeById]) }
}

/** Plays steps on an index and on a plain list. */
function play(all: readonly Step[]): {
  index: RecordIndex<Parcel>
  records: Parcel[]
} {
  const index = createRecordIndex(KEYS)
  const records: Parcel[] = []
  for (const step of all) {
    if ('owner' in step) {
      const record = { id: `id${records.length}`, owner: step.owner, ...step.fields }
      records.push(record)
      addRecord(index, record)
      continue
    }
    const record = records[step.nth % Math.max(1, records.length)]
    if (!record) continue
    if ('status' in step) changeFacets(index, record, () => void (record.status = step.status))
    else changeRecord(index, record, () => void Object.assign(record, step.fields))
  }
  return { index, records }
}

const sameEmail = (one: string | null, other: string | null): boolean =>
  one?.toLowerCase() === other?.toLowerCase()

describe('an index of records', () => {
  test('knows after any changes what one knows that is made of the records as they are now', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const { index, records } = play(all)
        expect(knownBy(index)).toEqual(knownBy(indexOf(records)))
      }),
      { numRuns: 100 },
    )
  })

  test('keeps no value of a look-up that no record has any more', () => {
    const one: Parcel = { id: '1', owner: 'o', status: 's', size: 'S', email: 'a@x', code: null }
    const two: Parcel = { ...one, id: '2' }
    const index = indexOf([one, two])
    changeRecord(index, one, () => void (one.email = 'b@x'))
    expect([...(index.named.get('oemail') ?? [])]).toEqual([
      ['a@x', 1],
      ['b@x', 0],
    ])
    changeRecord(index, one, () => void (one.email = null))
    changeRecord(index, two, () => void (two.email = null))
    expect(index.named.size).toBe(0)
    changeRecord(index, two, () => void (two.status = 't'))
    expect([...(index.groups.get('o')?.keys() ?? [])]).toEqual(['s|S', 't|S'])
  })

  test('still finds all others with a value that one of many no longer has', () => {
    const some = ['1', '2', '3'].map((id): Parcel => {
      return { id, owner: 'o', status: 's', size: 'S', email: 'a@x', code: null }
    })
    const index = indexOf(some)
    changeRecord(index, some[1] as Parcel, () => void ((some[1] as Parcel).email = null))
    expect(allNamed(index, 'email', ['a@x'])).toEqual([some[0], some[2]])
  })

  test('gives the oldest with a value first, also where other values take turns', () => {
    const some = ['S', 'S', 'L', 'S', 'L', 'L'].map((size, n): Parcel => {
      return { id: `${n}`, owner: 'o', status: 's', size, email: null, code: null }
    })
    const index = indexOf(some)
    expect(oldestOf(index, 'o', 'status', 's', 10)).toEqual(some)
    expect(oldestOf(index, 'o', 'status', 's', 3)).toEqual(some.slice(0, 3))
  })

  test('shares nothing with another one', () => {
    addRecord(createRecordIndex(KEYS), { id: '1', owner: 'o', status: 's', size: 'S', email: 'a', code: 'c' })
    const other = createRecordIndex(KEYS)
    expect([other.placeById.size, other.groups.size, other.named.size]).toEqual([0, 0, 0])
  })

  test('finds by a look-up the first, the last and all, within a scope and in all', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const { index, records } = play(all)
        for (const owner of OWNERS) {
          const own = records.filter((each) => each.owner === owner)
          expect(countIn(index, owner)).toBe(own.length)
          for (const email of ['a@x', 'A@X', 'b@x', 'c@x']) {
            const having = own.filter((each) => sameEmail(each.email, email))
            expect(firstNamed(index, owner, 'email', email)).toBe(having[0] ?? null)
            expect(lastNamed(index, owner, 'email', email)).toBe(having.at(-1) ?? null)
            const places = placesNamed(index, owner, 'email', email)
            expect(places && slicePlaces(places, 0, places.size)).toEqual(
              having.length === 0 ? null : having.map((each) => records.indexOf(each)),
            )
          }
          for (const status of STATUSES) {
            const some = own.filter((each) => each.status === status)
            expect(oldestOf(index, owner, 'status', status, 2)).toEqual(some.slice(0, 2))
          }
        }
        for (const codes of [['c1'], ['c1', 'C1'], ['c3']]) {
          const having = records.filter(({ code }) => code !== null && codes.includes(code))
          expect(allNamed(index, 'code', codes)).toEqual(having)
        }
      }),
      { numRuns: 50 },
    )
  })

  test('names a record by its id, and finds it by its name', () => {
    const { index, records } = play([
      { owner: 'o1|', fields: { status: 'sent', size: 'S', email: null, code: null } },
    ])
    const [record] = records
    expect(record && [nameOf(index, record), placeOf(index, record)]).toEqual(['id0', 0])
    expect([placeNamed(index, 'id0'), placeNamed(index, '1')]).toEqual([0, undefined])
    expect(() => placeOf(index, { ...(record as Parcel), id: 'other' })).toThrow(InvariantError)
  })

  test('numbers records without an id from 1', () => {
    const numbered = createRecordIndex<{ n: number }>({ id: null, scope: () => '', facets: {}, lookups: {} })
    for (let n = 1; n <= 10; n += 1) addRecord(numbered, { n })
    expect(numbered.placeById.size).toBe(0)
    expect(
      ['1', '10', '11', '0', '01', 'x1', '1x', '1 ', ''].map((name) => placeNamed(numbered, name)),
    ).toEqual([0, 9, ...Array<undefined>(7)])
    expect(nameOf(numbered, { n: 7 })).toBe('7')
    expect(() => placeOf(numbered, { n: 7 })).toThrow('numbered records do not change')
  })

  test('tells whether a record has values', () => {
    const record: Parcel = { id: '1', owner: 'o', status: 'sent', size: 'S', email: 'a@x', code: null }
    expect(hasValues(KEYS, record, {})).toBe(true)
    expect(hasValues(KEYS, record, { status: 'sent', email: 'a@x', code: undefined })).toBe(true)
    expect(hasValues(KEYS, record, { status: 'lost', email: 'a@x' })).toBe(false)
    expect(hasValues(KEYS, record, { status: 'sent', email: 'b@x' })).toBe(false)
    expect(hasValues(KEYS, record, { unknown: 'x' })).toBe(false)
  })
})

describe('a query', () => {
  const status = fc.constantFrom(...STATUSES)
  const size = fc.constantFrom(...SIZES)
  const email = fc.constantFrom('a@x', 'A@x', 'b@x')
  const code = fc.constantFrom('c1', 'c2', 'c9')
  /** Mostly one or two filters: with all of them hardly anything is found. */
  const wanted: fc.Arbitrary<Record<string, string | undefined>> = fc.oneof(
    fc.constant({}),
    fc.record({ status }),
    fc.record({ status: fc.constant(undefined), size }),
    fc.record({ code }),
    fc.record({ email }),
    fc.record({ status, code }),
    fc.record({ email, code }),
    fc.record({ status, size, email, code }),
  )
  const bounds = fc.record({
    scopes: fc.constantFrom<(string[] | null)[]>(null, ['o1|'], ['o2|', 'o1|'], ['o3|']),
    from: fc.constantFrom(undefined, 0, 3, 30),
    to: fc.constantFrom(undefined, 2, 8),
    limit: fc.nat(4),
    isNarrow: fc.boolean(),
  })

  test('answers what a search from end to end answers, newest first, page by page', () => {
    fc.assert(
      fc.property(manySteps, wanted, bounds, (all, filters, { scopes, from, to, limit, isNarrow }) => {
        const { index, records } = play(all)
        const fits = (record: Parcel): boolean =>
          hasValues(KEYS, record, filters) && (!isNarrow || record.size === 'L')
        const expected = records
          .filter((each, place) => place >= (from ?? 0) && place < (to ?? records.length) && fits(each))
          .filter(({ owner }) => scopes?.includes(owner) ?? true)
          .toReversed()
        const found = findRecords(index, {
          scopes,
          filters,
          fits,
          narrower: isNarrow,
          ...(from === undefined ? {} : { from }),
          ...(to === undefined ? {} : { to }),
        })
        expect(found.total).toBe(expected.length)
        for (let skip = 0; skip <= expected.length + 1; skip += 1) {
          expect(found.page(skip, limit)).toEqual(expected.slice(skip, skip + limit))
        }
        expect(found.page(0, 100)).toEqual(expected)
      }),
      { numRuns: 200 },
    )
  })

  const MANY = Array.from({ length: 40 }, (_, n): Parcel => {
    return {
      id: `${n}`,
      owner: 'o',
      status: n === 7 ? 'lost' : 'sent',
      size: 'S',
      email: null,
      code: n % 4 === 0 ? 'c1' : null,
    }
  })

  /** How many records a query looks at. */
  function looksAt(
    index: RecordIndex<Parcel>,
    query: Partial<Parameters<typeof findRecords<Parcel>>[1]>,
  ): number {
    let asked = 0
    const fits = (): boolean => {
      asked += 1
      return true
    }
    findRecords(index, { scopes: null, filters: {}, ...query, fits }).page(0, 3)
    return asked
  }

  test('by facets, or by one look-up alone, looks at no record', () => {
    const index = indexOf(MANY)
    expect(looksAt(index, {})).toBe(0)
    expect(looksAt(index, { filters: { status: 'sent', size: 'S' } })).toBe(0)
    expect(looksAt(index, { filters: { code: 'c1' } })).toBe(0)
  })

  test('by more looks only at the shortest list', () => {
    const index = indexOf(MANY)
    expect(looksAt(index, { filters: { status: 'lost', code: 'c1' } })).toBe(1)
    expect(looksAt(index, { filters: { status: 'sent', code: 'c1' } })).toBe(10)
    expect(looksAt(index, { filters: { status: 'sent' }, narrower: true })).toBe(39)
    const within = [{ size: 2, chunks: [[3, 5]] }]
    expect(looksAt(index, { within, narrower: true })).toBe(2)
    expect(looksAt(index, { filters: { status: 'lost' }, within, narrower: true })).toBe(1)
  })

  test('by a field that is neither facet nor look-up asks each record', () => {
    const index = indexOf(MANY)
    const fits = ({ id }: Parcel): boolean => id === '9'
    const found = findRecords(index, { scopes: null, filters: { id: '9' }, fits })
    expect([found.total, found.page(0, 3)]).toEqual([1, [MANY[9]]])
  })

  test('within nothing finds nothing', () => {
    const index = indexOf(MANY)
    expect(
      findRecords(index, { scopes: null, filters: {}, within: [], narrower: true, fits: () => true }).total,
    ).toBe(0)
  })
})
