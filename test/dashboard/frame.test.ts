// Checks what holds of every page: headers, the frame around it, its files, and what is answered for what is not there.
import { afterAll, describe, expect, test } from 'vitest'
import { PAGES } from '../../src/dashboard/pages.ts'
import { openPages, wordsIn } from './openPages.ts'

const sandbox = openPages()
afterAll(() => sandbox.close())

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
const plain = PAGES.map(({ path }) => path).filter((path) => !path.includes(':'))

describe('every page', () => {
  test.each([...plain, '/nowhere', '/transactions/nothing'])('%s has the strict headers', async (path) => {
    const { status, headers } = await sandbox.page(path)
    expect(status).toBe(plain.includes(path) ? 200 : 404)
    expect(headers.get('content-type')).toBe('text/html; charset=UTF-8')
    expect(headers.get('content-security-policy')).toBe(POLICY)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('same-origin')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-sandbox-now')).toBe('2030-01-01T12:00:00.000Z')
  })

  test.each(plain)('%s runs nothing inside itself and loads nothing from elsewhere', async (path) => {
    const { text } = await sandbox.page(path)
    expect(text).not.toMatch(/<script(?![^>]*\bsrc=)/)
    expect(text).not.toMatch(/<[^>]*\s(?:style|on\w+)=/)
    const loaded = [...text.matchAll(/<(?:script|link|img)[^>]*\s(?:src|href)="([^"]*)"/g)].map(
      ([, address]) => address,
    )
    expect(loaded.length).toBeGreaterThan(2)
    expect(
      loaded.filter((address) => !/^(?:\/_sandbox\/ui\/assets\/|data:image\/)/.test(address ?? '')),
    ).toEqual([])
  })

  test.each(plain)('%s shows the clock and the way to all others, itself marked', async (path) => {
    const { text } = await sandbox.page(path)
    expect(text).toMatch(/<html lang="en" data-theme="auto">/)
    expect(text).toMatch(/id="clock"[^>]*data-mode="frozen"/)
    expect(text).toContain('<span class="time">12:00:00</span>')
    for (const row of PAGES.filter(({ word }) => word !== null)) {
      expect(text).toContain(`<a href="/_sandbox/ui${row.path}"`)
    }
    expect([...text.matchAll(/aria-current="page"/g)]).toHaveLength(1)
    expect([...text.matchAll(/<h1\b/g)]).toHaveLength(1)
  })

  test.each([
    ['en', 'Scripts are switched off'],
    ['pt', 'Os scripts estão desligados'],
  ])('says in %s what does not work without scripts', async (language, said) => {
    for (const path of ['/_sandbox/ui/transactions', '/docs', '/docs/control']) {
      const { text } = await sandbox.fetch(path, { headers: { 'Accept-Language': language } })
      expect(/<noscript>(.*?)<\/noscript>/s.exec(text)?.[1], path).toContain(said)
    }
  })

  test('/ leads to the dashboard and keeps what is asked', async () => {
    const { status, headers } = await sandbox.fetch('/?token=x')
    expect([status, headers.get('location')]).toEqual([302, '/_sandbox/ui?token=x'])
  })
})

describe('what is not there', () => {
  test.each([
    ['a page', '/_sandbox/ui/nowhere', 'There is no such page here.'],
    ['a record', '/_sandbox/ui/cashouts/nothing', 'There is no such record in this world.'],
    [
      'a name that every object has',
      '/_sandbox/ui/customers/constructor',
      'There is no such record in this world.',
    ],
    ['a world', '/_sandbox/worlds/nowhere/ui', 'There is no such world on this server.'],
  ])('%s is said not to be', async (_what, path, said) => {
    const page = await sandbox.fetch(path)
    expect(page.status).toBe(404)
    expect(wordsIn(page)).toContain(said)
  })
})

describe('worlds', () => {
  test('have pages of their own, whose links and forms stay in them', async () => {
    await sandbox.control('POST', '/worlds', { id: 'other', clock: '2031-05-05T10:00:00Z' })
    const { text, headers } = await sandbox.fetch('/_sandbox/worlds/other/ui')
    expect(text).toContain('<span class="time">10:00:00</span>')
    expect(headers.get('x-sandbox-world')).toBe('other')
    expect(text).toContain('data-events="/_sandbox/worlds/other/events"')
    expect(text).toContain('action="/_sandbox/worlds/other/clock/advance"')
    expect(text).toContain('href="/_sandbox/worlds/other/ui/transactions"')
    expect(text).not.toContain('action="/_sandbox/clock')
  })

  test('are picked by a form that works without a script', async () => {
    expect((await sandbox.page('')).text).toMatch(/<option\s*>other<\/option>/)
    const { status, headers } = await sandbox.page('/world?id=other')
    expect([status, headers.get('location')]).toEqual([302, '/_sandbox/worlds/other/ui'])
    expect((await sandbox.page('/world?id=default')).headers.get('location')).toBe('/_sandbox/ui')
    expect((await sandbox.page('/world?id=//evil.test/')).headers.get('location')).toBe(
      '/_sandbox/worlds/%2F%2Fevil.test%2F/ui',
    )
  })
})

describe('files', () => {
  test.each([
    ['ui.css', 'text/css; charset=utf-8'],
    ['ui.js', 'text/javascript; charset=utf-8'],
    ['idiomorph.js', 'text/javascript; charset=utf-8'],
    ['icon.svg', 'image/svg+xml'],
  ])('%s is served, and not sent again to those who have it', async (name, type) => {
    const { status, headers, text } = await sandbox.page(`/assets/${name}`)
    expect([status, headers.get('content-type')]).toEqual([200, type])
    expect(text.length).toBeGreaterThan(100)
    const etag = headers.get('etag') ?? ''
    const again = await sandbox.page(`/assets/${name}`, { 'If-None-Match': etag })
    expect([again.status, again.text]).toEqual([304, ''])
  })

  test.each(['nothing.js', 'constructor', '..%2F..%2Fpackage.json', 'tsconfig.json'])(
    '%s is none',
    async (name) => {
      expect((await sandbox.page(`/assets/${name}`)).status).toBe(404)
    },
  )
})
