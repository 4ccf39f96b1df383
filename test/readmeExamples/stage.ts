// Owns the scratch folders in which examples run: the package, built from the work tree, is installed in each.
import { chmod, cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { INSTALL_MS, run } from '../package/pack.ts'
import type { Ended } from '../package/pack.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/** What is installed beside the package. */
export interface Beside {
  /** Packages that this project has, such as `vitest`. */
  ours?: readonly string[]
  /** What npm installs, such as `jest@30`. */
  fromNpm?: readonly string[]
}

/** Scratch folders with the built package. */
export interface Stage {
  /** Makes a folder with some files, in which the package is installed beside some others, and answers its path. */
  folder(files: Readonly<Record<string, string>>, beside?: Beside): Promise<string>
  /** Removes everything again. */
  remove(): Promise<void>
}

/** Runs lines of a shell in a folder, until one fails. */
export function shell(folder: string, lines: string, timeoutMs?: number): Promise<Ended> {
  return run(folder, ['bash', '-euo', 'pipefail', '-c', lines], {}, timeoutMs)
}

async function install(folder: string, packages: readonly string[]): Promise<void> {
  const command = ['npm', 'install', ...packages, '--prefer-offline', '--no-audit', '--no-fund']
  const { code, stdout, stderr } = await run(folder, command, {}, INSTALL_MS)
  if (code !== 0) throw new Error(`npm cannot install ${packages.join(' ')}.\n${stdout}${stderr}`)
}

/** Builds the package. Apart from `dist`, which may be stale or be written by somebody else just now. */
export async function openStage(): Promise<Stage> {
  const top = await mkdtemp(join(tmpdir(), 'gateway-sandbox-readme-'))
  const built = join(top, 'package')
  await mkdir(built)
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
  const { code, stdout } = await run(ROOT, [
    process.execPath,
    compiler,
    '-p',
    'src',
    '--outDir',
    join(built, 'dist'),
  ])
  if (code !== 0) throw new Error(`the package does not build.\n${stdout}`)
  await cp(join(ROOT, 'package.json'), join(built, 'package.json'))
  await chmod(join(built, 'dist/cli/main.js'), 0o755)
  let made = 0

  return {
    async folder(files, { ours = [], fromNpm = [] } = {}) {
      made += 1
      const folder = join(top, `example-${made}`)
      const modules = join(folder, 'node_modules')
      await mkdir(join(modules, '.bin'), { recursive: true })
      await writeFile(join(folder, 'package.json'), '{}\n')
      // First: npm removes what it does not know.
      if (fromNpm.length > 0) await install(folder, fromNpm)
      await cp(built, join(modules, 'gateway-sandbox'), { recursive: true })
      await symlink(join(ROOT, 'node_modules'), join(modules, 'gateway-sandbox/node_modules'))
      await symlink('../gateway-sandbox/dist/cli/main.js', join(modules, '.bin/gateway-sandbox'))
      for (const name of ours) {
        await symlink(join(ROOT, 'node_modules', name), join(modules, name))
        await cp(join(ROOT, 'node_modules/.bin', name), join(modules, '.bin', name), {
          verbatimSymlinks: true,
        }).catch(() => undefined)
      }
      for (const [name, text] of Object.entries(files)) {
        await mkdir(dirname(join(folder, name)), { recursive: true })
        await writeFile(join(folder, name), text)
      }
      return folder
    },
    remove: () => rm(top, { recursive: true, force: true }),
  }
}
