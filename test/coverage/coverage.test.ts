// Owns the proof that every row of the interface has a test that names it, and that a missing or wrong name is found.
import { describe, expect, test } from 'vitest'
import { COLLECTIVES, KINDS, ROWS } from './rows.ts'
import { tableOf } from './render.ts'
import { readTags, readTestFiles, unproven } from './tags.ts'

const { tags, errors } = readTags(readTestFiles())

describe('the interface', () => {
  test('has rows of every kind, each once', () => {
    const names = ROWS.map(({ name }) => name)
    expect(names).toEqual([...new Set(names)])
    expect([...new Set(ROWS.map(({ kind }) => kind))]).toEqual([...KINDS])
    expect(names).toEqual(
      expect.arrayContaining([
        'endpoint createToken',
        'status cashout Rejected',
        'row transaction (create) create Pending',
        'row dispute Open lapse Expired',
        'event payment.refund_requested',
        'error sandbox_only',
        'limit TOKENS_PER_HOUR',
        'enum Method Pix',
        'enum CustomerStatus Inactive',
        'enum PixKeyType Random',
      ]),
    )
  })

  test('has no row without a test that proves it', () => {
    expect(unproven(ROWS, tags)).toEqual([])
  })
})

describe('a tag', () => {
  test('stands above a test and names rows that exist', () => {
    expect(errors).toEqual([])
    expect(tags.filter(({ title }) => title === '')).toEqual([])
  })

  test.each(Object.entries(COLLECTIVES))('for %s stands for some rows', (_claim, beginning) => {
    expect(ROWS.filter(({ name }) => name.startsWith(beginning)).length).toBeGreaterThan(1)
  })
})

describe('the search finds', () => {
  const path = 'test/planted.test.ts'
  const tagged = (claim: string, below = "test('says so', () => {})"): string =>
    `// Owns nothing.\n  // proves: ${claim}\n  ${below}\n`

  test('a row that no tag names', () => {
    const planted = { kind: 'event', name: 'event payment.planted' } as const
    expect(unproven([...ROWS, planted], tags)).toContain('event payment.planted')
    const { tags: more } = readTags([{ path, text: tagged('event payment.planted') }], [...ROWS, planted])
    expect(unproven([planted], more)).toEqual([])
  })

  test('a tag for a row that does not exist, and names the nearest', () => {
    expect(readTags([{ path, text: tagged('event payment.complete, enum Method Pix') }])).toEqual({
      tags: [{ row: 'enum Method Pix', path, title: 'says so' }],
      errors: [`${path}:2: 'event payment.complete' is no row; did you mean 'event payment.completed'?`],
    })
    expect(readTags([{ path, text: tagged('every row of transactions') }]).errors).toEqual([
      `${path}:2: 'every row of transactions' is no row; did you mean 'every row of transaction'?`,
    ])
  })

  test('a tag above anything but a test', () => {
    expect(readTags([{ path, text: tagged('enum Method Pix', 'const x = 1') }]).errors).toEqual([
      `${path}:2: the tag stands above no test`,
    ])
  })

  test.each([
    ["test('a title', async () => {", 'a title'],
    ['describe("a title", () => {', 'a title'],
    ["test.each([1, 2])('a title of %d', (n) => {", 'a title of %d'],
    ["test.each<[name: string]>([\n    ['x'],\n  ])(\n    'a title: %s',\n    () => {", 'a title: %s'],
    ["describe('it\\'s', () => {", "it\\'s"],
  ])('the title in %j', (below, title) => {
    expect(readTags([{ path, text: tagged('enum Method Pix', below) }]).tags).toMatchObject([{ title }])
  })

  test('every row of a collective tag, and tags on several lines above one test', () => {
    const text = `  // proves: every method\n${tagged('limit MAX_SPLITS').split('\n').slice(1).join('\n')}`
    const { tags: found, errors: wrong } = readTags([{ path, text }])
    expect(wrong).toEqual([])
    expect(found.map(({ row }) => row)).toEqual([
      'enum Method Pix',
      'enum Method CreditCard',
      'enum Method Boleto',
      'limit MAX_SPLITS',
    ])
    expect(new Set(found.map(({ title }) => title))).toEqual(new Set(['says so']))
  })
})

test('the table puts rows with the same files on one line, and says where a test is missing', () => {
  const rows = ROWS.filter(({ name }) => /^(?:enum Method|status cashout P|event payment.expired)/.test(name))
  const tag = (row: string, path: string) => ({ row, path: `test/http/${path}.test.ts`, title: 'x' })
  const found = [
    tag('enum Method Pix', 'b'),
    tag('enum Method Pix', 'a'),
    tag('enum Method Boleto', 'a'),
    tag('enum Method Boleto', 'b'),
    ...['a', 'b', 'c', 'd', 'e'].map((path) => tag('status cashout Pending', path)),
  ]
  const link = (path: string): string => `[http/${path}](test/http/${path}.test.ts)`
  expect(tableOf(rows, found).split('\n')).toEqual([
    '| What | Row | Proven in |',
    '|---|---|---|',
    `| Statuses of a cashout | \`Pending\` | ${link('a')}, ${link('b')}, ${link('c')} and 2 more |`,
    '|  | `Processing` | no test yet |',
    '| Events | `payment.expired` | no test yet |',
    `| Listed values: Method | \`Pix\`, \`Boleto\` | ${link('a')}, ${link('b')} |`,
    '|  | `CreditCard` | no test yet |',
  ])
})
