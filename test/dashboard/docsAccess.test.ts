// Checks who sees keys on the API pages, how a person signs in there, and worlds that are not there.
import { afterAll, describe, expect, test } from 'vitest'
import { openPages, wordsIn } from './openPages.ts'

const TOKEN = 'control token/1'
const SENT = encodeURIComponent(TOKEN)
const DOCS = ['/docs', '/docs/control']
const guarded = openPages({ controlToken: TOKEN })
const open = openPages()
afterAll(() => {
  guarded.close()
  open.close()
})

const cookieOf = (headers: Headers): string => headers.get('set-cookie')?.split(';')[0] ?? ''

describe('an API page of a server with a control token', () => {
  test.each(DOCS)('%s takes it in the address once, and keeps it in a cookie', async (path) => {
    const { status, headers } = await guarded.fetch(`${path}?world=default&token=${SENT}`)
    expect([status, headers.get('location')]).toEqual([302, `${path}?world=default`])
    const known = await guarded.fetch(path, { headers: { Cookie: cookieOf(headers) } })
    expect(known.text).toContain('id="world"')
    expect(known.text).not.toContain('/_sandbox/ui/sign-in')
  })

  test.each(DOCS)('%s refuses a wrong one', async (path) => {
    const page = await guarded.fetch(`${path}?token=wrong`)
    expect([page.status, page.headers.get('set-cookie')]).toEqual([401, null])
    expect(wordsIn(page)).toContain('That is not the control token.')
    expect(page.text).toContain(`name="back" value="${path}"`)
  })

  test.each(DOCS)('%s has a link to sign in, which leads back', async (path) => {
    const page = await guarded.fetch(`${path}?q=1`)
    expect(page.status).toBe(200)
    expect(wordsIn(page)).not.toContain('as you are signed in')
    const [, link = ''] = /href="(\/_sandbox\/ui\/sign-in[^"]*)"/.exec(page.text) ?? []
    const form = await guarded.fetch(link)
    expect(form.status).toBe(200)
    expect(form.text).toContain(`name="back" value="${path}?q=1"`)
    const body = new URLSearchParams({ token: TOKEN, back: `${path}?q=1` })
    const { status, headers } = await guarded.fetch('/_sandbox/ui/sign-in', { method: 'POST', body })
    expect([status, headers.get('location')]).toEqual([303, `${path}?q=1`])
    const again = await guarded.fetch(link, { headers: { Cookie: cookieOf(headers) } })
    expect([again.status, again.headers.get('location')]).toEqual([302, `${path}?q=1`])
  })

  test('does not tell which worlds there are', async () => {
    expect((await guarded.fetch('/docs?world=nope')).status).toBe(200)
  })
})

describe('an API page of a server without a control token', () => {
  test('takes one all the same, and offers nobody to sign in', async () => {
    const { status, headers } = await open.fetch('/docs?token=any')
    expect([status, headers.get('location'), headers.get('set-cookie')]).toEqual([302, '/docs', null])
    expect((await open.fetch('/docs')).text).not.toContain('sign-in')
  })

  test.each(DOCS)('%s of a world that is not there shows the keys of no other', async (path) => {
    const page = await open.fetch(`${path}?world=nope`)
    expect(page.status).toBe(404)
    expect(wordsIn(page)).toContain('There is no such world on this server.')
    expect(page.text).not.toContain('sk_sandbox_default')
    expect(page.text).toContain(`href="${path}"`)
    expect((await open.fetch(`${path}?world=`)).status).toBe(200)
  })
})

describe('a slash at the end of an address', () => {
  test.each([
    ['/_sandbox/ui/', '/_sandbox/ui'],
    ['/_sandbox/ui/transactions/?status=Pending', '/_sandbox/ui/transactions?status=Pending'],
    ['/_sandbox/worlds/default/ui/', '/_sandbox/worlds/default/ui'],
    ['/_sandbox/ui/transactions//', '/_sandbox/ui/transactions'],
    ['/docs/', '/docs'],
    ['/docs/control/?world=default', '/docs/control?world=default'],
  ])('%s leads to %s', async (from, to) => {
    for (const pages of [open, guarded]) {
      const { status, headers } = await pages.fetch(from)
      expect([status, headers.get('location')]).toEqual([302, to])
    }
  })
})
