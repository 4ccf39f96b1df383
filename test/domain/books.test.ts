// Checks what each kind of posting adds to the books: balances, the last move of an account, and the totals of a merchant.
import { describe, expect, test } from 'vitest'
import { emptyTotals, foldBooks, line, merchantAccount, outsideAccount } from '../../src/domain/books.ts'
import type { Timestamp } from '../../src/kernel/brands.ts'
import type { Posting } from '../../src/domain/trail.ts'

const SCOPE = { organizationId: 'org-1', environment: 'Sandbox' } as const
const KEY = 'org-1|Sandbox|'
const PAYERS = outsideAccount('payers', 'Sandbox')
const AVAILABLE = merchantAccount(SCOPE, 'available')
const RESERVED = merchantAccount(SCOPE, 'reserved')

function posting(reason: Posting['reason'], from: string, to: string, amount: number, at = 12): Posting {
  return {
    n: 1,
    at: `2030-01-01T${at}:00:00.000Z` as Timestamp,
    ...SCOPE,
    subject: 'id',
    reason,
    lines: [line(from, -amount), line(to, amount)],
  }
}

/** The totals after some postings, days as plain pairs. */
function totalsAfter(...postings: Posting[]): unknown {
  const total = foldBooks(postings).totals.get(KEY) ?? emptyTotals()
  return { ...total, volumeByDay: [...total.volumeByDay] }
}

const NOTHING = { volume: 0, payouts: 0, refunds: 0, volumeByDay: [] }

describe('the totals', () => {
  test('of a merchant to whom nothing happened are zero', () => {
    expect(totalsAfter()).toEqual(NOTHING)
  })

  test('count a sale as volume of its day in São Paulo', () => {
    const late = { ...posting('sale', PAYERS, AVAILABLE, 50), at: '2030-01-02T02:59:59.999Z' as Timestamp }
    const early = { ...late, at: '2030-01-02T03:00:00.000Z' as Timestamp }
    expect(totalsAfter(posting('sale', PAYERS, AVAILABLE, 300), late, early)).toEqual({
      ...NOTHING,
      volume: 400,
      volumeByDay: [
        ['2030-01-01', 350],
        ['2030-01-02', 50],
      ],
    })
  })

  test.each(['refund', 'debit'] as const)('count a %s as given back', (reason) => {
    const twice = [posting(reason, AVAILABLE, PAYERS, 70), posting(reason, AVAILABLE, PAYERS, 7)]
    expect(totalsAfter(...twice)).toEqual({ ...NOTHING, refunds: 77 })
  })

  test('count what leaves the reserve for the bank as paid out', () => {
    const bank = outsideAccount('bank', 'Sandbox')
    const twice = [posting('payOut', RESERVED, bank, 90), posting('payOut', RESERVED, bank, 9)]
    expect(totalsAfter(...twice)).toEqual({ ...NOTHING, payouts: 99 })
  })

  test.each(['funding', 'settlement', 'reserve', 'giveBack', 'hold', 'release'] as const)(
    'do not count a %s',
    (reason) => {
      expect(totalsAfter(posting(reason, PAYERS, RESERVED, 10))).toEqual(NOTHING)
    },
  )

  test('are kept apart for each organisation and environment', () => {
    const sale = posting('sale', PAYERS, AVAILABLE, 300)
    const { totals } = foldBooks([
      sale,
      { ...sale, organizationId: 'org-2' },
      { ...sale, environment: 'Production' },
    ])
    expect([...totals].map(([key, { volume }]) => [key, volume])).toEqual([
      [KEY, 300],
      ['org-2|Sandbox|', 300],
      ['org-1|Production|', 0],
    ])
  })
})

test('every account remembers what it holds and when it moved last', () => {
  const { balances, movedAt } = foldBooks([
    posting('sale', PAYERS, AVAILABLE, 300, 10),
    posting('reserve', AVAILABLE, RESERVED, 100, 11),
  ])
  expect([...balances]).toEqual([
    [PAYERS, -300],
    [AVAILABLE, 200],
    [RESERVED, 100],
  ])
  expect([...movedAt.values()].map((at) => at.slice(11, 13))).toEqual(['10', '11', '11'])
})
