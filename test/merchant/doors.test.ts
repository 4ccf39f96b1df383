// Runs a merchant's suite, the same file each time, through every door: from test code, under `exec`, against the image.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { GatewaySandboxContainer } from '../../src/testcontainers.ts'
import { BUILD_MS, buildImage, docker } from '../containers/engine.ts'
import { hasRegistry, INSTALL_MS, packPackage, readFiles, run, TEST_MS } from '../package/pack.ts'
import { hasEngine } from '../support/tools.ts'
import type { StartedGatewaySandboxContainer } from '../../src/testcontainers.ts'
import type { Ended, Packed } from '../package/pack.ts'

const SUITE = ['node', '--test', '--test-reporter=tap', 'shop.test.mjs']

/** The numbers at the end of a run, by what they count. */
function totalsOf({ stdout }: Ended): Record<string, number> {
  const lines = stdout.matchAll(/^# (tests|pass|fail|cancelled|skipped|todo) (\d+)$/gm)
  return Object.fromEntries([...lines].map(([, what, count]) => [what, Number(count)]))
}

describe.runIf(hasRegistry('the suite of a merchant, through its doors'))(
  'the suite of a merchant passes',
  () => {
    let packed: Packed
    let folder: string
    /** What the suite prints at its end when all of its tests pass. */
    let allPass: Record<string, number>

    beforeAll(async () => {
      packed = await packPackage()
      const texts = await readFiles(import.meta.dirname, 'shop.mjs', 'shop.suite.mjs')
      const { 'shop.mjs': shop = '', 'shop.suite.mjs': suite = '' } = texts
      // Here it has another name, so that the runner of this project leaves it alone.
      folder = await packed.project({ files: { 'shop.mjs': shop, 'shop.test.mjs': suite } })
      const tests = suite.match(/^test\(/gm)?.length ?? 0
      allPass = { tests, pass: tests, fail: 0, cancelled: 0, skipped: 0, todo: 0 }
    }, INSTALL_MS)
    afterAll(() => packed.remove())

    test('with a sandbox that it starts itself', { timeout: TEST_MS }, async () => {
      const ended = await run(folder, SUITE)
      expect(ended.code, ended.stdout).toBe(0)
      expect(totalsOf(ended)).toEqual(allPass)
      expect(allPass['pass']).toBeGreaterThanOrEqual(6)
    })

    test('under the command, which starts the sandbox for it', { timeout: TEST_MS }, async () => {
      const ended = await run(folder, ['npx', '--no-install', 'gateway-sandbox', 'exec', '--', ...SUITE])
      expect(ended.code, ended.stdout + ended.stderr).toBe(0)
      expect(totalsOf(ended)).toEqual(allPass)
    })

    test(
      'not where no sandbox answers: the suite does use the one that is named',
      { timeout: TEST_MS },
      async () => {
        const ended = await run(folder, SUITE, { SANDBOX_URL: 'http://127.0.0.1:9' })
        expect(ended.code).toBe(1)
        expect(totalsOf(ended)).toMatchObject({ pass: 0 })
      },
    )

    describe.runIf(hasEngine('the suite of a merchant, against the container image'))(
      'in a container',
      () => {
        let container: StartedGatewaySandboxContainer

        beforeAll(async () => {
          await buildImage()
          // The helper container of the library cannot be pulled everywhere; what is started here is ended here.
          process.env['TESTCONTAINERS_RYUK_DISABLED'] ??= 'true'
          container = await new GatewaySandboxContainer('gateway-sandbox:test').start()
        }, BUILD_MS)
        afterAll(() => container.stop(), TEST_MS)

        test('that calls back to the shop on this machine', { timeout: TEST_MS }, async () => {
          const ended = await run(folder, SUITE, { SANDBOX_URL: container.getUrl() })
          expect(ended.code, ended.stdout + (await docker('logs', container.getId()))).toBe(0)
          expect(totalsOf(ended)).toEqual(allPass)
        })
      },
    )
  },
)
