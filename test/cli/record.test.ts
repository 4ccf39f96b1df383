// Checks the verb `record` and `exec --record`: what they write, and what they say when they cannot.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectSandbox } from '../../src/index.ts'
import { builtCommand, PATIENCE_MS } from './command.ts'

const { run, started, refusal } = builtCommand()

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-sandbox-record-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** A command that funds its world and reads its balance, as a merchant's test would; it ends with a code. */
const SCRIPT = `
const { SANDBOX_URL: url, SANDBOX_PUBLIC_KEY: publicKey, SANDBOX_SECRET_KEY: secretKey } = process.env
const headers = { 'Content-Type': 'application/json' }
await fetch(url + '/_sandbox/balance', { method: 'PATCH', headers, body: '{"fund": 4200}' })
const made = await fetch(url + '/v1/auth/token', { method: 'POST', headers, body: JSON.stringify({ publicKey, secretKey }) })
const { data } = await made.json()
await fetch(url + '/v1/balance', { headers: { Authorization: 'Bearer ' + data.accessToken } })
process.exit(Number(process.argv[2] ?? 0))
`

describe('record', () => {
  test(
    'writes what a running server saw, which run plays',
    async () => {
      const { told } = await started(['--clock', '2030-01-01T12:00:00Z'])
      const sandbox = await connectSandbox(told.url)
      const world = await sandbox.world({ id: 'mine' })
      await world.changeBalance({ fund: 4_200 })
      await world.organizations.update(world.organization.id, { maySplit: false })
      const file = join(folder, 'mine.yaml')
      const flags = ['--url', told.url, '--world', 'mine', '--name', 'a story']
      const printed = await run(['record', ...flags]).ended
      expect(printed).toMatchObject({ code: 0, stderr: expect.stringContaining('PATCH /organizations/{id}') })
      const written = await run(['record', ...flags, '--out', file]).ended
      expect(written).toMatchObject({ code: 0, stdout: '' })
      expect(await readFile(file, 'utf8')).toBe(printed.stdout)
      expect(printed.stdout).toContain('name: a story\n')
      expect(printed.stdout).toContain('- balance: { fund: 4200 }')
      const { code, stdout } = await run(['run', file]).ended
      expect([code, stdout]).toEqual([0, expect.stringContaining('1 scenario: 1 passed')])
    },
    PATIENCE_MS,
  )

  test(
    'says on one line what it cannot do',
    async () => {
      const { told } = await started()
      const to = ['--url', told.url]
      expect(await refusal(['record', ...to, '--world', 'nowhere'])).toContain("No world 'nowhere'")
      const { code, stderr } = await run(['record', ...to, '--out', join(folder, 'no/such/folder.yaml')])
        .ended
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/^gateway-sandbox: cannot write .*: ENOENT\.\n$/),
      ])
    },
    PATIENCE_MS,
  )
})

describe('exec --record', () => {
  test(
    'writes what the command did, however it ended',
    async () => {
      const script = join(folder, 'test.mjs')
      await writeFile(script, SCRIPT)
      for (const code of [0, 3]) {
        const file = join(folder, `exec-${code}.yaml`)
        const ended = await run(['exec', '--record', file, '--', process.execPath, script, String(code)])
          .ended
        expect(ended).toMatchObject({ code, stderr: '' })
        const text = await readFile(file, 'utf8')
        expect(text).toContain('- balance: { fund: 4200 }')
        expect(text).toContain('- call: getBalance')
        expect((await run(['run', file]).ended).code, text).toBe(0)
      }
    },
    PATIENCE_MS,
  )

  test(
    'ends with 1 when the command succeeded and nothing could be written',
    async () => {
      const file = join(folder, 'no/such/folder.yaml')
      const { code, stderr } = await run(['exec', '--record', file, '--', process.execPath, '-e', '0']).ended
      expect([code, stderr]).toEqual([1, expect.stringContaining(`cannot write ${file}: ENOENT`)])
    },
    PATIENCE_MS,
  )
})
