// Owns the proof that a server may be killed at any moment: nothing that it acknowledged is lost, and the money adds up.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRandom, seedState } from '../../src/kernel/random.ts'
import { strongHex } from '../../src/kernel/entropy.ts'
import { builtCommand, PATIENCE_MS } from '../cli/command.ts'
import { openReceiver } from '../support/server.ts'
import type { Receiver } from '../support/server.ts'
import type { Random } from '../../src/kernel/random.ts'

/** How often the server is killed. */
const KILLS = 50
/** Callers that load it at the same time. */
const CALLERS = 8
/** Answers after which it is killed at the latest. */
const MOST_ANSWERS = 60
const FUNDED = 1_000_000_000

const { started } = builtCommand()

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-sandbox-kill-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** What the server has answered so far: the ids of what it said is there. */
interface Acknowledged {
  charges: Set<string>
  paid: Set<string>
  cashouts: Set<string>
}

type Call = (method: string, path: string, body?: unknown) => Promise<Answer>
// oxlint-disable-next-line typescript/no-explicit-any -- the shapes are checked elsewhere
type Answer = { status: number; body: any }

function callerOf(url: string, token: string | null): Call {
  return async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        'Content-Type': 'application/json',
        ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json() }
  }
}

/** One caller: sells, is paid and withdraws until the server is gone. */
async function load(call: Call, hook: string, known: Acknowledged, random: Random, answered: () => void) {
  for (;;) {
    const sale = await call('POST', '/v1/transactions', { method: 'Pix', amount: 5_000, callbackUrl: hook })
    expect(sale.status, JSON.stringify(sale.body)).toBe(201)
    known.charges.add(sale.body.data.id)
    answered()
    if (random.below(3) > 0) {
      const path = `/v1/transactions/${sale.body.data.id}/simulate`
      expect((await call('POST', path, { action: 'complete' })).status).toBe(200)
      known.paid.add(sale.body.data.id)
      answered()
    }
    if (random.below(3) > 0) continue
    const key = { pixKeyType: 'CPF', pixKey: '12345678909', callbackUrl: hook }
    const cashout = await call('POST', '/v1/cashouts', { amount: 1_000, ...key })
    expect(cashout.status, JSON.stringify(cashout.body)).toBe(201)
    known.cashouts.add(cashout.body.data.id)
    answered()
  }
}

/** Everything of a list. */
async function all(call: Call, path: string): Promise<Answer['body'][]> {
  const items: Answer['body'][] = []
  let after = ''
  for (;;) {
    const { status, body } = await call('GET', `/_sandbox${path}?limit=1000${after}`)
    expect(status, JSON.stringify(body)).toBe(200)
    items.push(...body.items)
    if (body.next === null) return items
    after = `&after=${encodeURIComponent(body.next)}`
  }
}

/** Finds everything that was acknowledged, and each cent in its place. */
async function check(call: Call, { charges, paid, cashouts }: Acknowledged): Promise<void> {
  const [transactions, withdrawn, deliveries, jobs, postings, balances] = await Promise.all([
    all(call, '/transactions'),
    all(call, '/cashouts'),
    all(call, '/deliveries'),
    all(call, '/jobs'),
    all(call, '/postings'),
    all(call, '/balances'),
  ])
  const byId = new Map(transactions.map((each) => [each.id, each]))
  const lost = (ids: Set<string>, found: { has(id: string): boolean }): string[] =>
    [...ids].filter((id) => !found.has(id))
  expect(lost(charges, byId)).toEqual([])
  expect([...paid].filter((id) => byId.get(id)?.status !== 'Completed')).toEqual([])
  expect(lost(cashouts, new Set(withdrawn.map(({ id }) => id)))).toEqual([])
  const told = deliveries.filter(({ type }) => type === 'payment.completed').map(({ subject }) => subject)
  expect(lost(paid, new Set(told))).toEqual([])
  const expiring = jobs.filter(({ job }) => job === 'expireTransaction').map(({ subject }) => subject)
  const pending = transactions.filter(({ status }) => status === 'Pending').map(({ id }) => id)
  expect(expiring.toSorted()).toEqual(pending.toSorted())
  const net = transactions.filter(({ status }) => status === 'Completed').map(({ netAmount }) => netAmount)
  const reserved = sum(withdrawn.map(({ amount }) => amount))
  expect(balances.find(({ environment, total }) => environment === 'Sandbox' && total !== 0)).toMatchObject({
    available: FUNDED + sum(net) - reserved,
    pending: 0,
    reserved,
  })
  expect(postings.map(({ n }) => n).toReversed()).toEqual(postings.map((_, index) => index + 1))
  expect(postings.filter(({ lines }) => sum(lines.map((line: { amount: number }) => line.amount)) !== 0)).toEqual([])
}

function sum(values: readonly number[]): number {
  return values.reduce((whole, each) => whole + each, 0)
}

/** Starts the server, loads it and kills it after some answers. */
async function oneLife(token: string, receiver: Receiver, known: Acknowledged, random: Random): Promise<void> {
  const server = await started(argumentsIn(folder))
  const call = callerOf(server.told.url, token)
  let left = random.below(MOST_ANSWERS)
  const answered = (): void => {
    left -= 1
    if (left < 0) server.child.kill('SIGKILL')
  }
  const gone = server.ended.then(() => 'gone')
  const callers = Array.from({ length: CALLERS }, async () => {
    try {
      await load(call, receiver.url, known, random, answered)
    } catch (error) {
      // Only the end of the server ends a caller.
      if (!(error instanceof TypeError)) throw error
    }
  })
  if (left === 0) server.child.kill('SIGKILL')
  await Promise.all(callers)
  await gone
  const { stderr } = await server.ended
  expect(stderr).not.toMatch(/defect|damaged/)
}

const argumentsIn = (where: string): string[] => ['--data', join(where, 'sandbox.json')]

test(`killed ${KILLS} times under load, it has all that it acknowledged`, { timeout: 4 * PATIENCE_MS }, async () => {
  const seed = process.env['KILL_SEED'] ?? strongHex(4)
  console.log(`KILL_SEED=${seed}`)
  const random = createRandom(seedState(seed))
  const receiver = await openReceiver()
  const known: Acknowledged = { charges: new Set(), paid: new Set(), cashouts: new Set() }
  try {
    const first = await started(argumentsIn(folder))
    const { publicKey, told } = { ...first.told, told: first.told }
    const keys = { publicKey, secretKey: publicKey.replace('pk_', 'sk_') }
    const { body } = await callerOf(told.url, null)('POST', '/v1/auth/token', keys)
    const token = String(body.data.accessToken)
    await callerOf(told.url, null)('PATCH', '/_sandbox/balance', { fund: FUNDED })
    first.child.kill('SIGKILL')
    await first.ended
    for (let kill = 1; kill < KILLS; kill += 1) await oneLife(token, receiver, known, random)
    const last = await started(argumentsIn(folder))
    const call = callerOf(last.told.url, null)
    await check(call, known)
    expect((await call('POST', '/_sandbox/settle', { timeoutMs: 30_000 })).status).toBe(200)
    const received = new Set(receiver.received.map(({ body: bytes }) => JSON.parse(bytes.toString()).data.id))
    expect([...known.paid].filter((id) => !received.has(id))).toEqual([])
    expect(known.charges.size).toBeGreaterThan(KILLS)
    last.child.kill('SIGTERM')
    expect((await last.ended).stderr).toBe('')
  } finally {
    await receiver.close()
  }
})
