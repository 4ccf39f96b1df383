// Checks that every example of the README runs as it is, with the tool that it is for.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FAULTS } from '../../src/world/faultKinds.ts'
import { hasRegistry, INSTALL_MS, run, TEST_MS } from '../package/pack.ts'
import { recipesOf } from '../support/readme.ts'
import { hasTools } from '../support/tools.ts'
import { examplesOf, withoutInstalls } from './examples.ts'
import { openStage, shell } from './stage.ts'
import type { Ended } from '../package/pack.ts'
import type { Example } from './examples.ts'
import type { Beside, Stage } from './stage.ts'

/** What Jest and Mocha are here; the page names their majors. */
const [JEST, MOCHA] = ['jest@30.5.2', 'mocha@12.0.3'] as const

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const EXAMPLES = examplesOf(README)
/** The recipes of faults, as lines that test code can be pasted from. */
const RECIPES = recipesOf(README).code

function exampleOf(name: string): Example {
  const { files, commands } = EXAMPLES[name] ?? { files: {}, commands: '' }
  return { files: { 'shop.mjs': EXAMPLES['start']?.files['shop.mjs'] ?? '', ...files }, commands }
}

describe('finding examples', () => {
  const page = [
    '<!-- file: shop.mjs -->\n```js\nshop()\n```',
    '<!-- example jest: a/b.test.mjs -->\n```js\ntest()\n```',
    '```js\nunmarked()\n```',
    '<!-- example jest -->\n```bash\nnpm i -D jest\nnpx jest\n```',
  ].join('\n')

  test('reads their files and commands', () => {
    const { start, jest } = examplesOf(page)
    expect(start).toEqual({ files: { 'shop.mjs': 'shop()\n' }, commands: '' })
    expect(jest?.files).toEqual({ 'a/b.test.mjs': 'test()\n' })
    expect(withoutInstalls(jest?.commands ?? '')).toBe('npx jest\n')
  })

  test('reads the recipes of faults, one for each', () => {
    expect(RECIPES).toHaveLength(Object.keys(FAULTS).length)
  })

  test('finds all that the README has, so that none is left unchecked', () => {
    expect(Object.keys(EXAMPLES).toSorted()).toEqual(
      [
        'start',
        'cli',
        'scenario',
        'container',
        'vitest',
        'jest',
        'node',
        'mocha',
        'python',
        'java',
      ].toSorted(),
    )
  })
})

describe.runIf(hasTools('the examples of the README', 'bash'))('the example', () => {
  let stage: Stage

  beforeAll(async () => {
    stage = await openStage()
  }, INSTALL_MS)
  afterAll(() => stage.remove())

  /** Runs the commands of an example where its files are, and answers all that they printed. */
  async function output(name: string, beside: Beside = {}): Promise<string> {
    const { files, commands } = exampleOf(name)
    const { code, stdout, stderr } = await shell(await stage.folder(files, beside), withoutInstalls(commands))
    expect(code, `${stdout}${stderr}`).toBe(0)
    return `${stdout}${stderr}`
  }

  /** Has TypeScript files checked as they stand beside the package. */
  async function checkTypes(files: Record<string, string>): Promise<Ended> {
    const options = {
      module: 'esnext',
      moduleResolution: 'bundler',
      target: 'es2022',
      lib: ['es2023', 'esnext.disposable'],
      types: ['node'],
      allowJs: true,
      strict: true,
      noUncheckedIndexedAccess: true,
      noEmit: true,
      skipLibCheck: true,
    }
    const config = JSON.stringify({ compilerOptions: options, include: ['*.ts'] })
    const ours = ['vitest', 'testcontainers', 'typescript', '@types']
    const folder = await stage.folder({ ...files, 'tsconfig.json': config }, { ours })
    return run(folder, [process.execPath, 'node_modules/typescript/bin/tsc', '--project', '.'])
  }

  test('of vitest and the recipes run', { timeout: TEST_MS }, async () => {
    const printed = await output('vitest', { ours: ['vitest'] })
    const names = Object.keys(exampleOf('vitest').files).filter((name) => name.endsWith('.test.ts'))
    expect(names.length).toBeGreaterThan(5)
    for (const name of names) expect(printed).toContain(name)
  })

  test('of each fault can be pasted into test code, and is typed', { timeout: TEST_MS }, async () => {
    const lines = RECIPES.map((recipe) => `  ${recipe}`).join('\n')
    const armed = `expect(await world.faults.list()).toHaveLength(${RECIPES.length})`
    const pasted = [
      `import { test } from 'gateway-sandbox/vitest'`,
      `import { expect } from 'vitest'`,
      `test('recipes', async ({ world }) => {\n${lines}\n  ${armed}\n})\n`,
    ].join('\n')
    const files = { 'recipes.test.ts': pasted }
    const folder = await stage.folder(files, { ours: ['vitest', 'typescript', '@types'] })
    const ran = await shell(folder, 'npx vitest run')
    expect(ran.code, `${ran.stdout}${ran.stderr}`).toBe(0)
    const checked = await checkTypes(files)
    expect(checked.code, checked.stdout).toBe(0)
  })

  test('of node:test runs', { timeout: TEST_MS }, async () => {
    expect(await output('node')).toMatch(/^. pass 1$/m)
  })

  test('would be found broken', { timeout: TEST_MS }, async () => {
    const { files, commands } = exampleOf('node')
    const broken = {
      ...files,
      'shop.mjs': (files['shop.mjs'] ?? '').replace('/v1/transactions', '/v1/sales'),
    }
    const { code, stdout } = await shell(await stage.folder(broken), withoutInstalls(commands))
    expect(code).toBe(1)
    expect(stdout).toContain('not_found')
  })

  test('of TypeScript are typed', { timeout: TEST_MS }, async () => {
    const files = Object.assign({}, ...['start', 'vitest', 'container'].map((name) => exampleOf(name).files))
    const { code, stdout } = await checkTypes(files)
    expect(code, stdout).toBe(0)
  })

  test('of the command line runs', { timeout: TEST_MS }, async () => {
    const { commands } = exampleOf('cli')
    const folder = await stage.folder({ 'walk.sh': commands })
    const { code, stdout, stderr } = await shell(
      folder,
      'npx gateway-sandbox exec -- bash -euo pipefail walk.sh',
    )
    expect(code, `${stdout}${stderr}`).toBe(0)
    expect(stdout).toContain('pk_sandbox_shop')
    expect(stdout).toContain('world shop is empty again')
  })

  test('of a scenario is played', { timeout: TEST_MS }, async () => {
    const printed = await output('scenario')
    expect(printed).toContain('a sale is refunded in part')
    expect(printed).toContain('some sales fail by themselves')
  })

  describe.runIf(hasRegistry('the examples of the README for Jest and Mocha'))('of a runner from npm', () => {
    test('of Jest runs', { timeout: INSTALL_MS + TEST_MS }, async () => {
      expect(await output('jest', { fromNpm: [JEST] })).toMatch(/^Tests: +1 passed, 1 total$/m)
    })

    test('of Mocha runs', { timeout: INSTALL_MS + TEST_MS }, async () => {
      expect(await output('mocha', { fromNpm: [MOCHA] })).toMatch(/^ *1 passing/m)
    })
  })

  test.runIf(hasTools('the example of the README in Python', 'python3'))(
    'in Python runs',
    { timeout: TEST_MS },
    async () => {
      expect(await output('python')).toMatch(/Ran 1 test in [^\n]*\n\nOK/)
    },
  )

  test.runIf(hasTools('the example of the README in Java', 'java'))(
    'in Java runs',
    { timeout: TEST_MS },
    async () => {
      expect(await output('java')).toContain('paid: payment.completed')
    },
  )
})
