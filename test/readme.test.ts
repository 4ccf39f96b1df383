// Checks that the README says what the tables say, that its walk works as it is, and that both languages go together.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }
import { CONTROL_ROUTES } from '../src/control/routes.ts'
import { startSandbox } from '../src/index.ts'
import { FAULTS } from '../src/world/faultKinds.ts'
import { brokenLinksOf, firstDifference, namedIn } from './readmeExamples/pages.ts'
import { openServer } from './support/server.ts'
import { hasTools } from './support/tools.ts'
import { recipesOf, walksOf, withParts } from './support/readme.ts'
import type { TestServer } from './support/server.ts'

/** Host time for asking every verb for its help on a busy machine, in milliseconds. */
const HELP_MS = 60_000
const PAGES = ['README.md', 'README.pt-BR.md'] as const
const run = promisify(execFile)

const pathOf = (page: string): string => fileURLToPath(new URL(`../${page}`, import.meta.url))
const [readme, portuguese] = PAGES.map((page) => readFileSync(pathOf(page), 'utf8')) as [string, string]

describe.each(PAGES)('%s', (page) => {
  const text = page === 'README.md' ? readme : portuguese

  test('has the tables of the source (npm run docs writes them anew)', { timeout: HELP_MS }, async () => {
    await expect(await withParts(text)).toMatchFileSnapshot(pathOf(page))
  })

  test('would be found stale: a changed row or flag differs', { timeout: HELP_MS }, async () => {
    const stale = text.replace('| AU-01 |', '| AU-00 |').replace('--port N ', '--prot N ')
    expect(stale).not.toBe(text)
    expect(await withParts(stale)).toBe(await withParts(text))
    expect(await withParts(stale)).not.toBe(stale)
  })

  test('has no link to a heading that is not there, and none that could mean two', () => {
    expect(brokenLinksOf(text)).toEqual([])
    expect(brokenLinksOf('# A b\n\n[c](#a-b) [d](#a_b)\n\n## A, b')).toEqual(['a_b', 'a-b'])
  })

  test('names the image of this version', () => {
    const tags = [...text.matchAll(/gateway-sandbox:([\w.]+)/g)].map(([, tag]) => tag)
    expect(new Set(tags)).toEqual(new Set([packageJson.version]))
  })
})

describe('the two languages', () => {
  test('have the same headings, blocks, marks, parts and tables, and link to each other', () => {
    expect(firstDifference(readme, portuguese)).toBeNull()
    expect(readme).toContain('](README.pt-BR.md)')
    expect(portuguese).toContain('](README.md)')
  })

  test.each([
    ['a heading more', '## Recipes\n', '## Recipes\n\n### More\n'],
    ['a heading of another level', '### Jest\n', '#### Jest\n'],
    ['a byte of a block', 'npx jest\n', 'npx  jest\n'],
    ['a comment in a block', '// a receiver inside the sandbox', '// um receptor'],
    ['the language of a block', '```python\n', '```py\n'],
    ['a mark', '<!-- quickstart -->\n', ''],
    ['a column', '| Code | Meaning |\n|---|---|\n', '| Code | Meaning | Why |\n|---|---|---|\n'],
    ['a row', '| 0 | it worked |\n', ''],
    ['a generated part', '| AU-01 |', '| AU-00 |'],
    ['a paragraph', '`exec` ends with the exit code', 'More.\n\n`exec` ends with the exit code'],
    ['an item', /^- Runs repeat.*\n/m, ''],
    ['the name of a flag', '`--clock frozen`', '`--clock stopped`'],
    ['an end', '## Working on it', '## Working on it\n\n## More'],
  ])('would be found apart: %s', (_, before: string | RegExp, after) => {
    const changed = readme.replace(before, after)
    expect(changed).not.toBe(readme)
    expect(firstDifference(readme, changed)).toMatch(/line \d+: /)
  })

  test('would be found apart: two sections in another order', () => {
    const sections = /(### Jest\n[^]*?)(### node:test\n[^]*?)(?=### Mocha\n)/
    const changed = readme.replace(sections, '$2$1')
    expect(changed).not.toBe(readme)
    expect(firstDifference(readme, changed)).toContain('a text')
  })

  test('may word a heading and a sentence differently', () => {
    const changed = readme.replace('## Recipes', '## Receitas').replace('Plain HTTP', 'HTTP puro')
    expect(changed).not.toBe(readme)
    expect(firstDifference(readme, changed)).toBeNull()
  })
})

describe('what the README says to call', () => {
  const { methods, routes } = namedIn(readme)

  test('is there: every method of a world', async () => {
    await using sandbox = await startSandbox()
    const kindOf = (path: string): string => {
      const keys = path.split('.')
      return typeof keys.reduce<unknown>((held, key) => (held as Record<string, unknown>)[key], sandbox)
    }
    const known = methods.filter((path) => path !== 'play')
    expect(known.length).toBeGreaterThan(20)
    expect(known.filter((path) => kindOf(path) !== 'function')).toEqual([])
  })

  test('is there: every control route', () => {
    const known = new Set(CONTROL_ROUTES.map(({ method, path }) => `${method} ${path}`))
    expect(routes.length).toBeGreaterThan(20)
    expect(routes.filter((route) => !known.has(route))).toEqual([])
  })
})

const canWalk = hasTools('the walk of the README', 'bash', 'curl', 'openssl')

describe.runIf(canWalk)('the walk of the README, pasted as it is', () => {
  let server: TestServer
  let output: string

  beforeAll(async () => {
    server = await openServer()
    const commands = walksOf(readme).join('\n').replaceAll('http://localhost:4848', server.url)
    const script = `set -euo pipefail\n${commands}`
    output = (await run('bash', ['-c', script])).stdout
  })
  afterAll(() => server.close())

  test('takes a payment and shows a webhook with a valid signature', () => {
    expect(output).toContain(`"simulatedAction":"complete"`)
    expect(output).toContain(`type: 'payment.completed'`)
    expect(output).toContain(`signature: 'valid'`)
    expect(output).toMatch(/^Completed$/m)
  })

  test('shows three attempts of an expiry at their exact instants', () => {
    const attempts = [...output.matchAll(/type: 'payment.expired',[^}]*at: '([^']+)',\s*status: (\d+)/g)]
    expect(attempts.map(([, at, status]) => [at, status])).toEqual([
      ['2030-01-01T12:30:00.000Z', '500'],
      ['2030-01-01T12:30:02.000Z', '500'],
      ['2030-01-01T12:30:06.000Z', '204'],
    ])
  })

  test('refunds a part and finds openssl in agreement with the signature', () => {
    expect(output).toMatch(/^PartiallyRefunded$/m)
    const [, digest = 'none'] = /SHA2?-?256\(stdin\)= ([0-9a-f]{64})/i.exec(output) ?? []
    expect(output).toContain(`sha256=${digest}`)
  })

  test('arms each fault by its line for a shell', async () => {
    const { shell } = recipesOf(readme)
    const script = `set -euo pipefail\nSANDBOX=${server.url}\n${shell.join('; echo\n')}`
    const { stdout } = await run('bash', ['-c', script])
    const armed = stdout.split('\n').map((line) => JSON.parse(line) as unknown)
    const recipes = Object.values(FAULTS).map(({ recipe }) => recipe)
    expect(armed).toHaveLength(recipes.length)
    expect(armed).toEqual(expect.arrayContaining(recipes.map((recipe) => expect.objectContaining(recipe))))
  })

  test('pays a cashout and shows its webhook with a masked key', () => {
    expect(output).toContain(`type: 'cashout.completed'`)
    expect(output).toContain(`pixKey: '***456789**'`)
  })
})
