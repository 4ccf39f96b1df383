// Owns defects that are planted into a sandbox under test, each as somebody could make it: what the model must notice.
import { foldBooks } from '../../../src/domain/books.ts'
import { DISPUTE_MACHINE } from '../../../src/domain/disputeMachine.ts'
import { startExtraAttempt } from '../../../src/world/run.ts'
import type { Transaction } from '../../../src/domain/records.ts'
import type { Posting } from '../../../src/domain/trail.ts'
import type { RunningWorld } from '../../../src/world/runningWorld.ts'
import type { Worlds } from '../../../src/world/worlds.ts'
import type { Plant } from './server.ts'

const DAY_MS = 86_400_000

/** A planted defect: how it is made anew for each run, and what the report of it must say. */
export interface Planted {
  /** Begins it; answers how it acts, and how it ends. */
  begin(): { plant: Plant; end?: () => void }
  /** What the report names. */
  says: RegExp
  /** Steps that the shortest program has at most. */
  steps: number
  /** Words of the scenario, where one leads to the defect. */
  scenario: RegExp
}

/** Does something once to each thing of the worlds that is new. */
function once<T extends object>(
  find: (world: RunningWorld) => T[],
  act: (thing: T, world: RunningWorld) => void,
) {
  const seen = new WeakSet<T>()
  return (worlds: Worlds): void => {
    for (const world of worlds.list()) {
      for (const thing of find(world)) {
        if (seen.has(thing)) continue
        seen.add(thing)
        act(thing, world)
      }
    }
  }
}

const isPath = (path: string, end: RegExp): boolean => end.test(path)

/** The world that a path of the control API names. */
function worldIn(path: string, worlds: Worlds): RunningWorld {
  return worlds.get(path.split('/')[3] ?? '') ?? worlds.default
}

/** A request whose query is heard differently. */
function withQuery(request: Request, change: (query: URLSearchParams) => void): Request {
  const url = new URL(request.url)
  change(url.searchParams)
  return url.href === request.url ? request : new Request(url, request)
}

/** Whether callers see a fault. */
function isSeen(action: object | string): boolean {
  return ['status', 'code', 'reset'].some((name) => Object.hasOwn(Object(action), name))
}

/** A refund bears what the fee should. */
function keepFee(posting: Posting): void {
  const kept = posting.lines.find(({ account }) => account.startsWith('gateway:'))
  const borne = posting.lines.find(({ account }) => /^(?:available|pending):/.test(account))
  if (!kept || !borne) return
  Object.assign(borne, { amount: borne.amount + kept.amount })
  posting.lines.splice(posting.lines.indexOf(kept), 1)
}

/** The planted defects by what each does. */
export const PLANTED: Readonly<Record<string, Planted>> = {
  'takes a cent too much as a fee': {
    begin: () => {
      const spoil = once(
        ({ state }) => Object.values(state.transactions),
        (sale: Transaction) => Object.assign(sale, { fee: sale.fee + 1, netAmount: sale.netAmount - 1 }),
      )
      return { plant: { answered: (_request, _status, worlds) => spoil(worlds) } }
    },
    says: /^transaction 0\b/,
    steps: 2,
    scenario: /call: createTransaction/,
  },
  'forgets to return the fee of a refund': {
    begin: () => {
      const spoil = once(
        ({ state }) => state.postings.filter(({ reason }) => reason === 'refund'),
        (posting, world) => {
          keepFee(posting)
          world.books = foldBooks(world.state.postings)
        },
      )
      return { plant: { answered: (_request, _status, worlds) => spoil(worlds) } }
    },
    says: /^posting \d+\n.*"refund"/,
    steps: 2,
    scenario: /do: refund|action: refund/,
  },
  'lets a merchant win a dispute that is only open': {
    begin: () => {
      const rows = DISPUTE_MACHINE.rows as unknown as object[]
      rows.push({ from: 'Open', on: 'win', to: 'Won', effects: [], source: 'planted' })
      return { plant: {}, end: () => void rows.pop() }
    },
    says: /^the answer to disputes win/,
    steps: 3,
    scenario: /do: win/,
  },
  'keeps a customer when a world is reset': {
    begin: () => {
      const before = new Map<string, object>()
      return {
        plant: {
          answered({ path }, _status, worlds) {
            if (isPath(path, /\/reset$/)) {
              Object.assign(worldIn(path, worlds).state.customers, before.get(path.split('/')[3] ?? ''))
            }
            for (const { id, state } of worlds.list()) before.set(id, { ...state.customers })
          },
        },
      }
    },
    says: /^customer 0\b/,
    steps: 2,
    scenario: /the world was reset here/,
  },
  'loses a job when a snapshot is restored': {
    begin: () => ({
      plant: {
        answered({ path }, status, worlds) {
          if (!isPath(path, /\/restore$/) || status !== 200) return
          const { scheduler } = worldIn(path, worlds)
          const [first] = scheduler.list(1)
          if (first) scheduler.cancel(first.kind, first.subject)
        },
      },
    }),
    says: /^the jobs\n/,
    steps: 5,
    scenario: /the world was put back to here/,
  },
  'loses a job of a world that is put in': {
    begin: () => ({
      plant: {
        answered({ path }, status, worlds) {
          if (!isPath(path, /\/import$/) || status !== 200) return
          const { scheduler } = worldIn(path, worlds)
          const [first] = scheduler.list(1)
          if (first) scheduler.cancel(first.kind, first.subject)
        },
      },
    }),
    says: /^the jobs\n/,
    steps: 4,
    scenario: /the world was taken out here/,
  },
  'lets a fault go on after its time': {
    begin: () => {
      const spoil = once(
        ({ faults }) => faults.filter(({ until, do: act }) => until !== null && isSeen(act)),
        (fault) => void (fault.until = null),
      )
      return { plant: { answered: (_request, _status, worlds) => spoil(worlds) } }
    },
    says: /^the faults\n|^the answer to |^webhook /,
    steps: 3,
    scenario: /until: /,
  },
  'keeps the fee of a refund that is given': {
    begin: () => {
      let isGiving = false
      const spoil = once(
        ({ state }) => state.postings.filter(({ reason }) => reason === 'refund'),
        (posting, world) => {
          if (!isGiving) return
          keepFee(posting)
          world.books = foldBooks(world.state.postings)
        },
      )
      return {
        plant: {
          answered({ method, path }, _status, worlds) {
            // Players of scenarios read while they give.
            if (method === 'GET') return
            isGiving = isPath(path, /\/(?:given|worlds)$/)
            spoil(worlds)
          },
        },
      }
    },
    says: /^posting \d+\n.*"refund"/,
    steps: 1,
    scenario: /given:/,
  },
  'leaves out of a list what was created at the very end of its time': {
    begin: () => ({
      plant: {
        heard: (request) =>
          withQuery(request, (query) => {
            const end = Date.parse(query.get('endDate') ?? '')
            if (end % DAY_MS !== 0 && end > 0) query.set('endDate', new Date(end - 1).toISOString())
          }),
      },
    }),
    says: /^items in the answer to list/,
    steps: 3,
    scenario: /endDate: /,
  },
  'does not heed which payer a list is asked for': {
    begin: () => ({
      plant: { heard: (request) => withQuery(request, (query) => query.delete('customerId')) },
    }),
    says: /^items in the answer to listTransactions/,
    steps: 3,
    scenario: /customerId: /,
  },
  'heeds no addresses that a credential allows': {
    begin: () => ({
      plant: {
        answered(_request, _status, worlds) {
          for (const { state } of worlds.list()) {
            for (const credential of Object.values(state.credentials)) credential.allowedIps = []
          }
        },
      },
    }),
    says: /^the answer to \w+\n.*ip_not_allowed/,
    steps: 2,
    scenario: /allowedIps: /,
  },
  'forgets the tokens of an hour as it refuses one': {
    begin: () => ({
      plant: {
        answered({ path }, status, worlds) {
          if (path !== '/v1/auth/token' || status !== 429) return
          for (const { state } of worlds.list()) state.rateWindows = {}
        },
      },
    }),
    says: /^the answer to createToken\n.*rate_limit_exceeded/,
    steps: 5,
    scenario: /AU-13: 2/,
  },
  'sends a webhook twice': {
    begin: () => {
      const spoil = once(
        ({ state }) => Object.values(state.deliveries).filter(({ status }) => status === 'delivered'),
        (delivery, world) => startExtraAttempt(world, delivery),
      )
      return { plant: { answered: (_request, _status, worlds) => spoil(worlds) } }
    },
    says: /^webhook 0\n|^the webhooks that receivers got/,
    steps: 2,
    scenario: /attempts: 1/,
  },
  'changes a customer, unseen, as it refuses another with the same externalId': {
    begin: () => ({
      plant: {
        answered({ path }, status, worlds) {
          if (status !== 409 || path !== '/v1/customers') return
          for (const { state } of worlds.list()) {
            for (const one of Object.values(state.customers)) one.phone = '11987654321'
          }
        },
      },
    }),
    says: /^the world after createCustomer was refused\n  ….{1,160}… became ….{1,160}"phone":"1.*…$/,
    steps: 2,
    scenario: /error: conflict/,
  },
  'forgets a posting when it starts again on its file': {
    begin: () => ({
      plant: {
        restarted(worlds) {
          for (const world of worlds.list()) {
            world.state.postings.pop()
            world.books = foldBooks(world.state.postings)
          }
        },
      },
    }),
    says: /^posting \d+\n/,
    steps: 2,
    scenario: /the server was (?:ended|killed) here/,
  },
}
