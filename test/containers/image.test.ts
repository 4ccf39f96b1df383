// Checks the container image with a real engine: what is in it, how it serves, and how it ends.
import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { hasEngine } from '../support/tools.ts'
import {
  BASE_IMAGE,
  BUILD_MS,
  buildImage,
  containers,
  docker,
  exitCodeIn,
  firstVerdict,
  inspect,
  PATIENCE_MS,
  urlOf,
} from './engine.ts'

const PORT = 4848
/** What the image may add to its base, in bytes. */
const OWN_BYTES = 15_000_000
/** Seconds after which the engine kills what does not stop, and milliseconds that stopping may take. */
const [KILL_AFTER_S, STOP_MS] = [30, 5000]

/** Milliseconds within which a command ends that does not hold on to anything. */
const QUICK_MS = 2000
/** Seconds after which the engine kills what did not hear that it has to stop. */
const IMPATIENT_S = 4

const running = containers()
const commanded: string[] = []
let image = ''

/** Runs a command of ours in the background; resolves at once, whatever it has come to. */
async function command(...args: string[]): Promise<string> {
  const id = await docker('run', '--detach', ...args)
  commanded.push(id)
  return id
}

/** Stops a container; answers its exit code, and how long that took. */
async function stop(id: string, patience: number): Promise<{ code: unknown; ms: number }> {
  const began = performance.now()
  await docker('stop', '--time', String(patience), id)
  const ms = performance.now() - began
  return { code: await inspect(id, '.State.ExitCode'), ms }
}

async function get(url: string): Promise<unknown> {
  const answer = await fetch(url)
  expect(answer.status).toBe(200)
  return answer.json()
}

/** What a script of Node prints inside the image, where no server runs. */
async function evaluate(script: string, ...args: string[]): Promise<unknown> {
  const container = ['run', '--rm', '--network', 'none', '--entrypoint', 'node', image]
  return JSON.parse(await docker(...container, '-p', `JSON.stringify(${script})`, ...args)) as unknown
}

let folders: string[] = []

/** Options that mount a folder of these files where the image looks for scenarios. */
async function scenarios(files: Record<string, string>, mode = 0o755): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-sandbox-image-'))
  folders.push(folder)
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  await chmod(folder, mode)
  return ['--volume', `${folder}:/scenarios:ro`]
}

/** What a container complained of. */
async function logOf(id: string): Promise<string> {
  const { stderr } = await promisify(execFile)('docker', ['logs', id])
  return stderr
}

describe.runIf(hasEngine('the container image'))('the image', () => {
  beforeAll(async () => {
    image = await buildImage()
  }, BUILD_MS)
  afterAll(async () => {
    await running.remove()
    if (commanded.length > 0) await docker('rm', '--force', '--volumes', ...commanded)
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })))
    folders = []
  }, PATIENCE_MS)

  test('holds what production needs and nothing else', { timeout: PATIENCE_MS }, async () => {
    expect(await evaluate(`fs.readdirSync('/app').sort()`)).toEqual(['dist', 'node_modules', 'package.json'])
    const installed = `process.argv.slice(1).filter((name) => fs.existsSync('/app/node_modules/' + name))`
    const needed = Object.keys(packageJson.dependencies)
    expect(await evaluate(installed, ...needed)).toEqual(needed)
    expect(await evaluate(installed, ...Object.keys(packageJson.devDependencies))).toEqual([])
  })

  test('adds few megabytes to its base', { timeout: PATIENCE_MS }, async () => {
    const [whole, base] = [await inspect(image, '.Size'), await inspect(BASE_IMAGE, '.Size')]
    expect(Number(whole) - Number(base)).toBeGreaterThan(0)
    expect(Number(whole) - Number(base)).toBeLessThan(OWN_BYTES)
  })

  test('says what it is', { timeout: PATIENCE_MS }, async () => {
    const { version, description, license } = packageJson
    expect(await inspect(image, '.Config.Labels')).toMatchObject({
      'org.opencontainers.image.title': 'gateway-sandbox',
      'org.opencontainers.image.description': description,
      'org.opencontainers.image.licenses': license,
      'org.opencontainers.image.version': version,
    })
  })

  test(
    'answers on its published port, as a user who may change nothing',
    { timeout: PATIENCE_MS },
    async () => {
      const id = await running.start(image, '--publish', `127.0.0.1::${PORT}`)
      const url = await urlOf(id, PORT)
      expect(await get(`${url}/_sandbox/readyz`)).toEqual({ status: 'ok' })
      expect(await inspect(image, '.Config.User')).toBe('1000')
      expect(await docker('exec', id, 'id', '-u')).toBe('1000')
      expect(await exitCodeIn(id, 'test', '-w', '/app')).toBe(1)
    },
  )

  test('takes its settings from the environment', { timeout: PATIENCE_MS }, async () => {
    const settings = { SANDBOX_PORT: '5050', SANDBOX_SEED: 'image', SANDBOX_CLOCK: '2030-01-01T12:00:00Z' }
    const environment = Object.entries(settings).flatMap(([name, value]) => ['--env', `${name}=${value}`])
    const id = await running.start(image, '--publish', '127.0.0.1::5050', ...environment)
    const control = `${await urlOf(id, 5050)}/_sandbox`
    expect(await get(`${control}/info`)).toMatchObject({ seed: 'image' })
    expect(await get(`${control}/clock`)).toMatchObject({ mode: 'frozen', now: '2030-01-01T12:00:00.000Z' })
    expect(await exitCodeIn(id, 'gateway-sandbox', 'health')).toBe(0)
  })

  test('sets up its default world as the files at /scenarios say', { timeout: PATIENCE_MS }, async () => {
    const mounted = await scenarios({
      'shop.yaml': 'name: a shop\nclock: 2030-01-01T12:00:00Z\nseed: mounted\n',
      'rules/fails.yaml':
        'name: fails\nrules: [{ when: { call: createTransaction, amount: 6661 }, do: { trigger: fail } }]\n',
    })
    const id = await running.start(image, '--publish', `127.0.0.1::${PORT}`, ...mounted)
    const control = `${await urlOf(id, PORT)}/_sandbox`
    expect(await get(`${control}/info`)).toMatchObject({ seed: 'mounted' })
    expect(await get(`${control}/clock`)).toMatchObject({ mode: 'frozen', now: '2030-01-01T12:00:00.000Z' })
    expect(await get(`${control}/rules`)).toMatchObject({ total: 1 })
  })

  test.each([
    ['that is no scenario', 'name: x\nrule: []\n', 0o755, "/scenarios/shop.yaml:2:1: 'rule' is no field"],
    ['that it may not read', 'name: x\n', 0o700, 'the folder of /scenarios cannot be read: EACCES'],
  ])('refuses a file at /scenarios %s', { timeout: PATIENCE_MS }, async (_, text, mode, why) => {
    const id = await command(...(await scenarios({ 'shop.yaml': text }, mode)), image)
    expect(await docker('wait', id)).toBe('2')
    expect(await logOf(id)).toContain(why)
  })

  test('serves without network, rights or a disk to write on', { timeout: PATIENCE_MS }, async () => {
    const locks = ['--read-only', '--network', 'none', '--cap-drop', 'ALL']
    const id = await running.start(image, ...locks, '--security-opt', 'no-new-privileges')
    expect(await exitCodeIn(id, 'gateway-sandbox', 'health')).toBe(0)
  })

  test('is found healthy by the engine', { timeout: PATIENCE_MS }, async () => {
    const id = await running.start(image, '--health-interval', '1s')
    expect(await firstVerdict(id)).toBe('healthy')
  })

  test('is not found healthy where nothing listens', { timeout: PATIENCE_MS }, async () => {
    const id = await running.start(image)
    expect(await exitCodeIn(id, 'gateway-sandbox', 'health', '--url', 'http://127.0.0.1:9')).toBe(1)
  })

  test('ends by itself when it is stopped', { timeout: PATIENCE_MS }, async () => {
    const id = await running.start(image)
    const { code, ms } = await stop(id, KILL_AFTER_S)
    expect([code, ms < STOP_MS]).toEqual([0, true])
  })

  test.each([
    ['start', [], 0],
    ['exec', ['exec', '--', 'sleep', '100'], 143],
  ])(
    'hears that it has to stop as soon as it runs: %s',
    { timeout: PATIENCE_MS },
    async (_, args, wanted) => {
      const id = await command(image, ...args)
      // The engine needs as long for one more command as Node does to begin.
      await docker('exec', id, 'true')
      const { code, ms } = await stop(id, IMPATIENT_S)
      expect([code, ms < QUICK_MS], `${ms} ms`).toEqual([wanted, true])
    },
  )

  test('ends at once with the command that it runs', { timeout: PATIENCE_MS }, async () => {
    const script = 'console.log(1); setInterval(() => undefined, 1e6)'
    const id = await command('--health-interval', '1s', image, 'exec', '--', 'node', '-e', script)
    expect(await firstVerdict(id)).toBe('healthy')
    const { code, ms } = await stop(id, IMPATIENT_S)
    expect([ms < QUICK_MS, code], `${ms} ms`).toEqual([true, 143])
  })
})
