// Owns the router of the control API: every route of the table, its checks, and refusals in the envelope.
import { Hono } from 'hono'
import { z } from 'zod'
import { SANDBOX_ERRORS } from '../contract/errors.ts'
import { MAX_JSON_LEVELS } from '../contract/limits.ts'
import { isRefusal } from '../domain/refusal.ts'
import { closest } from '../kernel/closest.ts'
import { isDeeperThan } from '../kernel/nesting.ts'
import { toTimestamp } from '../kernel/time.ts'
import { readBody } from '../http/body.ts'
import { mayControl } from '../http/controlToken.ts'
import { isCrossSite } from '../http/crossSite.ts'
import { failure, hintHeader } from '../http/envelope.ts'
import { parseJsonObject } from '../http/input.ts'
import { Misuse } from '../world/misuse.ts'
import { redactText } from '../world/redaction.ts'
import { planWake, runDue, sendFirst } from '../world/run.ts'
import { beginCommand, isKeptOutside } from './keptCommands.ts'
import { CONTROL_ROUTES } from './routes.ts'
import type { Context } from 'hono'
import type { RunningWorld } from '../world/runningWorld.ts'
import type { Worlds } from '../world/worlds.ts'
import type { ControlRoute, ControlServer } from './route.ts'

/** Where the control API stands. */
export const CONTROL_BASE = '/_sandbox'

/** The control API as an app. Its paths begin with `/_sandbox`. */
export function createControlApp(server: ControlServer): Hono {
  const app = new Hono()
  for (const row of CONTROL_ROUTES) {
    const path = row.path.replace(/\{(\w+)\}/g, ':$1')
    const respond = (c: Context): Promise<Response> => guarded(c, server, () => answer(c, row, server))
    app.on(row.method, CONTROL_BASE + path, respond)
    if (row.scope === 'world') app.on(row.method, `${CONTROL_BASE}/worlds/:world${path}`, respond)
  }
  app.all(`${CONTROL_BASE}/*`, (c) => guarded(c, server, () => unknown(c, server)))
  app.all(CONTROL_BASE, (c) => guarded(c, server, () => unknown(c, server)))
  return app
}

/** Runs a handler and puts what it throws into the envelope. */
async function guarded(
  c: Context,
  { worlds }: ControlServer,
  run: () => Response | Promise<Response>,
): Promise<Response> {
  try {
    return await run()
  } catch (error) {
    const world = namedWorld(c, worlds)
    if (error instanceof Misuse) return inWorld(refusal(c, error), world)
    worlds.host.report(error)
    const message = 'This is a defect of the sandbox; its console has the details.'
    return inWorld(refusal(c, { code: 'sandbox_internal_error', message }), world)
  }
}

/** The world that the path of a call names, and the default one where it names none that there is. */
function namedWorld(c: Context, worlds: Worlds): RunningWorld {
  const [, id = ''] = /^\/_sandbox\/worlds\/([^/]+)/.exec(c.req.path) ?? []
  return worlds.get(id) ?? worlds.default
}

/** An answer with the world that it is about, and its time. */
function inWorld(response: Response, world: RunningWorld): Response {
  response.headers.set('X-Sandbox-World', world.id)
  response.headers.set('X-Sandbox-Now', toTimestamp(world.clock.now()))
  return response
}

function refusal(
  c: Context,
  { code, message, headers = {}, problems = null }: Partial<Misuse> & Pick<Misuse, 'code' | 'message'>,
): Response {
  const { status } = SANDBOX_ERRORS[code]
  const { error, ...rest } = failure(code, redactText(message))
  const body = { ...rest, error: problems === null ? error : { ...error, problems } }
  return c.body(JSON.stringify(body), status, {
    'Content-Type': 'application/json',
    ...hintHeader(message),
    ...headers,
  })
}

async function answer(c: Context, row: ControlRoute, server: ControlServer): Promise<Response> {
  if (row.method !== 'GET') checkSite(c)
  checkToken(c, row, server)
  const world = worldOf(c, server)
  const sent = row.body === null ? null : await sentBody(c, row)
  const call = {
    server,
    world,
    params: checked(row.params, c.req.param(), 'path'),
    query: checked(row.query, withoutEmpty(c.req.query()), 'query'),
    body: row.body === null ? null : checked(row.body, sent, 'body'),
    c,
  }
  let keep: (answer: unknown) => void = () => undefined
  const result = await world.clock.pin(() => {
    if (row.scope === 'world') {
      runDue(world)
      const name = `${row.method} ${row.path}`
      if (isKeptOutside(name)) keep = beginCommand(world, name, call)
    }
    return row.handle(call as never)
  })
  keep(result)
  world.changes?.look()
  if (row.scope === 'world') {
    planWake(world)
    await sendFirst(world)
  }
  const writing = world.host.keeper?.written()
  if (writing) await writing
  const response = result instanceof Response ? result : c.json(result, row.status as 200)
  return inWorld(response, world)
}

/** A page of another origin must not change anything through the browser of somebody who may. */
function checkSite(c: Context): void {
  if (!isCrossSite(c.req.raw)) return
  throw new Misuse(
    'sandbox_cross_site',
    `A page of another origin may not change a sandbox; call ${c.req.path} from test code, the command line or the dashboard.`,
  )
}

function checkToken(c: Context, { open }: { open: boolean }, { controlToken }: ControlServer): void {
  if (open || mayControl(c, controlToken)) return
  throw new Misuse(
    'sandbox_unauthorized',
    "This server was started with a control token; send 'Authorization: Bearer <control token>'.",
  )
}

function worldOf(c: Context, { worlds }: ControlServer): RunningWorld {
  const id = c.req.param('world')
  if (id === undefined) return worlds.default
  const world = worlds.get(id)
  if (world) return world
  const near = closest(
    id,
    worlds.list().map((each) => each.id),
  )
  throw new Misuse('sandbox_not_found', `No world '${id}'.${near === null ? '' : ` Did you mean '${near}'?`}`)
}

async function sentBody(c: Context, { textTypes, bodyLimit: limit }: ControlRoute): Promise<unknown> {
  const bytes = await readBody(c.req.raw, limit)
  if (bytes === 'tooLarge') {
    throw new Misuse('sandbox_payload_too_large', `A body has at most ${limit} bytes.`)
  }
  if (bytes === 'brokenOff') {
    throw new Misuse('sandbox_bad_request', 'The body ended before its announced end.')
  }
  if (textTypes !== null) return textOf(bytes)
  if (bytes.length === 0) return {}
  const sent = parseJsonObject(bytes)
  if (isRefusal(sent)) throw new Misuse('sandbox_bad_request', sent.hint)
  if (isDeeperThan(MAX_JSON_LEVELS, sent)) {
    throw new Misuse('sandbox_bad_request', `A body nests at most ${MAX_JSON_LEVELS} lists and objects.`)
  }
  return sent
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Misuse('sandbox_bad_request', 'The body is no text in UTF-8.')
  }
}

function withoutEmpty(query: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''))
}

function checked(schema: z.ZodType, value: unknown, where: string): unknown {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new Misuse('sandbox_bad_request', `The ${where} does not fit. ${z.prettifyError(parsed.error)}`)
}

function unknown(c: Context, server: ControlServer): Response {
  return inWorld(refuseUnknown(c, server), namedWorld(c, server.worlds))
}

/** Refuses a path or method that no route has, and names the nearest one. */
function refuseUnknown(c: Context, server: ControlServer): Response {
  checkToken(c, { open: false }, server)
  const path = c.req.path.slice(CONTROL_BASE.length)
  const [prefix = ''] = /^\/worlds\/[^/]+(?=\/)/.exec(path) ?? []
  const inner = path.slice(prefix.length)
  const rows = CONTROL_ROUTES.filter(({ scope }) => prefix === '' || scope === 'world')
  const methods = rows.filter((row) => patternOf(row).test(inner)).map(({ method }) => method)
  if (methods.length > 0) {
    const allowed = [...new Set(methods)].join(', ')
    const message = `${c.req.path} takes ${allowed}, not ${c.req.method}.`
    return refusal(c, { code: 'sandbox_method_not_allowed', message, headers: { Allow: allowed } })
  }
  const templates = new Map(rows.map((row) => [filledIn(row.path, inner), row.path]))
  const near = templates.get(closest(inner, [...templates.keys()]) ?? '')
  const instead = near === undefined ? '' : ` Did you mean ${CONTROL_BASE}${prefix}${near}?`
  const message = `No control route ${c.req.path}.${instead} GET ${CONTROL_BASE}/openapi.json lists them.`
  return refusal(c, { code: 'sandbox_not_found', message })
}

/** A path of the table with the parts of a real path where it has parameters, so that only words are compared. */
function filledIn(template: string, path: string): string {
  const parts = path.split('/')
  return template
    .split('/')
    .map((part, index) => (part.startsWith('{') ? (parts[index] ?? part) : part))
    .join('/')
}

function patternOf({ path }: { path: string }): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`)
}
