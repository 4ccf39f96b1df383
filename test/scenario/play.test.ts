// Checks what each verb and each check of a scenario does, and how it fails.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SandboxError, startSandbox } from '../../src/index.ts'
import { playText } from '../../src/scenario/play.ts'
import { failureText } from '../../src/scenario/told.ts'
import type { Millis } from '../../src/kernel/brands.ts'
import type { Sandbox, SandboxWorld, ScenarioResult } from '../../src/index.ts'
import type { ScenarioWorldOptions } from '../../src/scenario/play.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox({ seed: 'scenarios' })
})
afterAll(() => sandbox.close())

const HEAD = ['name: a story', 'clock: 2030-01-01T12:00:00Z']
const SALE = [
  'inbox: { as: shop }',
  'call: createTransaction\n    with: { method: Pix, amount: 10000, callbackUrl: $shop.url }\n    as: sale',
]
const PAID = [...SALE, 'trigger: { on: $sale.id, do: confirm }']

/** Plays steps; the first one is on line 4. */
function play(steps: string[], head: string[] = []): Promise<ScenarioResult> {
  return sandbox.play([...HEAD, ...head, 'steps:', ...steps.map((step) => `  - ${step}`)].join('\n'))
}

describe('passes', () => {
  test.each<[string, string[]]>([
    [
      'a call whose refusal is expected',
      ['call: getTransaction\n    id: nobody\n    expect: { status: 404, error: not_found }'],
    ],
    [
      'a call with a query, and a list by position',
      [
        ...SALE,
        'call: listTransactions\n    with: { status: Pending }\n    expect: { data: { items: [{ id: $sale.id }], totalItems: 1 } }',
      ],
    ],
    [
      'calls by others, and by nobody',
      [
        'call: getBalance\n    by: production\n    expect: { status: 200 }',
        'call: getBalance\n    by: receiver',
        'call: getBalance\n    by: nobody\n    expect: { status: 401, error: unauthorized }',
        'call: getBalance\n    by: { token: strange }\n    expect: { error: { code: unauthorized } }',
        'call: getBalance\n    by: { publicKey: $world.publicKey, secretKey: $world.secretKey }',
      ],
    ],
    [
      'a token that has expired, and a fresh one in its place',
      [
        'call: createToken\n    with: { publicKey: $world.publicKey, secretKey: $world.secretKey }\n    as: token',
        'call: getBalance\n    by: { token: $token.accessToken }',
        'advance: 25h',
        'call: getBalance\n    by: { token: $token.accessToken }\n    expect: { status: 401 }',
        'call: getBalance',
      ],
    ],
    [
      'webhooks that are held, released in another order, duplicated and sent again',
      [
        'hold: { type: payment.completed }',
        ...PAID,
        'call: createTransaction\n    with: { method: Pix, amount: 20000, callbackUrl: $shop.url }\n    as: other',
        'trigger: { on: $other.id, do: confirm }',
        'expect: { no: { message: { inbox: shop } } }',
        'release: [{ of: $other.id }, { of: $sale.id, type: payment.completed }]',
        'expect: { message: { inbox: shop, n: 1, json: { data: { amount: 20000 } } } }',
        'release:',
        'duplicate: { of: $sale.id }',
        'resend: { of: $sale.id }',
        'expect: { message: { inbox: shop, count: 4 } }',
      ],
    ],
    [
      'money that is given, a key pair that is switched off, and another choice',
      [
        'balance: { fund: 2500, requireFullWithdrawal: true }',
        'expect: { balance: { available: 2500 } }',
        'balance: { organization: $world.receiver.id, fund: 1 }',
        'call: getBalance',
        'credential: { of: merchant, active: false }',
        'call: getBalance\n    expect: { status: 401 }',
        'silences: { AU-05: 422 }',
        'call: createTransaction\n    by: production\n    with: { method: Pix, amount: 1 }\n    expect: { status: 422 }',
      ],
    ],
    [
      'a refusal of a trigger that is expected',
      [...SALE, 'trigger: { on: $sale.id, do: refund }\n    expect: { error: sandbox_trigger_refused }'],
    ],
    [
      'evidence, with a version that has moved on',
      [
        ...PAID,
        'trigger: { on: $sale.id, do: open, deadline: 2d }\n    as: dispute',
        'call: addDisputeEvidence\n    id: $dispute.id\n    with: { file: { fileName: a.pdf, text: "%PDF-1.4" }, description: proof }\n    expect: { data: { fileName: a.pdf } }',
        'call: respondToDispute\n    id: $dispute.id\n    with: { text: It was sent. }\n    headers: { If-Match: $dispute.version }\n    expect: { status: 409 }',
      ],
    ],
    [
      'an answer that never comes',
      [
        'fault: { on: { operation: getBalance }, do: { reset: before } }\n    as: broken',
        'call: getBalance\n    expect: { none: true }',
        'call: getBalance\n    expect: { headers: { x-sandbox-world: $world.id } }',
      ],
    ],
    [
      'a repeat, with names made anew',
      [
        'repeat:\n      times: 3\n      steps:\n        - call: createTransaction\n          with: { method: Pix, amount: 1000 }\n          as: sale\n        - trigger: { on: $sale.id, do: confirm }',
        'expect: { balance: { available: 2955 } }',
        'expect: { journal: { of: $sale.id, on: confirm, count: 1 } }',
      ],
    ],
    [
      'messages, deliveries, the journal, the clock and what is not there',
      [
        ...PAID,
        'settle:',
        'expect: { message: { inbox: shop, type: payment.completed, signature: valid, json: { data: { id: $sale.id } } } }',
        'expect: { journal: { of: $sale.id, statuses: [Pending, Completed] } }',
        'expect: { clock: 2030-01-01T12:00:00Z }',
        'expect: { no: { delivery: { of: $sale.id, type: payment.refunded } } }',
        'expect: { no: { message: { inbox: other } } }',
        'advance: { to: 2030-01-02T00:00:00Z }',
        'expect: { clock: 2030-01-02T00:00:00.000Z }',
        'advance: { toNext: true }',
      ],
    ],
    [
      'two dollar signs as one',
      [
        'call: createTransaction\n    with: { method: Pix, amount: 1000, description: $$sale }\n    as: sale\n    expect: { data: { description: $$sale } }',
      ],
    ],
    [
      'an answer of before',
      ['call: getBalance', 'note: later', 'expect: { answer: { status: 200, data: { currency: BRL } } }'],
    ],
  ])('%s', async (_, steps) => {
    const result = await play(steps)
    expect(failureText(result)).toBe('')
    expect(result).toMatchObject({ passed: true, failure: null, name: 'a story' })
  })

  test('a file with nothing but what is given and rules, which it checks', async () => {
    const text = `name: a shop
given:
  customers: [{ as: ana, name: Ana Souza, email: ana@example.com }]
  transactions: [{ as: sale, method: Pix, amount: 5000, customerId: $ana.id, callbackUrl: $shop.url, status: Completed }]
rules:
  - when: { call: createTransaction, amount: 6661 }
    do: { trigger: fail, after: 3s }
`
    expect(await sandbox.play(text)).toMatchObject({ passed: true, steps: [] })
    const further = `${text}steps:
  - inbox: { as: shop }
  - expect: { customer: $ana.id, name: Ana Souza }
  - expect: { transaction: $sale.id, status: Completed, callbackUrl: $shop.url }
  - call: createTransaction
    with: { method: Pix, amount: 6661 }
    as: bad
  - expect: { transaction: $bad.id, status: Pending }
  - advance: 3s
  - expect: { transaction: $bad.id, status: Failed }
`
    expect(failureText(await sandbox.play(further))).toBe('')
  })
})

describe('rules', () => {
  const GIVEN =
    'given: { customers: [{ as: ana, name: Ana Souza, email: ana@example.com }, { as: bob, name: Bob, email: bob@example.com }] }'
  const withRule = (rule: string): string[] => [GIVEN, `rules: [${rule}]`]

  test('refer to given records and to inboxes', async () => {
    const when = 'call: createTransaction, customerId: $ana.id, callbackUrl: $shop.url'
    const steps = (name: string): string[] => [
      `call: createTransaction\n    with: { method: Pix, amount: 1000, customerId: $${name}.id, callbackUrl: $shop.url }\n    as: ${name}Sale`,
    ]
    const result = await play(
      [
        'inbox: { as: shop }',
        ...steps('ana'),
        'expect: { transaction: $anaSale.id, status: Failed }',
        ...steps('bob'),
        'expect: { transaction: $bobSale.id, status: Pending }',
      ],
      withRule(`{ when: { ${when} }, do: { trigger: fail } }`),
    )
    expect(failureText(result)).toBe('')
  })

  test('say at their place which field a record does not have', async () => {
    const { failure } = await play(
      [],
      withRule('{ when: { call: createTransaction, customerId: $ana.idd }, do: { trigger: fail } }'),
    )
    expect(failure).toMatchObject({ step: null, line: 4, column: 56, says: 'rules' })
    expect(failure?.message).toContain("$ana has no field 'idd'. Did you mean 'id'?")
  })
})

describe('fails', () => {
  test.each([
    ['a status', '{ status: 201 }', '- status: 201\n+ status: 400'],
    ['fields', '{ data: { amount: 5 } }', null],
    ['another error', '{ error: not_found }', '- error: not_found\n+ error: invalid_amount'],
  ])('with the code, message and hint of an answer when %s is expected', async (_, expected, diff) => {
    const { failure } = await play([
      `call: createTransaction\n    with: { method: Pix, amount: -5 }\n    expect: ${expected}`,
    ])
    expect(failure?.message).toMatch(
      /^the answer to createTransaction is .*400 invalid_amount: \S.*\nhint: \S/,
    )
    expect(failure?.diff).toContain(diff ?? '')
  })

  test('with quotes where a text and a number would read alike', async () => {
    const { failure } = await play([
      ...SALE,
      'expect: { transaction: $sale.id, amount: "10000", method: Pix }',
    ])
    expect(failure?.diff).toBe('  method: Pix\n- amount: "10000"\n+ amount: 10000')
  })

  test.each<[string, string[], { line: number; step: string; message: string }]>([
    [
      'a call that is refused, when nothing is expected of it',
      ['call: getTransaction\n    id: nobody'],
      { line: 4, step: '1', message: 'the answer to getTransaction is 404 not_found' },
    ],
    [
      'a path that the name does not have',
      [...SALE, 'trigger: { on: $sale.idd, do: confirm }'],
      { line: 8, step: '3', message: "$sale has no field 'idd'. Did you mean 'id'?" },
    ],
    [
      'a refused trigger, with those that would fire',
      [...SALE, 'trigger: { on: $sale.id, do: refund }'],
      { line: 8, step: '3', message: 'These would fire: confirm, expire, fail, cancel' },
    ],
    [
      'a webhook to be sent again that nobody made',
      [...SALE, 'resend: { of: $sale.id }'],
      { line: 8, step: '3', message: 'there is no delivery of any type for ' },
    ],
    [
      'a webhook that could be several',
      [...PAID, 'trigger: { on: $sale.id, do: refund }', 'duplicate: { of: $sale.id }'],
      { line: 10, step: '5', message: '; name the record and the type of one' },
    ],
    [
      'a delivery that nobody made',
      [...SALE, 'expect: { delivery: { of: $sale.id } }'],
      { line: 8, step: '3', message: 'there is no such thing as a delivery for' },
    ],
    [
      'something there that must not be',
      [...PAID, 'expect: { no: { delivery: { of: $sale.id } } }'],
      { line: 9, step: '4', message: 'payment.completed (delivered)' },
    ],
    [
      'keys of what is none',
      ['inbox: { as: shop }', 'call: getBalance\n    by: shop'],
      { line: 6, step: '2', message: "'shop' names no key pair" },
    ],
    [
      'a clock that goes back',
      ['advance: { to: 2029-01-01T00:00:00Z }'],
      { line: 4, step: '1', message: 'only moves forward' },
    ],
    [
      'a step inside a repeat',
      [
        'repeat:\n      times: 3\n      steps:\n        - call: getBalance\n          expect: { status: 201 }',
      ],
      { line: 8, step: '1.1', message: 'the answer to getBalance is not as expected' },
    ],
    [
      'a list that is longer than expected',
      [
        ...SALE,
        ...SALE.slice(1),
        'call: listTransactions\n    expect: { data: { items: [{ amount: 10000 }] } }',
      ],
      { line: 12, step: '4', message: 'not as expected' },
    ],
  ])('%s', async (_, steps, { line, step, message }) => {
    const { passed, failure } = await play(steps)
    expect(passed).toBe(false)
    expect(failure).toMatchObject({ line, step })
    expect(failure?.message).toContain(message)
  })

  test('what the server refuses to be given, at its line', async () => {
    const { failure } = await play([], ['given: { disputes: [{ transaction: nobody }] }'])
    expect(failure).toMatchObject({ step: null, line: 3, says: 'given' })
    const inPart = await play(
      [],
      [
        'given:',
        '  customers:',
        '    - { as: ana, name: Ana, email: ana@example.com }',
        '    - { name: Ana, email: bob@example.com, environment: Sandbox, organization: nobody }',
      ],
    )
    expect(inPart.failure).toMatchObject({ step: null, line: 6, column: 80, says: 'given' })
  })

  test('and tells the steps, the diff and the story in order', async () => {
    const { steps, failure, story } = await play([
      ...PAID,
      'expect: { transaction: $sale.id, amount: 10001, status: Completed }',
    ])
    expect(steps.map(({ says, passed }) => [says, passed])).toEqual([
      ['inbox shop', true],
      ['call createTransaction', true],
      ['trigger confirm', true],
      ['expect transaction', false],
    ])
    expect(failure?.diff).toBe('- amount: 10001\n+ amount: 10000\n  status: Completed')
    expect(story.map((line) => line.trim().split(/\s+/).slice(0, 3).join(' '))).toEqual([
      '2030-01-01T12:00:00.000Z',
      'call createToken 200',
      'transition transaction create:',
      'call createTransaction 201',
      'transition transaction confirm:',
      'delivery payment.completed to',
      'attempt payment.completed 1:',
    ])
  })
})

test('a call that is never answered fails with its step, line and story', async () => {
  const text = [...HEAD, 'steps:', ...PAID, 'call: getBalance']
    .map((line, index) => (index <= HEAD.length ? line : `  - ${line}`))
    .join('\n')
  const deaf = {
    async world(options: ScenarioWorldOptions) {
      const world = await sandbox.world(options)
      const never = (): Promise<Response> => new Promise<Response>(() => undefined)
      return {
        ...world,
        fetch: (input: string | URL | Request, init?: RequestInit) =>
          input === '/v1/balance' ? never() : world.fetch(input, init),
      }
    },
  }
  const { failure, story } = await playText(deaf, text, { answerLimitMs: 200 as Millis })
  expect(failure).toMatchObject({ step: '4', line: 9, says: 'call getBalance' })
  expect(failure?.message).toContain('no answer came within 0.2 s')
  expect(story.length).toBeGreaterThan(3)
})

describe('a world that is taken away from outside', () => {
  test.each([
    ['deleted', (world: SandboxWorld) => world.delete()],
    ['reset', (world: SandboxWorld) => world.reset()],
  ])('is told: %s', async (how, take) => {
    const text = [...HEAD, 'steps:', ...PAID.map((step) => `  - ${step}`)].join('\n')
    const shaken = {
      async world(options: ScenarioWorldOptions) {
        const world = await sandbox.world(options)
        return {
          ...world,
          async trigger(...args: Parameters<SandboxWorld['trigger']>) {
            await take(world)
            return world.trigger(...args)
          },
        }
      },
    }
    const { failure } = await playText(shaken, text)
    expect(failure).toMatchObject({ step: '3', line: 8 })
    expect(failure?.message).toContain(`the world of this play was ${how} from outside while it played`)
    expect(failure?.message).not.toContain('Did you mean')
  })
})

test('each play has a world of its own, which ends with it', async () => {
  const before = (await sandbox.worlds()).length
  const results = await Promise.all([
    play(PAID),
    play(PAID),
    play([...PAID, 'expect: { answer: { status: 5 } }']),
  ])
  expect(results.map(({ passed }) => passed)).toEqual([true, true, false])
  expect(await sandbox.worlds()).toHaveLength(before)
})

test('a seed in the file gives every play the same chance', async () => {
  const drawn = async (seed: string): Promise<unknown> => {
    const { failure } = await play([...SALE, 'expect: { transaction: $sale.id, id: x }'], [`seed: ${seed}`])
    return failure && (failure.actual as { id: unknown }).id
  }
  const first = await drawn('monday')
  expect(first).toMatch(/^[0-9a-f-]{36}$/)
  expect(await drawn('monday')).toEqual(first)
  expect(await drawn('tuesday')).not.toEqual(first)
})

test('a file that is not there is told by its path', async () => {
  const missing = sandbox.play('scenarios/nowhere.yaml')
  await expect(missing).rejects.toThrow(/'scenarios\/nowhere.yaml' cannot be read: ENOENT/)
  await expect(missing).rejects.toBeInstanceOf(SandboxError)
  await expect(sandbox.play('name: x\nsteps: [{ cal: x }]')).rejects.toThrow(
    "scenario:2:11: 'cal' is no verb",
  )
})
