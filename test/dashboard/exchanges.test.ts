// Checks the pages of exchanges: the live tail with its filters, why a call was refused and what would pass, and that every text is text.
import { describe, expect, test } from 'vitest'
import { begin } from '../control/transactionSteps.ts'
import { createPix } from '../support/sandbox.ts'
import { pageAt, plain, UNESCAPED } from './forms.ts'
import { HOSTILE } from './pages.ts'
import type { TestSandbox } from '../support/sandbox.ts'

/** Ids of the exchanges that the tail shows, in its order. */
async function tail(sandbox: TestSandbox, query = ''): Promise<string[]> {
  const { status, text } = await pageAt(sandbox, `/exchanges${query}`)
  expect(status).toBe(200)
  return [...text.matchAll(/<tr id="row-([^"]+)"/g)].map(([, id = '']) => id)
}

/** A page of the latest exchange. */
async function latest(sandbox: TestSandbox): Promise<string> {
  const { status, text } = await pageAt(sandbox, `/exchanges/${sandbox.world.exchanges.list().at(-1)?.id}`)
  expect(status).toBe(200)
  return text
}

describe('the tail of exchanges', () => {
  test('shows the latest 50, the newest first, and the older ones on further pages', async () => {
    const sandbox = begin()
    for (let made = 0; made < 54; made += 1) await sandbox.send('GET', '/health')
    const all = sandbox.world.exchanges.list().map(({ id }) => id)
    expect(await tail(sandbox)).toEqual(all.slice(4).toReversed())
    expect(await tail(sandbox, '?page=2')).toEqual(all.slice(0, 4).toReversed())
    expect(await tail(sandbox, '?page=none')).toHaveLength(50)
  })

  test('is narrowed by operation, status, refusal and text', async () => {
    const sandbox = begin()
    const { id } = await createPix(sandbox)
    await sandbox.call('GET', `/v1/transactions/${id}`)
    await sandbox.call('POST', '/v1/transactions', { method: 'Pix' })
    expect(await tail(sandbox)).toEqual(['x4', 'x3', 'x2', 'x1'])
    expect(await tail(sandbox, '?operation=createTransaction')).toEqual(['x4', 'x2'])
    expect(await tail(sandbox, '?status=400')).toEqual(['x4'])
    expect(await tail(sandbox, '?refused=yes')).toEqual(['x4'])
    expect(await tail(sandbox, '?q=VALIDATION')).toEqual(['x4'])
    expect(await tail(sandbox, `?q=${id}`)).toEqual(['x3', 'x2'])
    expect(await tail(sandbox, '?q=nothing')).toEqual([])
  })
})

describe('the page of an exchange', () => {
  test('is not there for one that is not kept', async () => {
    expect((await pageAt(begin(), '/exchanges/x1')).status).toBe(404)
  })

  test('says why a call was refused and what would pass', async () => {
    const sandbox = begin()
    await sandbox.call('POST', '/v1/transactions', { method: 'pix', amout: 12_990 })
    const { hint } = sandbox.world.exchanges.list().at(-1) ?? {}
    const text = plain(await latest(sandbox))
    expect(text).toContain('Why it was refused')
    expect(text).toContain('validation_error')
    expect(hint).toBeTruthy()
    expect(text).toContain(hint)
    const [, accepted = ''] = /The nearest accepted form[\s\S]*?<pre[^>]*>([\s\S]*?)<\/pre>/.exec(text) ?? []
    expect(JSON.parse(accepted)).toEqual({ method: 'Pix', amount: 12_990 })
  })

  test('shows the query that would pass as the call with it', async () => {
    const sandbox = begin()
    await sandbox.call('GET', '/v1/transactions?pageSize=2000')
    expect(await latest(sandbox)).toContain('GET /v1/transactions?pageSize=100')
  })

  test('shows no reason for a call that succeeded, and its request and answer readable', async () => {
    const sandbox = begin()
    await createPix(sandbox, { description: 'two shirts' })
    const text = plain(await latest(sandbox))
    expect(text).not.toContain('Why it was refused')
    expect(text).toContain('  "description": "two shirts"')
    expect(text).toContain('authorization: [hidden]')
    expect(text).toContain('X-Sandbox-World: default')
  })

  test('names its silences and faults', async () => {
    const sandbox = begin({ 'TX-02': 200 })
    await sandbox.control('POST', '/faults', { do: { code: 'internal_error' } })
    await sandbox.call('POST', '/v1/transactions', { method: 'Pix', amount: 100 }).catch(() => null)
    await sandbox.call('POST', '/v1/transactions', { method: 'Pix', amount: 100 })
    expect(await latest(sandbox)).toContain('/_sandbox/ui/silences#row-TX-02')
    const refused = sandbox.world.exchanges.list().find(({ faults }) => faults.length > 0)
    const { text } = await pageAt(sandbox, `/exchanges/${refused?.id}`)
    expect(text).toContain('Faults that befell it')
    expect(text).toContain('>refuse<')
  })

  test('shows what a merchant sends as text, in every place', async () => {
    const sandbox = begin()
    const fields = {
      description: HOSTILE,
      externalId: HOSTILE,
      metadata: JSON.stringify({ note: HOSTILE }),
      customerName: HOSTILE,
      callbackUrl: 'http://shop.test/<img src=x onerror=alert(1)>',
    }
    const path = encodeURIComponent(HOSTILE)
    await sandbox.call('POST', '/v1/transactions', { method: 'Pix', amount: 100, ...fields })
    await sandbox.call('POST', '/v1/transactions', { [HOSTILE]: HOSTILE, method: HOSTILE, amount: HOSTILE })
    await sandbox.call('GET', `/v1/${path}?${path}=${path}`, undefined, {
      headers: { 'user-agent': HOSTILE },
    })
    await sandbox.call('GET', `/v1/transactions/${path}`)
    await sandbox.send('POST', '/v1/auth/token', { body: { publicKey: HOSTILE, secretKey: HOSTILE } })
    const shown: string[] = []
    const pages = sandbox.world.exchanges.list().map(({ id }) => `/${id}`)
    for (const page of [...pages, '', `?q=${path}`, `?operation=${path}&status=${path}`]) {
      shown.push((await pageAt(sandbox, `/exchanges${page}`)).text)
    }
    for (const text of shown) expect(text).not.toMatch(UNESCAPED)
    expect(shown.filter((text) => plain(text).includes('<img src=x')).length).toBeGreaterThan(4)
  })
})
