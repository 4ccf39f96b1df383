// Owns one call of the control API: typed by the table of routes, sent with any fetch, and its refusal as an error.
import { SANDBOX_ERRORS } from '../contract/errors.ts'
import { SandboxError } from './errors.ts'
import type { z } from 'zod'
import type { ControlRoutes } from '../control/routes.ts'
import type { SandboxFailure } from './errors.ts'

/** Answers a request: over the network, or straight from an app. */
export type Transport = (request: Request) => Promise<Response>

/** Name of a control route, such as `POST /clock/advance`. */
export type RouteName = keyof ControlRoutes

/** What a call of a route carries. */
export interface CallInput<Name extends RouteName> {
  /** Values of the path's parameters. */
  params?: z.input<ControlRoutes[Name]['params']>
  query?: z.input<ControlRoutes[Name]['query']>
  body?: z.input<NonNullable<ControlRoutes[Name]['body']>>
  signal?: AbortSignal
}

/** What a route answers. */
export type RouteAnswer<Name extends RouteName> = z.output<ControlRoutes[Name]['answer']>

/** Calls control routes of one server. */
export interface ControlCaller {
  /** Address of the server, as this process reaches it. */
  readonly url: string
  /** Address that links and inboxes name; null for what the server said at first. */
  publicUrl: string | null
  /**
   * Calls a route and answers its body.
   * @param world id of the world that is meant; null for routes of the server
   * @throws {SandboxError} for every refusal, and when nothing answers
   */
  send<Name extends RouteName>(
    world: string | null,
    name: Name,
    input?: CallInput<Name>,
  ): Promise<RouteAnswer<Name>>
  /** The same, answering the whole response. */
  open(world: string | null, name: RouteName, input?: CallInput<RouteName>): Promise<Response>
  /** Sends any request to the server; a path is taken as one of the server. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
}

/** A caller of the server at an address. */
export function createCaller(
  url: string,
  transport: Transport,
  controlToken: string | undefined,
): ControlCaller {
  const authorization = controlToken === undefined ? {} : { Authorization: `Bearer ${controlToken}` }

  async function sent(request: Request): Promise<Response> {
    try {
      return await transport(request)
    } catch (error) {
      if (request.signal.aborted) throw error
      throw new SandboxError('unreachable', `Nothing answers at ${url}: ${reasonOf(error)}.`, {
        cause: error,
      })
    }
  }

  async function open(
    world: string | null,
    name: RouteName,
    { params = {}, query = {}, body, signal }: CallInput<RouteName> = {},
  ): Promise<Response> {
    const [method = '', path = ''] = name.split(' ')
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, key: string) =>
      encodeURIComponent(String((params as Record<string, unknown>)[key])),
    )
    const base = world === null ? '/_sandbox' : `/_sandbox/worlds/${encodeURIComponent(world)}`
    const isText = typeof body === 'string'
    const request = new Request(`${url}${base}${filled}${queryOf(query)}`, {
      method,
      headers: { ...authorization, 'Content-Type': isText ? 'text/plain' : 'application/json' },
      ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    })
    const response = await sent(request)
    if (!response.ok) throw await refusalOf(response, request)
    return response
  }

  return {
    url,
    publicUrl: null,
    open,
    async send(world, name, input) {
      const response = await open(world, name, input)
      const body = parse(await textOf(response, url))
      if (typeof body !== 'object' || body === null) {
        throw new SandboxError(
          'not_a_sandbox',
          `${url} is no gateway-sandbox: it answered ${name} with something else than JSON.`,
        )
      }
      return body as never
    },
    fetch: (input, init) =>
      sent(input instanceof Request && init === undefined ? input : new Request(absolute(input, url), init)),
  }
}

function absolute(input: string | URL | Request, url: string): string | URL | Request {
  return typeof input === 'string' ? new URL(input, url) : input
}

function queryOf(query: Record<string, unknown>): string {
  const wanted = Object.entries(query).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(wanted.map(([name, value]): [string, string] => [name, String(value)]))
  return search.size === 0 ? '' : `?${search.toString()}`
}

/** Why a fetch failed, as its innermost cause says it. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code } = error as NodeJS.ErrnoException
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : error.cause
  if (inner !== undefined) return reasonOf(inner)
  return error.message === '' && code !== undefined ? code : error.message
}

/** The refusal of an answer. A body that is no envelope did not come from a sandbox, or is one of the 412 of a wait. */
async function refusalOf(response: Response, { method, url }: Request): Promise<SandboxError> {
  const { status } = response
  const details = parse(await textOf(response, url))
  const refused = refusedIn(details) ??
    emptyWaitIn(details) ?? {
      code: 'not_a_sandbox',
      message: `${method} ${url} answered ${status}, and not as a gateway-sandbox does.`,
    }
  return new SandboxError(refused.code as SandboxFailure, refused.message, { status, details })
}

/** What settling and waiting for a call answer when their time is over. */
function emptyWaitIn(body: unknown): { code: SandboxFailure; message: string } | null {
  if (typeof body !== 'object' || body === null) return null
  if ('settled' in body) return { code: 'not_settled', message: 'The world did not settle.' }
  return 'found' in body ? { code: 'no_exchange', message: 'No call came in time.' } : null
}

/** The text of a body, all of it. */
async function textOf(response: Response, url: string): Promise<string> {
  try {
    return await response.text()
  } catch (error) {
    throw new SandboxError('unreachable', `The answer of ${url} broke off: ${reasonOf(error)}.`, {
      cause: error,
    })
  }
}

function refusedIn(body: unknown): { code: string; message: string } | null {
  if (typeof body !== 'object' || body === null || !('error' in body)) return null
  const { error } = body
  if (typeof error !== 'object' || error === null || !('code' in error && 'message' in error)) return null
  const { code, message } = error
  return typeof code === 'string' && Object.hasOwn(SANDBOX_ERRORS, code)
    ? { code, message: String(message) }
    : null
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
