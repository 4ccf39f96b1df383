// Owns the gateway's router: every endpoint of the table, the order of checks, and the headers of every answer.
import { Hono } from 'hono'
import { ENDPOINTS } from '../contract/endpoints.ts'
import { MAX_BODY_BYTES, MAX_PAGE_SIZE } from '../contract/limits.ts'
import { findCustomer } from '../domain/customers.ts'
import { isRefusal, refuse } from '../domain/refusal.ts'
import { findTransaction } from '../domain/transactions.ts'
import { planWake, runDue } from '../world/run.ts'
import { readBody } from './body.ts'
import { identify, isCaller, refuseCaller } from './callers.ts'
import { LOOPBACK } from './addresses.ts'
import { headerText } from './envelope.ts'
import { HANDLERS } from './handlers.ts'
import { fit, fits, parseJsonObject } from './input.ts'
import { NotBuilt } from './notBuilt.ts'
import { notBuiltReply, refusalReply, successReply } from './replies.ts'
import { createTokens } from './tokens.ts'
import type { Context } from 'hono'
import type { EndpointRow } from '../contract/endpoint.ts'
import type { SilenceId } from '../contract/silences.ts'
import type { Refusal } from '../domain/refusal.ts'
import type { Credential, Scope } from '../domain/records.ts'
import type { RunningWorld } from '../world/runningWorld.ts'
import type { Worlds } from '../world/worlds.ts'
import type { Body } from './body.ts'
import type { Caller } from './callers.ts'
import type { BuiltOperationId, Call } from './handler.ts'
import type { InputOptions } from './input.ts'
import type { AnySuccess, Reply } from './replies.ts'
import type { Tokens } from './tokens.ts'

/** The scope of calls without a token: nobody's records. */
const NOBODY: Scope = { organizationId: '', environment: 'Sandbox' }

/** What answering one call works with. */
interface Exchange {
  world: RunningWorld
  credential: Credential | null
  row: EndpointRow
  address: string
  tokens: Tokens
}

/** The gateway as an app: every endpoint of the table. */
export function createGateway(worlds: Worlds): Hono {
  const app = new Hono()
  const tokens = createTokens(worlds)
  for (const row of ENDPOINTS as readonly EndpointRow[]) {
    const path = row.path.replace(/\{(\w+)\}/g, ':$1')
    app.on(row.method, path, async (c) => toResponse(c, await answer(c, row, worlds, tokens)))
  }
  app.get('/.well-known/jwks.json', async (c) => c.json(await tokens.jwks()))
  return app
}

/** The answer to a path that no endpoint has, or that has it under another method. */
export function answerUnknown(c: Context, worlds: Worlds): Response {
  const { default: world } = worlds
  const used = new Set<SilenceId>(['ER-02'])
  const allowed = methodsOf(c.req.path)
  const refusal =
    allowed.length === 0
      ? refuse('not_found', `No endpoint has the path ${c.req.path}; GET /openapi.json lists them.`)
      : refuse('method_not_allowed', `${c.req.path} takes ${allowed.join(', ')}, not ${c.req.method}.`)
  if (allowed.length > 0) refusal.headers = { Allow: allowed.join(', ') }
  return toResponse(c, refusalReply(world, refusal, used))
}

/** The answer to a defect of ours: the contract's code, without details. */
export function answerDefect(c: Context, worlds: Worlds): Response {
  const refusal = refuse('internal_error', 'This is a defect of the sandbox; its console has the details.')
  return toResponse(c, refusalReply(worlds.default, refusal, new Set()))
}

function methodsOf(path: string): string[] {
  const rows = ENDPOINTS.filter((row) => {
    const pattern = new RegExp(`^${row.path.replace(/\{\w+\}/g, '[^/]+')}$`)
    return pattern.test(path)
  })
  return [...new Set(rows.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))]
}

/** Answers one call, in the order of checks of ER-03. */
async function answer(c: Context, row: EndpointRow, worlds: Worlds, tokens: Tokens): Promise<Reply> {
  const used = new Set<SilenceId>()
  const address = addressOf(c)
  const caller = row.permission === null ? null : await identify(worlds, tokens, headersOf(c))
  if (caller && !isCaller(caller)) return refusalReply(worlds.default, caller, used)
  if (caller) {
    const refusal = caller.world.choices.watch(used, () => checkCaller(caller, row, address))
    if (refusal) return refusalReply(caller.world, refusal, used)
  }
  if (!row.built) return notBuiltReply(caller?.world ?? worlds.default, `${row.id} is not built yet.`, used)
  const body = row.body === null ? new Uint8Array() : await readBody(c.req.raw, MAX_BODY_BYTES)
  const world = caller?.world ?? ownerOf(worlds, body)
  const exchange: Exchange = { world, credential: caller?.credential ?? null, row, address, tokens }
  try {
    const result = await world.choices.watch(used, () => handle(exchange, c, body))
    return 'refused' in result ? refusalReply(world, result, used) : successReply(world, row, result, used)
  } catch (error) {
    if (error instanceof NotBuilt) return notBuiltReply(world, error.message, used)
    throw error
  } finally {
    planWake(world)
  }
}

function checkCaller(caller: Caller, row: EndpointRow, address: string): Refusal | null {
  runDue(caller.world)
  return refuseCaller(caller, row, address)
}

/** The world of a token request is the one that its public key belongs to. */
function ownerOf(worlds: Worlds, body: Body): RunningWorld {
  const sent = body === 'tooLarge' ? {} : parseJsonObject(body)
  const publicKey = 'publicKey' in sent ? sent.publicKey : undefined
  return (typeof publicKey === 'string' ? worlds.ofPublicKey(publicKey) : null) ?? worlds.default
}

type Result = AnySuccess | Refusal

/** Looks up the record, reads query and body, and lets the handler answer. Only the signature of a token is awaited. */
function handle(exchange: Exchange, c: Context, body: Body): Result | Promise<Result> {
  const { world, credential, row, address, tokens } = exchange
  for (const id of row.silences) world.choices.use(id)
  runDue(world)
  const scope = credential ?? NOBODY
  const record = findRecord(world, scope, row, c)
  if (record && isRefusal(record)) return record
  const options = inputOptions(world, row)
  const query = fit(row.query, queryOf(c, world, row), { ...options, names: {} })
  if (!fits(query)) return query
  const fields = readFields(row, body, options)
  if (isRefusal(fields)) return fields
  const handler = HANDLERS[row.id as BuiltOperationId] as (call: unknown) => Result | Promise<Result>
  const call = { world, credential, scope, record, query: query.value, body: fields.value, address, tokens }
  const result = handler(call satisfies Record<keyof Call<BuiltOperationId>, unknown>)
  const hint = [query.hint, fields.hint].filter((part) => part !== null).join(' ')
  if (hint === '' || result instanceof Promise || 'refused' in result) return result
  return { ...result, headers: { ...result.headers, 'X-Sandbox-Hint': headerText(hint) } }
}

function findRecord(
  world: RunningWorld,
  scope: Scope,
  row: EndpointRow,
  c: Context,
): object | Refusal | null {
  if (row.record === null) return null
  const id = Object.values(c.req.param())[0] ?? ''
  const find = { transaction: findTransaction, customer: findCustomer, cashout: nothing, dispute: nothing }[
    row.record
  ]
  return (
    find(world, scope, id) ??
    refuse(
      'not_found',
      `No ${row.record} ${id} of this merchant in ${scope.environment}, in world '${world.id}'.`,
    )
  )
}

/** Cashouts and disputes do not exist yet, so none is found. */
function nothing(): null {
  return null
}

function readFields(row: EndpointRow, body: Body, options: InputOptions) {
  if (body === 'tooLarge') {
    return refuse('payload_too_large', `A body has at most ${MAX_BODY_BYTES} bytes.`)
  }
  if (row.body === null) return { value: null, hint: null }
  const sent = parseJsonObject(body)
  return isRefusal(sent) ? sent : fit(row.body, sent, options)
}

function inputOptions(world: RunningWorld, row: EndpointRow): InputOptions {
  const declared = row.errors.includes('field_too_long')
  return {
    names: row.id === 'createTransaction' ? world.choices.get('TX-01') : {},
    anyCase: world.choices.get('TX-05') === 'any',
    tooLong: () =>
      declared && world.choices.get('TX-06') === 'specific' ? 'field_too_long' : 'validation_error',
  }
}

/** The query, without empty parameters; page and page size clamped where a world does so (LI-01). */
function queryOf(c: Context, world: RunningWorld, row: EndpointRow): Record<string, string> {
  const sent = Object.entries(c.req.query()).filter(([, value]) => value !== '')
  if (!('page' in row.query.shape) || world.choices.get('LI-01') === 'refused') {
    return Object.fromEntries(sent)
  }
  const clamp = (name: string, value: string): string => {
    const number = Number(value)
    if (Number.isNaN(number) || (name !== 'page' && name !== 'pageSize')) return value
    return String(
      Math.trunc(Math.min(Math.max(number, 1), name === 'page' ? Number.MAX_SAFE_INTEGER : MAX_PAGE_SIZE)),
    )
  }
  return Object.fromEntries(sent.map(([name, value]) => [name, clamp(name, value)]))
}

function headersOf(c: Context) {
  return {
    authorization: c.req.header('authorization'),
    apiKey: c.req.header('x-api-key'),
    apiSecret: c.req.header('x-api-secret'),
  }
}

/** The address of the caller's socket. */
function addressOf(c: Context): string {
  const env = c.env as { incoming?: { socket?: { remoteAddress?: string } } } | undefined
  return env?.incoming?.socket?.remoteAddress ?? LOOPBACK
}

function toResponse(c: Context, { status, body, headers }: Reply): Response {
  return c.body(body, status as 200, { 'Content-Type': 'application/json', ...headers })
}
