// Checks that the bench takes every figure that it is there for, and tells it; how fast anything is, is not judged here.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasRegistry, INSTALL_MS, packPackage, run, TEST_MS } from '../package/pack.ts'
import { runToMarkdown } from './report.ts'
import { TARGETS } from './targets.ts'
import type { Ended, Packed } from '../package/pack.ts'
import type { Run } from './report.ts'

const ROOT = join(import.meta.dirname, '../..')
const BENCH = [process.execPath, '--import', 'tsx', join(import.meta.dirname, 'main.ts')]

/** Every figure that a run prints, besides those of peers. */
const FIGURES = [
  ...['create', 'get', 'list', 'simulate', 'tokenCheck', 'token'].map((name) => `calls.${name}`),
  ...['memoryMany', 'dataFew', 'dataMany', 'dataGrowth', 'start'].map((name) => `stored.${name}`),
  'deliveries',
  ...['few', 'middle', 'many', 'callbacks', 'growthMiddle', 'growthMany'].map((name) => `advance.${name}`),
  ...['creation', 'fork', 'memory', 'memoryOfTransaction'].map((name) => `worlds.${name}`),
  ...['import', 'process', 'container'].map((name) => `start.${name}`),
]

const bench = (...args: string[]): Promise<Ended> => run(ROOT, [...BENCH, ...args], {}, INSTALL_MS)

describe.runIf(hasRegistry('the bench'))('npm run bench', () => {
  let packed: Packed
  let ended: Ended
  let found: Run

  beforeAll(async () => {
    packed = await packPackage()
    const folder = await packed.project()
    // Containers are left to test/containers and to the real run; the engine may be busy building now.
    ended = await bench('--tiny', '--json', '--from', folder, '--without', 'container')
    found = JSON.parse(ended.stdout) as Run
  }, 2 * INSTALL_MS)
  afterAll(() => packed.remove())

  test('ends well, whatever the figures are', () => {
    expect(ended.code).toBe(0)
    expect(ended.stderr).not.toContain('Error')
  })

  test('names the machine, the version and the day', () => {
    expect(found).toEqual({
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      machine: {
        cpu: expect.any(String),
        cores: expect.any(Number),
        memoryGiB: expect.any(Number),
        node: process.version,
        system: expect.stringContaining(process.platform),
      },
      rounds: 1,
      figures: expect.any(Array),
    })
  })

  test('takes every figure, each beside something of the same run', () => {
    expect(found.figures.map(({ id }) => id)).toEqual(FIGURES)
    const missing = found.figures.filter(({ value, beside, ratio }) =>
      [value, beside.value, ratio].some((each) => !(Number(each) > 0)),
    )
    expect(missing.map(({ id }) => id)).toEqual(['start.container'])
  })

  test('says why a figure was left out', () => {
    const reasons = found.figures.map(({ leftOut }) => leftOut).filter((reason) => reason !== null)
    expect(reasons).toEqual(['containers were left out'])
  })

  test('prints a row for each figure', () => {
    const rows = runToMarkdown(found)
      .split('\n')
      .filter((line) => line.startsWith('| '))
    expect(rows).toHaveLength(FIGURES.length + 1)
  })
})

describe('the targets', () => {
  test('are each about a figure that is taken', () => {
    expect(Object.keys(TARGETS).filter((id) => !FIGURES.includes(id))).toEqual([])
  })
})

describe('the command line of the bench', () => {
  test.each([
    ['a count of rounds that is none', ['--rounds', 'many'], '--rounds many'],
    ['a group that is none', ['cals'], `no group 'cals'`],
    ['an option that is none', ['--fast'], '--fast'],
    ['keeping a part of a run', ['calls', '--save'], '--save'],
  ])('refuses %s', { timeout: TEST_MS }, async (_, args, said) => {
    const { code, stderr } = await bench(...args)
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(said) })
  })
})
