// Owns the sandbox as test code holds it: started in this process, or connected to a running server.
import { createCaller } from './client/call.ts'
import { SandboxError } from './client/errors.ts'
import { infoOf } from './client/info.ts'
import { networkFetch } from './client/network.ts'
import { createWorldHandle } from './client/world.ts'
import { closest } from './kernel/closest.ts'
import { SECOND } from './kernel/time.ts'
import { playText } from './scenario/play.ts'
import { startServer } from './server.ts'
import { parseClockStart } from './world/clockStart.ts'
import { DataError } from './world/dataError.ts'
import { readText } from './world/disk.ts'
import { Misuse } from './world/misuse.ts'
import type { ControlCaller, RouteAnswer } from './client/call.ts'
import type { SandboxWorld, WorldFacts } from './client/world.ts'
import type { Millis } from './kernel/brands.ts'
import type { ScenarioResult } from './scenario/play.ts'
import type { GivenInput } from './world/givenShapes.ts'
import type { ClockStart } from './world/runningWorld.ts'

/** How a clock begins: `frozen`, `flowing`, an instant (frozen there), or `flowing@` an instant. */
export type ClockText = string | Date

/** What a new world may be given. */
export interface WorldOptions {
  /** Id; lower-case letters, digits and hyphens. A free one is chosen when left out. */
  id?: string
  clock?: ClockText
  /** Seed of chance: equal ones give the same in worlds of any id. Derived from the server's seed and the id when left out. */
  seed?: string
  /** Choices by silence id. */
  silences?: Record<string, unknown>
  /** Records in any status, and money; the named ones are its `names`. */
  given?: GivenInput
}

/** What a sandbox of this process may be given. */
export interface StartOptions extends Omit<WorldOptions, 'id' | 'given'> {
  /** A free one when left out. */
  port?: number
  /** `127.0.0.1` when left out. */
  host?: string
  /** Guards the control API; the sandbox itself knows it. */
  controlToken?: string
  /** Address that links name, when it is not the one that is listened on. */
  publicUrl?: string
  /** Varies what the contract does not promise, from a seed, so that nobody comes to rely on it; `without` names what stays. */
  vary?: string | { seed: string; without?: readonly string[] }
  /** Host that takes the place of `localhost` in callback addresses, such as `host.docker.internal` inside a container. */
  rewriteLocalhost?: string
  /** The only receivers that webhooks may be sent to: `host`, `*.suffix`, `host:port`, IP addresses and networks, `loopback`, `private`. */
  callbackAllow?: readonly string[]
  /** File in which the worlds are kept, and go on from where they stood. */
  data?: string
  /** Whether an answer waits until the disk itself has what changed: safe against the death of the machine. */
  fsync?: boolean
}

/** What a connection to a running server may be given. */
export interface ConnectOptions {
  /** Id of the world that is meant; `default` when left out. */
  world?: string
  /** The token that the server was started with. */
  controlToken?: string
}

/** A server with its default world, and the way to fresh ones. */
export interface Sandbox extends SandboxWorld {
  /** Makes a fresh world with keys of its own. */
  world(options?: WorldOptions): Promise<SandboxWorld>
  /** All worlds of the server, newest first; at most 1000. */
  worlds(): Promise<SandboxWorld[]>
  /**
   * Plays a scenario in a fresh world, which ends with it. A check that fails is an answer, not an error.
   * @param scenario text of a scenario in YAML or JSON, or the path of a file of it; a text of more than one line is no path
   * @throws {ScenarioError} for a text that is no scenario, with line and column of everything that is wrong
   */
  play(scenario: string): Promise<ScenarioResult>
  /** What the server is. */
  info(): Promise<RouteAnswer<'GET /info'>>
  /** Tells the server under which address others reach it, for links and inboxes; needed behind a mapped port. */
  setUrl(url: string): Promise<void>
  /** Ends a server of this process, and leaves a running one alone. Leaving `await using` does it too. */
  close(): Promise<void>
}

/**
 * Starts a sandbox in this process, on a free port and with a frozen clock unless told otherwise. It listens when it resolves.
 * @throws {SandboxError} `bad_option` for an option that cannot be
 * @throws {Error} with the system's `code`, such as EADDRINUSE, when it cannot listen
 */
export async function startSandbox(options: StartOptions = {}): Promise<Sandbox> {
  const { clock = 'frozen', port = 0, vary, ...rest } = options
  checkNames(options)
  const varied = typeof vary === 'string' ? { seed: vary } : vary
  const server = await orBadOption(async () =>
    startServer({ ...rest, port, vary: varied, clock: clockStart(clock) }),
  )
  const caller = createCaller(server.url, (request) => server.fetch(request), options.controlToken)
  return createSandbox(caller, 'default', () => server.close())
}

/** What a sandbox of this process may be given, by name. */
const START_NAMES: Record<keyof StartOptions, true> = {
  callbackAllow: true,
  clock: true,
  controlToken: true,
  data: true,
  fsync: true,
  host: true,
  port: true,
  publicUrl: true,
  rewriteLocalhost: true,
  seed: true,
  silences: true,
  vary: true,
}

function checkNames(options: object): void {
  const known = Object.keys(START_NAMES)
  const stranger = Object.keys(options).find((name) => !known.includes(name))
  if (stranger === undefined) return
  const near = closest(stranger, known)
  const hint = near === null ? '' : ` Did you mean '${near}'?`
  throw new SandboxError(
    'bad_option',
    `startSandbox has no option '${stranger}'.${hint} It has ${known.join(', ')}.`,
  )
}

/** Longest wait for a server to say what it is, in host milliseconds; it may be busy with an advance. */
const LONGEST_WAIT = (30 * SECOND) as Millis

/**
 * Connects to a running server: the same object as `startSandbox` gives.
 * @param url such as `http://localhost:4848`; the variable SANDBOX_URL when left out
 * @throws {SandboxError} `unreachable`, `not_a_sandbox`, `sandbox_unauthorized`, or `sandbox_not_found` for an unknown world
 */
export async function connectSandbox(
  url: string | undefined = setVariable('SANDBOX_URL'),
  { world = 'default', controlToken = setVariable('SANDBOX_CONTROL_TOKEN') }: ConnectOptions = {},
): Promise<Sandbox> {
  if (url === undefined || url === '') {
    throw badAddress('No address was given and SANDBOX_URL is not set')
  }
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) throw badAddress(`'${url}' is no address`)
  const { origin, pathname, search } = new URL(url)
  if (pathname !== '/' || search !== '') {
    throw badAddress(`'${url}' is more than the address of a server, which is ${origin}`)
  }
  const caller = createCaller(origin, networkFetch, controlToken)
  await infoOf(caller, LONGEST_WAIT)
  return createSandbox(caller, world, () => Promise.resolve())
}

/** A variable of the environment; undefined when it is not set, or empty. */
function setVariable(name: string): string | undefined {
  const text = process.env[name]
  return text === '' ? undefined : text
}

function badAddress(what: string): SandboxError {
  return new SandboxError('bad_option', `${what}; use one such as http://localhost:4848.`)
}

async function createSandbox(
  caller: ControlCaller,
  id: string,
  close: () => Promise<void>,
): Promise<Sandbox> {
  const facts = await factsOf(caller, id, close)
  const world = async ({ clock, ...settings }: WorldOptions = {}): Promise<SandboxWorld> => {
    const body = clock === undefined ? settings : { ...settings, clock: textOf(clock) }
    return createWorldHandle(caller, await caller.send(null, 'POST /worlds', { body }))
  }
  return {
    ...createWorldHandle(caller, facts),
    world,
    async play(scenario) {
      const isText = /[\n{]/.test(scenario)
      const text = isText ? scenario : await readScenario(scenario)
      return playText({ world }, text, isText ? {} : { file: scenario })
    },
    async worlds() {
      const { items } = await caller.send(null, 'GET /worlds', { query: { limit: 1_000 } })
      return items.map((each) => createWorldHandle(caller, each))
    },
    info: () => caller.send(null, 'GET /info'),
    async setUrl(address) {
      caller.publicUrl = (await caller.send(null, 'PATCH /info', { body: { url: address } })).url
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

async function readScenario(path: string): Promise<string> {
  try {
    return await readText(path)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new SandboxError('bad_option', `The scenario '${path}' cannot be read: ${reason}.`, {
      cause: error,
    })
  }
}

/** What the server says of a world; a server that does not say it is closed again. */
async function factsOf(caller: ControlCaller, id: string, close: () => Promise<void>): Promise<WorldFacts> {
  try {
    return await caller.send(null, 'GET /worlds/{world}', { params: { world: id } })
  } catch (error) {
    await close()
    throw error
  }
}

/** A clock as text. A Date that is none is passed on as `Invalid Date`, for the refusal to name. */
function textOf(clock: ClockText): string {
  if (!(clock instanceof Date)) return clock
  return Number.isNaN(clock.getTime()) ? String(clock) : clock.toISOString()
}

function clockStart(clock: ClockText): ClockStart {
  return parseClockStart(textOf(clock))
}

/** Runs something, and turns misuse of an option into the error that test code knows. */
async function orBadOption<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof Misuse || error instanceof DataError) {
      throw new SandboxError('bad_option', error.message, { cause: error })
    }
    throw error
  }
}
