// Owns a world as it is taken out of a server and put into another: its form, and what must hold of one that comes in.
import { z } from 'zod'
import { ENVIRONMENTS } from '../contract/enums.ts'
import { foldBooks } from '../domain/books.ts'
import { JOB_KINDS } from '../domain/jobs.ts'
import * as records from '../domain/records.ts'
import * as trail from '../domain/trail.ts'
import { sumCents } from '../kernel/brands.ts'
import { MAX_CLOCK_RATE } from '../kernel/clock.ts'
import { LAST_INSTANT } from '../kernel/time.ts'
import { checkOverrides } from './choices.ts'
import { faultNamed } from './faultKinds.ts'
import { faultAction, faultTarget } from './faultOrders.ts'
import { digestBytes } from './keys.ts'
import { Misuse } from './misuse.ts'
import { ruleRecord } from './ruleShapes.ts'
import { saveWorld } from './snapshots.ts'
import { base64Of } from './storedWorld.ts'
import type { RunningWorld } from './runningWorld.ts'
import type { SavedWorld } from './savedWorld.ts'

const instant = z.int().min(0).max(LAST_INSTANT)
const word = z.int().min(0).max(0xffffffff)
const text = z.string().nullable()

const fault = z.strictObject({
  id: z.string(),
  name: z.string(),
  on: faultTarget,
  subject: text,
  nth: z.int().nullable(),
  probability: z.number().nullable(),
  do: faultAction,
  times: z.int(),
  after: records.time,
  until: records.time,
  seen: z.int(),
  fired: z.int(),
})

/** What rules know of card numbers and codes, which no world carries to another: their digests are made with its own key. */
const noSecrets = z
  .record(z.string(), z.array(z.string()))
  .refine((secrets) => Object.keys(secrets).length === 0, {
    error:
      'looks at a card number or a code, which leaves no world; clear this rule before the world is taken out',
  })

const ruleBook = z.strictObject({
  made: z.int().min(0),
  list: z.array(ruleRecord.extend({ secrets: noSecrets })),
  planned: z.record(
    z.string(),
    z.strictObject({ rule: z.string(), subject: text, do: ruleRecord.shape.do, chain: z.int() }),
  ),
  chain: z.literal(0),
})

const state = z.strictObject({
  organizations: z.record(z.string(), records.organizationRecord),
  credentials: z.record(z.string(), records.credentialRecord),
  customers: z.record(z.string(), records.customerRecord),
  transactions: z.record(z.string(), records.transactionRecord),
  cashouts: z.record(z.string(), records.cashoutRecord),
  disputes: z.record(z.string(), records.disputeRecord),
  accounts: z.record(z.string(), records.accountRecord),
  cardTokens: z.record(z.string(), records.cardTokenRecord),
  postings: z.array(trail.postingRecord),
  journal: z.array(trail.journalRecord),
  deliveries: z.record(z.string(), trail.deliveryRecord),
  rateWindows: z.record(z.string(), z.array(z.number())),
  variedAnswers: z.int().min(0),
  revokedTokens: z.record(z.string(), z.number()),
})

/** A world that is taken out or put in: the form of a snapshot, with its files beside it. */
const exportedWorld = z.strictObject({
  format: z.literal(1),
  clock: z.strictObject({
    mode: z.enum(['frozen', 'flowing']),
    at: instant,
    rate: z.number().positive().max(MAX_CLOCK_RATE),
  }),
  random: z.tuple([word, word, word, word]),
  scheduler: z.strictObject({
    lastOrder: z.int().min(0),
    jobs: z.array(
      z.strictObject({
        kind: z.enum(Object.keys(JOB_KINDS)),
        subject: z.string(),
        dueAt: instant,
        order: z.number(),
      }),
    ),
  }),
  silences: z.record(z.string(), z.unknown()),
  faults: z.array(fault),
  rules: ruleBook,
  state,
  /** Bytes of evidence by their SHA-256. */
  files: z.record(z.string(), z.base64()).default({}),
})

/** A world as it is taken out. Its secret keys stay. */
export function exportText(world: RunningWorld): string {
  const files = Object.fromEntries(
    Array.from(world.files, ([digest, bytes]) => [digest, base64Of(bytes)] as const),
  )
  return JSON.stringify({ ...saveWorld(world), files })
}

/**
 * A world that comes in, with its files.
 * @throws {Misuse} that names what does not fit
 */
export function checkExported(value: unknown): { saved: SavedWorld; files: Map<string, Uint8Array> } {
  const parsed = exportedWorld.safeParse(value)
  if (!parsed.success) throw wrong(z.prettifyError(parsed.error))
  const { files, ...sent } = parsed.data
  const saved = { ...sent, silences: checkOverrides({}, sent.silences) } as unknown as SavedWorld
  checkKeys(saved)
  checkMoney(saved)
  checkSubjects(saved)
  return { saved, files: new Map(Object.entries(files).map(readFile)) }
}

function wrong(what: string): Misuse {
  return new Misuse('sandbox_bad_request', `This is no world that can be put in: ${what}.`)
}

function readFile([digest, base64]: [string, string]): [string, Uint8Array] {
  const bytes = Buffer.from(base64, 'base64')
  if (digestBytes(bytes) !== digest) throw wrong(`the file ${digest} has other bytes than its name says`)
  return [digest, bytes]
}

/** Records stand under their own keys, and the first credentials are those that every world begins with. */
function checkKeys({ state: kept, faults }: SavedWorld): void {
  const { organizations, customers, transactions, cashouts, disputes, deliveries, credentials } = kept
  for (const kind of [organizations, customers, transactions, cashouts, disputes, deliveries]) {
    const strange = Object.entries<{ id: string }>(kind).find(([key, { id }]) => key !== id)
    if (strange) throw wrong(`the record ${strange[1].id} stands under ${strange[0]}`)
  }
  const [sandbox, production, other] = Object.values(credentials)
  const first = [sandbox, production, other].map((each) => each?.environment)
  if (first.join() !== [...ENVIRONMENTS, 'Sandbox'].join()) {
    throw wrong('it must begin with the three credentials that every world has')
  }
  const lone = Object.values(credentials).find(({ organizationId }) => !organizations[organizationId])
  if (lone) throw wrong(`the credential ${lone.publicKey} belongs to no organisation`)
  const misnamed = faults.find(
    ({ on, do: act, name }) => faultNamed(act, on.delivery ? 'delivery' : 'call') !== name,
  )
  if (misnamed) throw wrong(`the fault ${misnamed.id} is not named after what it does`)
}

/** Postings are numbered and balanced, and no money is there that is less than none. */
function checkMoney({ state: { postings, journal } }: SavedWorld): void {
  for (const [index, { n, lines }] of postings.entries()) {
    if (n !== index + 1) throw wrong(`posting ${n} stands in place ${index + 1}`)
    if (sumCents(lines.map(({ amount }) => amount)) !== 0) throw wrong(`posting ${n} does not sum to zero`)
  }
  const entry = journal.find(({ n }, index) => n !== index + 1)
  if (entry) throw wrong(`journal entry ${entry.n} is not in its place`)
  for (const [account, balance] of foldBooks(postings).balances) {
    if (/^(?:pending|reserved):/.test(account) && balance < 0) throw wrong(`${account} is below zero`)
  }
}

/** What jobs, disputes and transactions are about is there. */
function checkSubjects({ scheduler, rules, state: kept }: SavedWorld): void {
  const { transactions, disputes, deliveries, customers } = kept
  const subjects: Record<keyof typeof JOB_KINDS, Record<string, unknown>> = {
    expireTransaction: transactions,
    confirmTransaction: transactions,
    settleSale: transactions,
    lapseDispute: disputes,
    ruleTrigger: rules.planned,
    attemptDelivery: deliveries,
  }
  const job = scheduler.jobs.find(({ kind, subject }) => !Object.hasOwn(subjects[kind], subject))
  if (job) throw wrong(`the job ${job.kind} is about ${job.subject}, which is not there`)
  const dispute = Object.values(disputes).find(({ transactionId }) => !transactions[transactionId])
  if (dispute) throw wrong(`the dispute ${dispute.id} is on a transaction that is not there`)
  const sale = Object.values(transactions).find(
    ({ customerId }) => customerId !== null && !customers[customerId],
  )
  if (sale) throw wrong(`the transaction ${sale.id} is of a customer who is not there`)
}
