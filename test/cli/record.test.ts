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

/** A command that makes a world of its own and calls the gateway in it. */
const IN_ITS_OWN_WORLD = `
const { SANDBOX_URL: url } = process.env
const post = (path, body) =>
  fetch(url + path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })
const made = await (await post('/_sandbox/worlds', { id: 'mine' })).json()
await post('/v1/auth/token', { publicKey: made.publicKey, secretKey: made.secretKey })
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
      expect(printed).toMatchObject({ code: 1, stderr: expect.stringContaining('PATCH /organizations/{id}') })
      expect(printed.stderr).toContain('--partial takes it as it is')
      const written = await run(['record', ...flags, '--partial', '--out', file]).ended
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
    'does not run the command when the file cannot be written',
    async () => {
      const command = ['--', process.execPath, '-e', 'console.log("ran")']
      for (const [file, why] of [
        [join(folder, 'no/such/folder.yaml'), 'ENOENT'],
        [folder, 'EISDIR'],
      ]) {
        const { code, stdout, stderr } = await run(['exec', '--record', String(file), ...command]).ended
        expect([code, stdout, stderr]).toEqual([
          1,
          '',
          `gateway-sandbox: cannot write ${String(file)}: ${String(why)}.\n`,
        ])
      }
    },
    PATIENCE_MS,
  )

  test(
    'says that the recording is empty, and which other worlds saw calls',
    async () => {
      const script = join(folder, 'worlds.mjs')
      await writeFile(script, IN_ITS_OWN_WORLD)
      const file = join(folder, 'empty.yaml')
      const { code, stderr } = await run(['exec', '--record', file, '--', process.execPath, script]).ended
      expect([code, stderr]).toEqual([
        0,
        'gateway-sandbox: nothing was done to the default world, so its recording is empty. Calls to mine are not in it.\n',
      ])
    },
    PATIENCE_MS,
  )
})
