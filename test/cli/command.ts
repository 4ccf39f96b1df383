// Builds the command for the tests of one file, and runs it as a process.
import { execFile, spawn } from 'node:child_process'
import { copyFile, mkdtemp, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect } from 'vitest'
import type { ChildProcess } from 'node:child_process'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Host time for building and for starting a process on a busy machine, in milliseconds. */
export const PATIENCE_MS = 120_000

/** How a process ended, and all that it wrote. */
export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

/** A process at work. */
export interface Running {
  child: ChildProcess
  /** The first lines of standard output, as many as are asked for. */
  lines(count: number): Promise<string[]>
  /** Resolves once standard error says something that fits. */
  complains(pattern: RegExp): Promise<void>
  ended: Promise<Ended>
}

/** What `start --json` tells. */
export interface Told {
  id: string
  url: string
  control: string
  publicKey: string
  secretKey: string
  clock: { mode: string; now: string; rate: number }
  dashboard: string | null
  version: string
}

/** The built command. */
export interface BuiltCommand {
  /** Runs the command. Of the environment it sees what is needed to run, and what is given. */
  run(args: string[], environment?: Record<string, string>): Running
  /** Starts a server; resolves with what its line for machines says, once it listens. */
  started(args?: string[], environment?: Record<string, string>): Promise<Running & { told: Told }>
  /** What wrong usage writes: one clear line on standard error, and nothing else. */
  refusal(args: string[], environment?: Record<string, string>): Promise<string>
}

/** Builds the command before the tests of a file, and ends and removes everything after them. */
export function builtCommand(): BuiltCommand {
  let folder = ''
  const running: ChildProcess[] = []

  // Built apart from `dist`, which may be stale or be written by somebody else just now.
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gateway-sandbox-cli-'))
    const typescript = createRequire(import.meta.url).resolve('typescript/package.json')
    const compiler = join(dirname(typescript), 'bin/tsc')
    const args = [compiler, '-p', 'src', '--outDir', join(folder, 'dist')]
    await promisify(execFile)(process.execPath, args, { cwd: ROOT })
    await copyFile(join(ROOT, 'package.json'), join(folder, 'package.json'))
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction')
  }, PATIENCE_MS)

  // Tests run together, so what one of them leaves running is ended only after all.
  afterAll(async () => {
    for (const child of running) child.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })

  function run(args: string[], environment: Record<string, string> = {}): Running {
    const env = { PATH: process.env['PATH'] ?? '', ...environment }
    const child = spawn(process.execPath, [join(folder, 'dist/cli/main.js'), ...args], { env, cwd: folder })
    running.push(child)
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString()
    })
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString()
    })
    const ended = new Promise<Ended>((resolve) => {
      child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }))
    })
    const input = createInterface({ input: child.stdout })
    const read: string[] = []
    input.on('line', (line) => read.push(line))
    const until = (done: () => boolean, on: (look: () => void) => void): Promise<void> =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (done()) resolve()
        }
        on(look)
        look()
        void ended.then(() => reject(new Error(`ended before it said so: ${stdout}${stderr}`)))
      })
    return {
      child,
      ended,
      async lines(count) {
        await until(
          () => read.length >= count,
          (look) => input.on('line', look),
        )
        return read.slice(0, count)
      },
      complains: (pattern) =>
        until(
          () => pattern.test(stderr),
          (look) => child.stderr.on('data', look),
        ),
    }
  }

  return {
    run,
    async started(args = [], environment = {}) {
      const server = run(['start', '--json', '--port', '0', ...args], environment)
      const [line = ''] = await server.lines(1)
      return { ...server, told: JSON.parse(line) as Told }
    },
    async refusal(args, environment = {}) {
      const command = run(args, environment)
      // What should refuse and serves instead would never end by itself.
      void command.lines(1).then(
        () => command.child.kill('SIGKILL'),
        () => undefined,
      )
      const { code, stdout, stderr } = await command.ended
      expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: '' })
      expect(stderr).toMatch(/^gateway-sandbox: [^\n]+\n$/)
      return stderr
    },
  }
}
