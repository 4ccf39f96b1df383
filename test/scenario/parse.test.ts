// Checks reading scenarios: what is wrong is told with file, line and column, and with the nearest word.
import { describe, expect, test } from 'vitest'
import { parseScenario } from '../../src/scenario/parse.ts'
import { ScenarioError } from '../../src/scenario/problems.ts'

/** Host time for a long text on a busy machine, in milliseconds. */
const PATIENCE_MS = 60_000

/** A scenario with steps, the first of them on line 3. */
function withSteps(...steps: string[]): string {
  return ['name: a story', 'steps:', ...steps.map((step) => `  - ${step}`)].join('\n')
}

function refusalOf(text: string): string {
  try {
    parseScenario(text, 'story.yaml')
  } catch (error) {
    if (error instanceof ScenarioError) return error.message
    throw error
  }
  return 'none'
}

describe('one thing that is wrong is told with its place', () => {
  test.each([
    [
      'no text',
      ' \n',
      'story.yaml:1:1: is empty; a scenario begins with its name, such as name: a PIX is paid',
    ],
    ['only comments', '# x\n# y', 'story.yaml:1:1: has only comments; a scenario begins with its name'],
    ['a list', '- name: x', 'story.yaml:1:1: a scenario must be a map of fields'],
    ['a strange field', 'name: x\nstps: []', "2:1: 'stps' is no field of a scenario. Did you mean 'steps'?"],
    ['broken YAML', 'name: [x', 'story.yaml:1:9: '],
    ['a tag', 'name: x\nseed: !!js/function x', 'story.yaml:2:7: Unresolved tag'],
    ['the same key twice', 'name: x\nname: y', 'story.yaml:2:1: Map keys must be unique'],
    [
      'two documents',
      'name: x\n---\nname: y',
      'story.yaml:2:1: a second YAML document begins here; write each story',
    ],
    [
      'maps that are nested too deeply',
      `name: x\nsilences: ${'['.repeat(5_000)}`,
      'story.yaml:2:109: is nested too deeply: 100 levels are the most',
    ],
    [
      'a map on the line of another',
      withSteps('expect: no: x'),
      '3:13: a map cannot begin here; put it into braces',
    ],
    [
      'a verb as a word',
      withSteps('settle'),
      "3:5: 'settle' needs a colon; write '- settle:' or '- settle: true'",
    ],
    [
      'another verb as a word',
      withSteps('call'),
      "3:5: 'call' needs a colon and what it takes, such as '- call: ...'",
    ],
    ['a note without words', withSteps('note:'), '3:10: note needs a text'],
    ['a number for a text', 'name: x\nseed: 0123', 'story.yaml:2:7: seed must be a text; put it in quotes'],
    [
      'a number for the text of a customer',
      'name: x\ngiven:\n  customers: [{ name: Ana, email: a@b.c, document: 52998224725 }]',
      '3:52: document must be a text; put it in quotes',
    ],
    [
      'a text for a number',
      withSteps('balance: { fund: "5" }'),
      '3:22: fund must be a number; write it without quotes',
    ],
    [
      'a word for what a rule does',
      'name: x\nrules: [{ when: { call: createTransaction }, do: confirm }]',
      "2:50: do must be a map of fields, not 'confirm'",
    ],
    [
      'a strange choice',
      'name: x\nsilences:\n  TX-3: 5',
      "story.yaml:3:9: No silence 'TX-3'. Did you mean 'TX-03'?",
    ],
    ['a strange choice of a step', withSteps('silences: { XX-99: 1 }'), "3:24: No silence 'XX-99'."],
    ['a seed without letters', 'name: x\nseed: ""', 'story.yaml:2:7: seed is a text of 1 to 200 characters'],
    [
      'a trigger that no record of the call has',
      'name: x\nrules:\n  - when: { call: createTransaction }\n    do: { trigger: complete }',
      '4:20: do.trigger: createTransaction is about a transaction, which has no trigger complete',
    ],
    [
      'something given that names nothing given',
      'name: x\ngiven:\n  transactions: [{ method: Pix, amount: 1000, customerId: $bob.id }]',
      "3:59: given.transactions[0].customerId: 'bob' is no name of what is given.",
    ],
    [
      'keys that nobody has',
      withSteps('call: getBalance\n    by: mercant'),
      "4:9: 'mercant' names no key pair. Did you mean 'merchant'?",
    ],
    [
      'a key pair that is nowhere',
      withSteps('credential: { of: merchnt, active: false }'),
      "3:23: 'merchnt' names no key pair. Did you mean 'merchant'?",
    ],
    [
      'a path without an id',
      withSteps('call: getTransaction'),
      '3:11: getTransaction needs the id of a record',
    ],
    [
      'a field of a body that is nearly one',
      withSteps('call: createTransaction\n    with: { method: Pix, amuont: 5, pix: {} }'),
      "4:26: 'amuont' is no field of 'with'. Did you mean 'amount'?",
    ],
    [
      'a field of a query that is nearly one',
      withSteps('call: listTransactions\n    with: { statsu: Pending }'),
      "4:13: 'statsu' is no field of 'with'. Did you mean 'status'?",
    ],
    [
      'a field of a condition that is nearly one',
      'name: x\nrules:\n  - when: { call: createTransaction, amont: 5 }\n    do: { trigger: fail }',
      "3:38: 'amont' is no field that createTransaction has. Did you mean 'amount'?",
    ],
    [
      'a field of an answer in a condition that is nearly one',
      'name: x\nrules:\n  - when: { call: createTransaction, pix.payerNam: Ana }\n    do: { trigger: fail }',
      "Did you mean 'pix.payerName'?",
    ],
    [
      'two inboxes of one name',
      withSteps('inbox: { as: shop }', 'note: x', 'inbox: { as: shop }'),
      "5:18: 'shop' is the name of something else already, at 3:18; rename one of them",
    ],
    [
      'an inbox that is called as a given record',
      'name: x\ngiven: { customers: [{ as: ana, name: Ana, email: a@example.com }] }\nsteps:\n  - inbox: { as: ana }',
      "4:18: 'ana' is the name of something else already, at 2:28; rename one of them",
    ],
    [
      'two given records of one name',
      'name: x\ngiven: { organizations: [{ as: ana }], credentials: [{ as: ana }] }',
      "2:60: 'ana' is the name of something else already, at 2:32; rename one of them",
    ],
    [
      'a reference in braces',
      withSteps('trigger: { on: ${ana.id}, do: confirm }'),
      '3:20: ${ana.id} is no reference; write $ana.id',
    ],
    [
      'a reference in braces, as a text',
      withSteps('expect: { transaction: "${world.id}" }'),
      '3:28: ${world.id} is no reference; write $world.id',
    ],
    ['a strange verb', withSteps('cal: getBalance'), "3:5: 'cal' is no verb. Did you mean 'call'?"],
    ['a strange clock', 'name: x\nclock: noon', "story.yaml:2:8: 'noon' is no clock; use frozen"],
    ['a name that is taken', withSteps('inbox: { as: world }'), '3:18: as must be a name'],
    ['two verbs', withSteps('note: x', 'note: x\n    settle:'), '4:5: has 2 verbs, settle and note'],
    ['no verb', withSteps('as: sale'), 'story.yaml:3:5: needs a verb: one of call, trigger,'],
    [
      'a strange operation',
      withSteps('call: createTransacton'),
      "3:11: 'createTransacton' is no operation. Did you mean 'createTransaction'?",
    ],
    [
      'a strange field of a call',
      withSteps('call: getBalance\n    expct: {}'),
      "4:5: 'expct' is no field of a call. Did you mean 'expect'?",
    ],
    [
      'a strange trigger',
      withSteps('trigger: { on: x, do: confrm }'),
      "3:27: 'confrm' is no trigger. Did you mean 'confirm'?",
    ],
    ['a strange duration', withSteps('advance: 6sec'), "3:14: '6sec' is no duration; use 1500ms"],
    ['nowhere to advance to', withSteps('advance: { by: 6s }'), 'is nothing to advance by; use 31m'],
    [
      'a strange fault',
      withSteps('fault: { do: { latncyMs: 5 } }'),
      '3:18: {"latncyMs":5} is no fault. Did you mean \'latencyMs\'?',
    ],
    [
      'a fault of deliveries on calls',
      withSteps('fault: { do: { send: twice } }'),
      '3:18: {"send":"twice"} befalls no call; name the deliveries with on',
    ],
    [
      'a strange check',
      withSteps('expect: { delivry: {} }'),
      "3:15: 'delivry' is no check. Did you mean 'delivery'?",
    ],
    [
      'a strange status',
      withSteps('expect: { transaction: x, status: Complted }'),
      "3:39: 'Complted' is no status of a transaction. Did you mean 'Completed'?",
    ],
    [
      'a strange field of a record',
      withSteps('expect: { transaction: x, amont: 5 }'),
      "3:31: 'amont' is no field of expect. Did you mean 'amount'?",
    ],
    [
      'a strange event type',
      withSteps('expect: { no: { delivery: { type: payment.complete } } }'),
      "Did you mean 'payment.completed'?",
    ],
    [
      'a name that nobody made',
      withSteps('call: createTransaction\n    as: sale', 'call: getTransaction\n    id: $sael.id'),
      "story.yaml:6:9: nothing before it is called 'sael'. Did you mean 'sale'?",
    ],
    ['half a reference', withSteps('expect: { transaction: $world.id/x }'), 'write $$ for a dollar sign'],
    [
      'something inside a repeat',
      withSteps('repeat:\n      times: 2\n      steps:\n        - { advanc: 1s }'),
      "6:13: 'advanc' is no verb. Did you mean 'advance'?",
    ],
    [
      'something given',
      'name: x\ngiven:\n  customers: [{ as: ana, nme: Ana }]',
      "3:26: 'nme' is no field of 'customers'. Did you mean 'name'?",
    ],
    [
      'a rule',
      'name: x\nrules:\n  - when: { call: createTransaction }\n    do: { triger: fail }',
      "4:11: 'triger' is no field of 'do'. Did you mean 'trigger'?",
    ],
    [
      'an answer that no verb releases',
      withSteps('fault: { on: { operation: getBalance }, do: { latencyMs: untilReleased } }'),
      "3:62: 'untilReleased' is no latency of a scenario: no verb lets the call go. Write host milliseconds",
    ],
    [
      'a name in a rule that nothing given has',
      'name: x\ngiven: { customers: [{ as: ana, name: Ana, email: a@example.com }] }\nrules:\n  - when: { call: createTransaction, customerId: $anna.id }\n    do: { trigger: fail }',
      "story.yaml:4:50: nothing before it is called 'anna'. Did you mean 'ana'? There are: ana.",
    ],
  ])('%s', (_, text, message) => {
    expect(refusalOf(text)).toContain(message)
  })
})

test('everything that is wrong is told at once', () => {
  const refusal = refusalOf(withSteps('cal: x', 'advance: 6sec', 'note: 5'))
  expect(refusal.split('\n').map((line) => line.split(':')[1])).toEqual(['3', '4', '5'])
})

test('a step that is wrong does not make others wrong that refer to it', () => {
  const text = withSteps('call: creatTransaction\n    as: sale', 'expect: { transaction: $sale.id }')
  expect(refusalOf(text).split('\n')).toHaveLength(1)
})

test('aliases that stand for more than a few nodes are refused', () => {
  const lines = Array.from(
    { length: 9 },
    (_, n) => `  k${n + 1}: &a${n + 1} [${'*a0, '.replace('0', String(n)).repeat(9)}]`,
  )
  expect(refusalOf(`name: x\nsilences:\n  k0: &a0 [x]\n${lines.join('\n')}`)).toContain('alias')
})

test('more aliases than anybody writes are refused', () => {
  const pairs = (count: number): string =>
    Array.from({ length: count }, (_, n) => `  k${n}: [&a${n} x, *a${n}]`).join('\n')
  expect(refusalOf(`name: x\nsilences:\n${pairs(1_000)}`)).not.toContain('aliases')
  expect(refusalOf(`name: x\nsilences:\n${pairs(3_000)}`)).toBe(
    'story.yaml:1003:21: has more than 1000 aliases',
  )
})

describe('a key that comes again', () => {
  test.each([
    ['in a map inside', 'name: x\nsilences:\n  a: 1\n  b: 2\n  "a": 3', ['5:3']],
    ['in braces', 'name: x\nsilences: { a: 1, b: { c: 1, c: 2 }, a: 3 }', ['2:30', '2:38']],
    ['in a list', 'name: x\nsteps: [{ note: x, note: y }]', ['2:20']],
    ['beside what is broken, in order', 'name: x\nname: y\nseed: "\\z"\nname: z', ['2:1', '3:8', '4:1']],
  ])('is told %s', (_where, text, places) => {
    expect(
      refusalOf(text)
        .split('\n')
        .map((line) => line.split(':').slice(1, 3).join(':')),
    ).toEqual(places)
  })

  test('may be one that is merged, or that another map has', () => {
    const text = 'name: x\nsteps:\n  - &a { note: x }\n  - { <<: *a, note: y }\n  - { note: z }'
    expect(refusalOf(text)).toBe('none')
  })
})

test.each<[what: string, begin: string, line: (n: number) => string, end: string, problems: number]>([
  ['fields', '', (n) => `k${n}: {a: b}\n`, '', 2],
  ['silences', 'name: x\nsilences:\n', (n) => ` k${n}: {a: b}\n`, '', 21],
  ['silences behind an alias', 'given: &s\n', (n) => ` k${n}: 1\n`, 'silences: *s\nname: x', 1],
  ['silences that are merged', 'silences:\n', (n) => ` k${n}: 1\n`, ' <<: {a: b}\nname: x', 21],
  ['keys that come again on one line', 'name: {', () => 'k: 1, ', '}', 21],
  ['inboxes', 'name: x\nsteps:\n', (n) => ` - inbox: { as: n${n} }\n`, '', 1],
])('many are read once: %s', { timeout: PATIENCE_MS }, (_what, begin, line, end, problems) => {
  // Each against all the others would never end.
  const lines = Array.from({ length: 30_000 }, (_, n) => line(n)).join('')
  expect(refusalOf(begin + lines + end).split('\n').length).toBe(problems)
})

test('one reference in braces is one problem', () => {
  expect(refusalOf(withSteps('trigger: { on: ${ana.id}, do: confirm }')).split('\n')).toHaveLength(1)
})

test('fields can be merged, and keep their places', () => {
  const lines = (amount: string): string => `name: x
steps:
  - call: createTransaction
    with: &body
      method: Pix
      amount: ${amount}
  - call: createTransaction
    with: { <<: *body, description: y }
`
  const { steps } = parseScenario(lines('1000'))
  expect(steps[1]?.value['with']).toEqual({ method: 'Pix', amount: 1000, description: 'y' })
  expect(steps[1]?.placeOf(['with', 'amount'])).toEqual({ line: 6, column: 15 })
  expect(refusalOf(lines('$nobody.id')).split('\n')[1]).toMatch(/^story.yaml:6:15: /)
})

test('JSON is read too, with its places', () => {
  const { head, steps } = parseScenario('{"name": "x",\n "steps": [{"settle": true},\n {"note": "y"}]}')
  expect(head.name).toBe('x')
  expect(steps.map(({ verb, line }) => [verb, line])).toEqual([
    ['settle', 2],
    ['note', 3],
  ])
  expect(refusalOf('{"name": "x",\n "steps": [{"setle": true}]}')).toContain("2:13: 'setle' is no verb")
})
