// Finds the tools of a machine that some tests use besides Node, and says visibly what is left out without them.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mountSmallDisk, unmountSmallDisk } from './smallDisk.ts'

/**
 * Whether all tools are there. Without one it prints a line that says what is left out; with REQUIRE_ALL=1, as in CI, it
 * fails instead.
 */
export function hasTools(purpose: string, ...tools: string[]): boolean {
  return isComplete(
    purpose,
    tools.filter((tool) => spawnSync(tool, ['--version']).error !== undefined),
  )
}

/** Whether a container engine answers, with the same consequences. A client on its own is none. */
export function hasEngine(purpose: string): boolean {
  const { status } = spawnSync('docker', ['version', '--format', '{{.Server.Version}}'])
  return isComplete(purpose, status === 0 ? [] : ['container engine that answers'])
}

/** The browser that tests drive: Debian's Chromium, or the one that CHROMIUM names. */
export const BROWSER = process.env['CHROMIUM'] ?? '/usr/bin/chromium'

/** Whether a browser is there, with the same consequences. */
export function hasBrowser(purpose: string): boolean {
  return isComplete(purpose, existsSync(BROWSER) ? [] : [BROWSER])
}

/** Whether small disks can be made, which takes the right to mount, with the same consequences. */
export function hasSmallDisks(purpose: string): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-sandbox-mount-'))
  const isMade = mountSmallDisk(folder, 'size=64k')
  if (isMade) unmountSmallDisk(folder)
  rmdirSync(folder)
  return isComplete(purpose, isMade ? [] : ['right to mount'])
}

function isComplete(purpose: string, missing: string[]): boolean {
  if (missing.length === 0) return true
  const line = `left out: ${purpose}, because this machine has no ${missing.join(', ')}`
  if (process.env['REQUIRE_ALL'] === '1') throw new Error(line)
  process.stderr.write(`${line}\n`)
  return false
}
