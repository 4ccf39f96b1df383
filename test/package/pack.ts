// Owns the package as merchants get it: packed once for a test file, and installed with npm into scratch projects.
import { execFile, spawnSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }

const ROOT = resolve(import.meta.dirname, '../..')
/** What the package is made of. Other people may build in the folder of the project meanwhile, so it is made of a copy. */
const INGREDIENTS = ['package.json', 'tsconfig.json', 'src', 'README.md', 'README.pt-BR.md', 'LICENSE']

/** How long npm may take to pack or to install on a busy machine, in milliseconds. */
export const INSTALL_MS = 240_000
/** How long any program of a scratch project may run before it is killed, in milliseconds. */
const RUN_MS = 60_000
/** How long a test of such a program may take: a kill is seen before the test is over. */
export const TEST_MS = RUN_MS + 15_000

/** How a program ended. */
export interface Ended {
  /** Null when it was killed because its time was over. */
  code: number | null
  stdout: string
  stderr: string
}

/** Nothing of the test runner, of the npm that started it, or of a sandbox around it; a merchant's shell has none of that. */
function shell(extra: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const ours =
    /^(?:npm_(?:package|lifecycle|config_(?:local_)?prefix|command|execpath)|VITEST|SANDBOX_|NODE_(?:ENV|OPTIONS|PATH)$|TEST$|INIT_CWD$)/i
  const inherited = Object.entries(process.env).filter(([name]) => !ours.test(name))
  return { ...Object.fromEntries(inherited), ...extra }
}

/** Runs a program to its end. */
export async function run(
  folder: string,
  [command = '', ...args]: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  timeout = RUN_MS,
): Promise<Ended> {
  return new Promise((settle) => {
    const options = { cwd: folder, env: shell(environment), timeout, maxBuffer: 64 * 1024 * 1024 }
    execFile(command, args, options, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code
      settle({ code: typeof code === 'number' ? code : null, stdout, stderr })
    })
  })
}

/** Runs npm and answers what it printed; fails with what it complained of. */
async function npm(folder: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(folder, ['npm', ...args], {}, INSTALL_MS)
  if (code !== 0) throw new Error(`npm ${args.join(' ')} ended with ${code}.\n${stdout}${stderr}`)
  return stdout
}

/**
 * Whether npm's registry answers. Without it one line says what is left out; with REQUIRE_ALL=1, as in CI, it fails instead.
 */
export function hasRegistry(purpose: string): boolean {
  const look = ['view', `hono@${packageJson.dependencies.hono}`, 'version', '--prefer-online']
  const patience = ['--fetch-retries=2', '--fetch-retry-mintimeout=500', '--fetch-timeout=15000']
  if (spawnSync('npm', [...look, ...patience], { cwd: tmpdir(), env: shell({}) }).status === 0) return true
  const line = `left out: ${purpose}, because npm's registry does not answer on this machine`
  if (process.env['REQUIRE_ALL'] === '1') throw new Error(line)
  process.stderr.write(`${line}\n`)
  return false
}

/** One file of the package. */
export interface PackedFile {
  /** Within the package. */
  path: string
  /** Bytes. */
  size: number
}

/** What a scratch project begins with. */
export interface Scratch {
  /** Texts by path. */
  files?: Readonly<Record<string, string>>
  /** What npm installs beside the package, such as `typescript@5.9`. */
  beside?: readonly string[]
  /** Whether the package is installed; true when left out. */
  installed?: boolean
}

/** The packed package, and the projects that tests of one file made with it. */
export interface Packed {
  /** Path of the archive. */
  tarball: string
  files: PackedFile[]
  /** Bytes of all files. */
  unpackedSize: number
  /** Makes a project in a folder of its own, and answers the folder. */
  project(scratch?: Scratch): Promise<string>
  /** Removes everything again. */
  remove(): Promise<void>
}

/** Builds and packs the package from the work tree. */
export async function packPackage(): Promise<Packed> {
  const top = await mkdtemp(join(tmpdir(), 'gateway-sandbox-pack-'))
  const source = join(top, 'source')
  await mkdir(source)
  for (const name of INGREDIENTS) {
    if (existsSync(join(ROOT, name))) await cp(join(ROOT, name), join(source, name), { recursive: true })
  }
  await symlink(join(ROOT, 'node_modules'), join(source, 'node_modules'))
  // Packing builds, by the script `prepare`; what the build prints comes before the answer.
  const printed = await npm(source, 'pack', '--json', '--pack-destination', top)
  const [packed] = JSON.parse(printed.slice(printed.search(/^\[/m))) as {
    filename: string
    files: PackedFile[]
    unpackedSize: number
  }[]
  if (packed === undefined) throw new Error(`npm pack answered ${printed}`)
  const tarball = join(top, packed.filename)
  let made = 0

  return {
    tarball,
    files: packed.files,
    unpackedSize: packed.unpackedSize,
    async project({ files = {}, beside = [], installed = true } = {}) {
      made += 1
      const folder = join(top, `project-${made}`)
      await mkdir(folder)
      for (const [path, text] of Object.entries(files)) {
        await mkdir(dirname(join(folder, path)), { recursive: true })
        await writeFile(join(folder, path), text)
      }
      const wanted = [...(installed ? [tarball] : []), ...beside]
      if (wanted.length > 0) {
        // Without a file of its own npm would look for a project in the folders above.
        if (files['package.json'] === undefined) await writeFile(join(folder, 'package.json'), '{}\n')
        await npm(folder, 'install', ...wanted, '--prefer-offline', '--no-audit', '--no-fund')
      }
      return folder
    },
    remove: () => rm(top, { recursive: true, force: true }),
  }
}

/** Reads files of a folder of this project, by their names. */
export async function readFiles(
  folder: string,
  ...names: readonly string[]
): Promise<Record<string, string>> {
  const texts = names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const)
  return Object.fromEntries(await Promise.all(texts))
}
