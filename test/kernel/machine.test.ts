// Checks machines: which row fires, what may fire, which declarations are refused, and the pictures drawn from the rows.
import { describe, expect, test } from 'vitest'
import { InvariantError } from '../../src/kernel/assert.ts'
import { allowedTriggers, checkMachine, decide, finalStatuses } from '../../src/kernel/machine.ts'
import { toMarkdown, toMermaid } from '../../src/kernel/machineDocs.ts'
import type { Machine, Row } from '../../src/kernel/machine.ts'

type Status = 'Closed' | 'Open' | 'Locked' | 'Gone'
type Trigger = 'build' | 'open' | 'shut' | 'lock' | 'remove'
type Guard = 'hasKey' | 'isEmpty'
type Effect = 'ring' | 'note'
type Door = Machine<Status, Trigger, Guard, Effect>

/** A door: enough of a machine for creation, guards, a fallback, a circle and an end. */
const DOOR: Door = {
  name: 'door',
  statuses: ['Closed', 'Open', 'Locked', 'Gone'],
  triggers: ['build', 'open', 'shut', 'lock', 'remove'],
  rows: [
    { from: null, on: 'build', to: 'Closed', effects: [], source: 'D-1' },
    { from: 'Closed', on: 'open', to: 'Open', effects: ['ring'], source: 'D-2' },
    { from: 'Open', on: 'shut', to: 'Closed', effects: [], source: 'D-2' },
    { from: 'Closed', on: 'lock', when: 'hasKey', to: 'Locked', effects: ['ring', 'note'], source: 'D-3' },
    { from: 'Locked', on: 'open', when: 'hasKey', to: 'Closed', effects: [], source: 'D-3' },
    { from: 'Open', on: 'remove', when: 'isEmpty', to: 'Gone', effects: ['note'], source: 'D-4' },
    { from: 'Open', on: 'remove', when: 'hasKey', to: 'Locked', effects: [], source: 'D-4' },
    { from: 'Closed', on: 'remove', when: 'isEmpty', to: 'Gone', effects: [], source: 'D-5' },
    { from: 'Closed', on: 'remove', to: 'Closed', effects: ['note'], source: 'D-5' },
  ],
}

/** Answers guards from a list of those that hold. */
const holding =
  (...guards: Guard[]) =>
  (guard: Guard): boolean =>
    guards.includes(guard)

describe('deciding which row fires', () => {
  test.each<[Status | null, Trigger, Guard[], string]>([
    [null, 'build', [], 'Closed, D-1'],
    ['Closed', 'open', [], 'Open, D-2'],
    ['Closed', 'open', ['hasKey', 'isEmpty'], 'Open, D-2'],
    ['Open', 'shut', [], 'Closed, D-2'],
    ['Closed', 'lock', ['hasKey'], 'Locked, D-3'],
    ['Open', 'remove', ['isEmpty'], 'Gone, D-4'],
    ['Open', 'remove', ['hasKey'], 'Locked, D-4'],
    ['Open', 'remove', ['hasKey', 'isEmpty'], 'Gone, D-4'],
    ['Closed', 'remove', ['isEmpty'], 'Gone, D-5'],
    ['Closed', 'remove', [], 'Closed, D-5'],
    ['Closed', 'remove', ['hasKey'], 'Closed, D-5'],
  ])('from %s on %s, while %j holds, leads to %s', (from, on, guards, expected) => {
    const row = decide(DOOR, from, on, holding(...guards))
    expect(row).toMatchObject({ from, on })
    expect('refused' in row ? row.refused : `${row.to}, ${row.source}`).toBe(expected)
  })

  test('answers the very row of the table, with its effects', () => {
    expect(decide(DOOR, 'Closed', 'lock', holding('hasKey'))).toBe(DOOR.rows[3])
  })

  test.each<[string, Status | null, Trigger, Guard[], 'status' | 'guard']>([
    ['the status has no row for it', 'Gone', 'open', ['hasKey', 'isEmpty'], 'status'],
    ['nothing is created by it', null, 'open', ['hasKey'], 'status'],
    ['it only creates', 'Closed', 'build', [], 'status'],
    ['its guard does not hold', 'Closed', 'lock', ['isEmpty'], 'guard'],
    ['none of its guards holds', 'Open', 'remove', [], 'guard'],
  ])('refuses a trigger when %s', (_why, from, on, guards, refused) => {
    expect(decide(DOOR, from, on, holding(...guards))).toEqual({ refused })
  })

  test('asks for guards of its own rows only, in their order, and no further than the first that holds', () => {
    const asked: Guard[] = []
    const ask = (answer: boolean) => (guard: Guard) => {
      asked.push(guard)
      return answer
    }
    decide(DOOR, 'Open', 'remove', ask(false))
    expect(asked.splice(0)).toEqual(['isEmpty', 'hasKey'])
    decide(DOOR, 'Open', 'remove', ask(true))
    expect(asked.splice(0)).toEqual(['isEmpty'])
    decide(DOOR, 'Closed', 'open', ask(false))
    expect(asked).toEqual([])
  })

  test('leaves the table as it was', () => {
    const before = JSON.stringify(DOOR)
    for (const status of [null, ...DOOR.statuses]) {
      for (const trigger of DOOR.triggers) decide(DOOR, status, trigger, holding('hasKey'))
    }
    expect(JSON.stringify(DOOR)).toBe(before)
  })
})

describe('the allowed triggers of a status', () => {
  test.each<[Status, Guard[], Trigger[]]>([
    ['Closed', [], ['open', 'remove']],
    ['Closed', ['hasKey'], ['open', 'lock', 'remove']],
    ['Closed', ['hasKey', 'isEmpty'], ['open', 'lock', 'remove']],
    ['Open', [], ['shut']],
    ['Open', ['hasKey', 'isEmpty'], ['shut', 'remove']],
    ['Locked', ['isEmpty'], []],
    ['Gone', ['hasKey', 'isEmpty'], []],
  ])('%s, while %j holds, are %j: each once, in the order of the table', (status, guards, expected) => {
    expect(allowedTriggers(DOOR, status, holding(...guards))).toEqual(expected)
  })

  test('are exactly those for which a row fires', () => {
    for (const status of DOOR.statuses) {
      for (const guards of [[], ['hasKey'], ['isEmpty'], ['hasKey', 'isEmpty']] as Guard[][]) {
        const firing = DOOR.triggers.filter((on) => 'to' in decide(DOOR, status, on, holding(...guards)))
        expect(new Set(allowedTriggers(DOOR, status, holding(...guards)))).toEqual(new Set(firing))
      }
    }
  })

  test('may depend on the trigger that a guard is asked for', () => {
    const allowed = allowedTriggers(DOOR, 'Closed', (guard, on) => guard === 'hasKey' && on === 'lock')
    expect(allowed).toEqual(['open', 'lock', 'remove'])
    expect(allowedTriggers(DOOR, 'Locked', (guard, on) => guard === 'hasKey' && on === 'lock')).toEqual([])
  })
})

describe('the final statuses', () => {
  test('are those that no row leaves', () => {
    expect(finalStatuses(DOOR)).toEqual(['Gone'])
  })

  test('are none where every status is left again', () => {
    const circle = { ...DOOR, statuses: ['Closed', 'Open'], rows: DOOR.rows.slice(0, 3) }
    expect(finalStatuses(circle)).toEqual([])
  })
})

describe('a declaration', () => {
  type AnyRow = Row<string, string, string, Effect>
  const declare = (change: (rows: AnyRow[]) => AnyRow[]): Machine<string, string, string, Effect> => ({
    ...DOOR,
    rows: change([...DOOR.rows]),
  })
  const row = (from: string | null, on: string, to: string, rest: Partial<AnyRow> = {}): AnyRow => ({
    from,
    on,
    to,
    effects: [],
    source: 'D-9',
    ...rest,
  })

  test('that makes sense is answered as it is', () => {
    expect(checkMachine(DOOR)).toBe(DOOR)
  })

  test('may reach a status from one that its table lists later', () => {
    const rows = DOOR.rows.toReversed().filter(({ on, when }) => on !== 'remove' || when !== undefined)
    expect(() => checkMachine({ ...DOOR, rows })).not.toThrow()
  })

  test('may have several creation rows, when one trigger fires them all', () => {
    const created = declare((rows) => [row(null, 'build', 'Open', { when: 'hasKey' }), ...rows])
    expect(() => checkMachine(created)).not.toThrow()
  })

  const nonsense: [string, Machine<string, string, string, Effect>, string][] = [
    [
      'a row behind one that always fires',
      declare((rows) => [...rows, row('Closed', 'open', 'Locked', { when: 'hasKey' })]),
      'door: Closed on open is hidden by an earlier row',
    ],
    [
      'the same row twice',
      declare((rows) => [...rows, row('Closed', 'open', 'Open')]),
      'door: Closed on open is hidden by an earlier row',
    ],
    [
      'the same guard twice',
      declare((rows) => [...rows, row('Locked', 'open', 'Gone', { when: 'hasKey' })]),
      'door: Locked on open is hidden by an earlier row',
    ],
    [
      'a creation row behind one that always fires',
      declare((rows) => [...rows, row(null, 'build', 'Open')]),
      'door: (creation) on build is hidden by an earlier row',
    ],
    [
      'a status that no row leads to',
      { ...DOOR, statuses: [...DOOR.statuses, 'Painted'] },
      'door: nothing leads to Painted',
    ],
    [
      'statuses that only lead to one another',
      {
        ...declare((rows) => [...rows, row('Red', 'open', 'Blue'), row('Blue', 'open', 'Red')]),
        statuses: [...DOOR.statuses, 'Red', 'Blue'],
      },
      'door: nothing leads to Red',
    ],
    ['a trigger without a row', { ...DOOR, triggers: [...DOOR.triggers, 'paint'] }, 'door: no row for paint'],
    [
      'a trigger that is not declared',
      declare((rows) => [...rows, row('Open', 'paint', 'Open')]),
      'door: Open on paint: the trigger is not declared',
    ],
    [
      'a target that is not declared',
      declare((rows) => [...rows, row('Open', 'lock', 'Painted')]),
      'door: Open on lock: Painted is not declared',
    ],
    [
      'an origin that is not declared',
      declare((rows) => [...rows, row('Painted', 'lock', 'Open')]),
      'door: Painted on lock: Painted is not declared',
    ],
    [
      'nothing that creates',
      declare((rows) => [row('Open', 'build', 'Closed'), ...rows.slice(1)]),
      'door: nothing leads to Closed',
    ],
    [
      'two triggers that create',
      declare((rows) => [...rows, row(null, 'open', 'Open')]),
      'door: exactly one trigger creates, found 2',
    ],
    [
      'no row at all',
      { ...DOOR, statuses: [], triggers: [], rows: [] },
      'door: exactly one trigger creates, found 0',
    ],
    [
      'a row without a source',
      declare((rows) => [...rows, row('Open', 'lock', 'Locked', { source: ' ' })]),
      'door: Open on lock has no source',
    ],
  ]

  test.each(nonsense)('with %s is refused', (_what, machine, message) => {
    expect(() => checkMachine(machine)).toThrow(InvariantError)
    expect(() => checkMachine(machine)).toThrow(message)
  })
})

describe('the pictures', () => {
  test('in Mermaid have one arrow for each pair of statuses, with its triggers and guards, and mark the ends', () => {
    expect(toMermaid(DOOR)).toBe(`stateDiagram-v2
    [*] --> Closed: build
    Closed --> Open: open
    Open --> Closed: shut
    Closed --> Locked: lock [hasKey]
    Locked --> Closed: open [hasKey]
    Open --> Gone: remove [isEmpty]
    Open --> Locked: remove [hasKey]
    Closed --> Gone: remove [isEmpty]
    Closed --> Closed: remove
    Gone --> [*]`)
  })

  test('in Mermaid put the triggers of one arrow on one line, each once', () => {
    const rows: Door['rows'] = [
      ...DOOR.rows.slice(0, 3),
      { from: 'Open', on: 'remove', when: 'isEmpty', to: 'Closed', effects: [], source: 'D-6' },
      { from: 'Open', on: 'shut', to: 'Closed', effects: [], source: 'D-7' },
    ]
    expect(toMermaid({ ...DOOR, statuses: ['Closed', 'Open'], rows })).toBe(`stateDiagram-v2
    [*] --> Closed: build
    Closed --> Open: open
    Open --> Closed: shut, remove [isEmpty]`)
  })

  test('in Markdown have one line for each row, with guard, effects in words, and source', () => {
    const [created, opened, , locked] = DOOR.rows
    const rows = [created, opened, locked].filter((each) => each !== undefined)
    const table = toMarkdown({ ...DOOR, rows }, (effect) => ({ ring: 'rings', note: 'takes a note' })[effect])
    expect(table).toBe(`| From | Trigger | When | To | Effects | Source |
|---|---|---|---|---|---|
| (creation) | \`build\` |  | Closed |  | D-1 |
| Closed | \`open\` |  | Open | rings | D-2 |
| Closed | \`lock\` | \`hasKey\` | Locked | rings; takes a note | D-3 |`)
  })
})
