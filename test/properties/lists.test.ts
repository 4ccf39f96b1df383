// Owns the proof that every list answers what a plain scan of the state would, after any calls and for any filters.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  CASHOUT_STATUSES,
  CUSTOMER_STATUSES,
  DISPUTE_STATUSES,
  METHODS,
  TRANSACTION_STATUSES,
} from '../../src/contract/enums.ts'
import { DELIVERY_STATUSES, POSTING_REASONS } from '../../src/domain/trail.ts'
import { CALLERS, calls } from './calls.ts'
import { openPlayer } from './player.ts'
import type { WorldState } from '../../src/domain/state.ts'
import type { TestSandbox } from '../support/sandbox.ts'

type Row = Record<string, unknown>
type Filters = Record<string, string>

/** A filter that is there or not: one of some values, or one that a record has, drawn by its number. */
const any = (...values: readonly string[]): fc.Arbitrary<string | null> =>
  fc.option(
    fc.oneof(
      fc.nat(9).map((n) => `#${n}`),
      fc.constantFrom(...values, 'null'),
    ),
    { freq: 1 },
  )
const one = (...values: readonly string[]): fc.Arbitrary<string | null> =>
  fc.option(fc.constantFrom(...values))
const scope = { organizationId: any(), environment: one('Sandbox', 'Production') }

/** The lists of the control API: where their records are, and what they are filtered by. */
const STORED: Record<
  string,
  [rows: (state: WorldState) => Row[], filters: Record<string, fc.Arbitrary<string | null>>]
> = {
  transactions: [
    (state) => Object.values(state.transactions),
    {
      ...scope,
      status: one(...TRANSACTION_STATUSES),
      method: one(...METHODS),
      externalId: any(),
      customerId: any(),
    },
  ],
  customers: [
    (state) => Object.values(state.customers),
    { ...scope, status: one(...CUSTOMER_STATUSES), document: any(), email: any('A@EXAMPLE.COM') },
  ],
  cashouts: [
    (state) => Object.values(state.cashouts),
    { ...scope, status: one(...CASHOUT_STATUSES), externalId: any() },
  ],
  disputes: [
    (state) => Object.values(state.disputes),
    { ...scope, status: one(...DISPUTE_STATUSES), reason: one('Fraud', 'Other'), transactionId: any() },
  ],
  organizations: [(state) => Object.values(state.organizations), { splitCode: any(), name: any() }],
  credentials: [(state) => Object.values(state.credentials), scope],
  journal: [
    (state) => state.journal,
    {
      subject: any(),
      machine: one('transaction', 'cashout', 'dispute'),
      on: one('confirm', 'create'),
      to: one('Completed'),
    },
  ],
  postings: [(state) => state.postings, { ...scope, subject: any(), reason: one(...POSTING_REASONS) }],
  deliveries: [
    (state) => Object.values(state.deliveries),
    {
      subject: any(),
      type: one('payment.completed', 'payment.expired'),
      status: one(...DELIVERY_STATUSES),
      url: any(),
    },
  ],
}

/** The lists of the gateway, with the names that filters have in records. */
const SOLD: Record<string, [kind: keyof WorldState, filters: Record<string, fc.Arbitrary<string | null>>]> = {
  transactions: [
    'transactions',
    { status: one(...TRANSACTION_STATUSES), method: one(...METHODS), externalId: any(), customerId: any() },
  ],
  customers: [
    'customers',
    {
      status: one(...CUSTOMER_STATUSES),
      documentType: one('CPF', 'CNPJ'),
      search: one('a', 'ana', 'SOU', '123', 'x@', 'example', 'nobody'),
    },
  ],
  cashouts: ['cashouts', { status: one(...CASHOUT_STATUSES), externalId: any() }],
  disputes: [
    'disputes',
    { status: one(...DISPUTE_STATUSES), reason: one('Fraud', 'Other'), paymentId: any() },
  ],
}

const paging = { limit: fc.integer({ min: 1, max: 4 }), page: fc.integer({ min: 1, max: 3 }) }
const days = {
  startDate: one('2030-01-01', '2030-01-02', '2030-03-01'),
  endDate: one('2030-01-01', '2030-01-20', '2031-01-01'),
}

const query = (filters: Record<string, fc.Arbitrary<string | null>>) =>
  fc.record({ ...paging, filters: fc.record(filters) })
const stored = fc.oneof(
  ...Object.entries(STORED).map(([list, [, filters]]) => query(filters).map((each) => ({ list, ...each }))),
)
const sold = fc.oneof(
  ...Object.entries(SOLD).map(([list, [, filters]]) =>
    query(list === 'customers' ? filters : { ...filters, ...days }).map((each) => ({ list, ...each })),
  ),
)

/** One question for a list. */
interface Drawn {
  list: string
  limit: number
  page: number
  filters: Record<string, string | null>
}

/** Filters as sent: those left out are gone, and a drawn one is the value of that record. */
function filtersOf(rows: readonly Row[], drawn: Record<string, string | null>, names: Filters = {}): Filters {
  return Object.fromEntries(
    Object.entries(drawn).flatMap(([name, value]) => {
      if (value === null) return []
      const row = rows[Number(value.slice(1)) % Math.max(rows.length, 1)]
      const sent = value.startsWith('#') ? textOf(row?.[names[name] ?? name] ?? 'none') : value
      return sent === '' ? [] : [[name, sent]]
    }),
  )
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
const nameOf = (row: Row): unknown => row['id'] ?? row['n'] ?? row['publicKey']

/** A whole list of the control API, answer by answer, against a scan. */
async function checkStored({ world, control }: TestSandbox, { list, limit, filters }: Drawn) {
  const rows = STORED[list]?.[0](world.state) ?? []
  const sent = filtersOf(rows, filters)
  const found = rows.filter((row) =>
    Object.entries(sent).every(([name, value]) => textOf(row[name]) === value),
  )
  const wanted = found.toReversed().map(nameOf)
  const answered: unknown[] = []
  for (let after: string | null = ''; after !== null;) {
    const { body } = await control(
      'GET',
      `/${list}?${new URLSearchParams({ ...sent, limit: String(limit), after }).toString()}`,
    )
    expect(body.total, JSON.stringify([list, sent])).toBe(found.length)
    answered.push(...body.items.map(nameOf))
    after = body.next
  }
  expect(answered, JSON.stringify([list, sent])).toEqual(wanted)
}

const plain = (text: unknown): string =>
  String(text)
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()

/** One page of a list of the gateway against a scan. */
async function checkSold(
  { world, send, token }: TestSandbox,
  { list, limit, page, filters }: Drawn,
  keys: { publicKey: string; secretKey: string },
) {
  const [kind] = SOLD[list] ?? ['transactions']
  const own = world.state.credentials[keys.publicKey]
  const mine = Object.values(world.state[kind]).filter(
    (row: Row) => row['organizationId'] === own?.organizationId && row['environment'] === own?.environment,
  ) as Row[]
  const sent = filtersOf(mine, filters, { paymentId: 'transactionId' })
  if (sent['externalId'] === 'none') delete sent['externalId']
  const { startDate = '', endDate = '9999', search, paymentId, ...values } = sent
  const found = mine.filter(
    (row) =>
      Object.entries(values).every(([name, value]) => row[name] === value) &&
      (paymentId === undefined || row['transactionId'] === paymentId) &&
      (search === undefined ||
        [row['name'], row['email'], row['document'] ?? ''].some((text) =>
          plain(text).includes(plain(search)),
        )) &&
      textOf(row['createdAt']) >= startDate &&
      textOf(row['createdAt']).slice(0, 10) <= endDate,
  )
  const asked = new URLSearchParams({ ...sent, page: String(page), pageSize: String(limit) })
  const bearer = await token(keys.publicKey, keys.secretKey)
  const { body } = await send('GET', `/v1/${list}?${asked.toString()}`, { token: bearer })
  const ids = body.data.items.map(nameOf)
  const wanted = found
    .toReversed()
    .slice((page - 1) * limit, page * limit)
    .map(nameOf)
  expect([body.data.totalItems, ids], JSON.stringify([list, sent])).toEqual([found.length, wanted])
}

/** Changed when other calls are wanted; the same one draws the same calls. */
const SEED = 20_261_121

test('after any calls, every list answers what a scan would', { timeout: 240_000 }, async () => {
  const program = fc.tuple(
    calls,
    fc.array(stored, { minLength: 10, maxLength: 20 }),
    fc.array(sold, { minLength: 10, maxLength: 20 }),
  )
  await fc.assert(
    fc.asyncProperty(program, async ([all, storedLists, soldLists]) => {
      const { sandbox, play } = openPlayer()
      try {
        for (const call of all) await play(call)
        expect(sandbox.defects).toEqual([])
        for (const each of storedLists) await checkStored(sandbox, each)
        for (const by of CALLERS) {
          for (const each of soldLists) await checkSold(sandbox, each, sandbox.world.origin.keys[by])
        }
      } finally {
        sandbox.close()
      }
    }),
    { numRuns: 20, seed: SEED },
  )
})
