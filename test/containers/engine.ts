// Owns what tests ask of the container engine: building the image, running containers of it, and ending them.
import { execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import packageJson from '../../package.json' with { type: 'json' }

const ROOT = resolve(import.meta.dirname, '../..')

/** The base that the Dockerfile names by itself. */
export const BASE_IMAGE =
  /^ARG NODE_IMAGE=(\S+)$/m.exec(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'))?.[1] ?? ''

/** How long the engine may take to build on a busy machine, and to do anything else, in milliseconds. */
export const BUILD_MS = 600_000
/** @see BUILD_MS */
export const PATIENCE_MS = 60_000

/** Gives one command to the engine and answers what it printed; fails with what it complained of. */
export async function docker(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('docker', args, { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 })
  return stdout.trim()
}

/** The exit code of a command that runs in a container. */
export async function exitCodeIn(container: string, ...command: string[]): Promise<number | null> {
  const child = spawn('docker', ['exec', container, ...command], { stdio: 'ignore' })
  return new Promise((settle, reject) => child.on('error', reject).on('close', settle))
}

/** What the engine knows of an image or a container, at a path such as `.Config.User`. */
export async function inspect(subject: string, path: string): Promise<unknown> {
  return JSON.parse(await docker('inspect', '--format', `{{json ${path}}}`, subject)) as unknown
}

/**
 * Builds the image from the work tree and answers its id. The engine builds again only what changed; the tag is there so
 * that people can find it and clean up.
 */
export async function buildImage(): Promise<string> {
  const version = `VERSION=${packageJson.version}`
  return docker('build', '--quiet', '--tag', 'gateway-sandbox:test', '--build-arg', version, '.')
}

/** The first line of what a command of the engine goes on printing. */
async function firstLine(...args: string[]): Promise<string> {
  const child = spawn('docker', args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let complaints = ''
  child.stderr.on('data', (chunk: Buffer) => {
    complaints += chunk.toString()
  })
  try {
    for await (const line of createInterface({ input: child.stdout })) return line
    throw new Error(`docker ${args.join(' ')} ended without a line.\n${complaints}`)
  } finally {
    child.kill()
  }
}

/** Containers of one test file. */
export interface Containers {
  /** Runs one in the background with these options of `docker run`; resolves once it said that it listens. */
  start(image: string, ...options: string[]): Promise<string>
  /** Ends and removes all of them. */
  remove(): Promise<void>
}

/** Nothing runs yet. */
export function containers(): Containers {
  const started: string[] = []
  return {
    async start(image, ...options) {
      const id = await docker('run', '--detach', ...options, image)
      started.push(id)
      await firstLine('logs', '--follow', id)
      return id
    },
    async remove() {
      if (started.length > 0) await docker('rm', '--force', '--volumes', ...started)
    },
  }
}

/** Where a published port of a container is reached from here. */
export async function urlOf(container: string, port: number): Promise<string> {
  const [address = ''] = (await docker('port', container, `${port}/tcp`)).split('\n')
  return `http://${address}`
}

/** The first verdict of the engine on the health of a container, however long ago. */
export async function firstVerdict(container: string): Promise<string> {
  const created = String(await inspect(container, '.Created'))
  const filters = ['--filter', `container=${container}`, '--filter', 'event=health_status']
  const action = await firstLine('events', '--since', created, ...filters, '--format', '{{.Action}}')
  return action.replace('health_status: ', '')
}
