// Owns the guard of `exec`: a process that ends the command when `exec` was killed and could not do it itself.
import { spawn, spawnSync } from 'node:child_process'
import { UsageError } from './usage.ts'

/** Host time for the command to end by itself before it is killed, in milliseconds. */
const GRACE_MS = 500

/** A guard at work. */
export interface Guard {
  /** The command has ended; nothing is left to guard. */
  end(): void
}

/**
 * Guards a command: starts this program once more, which waits until our end of its input closes, however we end.
 * In a session of its own, so that what a terminal sends to all of us does not end it first.
 */
export function startGuard(pid: number): Guard {
  const [, program = ''] = process.argv
  const watcher = spawn(process.execPath, [...process.execArgv, program, 'guard', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    windowsHide: true,
  })
  // A command without a guard is better than none.
  watcher.on('error', () => undefined)
  watcher.stdin.on('error', () => undefined)
  return { end: () => void watcher.kill('SIGKILL') }
}

/** Runs `guard`: waits for the end of standard input, and then ends a process and all that it started. */
export async function guard([pid = '']: string[]): Promise<void> {
  if (!/^[1-9]\d*$/.test(pid)) throw new UsageError('guard is started by exec; there is no use for it alone.')
  process.stdin.resume()
  await new Promise((resolve) => process.stdin.on('close', resolve))
  const all = [Number(pid), ...startedBy(Number(pid))]
  for (const each of all) end(each, 'SIGTERM')
  // Nothing else happens in this process, so it may stand still.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, GRACE_MS)
  for (const each of all) end(each, 'SIGKILL')
}

/** The processes that a process started, and those that they started; none where the system has no `ps`. */
function startedBy(root: number): number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  const parents = ((stdout as string | null) ?? '')
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
  const found: number[] = [root]
  for (const parent of found) {
    for (const [pid = 0, of] of parents) if (of === parent && !found.includes(pid)) found.push(pid)
  }
  return found.slice(1)
}

function end(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended already.
  }
}
