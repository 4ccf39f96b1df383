// Owns writing a call of the gateway as a step of a recording.
import { ENDPOINTS } from '../contract/endpoints.ts'
import { valuesIn } from './data.ts'
import { bodyOf } from './bodies.ts'
import { ensureKnown } from './lookups.ts'
import { addStep, leaveOut } from './recording.ts'
import type { Exchange } from '../client/world.ts'
import type { EndpointRow } from '../contract/endpoint.ts'
import type { Recording } from './recording.ts'

type Fields = Record<string, unknown>

/** What a record is called that an operation makes. */
const KINDS: Readonly<Record<string, string>> = {
  createTransaction: 'sale',
  createCustomer: 'customer',
  createCashout: 'cashout',
  tokenizeCard: 'card',
}
/** Stands for a token that did not hold, or did no more. */
const DEAD_TOKEN = 'a-token-that-does-not-hold'
/** Stands for a secret that was wrong. */
const WRONG_SECRET = 'not-the-secret'

/** Adds the step of a call. */
export function recordCall(recording: Recording, exchange: Exchange): void {
  const { at, operation, method, path, request, status } = exchange
  const row = (ENDPOINTS as readonly EndpointRow[]).find(({ id }) => id === operation)
  if (!row) {
    leaveOut(recording, `${method} ${path} answered ${status} and is no operation of the gateway.`)
    return
  }
  if (row.id === 'createToken' && !tokenCounts(recording, exchange)) return
  if (row.body !== null && (typeof request.body !== 'object' || request.body === null)) {
    return leaveOut(
      recording,
      `${method} ${path} answered ${status}; its body could not be read, so it was not kept.`,
    )
  }
  if ('cut' in ((row.body === null ? {} : request.body) as Fields)) {
    return leaveOut(recording, `${method} ${path} answered ${status}; its body was too long to be kept.`)
  }
  recording.isFresh = false
  if (row.record !== null && exchange.subject !== null) ensureKnown(recording, exchange.subject, at)
  const { body, comment } = bodyOf(recording, row, exchange)
  const secret = row.id === 'createToken' ? { secretKey: secretOf(recording, exchange) } : {}
  const sent = { ...body, ...secret }
  const by = row.id === 'createToken' ? {} : callerOf(recording, row, exchange)
  const id =
    row.record === null || exchange.subject === null ? {} : { id: recording.names.said(exchange.subject) }
  const named = nameOf(recording, row, exchange)
  const step = {
    call: row.id,
    ...id,
    ...(Object.keys(sent).length === 0 ? {} : { with: sent }),
    ...by,
    ...(named === null ? {} : { as: named }),
  }
  const carried = valuesIn([request.body, exchange.query, exchange.subject])
  if (named !== null) carried.add(idIn(exchange))
  addStep(recording, at, { ...step, expect: expectedOf(recording, exchange, carried) }, comment)
}

/** Whether a token call stands in the file: the player asks for tokens by itself, unless it failed or it matters when. */
function tokenCounts({ tokensMatter }: Recording, { status, faults }: Exchange): boolean {
  return tokensMatter || status === 0 || status >= 300 || faults.length > 0
}

function secretOf({ names }: Recording, { request, hint }: Exchange): unknown {
  const { publicKey } = request.body as { publicKey?: unknown }
  const known = typeof publicKey === 'string' ? names.of(publicKey) : null
  if (known === null || hint?.startsWith('The secretKey is not') === true) return WRONG_SECRET
  return known.replace(/publicKey$/, 'secretKey')
}

/** Who calls, and the headers that matter. */
function callerOf(recording: Recording, { permission }: EndpointRow, exchange: Exchange): Fields {
  const { names, tokensMatter, tokens } = recording
  const { publicKey, request } = exchange
  const ifMatch = request.headers['if-match']
  const matching = ifMatch === undefined ? {} : { 'If-Match': ifMatch }
  const withHeaders = (headers: Fields): Fields => (Object.keys(headers).length === 0 ? {} : { headers })
  if (permission === null) return withHeaders(matching)
  const key = request.headers['x-api-key']
  const pair = key === undefined ? null : names.of(key)
  if (key !== undefined && (publicKey === key || request.headers['authorization'] === undefined)) {
    const secret = publicKey === key && pair !== null ? pair.replace(/publicKey$/, 'secretKey') : WRONG_SECRET
    return { by: 'nobody', headers: { ...matching, 'X-Api-Key': pair ?? key, 'X-Api-Secret': secret } }
  }
  if (publicKey === null) {
    const by = request.headers['authorization'] === undefined ? 'nobody' : { token: DEAD_TOKEN }
    return { by, ...withHeaders(matching) }
  }
  const token = tokens.get(publicKey)
  if (tokensMatter && token !== undefined) {
    return { by: { token: `$${token}.accessToken` }, ...withHeaders(matching) }
  }
  const name = names.caller(publicKey)
  if (name === null) {
    leaveOut(
      recording,
      `the key pair ${publicKey} of the next call has no name here; the merchant calls instead.`,
    )
  }
  return { ...(name === null || name === 'merchant' ? {} : { by: name }), ...withHeaders(matching) }
}

/** The name of what a call made; null when it made nothing new, or nobody saw what. */
function nameOf(recording: Recording, row: EndpointRow, exchange: Exchange): string | null {
  const { names, tokens, cardTokens } = recording
  const data = dataOf(exchange)
  if (data === null || isUnseen(exchange)) return null
  if (row.id === 'createToken') {
    const name = names.fresh('token')
    tokens.set(String((exchange.request.body as Fields)['publicKey']), name)
    return name
  }
  const kind = KINDS[row.id]
  const id = idIn(exchange)
  if (kind === undefined || (id !== null && names.of(id) !== null)) return null
  const name = names.fresh(kind)
  if (id !== null) names.bind(id, `$${name}.id`)
  const { customerId, last4, brand } = data as { customerId?: unknown; last4?: unknown; brand?: unknown }
  if (typeof customerId === 'string' && names.of(customerId) === null) {
    names.bind(customerId, `$${name}.customerId`)
  }
  if (row.id === 'tokenizeCard') {
    cardTokens.push({ name, brand: String(brand), lastFour: String(last4), isUsed: false })
  }
  return name
}

function dataOf({ status, response }: Exchange): Fields | null {
  const data = (response.body as { data?: unknown } | null)?.data
  return status >= 200 && status < 300 && typeof data === 'object' && data !== null ? (data as Fields) : null
}

function idIn(exchange: Exchange): string | null {
  const id = dataOf(exchange)?.['id']
  return typeof id === 'string' ? id : null
}

/** What is expected of the answer. */
function expectedOf(recording: Recording, exchange: Exchange, carried: ReadonlySet<unknown>): Fields {
  const { status, code, faults } = exchange
  const lost = lostAnswer(recording)
  if (
    status === 0 ||
    faults.includes('resetAfter') ||
    (faults.includes('answerBody') && lost === 'truncated')
  ) {
    return { none: true }
  }
  const expected = { status, ...(code === null ? {} : { error: code }) }
  if (faults.includes('answerBody')) return { status }
  const data = recording.data.of(dataOf(exchange), carried)
  return data === undefined ? expected : { ...expected, data }
}

/** Whether the caller never saw the data of an answer. */
function isUnseen({ faults }: Exchange): boolean {
  return faults.some((name) => name === 'resetAfter' || name === 'answerBody')
}

/** How the faults of this world spoil the body of an answer. */
function lostAnswer({ seen }: Recording): unknown {
  const actions = seen.happenings.map((each) =>
    each.kind === 'command' && each.command.route === 'POST /faults'
      ? (each.command.body as Fields)['do']
      : null,
  )
  const spoilt = actions.find((action) => typeof action === 'object' && action !== null && 'body' in action)
  return (spoilt as { body?: unknown } | undefined)?.body
}
