// Checks that the measurement of starting runs and answers everything; how long anything takes is not judged here.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasRegistry, INSTALL_MS, packPackage, run, TEST_MS } from '../package/pack.ts'
import type { Packed } from '../package/pack.ts'

const BENCH = [process.execPath, '--import', 'tsx', join(import.meta.dirname, 'start.ts')]

describe.runIf(hasRegistry('the measurement of starting'))('bench:start', () => {
  let packed: Packed
  let folder: string

  beforeAll(async () => {
    packed = await packPackage()
    folder = await packed.project()
  }, INSTALL_MS)
  afterAll(() => packed.remove())

  // The containers are left to test/containers and to the real run; the engine may be busy building now.
  const bench = (...args: string[]): ReturnType<typeof run> =>
    run(join(import.meta.dirname, '../..'), [...BENCH, '--from', folder, '--without', 'container', ...args])

  test('answers every median as JSON', { timeout: TEST_MS }, async () => {
    const { code, stdout, stderr } = await bench('--rounds', '1', '--json')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const median = { ms: expect.any(Number), ratio: expect.any(Number) }
    expect(JSON.parse(stdout)).toEqual({
      machine: {
        cpu: expect.any(String),
        cores: expect.any(Number),
        memoryGiB: expect.any(Number),
        node: process.version,
        system: expect.stringContaining(process.platform),
      },
      rounds: 1,
      node: { ms: expect.any(Number), ratio: 1 },
      importToListening: median,
      processToReady: median,
      containerToReady: null,
      worldCreation: median,
    })
  })

  test('prints a table that names the machine', { timeout: TEST_MS }, async () => {
    const { stdout } = await bench('--rounds', '1')
    expect(stdout).toContain(`Node ${process.version}`)
    expect(stdout).toMatch(/^\| import to listening \| [\d.]+ \| [\d.]+ \|$/m)
    expect(stdout).toMatch(/^\| container to ready .*\| left out \|/m)
  })

  test('refuses a count of rounds that is none', { timeout: TEST_MS }, async () => {
    expect((await bench('--rounds', 'many')).code).toBe(1)
  })
})
