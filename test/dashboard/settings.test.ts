// Checks in which language and theme pages are shown, and that a cookie keeps what a person chose.
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { BUCKETS } from '../../src/domain/books.ts'
import { DICTIONARIES, fill } from '../../src/dashboard/words.ts'
import { openPages } from './openPages.ts'

const sandbox = openPages()
afterAll(() => sandbox.close())

test.each([
  ['', 'en'],
  ['pt-BR', 'pt-BR'],
  ['pt', 'pt-BR'],
  ['pt-BR,pt;q=0.9,en;q=0.8', 'pt-BR'],
  ['en;q=0.4, pt-PT;q=0.5', 'pt-BR'],
  ['en-US,en;q=0.9,pt;q=0.8', 'en'],
  ['de, fr', 'en'],
  ['*', 'en'],
])('a browser that accepts "%s" gets %s', async (accepted, language) => {
  const { text } = await sandbox.page('', { 'Accept-Language': accepted })
  expect(text).toContain(`<html lang="${language}"`)
})

describe('a switch', () => {
  test.each([
    ['lang=pt', 'lang=pt', '<html lang="pt-BR"'],
    ['theme=dark', 'theme=dark', 'data-theme="dark"'],
  ])('%s is kept, and leads back to the same list', async (query, cookie, shown) => {
    const chosen = await sandbox.page(`/transactions?status=Pending&${query}`)
    expect([chosen.status, chosen.headers.get('location')]).toEqual([
      302,
      '/_sandbox/ui/transactions?status=Pending',
    ])
    expect(chosen.headers.get('set-cookie')).toMatch(
      new RegExp(`^${cookie}; .*Path=/; HttpOnly; SameSite=Lax$`),
    )
    expect((await sandbox.page('', { Cookie: cookie })).text).toContain(shown)
  })

  test('that nobody offers changes nothing', async () => {
    const { status, headers } = await sandbox.page('?lang=xx&theme=pink')
    expect([status, headers.get('set-cookie')]).toEqual([200, null])
    expect((await sandbox.page('', { Cookie: 'theme="><script>; lang=xx' })).text).toContain(
      '<html lang="en" data-theme="auto">',
    )
  })
})

describe('the dictionary', () => {
  const words = Object.keys(DICTIONARIES.en) as (keyof typeof DICTIONARIES.en)[]

  test('has every text in both languages, with as many places to fill in', () => {
    const holes = (text: string): number => text.split('{}').length
    for (const word of words) {
      const { [word]: english } = DICTIONARIES.en
      const { [word]: portuguese } = DICTIONARIES.pt
      expect([english.trim(), portuguese.trim()], word).not.toContain('')
      expect(holes(portuguese), word).toBe(holes(english))
    }
  })

  test('has no text that no page says', () => {
    const folder = 'src/dashboard/'
    const pages = readdirSync(folder).filter(
      (name) => name.endsWith('.ts') && !/^(?:w|(?:tool|pay|docs)W)ords\.ts$/.test(name),
    )
    const text = pages.map((name) => readFileSync(folder + name, 'utf8')).join('\n')
    const named = [...text.matchAll(/\bwords\.(\w+)|'(\w+)'/g)].map(([, dotted, quoted]) => dotted ?? quoted)
    const said = new Set<string | undefined>([...named, ...BUCKETS])
    expect(words.filter((word) => !said.has(word))).toEqual([])
  })

  test('fills places in order', () => {
    expect(fill('{} of {}', 1, 'two')).toBe('1 of two')
    expect(fill('{}', '{}')).toBe('{}')
  })
})
