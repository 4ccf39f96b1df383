// Owns the gateway's router: every endpoint of the table, the order of checks, and the headers of every answer.
import { Hono } from 'hono'
import { ENDPOINTS } from '../contract/endpoints.ts'
import { ownRecord } from '../domain/indexes.ts'
import { recordOf } from '../domain/state.ts'
import { isRefusal, refuse } from '../domain/refusal.ts'
import { reactToCall } from '../world/rules.ts'
import { planWake, runDue, sendFirst } from '../world/run.ts'
import { whileOpen } from './arriving.ts'
import { answerInstead, NO_FAULTS, takeCallFaults } from './callFaults.ts'
import { callbackHint } from './callbackHint.ts'
import { identify, refuseCaller } from './callers.ts'
import { LOOPBACK } from './addresses.ts'
import { DEFECT_HINT, hintHeader, success } from './envelope.ts'
import { HANDLERS } from './handlers.ts'
import { fit, fits } from './input.ts'
import { ConnectionReset, misanswered, resetConnection } from './misanswer.ts'
import { idOf, markCall, recordCall } from './recording.ts'
import { refusalReply, successReply } from './replies.ts'
import { inputOptions, NO_BODY, queryOf, readFields, readSent } from './sent.ts'
import { createTokens, worldOfToken } from './tokens.ts'
import type { Context } from 'hono'
import type { EndpointRow } from '../contract/endpoint.ts'
import type { OperationId } from '../contract/endpoints.ts'
import type { SilenceId } from '../contract/silences.ts'
import type { Refusal } from '../domain/refusal.ts'
import type { Credential, Scope } from '../domain/records.ts'
import type { RunningWorld } from '../world/runningWorld.ts'
import type { OpenCall } from '../world/arrivals.ts'
import type { Worlds } from '../world/worlds.ts'
import type { Served } from './arriving.ts'
import type { Call } from './handler.ts'
import type { AnySuccess, Reply } from './replies.ts'
import type { Sent } from './sent.ts'
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
    const answered = (c: Context): Promise<Reply> =>
      whileOpen(c, row, { worlds, tokens }, (open) => answer(c, row, { worlds, tokens }, open))
    app.on(row.method, path, async (c) => toResponse(c, await answered(c)))
  }
  app.get('/.well-known/jwks.json', async (c) => c.json(await tokens.jwks()))
  return app
}

/** The answer to a path that no endpoint has, or that has it under another method. */
export function answerUnknown(c: Context, worlds: Worlds): Response {
  const token = /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1]
  const named = token === undefined ? null : worldOfToken(worlds, token)
  const world = named === null || typeof named === 'string' ? worlds.default : named
  const used = new Set<SilenceId>()
  atOneInstant(world, used, () => world.choices.use('ER-02'))
  const allowed = methodsOf(c.req.path)
  const refusal =
    allowed.length === 0
      ? refuse('not_found', `No endpoint has the path ${c.req.path}; GET /openapi.json lists them.`)
      : refuse('method_not_allowed', `${c.req.path} takes ${allowed.join(', ')}, not ${c.req.method}.`)
  if (allowed.length > 0) refusal.headers = { Allow: allowed.join(', ') }
  const reply = refusalReply(world, refusal, used)
  recordCall(world, c, { operation: null, credential: null, subject: null, sent: null, known: null }, reply)
  return toResponse(c, reply)
}

/** The answer to a defect of ours: the contract's code, without details. */
export function answerDefect(c: Context, worlds: Worlds): Response {
  const refusal = refuse('internal_error', DEFECT_HINT)
  return toResponse(c, refusalReply(worlds.default, refusal, new Set()))
}

function methodsOf(path: string): string[] {
  const rows = ENDPOINTS.filter((row) => {
    const pattern = new RegExp(`^${row.path.replace(/\{\w+\}/g, '[^/]+')}$`)
    return pattern.test(path)
  })
  return [...new Set(rows.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))]
}

/** Answers one call and records it in the world that it reached. */
async function answer(c: Context, row: EndpointRow, served: Served, open: OpenCall): Promise<Reply> {
  const { worlds, tokens } = served
  const address = addressOf(c)
  const used = new Set<SilenceId>()
  const caller =
    row.permission === null
      ? null
      : await open.at('token', () => identify(worlds, tokens, headersOf(c), used))
  if (caller && 'refusal' in caller) {
    const world = caller.world ?? worlds.default
    nameRow(world, row, used)
    const reply = refusalReply(world, caller.refusal, used)
    recordAnswer(world, c, row, null, NO_BODY, reply)
    return reply
  }
  if (caller) nameRow(caller.world, row, used)
  const refusal = caller && atOneInstant(caller.world, used, () => refuseCaller(caller, row, address))
  const sent = refusal ? NO_BODY : await open.at('body', () => readSent(c, row))
  const world = caller?.world ?? ownerOf(worlds, sent)
  open.assign(world)
  if (!caller) nameRow(world, row, used)
  const credential = caller?.credential ?? null
  const exchange: Exchange = { world, credential, row, address, tokens }
  let faults = NO_FAULTS
  const finish = (result: Result): Reply => {
    const reply = isRefusal(result)
      ? refusalReply(world, result, used, row)
      : successReply(world, row, result, used)
    recordAnswer(world, c, row, credential, sent, { ...reply, befallen: faults.names })
    return reply
  }
  const loseConnection = (): never => {
    const nothing = { status: 0, envelope: success(null, null), headers: {}, befallen: faults.names }
    recordAnswer(world, c, row, credential, sent, nothing)
    return resetConnection(c)
  }
  if (refusal) return finish(refusal)
  try {
    const tokenId = caller?.tokenId ?? null
    const happening = { call: row.id as OperationId, subject: subjectOf(c, row), tokenId }
    faults = atOneInstant(world, used, () => takeCallFaults(world, happening, c.req.raw))
    world.beforeResponse.clear()
    const reply = await world.clock.pin(() => {
      const result = faults.instead
        ? (answerInstead(world, faults.instead, tokenId) ?? loseConnection())
        : atOneInstant(world, used, () => handle(exchange, c, sent))
      return result instanceof Promise ? result.then(finish) : finish(result)
    })
    planWake(world)
    await sendFirst(world, c.req.raw)
    await faults.held?.released
    return { ...reply, fault: faults.answer }
  } catch (defect) {
    if (defect instanceof ConnectionReset) throw defect
    world.host.report(defect)
    return finish(refuse('internal_error', DEFECT_HINT))
  } finally {
    faults.held?.letGo()
    planWake(world)
  }
}

/** Counts and names the silences that an endpoint itself rests on. */
function nameRow(world: RunningWorld, { silences }: EndpointRow, used: Set<SilenceId>): void {
  world.choices.watch(used, () => {
    for (const id of silences) world.choices.use(id)
  })
}

/** Runs what is overdue and then something, while the clock shows one instant; collects the silences that it reads. */
function atOneInstant<T>(world: RunningWorld, used: Set<SilenceId>, run: () => T): T {
  return world.clock.pin(() => {
    runDue(world)
    return world.choices.watch(used, run)
  })
}

/** The record that the path of a call names; null when it names none. */
function subjectOf(c: Context, { record }: EndpointRow): string | null {
  return record === null ? null : (Object.values(c.req.param())[0] ?? null)
}

function recordAnswer(
  world: RunningWorld,
  c: Context,
  row: EndpointRow,
  credential: Credential | null,
  { fields }: Sent,
  reply: Reply,
): void {
  const subject = subjectOf(c, row)
  const sent = row.body === null || isRefusal(fields) ? null : fields
  recordCall(world, c, { operation: row.id, credential, subject, sent, known: cardSafe(world, row) }, reply)
}

/** The fields that may be kept of a body that may hold a card, under the names of the world; null for any other body. */
function cardSafe(world: RunningWorld, { body }: EndpointRow): string[] | null {
  if (body === null || !('cardNumber' in body.shape)) return null
  const names: Record<string, string> = world.choices.get('TX-01')
  return Object.keys(body.shape).map((field) => names[field] ?? field)
}

/** The world of a token request is the one that its public key belongs to. */
function ownerOf(worlds: Worlds, { fields }: Sent): RunningWorld {
  const publicKey = 'publicKey' in fields ? fields.publicKey : undefined
  return (typeof publicKey === 'string' ? worlds.ofPublicKey(publicKey) : null) ?? worlds.default
}

type Result = AnySuccess | Refusal

/** Looks up the record, reads query and body, and lets the handler answer. Only the signature of a token is awaited. */
function handle(exchange: Exchange, c: Context, sent: Sent): Result | Promise<Result> {
  const { world, credential, row, address, tokens } = exchange
  markCall(world, c)
  if (credential && !recordOf(world.state.credentials, credential.publicKey)) {
    return refuse('unauthorized', 'The world was restored meanwhile, and the credential is gone.')
  }
  const scope = credential ?? NOBODY
  const record = findRecord(world, scope, row, c)
  if (record && isRefusal(record)) return record
  const options = inputOptions(world, row)
  const query = fit(row.query, queryOf(c, world, row), { ...options, names: {} })
  if (!fits(query)) return query
  const fields = readFields(row, sent, options)
  if (isRefusal(fields)) return fields
  const handler = HANDLERS[row.id as OperationId] as (call: unknown) => Result | Promise<Result>
  const call = {
    world,
    credential,
    scope,
    record,
    query: query.value,
    body: fields.value,
    upload: sent.upload,
    ifMatch: c.req.header('if-match') ?? null,
    address,
    tokens,
  }
  const result = handler(call satisfies Record<keyof Call<OperationId>, unknown>)
  const hint = [query.hint, fields.hint, callbackHint(world, fields.value)]
    .filter((part) => part !== null)
    .join(' ')
  const settled = (answered: Result): Result => {
    if (!isRefusal(answered)) {
      const body = fields.value
      const { data } = answered
      const subject = idOf(record) ?? idOf(data)
      reactToCall(world, { operation: row.id as OperationId, subject, body, data })
    }
    return withHint(answered)
  }
  const withHint = (answered: Result): Result =>
    hint === '' || isRefusal(answered)
      ? answered
      : { ...answered, headers: { ...answered.headers, ...hintHeader(hint) } }
  return result instanceof Promise ? result.then(settled) : settled(result)
}

function findRecord(
  world: RunningWorld,
  scope: Scope,
  row: EndpointRow,
  c: Context,
): object | Refusal | null {
  if (row.record === null) return null
  const id = Object.values(c.req.param())[0] ?? ''
  const { transactions, customers, cashouts, disputes } = world.state
  const records: Record<string, Scope> = {
    transaction: transactions,
    customer: customers,
    cashout: cashouts,
    dispute: disputes,
  }[row.record]
  return (
    ownRecord(records, scope, id) ??
    refuse(
      'not_found',
      `No ${row.record} ${id} of this merchant in ${scope.environment}, in world '${world.id}'.`,
    )
  )
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

function toResponse(c: Context, { status, envelope, headers, fault = null }: Reply): Response {
  const text = JSON.stringify(envelope)
  const response = new Response(text, { status, headers: { 'Content-Type': 'application/json', ...headers } })
  return fault ? misanswered(c, response, text, fault) : response
}
