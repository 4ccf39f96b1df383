// Checks the package as merchants get it: what is in it, and that programs and types work wherever it may be installed.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { openServer } from '../support/server.ts'
import { hasRegistry, INSTALL_MS, packPackage, readFiles, run, TEST_MS } from './pack.ts'
import type { Packed } from './pack.ts'

/** What the unpacked package may take, in bytes. */
const MOST_BYTES = 3_000_000
/** Where merchants' CI runs: the oldest Node that is promised, and every line since with long support or on its way to it. */
const NODES = ['20.19.0', '22', '24', '26']
/** What compiles merchants' code: the one of this project, and the last one that is written in JavaScript. */
const COMPILERS = [`typescript@${packageJson.devDependencies.typescript}`, 'typescript@5.9']
const PROGRAMS = ['esm.mjs', 'commonJs.cjs']
const BIN = join('node_modules', 'gateway-sandbox', packageJson.bin['gateway-sandbox'])

let packed: Packed
beforeAll(async () => {
  packed = await packPackage()
}, INSTALL_MS)
afterAll(() => packed.remove())

describe('the archive', () => {
  test('holds the built package, its page and its licence, and nothing else', () => {
    const paths = packed.files.map(({ path }) => path)
    const needed = ['package.json', 'README.md', 'LICENSE', 'dist/index.js', 'dist/dashboard/assets/ui.css']
    expect(
      needed.filter((path) => !paths.includes(path)),
      'these are missing',
    ).toEqual([])
    const allowed =
      /^(?:package\.json|README(?:\.pt-BR)?\.md|LICENSE|dist\/[\w/]+\.(?:d\.ts|js|json)|dist\/dashboard\/assets\/\w+\.(?:css|svg)|dist\/scenario\.schema\.json)$/
    expect(paths.filter((path) => !allowed.test(path) || path.includes('.test.'))).toEqual([])
  })

  test('has types for every program file but those of pages and commands, and no source map that points nowhere', async () => {
    const paths = new Set(packed.files.map(({ path }) => path))
    // Nobody imports these, and no type that is packed leads to them.
    const isImported = (path: string): boolean => !/^dist\/(?:cli|dashboard)\//.test(path)
    const programs = [...paths].filter((path) => path.endsWith('.js') && isImported(path))
    expect(programs.filter((path) => !paths.has(path.replace(/\.js$/, '.d.ts')))).toEqual([])
    const folder = join(packed.tarball, '..', 'source')
    const texts = await readFiles(folder, ...[...paths].filter((path) => /\.(?:js|d\.ts)$/.test(path)))
    expect(Object.keys(texts).filter((path) => texts[path]?.includes('sourceMappingURL'))).toEqual([])
    const typed = Object.entries(texts).filter(([path]) => path.endsWith('.d.ts'))
    const leads = typed.flatMap(([path, text]) =>
      [...text.matchAll(/(?:from|import\() ?['"](\.[^'"]+)\.[jt]s['"]/g)].map(([, to]) =>
        join(path, '..', `${to}.d.ts`),
      ),
    )
    expect(leads.length).toBeGreaterThan(100)
    expect(leads.filter((path) => !paths.has(path))).toEqual([])
  })

  test('is small', () => {
    expect(packed.unpackedSize).toBeGreaterThan(0)
    expect(packed.unpackedSize).toBeLessThan(MOST_BYTES)
  })

  test('is found faultless by publint', { timeout: TEST_MS }, async () => {
    const { buffer, byteOffset, byteLength } = await readFile(packed.tarball)
    const tarball = buffer.slice(byteOffset, byteOffset + byteLength)
    expect((await publint({ pack: { tarball }, strict: true })).messages).toEqual([])
  })

  test('has types that are found wherever its programs are', { timeout: TEST_MS }, async () => {
    const checked = await checkPackage(createPackageFromTarballData(await readFile(packed.tarball)))
    // The profile `esm-only` of the tool's own command. `node10` knows no `exports`, and no Node from 12 on resolves so.
    // `node16-cjs` only warns that `require` meets an ES module, which every Node from 20.19 on loads.
    const served = (kind: string): boolean => kind !== 'node10' && kind !== 'node16-cjs'
    const problems = checked.types === false ? ['no types'] : checked.problems
    const serious = problems.filter(
      (problem) =>
        typeof problem === 'string' || !('resolutionKind' in problem) || served(problem.resolutionKind),
    )
    expect(serious).toEqual([])
    expect(checked.types === false ? [] : Object.keys(checked.entrypoints)).toEqual(
      Object.keys(packageJson.exports),
    )
  })
})

describe.runIf(hasRegistry('the package as npm installs it'))('installed by npm', () => {
  let folder: string

  beforeAll(async () => {
    // The package `node` only picks one of these by an install script. All of them fit beside each other.
    const system = `node-${process.platform.replace('win32', 'win')}-${process.arch}`
    folder = await packed.project({
      files: await readFiles(join(import.meta.dirname, 'scratch'), 'pay.cjs', ...PROGRAMS),
      beside: NODES.map((version) => `node-${version}@npm:${system}@${version}`),
    })
  }, INSTALL_MS)

  const nodeOf = (version: string): string => join(folder, 'node_modules', `node-${version}`, 'bin', 'node')

  describe.each(NODES)('on Node %s', (version) => {
    test('is run by the Node that is meant', async () => {
      expect((await run(folder, [nodeOf(version), '--version'])).stdout).toContain(`v${version}`)
    })

    test.each(PROGRAMS)(
      '%s takes a payment, ends by itself and leaves nothing open',
      { timeout: TEST_MS },
      async (program) => {
        const { code, stdout, stderr } = await run(folder, [nodeOf(version), program])
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
        const seen = { status: 'Completed', verified: true, forged: false, heard: true, left: [] }
        expect(JSON.parse(stdout)).toEqual(seen)
      },
    )

    test('the command says its version', { timeout: TEST_MS }, async () => {
      const { code, stdout, stderr } = await run(folder, [nodeOf(version), BIN, '--version'])
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toContain(packageJson.version)
    })

    test('the command finds a server healthy, and misses one', { timeout: TEST_MS }, async () => {
      const server = await openServer()
      const health = [nodeOf(version), BIN, 'health', '--url', server.url]
      const there = await run(folder, health)
      await server.close()
      const gone = await run(folder, health)
      expect([there.code, gone.code], there.stderr + gone.stdout).toEqual([0, 1])
    })

    test('the command serves until it is told to stop', { timeout: TEST_MS }, async () => {
      const served = await run(folder, [nodeOf(version), '-e', SERVE, BIN])
      expect(served).toEqual({ code: 0, stdout: 'healthy, ended with 0', stderr: '' })
    })
  })

  test('has a command that npx finds', { timeout: TEST_MS }, async () => {
    const { code, stdout } = await run(folder, ['npx', '--no-install', 'gateway-sandbox', '--help'])
    expect(code).toBe(0)
    expect(stdout).toContain('Usage: gateway-sandbox')
  })
})

/** Starts the command, asks it how it is, and stops it. */
const SERVE = `
  const { spawn } = require('node:child_process')
  const child = spawn(process.execPath, [process.argv[1], 'start', '--port', '0', '--json'], { stdio: ['ignore', 'pipe', 'inherit'] })
  child.stdout.once('data', async (line) => {
    const { url } = JSON.parse(line)
    const { status } = await fetch(url + '/_sandbox/readyz')
    child.once('close', (code) => process.stdout.write((status === 200 ? 'healthy' : status) + ', ended with ' + code))
    child.kill('SIGTERM')
  })
`

describe.runIf(hasRegistry('the types of the package'))('compiled by', () => {
  const SETTINGS = {
    compilerOptions: {
      strict: true,
      exactOptionalPropertyTypes: true,
      module: 'nodenext',
      target: 'es2023',
      lib: ['es2023'],
      types: ['node'],
      skipLibCheck: false,
      noEmit: true,
    },
    include: ['consumer.*'],
  }
  let consumer: string

  beforeAll(async () => {
    const text = await readFile(new URL('./consumer.ts', import.meta.url), 'utf8')
    consumer = text.replaceAll(`'../../src/index.ts'`, `'gateway-sandbox'`)
  })

  test.each(COMPILERS)(
    '%s, a merchant’s code is right as an ES module and as CommonJS, and misuse is not',
    { timeout: INSTALL_MS + TEST_MS },
    async (compiler) => {
      const folder = await packed.project({
        files: {
          'consumer.mts': consumer,
          'consumer.cts': consumer,
          'tsconfig.json': JSON.stringify(SETTINGS),
        },
        beside: [compiler, `@types/node@${packageJson.devDependencies['@types/node']}`],
      })
      const { code, stdout } = await run(folder, ['npx', '--no-install', 'tsc', '-p', '.', '--listFiles'])
      expect(code, stdout).toBe(0)
      for (const path of ['consumer.mts', 'consumer.cts', 'gateway-sandbox/dist/index.d.ts']) {
        expect(stdout).toContain(`/${path}\n`)
      }
    },
  )
})
