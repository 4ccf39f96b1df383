// Owns comparing a world with the model of it: records, money, history, webhooks, jobs, faults, rules, snapshots.
import { foldBooks } from '../../../src/domain/books.ts'
import { buildIndexes, customerTexts } from '../../../src/domain/indexes.ts'
import { agree, agreeOnEach } from './agree.ts'
import { hookUrl } from './server.ts'
import type { RunningWorld } from '../../../src/world/runningWorld.ts'
import type { Caller } from '../../properties/calls.ts'
import type { Kind, Known, Life, ModelWorld, Org } from './world.ts'

const stamp = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())
const KINDS = ['transactions', 'cashouts', 'disputes', 'customers'] as const

/** Learns the ids of what the model made; the sandbox keeps records in the order in which they were made. */
export function learnIds({ life }: ModelWorld, { state, faults, rules }: RunningWorld): void {
  for (const kind of KINDS) {
    const ids = Object.keys(state[kind])
    for (const [place, one] of life[kind].entries()) if (one.id === '') one.id = ids[place] ?? ''
  }
  const [posts, tokens] = [Object.keys(state.deliveries), Object.keys(state.cardTokens)]
  for (const [place, one] of life.posts.entries()) if (one.id === '') one.id = posts[place] ?? ''
  for (const [place, one] of life.cards.entries()) if (one.token === '') one.token = tokens[place] ?? ''
  for (const [place, one] of life.faults.entries()) if (one.id === '') one.id = faults[place]?.id ?? ''
  for (const [place, one] of life.rules.entries()) if (one.id === '') one.id = rules.list[place]?.id ?? ''
}

/** Fails when a world is not what the model says. */
export function compareWorld(model: ModelWorld, world: RunningWorld): void {
  const { life } = model
  const orgs = orgsOf(world)
  agree('the clock', stamp(life.now), stamp(world.clock.now()))
  compareRecords(life, world, orgs)
  compareMoney(life, world, orgs)
  compareWork(life, world)
  compareSettings(life, world, orgs)
  agree('the snapshots', Object.keys(model.snapshots).toSorted(), [...world.snapshots.keys()].toSorted())
}

/** Fails when what a world derives from its state is not what follows from it. */
export function checkDerived(world: RunningWorld): void {
  agree('the books against a fold of the postings', foldBooks(world.state.postings), world.books)
  const rebuilt = buildIndexes(world.state)
  if (world.indexes.customerTexts) customerTexts(rebuilt)
  agree('the indexes against rebuilt ones', rebuilt, world.indexes)
}

function orgsOf({ state, origin }: RunningWorld): ReadonlyMap<string, Org> {
  const ownerId = (by: Caller): string => state.credentials[origin.keys[by].publicKey]?.organizationId ?? ''
  return new Map([
    [ownerId('sandbox'), 'merchant'],
    [ownerId('receiver'), 'receiver'],
  ])
}

type Orgs = ReadonlyMap<string, Org>

function compareRecords(life: Life, { state }: RunningWorld, orgs: Orgs): void {
  const known = ({ id, org, env, status, createdAt }: Known) => ({
    id,
    org,
    env,
    status,
    createdAt: stamp(createdAt),
  })
  type Stored = { id: string; organizationId: string; environment: string; status: string; createdAt: string }
  const stored = ({ id, organizationId, environment, status, createdAt }: Stored) => ({
    id,
    org: orgs.get(organizationId),
    env: environment,
    status,
    createdAt,
  })
  agreeOnEach(
    'customer',
    life.customers.map(({ name, email, document, externalId, ...one }) => ({
      ...known(one),
      name,
      email,
      document,
      externalId,
    })),
    Object.values(state.customers).map(({ name, email, document, externalId, ...one }) => ({
      ...stored(one),
      name,
      email,
      document,
      externalId,
    })),
  )
  agreeOnEach(
    'transaction',
    life.transactions.map(({ method, amount, fee, refunded, unsettled, externalId, ...one }) => ({
      ...known(one),
      ...{ method, amount, fee, refunded, unsettled, externalId },
      asked: one.asked && { amount: one.asked.amount, formerStatus: one.asked.former },
      shares: one.splits.map(({ to, share }) => [to, share]),
      customer: one.customer === null ? null : life.customers[one.customer]?.id,
      hook: one.hook && hookUrl(one.hook),
      expiresAt: stamp(one.expiresAt),
      completedAt: stamp(one.completedAt),
      refundedAt: stamp(one.refundedAt),
      failed: ['Expired', 'Failed', 'Cancelled'].includes(one.status),
    })),
    Object.values(state.transactions).map(
      ({ method, amount, fee, refundedAmount, unsettledAmount, externalId, ...one }) => ({
        ...stored(one),
        ...{ method, amount, fee, refunded: refundedAmount, unsettled: unsettledAmount, externalId },
        asked: one.pendingRefund,
        shares: one.splits.map(({ organizationId, shareAmount }) => [orgs.get(organizationId), shareAmount]),
        customer: one.customerId,
        hook: one.callbackUrl,
        expiresAt: one.expiresAt,
        completedAt: one.completedAt,
        refundedAt: one.refundedAt,
        failed: one.failureReason !== null,
      }),
    ),
  )
  agreeOnEach(
    'cashout',
    life.cashouts.map(({ amount, fee, hook, ...one }) => ({
      ...known(one),
      ...{ amount, fee, net: amount - fee },
      hook: hook && hookUrl(hook),
      completedAt: stamp(one.completedAt),
    })),
    Object.values(state.cashouts).map(({ amount, fee, netAmount, callbackUrl, completedAt, ...one }) => ({
      ...stored(one),
      ...{ amount, fee, net: netAmount },
      hook: callbackUrl,
      completedAt,
    })),
  )
  agreeOnEach(
    'dispute',
    life.disputes.map(({ amount, taken, held, hold, files, version, ...one }) => ({
      ...known(one),
      ...{ amount, taken, held, hold, files, version },
      of: life.transactions[one.sale]?.id,
      deadline: stamp(one.deadline),
      responded: one.responded,
    })),
    Object.values(state.disputes).map(({ amount, version, evidences, ...one }) => ({
      ...stored(one),
      ...{
        amount,
        taken: one.holdAmount,
        held: one.heldAmount,
        hold: one.holdState,
        files: evidences.length,
        version,
      },
      of: one.transactionId,
      deadline: one.responseDeadline,
      responded: one.responseText !== null,
    })),
  )
}

function compareMoney(life: Life, { state, books }: RunningWorld, orgs: Orgs): void {
  const named = (account: string): string => {
    const [name = '', id = '', ...rest] = account.split(':')
    return rest.length === 0 ? account : [name, orgs.get(id) ?? id, ...rest].join(':')
  }
  const subjects = new Map<string, string>()
  for (const kind of ['transactions', 'cashouts', 'disputes'] as const) {
    for (const [place, { id }] of life[kind].entries()) subjects.set(id, `${kind}/${place}`)
  }
  for (const [id, org] of orgs) subjects.set(id, `funding/${org}`)
  agreeOnEach(
    'posting',
    life.moves.map(({ at, lines, ...one }) => ({ ...one, at: stamp(at), lines: sorted(lines) })),
    state.postings.map(({ at, subject, reason, lines }) => ({
      reason,
      subject: subjects.get(subject) ?? subject,
      at,
      lines: nonZero(Object.entries(summed(lines, named))),
    })),
  )
  const balances = [...books.balances].map(([account, amount]) => [named(account), amount] as const)
  agree('the balances', nonZero(Object.entries(life.balances)), nonZero(balances))
}

const sorted = (lines: Record<string, number>): [string, number][] =>
  Object.entries(lines).toSorted(([one], [other]) => (one < other ? -1 : 1))
const nonZero = (balances: readonly (readonly [string, number])[]): [string, number][] =>
  sorted(Object.fromEntries(balances.filter(([, amount]) => amount !== 0)))

function summed(
  lines: readonly { account: string; amount: number }[],
  named: (account: string) => string,
): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const { account, amount } of lines) sums[named(account)] = (sums[named(account)] ?? 0) + amount
  return sums
}

const MACHINES: Record<Kind, string> = {
  transactions: 'transaction',
  cashouts: 'cashout',
  disputes: 'dispute',
}

function compareWork(life: Life, { state, scheduler }: RunningWorld): void {
  agreeOnEach(
    'journal entry',
    life.journal.map(({ kind, place, ...row }) => ({
      machine: MACHINES[kind],
      subject: life[kind][place]?.id,
      ...row,
    })),
    state.journal.map(({ machine, subject, from, on, to }) => ({ machine, subject, from, on, to })),
  )
  agreeOnEach(
    'webhook',
    life.posts.map(({ id, type, kind, place, hook, status, numbers }) => ({
      ...{ id, type, status, numbers },
      subject: life[kind][place]?.id,
      url: hookUrl(hook),
    })),
    Object.values(state.deliveries).map(({ id, type, subject, status, url, attempts }) => ({
      ...{ id, type, status, numbers: attempts.map(({ number }) => number) },
      subject,
      url,
    })),
  )
  const jobs = life.jobs.toSorted((one, other) => one.due - other.due || one.order - other.order)
  agree(
    'the jobs',
    jobs.map(({ kind, subject, due }) => [kind, idOf(life, subject), stamp(due)]),
    scheduler.list(1_000).map(({ kind, subject, dueAt }) => [kind, subject, stamp(dueAt)]),
  )
}

/** The id of what a job is about. */
function idOf(life: Life, subject: string): string {
  const [kind, place] = subject.split('/')
  if (place === undefined) return subject
  return kind === 'deliveries'
    ? (life.posts[Number(place)]?.id ?? '')
    : (life[kind as Kind][Number(place)]?.id ?? '')
}

function compareSettings(life: Life, { state, origin, faults, rules }: RunningWorld, orgs: Orgs): void {
  agree(
    'the faults',
    life.faults.map(({ id, do: action, seen, fired }) => ({ id, do: action, seen, fired })),
    faults.map(({ id, do: action, seen, fired }) => ({ id, do: action, seen, fired })),
  )
  agree(
    'the rules',
    life.rules.map(({ id, fired, refused }) => ({ id, fired, refused })),
    rules.list.map(({ id, fired, refused }) => ({ id, fired, refused })),
  )
  for (const by of Object.keys(life.keys) as Caller[]) {
    const actual = state.credentials[origin.keys[by].publicKey]
    const { active, permissions } = life.keys[by]
    agree(`whether ${by} is active`, active, actual?.active)
    if (permissions) agree(`the permissions of ${by}`, permissions, actual?.permissions)
  }
  agree(
    'who may split',
    life.maySplit,
    Object.fromEntries(
      Object.values(state.organizations).map(({ id, maySplit }) => [orgs.get(id), maySplit]),
    ),
  )
}
