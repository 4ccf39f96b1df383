// Owns reaching a running server from the command line: its address, world and token, and its refusals as exit codes.
import { DEFAULT_PORT } from '../address.ts'
import { createCaller } from '../client/call.ts'
import { infoOf } from '../client/info.ts'
import { networkFetch } from '../client/network.ts'
import { SECOND } from '../kernel/time.ts'
import { checkToken } from '../world/hostOptions.ts'
import { JSON_FLAG } from './print.ts'
import { UsageError, variableOf } from './usage.ts'
import { checked, portOf } from './values.ts'
import type { SandboxError } from '../client/errors.ts'
import type { ControlCaller, RouteAnswer, Transport } from '../client/call.ts'
import type { Millis } from '../kernel/brands.ts'
import type { Flag } from './usage.ts'

/** Longest wait for a server to say what it is; it may be busy with an advance. */
const LONGEST_WAIT = (30 * SECOND) as Millis

/** Flags of the address of a server. */
export const ADDRESS_FLAGS = {
  url: { type: 'string', value: 'URL', summary: `address of the server (http://127.0.0.1:${DEFAULT_PORT})` },
  'control-token': { type: 'string', value: 'TOKEN', summary: 'token that the server was started with' },
} as const satisfies Record<string, Flag>

/** Flags of every verb that talks to a world of a running server. */
export const CONNECT_FLAGS = {
  ...ADDRESS_FLAGS,
  world: { type: 'string', value: 'ID', summary: 'world that is meant (default)' },
  ...JSON_FLAG,
} as const satisfies Record<string, Flag>

/** Values of the flags above. */
export interface ConnectValues {
  url?: string
  'control-token'?: string
  world?: string
}

/** A running server, and the world of it that is meant. */
export interface Connection {
  caller: ControlCaller
  world: string
  info: RouteAnswer<'GET /info'>
}

/**
 * The address of the server that is meant: the one that is named, or where `start` would listen in this environment.
 * @throws {UsageError} for a text that is no address
 */
export function addressOf(url: string | undefined): string {
  if (url === undefined) return addressHere()
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    throw new UsageError(`--url ${url} is no address; use one such as http://127.0.0.1:${DEFAULT_PORT}.`)
  }
  const { origin, pathname, href } = new URL(url)
  if (href === `${origin}/`) return origin
  const more = pathname === '/' ? '' : `: the path ${pathname} is no part of it`
  throw new UsageError(`--url is more than the address of a server, which is ${origin}${more}.`)
}

function addressHere(): string {
  const host = variableOf('host') ?? '0.0.0.0'
  const reached = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  const named = reached.includes(':') ? `[${reached}]` : reached
  const address = `http://${named}:${portOf(variableOf('port'), 'SANDBOX_PORT')}`
  if (URL.canParse(address)) return address
  throw new UsageError(`SANDBOX_HOST ${JSON.stringify(host)} is no host; use one such as 127.0.0.1.`)
}

/**
 * Calls the control routes of the server that is meant, without asking first who answers there.
 * @throws {UsageError} for an address or a token that cannot be
 */
export function callerOf(
  { url, 'control-token': token }: ConnectValues,
  transport: Transport = networkFetch,
): ControlCaller {
  return createCaller(addressOf(url), transport, checked('control-token', token, checkToken))
}

/**
 * Connects to a running server.
 * @param options.wait host time for it to say what it is
 * @param options.stop ends every call of the connection
 * @throws {SandboxError} `unreachable`, `not_a_sandbox` or `sandbox_unauthorized`
 */
export async function connect(
  values: ConnectValues,
  { wait = LONGEST_WAIT, stop }: { wait?: Millis; stop?: AbortSignal } = {},
): Promise<Connection> {
  const caller = callerOf(values, stop === undefined ? networkFetch : stoppable(stop))
  const info = await infoOf(caller, wait)
  return { caller, world: values.world ?? 'default', info }
}

function stoppable(stop: AbortSignal): Transport {
  return (request) => networkFetch(new Request(request, { signal: AbortSignal.any([request.signal, stop]) }))
}

const WRONG_USAGE: ReadonlySet<string> = new Set([
  'bad_option',
  'sandbox_bad_request',
  'sandbox_not_found',
  'sandbox_unauthorized',
])

/** The exit code of a refusal: 2 for wrong usage, 1 for what the state of the world or the server's absence prevents. */
export function exitCodeOf({ code }: SandboxError): 1 | 2 {
  return WRONG_USAGE.has(code) ? 2 : 1
}

/** What to tell of a refusal, in words of the command line. */
export function messageOf({ code, message }: SandboxError): string {
  if (code === 'unreachable') {
    return `${message} Start a server with 'gateway-sandbox start', or name its address with --url.`
  }
  if (code === 'sandbox_unauthorized') {
    return 'This server was started with a control token; name it with --control-token or SANDBOX_CONTROL_TOKEN.'
  }
  return code === 'not_a_sandbox' ? `${message} Name the address of one with --url.` : message
}
