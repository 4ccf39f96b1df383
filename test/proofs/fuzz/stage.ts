// Owns where requests are sent: a server whose worlds hold records in every status, and what of it a refused call must leave.
import * as enums from '../../../src/contract/enums.ts'
import { startServer } from '../../../src/server.ts'
import { parseClockStart } from '../../../src/world/clockStart.ts'
import { isBusy } from '../../../src/world/run.ts'
import { CARD } from '../../properties/bodies.ts'
import { QUIET_SENDER } from '../../properties/player.ts'
import { fakeHost } from '../../support/fakeHost.ts'
import { DEFAULT_WORLD } from '../../../src/world/worlds.ts'
import { soon } from '../../../src/kernel/timers.ts'
import type { RunningWorld } from '../../../src/world/runningWorld.ts'
import type { Worlds } from '../../../src/world/worlds.ts'

/** Answers one request, as the whole app does. */
export type Fetch = (request: Request) => Promise<Response>

/** A server with its worlds and the tokens of their callers. */
export interface Stage {
  worlds: Worlds
  /** Where it listens. */
  url: string
  /** Reaches it without a socket. */
  fetch: Fetch
  /** Access tokens by whose they are. */
  tokens: Readonly<Record<string, string>>
  /** What guards the control API; null for nothing. */
  controlToken: string | null
  /** Defects that were reported. */
  defects: unknown[]
  close(): Promise<void>
}

/** The instant at which worlds stand still. */
const START = '2030-01-01T12:00:00.000Z'
/** A second world, full as the first one. */
export const SIDE_WORLD = 'side'

/** Address under which others would reach it. */
export const PUBLIC_URL = 'http://sandbox.test'

const HOOK = 'http://shop.test/hook'

/** Fields of a payment by its method. */
export const METHOD_FIELDS = {
  Pix: {},
  CreditCard: CARD,
  Boleto: { boletoDueDate: '2030-01-10', customerName: 'Ana', customerDocument: '12345678909' },
} as const

/** Records of every kind in every status. */
function everyStatus(): object {
  const payments = enums.METHODS.flatMap((method) =>
    [...enums.TRANSACTION_STATUSES, 'Pending', 'Pending', 'Completed'].map((status) => ({
      method,
      amount: 12_990,
      status,
      externalId: `order-${method}-${status}`,
      ...METHOD_FIELDS[method],
    })),
  )
  const disputed = enums.DISPUTE_STATUSES.map((_, index) => ({
    as: `disputed${index}`,
    method: 'Pix',
    amount: 5_000 + index,
    status: 'Completed',
  }))
  return {
    customers: enums.CUSTOMER_STATUSES.map((status, index) => ({
      name: 'Ana Souza',
      email: `ana${index}@example.com`,
      document: index === 0 ? '12345678909' : '11144477735',
      documentType: 'CPF',
      phone: '5511999990000',
      status,
    })),
    transactions: [...withoutRefused(payments), ...disputed],
    balance: { fund: 50_000_000 },
    cashouts: [...enums.CASHOUT_STATUSES, 'Pending', 'Pending'].map((status) => ({
      amount: 1_000,
      pixKeyType: 'CPF',
      pixKey: '12345678909',
      status,
    })),
    disputes: [
      ...enums.DISPUTE_STATUSES.map((status, index) => ({ transaction: `disputed${index}`, status })),
    ],
  }
}

/** Some ways to pay never reach some statuses. */
function withoutRefused<T extends { method: string; status: string }>(payments: T[]): T[] {
  return payments.filter(({ method, status }) => method === 'Pix' || status !== 'Processing')
}

const CONTROL_TOKEN = 'stage-door'

/** Fills the worlds of a server; answers the tokens of callers. */
type Furnish = (worlds: Worlds, fetch: Fetch) => Promise<Record<string, string>>

/**
 * A stage: two full worlds, a spare one, a snapshot, a fault, a rule, inboxes and deliveries.
 * @param isGuarded whether the control API wants a token
 * @throws {Error} when it cannot be set up; nothing is left open then
 */
export async function openStage(seed: string, isGuarded = false, fill: Furnish = furnish): Promise<Stage> {
  const defects: unknown[] = []
  // Also a clock that flows stands still: nothing happens between a refusal and the look at what it left.
  const time = fakeHost()
  time.wallAt = Date.parse(START)
  const server = await startServer({
    port: 0,
    seed,
    clock: parseClockStart(START),
    publicUrl: PUBLIC_URL,
    time,
    silences: { 'AU-13': 'off' },
    controlToken: isGuarded ? CONTROL_TOKEN : undefined,
    report: (defect) => defects.push(defect),
  })
  const { worlds, url } = server
  worlds.host.sender = QUIET_SENDER
  const { fetch, close } = server
  try {
    const tokens = await fill(worlds, fetch)
    return { worlds, url, fetch, tokens, defects, controlToken: isGuarded ? CONTROL_TOKEN : null, close }
  } catch (error) {
    await close()
    throw new Error(`the stage could not be set up: ${String(error)}`, { cause: error })
  }
}

/** Whether the next message to a path is answered as an inbox was told. */
export function isScripted({ worlds }: Pick<Stage, 'worlds'>, path: string): boolean {
  const [, name = ''] = /\/inbox\/([^/]+)$/.exec(path) ?? []
  const isNamed = (inbox: { name: string }): boolean =>
    inbox.name === name || encodeURIComponent(inbox.name) === name
  const inboxes = worlds.list().flatMap((world) => world.inboxes.list())
  return inboxes.some((inbox) => isNamed(inbox) && inbox.answers.length > 0)
}

async function furnish(worlds: Worlds, fetch: Fetch): Promise<Record<string, string>> {
  const order = orderTo(fetch)
  await order('POST', '/_sandbox/worlds', { id: SIDE_WORLD, clock: START })
  await order('POST', '/_sandbox/worlds', { id: 'spare' })
  for (const id of [DEFAULT_WORLD, SIDE_WORLD]) {
    await order('POST', `/_sandbox/worlds/${id}/given`, everyStatus())
  }
  const limited = await order('POST', '/_sandbox/credentials', { permissions: ['balance.read'] })
  const elsewhere = (await order('POST', '/_sandbox/credentials', {})) as KeyPair
  const { sandbox, production, receiver } = worlds.default.origin.keys
  const side = worlds.get(SIDE_WORLD)?.origin.keys.sandbox
  const pairs = { sandbox, production, receiver, limited, elsewhere, ...(side && { side }) } as Record<
    string,
    KeyPair
  >
  const tokens: Record<string, string> = {}
  for (const [name, { publicKey, secretKey }] of Object.entries(pairs)) {
    const { data } = (await order('POST', '/v1/auth/token', { publicKey, secretKey })) as TokenAnswer
    tokens[name] = data.accessToken
  }
  await order('PATCH', `/_sandbox/credentials/${elsewhere.publicKey}`, { allowedIps: ['10.9.9.9'] })
  for (const [id, token] of [
    [DEFAULT_WORLD, tokens['sandbox']],
    [SIDE_WORLD, tokens['side']],
  ] as const) {
    const asMerchant: Order = (method, path, body) =>
      order(method, path, body, path.startsWith('/v1') ? token : undefined)
    await furnishWorld(asMerchant, `/_sandbox/worlds/${id}`)
  }
  return tokens
}

interface KeyPair {
  publicKey: string
  secretKey: string
}

interface TokenAnswer {
  data: { accessToken: string }
}

type Order = (method: string, path: string, body: object, token?: string) => Promise<unknown>

/** Deliveries that were sent and that are held, calls that were recorded, and one of everything that can be made. */
async function furnishWorld(order: Order, base: string): Promise<void> {
  const sell = { method: 'Pix', amount: 700, callbackUrl: HOOK }
  const pay = async (): Promise<unknown> => {
    const { data } = (await order('POST', '/v1/transactions', sell)) as { data: { id: string } }
    return order('POST', `${base}/trigger`, { on: data.id, do: 'confirm' })
  }
  await pay()
  await order('POST', `${base}/deliveries/hold`, {})
  await pay()
  await order('POST', `${base}/faults`, { on: { operation: 'getBalance' }, do: { latencyMs: 1 }, nth: 1_000 })
  await order('POST', `${base}/rules`, {
    when: { event: 'payment.completed', amount: 77 },
    do: { trigger: 'refund' },
  })
  await order('PUT', `${base}/inboxes/box`, {})
  await order('PUT', `${base}/snapshots/ready`, {})
}

/** Sends what must succeed. */
function orderTo(fetch: Fetch): Order {
  return async (method, path, body, token) => {
    const shown = token ?? (path.startsWith('/_sandbox') ? CONTROL_TOKEN : undefined)
    const headers = { 'Content-Type': 'application/json', ...(shown && { Authorization: `Bearer ${shown}` }) }
    const sent = { method, headers, body: JSON.stringify(body) }
    const answered = await fetch(new Request(PUBLIC_URL + path, sent))
    const text = await answered.text()
    if (!answered.ok) throw new Error(`${method} ${path} answered ${answered.status} ${text}`)
    return JSON.parse(text) as unknown
  }
}

/** Resolves once nothing is being sent or answered, after some turns of the loop at least. */
export async function quiet({ worlds }: Pick<Stage, 'worlds'>, turns = 0): Promise<void> {
  for (let turn = 0; turn < 1_000 + turns; turn += 1) {
    const isBusyWith = worlds.list().some((world) => isBusy(world) || world.answering.size > 0)
    if (turn >= turns && !isBusyWith) return
    await new Promise<void>(soon)
  }
}

/** Everything that a refused call must leave as it was; rate windows and the log of exchanges are left out. */
export function fingerprint({ worlds }: Pick<Stage, 'worlds'>): string {
  return `${worlds.host.publicUrl}\n${worlds.list().map(printOf).join('\n')}`
}

/** A fault counts each call that it meets, also one that is refused. */
function withoutCounts(fault: RunningWorld['faults'][number]): Omit<typeof fault, 'seen' | 'fired'> {
  const { seen: _seen, fired: _fired, ...rest } = fault
  return rest
}

function printOf(world: RunningWorld): string {
  const { id, state, scheduler, faults, rules, choices, clock, inboxes, commands, snapshots, life } = world
  return JSON.stringify([
    {
      id,
      life,
      faults: faults.map(withoutCounts),
      rules,
      commands: commands.list().length,
      snapshots: [...snapshots.keys()],
    },
    { mode: clock.mode, rate: clock.rate, silences: choices.overrides(), jobs: scheduler.save() },
    { ...state, rateWindows: null },
    inboxes.list(),
  ])
}
