// Checks reading scenarios: what is wrong is told with file, line and column, and with the nearest word.
import { describe, expect, test } from 'vitest'
import { parseScenario } from '../../src/scenario/parse.ts'
import { ScenarioError } from '../../src/scenario/problems.ts'

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
    ['no text', '', 'story.yaml:1:1: name is missing'],
    ['a list', '- name: x', 'story.yaml:1:1: a scenario must be a map of fields'],
    ['a strange field', 'name: x\nstps: []', "2:1: 'stps' is no field of a scenario. Did you mean 'steps'?"],
    ['broken YAML', 'name: [x', 'story.yaml:1:9: '],
    ['a tag', 'name: x\nseed: !!js/function x', 'story.yaml:2:7: Unresolved tag'],
    ['the same key twice', 'name: x\nname: y', 'story.yaml:2:1: Map keys must be unique'],
    ['two documents', 'name: x\n---\nname: y', 'story.yaml:2:1: Source contains multiple documents'],
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

test('JSON is read too, with its places', () => {
  const { head, steps } = parseScenario('{"name": "x",\n "steps": [{"settle": true},\n {"note": "y"}]}')
  expect(head.name).toBe('x')
  expect(steps.map(({ verb, line }) => [verb, line])).toEqual([
    ['settle', 2],
    ['note', 3],
  ])
  expect(refusalOf('{"name": "x",\n "steps": [{"setle": true}]}')).toContain("2:13: 'setle' is no verb")
})
