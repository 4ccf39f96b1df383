// Checks the pages of faults, rules, silences and scenarios: what their forms send is accepted, and every text is text.
import { describe, expect, test } from 'vitest'
import { SILENCE_IDS, silence } from '../../src/contract/silences.ts'
import { EXAMPLE_SCENARIO } from '../../src/dashboard/scenarioPage.ts'
import { parseScenario } from '../../src/scenario/parse.ts'
import { FAULTS } from '../../src/world/faultKinds.ts'
import { begin } from '../control/transactionSteps.ts'
import { formOf, formsOf, needed, pageAt, plain, submit, UNESCAPED } from './forms.ts'
import { HOSTILE } from './pages.ts'
import type { PageForm } from './forms.ts'

/** The forms that arm faults, of a world in which there are none. */
async function armForms(): Promise<PageForm[]> {
  const { text } = await pageAt(begin(), '/faults')
  return formsOf(text).filter(({ id }) => id.startsWith('arm-'))
}

/** The form that an id names. */
const FORMS = new Map((await armForms()).map((form) => [form.id, form]))

describe('the page of faults', () => {
  test('has a form for each fault of the table', () => {
    const named = new Set([...FORMS.keys()].map((id) => id.replace(/^arm-/, '').replace(/-\d+$/, '')))
    expect([...named].toSorted()).toEqual(Object.keys(FAULTS).toSorted())
  })

  test.each([...FORMS.keys()].filter((id) => id !== 'arm-refuse'))('%s arms its fault', async (id) => {
    const sandbox = begin()
    const form = formOf((await pageAt(sandbox, '/faults')).text, id)
    const { status, body } = await submit(sandbox, form, needed(form))
    expect(status, JSON.stringify(body)).toBe(201)
    expect(sandbox.world.faults.map(({ name }) => name)).toEqual([
      id.replace(/^arm-/, '').replace(/-\d+$/, ''),
    ])
  })

  test.each([
    [{ 'do.status': '503' }, { status: 503 }],
    [
      { 'do.code': 'rate_limit_exceeded', 'do.retryAfterS': '30' },
      { code: 'rate_limit_exceeded', retryAfterS: 30 },
    ],
  ])('a refusal takes %j', async (filled, what) => {
    const sandbox = begin()
    const form = formOf((await pageAt(sandbox, '/faults')).text, 'arm-refuse')
    const narrowed = {
      'on.operation': 'createTransaction',
      times: '2',
      nth: '3',
      probability: '0.5',
      until: '10m',
    }
    expect((await submit(sandbox, form, { ...filled, ...narrowed })).status).toBe(201)
    expect(sandbox.world.faults).toMatchObject([
      {
        do: what,
        on: { operation: 'createTransaction' },
        times: 2,
        nth: 3,
        probability: 0.5,
        until: '2030-01-01T12:10:00.000Z',
      },
    ])
  })

  test('says how often a fault fired, and clears one or all', async () => {
    const sandbox = begin()
    for (const code of ['internal_error', 'conflict', 'not_found']) {
      await sandbox.control('POST', '/faults', { on: { operation: 'getBalance' }, do: { code }, times: 2 })
    }
    await sandbox.call('GET', '/v1/balance')
    const { text } = await pageAt(sandbox, '/faults')
    expect(text).toContain('1 of 2')
    const [first] = sandbox.world.faults
    await submit(sandbox, formOf(text, `clear-${first?.id}`))
    expect(sandbox.world.faults).toHaveLength(2)
    await submit(sandbox, formOf(text, 'clear-all'))
    expect(sandbox.world.faults).toEqual([])
    expect((await pageAt(sandbox, '/faults')).text).toContain('No fault is armed')
  })

  test('lists rules with how often they fired, and clears one', async () => {
    const sandbox = begin()
    await sandbox.control('POST', '/rules', {
      when: { call: 'createTransaction' },
      do: { trigger: 'confirm' },
    })
    await sandbox.call('POST', '/v1/transactions', { method: 'Pix', amount: 100 })
    const { text } = await pageAt(sandbox, '/faults')
    expect(plain(text)).toContain('{"call":"createTransaction"}')
    const [rule] = sandbox.world.rules.list
    expect(rule?.fired).toBe(1)
    await submit(sandbox, formOf(text, `clear-rule-${rule?.id}`))
    expect(sandbox.world.rules.list).toEqual([])
  })

  test('shows the texts of faults and rules as text', async () => {
    const sandbox = begin()
    const order = { on: { delivery: { subject: HOSTILE } }, do: { type: HOSTILE } }
    expect((await sandbox.control('POST', '/faults', order)).status).toBe(201)
    const rule = { when: { call: 'createTransaction', description: HOSTILE }, do: { trigger: 'confirm' } }
    expect((await sandbox.control('POST', '/rules', rule)).status).toBe(201)
    const { text } = await pageAt(sandbox, '/faults')
    expect(text).not.toMatch(UNESCAPED)
    expect(plain(text).split('<img src=x').length - 1).toBeGreaterThanOrEqual(3)
  })
})

const KNOBS = SILENCE_IDS.filter((id) => silence(id).value !== null)

describe('the page of silences', () => {
  test('lists every silence, and lets those be chosen that can be', async () => {
    const { text } = await pageAt(begin(), '/silences')
    const rows = [...text.matchAll(/<tr id="row-([^"]+)"/g)].map(([, id = '']) => id)
    expect(rows.toSorted()).toEqual([...SILENCE_IDS])
    const chosen = new Set(formsOf(text).map(({ id }) => id.replace(/^choose-(.*)-\d+$/, '$1')))
    expect([...chosen].toSorted()).toEqual([...KNOBS])
  })

  test.each(KNOBS)('%s takes what its forms send, and goes back', async (id) => {
    const sandbox = begin()
    const { text } = await pageAt(sandbox, '/silences')
    for (const form of formsOf(text).filter((each) => each.id.startsWith(`choose-${id}-`))) {
      const filled = form.fields.map(({ name, choices, placeholder }) => [
        name,
        choices?.at(-1) ?? exampleOf(name, placeholder),
      ])
      const { status, body } = await submit(sandbox, form, Object.fromEntries(filled))
      expect(status, JSON.stringify(body)).toBe(200)
      expect(body.total, JSON.stringify(form)).toBe(1)
    }
    expect(Object.keys(sandbox.world.choices.overrides())).toEqual([id])
    const changed = await pageAt(sandbox, '/silences?only=changed')
    expect(changed.text.match(/<tr id="row-/g)).toHaveLength(1)
    expect((await submit(sandbox, formOf(changed.text, `default-${id}`))).status).toBe(200)
    expect(sandbox.world.choices.overrides()).toEqual({})
  })

  test('offers another choice than the present one, and marks the present one', async () => {
    const sandbox = begin({ 'TX-02': 200 })
    const { text } = await pageAt(sandbox, '/silences?q=TX-02')
    const [select] = formOf(text, 'choose-TX-02-0').fields
    expect(select?.choices).toEqual(['201', '200'])
    expect(text).toMatch(/<option value="200" selected/)
  })

  test('is narrowed by text, and to what was used', async () => {
    const sandbox = begin()
    const count = async (query: string): Promise<number> =>
      (await pageAt(sandbox, `/silences?${query}`)).text.match(/<tr id="row-/g)?.length ?? 0
    expect(await count('q=wh-01')).toBe(1)
    expect(await count('only=used')).toBe(0)
    await sandbox.send('GET', '/v1/balance')
    expect(await count('only=used')).toBeGreaterThan(0)
    expect(await count(`q=${encodeURIComponent(HOSTILE)}`)).toBe(0)
  })

  test('shows a chosen text as text', async () => {
    const sandbox = begin({ 'DI-09': { url: 'http://shop.test/?<img src=x onerror=alert(1)>' } })
    const { text } = await pageAt(sandbox, '/silences')
    expect(text).not.toMatch(UNESCAPED)
    expect(plain(text)).toContain('<img src=x')
  })
})

/** What is typed where a field has no example. */
function exampleOf(name: string, placeholder: string): string {
  if (placeholder !== '') return placeholder
  return name.endsWith('url') ? 'http://shop.test/disputes' : '5'
}

describe('the page of scenarios', () => {
  test('begins with an example that is a scenario', async () => {
    const { text } = await pageAt(begin(), '/scenarios')
    expect(plain(text)).toContain(EXAMPLE_SCENARIO)
    expect(parseScenario(EXAMPLE_SCENARIO).steps.length).toBeGreaterThan(3)
  })

  test('holds no text of a scenario that was played: a script puts it in as text', async () => {
    const { text } = await pageAt(begin(), '/scenarios')
    expect(text).toContain('data-slot="steps"')
    expect(text).not.toContain('innerHTML')
  })
})
