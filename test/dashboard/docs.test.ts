// Checks the API pages as an app: what they show of both interfaces, and that every example is taken by the server.
import { describe, expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { envelopeOf } from '../../src/contract/endpoint.ts'
import { ENDPOINTS } from '../../src/contract/endpoints.ts'
import { gatewayOpenApi } from '../../src/contract/openapi.ts'
import { CONTROL_ROUTES } from '../../src/control/routes.ts'
import { examplesOf, newestFor } from '../../src/dashboard/docsExamples.ts'
import { fieldsOf, rulesOf, sampleOf, typeOf } from '../../src/dashboard/docsSchema.ts'
import { createPix, openSandbox } from '../support/sandbox.ts'
import { HOSTILE, inlineCode, pagesOf } from './pages.ts'
import type { EndpointRow } from '../../src/contract/endpoint.ts'
import type { Answered, TestSandbox } from '../support/sandbox.ts'
import type { Pages } from './pages.ts'

interface Shop extends TestSandbox {
  pages: Pages
}

function open(controlToken: string | null = null): Shop {
  const sandbox = openSandbox()
  return { ...sandbox, pages: pagesOf(sandbox, createApp(sandbox.worlds, { controlToken })) }
}

const keysOf = ({ world }: TestSandbox): TestSandbox['world']['origin']['keys']['sandbox'] =>
  world.origin.keys.sandbox

describe('the page of the gateway', () => {
  test('has a section for each operation, with its path, permission and a form', async () => {
    const { text } = await open().pages.get('/docs')
    for (const { id, path, permission } of ENDPOINTS) {
      const [, section = ''] = text.split(`id="${id}"`)
      expect(section, id).toContain(`<code>${path}</code>`)
      expect(section.slice(0, section.indexOf('</section>')), id).toContain(permission ?? 'Needs no token.')
      expect(text, id).toContain(`id="${id}-try"`)
      expect(text, id).toContain(`href="#${id}"`)
    }
    expect(text).toContain('>payment.completed<')
  })

  test('holds no inline script or style, and loads nothing from elsewhere', async () => {
    const { text, headers } = await open().pages.get('/docs')
    expect(inlineCode(text)).toEqual([])
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//)
  })

  test('gives every element an id of its own', async () => {
    for (const path of ['/docs', '/docs/control']) {
      const { text } = await open().pages.get(path)
      const ids = [...text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id)
      expect(
        ids.filter((id, index) => ids.indexOf(id) !== index),
        path,
      ).toEqual([])
    }
  })

  test('begins with the keys of the chosen world', async () => {
    const shop = open()
    await shop.control('POST', '/worlds', { id: 'other' })
    expect((await shop.pages.get('/docs')).text).toContain('value="pk_sandbox_default"')
    const { text } = await shop.pages.get('/docs?world=other')
    const { publicKey, secretKey } = shop.worlds.get('other')?.origin.keys.sandbox ?? keysOf(shop)
    expect(text).toContain(`value="${publicKey}"`)
    expect(text).toContain(`value="${secretKey}"`)
  })

  test('fills in the newest record that an operation would take', async () => {
    const shop = open()
    const first = await createPix(shop)
    const second = await createPix(shop)
    await shop.call('POST', `/v1/transactions/${second.id}/simulate`, { action: 'complete' })
    const { text } = await shop.pages.get('/docs')
    expect(text).toMatch(new RegExp(`id="getTransaction-try-path-transactionId"[^>]*value="${second.id}"`))
    expect(text).toMatch(
      new RegExp(`id="simulateTransaction-try-path-transactionId"[^>]*value="${first.id}"`),
    )
  })

  test('speaks the language of the browser, while summaries stay as they are', async () => {
    const { text } = await open().pages.get('/docs', { 'Accept-Language': 'pt-BR' })
    expect(text).toContain('Filtrar operações')
    expect(text).toContain('Creates a transaction')
  })

  test('shows a hostile name of a world in the address as nothing at all', async () => {
    const { status, text } = await open().pages.get(`/docs?world=${encodeURIComponent(HOSTILE)}`)
    expect(status).toBe(404)
    expect(inlineCode(text)).toEqual([])
    expect(text).not.toContain(HOSTILE)
  })
})

describe('the page of the control API', () => {
  test('has a section for each route, and tries those of the chosen world', async () => {
    const shop = open()
    await shop.control('POST', '/worlds', { id: 'other' })
    const { text } = await shop.pages.get('/docs/control?world=other')
    expect(CONTROL_ROUTES.filter(({ id }) => !text.includes(`id="${id}"`))).toEqual([])
    expect(text).not.toContain('InWorld')
    expect(text).toContain('data-path="/_sandbox/worlds/other/clock/advance"')
    expect(text).toContain('data-path="/_sandbox/livez"')
    expect(text).not.toContain('id="streamEvents-try"')
    expect(inlineCode(text)).toEqual([])
  })
})

describe('a server with a control token', () => {
  const guarded = 'only-for-testers'

  test('shows both interfaces without it, but no key, world or record', async () => {
    const shop = open(guarded)
    const { id } = await createPix(shop)
    for (const path of ['/docs', '/docs/control', '/docs?world=default']) {
      const { status, text } = await shop.pages.get(path)
      expect(status).toBe(200)
      expect(text).not.toContain('sk_sandbox_default')
      expect(text).not.toContain(id)
      expect(text).not.toContain('id="world"')
    }
  })

  test('shows them to who has it', async () => {
    const { text } = await open(guarded).pages.get('/docs', { Cookie: `sandbox_token=${guarded}` })
    expect(text).toContain('sk_sandbox_default')
  })
})

describe('the examples', () => {
  const rows = ENDPOINTS as readonly EndpointRow[]
  const cases = rows.flatMap((row) => {
    const sandbox = openSandbox()
    const examples = examplesOf(sandbox.world, keysOf(sandbox))[row.id as (typeof ENDPOINTS)[number]['id']]
    const count = examples?.length ?? 1
    return Array.from({ length: count }, (_, index) => ({
      id: row.id,
      name: examples?.[index]?.name ?? '',
      row,
      index,
    }))
  })

  test('there is one for each operation with a body', () => {
    const sandbox = openSandbox()
    const known = Object.keys(examplesOf(sandbox.world, null))
    expect(known.toSorted()).toEqual(rows.flatMap(({ id, body }) => (body ? [id] : [])).toSorted())
  })

  test.each(cases)('$id $name is accepted by the server, and again', async ({ row, index }) => {
    const sandbox = openSandbox()
    for (const _ of [1, 2]) {
      await fill(sandbox)
      const { status, body } = await sendExample(sandbox, row, index)
      expect(status, JSON.stringify(body)).toBeLessThan(300)
    }
    expect(sandbox.defects).toEqual([])
  })

  test('they follow the names that a world gives to the fields of a creation', async () => {
    const sandbox = openSandbox()
    await sandbox.control('PATCH', '/silences', { 'TX-01': { customerDocument: 'payerTaxId' } })
    const [pix] = examplesOf(sandbox.world, keysOf(sandbox)).createTransaction ?? []
    expect(pix?.body).toHaveProperty('payerTaxId', '52998224725')
    const { body } = await sandbox.control('GET', '/silences')
    expect(body.used ?? []).toEqual([])
  })
})

/** One record of each kind that still takes answers, and money. */
async function fill(sandbox: TestSandbox): Promise<void> {
  await sandbox.control('PATCH', '/balance', { fund: 1_000_000 })
  const sold = await createPix(sandbox, { customerName: 'Ana Souza', customerDocument: '52998224725' })
  await sandbox.call('POST', `/v1/transactions/${sold.id}/simulate`, { action: 'complete' })
  await sandbox.control('POST', '/disputes', { paymentId: sold.id })
  await sandbox.call('POST', '/v1/cashouts', { amount: 1_000, pixKeyType: 'CPF', pixKey: '52998224725' })
  await createPix(sandbox)
}

/** Sends an example as the form of its operation would. */
async function sendExample(sandbox: TestSandbox, row: EndpointRow, index: number): Promise<Answered> {
  const { id, method, bodyType, record } = row
  const keys = keysOf(sandbox)
  const body = examplesOf(sandbox.world, keys)[id as (typeof ENDPOINTS)[number]['id']]?.[index]?.body
  const known = record && newestFor(sandbox.world, keys, id, `${record}s`)
  const path = row.path.replace(/\{\w+\}/, known ?? 'none')
  if (bodyType === 'json' || !body) return sandbox.call(method, path, body)
  const form = new FormData()
  for (const [name, value] of Object.entries(body)) {
    form.set(name, typeof value === 'string' ? value : new File(['%PDF-1.4\n'], 'a.pdf'))
  }
  const encoded = new Response(form)
  const headers = { 'Content-Type': encoded.headers.get('content-type') ?? '' }
  return sandbox.call(method, path, new Uint8Array(await encoded.arrayBuffer()), { headers })
}

describe('what is read from a schema', () => {
  const document = gatewayOpenApi({ serverUrl: 'http://sandbox.test', version: '0.0.0' })
  const { schemas } = document.components

  test.each(ENDPOINTS.map((row) => [row.id, row] as const))(
    'the example of the answer of %s fits it',
    (_id, row: EndpointRow) => {
      const operation = document.paths[row.path]?.[row.method.toLowerCase()]
      const success = Object.entries(operation?.responses ?? {}).find(([status]) =>
        status.startsWith('2'),
      )?.[1]
      const sample = sampleOf(success?.content?.['application/json']?.schema ?? {}, schemas)
      const { error } = envelopeOf(row.data).safeParse(sample)
      expect(error).toBeUndefined()
    },
  )

  test('fields inside objects and lists have their place in their name', () => {
    const schema = {
      type: 'object',
      required: ['a'],
      properties: {
        a: { anyOf: [{ $ref: '#/components/schemas/Inner' }, { type: 'null' }], description: 'why' },
        list: { type: 'array', items: { type: 'object', properties: { x: { type: 'integer' } } } },
      },
    }
    const inner = { Inner: { type: 'object', properties: { b: { type: 'string', format: 'uuid' } } } }
    expect(
      fieldsOf(schema, inner).map(({ path, type, required, nullable }) => [path, type, required, nullable]),
    ).toEqual([
      ['a', 'object', true, true],
      ['a.b', 'string (uuid)', false, false],
      ['list', 'object[]', false, false],
      ['list[].x', 'integer', false, false],
    ])
    expect(fieldsOf(schema, inner)[0]?.description).toBe('why')
  })

  test.each([
    [{ type: 'integer', minimum: 1, maximum: 100, default: 20 }, ['1…100', 'default 20']],
    [{ type: 'string', minLength: 1 }, ['length ≥ 1']],
    [{ type: 'string', maxLength: 30 }, ['length ≤ 30']],
    [{ enum: ['Pix', 'Boleto'] }, ['Pix, Boleto']],
    [{ const: 'BRL' }, ['BRL']],
    [{ anyOf: [{ enum: ['complete'] }, { enum: [1, 2] }] }, ['complete, 1, 2']],
  ])('%j is told as %j', (schema, rules) => {
    expect(rulesOf(schema)).toEqual(rules)
  })

  test('a schema that refers to itself comes to an end', () => {
    const tree = {
      Tree: { type: 'object', required: ['in'], properties: { in: { $ref: '#/components/schemas/Tree' } } },
    }
    expect(fieldsOf({ $ref: '#/components/schemas/Tree' }, tree).length).toBeLessThan(20)
    expect(JSON.stringify(sampleOf({ $ref: '#/components/schemas/Tree' }, tree))).toContain('null')
    expect(typeOf({ anyOf: [{ type: 'string' }, { type: 'integer' }] }, {})).toBe('string | integer')
  })
})
