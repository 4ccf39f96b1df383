// Checks the data file from the command line: `start --data`, `exec --data`, and taking worlds out and putting them in.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSandbox } from '../../src/sandbox.ts'
import { builtCommand, PATIENCE_MS } from '../cli/command.ts'

const { run, started } = builtCommand()

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-sandbox-data-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const fund = (control: string): Promise<Response> =>
  fetch(`${control}/balance`, {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ fund: 12_345 }),
  })

const postings = async (control: string): Promise<unknown[]> =>
  ((await (await fetch(`${control}/postings`)).json()) as { items: unknown[] }).items

describe.concurrent('start --data', { timeout: PATIENCE_MS }, () => {
  test('keeps what was told, leaves a clean file at SIGTERM, and says when flags do not count any more', async () => {
    const data = join(folder, 'clean.json')
    const first = await started(['--seed', 'monday', '--fsync'], { SANDBOX_DATA: data })
    expect((await fund(first.told.control)).status).toBe(200)
    first.child.kill('SIGTERM')
    expect((await first.ended).stderr).toBe('')
    expect((await readdir(folder)).filter((name) => name.startsWith('clean'))).toEqual(['clean.json'])

    const second = await started(['--data', data, '--seed', 'tuesday', '--clock', 'frozen'])
    expect(await postings(second.told.control)).toHaveLength(1)
    second.child.kill('SIGTERM')
    expect((await second.ended).stderr).toBe(
      `gateway-sandbox: the worlds of ${data} keep their own seed, clock; what is given counts for new worlds only.\n`,
    )

    const third = run(['start', '--port', '0', '--data', data])
    expect((await third.lines(8)).join('\n')).toContain(data)
    third.child.kill('SIGTERM')
    expect((await third.ended).stderr).toBe('')
  })

  test('refuses a file in use, a damaged one and a folder that is not there: one line, exit code 1', async () => {
    const data = join(folder, 'used.json')
    const damaged = join(folder, 'damaged.json')
    await writeFile(damaged, '{"format":"gateway-sandbox data","ver')
    const first = await started(['--data', data])
    for (const [file, says] of [
      [data, `is in use by process ${first.child.pid} on`],
      [damaged, 'is damaged'],
      [join(folder, 'nowhere', 'x.json'), 'ENOENT'],
    ] as const) {
      const { code, stdout, stderr } = await run(['start', '--port', '0', '--data', file]).ended
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toMatch(/^gateway-sandbox: [^\n]+\n$/)
      expect(stderr).toContain(says)
      expect(stderr).toContain(file)
    }
    expect(await readFile(damaged, 'utf8')).toBe('{"format":"gateway-sandbox data","ver')
    first.child.kill('SIGTERM')
    await first.ended
  })

  test.runIf(process.platform === 'linux')('names a file that the system does not let it write', async () => {
    const { code, stderr } = await run(['start', '--port', '0', '--data', '/proc/data.json']).ended
    expect([code, stderr]).toEqual([1, expect.stringContaining('/proc/data.json cannot be written: ENOENT. ')])
  })

  test('sets a default world up as a scenario file says once, and not at all when it cannot', async () => {
    const data = join(folder, 'setup.json')
    const [once, twice] = [join(folder, 'once.yaml'), join(folder, 'twice.yaml')]
    for (const [file, cents] of [
      [once, 1_000],
      [twice, 2_000],
    ] as const) {
      const customer = '{ as: ana, name: Ana Souza, email: ana@example.com }'
      const given = `{ balance: { fund: ${cents} }, customers: [${customer}] }`
      await writeFile(file, `name: set up\ngiven: ${given}\n`)
    }
    const refused = await run(['start', '--port', '0', '--data', data, '--scenario', once, twice]).ended
    expect(refused.code).toBe(2)
    expect((await readdir(folder)).filter((name) => name.startsWith('setup'))).toEqual([])
    for (const told of ['', `gateway-sandbox: ${data} has a default world already; what scenario files set up is left out.\n`]) {
      const server = await started(['--data', data, '--scenario', once])
      expect(await postings(server.told.control)).toHaveLength(1)
      server.child.kill('SIGTERM')
      expect((await server.ended).stderr).toBe(told)
    }
  })

  test('exec and startSandbox keep theirs in a file, too', async () => {
    const data = join(folder, 'exec.json')
    const script = `fetch(process.env.SANDBOX_URL + '/_sandbox/balance', { method: 'PATCH', headers: { 'Content-Type': 'application/json' }, body: '{"fund":7}' })`
    const { code, stderr } = await run(['exec', '--data', data, '--', process.execPath, '-e', script]).ended
    expect([code, stderr]).toEqual([0, ''])
    const sandbox = await startSandbox({ data, fsync: true })
    const balances = await sandbox.balances()
    expect(balances.map(({ available }) => available)).toContain(7)
    await expect(startSandbox({ data })).rejects.toMatchObject({ code: 'bad_option' })
    await sandbox.close()
    expect((await readdir(folder)).filter((name) => name.startsWith('exec'))).toEqual(['exec.json'])
  })
})

test('export and import carry a world from one server to another', { timeout: PATIENCE_MS }, async () => {
  const [one, two] = await Promise.all([started(), started()])
  await fund(one.told.control)
  const file = join(folder, 'world.json')
  const says = async (url: string, ...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await run([...args, '--url', url]).ended
    expect([code, stderr]).toEqual([0, ''])
    return stdout.trim()
  }
  expect(await says(one.told.url, 'export', '--out', file)).toMatch(/^world default is in .+ \(\d+ bytes\)$/)
  expect(JSON.parse(await says(one.told.url, 'export'))).toHaveProperty('state')
  expect(await says(two.told.url, 'import', file, '--world', 'shop')).toMatch(/^world shop is .+, at /)
  expect(await postings(`${two.told.control}/worlds/shop`)).toHaveLength(1)
  expect(await postings(two.told.control)).toEqual([])
  const failures = [
    [['import'], 'needs the name'],
    [['import', join(folder, 'gone.json')], 'cannot be read'],
    [['export', '--out', join(folder, 'nowhere', 'x.json')], 'cannot be written'],
  ] as const
  for (const [args, hint] of failures) {
    const { code, stderr } = await run([...args, '--url', two.told.url]).ended
    expect(code).toBeGreaterThan(0)
    expect(stderr).toContain(hint)
  }
  const other = join(folder, 'other.json')
  await writeFile(other, '{"format":2}')
  const { code } = await run(['import', other, '--world', 'left', '--url', two.told.url]).ended
  expect(code).toBe(2)
  expect((await fetch(`${two.told.control}/worlds/left`)).status).toBe(404)
})
