// Owns a second reckoning of the money, made from the rules in words: what each posting must say, line by line.
import { expect } from 'vitest'
import type { Method } from '../../src/contract/enums.ts'
import type { Dispute, Scope, Transaction } from '../../src/domain/records.ts'
import type { WorldState } from '../../src/domain/state.ts'
import type { Posting } from '../../src/domain/trail.ts'

/** The knobs that decide about money, as chosen now. */
export interface Knobs {
  'TX-08': Record<Method, { bps: number; fixed: number }>
  'TX-23': Record<Method, number>
  'TX-29': 'feeReturned' | 'feeKept'
  'DI-05': { hold: 'available' | 'none' | 'availableAndPending'; debit: 'whole' | 'heldPart' }
  'DI-10': 'refunded' | 'stays'
  'CO-05': { feeCents: number; minimumCents: number }
}

/** What is known of a transaction besides its record. */
interface Sale {
  unsettled: number
  /** When the unsettled part becomes available. */
  settlesAt: string | null
  /** What was refunded, and what lost disputes took. */
  refunded: number
  chargedBack: number
  /** Lost disputes that left the status as it was (DI-10). */
  stayed: number
  feeBack: number
  sharesBack: number[]
  /** Whether every refund gave back its part of the fee. */
  feeReturned: boolean
}

/** The second reckoning of a world. */
export interface Reckoning {
  balances: ReadonlyMap<string, number>
  sales: ReadonlyMap<string, Sale>
  /** Reckons what is new in a state, under the knobs that were chosen when it happened. */
  follow(state: WorldState, knobs: Knobs): void
}

const DAY_MS = 86_400_000

/** What of a transaction was not given back. */
export function leftIn({ amount, refundedAmount }: Transaction): number {
  return amount - refundedAmount
}

/** `whole * part / of`, rounded down, exactly. */
function share(whole: number, part: number, of: number): number {
  return Number((BigInt(whole) * BigInt(part)) / BigInt(of))
}

type Lines = Map<string, number>

function add(lines: Lines, account: string, amount: number): void {
  const sum = (lines.get(account) ?? 0) + amount
  if (sum === 0) lines.delete(account)
  else lines.set(account, sum)
}

function linesOf(entries: readonly (readonly [account: string, amount: number])[]): Lines {
  const lines: Lines = new Map()
  for (const [account, amount] of entries) add(lines, account, amount)
  return lines
}

function bucket({ organizationId, environment }: Scope, name: 'available' | 'pending' | 'reserved'): string {
  return `${name}:${organizationId}:${environment}`
}

/** Splits of a transaction as lines of the accounts that receive them. */
function shareLines({ splits, environment }: Transaction, amounts: readonly number[]): [string, number][] {
  return splits.map(({ organizationId }, index) => [
    bucket({ organizationId, environment }, 'available'),
    amounts[index] ?? 0,
  ])
}

/** A reckoning of a world to which nothing happened. */
export function createReckoning(): Reckoning {
  const balances: Lines = new Map()
  const sales = new Map<string, Sale>()
  const holds = new Map<string, { taken: number; held: number }>()
  const cashoutFees = new Map<string, number>()
  let followed = 0

  function saleOf(id: string): Sale {
    const sale = sales.get(id)
    if (!sale) throw new Error(`nobody made ${id}`)
    return sale
  }

  /** A new transaction: its fee and its shares. */
  function begin(record: Transaction, knobs: Knobs): void {
    const { amount, method, splits } = record
    const { bps, fixed } = knobs['TX-08'][method]
    const rounded = Number((BigInt(amount) * BigInt(bps) * 2n + 10_000n) / 20_000n)
    expect(record.fee, 'fee').toBe(Math.min(amount, rounded + fixed))
    for (const { type, value, shareAmount } of splits) {
      const hundredths = Math.round(value * 100)
      expect(shareAmount, 'share').toBe(type === 'FIXED' ? value : share(amount, hundredths, 10_000))
    }
    sales.set(record.id, {
      unsettled: 0,
      settlesAt: null,
      refunded: 0,
      chargedBack: 0,
      stayed: 0,
      feeBack: 0,
      sharesBack: splits.map(() => 0),
      feeReturned: true,
    })
  }

  /** A new dispute: what it holds of the money that there is. */
  function beginDispute(dispute: Dispute, knobs: Knobs): void {
    const { hold } = knobs['DI-05']
    const available = Math.max(0, balances.get(bucket(dispute, 'available')) ?? 0)
    const first = hold === 'none' ? 0 : Math.min(dispute.amount, available)
    const { unsettled } = saleOf(dispute.transactionId)
    const second = hold === 'availableAndPending' ? Math.min(dispute.amount - first, unsettled) : 0
    expect(dispute.holdAmount, 'held').toBe(first + second)
    holds.set(dispute.id, { taken: first + second, held: first + second })
  }

  function sold(record: Transaction, knobs: Knobs, at: string): Lines {
    const { environment, amount, fee, splits, method } = record
    const shares = splits.map(({ shareAmount }) => shareAmount)
    const rest = amount - fee - shares.reduce((sum, each) => sum + each, 0)
    const days = knobs['TX-23'][method]
    const sale = saleOf(record.id)
    sale.unsettled = days > 0 ? rest : 0
    sale.settlesAt = days > 0 ? new Date(Date.parse(at) + days * DAY_MS).toISOString() : null
    return linesOf([
      [`payers:${environment}`, -amount],
      [`gateway:${environment}`, fee],
      ...shareLines(record, shares),
      [bucket(record, days > 0 ? 'pending' : 'available'), rest],
    ])
  }

  function refunded(record: Transaction, knobs: Knobs, amount: number): Lines {
    const { environment, splits } = record
    const sale = saleOf(record.id)
    const before = sale.refunded + sale.chargedBack
    const part = (whole: number): number =>
      share(whole, before + amount, record.amount) - share(whole, before, record.amount)
    const fee = knobs['TX-29'] === 'feeReturned' ? part(record.fee) : 0
    const shares = splits.map(({ shareAmount }) => part(shareAmount))
    const borne = amount - fee - shares.reduce((sum, each) => sum + each, 0)
    const fromPending = Math.min(sale.unsettled, Math.max(0, borne))
    sale.unsettled -= fromPending
    sale.refunded += amount
    sale.feeBack += fee
    sale.sharesBack = sale.sharesBack.map((sum, index) => sum + (shares[index] ?? 0))
    sale.feeReturned &&= knobs['TX-29'] === 'feeReturned'
    return linesOf([
      [`payers:${environment}`, amount],
      [`gateway:${environment}`, -fee],
      ...shareLines(
        record,
        shares.map((each) => -each),
      ),
      [bucket(record, 'pending'), -fromPending],
      [bucket(record, 'available'), fromPending - borne],
    ])
  }

  function settled(record: Transaction, at: string): Lines {
    const sale = saleOf(record.id)
    const { unsettled, settlesAt } = sale
    expect(at, 'settled on its day').toBe(settlesAt)
    sale.unsettled = 0
    return linesOf([
      [bucket(record, 'pending'), -unsettled],
      [bucket(record, 'available'), unsettled],
    ])
  }

  function disputed(dispute: Dispute, reason: 'hold' | 'release' | 'debit', knobs: Knobs): Lines {
    const hold = holds.get(dispute.id) ?? { taken: 0, held: 0 }
    const sale = saleOf(dispute.transactionId)
    const [available, reserved] = [bucket(dispute, 'available'), bucket(dispute, 'reserved')]
    const { held } = hold
    if (reason === 'hold') {
      const fromAvailable = Math.min(held, Math.max(0, balances.get(available) ?? 0))
      sale.unsettled -= held - fromAvailable
      return linesOf([
        [available, -fromAvailable],
        [bucket(dispute, 'pending'), fromAvailable - held],
        [reserved, held],
      ])
    }
    hold.held = 0
    if (reason === 'release') {
      return linesOf([
        [reserved, -held],
        [available, held],
      ])
    }
    const debit = knobs['DI-05'].debit === 'whole' ? dispute.amount : hold.taken
    if (knobs['DI-10'] === 'stays') sale.stayed += debit
    else sale.chargedBack += debit
    return linesOf([
      [reserved, -held],
      [available, held - debit],
      [`payers:${dispute.environment}`, debit],
    ])
  }

  function expected(state: WorldState, posting: Posting, knobs: Knobs): Lines {
    const { subject, reason, environment, at, lines } = posting
    const transaction = state.transactions[subject]
    const cashout = state.cashouts[subject]
    const dispute = state.disputes[subject]
    const toPayers = lines.find(({ account }) => account === `payers:${environment}`)?.amount ?? 0
    if (transaction && reason === 'sale') return sold(transaction, knobs, at)
    if (transaction && reason === 'refund') return refunded(transaction, knobs, toPayers)
    if (transaction && reason === 'settlement') return settled(transaction, at)
    if (dispute && (reason === 'hold' || reason === 'release' || reason === 'debit')) {
      return disputed(dispute, reason, knobs)
    }
    if (cashout) {
      const { amount } = cashout
      const fee = cashoutFees.get(subject) ?? 0
      const available: [string, number][] = [
        [bucket(cashout, 'available'), amount],
        [bucket(cashout, 'reserved'), -amount],
      ]
      if (reason === 'giveBack') return linesOf(available)
      if (reason === 'reserve') return linesOf(available.map(([account, each]) => [account, -each]))
      const paid: [string, number][] = [
        [bucket(cashout, 'reserved'), -amount],
        [`bank:${environment}`, amount - fee],
        [`gateway:${environment}`, fee],
      ]
      return linesOf(paid)
    }
    const given = lines.find(({ amount }) => amount > 0)?.amount ?? 0
    expect(reason, JSON.stringify(posting)).toBe('funding')
    return linesOf([
      [`funding:${environment}`, -given],
      [bucket(posting, 'available'), given],
    ])
  }

  /** Enters a posting; only refunds, lost disputes and returned shares may bring available below zero. */
  function enter({ reason, lines }: Posting): void {
    for (const { account, amount } of lines) add(balances, account, amount)
    for (const { account, amount } of lines) {
      if ((balances.get(account) ?? 0) >= 0 || amount >= 0) continue
      if (/^(?:payers|funding):/.test(account)) continue
      expect(account, `${reason} brought it below zero`).toMatch(/^available:/)
      expect(['refund', 'debit'], account).toContain(reason)
    }
  }

  return {
    balances,
    sales,
    follow(state, knobs) {
      for (const record of Object.values(state.transactions)) if (!sales.has(record.id)) begin(record, knobs)
      for (const dispute of Object.values(state.disputes)) {
        if (!holds.has(dispute.id)) beginDispute(dispute, knobs)
      }
      for (const { id, fee, amount } of Object.values(state.cashouts)) {
        if (cashoutFees.has(id)) continue
        cashoutFees.set(id, knobs['CO-05'].feeCents)
        expect(fee, 'fee of a cashout').toBe(knobs['CO-05'].feeCents)
        expect(amount, 'least amount of a cashout').toBeGreaterThanOrEqual(knobs['CO-05'].minimumCents)
      }
      for (const posting of state.postings.slice(followed)) {
        const sum = posting.lines.reduce((all, { amount }) => all + amount, 0)
        expect([posting.n, sum], JSON.stringify(posting)).toEqual([followed + 1, 0])
        const actual = linesOf(posting.lines.map(({ account, amount }) => [account, amount]))
        expect(actual, `${posting.reason} of ${posting.subject}`).toEqual(expected(state, posting, knobs))
        enter(posting)
        followed += 1
      }
    },
  }
}
