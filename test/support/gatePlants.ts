// Owns the planted violations of the gates: small files that are wrong in exactly one way, and what the tool must say.

/** Files that break a gate, and every report expected for them, as `file problem`. */
export interface Plant {
  readonly files: Readonly<Record<string, string>>
  readonly reported: readonly string[]
  /** Packages to declare in package.json besides those the clean project uses. */
  readonly dependencies?: readonly string[]
}

const repeat = (line: string, times: number): string => `${line}\n`.repeat(times)

/** A module of exactly so many lines. */
const fileOf = (lines: number): string =>
  `// Owns many lines.\n${repeat('// One more.', lines - 3)}/** One. */\nexport const one = 1\n`

/** A module with one function of exactly so many lines. */
const functionOf = (lines: number): string =>
  `/** Long. */\nexport function long(): number {\n  let sum = 0\n${repeat('  sum += 1', lines - 4)}  return sum\n}\n`

const UGLY_JSON = '{"a":[1,\n2],     "b":"c"}'

/**
 * A project without a fault: every gate must let it through, up to the very limits. The ugly files are those which the
 * formatter must leave alone.
 */
export const CLEAN: Readonly<Record<string, string>> = {
  'src/index.ts': `// Owns the public API of the small project.
export { double } from './double.ts'
`,
  'src/double.ts': `// Owns doubling.
import { Hono } from 'hono'

/** Twice a number. */
export function double(value: number): number {
  return value * 2
}

/** An application without routes. */
export function application(): Hono {
  return new Hono()
}

/** Only a test uses this, and that is enough. */
export function half(value: number): number {
  return value / 2
}
`,
  'src/cli/main.ts': `// Owns the command.
import { application } from '../double.ts'
import { sum } from '../limits.ts'

console.log(application().routes.length + sum())
`,
  'src/limits.ts': `// Owns imports of the files at the limits.
import { one } from './limits/longFile.ts'
import { long } from './limits/longFunction.ts'

/** Uses both. */
export const sum = (): number => one + long()
`,
  'src/limits/longFile.ts': fileOf(300),
  'src/limits/longFunction.ts': functionOf(70),
  'test/double.test.ts': `// Owns the test of doubling.
import { expect, test } from 'vitest'
import { half } from '../src/double.ts'
import { double } from '../src/index.ts'

test('half of twice a number is the number', () => {
  expect(half(double(2))).toBe(2)
})
`,
  'README.md': '*  ugly\n\n\n\n+ list\n',
  'scenarios/ugly.json': UGLY_JSON,
  'test/data/ugly.json': UGLY_JSON,
  'test/support/planted/ugly.ts': 'export default  "ugly";;\nconst broken: string = 1\n',
}

/** What \`tsc\` must refuse. */
export const TYPE_PLANTS: readonly Plant[] = [
  {
    files: { 'src/null.ts': `/** Not a string. */\nexport const text: string = null\n` },
    reported: ['src/null.ts TS2322'],
  },
  {
    files: { 'src/implicit.ts': `/** Untyped. */\nexport const same = (value) => value\n` },
    reported: ['src/implicit.ts TS7006'],
  },
  {
    files: {
      'src/index0.ts': `/** Maybe nothing. */\nexport const first = (all: string[]): string => all[0]\n`,
    },
    reported: ['src/index0.ts TS2322'],
  },
  {
    files: {
      'src/optional.ts': `/** Absent is not undefined. */\nexport const none: { a?: string } = { a: undefined }\n`,
    },
    reported: ['src/optional.ts TS2375'],
  },
  {
    files: { 'src/enumeration.ts': `/** Not erasable. */\nexport enum Colour {\n  Red,\n}\n` },
    reported: ['src/enumeration.ts TS1294'],
  },
  {
    files: { 'src/unused.ts': `const unused = 1\nexport {}\n` },
    reported: ['src/unused.ts TS6133'],
  },
  {
    files: {
      'src/exhaustive.ts': `/** Forgets one. */
export function name(status: 'open' | 'closed'): string {
  switch (status) {
    case 'open':
      return 'Open'
    default:
      return status satisfies never
  }
}
`,
    },
    reported: ['src/exhaustive.ts TS1360'],
  },
  {
    files: {
      'src/typeImport.ts': `import { Handler } from 'hono'\n\n/** Only a type. */\nexport type Action = Handler\n`,
    },
    reported: ['src/typeImport.ts TS1484'],
  },
  {
    files: { 'src/extension.ts': `import './double'\n` },
    reported: ['src/extension.ts TS2835'],
  },
]

/** What \`oxlint\` must refuse. */
export const LINT_PLANTS: readonly Plant[] = [
  lintPlant(
    'floating',
    'typescript(no-floating-promises)',
    `/** Does not wait. */\nexport function start(): void {\n  Promise.resolve(1)\n}\n`,
  ),
  lintPlant(
    'misused',
    'typescript(no-misused-promises)',
    `/** Nobody waits for it. */\nexport const run: () => void = async () => {\n  await Promise.resolve()\n}\n`,
  ),
  lintPlant(
    'exhaustive',
    'typescript(switch-exhaustiveness-check)',
    `/** Forgets one. */
export function say(status: 'open' | 'closed'): void {
  switch (status) {
    case 'open':
      break
  }
}
`,
  ),
  lintPlant(
    'needless',
    'typescript(no-unnecessary-condition)',
    `/** Never null. */\nexport const text = (value: string): string => value ?? ''\n`,
  ),
  lintPlant(
    'typeImport',
    'typescript(consistent-type-imports)',
    `import { Hono } from 'hono'\n\n/** Only a type. */\nexport type App = Hono\n`,
  ),
  lintPlant('any', 'typescript(no-explicit-any)', `/** Anything. */\nexport type Anything = any\n`),
  lintPlant(
    'unsafe',
    'typescript(no-unsafe-return)',
    `/** Unknown in disguise. */\nexport const parse = (text: string): string => JSON.parse(text)\n`,
  ),
  lintPlant(
    'nonNull',
    'typescript(no-non-null-assertion)',
    `/** Surely. */\nexport const sure = (value: string | null): string => value!\n`,
  ),
  lintPlant(
    'thrown',
    'typescript(only-throw-error)',
    `/** Throws text. */\nexport function fail(): never {\n  throw 'text'\n}\n`,
  ),
  lintPlant('default', 'import(no-default-export)', `const one = 1\nexport default one\n`),
  lintPlant(
    'loose',
    'eslint(eqeqeq)',
    `/** Loose. */\nexport const none = (value: unknown): boolean => value == null\n`,
  ),
  lintPlant(
    'talks',
    'eslint(no-console)',
    `/** Talks. */\nexport function talk(): void {\n  console.log('talks')\n}\n`,
  ),
  lintPlant(
    'reassigned',
    'eslint(no-param-reassign)',
    `/** Changes what it got. */
export function add(value: number): number {
  value += 1
  return value
}
`,
  ),
  {
    files: {
      'src/excused.ts': `/** One. */\n// oxlint-disable-next-line no-var -- nothing to excuse\nexport const one = 1\n`,
    },
    reported: ['src/excused.ts'],
  },
  lintPlant('longFile', 'eslint(max-lines)', fileOf(301)),
  lintPlant('longFunction', 'eslint(max-lines-per-function)', functionOf(71)),
  lintPlant('Bad_name', 'unicorn(filename-case)', `/** One. */\nexport const one = 1\n`),
  lintPlant('fs', 'unicorn(prefer-node-protocol)', `export { sep } from 'path'\n`),
  {
    files: {
      'src/circle/chicken.ts': `import type { Egg } from './egg.ts'\n\n/** Bird. */\nexport type Chicken = { lays: Egg }\n`,
      'src/circle/egg.ts': `import type { Chicken } from './chicken.ts'\n\n/** Seed. */\nexport type Egg = { of: Chicken }\n`,
    },
    reported: ['src/circle/chicken.ts import(no-cycle)', 'src/circle/egg.ts import(no-cycle)'],
  },
  {
    files: {
      'test/focused.test.ts': `import { expect, test } from 'vitest'\n\ntest.only('alone', () => {\n  expect(1).toBe(1)\n})\n`,
    },
    reported: ['test/focused.test.ts vitest(no-focused-tests)'],
  },
  {
    files: {
      'test/empty.test.ts': `import { test } from 'vitest'\n\ntest('asserts nothing', () => {\n  Math.abs(1)\n})\n`,
    },
    reported: ['test/empty.test.ts vitest(expect-expect)'],
  },
]

function lintPlant(name: string, rule: string, text: string): Plant {
  return { files: { [`src/${name}.ts`]: text }, reported: [`src/${name}.ts ${rule}`] }
}

/** What \`oxfmt --check\` must refuse. */
export const FORMAT_PLANTS: readonly Plant[] = [
  formatPlant('src/semicolon.ts', `/** One. */\nexport const one = 1;\n`),
  formatPlant('src/quotes.ts', `/** One. */\nexport const one = "one"\n`),
  formatPlant('src/comma.ts', `/** One. */\nexport const one = {\n  two: 2\n}\n`),
  formatPlant('src/indent.ts', `/** One. */\nexport const one = {\n    two: 2,\n}\n`),
  formatPlant('src/wide.ts', `/** One. */\nexport const one = [${'1, '.repeat(30)}1]\n`),
  formatPlant('test/ugly.ts', `export  const one = 1\n`),
  formatPlant('configuration.json', UGLY_JSON),
]

function formatPlant(path: string, text: string): Plant {
  return { files: { [path]: text }, reported: [path] }
}

/** What \`knip\` must refuse. */
export const DEAD_PLANTS: readonly Plant[] = [
  {
    files: { 'src/orphan.ts': `/** One. */\nexport const one = 1\n` },
    reported: ['src/orphan.ts files src/orphan.ts'],
  },
  {
    files: { 'test/support/orphan.ts': `/** One. */\nexport const one = 1\n` },
    reported: ['test/support/orphan.ts files test/support/orphan.ts'],
  },
  {
    files: {
      'src/partly.ts': `// Owns two things of which one is dead.

/** Used. */
export const used = 1

/** Not used. */
export const unused = 2

/** Not used. */
export interface Unused {
  readonly one: 1
}
`,
      'test/partly.test.ts': `import { used } from '../src/partly.ts'
import { parse } from 'yaml'

parse(String(used))
`,
    },
    reported: [
      'src/partly.ts exports unused',
      'src/partly.ts types Unused',
      'test/partly.test.ts unlisted yaml',
    ],
  },
  { files: {}, dependencies: ['zod'], reported: ['package.json dependencies zod'] },
]
