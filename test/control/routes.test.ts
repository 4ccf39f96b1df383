// Checks every control route once: its answer and its refusal, under /_sandbox and under the path of a world.
import { describe, expect, test } from 'vitest'
import { CONTROL_ROUTES } from '../../src/control/routes.ts'
import { createApp } from '../../src/app.ts'
import { COMMON_CONTROL_ERRORS } from '../../src/control/route.ts'
import { SANDBOX_ERRORS } from '../../src/contract/errors.ts'
import { present } from '../../src/kernel/assert.ts'
import { exportText } from '../../src/world/exportedWorld.ts'
import { begin } from './transactionSteps.ts'
import type { SandboxErrorCode } from '../../src/contract/errors.ts'
import type { RunningWorld } from '../../src/world/runningWorld.ts'
import type { Answered, TestSandbox } from '../support/sandbox.ts'

/** A sandbox seen through one base of its control API. */
interface Asking {
  sandbox: TestSandbox
  /** The world that the base means. */
  world: RunningWorld
  base: string
  /** Path and body of a call with the method of the route. */
  ask(path: string, body?: unknown): Promise<Answered>
}

/** How a route is met: a call that it answers, and one that it refuses with a code. */
interface RouteCase {
  answers(asking: Asking): Promise<Answered>
  refuses(asking: Asking): Promise<Answered>
  code: SandboxErrorCode
}

const BAD = 'sandbox_bad_request'
const GONE = 'sandbox_not_found'

const plain = (
  path: string,
  body: unknown,
  wrongPath: string,
  wrongBody: unknown,
  code: RouteCase['code'],
) => ({
  answers: ({ ask }: Asking) => ask(path, body),
  refuses: ({ ask }: Asking) => ask(wrongPath, wrongBody),
  code,
})
const reads = (path: string, wrong: string, code: RouteCase['code']): RouteCase =>
  plain(path, undefined, wrong, undefined, code)
const changes = (path: string, body: unknown, wrong: unknown, code: RouteCase['code'] = BAD): RouteCase =>
  plain(path, body, path, wrong, code)

/** A call of the gateway in the world that is asked. */
async function inWorld({ sandbox, world }: Asking, path: string, body: unknown): Promise<string> {
  const token = await sandbox.token(`pk_sandbox_${world.id}`)
  const answered = await sandbox.send('POST', path, { token, body })
  expect(answered.status, JSON.stringify(answered.body)).toBe(201)
  return String(answered.body.data.id)
}

const charge = (asking: Asking): Promise<string> =>
  inWorld(asking, '/v1/transactions', { method: 'Pix', amount: 100, callbackUrl: 'http://shop.test/hook' })

/** A transaction that was paid. */
async function sale(asking: Asking): Promise<string> {
  const { sandbox, world } = asking
  const on = await charge(asking)
  await sandbox.control('POST', `/worlds/${world.id}/trigger`, { on, do: 'confirm' })
  return on
}

async function dispute(asking: Asking): Promise<string> {
  const { sandbox, world } = asking
  const paymentId = await sale(asking)
  const { body } = await sandbox.control('POST', `/worlds/${world.id}/disputes`, { paymentId })
  return String(body.id)
}

async function cashout(asking: Asking): Promise<string> {
  const { sandbox, world } = asking
  await sandbox.control('PATCH', `/worlds/${world.id}/balance`, { fund: 10_000 })
  const body = { amount: 1_000, pixKeyType: 'Email', pixKey: 'ana@example.com' }
  return inWorld(asking, '/v1/cashouts', body)
}

/** The begin of a stream. Asked beside the harness, which waits for the end of every answer. */
async function beginOfStream({ sandbox, base }: Asking, path: string): Promise<Answered> {
  const app = createApp(sandbox.worlds, { controlToken: null })
  const { status, headers, body } = await app.fetch(new Request(`http://sandbox.test/_sandbox${base}${path}`))
  await body?.cancel()
  return { status, headers, body: null }
}

/** A delivery that waits for nothing any more. */
async function delivered(asking: Asking): Promise<string> {
  const { sandbox, world } = asking
  const path = `/worlds/${world.id}`
  const on = await charge(asking)
  const { body } = await sandbox.control('POST', `${path}/trigger`, { on, do: 'confirm' })
  await sandbox.control('POST', `${path}/settle`, {})
  return String(body.deliveries[0])
}

const firstOrganization = ({ world }: Asking): string =>
  present(Object.keys(world.state.organizations)[0], 'an organisation')

/** Saves a snapshot under the name `s`. */
async function withSnapshot(asking: Asking): Promise<Asking> {
  await asking.sandbox.control('PUT', `/worlds/${asking.world.id}/snapshots/s`)
  return asking
}

const key = ({ world }: Asking): string => `/credentials/pk_sandbox_${world.id}`

const CASES: Record<string, RouteCase> = {
  livez: reads('/livez', '/livezz', GONE),
  readyz: reads('/readyz', '/readyzz', GONE),
  getInfo: reads('/info', '/infos', GONE),
  changeInfo: changes('/info', { url: 'http://gateway.test:4848' }, { url: 'gateway.test' }),
  getControlReference: reads('/openapi.json', '/openapi.jsn', GONE),

  createWorld: changes('/worlds', { id: 'made' }, { id: 'default' }, 'sandbox_world_exists'),
  listWorlds: reads('/worlds', '/worlds?limit=0', BAD),
  getWorld: reads('/worlds/other', '/worlds/nowhere', GONE),
  deleteWorld: reads('/worlds/other', '/worlds/default', 'sandbox_world_fixed'),
  forkWorld: changes('/fork', { id: 'copy' }, { id: 'other' }, 'sandbox_world_exists'),
  resetWorld: reads('/reset', '/resett', GONE),

  exportWorld: reads('/export', '/export?all=yes', BAD),
  importWorld: {
    answers: ({ ask, world }) => ask('/import', JSON.parse(exportText(world))),
    refuses: ({ ask }) => ask('/import', { format: 1 }),
    code: BAD,
  },

  listSnapshots: reads('/snapshots', '/snapshots?after=none', BAD),
  saveSnapshot: reads('/snapshots/a.b-c_1', '/snapshots/a%20b', BAD),
  getSnapshot: {
    answers: async (asking) => (await withSnapshot(asking)).ask('/snapshots/s'),
    refuses: ({ ask }) => ask('/snapshots/s'),
    code: GONE,
  },
  deleteSnapshot: {
    answers: async (asking) => (await withSnapshot(asking)).ask('/snapshots/s'),
    refuses: ({ ask }) => ask('/snapshots/s'),
    code: GONE,
  },
  restoreSnapshot: {
    answers: async (asking) => (await withSnapshot(asking)).ask('/snapshots/s/restore'),
    refuses: ({ ask }) => ask('/snapshots/s/restore'),
    code: GONE,
  },

  getClock: reads('/clock', '/clock/', GONE),
  freezeClock: changes('/clock/freeze', {}, { at: 'noon' }),
  flowClock: changes('/clock/flow', { rate: 2 }, { rate: 0 }),
  advanceClock: changes('/clock/advance', { by: '31m' }, { by: '31 minutes' }),
  listJobs: reads('/jobs', '/jobbs', GONE),
  settle: changes('/settle', {}, { timeoutMs: -1 }),

  listTransactionsAsStored: reads('/transactions', '/transactions?limit=1001', BAD),
  getTransactionAsStored: {
    answers: async (asking) => asking.ask(`/transactions/${await charge(asking)}`),
    refuses: ({ ask }) => ask('/transactions/none'),
    code: GONE,
  },
  listCustomersAsStored: reads('/customers', '/customers?limit=some', BAD),
  getCustomerAsStored: {
    async answers(asking) {
      const customer = { name: 'Ana Souza', email: 'ana@example.com' }
      return asking.ask(`/customers/${await inWorld(asking, '/v1/customers', customer)}`)
    },
    refuses: ({ ask }) => ask('/customers/none'),
    code: GONE,
  },
  listCashoutsAsStored: reads('/cashouts', '/cashouts?after=none', BAD),
  getCashoutAsStored: {
    answers: async (asking) => asking.ask(`/cashouts/${await cashout(asking)}`),
    refuses: ({ ask }) => ask('/cashouts/none'),
    code: GONE,
  },
  listDisputesAsStored: reads('/disputes', '/disputes?environment=None', BAD),
  getDisputeAsStored: {
    answers: async (asking) => asking.ask(`/disputes/${await dispute(asking)}`),
    refuses: ({ ask }) => ask('/disputes/none'),
    code: GONE,
  },
  listPostings: reads('/postings', '/postings?reason=whim', BAD),
  listBalances: reads('/balances', '/balances?environment=None', BAD),
  patchBalance: changes('/balance', { fund: 100 }, { fund: 0 }),
  openDispute: {
    answers: async (asking) => asking.ask('/disputes', { paymentId: await sale(asking) }),
    refuses: async (asking) => asking.ask('/disputes', { paymentId: await charge(asking) }),
    code: 'sandbox_trigger_refused',
  },

  armFault: changes(
    '/faults',
    { on: { operation: 'respondToDispute' }, do: 'dispute_changed' },
    { on: { operation: 'createToken' }, do: 'dispute_changed' },
  ),
  listFaults: reads('/faults', '/faults?limit=0', BAD),
  releaseFault: {
    async answers(asking) {
      const { body } = await asking.sandbox.control('POST', `${asking.base}/faults`, { do: { status: 500 } })
      return asking.ask(`/faults/${String(body.id)}/release`)
    },
    refuses: ({ ask }) => ask('/faults/none/release'),
    code: GONE,
  },
  clearFaults: reads('/faults', '/faults?id=none', GONE),

  addRules: changes(
    '/rules',
    { when: { call: 'createTransaction', amount: 6_661 }, do: { trigger: 'fail', after: '3s' } },
    { when: { call: 'getBalance' }, do: { trigger: 'fail' } },
  ),
  listRules: reads('/rules', '/rules?limit=0', BAD),
  clearRules: reads('/rules', '/rules?id=none', GONE),
  giveRecords: changes(
    '/given',
    { customers: [{ as: 'ana', name: 'Ana Souza', email: 'ana@example.com' }] },
    { customers: [{ as: 'ana', name: 'Ana Souza', email: 'ana@example.com', document: '1' }] },
  ),

  listExchanges: reads('/exchanges', '/exchanges?status=fine', BAD),
  getExchange: {
    async answers(asking) {
      await charge(asking)
      return asking.ask('/exchanges/x1')
    },
    refuses: ({ ask }) => ask('/exchanges/x1'),
    code: GONE,
  },
  waitForExchange: {
    async answers(asking) {
      await charge(asking)
      return asking.ask('/exchanges/wait', { operation: 'createTransaction', after: 0 })
    },
    refuses: ({ ask }) => ask('/exchanges/wait', { wait: 'long' }),
    code: BAD,
  },
  streamEvents: {
    answers: (asking) => beginOfStream(asking, '/events'),
    refuses: ({ ask }) => ask('/eventss'),
    code: GONE,
  },

  listCommands: reads('/commands', '/commands?after=none', BAD),

  explain: {
    answers: async (asking) => asking.ask(`/explain/${await charge(asking)}`),
    refuses: ({ ask }) => ask('/explain/none'),
    code: GONE,
  },

  listOrganizationsAsStored: reads('/organizations', '/organizations?limit=1.5', BAD),
  getOrganizationAsStored: {
    answers: (asking) => asking.ask(`/organizations/${firstOrganization(asking)}`),
    refuses: ({ ask }) => ask('/organizations/none'),
    code: GONE,
  },
  listJournal: reads('/journal', '/journal?machine=washing', BAD),
  fireTrigger: {
    answers: async (asking) => asking.ask('/trigger', { on: await charge(asking), do: 'confirm' }),
    refuses: async (asking) => asking.ask('/trigger', { on: await charge(asking), do: 'refund' }),
    code: 'sandbox_trigger_refused',
  },
  listCredentials: reads('/credentials', '/credentials?environment=Staging', BAD),
  getCredential: {
    answers: (asking) => asking.ask(key(asking)),
    refuses: ({ ask }) => ask('/credentials/pk_sandbox_nobody'),
    code: GONE,
  },
  createCredential: changes('/credentials', {}, { organization: 'none' }, GONE),
  updateCredential: {
    answers: (asking) => asking.ask(key(asking), { active: false }),
    refuses: (asking) => asking.ask(key(asking), { permissions: ['everything'] }),
    code: BAD,
  },
  createOrganization: changes('/organizations', { name: 'Padaria' }, { name: '' }),
  updateOrganization: {
    answers: (asking) => asking.ask(`/organizations/${firstOrganization(asking)}`, { maySplit: false }),
    refuses: ({ ask }) => ask('/organizations/none', { maySplit: false }),
    code: GONE,
  },

  listDeliveries: reads('/deliveries', '/deliveries?status=lost', BAD),
  getDelivery: {
    answers: async (asking) => asking.ask(`/deliveries/${await delivered(asking)}`),
    refuses: ({ ask }) => ask('/deliveries/none'),
    code: GONE,
  },
  holdDeliveries: changes('/deliveries/hold', { type: 'payment.completed' }, { type: 'payment.lost' }),
  releaseDeliveries: changes('/deliveries/release', {}, { order: ['none'] }, GONE),
  duplicateDelivery: {
    answers: async (asking) => asking.ask(`/deliveries/${await delivered(asking)}/duplicate`),
    refuses: ({ ask }) => ask('/deliveries/none/duplicate'),
    code: GONE,
  },
  resendDelivery: {
    answers: async (asking) => asking.ask(`/deliveries/${await delivered(asking)}/resend`),
    refuses: ({ ask }) => ask('/deliveries/none/resend'),
    code: GONE,
  },
  receiveIntoInbox: plain('/inbox/shop', { any: 'thing' }, '/inbox/no%20name', {}, BAD),
  scriptInbox: changes('/inboxes/shop', { answers: [500] }, { answers: [99] }),
  listInboxes: reads('/inboxes', '/inboxes?limit=-1', BAD),
  listInboxMessages: reads('/inboxes/shop/messages', '/inboxes/shop/messages?wait=soon', BAD),

  playScenario: changes(
    '/scenarios',
    'name: x\nsteps: [{ note: y }]',
    'name: x\nstep: []',
    'sandbox_bad_scenario',
  ),

  listSilences: reads('/silences', '/silence', GONE),
  chooseSilences: changes('/silences', { 'TX-03': 60 }, { 'TX-03': 4 }),
}

/** The bases of the control API, each with the world it means. */
const BASES = [
  { base: '', id: 'default' },
  { base: '/worlds/default', id: 'default' },
  { base: '/worlds/other', id: 'other' },
]

const ASKED = CONTROL_ROUTES.flatMap((row) =>
  BASES.filter(({ base }) => row.scope === 'world' || base === '').map((base) => ({ row, ...base })),
).map((each) => ({ ...each, name: `${each.row.method} ${each.base}${each.row.path}` }))

async function beginAt(method: string, base: string, id: string): Promise<Asking> {
  const sandbox = begin()
  await sandbox.control('POST', '/worlds', { id: 'other' })
  const ask = (path: string, body?: unknown): Promise<Answered> => sandbox.control(method, base + path, body)
  return { sandbox, world: present(sandbox.worlds.get(id), 'a world'), base, ask }
}

describe('every control route', () => {
  test('has a case here, and every case is of a route', () => {
    expect(Object.keys(CASES).toSorted()).toEqual(CONTROL_ROUTES.map(({ id }) => id).toSorted())
  })

  test('has a method and path of its own', () => {
    const places = CONTROL_ROUTES.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '*')}`)
    expect(new Set(places).size).toBe(places.length)
  })

  test.each(ASKED)('$name answers', async ({ row, base, id }) => {
    const route = present(CASES[row.id], `a case for ${row.id}`)
    const { status, headers } = await route.answers(await beginAt(row.method, base, id))
    expect(status).toBe(row.status)
    const named = row.path === '/worlds/{world}' ? 'other' : id
    expect(headers.get('x-sandbox-world')).toBe(named)
    expect(headers.get('x-sandbox-now')).toMatch(/^\d{4}-.*Z$/)
  })

  test.each(ASKED)('$name refuses with a code, a message and a hint', async ({ row, base, id }) => {
    const route = present(CASES[row.id], `a case for ${row.id}`)
    const { status, body, headers } = await route.refuses(await beginAt(row.method, base, id))
    // Only what is said of a text has places in it.
    const { problems: _, ...error } = body.error
    expect(error).toEqual({ code: route.code, message: expect.stringMatching(/\S{3}/) })
    expect(status).toBe(SANDBOX_ERRORS[route.code].status)
    expect([...COMMON_CONTROL_ERRORS, ...row.errors]).toContain(route.code)
    expect(headers.get('x-sandbox-hint')).toMatch(/^[\x20-\x7e]{3,500}$/)
    expect(headers.get('content-type')).toMatch(/^application\/json/)
  })

  test.each(CONTROL_ROUTES.filter(({ scope }) => scope === 'world'))(
    '$method $path refuses a world that does not exist',
    async ({ method, path }) => {
      const at = `/worlds/othr${path.replaceAll(/\{\w+\}/g, 'x')}`
      const sandbox = begin()
      await sandbox.control('POST', '/worlds', { id: 'other' })
      const { status, body } = await sandbox.control(method, at, method === 'GET' ? undefined : {})
      expect([status, body.error.code]).toEqual([404, GONE])
      expect(body.error.message).toContain("Did you mean 'other'?")
    },
  )

  test('acts on the world that its path names and on no other', async () => {
    const sandbox = begin()
    await sandbox.control('POST', '/worlds', { id: 'other' })
    await sandbox.control('POST', '/worlds/other/clock/advance', { by: '1h' })
    await sandbox.control('PATCH', '/worlds/other/silences', { 'TX-03': 60 })
    await sandbox.control('PUT', '/worlds/other/inboxes/shop', { answers: [500] })
    await sandbox.control('PUT', '/worlds/other/snapshots/s')
    const found = await Promise.all(
      ['', '/worlds/default', '/worlds/other'].map(async (base) => {
        const [clock, inboxes, snapshots] = await Promise.all(
          ['/clock', '/inboxes', '/snapshots'].map((path) => sandbox.control('GET', base + path)),
        )
        return [clock?.body.now, inboxes?.body.total, snapshots?.body.total] as unknown[]
      }),
    )
    const untouched = ['2030-01-01T12:00:00.000Z', 0, 0]
    expect(found).toEqual([untouched, untouched, ['2030-01-01T13:00:00.000Z', 1, 1]])
    expect(sandbox.world.choices.overrides()).toEqual({})
  })
})
