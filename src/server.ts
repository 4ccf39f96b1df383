// Owns a server at work: worlds, app and socket, from start to a clean end.
import { isDeepStrictEqual } from 'node:util'
import { DEFAULT_HOST, DEFAULT_PORT } from './address.ts'
import { createApp } from './app.ts'
import { beginningOf, setUpDefault } from './scenarioSetup.ts'
import { endServer, listen, urlOf } from './listener.ts'
import { hostTime } from './kernel/hostTime.ts'
import { strongHex } from './kernel/entropy.ts'
import {
  checkCallbackAllow,
  checkPort,
  checkPublicUrl,
  checkRewriteHost,
  checkToken,
} from './world/hostOptions.ts'
import { createSender } from './webhooks/send.ts'
import { variationOf } from './world/variation.ts'
import { planWake } from './world/run.ts'
import { createWorlds, DEFAULT_WORLD } from './world/worlds.ts'
import type { AddressInfo } from 'node:net'
import type { Patience } from './listener.ts'
import type { Scenario } from './scenario/parse.ts'
import type { GivenNames } from './world/givenShapes.ts'
import type { ClockStart, Host } from './world/runningWorld.ts'
import type { StoredServer, Worlds } from './world/worlds.ts'
import type { Millis } from './kernel/brands.ts'
import type { HostTime } from './kernel/hostTime.ts'
import type { DataStore } from './world/dataStore.ts'

/** What a server may be told. */
export interface ServerOptions {
  /** 0 takes a free one. */
  port?: number | undefined
  host?: string | undefined
  /** How the clocks of worlds begin; flowing from the host's time unless told otherwise. */
  clock?: ClockStart | undefined
  /** Seed of chance; a strong random one unless told otherwise. */
  seed?: string | undefined
  /** Guards the control API. */
  controlToken?: string | undefined
  /** Address that links name, when it is not the one that is listened on. */
  publicUrl?: string | undefined
  /** Choices of the default world. */
  silences?: Record<string, unknown> | undefined
  /** What files set up in the default world: how it begins, where nothing else says it, and its records and rules. No steps. */
  scenarios?: readonly Scenario[] | undefined
  /** Whether it runs in the image; it is told to those who ask what the server is. */
  container?: boolean | undefined
  /** Host that takes the place of `localhost` in callback addresses, such as `host.docker.internal` inside a container. */
  rewriteLocalhost?: string | undefined
  /** Where webhooks may be sent, as entries such as `shop.test`, `*.shop.test`, `host:port`, `10.0.0.0/8`, `loopback` or `private`. */
  callbackAllow?: readonly string[] | undefined
  /** World time after which transactions are paid by themselves, for demonstrations. */
  autoConfirm?: Millis | undefined
  /** Varies what the contract does not promise, from a seed, but for what is named. */
  vary?: { seed: string; without?: readonly string[] | undefined } | undefined
  /** File in which the worlds are kept, and go on from; none is kept unless told otherwise. */
  data?: string | undefined
  /** Whether an answer waits until the disk itself has what changed, so that it survives the death of the machine. */
  fsync?: boolean | undefined
  /** Told one line that a person should know; writes to standard error unless told otherwise. */
  say?: ((line: string) => void) | undefined
  /** Told of every defect of ours; writes to standard error unless told otherwise. */
  report?: ((defect: unknown) => void) | undefined
  /** The host's time; only tests pass another. */
  time?: HostTime | undefined
  /** How long clients may take; only tests pass another. */
  patience?: Patience | undefined
}

/** A server that listens. */
export interface RunningServer {
  /** Where it listens, with the real port. */
  url: string
  worlds: Worlds
  /** The named records that files gave the default world, with the secrets of credentials; they are told only here. */
  names: GivenNames
  /** Reaches the app without a socket; rejects once the server was closed. */
  fetch: (request: Request) => Promise<Response>
  /** Ends everything: no socket, timer or attempt is left when it resolves. Can be called again. */
  close(): Promise<void>
}

/**
 * Starts a server and resolves once it listens.
 * @throws {Misuse} for an option that cannot be
 * @throws {ScenarioError} for what files say that cannot be
 * @throws {DataError} for a data file that cannot be used
 * @throws {Error} with the system's `code`, such as EADDRINUSE, when it cannot listen
 */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const { host: hostname = DEFAULT_HOST, scenarios = [], patience } = options
  const port = checkPort(options.port ?? DEFAULT_PORT)
  const { controlToken, publicUrl, rewriteLocalhost, callbackAllow } = checked(options)
  const { clock, seed, silences } = beginningOf(options, scenarios)
  let listensOn: string | null = null
  const store = await openData(options)
  const sender = createSender(() => ({
    rewriteLocalhost: host.rewriteLocalhost,
    self: listensOn === null ? null : { publicUrl: host.publicUrl, listensOn },
    allow: callbackAllow,
  }))
  const host: Host = {
    time: options.time ?? hostTime,
    sender,
    publicUrl: publicUrl ?? urlOf(hostname, port),
    keeper: store,
    report: options.report ?? reportToConsole,
    secretStyle: controlToken === null ? 'byName' : 'strong',
    container: options.container ?? false,
    rewriteLocalhost,
    callbackAllow,
    autoConfirm: options.autoConfirm ?? null,
    variation: options.vary === undefined ? null : variationOf(options.vary.seed, options.vary.without),
  }
  const settings = {
    seed: seed ?? store?.stored?.seed ?? strongHex(16),
    clock: clock ?? { mode: 'flowing', at: null, rate: 1 },
    silences,
  } as const
  const ending = new AbortController()
  const { worlds, app, server } = await orClose(store, async () => {
    const begun = createWorlds(host, settings, store)
    await store?.begin(begun)
    const served = createApp(begun, { controlToken, ending: ending.signal })
    const listening = { hostname, port, patience, report: host.report }
    return { worlds: begun, app: served, server: await listen(served.fetch, begun, listening) }
  })
  const url = checkPublicUrl(urlOf(hostname, (server.address() as AddressInfo).port))
  listensOn = url
  if (publicUrl === null) host.publicUrl = url
  const end = async (): Promise<void> => {
    ending.abort()
    worlds.close()
    await endServer(server)
    await store?.close()
  }
  let ended: Promise<void> | null = null
  const close = (): Promise<void> => (ended ??= end())
  try {
    // Addresses of inboxes need the port. No call can come in before this turn of the loop is over.
    const names = setUp(worlds, store, options)
    return {
      url,
      worlds,
      names,
      async fetch(request) {
        if (ended) throw new Error('the sandbox was closed')
        return app.fetch(request)
      },
      close,
    }
  } catch (error) {
    // Half of what was to be set up must not be what a next start finds.
    await store?.undo()
    await close()
    throw error
  }
}

/** Sets up a default world that is new as scenario files say, and lets kept worlds go on: what fell due meanwhile runs. */
function setUp(worlds: Worlds, store: DataStore | null, options: ServerOptions): GivenNames {
  const { scenarios = [], data = '', say = sayToConsole } = options
  const isKept = store?.stored?.worlds.some(({ origin }) => origin.id === DEFAULT_WORLD) === true
  if (isKept && scenarios.length > 0) {
    say(`${data} has a default world already; what scenario files set up is left out.`)
  }
  const names = isKept ? {} : setUpDefault(worlds, scenarios)
  for (const world of worlds.list()) planWake(world)
  return names
}

/** The data file that the options name, loaded only then; null when they name none. */
async function openData({ data, fsync = false, ...options }: ServerOptions): Promise<DataStore | null> {
  if (data === undefined) return null
  const { openStore } = await import('./world/dataStore.ts')
  const { time = hostTime, say = sayToConsole, report = reportToConsole } = options
  const store = await openStore({ path: data, durable: fsync, time, say, report })
  const kept = store.stored ? unheeded(store.stored, options) : []
  if (kept.length > 0) {
    say(`the worlds of ${data} keep their own ${kept.join(', ')}; what is given counts for new worlds only.`)
  }
  return store
}

/** What of the options differs from how the default world of a data file began. */
function unheeded(stored: StoredServer, { seed, clock, silences = {} }: ServerOptions): string[] {
  const known = stored.worlds.find(({ origin }) => origin.id === DEFAULT_WORLD)
  const chosen: Record<string, unknown> = known?.saved.silences ?? {}
  const began = known?.origin.clock
  return [
    ...(seed === undefined || seed === stored.seed ? [] : ['seed']),
    ...(clock === undefined || (clock.mode === began?.mode && clock.at === null) ? [] : ['clock']),
    ...(Object.keys(silences).every((id) => isDeepStrictEqual(silences[id], chosen[id])) ? [] : ['silences']),
  ]
}

/** Runs something; when it fails, nothing stays open. */
async function orClose<T>(store: DataStore | null, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    await store?.close()
    throw error
  }
}

/** What can be wrong of the options, checked; null for what was left out. */
function checked(options: ServerOptions) {
  const orNull = <T, U>(value: T | undefined, check: (known: T) => U): U | null =>
    value === undefined ? null : check(value)
  return {
    controlToken: orNull(options.controlToken, checkToken),
    publicUrl: orNull(options.publicUrl, checkPublicUrl),
    rewriteLocalhost: orNull(options.rewriteLocalhost, checkRewriteHost),
    callbackAllow: orNull(options.callbackAllow, checkCallbackAllow),
  }
}

function sayToConsole(line: string): void {
  process.stderr.write(`gateway-sandbox: ${line}\n`)
}

function reportToConsole(defect: unknown): void {
  process.stderr.write(
    `gateway-sandbox: defect: ${defect instanceof Error ? defect.stack : String(defect)}\n`,
  )
}
