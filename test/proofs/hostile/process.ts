// Owns the server as a process of its own: started, counted and looked at from outside, and told to end.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { Target } from './clientChecks.ts'

const COMMAND = resolve(import.meta.dirname, '../../../src/cli/main.ts')

/** A server in a process. */
export interface ServerProcess extends Target, AsyncDisposable {
  /** How it ended; waits for it. */
  exitCode(): Promise<number | null>
  /** What it wrote to standard error. */
  complaints(): string
  /** The most memory that it used, in MiB; null where the system does not tell. */
  peakMebibytes(): number | null
}

/** Open files that a process may have here. */
export function openFilesAllowed(): number {
  const { stdout } = spawnSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' })
  const allowed = Number(stdout)
  return Number.isNaN(allowed) ? Number.POSITIVE_INFINITY : allowed
}

/** Starts a server as people do, from the sources. `trusted` is a root certificate for its receivers; `args` go to `start`. */
export async function startProcess({
  trusted,
  args = [],
}: { trusted?: string; args?: readonly string[] } = {}): Promise<ServerProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-sandbox-hostile-'))
  const root = join(folder, 'root.pem')
  if (trusted !== undefined) writeFileSync(root, trusted)
  const child = spawn(
    process.execPath,
    [
      '--import',
      import.meta.resolve('tsx'),
      COMMAND,
      'start',
      '--json',
      '--port',
      '0',
      '--clock',
      'frozen',
      ...args,
    ],
    {
      env: { ...process.env, ...(trusted === undefined ? {} : { NODE_EXTRA_CA_CERTS: root }) },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let complaints = ''
  let peak: number | null = null
  child.stderr.on('data', (chunk: Buffer) => {
    complaints += chunk.toString()
  })
  const exit = once(child, 'exit').then(([code]) => code as number | null)
  const line = once(createInterface({ input: child.stdout }), 'line').then(([text]) => String(text))
  const told = await Promise.race([line, exit])
  if (typeof told !== 'string') throw new Error(`the server did not start: ${complaints}`)
  const { url } = JSON.parse(told) as { url: string }
  const look = (): void => {
    const now = peakOf(child.pid ?? 0)
    if (now !== null) peak = Math.max(peak ?? 0, now)
  }
  return {
    url: new URL(url).origin,
    sockets() {
      look()
      return socketsOf(child.pid ?? 0)
    },
    async end() {
      look()
      child.kill('SIGTERM')
      await exit
    },
    exitCode: () => exit,
    complaints: () => complaints,
    peakMebibytes: () => peak,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null) child.kill('SIGKILL')
      await exit
      rmSync(folder, { recursive: true })
    },
  }
}

/** Sockets that a process holds; null where the system does not tell. */
export function socketsOf(pid: number): number | null {
  try {
    const folder = `/proc/${pid}/fd`
    return readdirSync(folder).filter((file) => isSocket(join(folder, file))).length
  } catch {
    return null
  }
}

function isSocket(file: string): boolean {
  try {
    return readlinkSync(file).startsWith('socket:')
  } catch {
    return false
  }
}

/** The most memory that a process used, in MiB; null where the system does not tell. */
export function peakOf(pid: number): number | null {
  try {
    const [, kibibytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return kibibytes === undefined ? null : Math.round(Number(kibibytes) / 1_024)
  } catch {
    return null
  }
}
