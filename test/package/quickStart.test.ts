// Checks that the quick start of the README, copied into an empty folder, works as it is in less than a minute.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasTools } from '../support/tools.ts'
import { hasRegistry, INSTALL_MS, packPackage, run, TEST_MS } from './pack.ts'
import type { Packed } from './pack.ts'

/** What the README promises, in milliseconds. */
const MINUTE = 60_000

/** The files and the commands of the quick start, by the marks that stand before their blocks. */
function quickStartOf(readme: string): { files: Record<string, string>; commands: string } {
  const blocks = readme.matchAll(/<!-- (?:file: (?<name>\S+)|quickstart) -->\n+```\w*\n(?<text>[^]*?)```/g)
  const files: Record<string, string> = {}
  let commands = ''
  for (const { groups: { name, text = '' } = {} } of blocks) {
    if (name === undefined) commands += text
    else files[name] = text
  }
  return { files, commands }
}

/** The commands with the packed package in place of the published one. */
function withTarball(commands: string, tarball: string): string {
  return commands.replaceAll(
    /^((?:npm|npx --yes npm) (?:i|install|add)\b.*?\s)gateway-sandbox(?=\s|$)/gm,
    (_, before: string) => `${before}${tarball}`,
  )
}

describe('reading the quick start', () => {
  const page = [
    '<!-- file: shop.test.js -->',
    '```js',
    'test()',
    '```',
    '<!-- quickstart -->',
    '```bash',
    'npm install --save-dev gateway-sandbox vitest',
    'npx vitest run gateway-sandbox',
    '```',
    '```bash',
    'rm -rf elsewhere',
    '```',
  ].join('\n')

  test('finds its files and its commands, and nothing that is not marked', () => {
    const { files, commands } = quickStartOf(page)
    expect(files).toEqual({ 'shop.test.js': 'test()\n' })
    expect(commands.split('\n')).toHaveLength(3)
  })

  test('puts the packed package where npm is asked for the published one', () => {
    expect(withTarball(quickStartOf(page).commands, '/tmp/a.tgz')).toBe(
      'npm install --save-dev /tmp/a.tgz vitest\nnpx vitest run gateway-sandbox\n',
    )
  })
})

const canStart =
  hasTools('the quick start of the README', 'bash') && hasRegistry('the quick start of the README')

describe.runIf(canStart)('the quick start of the README', () => {
  const { files, commands } = quickStartOf(readFileSync(new URL('../../README.md', import.meta.url), 'utf8'))
  let packed: Packed

  beforeAll(async () => {
    packed = await packPackage()
  }, INSTALL_MS)
  afterAll(() => packed.remove())

  test('passes as it is in less than a minute', { timeout: MINUTE + TEST_MS }, async () => {
    expect(commands, 'the README marks no block with <!-- quickstart -->').not.toBe('')
    const local = withTarball(commands, packed.tarball)
    expect(local, 'no command installs gateway-sandbox').not.toBe(commands)
    const folder = await packed.project({ files, installed: false })
    const began = performance.now()
    const { code, stdout, stderr } = await run(folder, ['bash', '-euo', 'pipefail', '-c', local], {}, MINUTE)
    expect(code, `${stdout}${stderr}`).toBe(0)
    expect(performance.now() - began).toBeLessThan(MINUTE)
  })
})
