// Checks who may see pages of a server with a control token, and that pages of other origins change nothing.
import { afterAll, describe, expect, test } from 'vitest'
import { openPages, wordsIn } from './openPages.ts'

const TOKEN = 'control token/1'
const guarded = openPages({ controlToken: TOKEN })
const open = openPages()
afterAll(() => {
  guarded.close()
  open.close()
})

const cookieOf = (headers: Headers): string => headers.get('set-cookie')?.split(';')[0] ?? ''

describe('a server with a control token', () => {
  test.each(['', '/transactions', '/nowhere'])('asks for it on %s and shows nothing else', async (path) => {
    const page = await guarded.page(path)
    expect(page.status).toBe(401)
    expect(wordsIn(page)).toContain('Sign in')
    expect(page.text).not.toContain('id="clock"')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  test('takes it in the address once, and keeps it in a cookie out of reach', async () => {
    const { status, headers } = await guarded.page(
      `/transactions?status=Pending&token=${encodeURIComponent(TOKEN)}`,
    )
    expect([status, headers.get('location')]).toEqual([302, '/_sandbox/ui/transactions?status=Pending'])
    expect(headers.get('set-cookie')).toMatch(/^sandbox_token=[^;]+; Path=\/; HttpOnly; SameSite=Strict$/)
    expect((await guarded.page('/transactions', { Cookie: cookieOf(headers) })).status).toBe(200)
  })

  test('keeps it for encrypted connections only where its public address is encrypted', async () => {
    const given = `/_sandbox/ui?token=${encodeURIComponent(TOKEN)}`
    const { host } = guarded.worlds
    const before = host.publicUrl
    host.publicUrl = 'https://sandbox.shop.test'
    try {
      const there = await guarded.fetch(`http://sandbox.shop.test${given}`)
      expect(there.headers.get('set-cookie')).toMatch(/; Secure;/)
      for (const elsewhere of ['http://sandbox.shop.test:4848', 'http://sandbox.test']) {
        const here = await guarded.fetch(elsewhere + given)
        expect(here.headers.get('set-cookie')).not.toContain('Secure')
      }
    } finally {
      host.publicUrl = before
    }
  })

  test('takes it from the form, which leads back to where it was asked', async () => {
    const { text } = await guarded.page('/cashouts?page=2')
    expect(text).toContain('name="back" value="/_sandbox/ui/cashouts?page=2"')
    const body = new URLSearchParams({ token: TOKEN, back: '/_sandbox/ui/cashouts?page=2' })
    const { status, headers } = await guarded.fetch('/_sandbox/ui/sign-in', { method: 'POST', body })
    expect([status, headers.get('location')]).toEqual([303, '/_sandbox/ui/cashouts?page=2'])
    expect((await guarded.page('', { Cookie: cookieOf(headers) })).status).toBe(200)
  })

  test.each([
    'https://evil.test/',
    '//evil.test',
    '/_sandbox//evil.test',
    String.raw`/\evil.test`,
    '/docs//evil.test',
    '/_sandbox/\r\nX: 1',
    '/docs?\n',
  ])('never leads to %j', async (back) => {
    const body = new URLSearchParams({ token: TOKEN, back })
    const { headers } = await guarded.fetch('/_sandbox/ui/sign-in', { method: 'POST', body })
    expect(headers.get('location')).toBe('/_sandbox/ui')
  })

  test('refuses a wrong one, wherever it comes from', async () => {
    const byAddress = await guarded.page('?token=wrong')
    const body = new URLSearchParams({ token: 'wrong', back: '' })
    const byForm = await guarded.fetch('/_sandbox/ui/sign-in', { method: 'POST', body })
    for (const page of [byAddress, byForm]) {
      expect([page.status, page.headers.get('set-cookie')]).toEqual([401, null])
      expect(wordsIn(page)).toContain('That is not the control token.')
    }
    expect((await guarded.page('', { Cookie: 'sandbox_token=wrong' })).status).toBe(401)
  })

  test('lets the control API take the cookie too, and the header as before', async () => {
    const status = async (headers: Record<string, string>): Promise<number> =>
      (await guarded.fetch('/_sandbox/clock', { headers })).status
    const { headers } = await guarded.page(`?token=${encodeURIComponent(TOKEN)}`)
    expect(await status({ Cookie: cookieOf(headers) })).toBe(200)
    expect(await status({ Cookie: 'sandbox_token=wrong' })).toBe(401)
    expect(await status({})).toBe(401)
  })

  test('keeps it in a cookie of its own port, so that two servers of one machine sign nobody out', async () => {
    const address = 'http://localhost:4848/_sandbox/ui'
    const { headers } = await guarded.fetch(`${address}?token=${encodeURIComponent(TOKEN)}`)
    const cookie = cookieOf(headers)
    expect(cookie).toMatch(/^sandbox_token_4848=/)
    const status = async (port: number): Promise<number> =>
      (await guarded.fetch(address.replace('4848', String(port)), { headers: { Cookie: cookie } })).status
    expect([await status(4848), await status(4849)]).toEqual([200, 401])
  })

  test('gives its files to anybody: they tell nothing', async () => {
    expect((await guarded.page('/assets/ui.css')).status).toBe(200)
  })
})

describe('a server without a control token', () => {
  test('takes one all the same, as it was typed into an address', async () => {
    const { status, headers } = await open.page('?token=any')
    expect([status, headers.get('location'), headers.get('set-cookie')]).toEqual([302, '/_sandbox/ui', null])
  })
})

describe('a page of another origin', () => {
  const advance = (headers: Record<string, string>, path = '/_sandbox/clock/advance') =>
    open.fetch(path, { method: 'POST', headers, body: '{"by":"1m"}' })
  const now = async (): Promise<string> => (await open.control('GET', '/clock')).body.now

  test.each([
    ['another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['another port of this machine', { 'Sec-Fetch-Site': 'same-site', Origin: 'http://sandbox.test' }],
    ['an older browser', { Origin: 'http://evil.test' }],
    ['another port, in an older browser', { Origin: 'http://sandbox.test:81' }],
    ['a page without an origin', { Origin: 'null' }],
  ])('cannot move the clock: %s', async (_who, headers) => {
    const before = await now()
    const { status, text } = await advance(headers)
    expect([status, JSON.parse(text).error.code]).toEqual([403, 'sandbox_cross_site'])
    expect(await now()).toBe(before)
  })

  test.each([
    ['the dashboard', { 'Sec-Fetch-Site': 'same-origin' }],
    ['a person', { 'Sec-Fetch-Site': 'none' }],
    ['the dashboard, in an older browser', { Origin: 'http://sandbox.test' }],
    ['the dashboard behind a proxy', { 'Sec-Fetch-Site': 'same-origin', Origin: 'https://shown.test' }],
    ['test code', {}],
  ])('is not %s', async (_who, headers) => {
    expect((await advance(headers)).status).toBe(200)
  })

  test.each([
    '/_sandbox/worlds/default/clock/advance',
    '/_sandbox/inbox/shop',
    '/_sandbox/reset',
    '/_sandbox/worlds',
  ])('cannot change anything at %s', async (path) => {
    expect((await advance({ 'Sec-Fetch-Site': 'cross-site' }, path)).status).toBe(403)
  })

  test('may be led to a page, and its browser keeps the answer from it', async () => {
    const { status, headers } = await open.page('', { 'Sec-Fetch-Site': 'cross-site' })
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, null])
  })
})
