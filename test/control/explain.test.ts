// Checks the story of a record: what it tells, in which order, as JSON, as text and as a Mermaid diagram.
import { describe, expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { MAX_HISTORY } from '../../src/world/history.ts'
import { control, NO_ID, outcome } from '../http/calls.ts'
import { createPix } from '../support/sandbox.ts'
import { begin, deliveriesOf, trigger } from './transactionSteps.ts'
import type { Outcome } from '../../src/domain/deliveries.ts'
import type { TestSandbox } from '../support/sandbox.ts'

const HOOK = 'http://shop.test/hook'

interface Step {
  at: string
  kind: string
  text: string
  [fact: string]: unknown
}
interface Story {
  id: string
  kind: string
  status: string
  order: string
  steps: Step[]
  waiting: { text: string }[]
}

const storyOf = async (sandbox: TestSandbox, id: string): Promise<Story> =>
  (await control(sandbox, 'GET', `/explain/${id}`)) as Story

/** A story as plain text or as a diagram. */
async function told(sandbox: TestSandbox, id: string, format: 'text' | 'mermaid'): Promise<string> {
  const app = createApp(sandbox.worlds, { controlToken: null })
  const response = await app.fetch(new Request(`http://sandbox.test/_sandbox/explain/${id}?format=${format}`))
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; ?charset=utf-8$/i)
  return response.text()
}

/** A sandbox whose receiver gives its answers in order, and 204 when none is left. */
function shop(...answers: (number | (() => Promise<Outcome>))[]): TestSandbox {
  const sandbox = begin()
  const send = async (): Promise<Outcome> => {
    const next = answers.shift() ?? 204
    return typeof next === 'number' ? { status: next, answer: '' } : next()
  }
  sandbox.world.host.sender = { send }
  return sandbox
}

const settle = (sandbox: TestSandbox): Promise<unknown> => control(sandbox, 'POST', '/settle', {})
const advance = (sandbox: TestSandbox, by: string): Promise<unknown> =>
  control(sandbox, 'POST', '/clock/advance', { by })

/** A sale whose first webhook fails, a refund of a part of it, and a dispute on the rest. */
async function longStory(sandbox: TestSandbox): Promise<string> {
  const { id } = await createPix(sandbox, { callbackUrl: HOOK })
  await trigger(sandbox, id, 'confirm')
  await settle(sandbox)
  await advance(sandbox, '2s')
  await sandbox.call('GET', `/v1/transactions/${id}`)
  expect(outcome(await trigger(sandbox, id, 'refund', { amount: 990 }))).toBe('200')
  await settle(sandbox)
  await advance(sandbox, '30m')
  const { id: dispute } = await control(sandbox, 'POST', '/disputes', { paymentId: id })
  await sandbox.call('PUT', `/v1/disputes/${dispute}/response`, { text: 'Entregue.' })
  return id
}

/** Whether every line of a diagram is one that Mermaid reads, with nothing in its text that means anything. */
function expectValid(diagram: string): void {
  const [head, ...lines] = diagram.trimEnd().split('\n')
  expect(head).toBe('sequenceDiagram')
  const actor = '(?:Merchant|Gateway|Receiver)'
  const text = String.raw`(?:[\p{L}\p{M}\p{N} /._,:()=+?*@-]|#\d+;)+`
  const forms = [
    `participant ${actor}`,
    `${actor}(?:->>|-->>|--x)${actor}: ${text}`,
    `Note over ${actor}(?:,${actor})?: ${text}`,
  ]
  const line = new RegExp(`^ {2}(?:${forms.join('|')})$`, 'u')
  for (const each of lines) expect(each).toMatch(line)
  expect(diagram).not.toMatch(/style|classDef/i)
}

describe('a whole story', () => {
  test('reads as text, one line a step, grouped by instant', async () => {
    const sandbox = shop(500)
    const id = await longStory(sandbox)
    expect(await told(sandbox, id, 'text')).toMatchInlineSnapshot(`
      "transaction 7cae8e1c-a96e-4888-b35a-843115f35362 is PartiallyRefunded

      2030-01-01T12:00:00.000Z
        call        POST /v1/transactions -> 201
        transition  transaction create: new -> Pending
        transition  transaction confirm: Pending -> Completed
        posting     sale: payers -12990, gateway +195, available +12795
        delivery    payment.completed for http://shop.test/hook
        attempt     attempt 1 of payment.completed: answered 500
        clock       the clock moves to 2030-01-01T12:00:02.000Z

      2030-01-01T12:00:02.000Z
        attempt     attempt 2 of payment.completed: answered 204
        call        GET /v1/transactions/7cae8e1c-a96e-4888-b35a-843115f35362 -> 200  (after payment.completed 6551c8be-8bc5-419e-ae8b-fde86c7d661b)
        transition  transaction refund: Completed -> PartiallyRefunded
        posting     refund: payers +990, gateway -14, available -976
        delivery    payment.partially_refunded for http://shop.test/hook
        attempt     attempt 1 of payment.partially_refunded: answered 204
        clock       the clock moves to 2030-01-01T12:30:02.000Z

      2030-01-01T12:30:02.000Z
        transition  dispute open: new -> Open
        posting     hold: available -11819, reserved +11819
        call        PUT /v1/disputes/e92832b7-01f7-41db-868a-3f911e07a8d5/response -> 200  (after payment.partially_refunded 594fff68-88a6-468e-ba01-f9019dca5b45)
        transition  dispute respond: Open -> MerchantResponded

      nothing waits for time
      "
    `)
  })

  test('is drawn as a Mermaid diagram', async () => {
    const sandbox = shop(500)
    const id = await longStory(sandbox)
    const diagram = await told(sandbox, id, 'mermaid')
    expectValid(diagram)
    expect(diagram).toMatchInlineSnapshot(`
      "sequenceDiagram
        participant Merchant
        participant Gateway
        participant Receiver
        Note over Merchant,Receiver: transaction 7cae8e1c-a96e-4888-b35a-843115f35362 is PartiallyRefunded
        Note over Merchant,Receiver: 2030-01-01T12:00:00.000Z
        Merchant->>Gateway: POST /v1/transactions
        Gateway-->>Merchant: 201
        Note over Gateway: transaction create: new to Pending
        Note over Gateway: transaction confirm: Pending to Completed
        Note over Gateway: sale: payers -12990, gateway +195, available +12795
        Note over Gateway: payment.completed for http://shop.test/hook
        Gateway->>Receiver: payment.completed, attempt 1
        Receiver-->>Gateway: 500
        Note over Gateway: the clock moves to 2030-01-01T12:00:02.000Z
        Note over Merchant,Receiver: 2030-01-01T12:00:02.000Z
        Gateway->>Receiver: payment.completed, attempt 2
        Receiver-->>Gateway: 204
        Merchant->>Gateway: GET /v1/transactions/7cae8e1c-a96e-4888-b35a-843115f35362
        Gateway-->>Merchant: 200
        Note over Gateway: transaction refund: Completed to PartiallyRefunded
        Note over Gateway: refund: payers +990, gateway -14, available -976
        Note over Gateway: payment.partially_refunded for http://shop.test/hook
        Gateway->>Receiver: payment.partially_refunded, attempt 1
        Receiver-->>Gateway: 204
        Note over Gateway: the clock moves to 2030-01-01T12:30:02.000Z
        Note over Merchant,Receiver: 2030-01-01T12:30:02.000Z
        Note over Gateway: dispute open: new to Open
        Note over Gateway: hold: available -11819, reserved +11819
        Merchant->>Gateway: PUT /v1/disputes/e92832b7-01f7-41db-868a-3f911e07a8d5/response
        Gateway-->>Merchant: 200
        Note over Gateway: dispute respond: Open to MerchantResponded
      "
    `)
  })

  test.each(['text', 'mermaid'] as const)('has the same bytes for the same seed as %s', async (format) => {
    const [one, two] = [shop(500), shop(500)]
    const [first, second] = [await longStory(one), await longStory(two)]
    expect(await told(one, first, format)).toBe(await told(two, second, format))
  })

  test('has the same bytes for the same seed as JSON', async () => {
    const stories = []
    for (const sandbox of [shop(500), shop(500)]) {
      stories.push(JSON.stringify(await storyOf(sandbox, await longStory(sandbox))))
    }
    expect(stories[0]).toBe(stories[1])
  })
})

describe('the order within one instant of a frozen clock is the true one', () => {
  /** The steps of a story in short: kind and what it was. */
  const inShort = ({ steps }: Story): string[] =>
    steps.map(({ kind, text }) => `${kind} ${text.replaceAll(/[0-9a-f-]{36}/g, 'ID')}`)

  test('calls, the transitions they cause, postings, deliveries, attempts, and the calls that follow', async () => {
    const sandbox = shop()
    const { id } = await createPix(sandbox, { callbackUrl: HOOK })
    await sandbox.call('GET', `/v1/transactions/${id}`)
    await sandbox.call('POST', `/v1/transactions/${id}/simulate`, { action: 'complete' })
    await settle(sandbox)
    await sandbox.call('POST', `/v1/transactions/${id}/simulate`, { action: 'refund' })
    await settle(sandbox)
    await sandbox.call('POST', `/v1/transactions/${id}/simulate`, { action: 'refund' })
    const story = await storyOf(sandbox, id)
    expect([story.order, new Set(story.steps.map(({ at }) => at)).size]).toEqual(['exact', 1])
    expect(inShort(story)).toEqual([
      'call POST /v1/transactions -> 201',
      'transition transaction create: new -> Pending',
      'call GET /v1/transactions/ID -> 200',
      'call POST /v1/transactions/ID/simulate -> 200',
      'transition transaction confirm: Pending -> Completed',
      'posting sale: payers -12990, gateway +195, available +12795',
      'delivery payment.completed for http://shop.test/hook',
      'attempt attempt 1 of payment.completed: answered 204',
      'call POST /v1/transactions/ID/simulate -> 200',
      'transition transaction refund: Completed -> Refunded',
      'posting refund: payers +12990, gateway -195, available -12795',
      'delivery payment.refunded for http://shop.test/hook',
      'attempt attempt 1 of payment.refunded: answered 204',
      'call POST /v1/transactions/ID/simulate -> 400 invalid_status',
    ])
    const [paid, refunded] = deliveriesOf(sandbox, id)
    const calls = story.steps.filter(({ kind }) => kind === 'call')
    expect(calls.map(({ after }) => after)).toEqual([null, null, null, paid, refunded])
  })

  test('a call that a webhook causes stands after it, marked with it and its attempt in flight', async () => {
    const ask = (): Promise<unknown> => sandbox.call('GET', `/v1/transactions/${sale.id}`)
    const sandbox = shop(async () => {
      await ask()
      return { status: 500, answer: '' }
    })
    const sale = await createPix(sandbox, { callbackUrl: HOOK })
    await ask()
    await trigger(sandbox, sale.id, 'confirm')
    await settle(sandbox)
    const story = await storyOf(sandbox, sale.id)
    const [delivery] = deliveriesOf(sandbox, sale.id)
    expect(story.steps.map(({ kind, after, during }) => [kind, after, during])).toEqual([
      ['call', null, null],
      ['transition', undefined, undefined],
      ['call', null, null],
      ['transition', undefined, undefined],
      ['posting', undefined, undefined],
      ['delivery', undefined, undefined],
      ['attempt', undefined, undefined],
      ['call', delivery, 1],
    ])
    expect(story.waiting).toMatchObject([{ job: 'attemptDelivery', text: 'attempt 2 of payment.completed' }])
    expect(await told(sandbox, sale.id, 'text')).toContain(
      '(while attempt 1 was in flight of payment.completed',
    )
    const diagram = await told(sandbox, sale.id, 'mermaid')
    const arrows = diagram
      .split('\n')
      .filter((line) => line.includes('>>'))
      .slice(-4)
    expect(arrows.map((line) => line.trim().split(':')[0])).toEqual([
      'Gateway->>Receiver',
      'Merchant->>Gateway',
      'Gateway-->>Merchant',
      'Receiver-->>Gateway',
    ])
  })

  test('is by time after a restore, exact again for what is made then, and both say so', async () => {
    const sandbox = shop(500)
    const { id } = await createPix(sandbox, { callbackUrl: HOOK })
    await trigger(sandbox, id, 'confirm')
    await settle(sandbox)
    expect((await storyOf(sandbox, id)).order).toBe('exact')
    await control(sandbox, 'PUT', '/snapshots/s')
    await control(sandbox, 'POST', '/snapshots/s/restore')
    const restored = await storyOf(sandbox, id)
    expect(restored.order).toBe('byTime')
    expect(restored.steps.map(({ kind }) => kind)).toEqual([
      'transition',
      'transition',
      'posting',
      'delivery',
      'attempt',
    ])
    expect(await told(sandbox, id, 'text')).toContain('in another order')
    expectValid(await told(sandbox, id, 'mermaid'))
    const later = await createPix(sandbox, { callbackUrl: HOOK })
    await trigger(sandbox, later.id, 'confirm')
    await settle(sandbox)
    const { order, steps } = await storyOf(sandbox, later.id)
    expect([order, steps.length]).toEqual(['exact', 6])
  })

  test('is by time once the history has grown past its bound', async () => {
    const sandbox = shop()
    const { id } = await createPix(sandbox)
    for (let count = 0; count < MAX_HISTORY * 2; count++) {
      sandbox.world.tell('clock', { mode: 'frozen', rate: 1 })
    }
    expect(sandbox.world.history.read(sandbox.world).items.length).toBeLessThan(MAX_HISTORY * 2)
    expect((await storyOf(sandbox, id)).order).toBe('byTime')
  })

  test('is by time when its calls were forgotten by a reset', async () => {
    const sandbox = shop()
    const { id } = await createPix(sandbox)
    await control(sandbox, 'POST', '/reset')
    expect(outcome(await sandbox.control('GET', `/explain/${id}`))).toBe('404 sandbox_not_found')
    const next = await createPix(sandbox)
    expect((await storyOf(sandbox, next.id)).order).toBe('exact')
  })
})

describe('a story is told', () => {
  test('of a cashout with its money and its calls', async () => {
    const sandbox = shop()
    await control(sandbox, 'PATCH', '/balance', { fund: 10_000 })
    const asked = { amount: 1_000, pixKeyType: 'Email', pixKey: 'ana@example.com' }
    const { id } = (await sandbox.call('POST', '/v1/cashouts', asked)).body.data
    await sandbox.call('POST', `/v1/cashouts/${id}/cancel`)
    const { kind, status, steps } = await storyOf(sandbox, id)
    expect([kind, status]).toEqual(['cashout', 'Cancelled'])
    expect(steps.map((step) => step.kind)).toEqual([
      'call',
      'transition',
      'posting',
      'call',
      'transition',
      'posting',
    ])
  })

  test('of a dispute alone, and of a customer by the calls that name it', async () => {
    const sandbox = shop()
    const customer = { name: 'Ana Souza', email: 'ana@example.com' }
    const { id } = (await sandbox.call('POST', '/v1/customers', customer)).body.data
    const sale = await createPix(sandbox, { customerId: id })
    await createPix(sandbox)
    await trigger(sandbox, sale.id, 'confirm')
    const { id: dispute } = await control(sandbox, 'POST', '/disputes', { paymentId: sale.id })
    const ofDispute = await storyOf(sandbox, dispute)
    expect(ofDispute.steps.map(({ text }) => text)).toEqual([
      'dispute open: new -> Open',
      'hold: available -12795, reserved +12795',
    ])
    const ofCustomer = await storyOf(sandbox, id)
    expect([ofCustomer.kind, ofCustomer.status]).toEqual(['customer', 'Active'])
    expect(ofCustomer.steps.map(({ text }) => text)).toEqual([
      'POST /v1/customers -> 201',
      'POST /v1/transactions -> 201',
    ])
  })

  test('of what a delivery is about, in any letter case', async () => {
    const sandbox = shop()
    const { id } = await createPix(sandbox, { callbackUrl: HOOK })
    await trigger(sandbox, id, 'confirm')
    await settle(sandbox)
    const [delivery = ''] = deliveriesOf(sandbox, id)
    expect(await storyOf(sandbox, delivery.toUpperCase())).toEqual(await storyOf(sandbox, id))
  })

  test('with clock moves in a row as one, and without those before and after it', async () => {
    const sandbox = shop()
    await advance(sandbox, '1m')
    const { id } = await createPix(sandbox)
    for (let count = 0; count < 3; count++) await advance(sandbox, '1m')
    await sandbox.call('GET', `/v1/transactions/${id}`)
    await advance(sandbox, '1m')
    const { steps, waiting } = await storyOf(sandbox, id)
    expect(steps.map(({ kind, at }) => [kind, at])).toEqual([
      ['call', '2030-01-01T12:01:00.000Z'],
      ['transition', '2030-01-01T12:01:00.000Z'],
      ['clock', '2030-01-01T12:01:00.000Z'],
      ['call', '2030-01-01T12:04:00.000Z'],
    ])
    expect(waiting).toMatchObject([{ job: 'expireTransaction', at: '2030-01-01T12:31:00.000Z' }])
  })

  test('of nothing that does not exist, and says what to do', async () => {
    const { status, body } = await begin().control('GET', `/explain/${NO_ID}`)
    expect([status, body.error.code]).toEqual([404, 'sandbox_not_found'])
    expect(body.error.message).toContain('GET /_sandbox/transactions')
    expect(outcome(await begin().control('GET', `/explain/${NO_ID}?format=pdf`))).toBe(
      '400 sandbox_bad_request',
    )
  })
})

const HOSTILE = [
  'a; participant Evil',
  'x\nMerchant->>Gateway: forged',
  'x\r\nend\u2028loop forever',
  'quotes " \' ` and #35; #quot; %%{init: {"theme":"dark"}}%%',
  'style a:#b; classDef c:#d;',
  '<script>alert(1)</script> & <br/>',
  '\u001b[31mred\u001b[0m \u202Eback',
  `long ${'x'.repeat(5_000)}`,
  '😀 ção',
]

describe('nothing that a merchant or a test sent breaks a story', () => {
  test.each(HOSTILE)('not the reason %j', async (reason) => {
    const sandbox = shop()
    const { id } = await createPix(sandbox, { callbackUrl: 'http://shop.test/a;b?q=%22#x' })
    expect(outcome(await trigger(sandbox, id, 'fail', { reason: reason.slice(0, 400) }))).toBe('200')
    await settle(sandbox)
    await sandbox.call('GET', `/v1/transactions?externalId=${id}`)
    const diagram = await told(sandbox, id, 'mermaid')
    expectValid(diagram)
    expect(diagram).not.toMatch(/^\s*Merchant->>Gateway: forged/m)
    const text = await told(sandbox, id, 'text')
    expect(text.split('\n').filter((line) => line.includes('transaction fail:'))).toHaveLength(1)
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Zl}\u202E]/u)
  })

  test('and no secret stands in it', async () => {
    const sandbox = shop()
    const card = '4111111111111111'
    const callbackUrl = `http://shop.test/hook?key=sk_sandbox_default&card=${card}`
    const { id } = await createPix(sandbox, { callbackUrl })
    await trigger(sandbox, id, 'fail', { reason: `sk_sandbox_default ${card}` })
    await settle(sandbox)
    const forms = [JSON.stringify(await storyOf(sandbox, id)), await told(sandbox, id, 'text')]
    for (const form of [...forms, await told(sandbox, id, 'mermaid')]) {
      expect(form).not.toContain('sk_sandbox_default')
      expect(form).not.toContain(card)
    }
  })
})
