// Checks that hostile texts in every field that a merchant, a receiver or an address can fill show as text on every page.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PAGES } from '../../src/dashboard/pages.ts'
import { RECORD_KINDS } from '../../src/dashboard/reads.ts'
import { createPix } from '../support/sandbox.ts'
import { openPages } from './openPages.ts'
import { HOSTILE, inlineCode } from './pages.ts'

const sandbox = openPages()
const paths: string[] = []
afterAll(() => sandbox.close())

beforeAll(async () => {
  const metadata = JSON.stringify({ note: HOSTILE })
  const short = HOSTILE.slice(0, 60)
  const customer = { name: HOSTILE, email: 'ana@example.com', externalId: short, metadata }
  const { body: made } = await sandbox.call('POST', '/v1/customers', customer)
  const sale = await createPix(sandbox, {
    externalId: short,
    description: HOSTILE,
    metadata,
    customerId: made.data.id,
    callbackUrl: `http://127.0.0.1:9/?q="><img src=x>`,
  })
  const failed = await createPix(sandbox, { description: HOSTILE })
  await sandbox.control('POST', '/trigger', { on: failed.id, do: 'fail', reason: HOSTILE })
  const payer = { name: HOSTILE.slice(0, 60), bank: HOSTILE.slice(0, 60) }
  await sandbox.control('POST', '/trigger', { on: sale.id, do: 'confirm', payer })
  const reason = { reason: 'Other', reasonDescription: HOSTILE }
  const { body: dispute } = await sandbox.control('POST', '/disputes', { paymentId: sale.id, ...reason })
  await sandbox.control('POST', '/trigger', { on: dispute.id, do: 'respond', text: HOSTILE })
  await sandbox.control('PATCH', '/balance', { fund: 100_000 })
  const out = { amount: 5_000, pixKeyType: 'Email', pixKey: 'ana@example.com', externalId: short }
  const { body: cashout } = await sandbox.call('POST', '/v1/cashouts', out)
  await sandbox.control('POST', '/trigger', { on: cashout.data.id, do: 'fail', reason: HOSTILE })
  const [organization = ''] = Object.keys(sandbox.world.state.organizations)
  await sandbox.control('PATCH', `/organizations/${organization}`, { name: HOSTILE })
  await sandbox.fetch(`/v1/${encodeURIComponent(HOSTILE)}`)
  await sandbox.call('POST', '/v1/transactions', { [HOSTILE]: HOSTILE })
  const lists = PAGES.map(({ path }) => path).filter((path) => !path.includes(':'))
  const records = RECORD_KINDS.flatMap((kind) =>
    Object.keys(sandbox.world.state[kind]).map((id) => `/${kind}/${id}`),
  )
  const asked = encodeURIComponent(HOSTILE)
  const queries = ['q', 'status', 'account', 'page', 'anything'].map((name) => `${name}=${asked}`).join('&')
  paths.push(
    ...lists,
    ...records,
    ...lists.map((path) => `${path}?${queries}`),
    `/${asked}`,
    `/customers/${asked}`,
  )
})

test('every page shows hostile texts as text', async () => {
  let escaped = 0
  for (const path of paths) {
    const { text, status } = await sandbox.page(path)
    expect(status, path).toBeLessThan(500)
    expect(text, path).not.toMatch(/<img src=x|<script>alert/)
    expect(inlineCode(text), path).toEqual([])
    escaped += text.split('&lt;img src=x').length - 1
  }
  expect(escaped).toBeGreaterThan(20)
  expect(sandbox.defects).toEqual([])
})

test('a hostile text fills every field of its record, and no attribute ends in it', async () => {
  const [id = ''] = Object.keys(sandbox.world.state.customers)
  const { text } = await sandbox.page(`/customers/${id}`)
  expect(text).toContain('&quot;&#39;&gt;&lt;img src=x onerror=alert(1)&gt;')
})

test('the page that asks for the token shows the address that was asked for as text', async () => {
  const guarded = openPages({ controlToken: 'secret-token' })
  const { text } = await guarded.page(`/"><img src=x>?a="><script>alert(1)</script>`)
  expect(text).not.toMatch(/<img src=x|<script>alert/)
  guarded.close()
})
