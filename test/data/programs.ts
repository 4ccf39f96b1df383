// Owns random programs over a whole server: worlds that come and go, and everything that may be done in one of them.
import fc from 'fast-check'
import { calls } from '../properties/calls.ts'
import { playerOn } from '../properties/player.ts'
import type { Call } from '../properties/calls.ts'
import type { Player } from '../properties/player.ts'
import type { KeptSandbox } from './kept.ts'

/** A control call of a world; `{...}` in its path names the record of a kind that was made last. */
interface Order {
  method: string
  path: string
  body?: unknown
}

/** One step. `in` names a world, counted round. */
export type Step =
  | { do: 'play'; in: number; call: Call }
  | { do: 'order'; in: number; order: Order }
  | { do: 'ask'; in: number; method: string; path: string; body?: unknown }
  | { do: 'world'; flows: boolean }
  | { do: 'end'; in: number }
  | { do: 'wait'; milliseconds: number }

const delivery = { delivery: {} }
const onCreation = { operation: 'createTransaction' }

/** Orders that meet each kind of thing that is kept. */
const ORDERS: readonly Order[] = [
  { method: 'POST', path: '/reset' },
  { method: 'POST', path: '/fork', body: {} },
  { method: 'PUT', path: '/snapshots/one' },
  { method: 'PUT', path: '/snapshots/two' },
  { method: 'POST', path: '/snapshots/one/restore' },
  { method: 'POST', path: '/snapshots/two/restore' },
  { method: 'DELETE', path: '/snapshots/one' },
  { method: 'POST', path: '/faults', body: { on: onCreation, do: { status: 503 }, times: 2 } },
  { method: 'POST', path: '/faults', body: { on: { operation: 'getBalance' }, do: { revokeToken: true } } },
  { method: 'POST', path: '/faults', body: { on: { operation: 'respondToDispute' }, do: 'dispute_changed' } },
  { method: 'POST', path: '/faults', body: { on: delivery, do: { send: 'held' }, nth: 2 } },
  { method: 'POST', path: '/faults', body: { on: delivery, do: { send: 'beforeResponse' }, times: 3 } },
  { method: 'POST', path: '/faults', body: { on: delivery, do: { send: 'dropped' }, probability: 0.5 } },
  { method: 'POST', path: '/faults', body: { on: delivery, do: { late: '10m' } } },
  { method: 'POST', path: '/faults', body: { on: delivery, do: { send: 'twice' }, times: 2 } },
  { method: 'POST', path: '/faults', body: { on: delivery, do: { answer: 'lost' }, times: 2 } },
  { method: 'POST', path: '/faults', body: { on: delivery, do: { duplicates: 2 }, times: 2 } },
  { method: 'POST', path: '/faults', body: { on: delivery, do: { signature: 'otherId' }, times: 2 } },
  { method: 'DELETE', path: '/faults' },
  { method: 'POST', path: '/deliveries/hold', body: {} },
  { method: 'POST', path: '/deliveries/release', body: {} },
  { method: 'POST', path: '/deliveries/{deliveries}/resend' },
  { method: 'POST', path: '/deliveries/{deliveries}/duplicate' },
  { method: 'POST', path: '/rules', body: { when: { call: 'createTransaction' }, do: { trigger: 'fail', after: '1m' } } },
  {
    method: 'POST',
    path: '/rules',
    body: { when: { event: 'payment.completed' }, do: { trigger: 'refund', after: '3m' }, probability: 0.7 },
  },
  {
    method: 'POST',
    path: '/rules',
    body: { when: { call: 'createCashout' }, do: { fault: { on: delivery, do: { send: 'held' } } } },
  },
  { method: 'DELETE', path: '/rules' },
  { method: 'DELETE', path: '/rules?id=rule-1' },
  { method: 'POST', path: '/clock/freeze', body: {} },
  { method: 'POST', path: '/clock/flow', body: { rate: 60 } },
  { method: 'POST', path: '/clock/advance', body: { toNext: true } },
  { method: 'POST', path: '/clock/advance', body: { by: '7s' } },
  { method: 'PATCH', path: '/silences', body: { 'LM-01': 3 } },
  { method: 'PATCH', path: '/silences', body: { 'LM-01': 'none', 'AU-13': 4, 'AU-04': 'attemptsSlidingHour' } },
  { method: 'PATCH', path: '/silences', body: { 'AU-13': 3, 'AU-04': 'issuedFixedHour' } },
  { method: 'PATCH', path: '/silences', body: { 'AU-13': 'off', 'AU-09': 'RS256' } },
  { method: 'POST', path: '/credentials', body: {} },
  { method: 'PATCH', path: '/credentials/{credentials}', body: { active: true, permissions: ['balance.read'] } },
  { method: 'POST', path: '/organizations', body: {} },
  { method: 'PATCH', path: '/organizations/{organizations}', body: { name: 'Outra Loja' } },
  {
    method: 'POST',
    path: '/given',
    body: { customers: [{ name: 'Ana', email: 'ana@example.com' }], transactions: [{ method: 'Pix', amount: 500 }] },
  },
  { method: 'POST', path: '/settle', body: { timeoutMs: 1_000 } },
]

const CARD = {
  cardNumber: ['4111', '1111', '1111', '1111'].join(''),
  cardHolderName: 'ANA SOUZA',
  cardExpirationMonth: '12',
  cardExpirationYear: '2060',
  cardCvv: '123',
}

const place = fc.nat(3)

/** Steps that the calls of a merchant and a tester do not hold. */
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 14, arbitrary: fc.record({ do: fc.constant('order'), in: place, order: fc.constantFrom(...ORDERS) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('world'), flows: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('end'), in: place }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait'), milliseconds: fc.nat(100_000) }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Step>(
      { do: 'ask', in: 0, method: 'GET', path: '/v1/balance' },
      { do: 'ask', in: 0, method: 'POST', path: '/v1/card-tokenize', body: CARD },
      {
        do: 'ask',
        in: 0,
        method: 'POST',
        path: '/v1/transactions',
        body: { method: 'CreditCard', amount: 900, cardToken: '{cardTokens}' },
      },
      { do: 'ask', in: 1, method: 'POST', path: '/v1/customers', body: { name: 'Bia', email: 'bia@example.com' } },
    ),
  },
)

/** Steps that mean something only one after the other in one world: what a rule planned goes with the rule. */
const chain: fc.Arbitrary<Step[]> = place.map((at) => [
  {
    do: 'order',
    in: at,
    order: {
      method: 'POST',
      path: '/rules',
      body: { when: { call: 'createTransaction' }, do: { trigger: 'fail', after: '5m' } },
    },
  },
  { do: 'ask', in: at, method: 'POST', path: '/v1/transactions', body: { method: 'Pix', amount: 700 } },
  { do: 'order', in: at, order: { method: 'DELETE', path: '/rules' } },
])

const inserted = fc.oneof(
  { weight: 12, arbitrary: step.map((one) => [one]) },
  { weight: 1, arbitrary: chain },
)

/** A program: calls of a merchant and a tester in several worlds, with other steps between them. */
export const programs: fc.Arbitrary<Step[]> = fc
  .tuple(
    calls,
    fc.array(place, { minLength: 1, maxLength: 40 }),
    fc.array(fc.tuple(inserted, fc.nat(40)), { maxLength: 30 }),
  )
  .map(([all, places, others]) => {
    const program = all.map(
      (call, index): Step => ({ do: 'play', in: places[index % places.length] ?? 0, call }),
    )
    for (const [steps, at] of others) program.splice(at % (program.length + 1), 0, ...steps)
    return program
  })

/** Plays steps on a sandbox. */
export function createPlayer(sandbox: KeptSandbox): (step: Step) => Promise<void> {
  const players = new Map<string, Player>()
  const { worlds } = sandbox

  const control = (id: string, { method, path, body }: Order) =>
    sandbox.control(method, `/worlds/${id}${named(id, path)}`, body)

  /** A text with the keys of the latest records in it. */
  function named(id: string, text: string): string {
    const { state } = worlds.get(id) ?? sandbox.world
    return text.replaceAll(/\{(\w+)\}/g, (_, kind) => {
      const records = state[kind as 'deliveries']
      return Object.keys(records).at(-1) ?? '00000000-0000-4000-8000-000000000000'
    })
  }

  function playerIn(id: string): Player {
    const world = worlds.get(id) ?? sandbox.world
    const known = players.get(id)
    if (known?.sandbox.world === world) return known
    const made = playerOn({ ...sandbox, world, control: (method, path, body) => control(id, { method, path, body }) })
    players.set(id, made)
    return made
  }

  /** Whether a step waits for receivers, so that they have to answer. */
  const waits = (next: Step): boolean =>
    (next.do === 'play' && next.call.do === 'advance') ||
    (next.do === 'order' && /advance|settle|release/.test(next.order.path)) ||
    worlds.list().some(({ faults }) => faults.some(({ name }) => name === 'beforeResponse'))

  return async function play(next) {
    if (waits(next)) sandbox.gate.open()
    else sandbox.gate.close()
    const all = worlds.list()
    const { id } = all[('in' in next ? next.in : 0) % all.length] ?? sandbox.world
    switch (next.do) {
      case 'play':
        return playerIn(id).play(next.call)
      case 'order':
        await control(id, next.order)
        return
      case 'ask': {
        const { publicKey, secretKey } = (worlds.get(id) ?? sandbox.world).origin.keys.sandbox
        const keys = { body: { publicKey, secretKey } }
        const answered = await sandbox.send('POST', '/v1/auth/token', keys)
        const token: unknown = answered.body.data?.accessToken
        const body = next.body === undefined ? undefined : named(id, JSON.stringify(next.body))
        const headers = { 'Content-Type': 'application/json' }
        if (typeof token === 'string') await sandbox.send(next.method, next.path, { token, body, headers })
        return
      }
      case 'world':
        await sandbox.control('POST', '/worlds', {
          ...(next.flows ? { clock: 'flowing' } : {}),
          silences: { 'AU-13': 'off' },
        })
        return
      case 'end':
        await sandbox.control('DELETE', `/worlds/${id}`)
        return
      case 'wait':
        sandbox.time.wallAt += next.milliseconds
        sandbox.time.stopwatchAt += next.milliseconds
        return
      default:
        next satisfies never
    }
  }
}
