// Owns what the model's gateway answers to reading: one record, a page of them, the balance.
import { accepted, refused } from './gateway.ts'
import { bucket, inAccount } from './money.ts'
import { takesAll } from './operations.ts'
import { SCOPES } from './world.ts'
import type { Caller } from '../../properties/calls.ts'
import type { Asked, List } from './filters.ts'
import type { Outcome } from './gateway.ts'
import type { Known, Life, Move } from './world.ts'

const DAY = 86_400_000
/** Sao Paulo is three hours behind UTC, all year. */
const SAO_PAULO = 10_800_000

/** What a list is asked for. */
export interface ListQuery {
  page: number
  pageSize: number
  filters: readonly Asked[]
}

/** Records of a caller. */
function ownedBy<R extends Known>(records: readonly R[], by: Caller): R[] {
  const { org, env } = SCOPES[by]
  return records.filter((one) => one.org === org && one.env === env)
}

/** A page of a list, newest first. */
export function list(life: Life, by: Caller, kind: List, { filters, ...asked }: ListQuery): Outcome {
  const isClamped = life.knobs['LI-01'] === 'clamped'
  const page = isClamped ? Math.max(1, asked.page) : asked.page
  const pageSize = isClamped ? Math.min(100, Math.max(1, asked.pageSize)) : asked.pageSize
  const isPage = page >= 1 && pageSize >= 1 && pageSize <= 100
  if (!isPage || filters.some(({ has }) => has === null)) return refused('validation_error')
  const records: readonly Known[] = life[kind]
  const fitting = ownedBy(records, by).filter((one) => filters.every(({ has }) => has?.(life, one)))
  const totalPages = Math.ceil(fitting.length / pageSize)
  if (page > Math.max(1, totalPages) && life.knobs['LI-04'] === 'notFound') return refused('not_found')
  const items = fitting.toReversed().slice((page - 1) * pageSize, page * pageSize)
  return accepted({
    items: items.map((one) => ({ id: one.id, status: one.status })),
    page,
    pageSize,
    totalItems: fitting.length,
    totalPages,
    hasNextPage: page < totalPages,
    hasPreviousPage: page > 1 && totalPages > 0,
  })
}

const stamp = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString())

/** One record as it is answered: the fields that the model knows. */
export function read(life: Life, kind: List, place: number): Outcome {
  const { id } = life[kind][place] as Known
  switch (kind) {
    case 'transactions': {
      const { status, amount, fee, completedAt, refundedAt, expiresAt, customer, method } = at(
        life.transactions,
        place,
      )
      return accepted({
        id,
        method,
        status,
        amount,
        fee,
        netAmount: amount - fee,
        completedAt: stamp(completedAt),
        refundedAt: stamp(refundedAt),
        expiresAt: stamp(expiresAt),
        customerId: customer === null ? null : at(life.customers, customer).id,
      })
    }
    case 'customers': {
      const { status, name, email, externalId } = at(life.customers, place)
      return accepted({ id, status, name, email, externalId })
    }
    case 'cashouts': {
      const { status, amount, fee, completedAt } = at(life.cashouts, place)
      return accepted({ id, status, amount, fee, netAmount: amount - fee, completedAt: stamp(completedAt) })
    }
    case 'disputes': {
      const { status, amount, held, taken, hold, deadline, responded, files, sale } = at(life.disputes, place)
      return accepted({
        id,
        status,
        amount,
        heldAmount: held,
        holdAmount: taken,
        holdState: hold,
        responseDeadline: stamp(deadline),
        hasResponse: responded,
        evidencesCount: files,
        paymentId: at(life.transactions, sale).id,
      })
    }
    default:
      return kind satisfies never
  }
}

function at<R>(records: readonly R[], place: number): R {
  const found = records[place]
  if (found === undefined) throw new Error(`the model has no record ${place}`)
  return found
}

/** The balance of a caller. */
export function balance(life: Life, by: Caller): Outcome {
  const scope = SCOPES[by]
  const [available, pending, reserved] = (['available', 'pending', 'reserved'] as const).map((name) =>
    inAccount(life, bucket(scope, name)),
  ) as [number, number, number]
  const mine = life.moves.filter(({ subject }) => isOf(life, subject, by))
  const paid = (reasons: readonly string[], account: string, from = -Infinity): number =>
    mine
      .filter(({ reason, at: moved }) => reasons.includes(reason) && dayOf(moved) >= from)
      .reduce((sum, { lines }) => sum + (lines[account] ?? 0), 0)
  const payers = `payers:${scope.env}`
  const sold = (from: number): number => 0 - paid(['sale'], payers, from)
  const today = dayOf(life.now)
  return accepted({
    balance: {
      available,
      pending,
      reserved,
      total: available + pending + reserved,
      withdrawNowAvailable: Math.max(0, available),
      requiresFullWithdrawalNow: takesAll(life, by),
    },
    totals: {
      lifetimeVolume: sold(-Infinity),
      lifetimePayouts: 0 - paid(['payOut'], bucket(scope, 'reserved')),
      lifetimeRefunds: paid(['refund', 'debit'], payers),
    },
    period: {
      volumeToday: sold(today),
      volumeThisWeek: sold(today - 6),
      volumeThisMonth: sold(today - 29),
    },
  })
}

/** The number of a day in Sao Paulo. */
function dayOf(instant: number): number {
  return Math.floor((instant - SAO_PAULO) / DAY)
}

function isOf(life: Life, subject: Move['subject'], by: Caller): boolean {
  const [kind = '', place = ''] = subject.split('/')
  if (kind === 'funding') return false
  const record = (life[kind as 'transactions'] as readonly Known[])[Number(place)]
  return record !== undefined && ownedBy([record], by).length === 1
}
