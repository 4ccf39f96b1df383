// Owns the proof that the gates can fail: each real tool, with the real configuration, against planted violations.
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { CLEAN, DEAD_PLANTS, FORMAT_PLANTS, LINT_PLANTS, TYPE_PLANTS } from './support/gatePlants.ts'
import type { Plant } from './support/gatePlants.ts'

const ROOT = resolve(import.meta.dirname, '..')
const CONFIGURATION = ['tsconfig.json', 'src/tsconfig.json', '.oxlintrc.json', '.oxfmtrc.json', '.gitignore']
/** The environment of the tools: without the variables that make them colour what they print. */
const { FORCE_COLOR: _force, CI: _ci, ...quiet } = process.env
const PLAIN_OUTPUT = { ...quiet, NO_COLOR: '1' }
const TIMEOUT_MS = 60_000

/** The parts of package.json that the gates are made of. */
interface Manifest {
  scripts: Record<string, string>
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
  knip: Record<string, unknown>
}

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest
const projects: string[] = []

/** The named entries of a record that it has. */
function pick(record: Record<string, string>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)))
}

/** A project in a folder of its own: the real configuration, few files. Only the dependencies it uses are declared. */
function project(files: Readonly<Record<string, string>>, extraDependencies: readonly string[]): string {
  const root = mkdtempSync(join(tmpdir(), 'gates-'))
  projects.push(root)
  const tools = ['typescript', 'vitest', 'oxlint', 'oxlint-tsgolint', 'oxfmt', 'knip', '@types/node']
  const declared = {
    ...manifest,
    dependencies: pick(manifest.dependencies, ['hono', ...extraDependencies]),
    devDependencies: pick(manifest.devDependencies, tools),
    // What only files of the real project need; here it would be complained of as needless.
    exports: undefined,
    scripts: pick(manifest.scripts, ['types', 'lint', 'format:check', 'dead']),
    knip: {
      ...manifest.knip,
      entry: ['src/cli/main.ts', 'test/**/*.test.ts'],
      ignoreBinaries: [],
      ignoreDependencies: [],
    },
  }
  const all = { ...files, 'package.json': JSON.stringify(declared, null, 2) }
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  for (const path of CONFIGURATION) cpSync(join(ROOT, path), join(root, path))
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'), 'dir')
  return root
}

/** Runs a script of package.json with the tool's own binary; further arguments only make the answer easy to read. */
async function run(
  script: string,
  extra: readonly string[],
  cwd: string,
): Promise<{ code: number; output: string }> {
  const [tool = '', ...args] = (manifest.scripts[script] ?? '').split(' ')
  return new Promise((done) => {
    const bin = join(ROOT, 'node_modules/.bin', tool)
    execFile(
      bin,
      [...args, ...extra],
      { cwd, timeout: TIMEOUT_MS, env: PLAIN_OUTPUT },
      (error, stdout, stderr) => {
        // The code is a number when the tool ended by itself, and not when it could not be run or was killed.
        const failed = typeof error?.code === 'number' ? error.code : -1
        done({ code: error === null ? 0 : failed, output: stdout + stderr })
      },
    )
  })
}

/** One gate: how it is run, and how its answer is read as lines of `file problem`. */
interface Gate {
  readonly holds: string
  readonly script: string
  readonly extra: readonly string[]
  readonly plants: readonly Plant[]
  readonly read: (output: string) => string[]
}

/** All matches of a pattern as `first-group second-group`. */
function readLines(output: string, pattern: RegExp): string[] {
  return [...output.matchAll(pattern)].map((match) => `${match[1]} ${match[2] ?? ''}`.trim())
}

/** What knip found: `file kind name`. */
function readKnip(output: string): string[] {
  const { issues } = JSON.parse(output.slice(output.indexOf('{'))) as {
    issues: ({ file: string } & Record<string, { name: string }[]>)[]
  }
  return issues.flatMap(({ file, ...kinds }) =>
    Object.entries(kinds).flatMap(([kind, found]) => found.map(({ name }) => `${file} ${kind} ${name}`)),
  )
}

const GATES: readonly Gate[] = [
  {
    holds: 'types',
    script: 'types',
    extra: ['--pretty', 'false'],
    plants: TYPE_PLANTS,
    read: (output) => readLines(output, /^(\S+)\(\d+,\d+\): error (TS\d+)/gm),
  },
  {
    holds: 'lint',
    script: 'lint',
    extra: ['-f', 'unix'],
    plants: LINT_PLANTS,
    read: (output) => readLines(output, /^(\S+?):\d+:\d+: .*? \[(?:Error|Warning)\/?(.*)\]$/gm),
  },
  {
    holds: 'format',
    script: 'format:check',
    extra: [],
    plants: FORMAT_PLANTS,
    read: (output) => readLines(output, /^(\S+) \(\d+ms\)$/gm),
  },
  {
    holds: 'dead code',
    script: 'dead',
    extra: ['--reporter', 'json'],
    plants: DEAD_PLANTS,
    read: readKnip,
  },
]

afterAll(() => {
  for (const root of projects) rmSync(root, { recursive: true, force: true })
})

describe.each(GATES)('the gate of $holds', ({ script, extra, plants, read }) => {
  test('lets a clean project through', { timeout: TIMEOUT_MS }, async () => {
    const { code, output } = await run(script, extra, project(CLEAN, []))
    expect(read(output), output).toEqual([])
    expect(code, output).toBe(0)
  })

  test('fails on each planted violation and names it', { timeout: TIMEOUT_MS }, async () => {
    const files = Object.assign({}, CLEAN, ...plants.map((plant) => plant.files)) as Record<string, string>
    const dependencies = plants.flatMap((plant) => plant.dependencies ?? [])
    const { code, output } = await run(script, extra, project(files, dependencies))
    const expected = plants.flatMap((plant) => plant.reported)
    expect(read(output).toSorted(), output).toEqual(expected.toSorted())
    expect(code, output).toBeGreaterThan(0)
  })
})

test('npm run check runs every gate', () => {
  const steps = (manifest.scripts['check'] ?? '').split(' && ')
  expect(steps).toEqual(expect.arrayContaining(GATES.map(({ script }) => `npm run ${script}`)))
})
