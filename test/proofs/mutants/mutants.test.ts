// Owns the proof that the mutant run is no green light that was never red: it finds what a weak test lets pass.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { choose } from './choice.ts'
import { LAST, MOST_TESTS, nearestFirst } from './tests.ts'
import { texts } from './texts.ts'
import { count, EXPLAINED, faultsOf, idleReasons, mutantToText, unexplained } from './verdict.ts'
import type { Place } from './texts.ts'
import type { Tried } from './tried.ts'

const KILLED: Tried = {
  file: 'src/kernel/time.ts',
  at: { line: 7, column: 3 },
  mutator: 'EqualityOperator',
  replacement: 'a <= b',
  code: 'if (a < b) return',
  status: 'Killed',
}
const SURVIVED: Tried = { ...KILLED, status: 'Survived' }
const REASON = { file: KILLED.file, code: 'a < b', reason: 'equal values end here too' }

const BAR = { leastScore: 85, mostUnexplained: 0, explained: [REASON] }

/** As many mutants as asked for of each. */
function run(killed: number, survived: number): Tried[] {
  return Array.from({ length: killed + survived }, (_, index) => (index < killed ? KILLED : SURVIVED))
}

test('a run at the bar is good enough, and one mutant less is not', () => {
  expect(faultsOf(run(85, 15), BAR)).toEqual([])
  expect(faultsOf(run(849, 151), BAR)).toEqual(['the score is 84.9 %, below 85 %'])
})

test('a score just below the bar is not rounded up to it', () => {
  expect(count(run(84_999, 15_001)).score).toBe(84.9)
})

test('a run in which nothing was tried is no proof', () => {
  expect(faultsOf([], BAR)).toEqual(['no mutant was tried'])
  expect(faultsOf([{ ...KILLED, status: 'Ignored' }], BAR)).toEqual(['no mutant was tried'])
})

test('survivors without a reason fail a run, however high its score', () => {
  const all = [...run(99, 0), { ...SURVIVED, code: 'return a' }]
  expect(faultsOf(all, BAR)).toEqual([
    '1 survivors have no reason in explainedKernel.ts or explainedDomain.ts, more than 0',
  ])
  expect(faultsOf(all, { ...BAR, mostUnexplained: 1 })).toEqual([])
})

test.each<[string, Partial<Tried>]>([
  ['of another file', { file: 'src/kernel/clock.ts' }],
  ['on another line of code', { code: 'return a' }],
])('a reason does not serve a survivor %s', (_what, other) => {
  const survivor = { ...SURVIVED, ...other }
  expect(unexplained([SURVIVED, survivor], [REASON])).toEqual([survivor])
})

test('a reason for one replacement does not serve another', () => {
  const reason = { ...REASON, replacement: 'a <= b' }
  const survivor = { ...SURVIVED, replacement: 'true' }
  expect(unexplained([SURVIVED, survivor], [reason])).toEqual([survivor])
})

test('a reason that no survivor of its file needs is told', () => {
  const { file } = SURVIVED
  const needed = { file, code: 'a < b', replacement: 'a <= b', reason: 'nobody sees it' }
  const reasons = [needed, { ...needed, replacement: 'a > b' }, { ...needed, file: 'src/kernel/fifo.ts' }]
  expect(idleReasons([SURVIVED], reasons)).toEqual([reasons[1]])
  expect(idleReasons([KILLED], reasons)).toEqual(reasons.slice(0, 2))
})

test('each reason is about a line that stands in its file', () => {
  const root = join(import.meta.dirname, '../../..')
  const stale = EXPLAINED.filter(({ file, code }) => !readFileSync(join(root, file), 'utf8').includes(code))
  expect(stale).toEqual([])
})

test('a mutant that no test meets counts against the score, and says so', () => {
  const unmet: Tried = { ...KILLED, status: 'NoCoverage' }
  expect(count([KILLED, unmet])).toMatchObject({ mutants: 2, killed: 1, noCoverage: 1, score: 50 })
  expect(mutantToText(unmet)).toBe(
    'src/kernel/time.ts:7:3 EqualityOperator (met by no test) a <= b in: if (a < b) return',
  )
})

test('a mutant that runs on without end is killed', () => {
  expect(count([{ ...KILLED, status: 'Timeout' }]).score).toBe(100)
})

test('tests about the mutated file are asked first, then those of its layer', () => {
  const files = [
    'test/kernel/time.test.ts',
    'test/domain/ledger.test.ts',
    'test/http/cards.test.ts',
    'test/http/disputes.test.ts',
  ].map((file) => `/home/${file}`)
  expect(nearestFirst(files, '/home/src/domain/disputeRules.ts').map((file) => file.slice(6))).toEqual([
    'test/http/disputes.test.ts',
    'test/domain/ledger.test.ts',
    'test/kernel/time.test.ts',
    'test/http/cards.test.ts',
  ])
})

describe('the tests that are asked about a mutant', () => {
  const source = '/home/src/domain/disputes.ts'
  const many = (file: string, length: number): string[] =>
    Array.from({ length }, (_, index) => `${file}#test ${index} (a+b)`)

  test('are the nearest that meet it, only so many, and the story last whatever its place', () => {
    const testFilter = [
      ...many('test/kernel/time.test.ts', 1),
      `${LAST}#the story`,
      ...many('test/http/disputes.test.ts', MOST_TESTS + 9),
    ]
    const { files, names } = choose({ source, testFilter }, [])
    expect(files.map((file) => file.slice(file.indexOf('test/')))).toEqual([
      'test/http/disputes.test.ts',
      LAST,
    ])
    const asked = testFilter.filter((id) => names?.test(id.split('#')[1] ?? ''))
    expect(asked.filter((id) => id.startsWith('test/http'))).toHaveLength(MOST_TESTS)
    expect(asked).toContain(`${LAST}#the story`)
    expect(names?.test('another the story')).toBe(false)
  })

  test('are whole files where nothing says which tests meet it', () => {
    const all = ['test/http/cards.test.ts', LAST, 'test/http/disputes.test.ts']
    expect(choose({ source, testFilter: undefined }, all)).toEqual({
      files: ['test/http/disputes.test.ts', 'test/http/cards.test.ts', LAST],
      names: undefined,
    })
  })
})

test.each<[string, string, Place['node'], boolean]>([
  [
    'the hint of a refusal',
    'Say it again.',
    { type: 'CallExpression', callee: { name: 'refuseCard' } },
    true,
  ],
  ['the code of a refusal', 'not_found', { type: 'CallExpression', callee: { name: 'refuse' } }, false],
  ['the words of an error', 'no such day', { type: 'NewExpression', callee: { name: 'RangeError' } }, true],
  ['a hint that is kept', 'Say it again.', { type: 'ObjectProperty', key: { name: 'hint' } }, true],
  ['a name that is kept', 'ANA SOUZA', { type: 'ObjectProperty', key: { name: 'payerName' } }, false],
  ['what another call takes', 'a b', { type: 'CallExpression', callee: { name: 'split' } }, false],
])('whether %s is left out: %j', (_what, value, above, isLeftOut) => {
  const place = { node: { type: 'StringLiteral', value }, parentPath: { node: above, parentPath: null } }
  expect(texts.shouldIgnore(place) !== undefined).toBe(isLeftOut)
})

test.each<[string, string[], string, boolean]>([
  ['nothing but a description', ['description'], 'meta', true],
  ['a name too', ['id', 'description'], 'meta', false],
  ['a description for anything else', ['description'], 'create', false],
])('whether %s of a schema is left out', (_what, names, method, isLeftOut) => {
  const call = { node: { type: 'CallExpression', callee: { property: { name: method } } }, parentPath: null }
  const properties = names.map((name) => ({ type: 'ObjectProperty', key: { name } }))
  const object = { node: { type: 'ObjectExpression', properties }, parentPath: call }
  const text = { type: 'StringLiteral', value: 'masked' }
  const property = { node: { type: 'ObjectProperty', key: { name: 'description' } }, parentPath: object }
  expect(texts.shouldIgnore(object) !== undefined).toBe(isLeftOut)
  expect(texts.shouldIgnore({ node: text, parentPath: property }) !== undefined).toBe(isLeftOut)
})

/** Tries the mutants of the planted function, asking the weak or the strong test. */
function tryPlanted(tests: 'weak' | 'strong'): { status: number | null; stdout: string } {
  const planted = 'test/proofs/mutants/planted'
  const flags = ['--only', `${planted}/discount.ts`, '--tests', `${planted}/${tests}.config.ts`, '--list']
  const main = join(import.meta.dirname, 'main.ts')
  // As `npm run` starts it: what vitest tells its workers is not for another vitest.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')))
  return spawnSync(process.execPath, ['--import', import.meta.resolve('tsx'), main, ...flags], {
    encoding: 'utf8',
    env,
  })
}

test(
  'a real run ends with 1 when a weak test lets mutants pass, and tells which',
  { timeout: 240_000 },
  () => {
    const { status, stdout } = tryPlanted('weak')
    expect(status, stdout).toBe(1)
    expect(stdout).toContain('discount.ts:4:10 EqualityOperator pieces > 100 in: return pieces >= 100 ? ')
    expect(stdout).toMatch(/^FAULT: the score is \d+(\.\d)? %, below 85 %$/m)
  },
)

test('a real run ends with 0 when a strong test notices all', { timeout: 240_000 }, () => {
  const { status, stdout } = tryPlanted('strong')
  expect(status, stdout).toBe(0)
  expect(stdout).toMatch(/^\d+ mutants, (\d+) killed, 0 survived/m)
})
