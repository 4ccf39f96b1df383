// Owns valid requests: for each operation one that should succeed in the worlds of a stage, from which damage starts.
import { exportText } from '../../../src/world/exportedWorld.ts'
import { DEFAULT_WORLD } from '../../../src/world/worlds.ts'
import { CASHOUT_TRIGGERS } from '../../../src/domain/cashoutMachine.ts'
import { DISPUTE_TRIGGERS } from '../../../src/domain/disputeMachine.ts'
import { TRANSACTION_TRIGGERS } from '../../../src/domain/transactionMachine.ts'
import { METHODS, SIMULATE_ACTIONS } from '../../../src/contract/enums.ts'
import { oneIn, pick } from './hostile.ts'
import { sampleOf } from './sample.ts'
import { METHOD_FIELDS, SIDE_WORLD } from './stage.ts'
import type { RunningWorld } from '../../../src/world/runningWorld.ts'
import type { Random } from '../../../src/kernel/random.ts'
import type { Draft } from './draft.ts'
import type { Operation } from './documents.ts'
import type { Stage } from './stage.ts'

/** What a request is made from. */
export interface Making {
  stage: Stage
  /** The world that it is about. */
  world: RunningWorld
  random: Random
}

const UNKNOWN = '00000000-0000-4000-8000-000000000000'
const HOOK = 'http://shop.test/hook'
const EDGE = 'edge'

type Kind = 'transactions' | 'customers' | 'cashouts' | 'disputes' | 'organizations' | 'deliveries'

/** The id of a record of the merchant, in one of the statuses where there is one. */
export function idOf({ world, random }: Making, kind: Kind, ...statuses: string[]): string {
  const all: { id: string; status?: string }[] = Object.values(world.state[kind])
  const wanted = all.filter(({ status = '' }) => statuses.includes(status))
  const from = wanted.length > 0 ? wanted : all
  return from.length === 0 ? UNKNOWN : pick(random, from).id
}

/** Bodies by operation: an object is sent as JSON, a text as it is. What is missing has a body out of its schema. */
const BODIES: Readonly<Record<string, (making: Making) => unknown>> = {
  createToken: ({ world, random }) => ({
    ...world.origin.keys.sandbox,
    ...(oneIn(random, 6) && { secretKey: 'another' }),
    grantType: 'client_credentials',
  }),
  createTransaction: ({ random }) => {
    const method = pick(random, METHODS)
    const hook = oneIn(random, 2) ? { callbackUrl: HOOK } : {}
    return {
      method,
      amount: 100 + random.below(90_000),
      description: 'Pedido',
      ...METHOD_FIELDS[method],
      ...hook,
    }
  },
  simulateTransaction: ({ random }) => ({ action: pick(random, SIMULATE_ACTIONS) }),
  tokenizeCard: () => METHOD_FIELDS.CreditCard,
  createCustomer: ({ random }) => ({
    name: 'Bia Lima',
    email: `bia${random.below(1e9)}@example.com`,
    document: `1${random.text('0123456789', 10)}`,
    documentType: 'CPF',
    phone: '5511988887777',
    // A few names for all, so that some are taken.
    ...(oneIn(random, 3) && { externalId: `client-${random.below(3)}` }),
  }),
  updateCustomer: ({ random }) => ({ name: `Bia ${random.below(100)}` }),
  createCashout: ({ random }) => ({
    amount: oneIn(random, 6) ? 900_000_000 : 1_000,
    pixKeyType: 'CPF',
    pixKey: '12345678909',
  }),
  simulateCashout: ({ random }) => ({ action: pick(random, ['complete', 'fail', 'reject']) }),
  respondToDispute: () => ({ text: 'O pedido foi entregue.' }),
  addDisputeEvidence: () => multipart('%PDF-1.4 proof'),
  changeInfo: () => ({ url: 'http://sandbox.test' }),
  createWorld: ({ random }) => ({
    id: oneIn(random, 3) ? SIDE_WORLD : `w${random.below(1e6)}`,
    clock: '2030-01-01T12:00:00Z',
  }),
  forkWorld: ({ random }) => ({ id: oneIn(random, 4) ? SIDE_WORLD : `f${random.below(1e6)}` }),
  importWorld: ({ world }): unknown => JSON.parse(exportText(world)),
  freezeClock: () => ({}),
  flowClock: ({ random }) => ({ rate: pick(random, [1, 60]) }),
  advanceClock: ({ random }) =>
    oneIn(random, 4) ? { to: '2020-01-01T00:00:00Z' } : { by: pick(random, ['1s', '31m', '25h', '1500ms']) },
  settle: () => ({ timeoutMs: 5 }),
  fireTrigger: (making) => {
    const { random } = making
    if (oneIn(random, 8)) {
      return { on: idOf(making, 'transactions', 'Completed'), do: 'refund', amount: 90_000_000 }
    }
    if (oneIn(random, 2)) return { on: idOf(making, 'transactions', 'Pending'), do: 'confirm' }
    const [kind, triggers] = pick(random, [
      ['transactions', TRANSACTION_TRIGGERS],
      ['cashouts', CASHOUT_TRIGGERS],
      ['disputes', DISPUTE_TRIGGERS],
    ] as const)
    return { on: idOf(making, kind), do: pick(random, triggers) }
  },
  createCredential: () => ({ permissions: ['balance.read'], allowedIps: ['10.0.0.0/8'] }),
  updateCredential: ({ random }) => ({ active: oneIn(random, 2) }),
  createOrganization: () => ({ name: 'Loja Dois', maySplit: false }),
  updateOrganization: () => ({ name: 'Loja Tres' }),
  giveRecords: ({ random }) => ({
    transactions: [{ as: 'sale', method: 'Pix', amount: 1_000 + random.below(50), status: 'Completed' }],
    disputes: [{ transaction: 'sale' }],
  }),
  patchBalance: () => ({ fund: 1_000 }),
  openDispute: (making) => ({ paymentId: undisputed(making), reason: 'Fraud' }),
  armFault: ({ random }) =>
    pick(random, [
      { do: { latencyMs: 1 } },
      { on: { delivery: {} }, do: { send: 'twice' } },
      // Armed, and never met: what it would answer is a 503 that nobody is to blame for.
      { on: { operation: 'getTransaction' }, do: { status: 503 }, nth: 1_000_000 },
    ]),
  addRules: () => ({
    when: { call: 'createTransaction', amount: 123 },
    do: { trigger: 'confirm', after: '1h' },
  }),
  waitForExchange: () => ({ after: 0, wait: '1ms' }),
  holdDeliveries: () => ({ type: 'payment.completed' }),
  releaseDeliveries: (making) =>
    pick(making.random, [
      {},
      { order: [idOf(making, 'deliveries', 'held')] },
      { order: [idOf(making, 'deliveries')] },
    ]),
  receiveIntoInbox: () => ({ any: 'thing' }),
  scriptInbox: () => ({ answers: [{ status: 202 }] }),
  chooseSilences: ({ random }) => pick(random, [{ 'AU-13': 'off' }, { 'TX-05': 'any' }, { 'TX-02': 200 }]),
  playScenario: () => 'name: Nothing happens\nsteps:\n  - advance: 1m\n',
}

/** Path parameters whose value depends on the operation; others name a record of the kind in the path. */
const PARAMS: Readonly<Record<string, (making: Making) => string>> = {
  simulateTransaction: (making) => idOf(making, 'transactions', 'Pending'),
  cancelCashout: (making) => idOf(making, 'cashouts', 'Pending'),
  simulateCashout: (making) => idOf(making, 'cashouts', 'Pending', 'Processing'),
  respondToDispute: (making) => idOf(making, 'disputes', ...(oneIn(making.random, 4) ? [] : ['Open'])),
  addDisputeEvidence: (making) => idOf(making, 'disputes', 'Open', 'MerchantResponded'),
  saveSnapshot: ({ random }) => pick(random, ['ready', 'other']),
  scriptInbox: () => 'scripted',
  explain: (making) =>
    idOf(making, pick(making.random, ['transactions', 'cashouts', 'disputes', 'customers'])),
  getExchange: ({ world }) => world.exchanges.list().at(-1)?.id ?? UNKNOWN,
  releaseFault: ({ world }) => world.faults.at(-1)?.id ?? UNKNOWN,
}

/** The values of `{name}` parameters by the word before them in the path. */
const NAMED: Readonly<Record<string, (making: Making) => string>> = {
  credentials: ({ world, random }) => pick(random, Object.keys(world.state.credentials)),
  snapshots: () => 'ready',
  inbox: () => 'box',
  inboxes: () => 'box',
}

/** Fields that make a call wait on the host: they are kept short, because a fuzzer has no time. By operation: body, query. */
const WAITS: Readonly<Record<string, { json?: object; query?: readonly (readonly [string, string])[] }>> = {
  waitForExchange: { json: { wait: '1ms' } },
  settle: { json: { timeoutMs: 5, quietMs: 0 } },
  scriptInbox: { json: { delayMs: 0 } },
  listInboxMessages: { query: [['wait', '1ms']] },
  playScenario: { query: [['pauseMs', '0']] },
}

/** The id of the route of an operation, which stands twice where it is about a world. */
function routeId({ id }: Operation): string {
  return id.replace(/InWorld$/, '')
}

/** The world that a request of an operation is about. */
export function worldFor(operation: Operation, stage: Stage, random: Random): RunningWorld {
  const { worlds } = stage
  if (!operation.path.includes('{world}')) return worlds.default
  if (operation.id === 'deleteWorld' && !oneIn(random, 3)) return worlds.list().at(-1) ?? worlds.default
  return worlds.get(pick(random, [DEFAULT_WORLD, SIDE_WORLD, SIDE_WORLD])) ?? worlds.default
}

/** A request that should succeed; sometimes its body comes out of the schema, and then nobody knows. */
export function draftOf(operation: Operation, making: Making): Draft {
  const draft: Draft = {
    operation,
    method: operation.method,
    path: pathOf(operation, making),
    query: queryOf(operation, making),
    headers: [],
    json: undefined,
    body: null,
  }
  const token = tokenFor(operation, making)
  if (token !== null) draft.headers.push(['Authorization', `Bearer ${token}`])
  addBody(draft, making)
  return draft
}

/** What a request shows: sometimes the token of another caller, which may not do that. */
function tokenFor({ api, id }: Operation, { random, stage }: Making): string | null {
  if (api === 'control') return oneIn(random, 12) ? null : stage.controlToken
  const { sandbox = '', production = '' } = stage.tokens
  if (id.startsWith('simulate') && oneIn(random, 6)) return production
  return oneIn(random, 12) ? pick(random, Object.values(stage.tokens)) : sandbox
}

function addBody(draft: Draft, making: Making): void {
  const { operation } = draft
  const { random } = making
  const make = BODIES[routeId(operation)]
  if (!make && operation.body === null) return
  const fromSchema = operation.body !== null && (!make || oneIn(random, 4))
  const sent =
    fromSchema && operation.body ? sampleOf(operation.body, operation.definitions, random) : make?.(making)
  const type = operation.contentTypes[0] ?? 'application/json'
  draft.headers.push(['Content-Type', type.startsWith('multipart') ? `${type}; boundary=${EDGE}` : type])
  if (typeof sent === 'string') draft.body = Buffer.from(sent, 'latin1')
  // Damage must not reach what the next request is made from.
  else draft.json = structuredClone(sent)
}

/** Keeps what would make a call wait short. Done after all changes of its parts. */
export function shortened(draft: Draft): void {
  const { json = {}, query = [] } = WAITS[routeId(draft.operation)] ?? {}
  if (isObject(draft.json)) Object.assign(draft.json, json)
  const names = new Set(query.map(([name]) => name))
  const others = draft.query.filter(([name]) => !names.has(name))
  draft.query = [...others, ...query.map(([name, value]): [string, string] => [name, value])]
}

/** Whether an operation waits as long as its body says, so that its bytes are left alone. */
export function isPatient({ operation }: Draft): boolean {
  return WAITS[routeId(operation)]?.json !== undefined
}

/** Whether a value is a plain object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A text as a part of an address. */
export function inAddress(text: string): string {
  return encodeURIComponent(text.replace(/\p{Cs}/gu, '?'))
}

function undisputed({ world, random }: Making): string {
  const disputed = new Set(Object.values(world.state.disputes).map(({ transactionId }) => transactionId))
  const all = Object.values(world.state.transactions)
  const free = all.filter(({ id, status }) => status === 'Completed' && !disputed.has(id))
  return free.length === 0 ? UNKNOWN : pick(random, free).id
}

function pathOf(operation: Operation, making: Making): string {
  const parts = operation.path.split('/')
  const filled = parts.map((part, index) => {
    if (!part.startsWith('{')) return part
    if (part === '{world}') return making.world.id
    const before = parts[index - 1] ?? ''
    const make = PARAMS[routeId(operation)] ?? NAMED[before]
    return make ? make(making) : idOf(making, before as Kind)
  })
  return filled.join('/')
}

/** Some of the parameters of the query, with values that fit. */
function queryOf({ parameters, definitions }: Operation, { random }: Making): [string, string][] {
  const known = parameters.filter((parameter) => parameter.in === 'query' && oneIn(random, 6))
  return known.map(({ name, schema }) => {
    const value = sampleOf(schema, definitions, random)
    return [name, inAddress(String(value))]
  })
}

function multipart(content: string): string {
  return [
    `--${EDGE}`,
    'Content-Disposition: form-data; name="file"; filename="proof.pdf"',
    'Content-Type: application/pdf',
    '',
    content,
    `--${EDGE}--`,
    '',
  ].join('\r\n')
}
