// Checks `exec` as a process: what its command finds, how both end, and that nothing stays behind.
import { spawnSync } from 'node:child_process'
import { createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { hasTools } from '../support/tools.ts'
import { builtCommand, PATIENCE_MS } from './command.ts'
import type { AddressInfo } from 'node:net'
import type { Running } from './command.ts'

const { run, started, refusal } = builtCommand()

const SEES_PROCESSES = hasTools('what a killed exec leaves behind', 'ps')

/** A command of Node for `exec`. */
const node = (script: string): string[] => ['--', process.execPath, '-e', script]
const PRINT_ENVIRONMENT = node('console.log(JSON.stringify(process.env))')
/** A command that says who it is and then stays, whatever signal it gets. */
const STUBBORN = node(`
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => console.log(signal))
  setInterval(() => undefined, 1e6)
  console.log(process.pid + ' ' + process.ppid + ' ' + process.env.SANDBOX_URL)`)

async function environmentOf(
  args: string[],
  environment?: Record<string, string>,
): Promise<Record<string, string>> {
  const { code, stdout, stderr } = await run(['exec', ...args, ...PRINT_ENVIRONMENT], environment).ended
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout) as Record<string, string>
}

async function answers(url: string): Promise<boolean> {
  return fetch(`${url}/_sandbox/livez`).then(
    () => true,
    () => false,
  )
}

/** Starts a command that stays; answers its id and the address of its server. */
async function staying(): Promise<Running & { pid: number; url: string }> {
  const running = run(['exec', ...STUBBORN])
  const [pid = '', , url = ''] = ((await running.lines(1))[0] ?? '').split(' ')
  expect(await answers(url)).toBe(true)
  return { ...running, pid: Number(pid), url }
}

describe.concurrent('the command of exec', { timeout: PATIENCE_MS }, () => {
  test('finds the address and the keys in its environment', async () => {
    const found = await environmentOf([])
    expect(found['SANDBOX_URL']).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(found).toMatchObject({
      SANDBOX_PUBLIC_KEY: 'pk_sandbox_default',
      SANDBOX_SECRET_KEY: 'sk_sandbox_default',
    })
    expect(found).not.toHaveProperty('SANDBOX_CONTROL_TOKEN')
  })

  test('finds variables of its own, filled in', async () => {
    const wanted = [
      'GATEWAY={url}/v1',
      'KEYS={publicKey}:{secretKey}',
      'WORLD={world}',
      'EMPTY=',
      'EQUAL=a=b',
    ]
    const found = await environmentOf(wanted.flatMap((word) => ['--env', word]))
    expect(found).toMatchObject({
      GATEWAY: `${found['SANDBOX_URL'] ?? ''}/v1`,
      KEYS: 'pk_sandbox_default:sk_sandbox_default',
      WORLD: 'default',
      EMPTY: '',
      EQUAL: 'a=b',
    })
  })

  test('finds the control token when there is one', async () => {
    const found = await environmentOf(['--control-token', 'let-me-in'])
    expect(found['SANDBOX_CONTROL_TOKEN']).toBe('let-me-in')
  })

  test('is not told by variables of the shell what exec does or which world there is', async () => {
    const found = await environmentOf([], { SANDBOX_ENV: 'production', SANDBOX_WORLD: 'other' })
    expect(found).toMatchObject({ SANDBOX_ENV: 'production', SANDBOX_WORLD: 'default' })
  })

  test('in the image finds the server at the port whose health is asked, unless somebody has it', async () => {
    const free = createServer()
    await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve))
    const port = String((free.address() as AddressInfo).port)
    const image = { SANDBOX_IMAGE: '1', SANDBOX_PORT: port }
    expect((await environmentOf([], image))['SANDBOX_URL']).not.toContain(port)
    await new Promise((resolve) => free.close(resolve))
    expect((await environmentOf([], image))['SANDBOX_URL']).toBe(`http://127.0.0.1:${port}`)
  })

  test('reaches the server and every verb of ours, without being told where', async () => {
    const script = `const { spawnSync } = require('node:child_process')
      const [, program] = JSON.parse(process.env.OURS)
      const { stdout } = spawnSync(process.execPath, [program, 'advance', '31m', '--json'])
      console.log(String(stdout))`
    const ours = JSON.stringify((run(['--version']).child as { spawnargs: string[] }).spawnargs)
    const args = ['exec', '--clock', '2030-01-01', '--env', `OURS=${ours}`, ...node(script)]
    const { stdout } = await run(args).ended
    expect(JSON.parse(stdout)).toMatchObject({ to: '2030-01-01T00:31:00.000Z' })
  })

  test('gets a free port also where the environment names one that is taken', async () => {
    const { told } = await started()
    const { port } = new URL(told.url)
    const found = await environmentOf([], { SANDBOX_PORT: port, SANDBOX_HOST: '0.0.0.0' })
    expect(new URL(found['SANDBOX_URL'] ?? '').port).not.toBe(port)
    expect(await refusal(['exec', '--port', port, ...PRINT_ENVIRONMENT])).toContain('in use')
  })

  test('has our input and output to itself', async () => {
    const { child, ended } = run(['exec', ...node('process.stdin.pipe(process.stdout)')])
    child.stdin?.end('just this')
    expect(await ended).toMatchObject({ code: 0, stdout: 'just this', stderr: '' })
  })
})

describe.concurrent('exec ends', { timeout: PATIENCE_MS }, () => {
  test.each([
    ['false', ['--', 'false'], 1],
    ['true', ['--', 'true'], 0],
    ['a command with a code of its own', node('process.exit(42)'), 42],
  ])('with the exit code of %s', async (_name, command, code) => {
    expect(await run(['exec', ...command]).ended).toEqual({ code, signal: null, stdout: '', stderr: '' })
  })

  test.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)('by %s when its command did', async (signal) => {
    const command = node(`process.kill(process.pid, '${signal}'); setInterval(() => undefined, 1e6)`)
    expect(await run(['exec', ...command]).ended).toMatchObject({ code: null, signal })
  })

  test('with 127 and one line when there is no such command', async () => {
    const { code, stdout, stderr } = await run(['exec', '--', 'no-such-command-anywhere']).ended
    expect([code, stdout]).toEqual([127, ''])
    expect(stderr).toMatch(/^gateway-sandbox: [^\n]*no-such-command-anywhere[^\n]*\n$/)
  })

  test('with 126 and one line when the command cannot be run', async () => {
    const { code, stderr } = await run(['exec', '--', '/']).ended
    expect(code).toBe(126)
    expect(stderr).toMatch(/^gateway-sandbox: [^\n]*EACCES[^\n]*\n$/)
  })

  test.each(['SIGTERM', 'SIGINT'] as const)(
    'when its command wants to, after passing %s on',
    async (signal) => {
      const { child, pid, url, lines, ended } = await staying()
      child.kill(signal)
      expect((await lines(2))[1]).toBe(signal)
      expect(await answers(url)).toBe(true)
      process.kill(pid, 'SIGKILL')
      expect(await ended).toMatchObject({ code: null, signal: 'SIGKILL' })
      expect(await answers(url)).toBe(false)
    },
  )

  test('and takes its command along even when it is killed', async () => {
    const { child, url, ended } = await staying()
    child.kill('SIGKILL')
    // The command holds our output open: this resolves only once it is gone as well.
    expect((await ended).signal).toBe('SIGKILL')
    expect(await answers(url)).toBe(false)
  })

  test.runIf(SEES_PROCESSES)('and takes along what its command started when it is killed', async () => {
    const inner = 'setInterval(() => undefined, 1e6); console.log(process.pid)'
    const script = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(inner)}], { stdio: 'inherit' })
      setInterval(() => undefined, 1e6)`
    const { child, lines, ended } = run(['exec', ...node(script)])
    await lines(1)
    child.kill('SIGKILL')
    expect((await ended).signal).toBe('SIGKILL')
  })

  test.runIf(SEES_PROCESSES)('without leaving its guard behind', async () => {
    const { pid, ended } = await staying()
    const guards = (): string[] => {
      const { stdout } = spawnSync('ps', ['-A', '-o', 'stat=,args='], { encoding: 'utf8' })
      return stdout.split('\n').filter((line) => !line.startsWith('Z') && line.endsWith(`guard ${pid}`))
    }
    expect(guards()).toHaveLength(1)
    process.kill(pid, 'SIGKILL')
    await ended
    // It was killed, which the system carries out when it comes to it.
    let left = guards()
    while (left.length > 0) left = guards()
    expect(left).toEqual([])
  })
})

describe.concurrent('exec refuses', { timeout: PATIENCE_MS }, () => {
  test.each([
    [['exec'], '--'],
    [['exec', '--'], '--'],
    [['exec', 'true'], 'exec -- true.'],
    [['exec', 'npm', 'test'], 'needs -- before its command, such as: gateway-sandbox exec -- npm test.'],
    [['exec', 'npm', '--help'], 'exec -- npm --help.'],
    [['exec', '--clock', 'frozen', 'npm'], 'needs -- before its command'],
    [['exec', '--env', 'GATEWAY', '--', 'true'], 'NAME=TEXT'],
    [['exec', '--env', 'GATEWAY={uri}', '--', 'true'], '{url} {publicKey} {secretKey} {world}'],
    [['exec', '--clock', 'noon', '--', 'true'], '--clock'],
    [['exec', '--envs', 'A=b', '--', 'true'], "Did you mean '--env'?"],
    [['exec', '--fsync', '--', 'true'], '--fsync goes with --data FILE'],
    [['exec', '--silences', '{"XX-99":1}', '--', 'true'], '--silences'],
    [['guard', 'x'], 'exec'],
  ])('%j', async (args, hint) => {
    expect(await refusal(args)).toContain(hint)
  })

  test('nothing that asks for help', async () => {
    const { code, stdout } = await run(['exec', '--help']).ended
    expect(code).toBe(0)
    for (const part of ['--env', '{publicKey}', '127', 'Example: ', 'SANDBOX_PORT is not read here']) {
      expect(stdout).toContain(part)
    }
  })
})
