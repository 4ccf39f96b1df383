// Owns what every group of a run is given: the measured package, the sizes, and where to tell what is being done.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import packageJson from '../../package.json' with { type: 'json' }
import { startProgram } from './program.ts'
import type { Program } from './program.ts'
import type { SandboxOrders } from './programs/sandbox.ts'
import type { Sizes } from './sizes.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/** One run of the bench. */
export interface Bench {
  /** A project in which the package is installed; this one counts as such. */
  folder: string
  /** The measured package. */
  package: string
  sizes: Sizes
  /** Whether containers may be started. */
  containers: boolean
  /** Tells a person what a run does or leaves out. */
  note(text: string): void
}

/** Where the package is that a project has installed. */
export function packageIn(folder: string): string {
  return folder === ROOT ? ROOT : join(folder, 'node_modules', packageJson.name)
}

/** Runs a script as a program of its own in the measured project, and answers what it printed. */
export async function evaluate({ folder }: Bench, script: string): Promise<string> {
  const args = ['--input-type=module', '-e', script]
  return (await promisify(execFile)(process.execPath, args, { cwd: folder })).stdout
}

/** How long the command takes from its start to its line, in milliseconds; it is ended again. */
export async function processToReady(bench: Bench, ...flags: string[]): Promise<number> {
  const began = performance.now()
  const command = join(bench.package, packageJson.bin['gateway-sandbox'])
  const args = [command, 'start', '--port', '0', '--json', ...flags]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  const ready = once(createInterface({ input: child.stdout }), 'line').then(() => performance.now() - began)
  const took = await Promise.race([ready, ended.then(() => null)])
  child.kill()
  await ended
  if (took === null) throw new Error('the command ended before it was ready')
  return took
}

/** The whole life of the least that Node can run, in milliseconds. */
export async function emptyProgram({ folder }: Bench): Promise<number> {
  const began = performance.now()
  await promisify(execFile)(process.execPath, ['-e', ''], { cwd: folder })
  return performance.now() - began
}

/** What figures of time stand beside. */
export const EMPTY_PROGRAM = '`node -e ""`'

/** A sandbox of the measured package in a process of its own. */
export type SandboxProgram = Program<SandboxOrders>

/** Starts a sandbox of the measured package in a process of its own; it serves once it is told to. */
export function sandboxProgram(bench: Bench): SandboxProgram {
  return startProgram<SandboxOrders>('sandbox', bench.package)
}
