// Owns the control routes of money: postings, balances, funding, and disputes, which only the control API opens.
import { z } from 'zod'
import { DISPUTE_REASONS, ENVIRONMENTS } from '../contract/enums.ts'
import { BALANCE_ENDPOINTS } from '../contract/balance.ts'
import { MAX_AMOUNT_CENTS, MAX_DESCRIPTION_UNITS } from '../contract/limits.ts'
import { fund, readBalance, requireFullWithdrawal } from '../domain/balance.ts'
import { openDispute } from '../domain/disputes.ts'
import { BUCKETS, merchantAccount } from '../domain/books.ts'
import { balanceOf } from '../domain/ledger.ts'
import { disputeRecord } from '../domain/records.ts'
import { POSTING_REASONS, postingRecord } from '../domain/trail.ts'
import { recordOf } from '../domain/state.ts'
import { leftOf } from '../domain/transactionRules.ts'
import { cents } from '../kernel/brands.ts'
import { Misuse } from '../world/misuse.ts'
import { durationOf } from './clockRoutes.ts'
import { listAnswer, listIndexed, listOf, listQuery } from './lists.ts'
import { organizationOf } from './recordRoutes.ts'
import { route } from './route.ts'
import type { Scope, Transaction } from '../domain/records.ts'
import type { RunningWorld } from '../world/runningWorld.ts'

const tag = 'Money'
const environment = z.enum(ENVIRONMENTS)
const [{ data: contractBalance }] = BALANCE_ENDPOINTS

const listPostings = route({
  id: 'listPostings',
  method: 'GET',
  path: '/postings',
  tag,
  summary: 'Lists the movements of money, newest first; the lines of each sum to zero',
  query: z.object({
    ...listQuery,
    subject: z.string().optional(),
    organizationId: z.string().optional(),
    environment: environment.optional(),
    reason: z.enum(POSTING_REASONS).optional(),
  }),
  answer: listAnswer(postingRecord),
  handle: ({ world, query }) => listIndexed(world.indexes.postings, query),
})

const accountBalance = z
  .strictObject({
    organizationId: z.uuid(),
    environment,
    available: z.int(),
    pending: z.int(),
    reserved: z.int(),
    total: z.int(),
  })
  .meta({ id: 'AccountBalance' })

function accountView(world: RunningWorld, scope: Scope): z.input<typeof accountBalance> {
  const [available = 0, pending = 0, reserved = 0] = BUCKETS.map((bucket) =>
    balanceOf(world, merchantAccount(scope, bucket)),
  )
  return { ...scope, available, pending, reserved, total: available + pending + reserved }
}

const listBalances = route({
  id: 'listBalances',
  method: 'GET',
  path: '/balances',
  tag,
  summary: 'Lists the balances of all organisations in both environments',
  query: z.object({
    ...listQuery,
    organizationId: z.string().optional(),
    environment: environment.optional(),
  }),
  answer: listAnswer(accountBalance),
  handle({ world, query }) {
    const scopes = Object.keys(world.state.organizations).flatMap((organizationId) =>
      ENVIRONMENTS.map((each) => accountView(world, { organizationId, environment: each })),
    )
    return listOf(scopes, query, (each) => `${each.organizationId}:${each.environment}`)
  },
})

const patchBalance = route({
  id: 'patchBalance',
  method: 'PATCH',
  path: '/balance',
  tag,
  summary: 'Gives an organisation test money, or decides whether its next cashout must take everything',
  body: z.strictObject({
    organization: z.string().optional(),
    environment: environment.default('Sandbox'),
    fund: z.int().min(1).max(MAX_AMOUNT_CENTS).optional(),
    requireFullWithdrawal: z.boolean().nullable().optional(),
  }),
  answer: contractBalance,
  handle({ world, body }) {
    const scope = {
      organizationId: organizationOf(world, body.organization).id,
      environment: body.environment,
    }
    if (body.fund !== undefined) fund(world, scope, cents(body.fund))
    const { requireFullWithdrawal: required } = body
    if (required !== undefined) requireFullWithdrawal(world, scope, required)
    return readBalance(world, scope)
  },
})

function refuseOpening(transaction: Transaction, why: 'status' | 'disputed' | 'amount'): Misuse {
  const { id, status } = transaction
  switch (why) {
    case 'status':
      return new Misuse(
        'sandbox_trigger_refused',
        `A dispute needs a transaction that is Completed or PartiallyRefunded; ${id} is ${status}.`,
        { 'X-Sandbox-Allowed': '' },
      )
    case 'disputed':
      return new Misuse(
        'sandbox_trigger_refused',
        `A dispute on transaction ${id} is open; close it first.`,
        {
          'X-Sandbox-Allowed': '',
        },
      )
    case 'amount':
      return new Misuse(
        'sandbox_bad_amount',
        `amount must be 1 to ${leftOf(transaction)}, what is left of the transaction in cents.`,
      )
    default:
      return why satisfies never
  }
}

const createDispute = route({
  id: 'openDispute',
  method: 'POST',
  path: '/disputes',
  tag,
  summary: 'Opens a dispute on a transaction and holds what it can of the money',
  body: z.strictObject({
    paymentId: z.string(),
    amount: z.int().optional(),
    reason: z.enum(DISPUTE_REASONS).optional(),
    reasonDescription: z.string().max(MAX_DESCRIPTION_UNITS).optional(),
    deadline: z.string().optional().meta({ description: 'time to respond, such as 7d' }),
  }),
  answer: disputeRecord,
  status: 201,
  errors: ['sandbox_trigger_refused', 'sandbox_bad_amount'],
  handle({ world, body: { paymentId, deadline, ...input } }) {
    const transaction = recordOf(world.state.transactions, paymentId.toLowerCase())
    if (!transaction) {
      throw new Misuse(
        'sandbox_not_found',
        `No transaction ${paymentId} in this world; GET /_sandbox/transactions lists them.`,
      )
    }
    const length = deadline === undefined ? undefined : durationOf(deadline, 'deadline')
    const opened = openDispute(world, transaction, { ...input, deadline: length })
    if ('notOpened' in opened) throw refuseOpening(transaction, opened.notOpened)
    return opened
  },
})

/** Control routes of money. */
export const MONEY_ROUTES = [listPostings, listBalances, patchBalance, createDispute]
