// Checks that the README says what the tables say, and that the commands it shows work as they are.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openServer } from './support/server.ts'
import { hasTools } from './support/tools.ts'
import { walksOf, withParts } from './support/readme.ts'
import type { TestServer } from './support/server.ts'

const FILE = new URL('../README.md', import.meta.url)
const readme = readFileSync(FILE, 'utf8')
const run = promisify(execFile)

describe('the README', () => {
  test('has the tables of the source (npm run docs writes them anew)', async () => {
    await expect(withParts(readme)).toMatchFileSnapshot(FILE.pathname)
  })

  test('would be found stale: a changed row differs', () => {
    const stale = readme.replace('| AU-01 |', '| AU-00 |')
    expect(stale).not.toBe(readme)
    expect(withParts(stale)).toBe(withParts(readme))
    expect(withParts(stale)).not.toBe(stale)
  })
})

const canWalk = hasTools('the walk of the README', 'bash', 'curl', 'openssl')

describe.runIf(canWalk)('the walk of the README, pasted as it is', () => {
  let server: TestServer
  let output: string

  beforeAll(async () => {
    server = await openServer()
    const commands = walksOf(readme).join('\n').replaceAll('http://localhost:4848', server.url)
    const script = `set -euo pipefail\n${commands}`
    output = (await run('bash', ['-c', script])).stdout
  })
  afterAll(() => server.close())

  test('takes a payment and shows a webhook with a valid signature', () => {
    expect(output).toContain(`"simulatedAction":"complete"`)
    expect(output).toContain(`type: 'payment.completed'`)
    expect(output).toContain(`signature: 'valid'`)
    expect(output).toMatch(/^Completed$/m)
  })

  test('shows three attempts of an expiry at their exact instants', () => {
    const attempts = [...output.matchAll(/type: 'payment.expired',[^}]*at: '([^']+)',\s*status: (\d+)/g)]
    expect(attempts.map(([, at, status]) => [at, status])).toEqual([
      ['2030-01-01T12:30:00.000Z', '500'],
      ['2030-01-01T12:30:02.000Z', '500'],
      ['2030-01-01T12:30:06.000Z', '204'],
    ])
  })

  test('refunds a part and finds openssl in agreement with the signature', () => {
    expect(output).toMatch(/^PartiallyRefunded$/m)
    const [, digest = 'none'] = /SHA2?-?256\(stdin\)= ([0-9a-f]{64})/i.exec(output) ?? []
    expect(output).toContain(`sha256=${digest}`)
  })

  test('pays a cashout and shows its webhook with a masked key', () => {
    expect(output).toContain(`type: 'cashout.completed'`)
    expect(output).toContain(`pixKey: '***456789**'`)
  })
})
