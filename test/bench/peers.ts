// Owns the servers that are measured beside the sandbox: how each is installed, and told to answer a POST and a GET of JSON.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { AddressInfo } from 'node:net'

/** What every peer is to answer: the sandbox's own answers. */
export interface PeerAnswers {
  post: unknown
  get: unknown
}

/** Where each peer answers. */
export const PEER_PATHS = { post: '/transactions', get: '/transactions/one' } as const

/** A server of another package. */
export interface Peer {
  package: string
  version: string
  /** Its command in `node_modules/.bin`. */
  command: string
  /** What of it is measured, where that differs from what the sandbox does. */
  remark?: string
  /** Writes its file and answers the words of its command. */
  prepare(file: string, port: number, answers: PeerAnswers): Promise<string[]>
  /** Told once it answers, where its file is not enough; answers the port to call. */
  tell?(port: number, answers: PeerAnswers): Promise<number>
}

const JSON_HEADERS = { 'Content-Type': 'application/json' }
const HOST = '127.0.0.1'

/** An operation of an OpenAPI document that takes JSON, and has an example as its answer. */
function example(status: string, value: unknown): Record<string, unknown> {
  return {
    responses: { [status]: { description: 'ok', content: { 'application/json': { example: value } } } },
  }
}

/** One route of a Mockoon environment. Its ids only have to differ. */
function mockRoute(number: number, method: string, endpoint: string, body: unknown): Record<string, unknown> {
  const id = (kind: number): string => `00000000-0000-4000-8000-00000000${kind}00${number}`
  const response = {
    uuid: id(1),
    statusCode: method === 'post' ? 201 : 200,
    headers: [{ key: 'Content-Type', value: 'application/json' }],
    body: JSON.stringify(body),
    bodyType: 'INLINE',
    disableTemplating: true,
    default: true,
    latency: 0,
    rules: [],
  }
  return { uuid: id(2), type: 'http', method, endpoint: endpoint.slice(1), responses: [response] }
}

/** The peers, newest versions of this day. */
export const PEERS: readonly Peer[] = [
  {
    package: 'json-server',
    version: '0.17.4',
    command: 'json-server',
    remark: 'stores what is posted',
    async prepare(file, port, { get }) {
      await writeFile(file, JSON.stringify({ transactions: [{ ...(get as object), id: 'one' }] }))
      return ['--quiet', '--host', HOST, '--port', String(port), file]
    },
  },
  {
    package: '@mockoon/cli',
    version: '9.9.0',
    command: 'mockoon-cli',
    async prepare(file, port, { post, get }) {
      const routes = [
        mockRoute(1, 'post', PEER_PATHS.post, post),
        mockRoute(2, 'get', `${PEER_PATHS.post}/:id`, get),
      ]
      const rootChildren = routes.map(({ uuid }) => ({ type: 'route', uuid }))
      const uuid = '00000000-0000-4000-8000-000000000000'
      const facts = { uuid, name: 'bench', lastMigration: 33, port, hostname: HOST, routes, rootChildren }
      await writeFile(file, JSON.stringify(facts))
      return ['start', '--data', file, '--port', String(port), '--disable-log-to-file']
    },
  },
  {
    package: '@stoplight/prism-cli',
    version: '5.16.0',
    command: 'prism',
    async prepare(file, port, { post, get }) {
      const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }]
      const paths = {
        [PEER_PATHS.post]: {
          post: { ...example('201', post), requestBody: { content: { 'application/json': {} } } },
        },
        [`${PEER_PATHS.post}/{id}`]: { parameters, get: example('200', get) },
      }
      const info = { title: 'bench', version: '1' }
      await writeFile(file, JSON.stringify({ openapi: '3.1.0', info, paths }))
      return ['mock', file, '--host', HOST, '--port', String(port), '--verboseLevel', 'warn']
    },
  },
  {
    package: 'mountebank',
    version: '2.9.1',
    command: 'mb',
    prepare: (file, port) =>
      Promise.resolve([
        ...['start', '--host', HOST, '--port', String(port), '--nologfile', '--loglevel', 'warn'],
        ...['--pidfile', `${file}.pid`],
      ]),
    async tell(port, { post, get }) {
      const served = await freePort()
      const headers = { ...JSON_HEADERS, Connection: 'keep-alive' }
      const isPost = [{ equals: { method: 'POST' } }]
      const stubs = [
        { predicates: isPost, responses: [{ is: { statusCode: 201, headers, body: post } }] },
        { responses: [{ is: { headers, body: get } }] },
      ]
      const body = JSON.stringify({ port: served, protocol: 'http', stubs })
      const { status } = await fetch(`http://${HOST}:${port}/imposters`, {
        method: 'POST',
        headers: JSON_HEADERS,
        body,
      })
      if (status !== 201) throw new Error(`mountebank answered ${status}`)
      return served
    },
  },
]

/** Installs a peer into a folder outside the project, unless it is there from an earlier run, and answers the folder. */
async function install({ package: name, version }: Peer): Promise<string> {
  const folder = join(tmpdir(), 'gateway-sandbox-bench-peers', `${name.replaceAll(/\W/g, '-')}-${version}`)
  if (existsSync(join(folder, 'node_modules', name, 'package.json'))) return folder
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), '{}\n')
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts']
  await promisify(execFile)('npm', ['install', `${name}@${version}`, ...flags], {
    cwd: folder,
    timeout: INSTALL_MS,
  })
  return folder
}

/** How long npm may take to install one peer, and how long a peer may take until it answers, in milliseconds. */
const INSTALL_MS = 180_000
const READY_MS = 60_000

async function freePort(): Promise<number> {
  const server = createServer().listen(0, HOST)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** A peer that answers. */
export interface RunningPeer extends AsyncDisposable {
  url: string
}

/**
 * Installs and starts a peer, and resolves once it answers.
 * @throws {Error} when it cannot be installed, or ends or stays silent instead of answering
 */
export async function startPeer(peer: Peer, answers: PeerAnswers): Promise<RunningPeer> {
  const installed = await install(peer)
  const folder = await mkdtemp(join(tmpdir(), 'gateway-sandbox-bench-peer-'))
  const port = await freePort()
  const words = await peer.prepare(join(folder, 'peer.json'), port, answers)
  const child = spawn(join(installed, 'node_modules/.bin', peer.command), words, {
    cwd: folder,
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  const end = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill()
      await ended
    }
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const until = performance.now() + READY_MS
    while (!(await answersAt(`http://${HOST}:${port}`))) {
      if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode} instead of answering`)
      if (performance.now() > until) throw new Error(`it did not answer in ${READY_MS / 1_000} s`)
    }
    const served = (await peer.tell?.(port, answers)) ?? port
    return { url: `http://${HOST}:${served}`, [Symbol.asyncDispose]: end }
  } catch (error) {
    await end()
    throw error
  }
}

/** Whether anything answers at an address. */
async function answersAt(url: string): Promise<boolean> {
  try {
    await (await fetch(url)).arrayBuffer()
    return true
  } catch {
    return false
  }
}
