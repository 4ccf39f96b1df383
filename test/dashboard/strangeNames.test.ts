// Checks that a name of the public net that leads to this sandbox gives its pages to no browser, unless it is the configured one.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPix } from '../support/sandbox.ts'
import { openPages, wordsIn } from './openPages.ts'

const STRANGE = 'http://evil.com:4848'
const BROWSER = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64)' }

const pages = openPages()
afterAll(() => pages.close())
let payPath = ''
beforeAll(async () => {
  payPath = `/_sandbox/pay/${(await createPix(pages)).id}`
})

const move = (origin: string, headers: Record<string, string> = { Origin: origin }) =>
  pages.fetch(`${origin}/_sandbox/clock/advance`, { method: 'POST', headers, body: '{"by":"1m"}' })
const codeOf = ({ text }: { text: string }): string => JSON.parse(text).error.code

describe('a name of the public net that nobody configured', () => {
  test.each(['evil.com', 'evil.com.', 'a.b.evil.dev', '127.0.0.1.evil.io', 'localhost.evil.com', 'test.com'])(
    'cannot move the clock from %s, and says what to do',
    async (name) => {
      const before = (await pages.control('GET', '/clock')).body.now
      const answer = await move(`http://${name}:4848`)
      expect([answer.status, codeOf(answer)]).toEqual([403, 'sandbox_cross_site'])
      expect(JSON.parse(answer.text).error.message).toContain(`--public-url http://${name}:4848`)
      expect(answer.headers.get('x-sandbox-hint')).toContain('--public-url')
      expect((await pages.control('GET', '/clock')).body.now).toBe(before)
    },
  )

  test('is told to a person too, with what to do in a header', async () => {
    const { status, headers } = await pages.fetch('http://evil.com:4848/_sandbox/ui', {
      headers: { Accept: 'text/html' },
    })
    expect(status).toBe(403)
    expect(headers.get('content-type')).toContain('text/html')
    expect(headers.get('x-sandbox-hint')).toContain('--public-url')
  })

  test.each([
    'localhost',
    'shop.localhost',
    '127.0.0.1',
    '10.1.2.3',
    '[::1]',
    'gateway',
    'gateway.local',
    'host.docker.internal',
    'gateway.test',
    'gateway.example',
    'nas.lan',
    'nas.home.arpa',
  ])('is not %s', async (name) => {
    expect((await move(`http://${name}:4848`)).status).toBe(200)
  })

  test('may be used by test code, which is no browser', async () => {
    expect((await move(STRANGE, {})).status).toBe(200)
    expect(
      (await pages.fetch(`${STRANGE}/_sandbox/info`, { headers: { 'User-Agent': 'node' } })).status,
    ).toBe(200)
  })

  test.each([
    '/_sandbox/ui',
    '/_sandbox/ui/transactions',
    '/_sandbox/info',
    '/_sandbox/worlds',
    '/_sandbox/inboxes',
    '/%5fsandbox/worlds',
    '/%5Fsandbox/ui',
    '/%64ocs',
    '/docs',
    '/docs/control',
  ])('shows a browser nothing of %s', async (path) => {
    const headers = [BROWSER, { 'Sec-Fetch-Site': 'same-origin' }, { Accept: 'text/html,*/*' }]
    for (const sent of headers) {
      const answer = await pages.fetch(STRANGE + path, { headers: sent })
      expect(answer.status, JSON.stringify(sent)).toBe(403)
      expect(answer.text).not.toMatch(/[sp]k_sandbox/)
      expect(answer.text).toContain('sandbox_cross_site')
    }
  })

  test('is told to a person as a page', async () => {
    const page = await pages.fetch(`${STRANGE}/_sandbox/ui`, {
      headers: { Accept: 'text/html', 'Accept-Language': 'pt-BR' },
    })
    expect(page.headers.get('content-type')).toContain('text/html')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(wordsIn(page)).toContain(`--public-url ${STRANGE}`)
    expect(wordsIn(page)).toContain('Recusado')
  })

  test.each(['/_sandbox/livez', '/_sandbox/readyz', '/_sandbox/ui/assets/ui.css'])(
    'still gives %s, which tells nothing',
    async (path) => {
      expect((await pages.fetch(STRANGE + path, { headers: BROWSER })).status).toBe(200)
    },
  )

  test('still gives the pay page of one payment, but pays nothing', async () => {
    expect((await pages.fetch(STRANGE + payPath, { headers: BROWSER })).status).toBe(200)
    const sent = { method: 'POST', headers: { ...BROWSER, Origin: STRANGE } }
    expect((await pages.fetch(`${STRANGE}${payPath}/pay`, sent)).status).toBe(403)
  })

  test('nor lets its scripts change anything under a path that is written otherwise', async () => {
    const sent = {
      method: 'POST',
      headers: { Origin: STRANGE, 'Content-Type': 'application/json' },
      body: '{}',
    }
    expect((await pages.fetch(`${STRANGE}/%5fsandbox/worlds`, sent)).status).toBe(403)
  })

  test('still answers the fetch of Node, which is no browser and yet sends what one does', async () => {
    const headers = { 'Sec-Fetch-Mode': 'cors', Accept: '*/*', 'User-Agent': 'node' }
    expect((await pages.fetch(`${STRANGE}/_sandbox/info`, { headers })).status).toBe(200)
  })

  test('still takes a webhook into an inbox', async () => {
    const sent = { method: 'POST', body: '{}' }
    expect((await pages.fetch(`${STRANGE}/_sandbox/inbox/shop`, sent)).status).toBeLessThan(300)
  })
})

describe('the configured public address', () => {
  test('is served, whatever its port', async () => {
    const { host } = pages.worlds
    const before = host.publicUrl
    host.publicUrl = 'https://gateway.shop.com'
    const origin = 'http://gateway.shop.com:4848'
    expect((await pages.fetch(`${origin}/_sandbox/ui`, { headers: BROWSER })).status).toBe(200)
    expect((await move(origin)).status).toBe(200)
    expect((await move(STRANGE)).status).toBe(403)
    host.publicUrl = before
  })
})
